# SPDX-License-Identifier: MIT
"""A worker that ends in the middle of its work."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

from rigid2d.core.study.chunks import Foreign, do_task
from rigid2d.core.study.running import Done, RunTask


def kill_for_run_7(engine: str, task: RunTask) -> Sequence[Done] | Foreign:
    """Do a task, unless it holds run 7, which ends the process."""
    if any(run == 7 for run, _ in task.runs):
        os.kill(os.getpid(), signal.SIGKILL)
    return do_task(engine, task)


def do_as_another_engine(_engine: str, _task: RunTask) -> Foreign:
    """The answer of a process whose code is not that of the study."""
    return Foreign("0.1.0+changed")
