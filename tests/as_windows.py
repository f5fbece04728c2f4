# SPDX-License-Identifier: MIT
"""The ``rigid`` command without what Windows lacks: ``python -m tests.as_windows run scene.yaml``.

The standard library is that of this system and is imported before; afterwards the modules,
functions and constants are gone that rigid has to do without.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib
import multiprocessing.connection
import multiprocessing.context
import multiprocessing.popen_spawn_posix
import multiprocessing.resource_tracker
import os
import select
import selectors
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from types import ModuleType

MODULES = ("fcntl", "termios", "tty", "pty", "resource", "pwd", "grp", "readline")
ATTRIBUTES: dict[ModuleType, tuple[str, ...]] = {
    os: (
        *("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_DIRECTORY", "chown", "fork", "geteuid"),
        *("getegid", "getuid", "getgid", "link", "mkfifo", "sched_getaffinity", "set_blocking"),
        *("sync", "fchmod", "fchown", "lchown", "getpgid", "killpg", "setsid", "pread", "wait3"),
    ),
    signal: (
        *("SIGHUP", "SIGKILL", "SIGALRM", "SIGWINCH", "SIGPIPE", "SIGTSTP", "SIGCHLD", "setitimer"),
        *("sigwait", "siginterrupt"),
    ),
    select: ("poll", "epoll"),
}
USED = (asyncio, concurrent.futures, multiprocessing, selectors, shutil, subprocess, tempfile)
"""Modules that take from the ones above what they have, when they are imported."""


OTHERS = (
    *(
        "numpy",
        "imageio",
        "imageio_ffmpeg",
        "PIL.Image",
        "pydantic",
        "yaml",
        "typer",
        "rich.console",
    ),
    *("rich.progress", "rich.table", "rich.live", "typer.rich_utils", "webbrowser", "platform"),
)
"""Libraries, likewise."""


def strip() -> None:
    """Take away what Windows lacks."""
    for name in OTHERS:
        importlib.import_module(name)
    sysconfig.get_config_vars()
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in ATTRIBUTES.items():
        for name in names:
            vars(module).pop(name, None)
    os.link = _no_links
    signal.set_wakeup_fd = _take_any  # Windows takes a pipe that waits
    sys.platform = "win32"


def _no_links(*_: object, **__: object) -> None:
    raise NotImplementedError("link: follow_symlinks unavailable on this platform")


def _take_any(fd: int, /, *, warn_on_full_buffer: bool = True) -> int:
    return -1


if __name__ == "__main__":
    strip()
    from rigid2d.cli.main import program

    program()
