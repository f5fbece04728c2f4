# SPDX-License-Identifier: MIT
"""The addresses at which a server listens: of this machine only, or of its network too."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from collections.abc import Iterator

from ..errors import UsageError

HOST = "127.0.0.1"
ANY = "0.0.0.0"
ELSEWHERE = "192.0.2.1"
"""An address of no machine (RFC 5737); nothing is sent to it."""
BACKLOG = 1024
PORTS = 20
"""So many are tried, from the wanted one on."""


def listening_socket(port: int, host: str = HOST) -> socket.socket:
    """A socket that listens at a port, or, where that is taken, at one of the next.

    Raises UsageError where all of these are, and for a host that this machine is not.
    """
    allow_connections()
    address = resolved(host)
    for each in _ports(port):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":  # where it would share a port that is taken
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((address, each))
            found.listen(BACKLOG)
        except OSError as error:
            found.close()
            if error.errno == errno.EADDRNOTAVAIL:
                raise UsageError(
                    f"--host {host}: this is no address of this machine; "
                    f"{own_address()} is the one that its network knows, {ANY} means all"
                ) from None
            continue
        found.setblocking(False)
        return found
    last = min(port + PORTS, 1 << 16) - 1
    raise UsageError(f"the ports {port} to {last} are all taken; --port takes another one")


def resolved(host: str) -> str:
    """The IPv4 address of a host. Raises UsageError where it has none."""
    try:
        found = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise UsageError(
            f"--host {host}: this is no IPv4 address, and no name that has one; "
            f"{own_address()} is the one that the network of this machine knows"
        ) from None
    return str(found[0][4][0])


def own_address() -> str:
    """The address by which others in its network know this machine; HOST where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((ELSEWHERE, 9))
        except OSError:
            return HOST
        return str(asked.getsockname()[0])


def is_here(address: str) -> bool:
    """Whether only this machine reaches an address."""
    return address.startswith("127.")


def _ports(port: int) -> Iterator[int]:
    yield from range(port, min(port + PORTS, 1 << 16)) if port else (0,)


def allow_connections() -> None:
    """Let this process have as many connections as it may."""
    if sys.platform == "win32":  # which counts no connections
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
