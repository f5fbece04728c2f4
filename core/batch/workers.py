"""A few worker processes that each do one job after another.

A worker that dies (killed, out of memory) costs its own job and no other. On Ctrl-C every job is
interrupted too and gets the time to take its half-written files away.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, Generic, NoReturn, TypeVar

from .interrupts import inherited_interrupts_held, release_inherited_interrupts

Job = TypeVar("Job")
Result = TypeVar("Result")

GRACE = 5.0
"""Seconds that an interrupted worker has to clean up before it is killed."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """What became of one job: ``value``, or ``error`` when it raised or its process died."""

    index: int
    value: Result | None
    error: Exception | None


class WorkerDiedError(Exception):
    """A worker process ended in the middle of a job."""


def cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_jobs(
    function: Callable[[Job], Result], jobs: Sequence[Job], workers: int = 0
) -> Iterator[Outcome[Result]]:
    """Call ``function`` on every job and yield the outcomes as they come, in any order.

    Args:
        function: a module's own function; with more than one worker it runs in other processes,
            and it, its argument and its result must pickle.
        jobs: the arguments.
        workers: how many at a time; 0 takes one per core. One works in this process.
    """
    count = min(workers or cores(), len(jobs))
    if count <= 1:
        for index, job in enumerate(jobs):
            yield _attempt(function, index, job)
        return
    yield from _in_processes(function, jobs, count)


def _attempt(function: Callable[[Job], Result], index: int, job: Job) -> Outcome[Result]:
    try:
        return Outcome(index, function(job), None)
    except Exception as error:
        return Outcome(index, None, error)


# ---------------------------------------------------------------- this side


def _in_processes(
    function: Callable[[Job], Result], jobs: Sequence[Job], count: int
) -> Iterator[Outcome[Result]]:
    context = multiprocessing.get_context("spawn")
    waiting = list(range(len(jobs)))[::-1]
    busy: dict[Connection, tuple[BaseProcess, int]] = {}

    def start() -> tuple[BaseProcess, Connection]:
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, function), daemon=True)
        with inherited_interrupts_held():  # a starting interpreter would die with a traceback
            process.start()
        theirs.close()
        return process, ours

    def give(process: BaseProcess, connection: Connection) -> None:
        index = waiting.pop()
        busy[connection] = process, index
        connection.send((index, jobs[index]))

    idle: list[tuple[BaseProcess, Connection]] = []
    try:
        for _ in range(count):
            give(*start())
        while busy:
            for ready in wait(list(busy)):
                connection: Any = ready
                process, index = busy.pop(connection)
                outcome: Outcome[Result] | None = _receive(connection)
                if outcome is None:
                    process.join()
                    error = WorkerDiedError(f"its process ended with code {process.exitcode}")
                    outcome = Outcome(index, None, error)
                    process, connection = start() if waiting else (process, connection)
                if waiting:
                    give(process, connection)
                else:
                    idle.append((process, connection))
                yield outcome
    finally:
        for connection, (process, _index) in busy.items():
            idle.append((process, connection))
            _interrupt(process)
        _end(idle)


def _receive(connection: Connection) -> Any:
    try:
        return connection.recv()
    except (EOFError, OSError):
        return None


def _interrupt(process: BaseProcess) -> None:
    if process.pid is not None and process.is_alive():
        os.kill(process.pid, signal.SIGINT)


def _end(workers: Sequence[tuple[BaseProcess, Connection]]) -> None:
    for _process, connection in workers:
        connection.close()
    for process, _connection in workers:
        process.join(GRACE)
        if process.is_alive():
            process.kill()
            process.join()


# ---------------------------------------------------------------- the worker's side


def _work(connection: Connection, function: Callable[[Any], Any]) -> None:
    """Do jobs until the other side closes. Ctrl-C ends the job at hand, and the worker.

    It does so before the first job too: the job is in the pipe by then, and would be done in vain.
    """
    try:
        signal.signal(signal.SIGINT, _interrupt_once)
        release_inherited_interrupts()
        while True:
            signal.signal(signal.SIGINT, _interrupt_once)
            index, job = connection.recv()
            outcome = _attempt(function, index, job)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            _send(connection, outcome)
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _interrupt_once(_signal: int, _frame: FrameType | None) -> NoReturn:
    """A terminal's Ctrl-C comes twice, from it and from the parent: the second must not disturb."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _send(connection: Connection, outcome: Outcome[Any]) -> None:
    """Send an outcome; one that cannot be pickled goes as the text of what it was."""
    try:
        connection.send(outcome)
    except (TypeError, AttributeError, ValueError) as error:
        reason = outcome.error if outcome.error is not None else error
        text = f"{type(reason).__name__}: {reason}"
        connection.send(Outcome(outcome.index, None, RuntimeError(text)))
