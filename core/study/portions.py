"""Handing out the runs of a study in portions that take about the same time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from .plan import Plan
from .running import Done, Task

MOST = 5_000
"""Runs of one portion."""
GROWTH = 4
"""How many times as many runs the next portion may have: what the first cost is a guess."""
TRIES = 2
"""How often a run is tried alone whose process ended."""


class Portions(Iterator[Task]):
    """Tasks with as many runs as take about ``seconds``, as long as there are any left.

    One whose worker died comes back in single runs, since one of them may be the cause; a run that
    ends its process as often as ``TRIES`` says is given up.
    """

    def __init__(self, plan: Plan, pending: Iterable[int], seconds: float) -> None:
        self.plan = plan
        self.seconds = seconds
        self._pending = deque(pending)
        self._alone: deque[int] = deque()
        self._tried: dict[int, int] = {}
        self._size = 1

    def __next__(self) -> Task:
        if self._alone:
            return self._task([self._alone.popleft()])
        if not self._pending:
            raise StopIteration
        size = min(self._size, len(self._pending))
        return self._task([self._pending.popleft() for _ in range(size)])

    def _task(self, runs: Sequence[int]) -> Task:
        given = tuple((run, self.plan.rows[run]) for run in runs)
        return Task(self.plan.template, self.plan.study, given)

    def learn(self, done: Sequence[Done]) -> None:
        """Take notice of how long runs took."""
        spent = sum(each.seconds for each in done)
        wanted = self.seconds * len(done) / spent if spent > 0.0 else MOST
        self._size = max(1, min(MOST, GROWTH * self._size, int(wanted)))

    def give_back(self, task: Task) -> None:
        """Hand out the runs of a task again that was lost through no fault of theirs."""
        self._pending.extendleft(run for run, _ in reversed(task.runs))

    def died(self, task: Task, why: str) -> list[Done]:
        """Hand out the runs again of a task whose worker died; those that are given up."""
        lost = []
        for run, _ in task.runs:
            if len(task.runs) == 1:
                self._tried[run] = self._tried.get(run, 0) + 1
            if self._tried.get(run, 0) < TRIES:
                self._alone.append(run)
            else:
                nothing = [None] * len(self.plan.study.collect)
                lost.append(Done(run, nothing, "died", why))
        return lost
