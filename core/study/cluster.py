# SPDX-License-Identifier: MIT
"""Runs a study on a dask cluster.

A task contains about a second of runs and returns their rows; workers store nothing,
and need no files. Dask reassigns the tasks of a lost worker; the tasks of a lost
scheduler are submitted again, once it or another one is available at its address.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from typing import Any

from ..errors import UsageError
from ..identity import engine_version
from .chunks import Chunk, Chunks, Foreign, do_task
from .plan import StudyPlan
from .running import Done

SECONDS = 1.0
"""How long a task takes."""
AHEAD = 3
"""Tasks under way for each thread of the workers: the next one is there when one is done."""
PATIENCE = 60.0
"""Seconds in which a scheduler that went away has to be back."""
CONNECT = 20.0
TRY = 5.0
"""Seconds of one try to connect."""
WHICH = "__import__('rigid2d.core.identity', fromlist=['']).engine_version()"
"""Asks a worker for its engine; one that has no rigid can read it too, and fails."""
STRANDED = 3
"""Number of times that all workers of a task may end before its runs count as the cause."""
POLL = 0.5
LOOK = 2.0
"""Seconds between two looks at how many workers there are."""
TELL = 5.0
"""Seconds between two words on what is waited for."""
MISSING = (
    "--cluster needs dask's distributed, which is not installed; pip install 'rigid2d[cluster]' "
    "gets it. --jobs does the runs on this machine"
)
_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
_LATE = (TimeoutError, asyncio.TimeoutError)
_LOST = (OSError, RuntimeError, *_LATE, *_CANCELLED)
"""Errors of calls whose scheduler is gone."""


def need_distributed() -> Any:
    """dask's distributed. Raises UsageError where it is missing."""
    try:
        import distributed
    except ImportError:
        raise UsageError(MISSING) from None
    return distributed


def do_portion(engine: str, task: Chunk[Done]) -> tuple[str, Sequence[Done] | Foreign]:
    """Execute runs in a worker of a cluster; its address, and what came of it."""
    return need_distributed().get_worker().address, do_task(engine, task)


def run_on_cluster(
    plan: StudyPlan,
    pending: Iterable[int],
    address: str,
    on_wait: Callable[[str], None] | None = None,
) -> Iterator[Sequence[Done]]:
    """Execute runs on the workers of the scheduler at ``address``; yield their results.

    ``on_wait`` receives the reason of waiting while no run is possible. Raises UsageError if there
    is no scheduler, if it was lost and did not return, and if workers cannot execute runs.
    """
    portions = Chunks(plan, pending, SECONDS)
    with _quiet():
        link = _Link(address, _Telling(on_wait))
        try:
            yield from _work(link, portions)
        finally:
            link.close()


def _work(link: _Link, portions: Chunks[Done]) -> Iterator[Sequence[Done]]:
    under_way: dict[Any, Chunk[Done]] = {}
    stranded: Counter[int] = Counter()
    while under_way or portions.left:
        try:
            while len(under_way) < link.room() and (task := next(portions, None)) is not None:
                try:
                    under_way[link.submit(task)] = task
                except BaseException:
                    portions.give_back(task)
                    raise
            link.wait(list(under_way))
            for future in [each for each in under_way if each.status != "pending"]:
                done = _take(link, future, under_way[future], portions)
                del under_way[future]
                # The workers forget it now. A future is part of a cycle, which Python finds late.
                future.release()
                if done:
                    yield done
            for future in [each for each in under_way if link.has_no_worker(each)]:
                task = under_way.pop(future)
                future.release()
                stranded[task.runs[0][0]] += 1
                if stranded[task.runs[0][0]] < STRANDED:
                    portions.give_back(task)
                else:
                    yield portions.died(task, "the workers that did it ended, each time")
        except _LOST:
            for task in under_way.values():
                portions.give_back(task)
            under_way.clear()
            link.renew()


def _take(link: _Link, future: Any, task: Chunk[Done], portions: Chunks[Done]) -> Sequence[Done]:
    """The result of a task that has ended."""
    if future.status == "finished":
        worker, done = future.result(timeout=PATIENCE)
        if isinstance(done, Foreign):
            portions.give_back(task)
            link.leave_out({worker: _other(done.engine)})
            return []
        found: Sequence[Done] = done
        portions.learn(found)
        return found
    if future.status == "error":
        error = future.exception(timeout=PATIENCE)
        if type(error).__name__ == "KilledWorker":
            return portions.died(task, "the worker that did it ended, each time")
        raise UsageError(
            f"--cluster {link.address}: a worker cannot do the runs: {type(error).__name__}: "
            f"{error}. Workers need the same rigid as this program"
        )
    portions.give_back(task)  # it was lost, with a scheduler or by a cancellation
    return []


def _other(engine: str) -> str:
    return f"it has rigid {engine}, and the study rigid {engine_version()}"


class _Telling:
    """Reports the reason of waiting: immediately when it changes, else every few seconds."""

    def __init__(self, say: Callable[[str], None] | None) -> None:
        self._say = say
        self._said = ""
        self._last = 0.0

    def __call__(self, what: str, more: str = "") -> None:
        now = time.monotonic()
        if self._say is not None and (what != self._said or now - self._last >= TELL):
            self._said, self._last = what, now
            self._say(what + more)


class _Link:
    """The way to a scheduler."""

    def __init__(self, address: str, tell: _Telling) -> None:
        self.address = address
        self._tell = tell
        self._distributed = need_distributed()
        self._client = self._connect(CONNECT)
        self._threads: dict[str, int] = {}
        self._known: set[str] = set()
        self._asked: dict[str, Any] = {}
        self._looked = -LOOK
        self._left_out: dict[str, str] = {}
        self._meant: dict[Any, frozenset[str]] = {}

    def _connect(self, patience: float) -> Any:
        """A client of the scheduler. Raises UsageError where there is none for ``patience`` s."""
        end = time.monotonic() + patience
        while True:
            try:
                self._distributed.comm.get_address_host(self.address)  # a ValueError, if it is none
                return self._distributed.Client(
                    self.address, timeout=min(TRY, patience), set_as_default=False
                )
            except (OSError, *_LATE):
                message = f"--cluster {self.address}: no scheduler answers there"
                left = end - time.monotonic()
            except (ValueError, TypeError) as error:
                message = (
                    f"--cluster {self.address}: is no address such as tcp://host:8786: {error}"
                )
                left = 0.0
            if left <= 0.0:
                raise UsageError(message)
            self._tell(f"{message}; waiting for one", f", {left:.0f} s more")
            time.sleep(min(POLL, left))

    def submit(self, task: Chunk[Done]) -> Any:
        """Have a task done by any worker, or by any that is not left out."""
        meant = frozenset() if len(self._good) == len(self._threads) else frozenset(self._good)
        future = self._client.submit(
            do_portion, engine_version(), task, pure=False, workers=sorted(meant) or None
        )
        if meant:
            self._meant[future.key] = meant
        return future

    def has_no_worker(self, future: Any) -> bool:
        """Whether a task waits for workers that are all gone, although there are others."""
        meant = self._meant.get(future.key)
        if meant is None or future.status != "pending" or meant & self._threads.keys():
            return False
        return bool(self._good)

    def leave_out(self, workers: Mapping[str, str]) -> None:
        """Leave out workers, each for its reason. Raises UsageError when none is left."""
        for worker, reason in workers.items():
            if worker not in self._left_out:
                self._left_out[worker] = reason
                self._tell(f"--cluster {self.address}: worker {worker} is left out: {reason}")
        if self._threads and not self._threads.keys() - self._left_out.keys():
            reason = next(iter(self._left_out.values()))
            raise UsageError(
                f"--cluster {self.address}: no worker can do the runs: {reason}. Workers need the "
                "same rigid as this program"
            )

    def room(self) -> int:
        """Return the allowed number of open tasks; above 0 even without workers."""
        if self._asked or time.monotonic() - self._looked >= LOOK:
            self._look()
        threads = sum(self._threads[worker] for worker in self._good)
        return AHEAD * (threads if self._threads else 1)

    @property
    def _good(self) -> Set[str]:
        return self._threads.keys() - self._left_out.keys() - self._asked.keys()

    def _look(self) -> None:
        """Find new workers, and ask each which engine it has before it is given runs."""
        self._threads = self._client.nthreads()
        self._looked = time.monotonic()
        for worker in self._threads.keys() - self._known:
            self._known.add(worker)
            self._asked[worker] = self._client.submit(
                eval, WHICH, pure=False, workers=[worker], priority=1
            )
        others = {}
        for worker, future in list(self._asked.items()):
            if future.status == "finished":
                engine = future.result(timeout=PATIENCE)
                if engine != engine_version():
                    others[worker] = _other(engine)
            elif future.status == "error":
                error = future.exception(timeout=PATIENCE)
                others[worker] = f"it has no rigid: {type(error).__name__}: {error}"
            elif worker in self._threads:
                continue
            del self._asked[worker]
        self.leave_out(others)
        if not self._threads:
            self._tell(
                f"--cluster {self.address}: waiting for workers, of which there are none; "
                f"`dask worker {self.address} --nthreads 1` starts one"
            )

    def wait(self, futures: list[Any]) -> None:
        """Wait briefly for one of them; raise OSError if the scheduler is lost."""
        if not futures:
            futures = list(self._asked.values())
        with suppress(*_LATE, *_CANCELLED), self._client.as_current():
            self._distributed.wait(futures, timeout=POLL, return_when="FIRST_COMPLETED")
        if self._client.status != "running":
            raise OSError("the scheduler is gone")

    def renew(self) -> None:
        """Find a scheduler again. Raises UsageError when there is none for a while."""
        self.close()
        gone = f"--cluster {self.address}: the scheduler went away"
        self._tell(f"{gone}; waiting for one there")
        try:
            self._client = self._connect(PATIENCE)
        except UsageError:
            raise UsageError(
                f"{gone} and did not come back within {PATIENCE:g} s; what was done is kept, and "
                "the same command goes on"
            ) from None
        self._looked = -LOOK
        self._known.clear()
        self._asked.clear()

    def close(self) -> None:
        with suppress(*_LOST):
            self._client.close(timeout=1.0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the messages of dask and its event loop on events that are reported here."""
    need_distributed()  # which gives its loggers levels and handlers, each its own
    known = logging.root.manager.loggerDict
    names = [name for name in known if name.partition(".")[0] in ("distributed", "tornado")]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was
