# SPDX-License-Identifier: MIT
"""Delays Ctrl-C for a moment, between creating a file and registering it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HELD = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def pass_over(_number: int, _frame: FrameType | None) -> None:
    """Handle a signal by doing nothing.

    Where SIG_IGN is set while a signal waits to be handled, Python reports an error.
    """


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay interrupts until the block ends.

    Handlers are replaced rather than signals blocked: another thread, such as one of NumPy's,
    would take a signal that only this one blocks. Handlers run in the main thread only, so that
    in any other there is nothing to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []

    def wait(number: int, _frame: FrameType | None) -> None:
        waiting.append(number)

    before = {number: signal.getsignal(number) for number in HELD}
    try:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, wait)
        yield
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)
        for late in waiting:
            signal.raise_signal(late)


@contextmanager
def inherited_interrupts_held() -> Iterator[None]:
    """Let processes that are started in the block start with SIGINT blocked, where that can be.

    The first of them would bring multiprocessing's own helper along, whose start lets SIGINT
    through again; so that one is started before.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker  # which one process alone has no use for

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def release_inherited_interrupts() -> None:
    """Let SIGINT through in a process that started with it blocked."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
