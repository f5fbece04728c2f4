# SPDX-License-Identifier: MIT
"""Executes the remaining runs, and stores their results every second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from ..errors import UsageError

FLUSH = 1.0
"""Seconds between two shards, so that their number stays small however many workers there are."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a study: finished runs, all runs, runs that are not ok, and runs that
    were finished before it was continued."""

    done: int
    total: int
    failures: int
    before: int


class Ended(Protocol):
    """The result of a run: ``status`` is ``ok`` if it succeeded."""

    @property
    def status(self) -> str: ...


Run = TypeVar("Run", bound=Ended)
Run_contra = TypeVar("Run_contra", bound=Ended, contravariant=True)


class Keeper(Protocol[Run_contra]):
    """A folder with the results of runs: the finished ones, and the number of those not ok."""

    path: Path
    done: set[int]
    failures: int

    def append(self, done: Sequence[Run_contra]) -> None: ...

    def pending(self) -> Sequence[int]: ...


def go_on(
    store: Keeper[Run],
    total: int,
    portions: Iterator[Sequence[Run]],
    on_progress: Callable[[Progress], None] | None,
    on_kept: Callable[[], None],
) -> None:
    """Put the results of runs into a store as they arrive. Raise UsageError if any are missing.

    ``on_kept`` is called after each addition to the store.
    """
    waiting: list[Run] = []
    before, failures, last = len(store.done), store.failures, time.monotonic()
    try:
        for part in portions:
            waiting += part
            failures += sum(each.status != "ok" for each in part)
            if on_progress is not None:
                on_progress(Progress(len(store.done) + len(waiting), total, failures, before))
            if time.monotonic() - last >= FLUSH:
                store.append(waiting)
                on_kept()
                waiting, last = [], time.monotonic()
    finally:
        store.append(waiting)
    left = len(store.pending())
    if left:
        raise UsageError(
            f"{store.path}: {left} runs are left undone; the same command goes on with them"
        )
