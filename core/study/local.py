# SPDX-License-Identifier: MIT
"""Runs a study in processes of this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Generic

from ..errors import UsageError
from ..identity import engine_version
from ..jobs.workers import WorkerDiedError, run_jobs
from .chunks import Chunk, Chunks, Foreign, Result, Work, do_task

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
    """Execute runs, ``jobs`` at a time (0: one per core), and yield their results.

    Raises UsageError if a process imports other code than this one.
    """
    portions = Chunks(plan, pending, SECONDS)
    given = _Given(portions)
    engine = engine_version()
    for outcome in run_jobs(partial(do_task, engine), given, jobs):
        task = given.tasks.pop(outcome.index)
        if isinstance(outcome.error, WorkerDiedError):
            yield portions.died(task, str(outcome.error))
        elif outcome.value is None:
            assert outcome.error is not None
            raise outcome.error
        elif isinstance(outcome.value, Foreign):
            raise UsageError(
                f"a process has rigid {outcome.value.engine}, and the runs were begun by {engine}: "
                "its code was changed meanwhile. Finished runs are kept"
            )
        else:
            portions.learn(outcome.value)
            yield outcome.value
