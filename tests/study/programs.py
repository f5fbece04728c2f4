# SPDX-License-Identifier: MIT
"""Programs of dask as forks of a process that has imported them, so that each is there at once."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

IMPORTED = ["distributed.cli.dask_scheduler", "distributed.cli.dask_worker"]
IMPORTED += ["rigid2d.core.study.cluster"]  # what a worker needs for its first task


def start(module: str, options: list[str], folder: Path, log: str) -> BaseProcess:
    """Start a program in a process of its own, which writes to a file of the folder."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    process = context.Process(target=_run, args=(module, options, folder, log), daemon=True)
    process.start()
    return process


def _run(module: str, options: list[str], folder: Path, log: str) -> None:
    os.chdir(folder)
    with Path(log).open("wb") as file:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            os.dup2(file.fileno(), stream.fileno())
    # Who was killed is not waited for long: half a minute otherwise.
    importlib.import_module("dask").config.set({"distributed.comm.timeouts.connect": "2s"})
    importlib.import_module(module).main(options)
