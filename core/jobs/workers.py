# SPDX-License-Identifier: MIT
"""A few worker processes that each do one job after another.

A worker that dies (killed, out of memory) costs its own job and no other. If the program is
interrupted every job is interrupted too, and has a moment to tidy up.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from ..errors import UsageError
from ..unfinished import add_helper, remove_helper
from .interrupts import (
    inherited_interrupts_held,
    interrupts_held,
    pass_over,
    release_inherited_interrupts,
)

if TYPE_CHECKING:
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection as Connection
    else:
        from multiprocessing.connection import Connection

Job = TypeVar("Job")
Result = TypeVar("Result")

GRACE = 0.15
"""Seconds that interrupted workers have to tidy up before they are killed. What they leave then
lies in folders that this side takes away, or ends as its input ends."""
READY = "ready"
"""The first message of a worker, when the program's module is imported."""
UNGUARDED = (
    "a process for the jobs ended while it imported this program; its message is above. A script "
    "that does jobs in several processes begins them under `if __name__ == '__main__':`, since "
    "each process imports the script first"
)


@dataclass(frozen=True, slots=True)
class JobOutcome(Generic[Result]):
    """The result of one job: ``value``, or ``error`` when it raised or its process died."""

    index: int
    value: Result | None
    error: Exception | None


class WorkerDiedError(Exception):
    """A worker process ended in the middle of a job."""


def cores() -> int:
    """Number of processor cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_jobs(
    function: Callable[[Job], Result], jobs: Iterable[Job], workers: int = 0
) -> Iterator[JobOutcome[Result]]:
    """Call ``function`` on every job and yield the outcomes in the order of their completion.

    Args:
        function: a module's own function; with more than one worker it runs in other processes,
            and it, its argument and its result must pickle.
        jobs: the arguments, numbered in their order for the outcomes. The next one is taken when a
            worker is free, so that it may depend on earlier outcomes; an exhausted iterator is
            tried again after each outcome.
        workers: jobs at a time; 0 takes one per core. A single worker runs in this process.

    Raises UsageError if a worker cannot import the program, as where a script starts the jobs
    without a guard.
    """
    count = workers or cores()
    if isinstance(jobs, Sized):
        count = min(count, len(jobs))
    if count <= 1:
        for index, job in enumerate(jobs):
            yield _attempt(function, index, job)
        return
    yield from _in_processes(function, jobs, count)


def _attempt(function: Callable[[Job], Result], index: int, job: Job) -> JobOutcome[Result]:
    try:
        return JobOutcome(index, function(job), None)
    except Exception as error:
        return JobOutcome(index, None, error)


# ---------------------------------------------------------------- this side


def _in_processes(
    function: Callable[[Job], Result], jobs: Iterable[Job], count: int
) -> Iterator[JobOutcome[Result]]:
    context = multiprocessing.get_context("spawn")
    waiting = enumerate(jobs)
    workers: dict[Connection, BaseProcess] = {}
    busy: dict[Connection, int] = {}
    idle: list[Connection] = []
    ready_ones: set[Connection] = set()

    def start() -> Connection:
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, function), daemon=True)
        # Held here, no process is started without being known; held there, none dies while its
        # interpreter starts, which it would report in a traceback.
        with interrupts_held(), inherited_interrupts_held():
            process.start()
            workers[ours] = process
            if process.pid is not None:
                add_helper(process.pid)
        theirs.close()
        return ours

    def give() -> None:
        """Give jobs to all free workers."""
        while len(busy) < count and (following := next(waiting, None)) is not None:
            connection = idle.pop() if idle else start()
            busy[connection] = following[0]
            with suppress(OSError):  # it has died already, which is heard next
                connection.send(following)

    try:
        give()
        while busy:
            for ready in wait(list(busy)):
                connection: Any = ready
                received: Any = _receive(connection)
                if received == READY:
                    ready_ones.add(connection)
                    continue
                index = busy.pop(connection)
                outcome: JobOutcome[Result] | None = received
                if outcome is None:
                    process = workers.pop(connection)
                    _join(process)
                    if process.exitcode == 1 and connection not in ready_ones:
                        raise UsageError(UNGUARDED)
                    error = WorkerDiedError(f"its process ended with code {process.exitcode}")
                    outcome = JobOutcome(index, None, error)
                else:
                    idle.append(connection)
                give()
                yield outcome
            give()
        for connection in workers:  # nothing is left to do, and each ends when it hears of that
            connection.close()
        for process in workers.values():
            _join(process)
        workers.clear()
    finally:
        _end(workers)


def _receive(connection: Connection) -> Any:
    try:
        return connection.recv()
    except (EOFError, OSError):
        return None


def _join(process: BaseProcess) -> None:
    process.join()
    if process.pid is not None:
        remove_helper(process.pid)


def _end(workers: Mapping[Connection, BaseProcess]) -> None:
    """Interrupt workers, and kill those that have not ended soon."""
    for process in workers.values():
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, signal.SIGINT)  # on Windows it ends at once
    end = time.monotonic() + GRACE
    for connection, process in workers.items():
        connection.close()
        process.join(max(0.0, end - time.monotonic()))
        if process.is_alive():
            process.kill()
        _join(process)


# ---------------------------------------------------------------- the worker's side


def _work(connection: Connection, function: Callable[[Any], Any]) -> None:
    """Do jobs until the other side closes. Ctrl-C ends the job at hand, and the worker."""
    try:
        signal.signal(signal.SIGINT, _end_at_once)
        sys.unraisablehook = _tell_unless_interrupted
        release_inherited_interrupts()
        connection.send(READY)
        while True:
            index, job = connection.recv()
            signal.signal(signal.SIGINT, _interrupt_once)
            outcome = _attempt(function, index, job)
            signal.signal(signal.SIGINT, _end_at_once)
            _send(connection, outcome)
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _end_at_once(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Between jobs there is nothing to clean up, and no handler of an exception in an import."""
    os._exit(128 + signal.SIGINT)


def _interrupt_once(_signal: int, _frame: FrameType | None) -> NoReturn:
    """A terminal's Ctrl-C comes twice, from it and from the parent: the second must not disturb."""
    signal.signal(signal.SIGINT, pass_over)
    raise KeyboardInterrupt


def _tell_unless_interrupted(lost: Any) -> None:
    """An interrupt that no caller could get, as in a finalizer, is not reported."""
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def _send(connection: Connection, outcome: JobOutcome[Any]) -> None:
    """Send an outcome; one that cannot be pickled is sent as text."""
    try:
        connection.send(outcome)
    except (TypeError, AttributeError, ValueError) as error:
        reason = outcome.error if outcome.error is not None else error
        text = f"{type(reason).__name__}: {reason}"
        connection.send(JobOutcome(outcome.index, None, RuntimeError(text)))
