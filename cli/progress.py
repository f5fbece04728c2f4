# SPDX-License-Identifier: MIT
"""A progress bar on standard error, on terminals only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from .console import is_terminal, shown


class Advance(Protocol):
    """Called with the work done, the whole of it, and a text to show besides."""

    def __call__(self, done: int, total: int, told: str = "") -> None: ...


REDRAW = 0.05
"""Seconds between two looks of the bar: drawing it must not cost what it measures."""


@contextmanager
def progress(label: str, *, quiet: bool = False) -> Iterator[Advance | None]:
    """A bar for the block; None where it would not be seen (a pipe, CI=true, ``quiet``)."""
    if quiet or not is_terminal(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        Remaining(),
        TextColumn("{task.fields[told]}", markup=False),
    )
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
        redirect_stdout=is_terminal(sys.stdout),  # or piped output would be mixed with the bar
    )
    with bar:
        task = bar.add_task(shown(label), total=None, told="")
        last = 0.0

        def advance(done: int, total: int, told: str = "") -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= REDRAW or done == total:
                last = now
                bar.update(task, completed=done, total=total, told=shown(told), refresh=True)

        yield advance
