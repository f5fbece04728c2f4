"""Pauses Python's search for cycles of objects while many are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class _Pauses:
    """How many pauses there are now, in all threads, and what was before the first of them."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.count = 0
        self.was_on = False

    def begin(self) -> None:
        with self.lock:
            if self.count == 0:
                self.was_on = gc.isenabled()
                gc.disable()
            self.count += 1

    def end(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0 and self.was_on:
                if gc.get_freeze_count() == 0:
                    # What was made is old now: the next search need not go through it at once.
                    gc.freeze()
                    gc.unfreeze()
                gc.enable()


_pauses = _Pauses()


@contextmanager
def paused_collector() -> Iterator[None]:
    """Within it no cycles are searched: the search goes through all that was made, ever again.

    What has no cycle is freed as always.
    """
    _pauses.begin()
    try:
        yield
    finally:
        _pauses.end()
