# SPDX-License-Identifier: MIT
"""Hands out the runs of a study in chunks of about the same time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from ..identity import engine_version
from .sampling import Row

MOST = 5_000
"""Runs of one portion."""
GROWTH = 4
"""How many times as many runs the next portion may have: what the first cost is a guess."""
TRIES = 2
"""How often a run is tried alone whose process ended."""


class Timed(Protocol):
    """The result of a run: ``seconds`` are those that it took."""

    seconds: float


Result = TypeVar("Result", bound=Timed)
Result_co = TypeVar("Result_co", bound=Timed, covariant=True)


class Chunk(Protocol[Result_co]):
    """Some runs: their numbers, and the values of each. It pickles."""

    @property
    def runs(self) -> Sequence[tuple[int, Row]]: ...

    def do(self) -> Sequence[Result_co]: ...


class Work(Protocol[Result_co]):
    """The work to do: the values of each run, runs as a task, and the result of a run that
    was given up."""

    @property
    def rows(self) -> Sequence[Row]: ...

    def task(self, runs: Sequence[tuple[int, Row]]) -> Chunk[Result_co]: ...

    def lost(self, run: int, why: str) -> Result_co: ...


@dataclass(frozen=True, slots=True)
class Foreign:
    """The answer of a worker that has another ``engine``, and so would get other results."""

    engine: str


def do_task(engine: str, task: Chunk[Result]) -> Sequence[Result] | Foreign:
    """Do runs one after another, if this is the ``engine`` that they were planned by."""
    here = engine_version()
    return task.do() if here == engine else Foreign(here)


class Chunks(Iterator[Chunk[Result]], Generic[Result]):
    """Yields tasks with as many runs as take about ``seconds``.

    A task whose worker died is split into single runs, since one may be the cause; a run that
    ends its process ``TRIES`` times is given up.
    """

    def __init__(self, plan: Work[Result], pending: Iterable[int], seconds: float) -> None:
        self.plan = plan
        self.seconds = seconds
        self._pending = deque(pending)
        self._alone: deque[int] = deque()
        self._tried: dict[int, int] = {}
        self._size = 1

    def __next__(self) -> Chunk[Result]:
        if self._alone:
            return self._task([self._alone.popleft()])
        if not self._pending:
            raise StopIteration
        size = min(self._size, len(self._pending))
        return self._task([self._pending.popleft() for _ in range(size)])

    @property
    def left(self) -> bool:
        """Whether there are runs that are not under way."""
        return bool(self._alone or self._pending)

    def _task(self, runs: Sequence[int]) -> Chunk[Result]:
        return self.plan.task([(run, self.plan.rows[run]) for run in runs])

    def learn(self, done: Sequence[Result]) -> None:
        """Update the estimated time of a run."""
        spent = sum(each.seconds for each in done)
        wanted = self.seconds * len(done) / spent if spent > 0.0 else MOST
        self._size = max(1, min(MOST, GROWTH * self._size, int(wanted)))

    def give_back(self, task: Chunk[Result]) -> None:
        """Schedule the runs of a task again that was lost for external reasons."""
        self._pending.extendleft(run for run, _ in reversed(task.runs))

    def died(self, task: Chunk[Result], why: str) -> list[Result]:
        """Schedule the runs of a task whose worker died again; return those given up."""
        lost = []
        for run, _ in task.runs:
            if len(task.runs) == 1:
                self._tried[run] = self._tried.get(run, 0) + 1
            if self._tried.get(run, 0) < TRIES:
                self._alone.append(run)
            else:
                lost.append(self.plan.lost(run, why))
        return lost
