# SPDX-License-Identifier: MIT
"""Runs a study in processes of this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic

from ..jobs.workers import WorkerDiedError, run_jobs
from .chunks import Chunk, Chunks, Result, Work, do_task

SECONDS = 0.3
"""How long a portion takes: what is lost at most when the program is killed."""


class _Given(Iterator[Chunk[Result]], Generic[Result]):
    """Chunks, which are remembered by their numbers while they are under way."""

    def __init__(self, portions: Chunks[Result]) -> None:
        self.portions = portions
        self.tasks: dict[int, Chunk[Result]] = {}
        self._number = 0

    def __next__(self) -> Chunk[Result]:
        task = next(self.portions)
        self.tasks[self._number] = task
        self._number += 1
        return task


def run_here(plan: Work[Result], pending: Iterable[int], jobs: int) -> Iterator[Sequence[Result]]:
    """Execute runs, ``jobs`` at a time (0: one per core), and yield their results."""
    portions = Chunks(plan, pending, SECONDS)
    given = _Given(portions)
    for outcome in run_jobs(do_task, given, jobs):
        task = given.tasks.pop(outcome.index)
        if isinstance(outcome.error, WorkerDiedError):
            yield portions.died(task, str(outcome.error))
        elif outcome.value is None:
            assert outcome.error is not None
            raise outcome.error
        else:
            portions.learn(outcome.value)
            yield outcome.value
