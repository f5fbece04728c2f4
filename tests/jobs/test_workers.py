# SPDX-License-Identifier: MIT
"""Jobs in worker processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from rigid2d.core.jobs import workers
from rigid2d.core.jobs.workers import WorkerDiedError, run_jobs


def square(number: int) -> int:
    if number == 13:
        raise ValueError("thirteen")
    return number * number


def square_or_die(number: int) -> int:
    if number == 13:
        os._exit(7)
    return number * number


def process_of(_number: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("count", [1, 2])
def test_every_job_has_its_outcome(count):
    outcomes = list(run_jobs(square, [1, 2, 3, 4, 5], count))
    assert {outcome.index: outcome.value for outcome in outcomes} == {
        0: 1,
        1: 4,
        2: 9,
        3: 16,
        4: 25,
    }


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_costs_its_own_job_only(count):
    outcomes = {each.index: each for each in run_jobs(square, [2, 13, 3], count)}
    assert isinstance(outcomes[1].error, ValueError)
    assert str(outcomes[1].error) == "thirteen"
    assert (outcomes[0].value, outcomes[2].value) == (4, 9)


def test_a_worker_that_dies_costs_its_own_job_only():
    outcomes = {each.index: each for each in run_jobs(square_or_die, [2, 13, 3, 4, 5], 2)}
    assert isinstance(outcomes[1].error, WorkerDiedError)
    assert "code 7" in str(outcomes[1].error)
    assert [outcomes[i].value for i in (0, 2, 3, 4)] == [4, 9, 16, 25]


@pytest.mark.parametrize(("cores", "elsewhere"), [(1, False), (2, True)])
def test_there_is_a_worker_for_each_core_if_no_number_is_given(monkeypatch, cores, elsewhere):
    monkeypatch.setattr(workers, "cores", lambda: cores)
    processes = {outcome.value for outcome in run_jobs(process_of, [1, 2])}
    assert (os.getpid() not in processes) == elsewhere


def test_no_jobs_need_no_workers():
    assert list(run_jobs(square, [], 4)) == []


HELD = """
import subprocess, sys
from rigid2d.core.jobs.interrupts import inherited_interrupts_held
from multiprocessing import resource_tracker
with inherited_interrupts_held():
    resource_tracker.ensure_running()  # as every start of a process does
    print(subprocess.run([sys.executable, "-c", {show!r}], capture_output=True, text=True).stdout)
"""
SHOW = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"


def test_the_first_worker_too_starts_deaf_to_ctrl_c():
    done = subprocess.run(
        [sys.executable, "-c", HELD.format(show=SHOW)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["True"]
