"""Pauses Python's search for cycles of objects while many are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

MANY = 200_000  # objects with others in them, as a scene of ten thousand bodies has
SEVERAL_TIMES = 10


class _Pauses:
    """How many pauses there are now, in all threads, and what was before the first of them."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.count = 0
        self.was_on = False
        self.passed_over = 0  # objects

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
                self._pass_over_many()
                gc.enable()

    def _pass_over_many(self) -> None:
        """Let the next search not go through a large scene at once; but through several, for what
        was passed over and is not used any more would never be found."""
        made = gc.get_count()[0]
        if made < MANY or gc.get_freeze_count() > 0:
            return
        self.passed_over += made
        if self.passed_over > SEVERAL_TIMES * MANY:
            self.passed_over = 0
            gc.collect()
        else:
            gc.freeze()  # what is thawed counts as old
            gc.unfreeze()


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
