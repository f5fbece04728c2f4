# SPDX-License-Identifier: MIT
"""Recorder: writes the blocks of a run to its outputs.

A run asks the recorder which channels and checkpoints it needs, and feeds it. Nothing here holds
the whole run but a trace, and only when one was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, flag, list_of, named, one_of, optional, text, whole
from ..errors import UsageError
from ..identity import engine_version
from ..scene.inputs import physics_inputs
from ..scene.limits import STEPS
from ..scene.model import Scene
from .channels import Channel, resolve_channels
from .csv import CsvWriter, Layout
from .expect import Checker, Result
from .snapshot import Checkpoint, Snapshot, checkpoint_steps
from .trace import Trace

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a step.

    ``kind``: left_bounds (a body), joint_broken (a joint), contact_begin and contact_end (two
    bodies), sensor_begin and sensor_end (the sensor's body and the visitor), not_finite and
    runaway (a body), body_added and body_removed (by a call or an action), log and sound (the
    text; ``b`` of a sound is a volume below 1), end (how the run ended). ``b`` is empty where there
    is only one.
    """

    step: int
    kind: str
    a: str
    b: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.a} {self.b}".rstrip()


TRACE_ADVICE = "ask for one with Recorder(scene, trace=True)"

LEAVING = ("left_bounds", "not_finite", "runaway")
"""The events of bodies that the engine removes."""


def _tables(value: Any, name: str) -> Any:
    single = isinstance(value, (str, bytes, PathLike))
    return named(value, name) if single else list_of(named)(value, name)


def _checkpoints(value: Any, name: str) -> Any:
    return value if value is True or value is False else list_of(whole())(value, name)


class Recorder:
    """Collects the outputs of a run.

    Args:
        scene: the scene that runs; ``scene.record`` says which channels and how often.
        steps: the number of steps of the run; the scene's own by default.
        trace: keep a Trace in memory.
        csv: write the channels to this file, or these, during the run.
        csv_layout: ``wide`` or ``long``.
        check: check the scene's expectations.
        checkpoints: take a snapshot: True for about ten steps spread over the run, or the steps.
        save_at: after how many steps to keep the world's whole state, in ``state``.

    Attributes:
        ended: the step after which an action or an outcome ended the run, or None.
        outcome: the outcome: win, lose, pass or fail.
        state_hash: the hash of the state at the end of the run; None before.
    """

    @checked(
        scene=one_of(Scene),
        steps=optional(whole(0, STEPS)),
        trace=flag,
        csv=optional(_tables),
        csv_layout=text,
        check=flag,
        checkpoints=_checkpoints,
        save_at=optional(whole(0, STEPS)),
    )
    def __init__(
        self,
        scene: Scene,
        *,
        steps: int | None = None,
        trace: bool = False,
        csv: str | Path | Sequence[str | Path] | None = None,
        csv_layout: Layout | str = "wide",
        check: bool = True,
        checkpoints: bool | Sequence[int] = False,
        save_at: int | None = None,
    ) -> None:
        self.scene = scene
        self.steps = scene.world.steps if steps is None else steps
        self.events: list[Event] = []
        self.warnings: list[str] = []
        self.save_at = save_at
        self.state = b""
        self.ended: int | None = None
        self.outcome = ""
        self.state_hash: int | None = None
        tables = [csv] if isinstance(csv, (str, Path)) else csv or ()
        self._recorded = trace or bool(tables)
        self._names = scene.record.channels if self._recorded else ()
        self._kept = resolve_channels(scene, self._names)
        self._ever = dict.fromkeys(channel.name for channel in self._kept)
        self._checker = Checker(scene, steps=self.steps) if check and scene.expect else None
        self._keep_trace = trace
        self._rows: list[tuple[Int64, Float64, Float64, tuple[str, ...]]] = []
        self._centers: dict[str, tuple[float, float]] = {}
        self._born: dict[str, tuple[int, Any]] = {}
        self._removed: dict[str, int] = {}
        self._looks: list[tuple[int, str, bool | float | None]] = []
        self._shown: dict[str, bool | float] = {}
        if checkpoints is True:
            self.checkpoint_steps = checkpoint_steps(self.steps)
        else:
            self.checkpoint_steps = tuple(sorted(set(checkpoints or ())))
        self._checkpoints: list[Checkpoint] = []
        self._takes_snapshot = checkpoints is not False
        self._began = False
        self._plan()
        self._tables: list[CsvWriter] = []
        try:
            for table in tables:
                self._tables.append(CsvWriter(table, self.channel_names, csv_layout))
        except BaseException:
            self.abort()
            raise

    def _plan(self) -> None:
        """All sampled channels of the run: the recorded ones first, then those for checks."""
        wanted = {channel.name: channel for channel in self._kept}
        checked = resolve_channels(self.scene, self._checker.channels if self._checker else ())
        wanted.update((channel.name, channel) for channel in checked)
        self.channels: tuple[Channel, ...] = tuple(wanted.values())
        column = {name: i for i, name in enumerate(wanted)}
        self._check_columns = [column[channel.name] for channel in checked]

    def follow(self, scene: Scene) -> None:
        """Follow a change of the world's members; ``scene`` has the present ones.

        Channels of all bodies include new bodies from here on. Cells of a body that does not exist
        at the time are NaN.
        """
        if self._names is None:
            self._kept = resolve_channels(scene, None)
            self._ever.update(dict.fromkeys(channel.name for channel in self._kept))
            self._plan()

    def begin(self, scene: Scene, steps: int) -> None:
        """Begin a run. Raises UsageError for a recorder of another scene, or used before."""
        if self._began:
            raise UsageError("the recorder has had a run already; each run needs one of its own")
        wrong = ""
        if scene.hash != self.scene.hash:
            wrong = "the recorder is for another scene, or another version of it"
        elif steps != self.steps:
            wrong = f"the recorder is for {self.steps} steps and the run has {steps}; "
            wrong += "give both the same `steps`"
        if wrong:
            self.abort()
            raise UsageError(wrong)
        self._began = True

    def end(self, step: int, outcome: str) -> None:
        """Record that the run ended before its last step, and its outcome."""
        self.ended = step
        self.outcome = outcome

    def _need_run(self, what: str) -> None:
        if not self._began:
            raise UsageError(
                f"there is no {what} yet: the recorder has had no run; give it to run or simulate"
            )

    @property
    def channel_names(self) -> tuple[str, ...]:
        """The names of the channels that a trace or CSV file gets, so far."""
        return tuple(self._ever)

    @property
    def every(self) -> int:
        """Sampling interval in steps; 0 if nothing is sampled."""
        if self._checker is not None:
            return 1
        return self.scene.record.every if self._recorded else 0

    def add(self, steps: Int64, times: Float64, values: Float64) -> None:
        """Take a block: ``steps``, ``times`` [rows] and ``values`` [rows, channels]."""
        if self._checker is not None:
            self._checker.add(steps, times, values[:, self._check_columns])
        if not self._recorded:
            return
        rows = steps % self.scene.record.every == 0
        kept = values[rows, : len(self._kept)]
        names = tuple(channel.name for channel in self._kept)
        for table in self._tables:
            table.add(times[rows], kept, names)
        if self._keep_trace:
            self._rows.append((steps[rows].copy(), times[rows].copy(), kept.copy(), names))

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Take the state at one of ``checkpoint_steps``."""
        self._checkpoints.append(checkpoint)

    def add_events(self, events: Sequence[Event]) -> None:
        """Record the events."""
        self.events.extend(events)

    def set_centers(self, centers: Callable[[], Mapping[str, tuple[float, float]]]) -> None:
        """Take the bodies' centres of mass, if a trace is kept, for pictures made from it."""
        if self._keep_trace:
            self._centers |= centers()

    def add_births(self, born: Callable[[], Mapping[str, tuple[int, Any]]]) -> None:
        """Record an addition, if there is a trace: the first step with the object, and
        its plain data."""
        if self._keep_trace:
            self._born |= born()

    def add_deaths(self, removed: Mapping[str, int]) -> None:
        """Record a removal: the first step without the object."""
        if self._keep_trace:
            self._removed |= removed

    def add_looks(self, step: int, looks: Callable[[], Mapping[str, bool | float]]) -> None:
        """Record changes of the shown state, if there is a trace; ``step`` is the first
        step with them."""
        if not self._keep_trace:
            return
        now, before = looks(), self._shown
        if now == before:
            return
        changed = [path for path in (*before, *now) if before.get(path) != now.get(path)]
        self._looks += [(step, path, now.get(path)) for path in dict.fromkeys(changed)]
        self._shown = dict(now)

    @checked()
    def close(self) -> None:
        """End the run and finish the files."""
        for table in self._tables:
            table.close()

    @checked()
    def abort(self) -> None:
        """Abort an interrupted run: remove its unfinished files."""
        for table in self._tables:
            table.abort()

    def need_trace(self) -> None:
        """Raise UsageError if there is no trace, before a run that needs one."""
        if not self._keep_trace:
            raise UsageError(f"this recorder keeps no trace; {TRACE_ADVICE}")

    @property
    def trace(self) -> Trace:
        """The trace so far. Raises UsageError if none was requested, or nothing has run."""
        if not self._keep_trace:
            raise UsageError(f"no trace was kept; {TRACE_ADVICE}")
        self._need_run("trace")
        left = {event.a: event.step for event in self.events if event.kind in LEAVING}
        return Trace(
            channels=self.channel_names,
            t=np.concatenate([np.empty(0), *(part[1] for part in self._rows)]),
            steps=np.concatenate([np.empty(0, np.int64), *(part[0] for part in self._rows)]),
            values=self._values(),
            scene_name=self.scene.name,
            scene_hash=self.scene.hash,
            dt=self.scene.world.dt,
            centers=self._centers,
            removed={**left, **self._removed},
            broken={e.a: e.step for e in self.events if e.kind == "joint_broken"},
            events=[(event.step, str(event)) for event in self.events],
            born=self._born,
            looks=self._looks,
            scene=self.scene,
        )

    def _values(self) -> Float64:
        """[rows, channels] all parts stacked, each in its own columns."""
        column = {name: i for i, name in enumerate(self._ever)}
        values = np.full((sum(len(part[1]) for part in self._rows), len(column)), np.nan)
        row = 0
        for _, times, part, names in self._rows:
            values[row : row + len(times), [column[name] for name in names]] = part
            row += len(times)
        return values

    @property
    def results(self) -> list[Result]:
        """Results of the scene's expectations; empty if they were not checked."""
        if self._checker is None:
            return []
        self._need_run("result")
        return self._checker.results(ended=self.ended is not None, outcome=self.outcome)

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot made of the checkpoints. Raises UsageError as ``trace`` does."""
        if not self._takes_snapshot:
            raise UsageError(
                "no snapshot was taken; ask for one with Recorder(scene, checkpoints=True)"
            )
        self._need_run("snapshot")
        return Snapshot(
            engine=engine_version(),
            scene=self.scene.hash,
            name=self.scene.name,
            dt=self.scene.world.dt,
            steps=self.steps,
            checkpoints=tuple(self._checkpoints),
            inputs=physics_inputs(self.scene),
        )
