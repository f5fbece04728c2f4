# SPDX-License-Identifier: MIT
"""The files of a run as a piece of a tar archive, as webdataset has them: a sample is a name, a
point, and which of its files it is. The same files are the same bytes."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

BLOCK = 512
"""Files in an archive begin at multiples of this."""
END = bytes(2 * BLOCK)
"""The end of an archive."""


def pack(key: str, files: Mapping[str, bytes]) -> bytes:
    """The files of a run, each ``key.name``, without the end of an archive."""
    out = BytesIO()
    for name, data in files.items():
        info = tarfile.TarInfo(f"{key}.{name}")
        info.size = len(data)
        out.write(info.tobuf(tarfile.USTAR_FORMAT))
        out.write(data)
        out.write(bytes(-len(data) % BLOCK))
    return out.getvalue()


def unpack(packed: bytes, key: str = "") -> Iterator[tuple[str, bytes]]:
    """The files again, by their names without the run's; those of a ``key`` only if it is given."""
    with tarfile.open(fileobj=BytesIO(packed + END)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            whose, _, name = member.name.partition(".")
            if file is not None and key in ("", whose):
                yield name, file.read()


def places(path: Path) -> dict[str, tuple[int, int]]:
    """The bytes of an archive in which the files of each run are, by its name.

    Raises tarfile.TarError for something else, and for an archive that is cut off.
    """
    found: dict[str, tuple[int, int]] = {}
    at = 0
    with path.open("rb") as file:
        while True:
            file.seek(at)
            header = file.read(BLOCK)
            if len(header) < BLOCK:
                raise tarfile.ReadError("the archive is cut off")
            if header == bytes(BLOCK):
                return found
            info = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
            end = at + BLOCK + -(-info.size // BLOCK) * BLOCK
            key = info.name.partition(".")[0]
            found[key] = found.get(key, (at, end))[0], end
            at = end
