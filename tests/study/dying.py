# SPDX-License-Identifier: MIT
"""A worker that ends in the middle of its work."""

from __future__ import annotations

import os
import signal

from rigid.core.study.chunks import do_task
from rigid.core.study.running import Done, RunTask


def kill_for_run_7(task: RunTask) -> list[Done]:
    """Do a task, unless it holds run 7, which ends the process."""
    if any(run == 7 for run, _ in task.runs):
        os.kill(os.getpid(), signal.SIGKILL)
    return do_task(task)
