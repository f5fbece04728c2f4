# SPDX-License-Identifier: MIT
"""Pauses Python's garbage collection while many lasting objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

MANY = 200_000  # objects with others in them, as a scene of ten thousand bodies has
SEVERAL_TIMES = 10


class _Pauses:
    """The number of pauses in all threads, and the state before the first of them."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.count = 0
        self.was_on = False
        self.passed_over = 0  # objects

    def begin(self) -> None:
        with self.lock:
            if self.count == 0:
                self.was_on = gc.isenabled()
                self._search_what_was_passed_over()
                gc.disable()
            self.count += 1

    def end(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0 and self.was_on:
                self._pass_over_many()
                gc.enable()

    def _pass_over_many(self) -> None:
        """Let the next search not go through a large scene at once."""
        made = gc.get_count()[0]
        if made < MANY or gc.get_freeze_count() > 0:
            return
        self.passed_over += made
        gc.freeze()  # what is thawed counts as old
        gc.unfreeze()

    def _search_what_was_passed_over(self) -> None:
        """Collect cycles after several large scenes, before the next one; unused objects would
        never be freed otherwise. Programs that read one scene never wait for this."""
        if self.passed_over > SEVERAL_TIMES * MANY:
            self.passed_over = 0
            if self.was_on:
                gc.collect()


_pauses = _Pauses()


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause the collection of cycles, which would traverse all new objects repeatedly.

    Objects without cycles are freed as usual.
    """
    _pauses.begin()
    try:
        yield
    finally:
        _pauses.end()
