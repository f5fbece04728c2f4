# SPDX-License-Identifier: MIT
"""Trace: the numbers of a run, kept in memory, by name.

``trace["ball"].x`` is a NumPy array over ``trace.t``. A trace also stores the data of pictures
(centres of mass, removals of bodies, breaks of joints), so that one with every
body's x, y and angle can be drawn without simulating again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, list_of, named, number, one_of, optional, text
from ..errors import UnknownNameError, UsageError, unknown_name
from ..scene.model import Body, Emitter, Joint, Scene
from ..scene.plain import from_plain
from ..scene.readings import plotted
from ..scene.surroundings_model import POOLS
from ..viewers import view
from .channels import BODY_STATE
from .frame import Frame, Passed
from .npz import read_fields, write_fields

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


@dataclass(frozen=True)
class Series:
    """The recorded channels of one owner: ``trace["ball"].x``, ``trace["hinge"].force``.

    Attributes are float64 arrays over ``trace.t``; ``quantities`` lists them.
    """

    name: str
    columns: Mapping[str, Float64]

    @property
    def quantities(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def __getattr__(self, quantity: str) -> Float64:
        if quantity.startswith("__"):
            raise AttributeError(quantity)
        try:
            return self.columns[quantity]
        except KeyError:
            error = unknown_name(f"recorded quantity of {self.name}", quantity, self.columns)
            raise AttributeError(str(error)) from None

    def __getitem__(self, quantity: str) -> Float64:
        if text(quantity, "quantity") not in self.columns:
            raise unknown_name(f"recorded quantity of {self.name}", quantity, self.columns)
        return self.columns[quantity]


@dataclass
class Trace:
    """The record of a run.

    Attributes:
        channels: the channels' names, ``ball.x``.
        t: [rows] scene time.
        steps: [rows] the step after which a row was taken; 0 is the start.
        values: [rows, channels] in scene units; angles in radians, unwrapped.
        scene_name: the scene's name.
        scene_hash: the hash of what its physics depends on.
        dt: the length of a step in scene time.
        centers: each body's centre of mass in its own coordinates, for pictures.
        removed: the first step without each removed body or added joint.
        broken: the step at which a joint broke, for broken joints.
        events: (step, text) of events.
        born: the first step with each added object, and its plain data.
        looks: changes of the shown state: the first step with it, its path, such
            as ``ghost.visible`` or ``world.pools.lake.level``, and its value; None is that of the
            scene.
        scene: the scene of the run; None for a trace that was read from a file.

    The cells of an added body or joint are NaN in the rows before it was added, and after its
    removal.
    """

    channels: tuple[str, ...]
    t: Float64
    steps: Int64
    values: Float64
    scene_name: str = ""
    scene_hash: str = ""
    dt: float = 0.0
    centers: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)
    broken: Mapping[str, int] = field(default_factory=dict)
    events: Sequence[tuple[int, str]] = ()
    born: Mapping[str, tuple[int, Any]] = field(default_factory=dict)
    looks: Sequence[tuple[int, str, bool | float | None]] = ()
    scene: Scene | None = field(default=None, repr=False, compare=False)

    @cached_property
    def _owners(self) -> dict[str, dict[str, int]]:
        owners: dict[str, dict[str, int]] = {}
        for column, channel in enumerate(self.channels):
            prefix, _, quantity = channel.rpartition(".")
            owners.setdefault(prefix, {})[quantity] = column
        return owners

    @checked(name=text)
    def __getitem__(self, name: str) -> Series:
        """The channels of a body, joint, ``world`` or ``body.points.p``.

        Raises UnknownNameError (also a KeyError) when nothing of that name was recorded.
        """
        owner = self._owners.get(name)
        if owner is None and name in self.channels:
            what, _, quantity = name.rpartition(".")
            raise UnknownNameError(
                f"{name!r} is a single channel; write trace[{what!r}].{quantity} or "
                f"trace.channel({name!r})"
            )
        if owner is None:
            raise unknown_name("recorded body or joint", name, self._owners)
        return Series(name, {q: self.values[:, column] for q, column in owner.items()})

    @property
    def world(self) -> Series:
        """The channels of the world: ``trace.world.energy``."""
        return self["world"]

    @property
    def names(self) -> tuple[str, ...]:
        """The owners of the recorded channels, in order."""
        return tuple(self._owners)

    @checked(name=text)
    def channel(self, name: str) -> Float64:
        """One channel by its full name: ``trace.channel("ball.x")``, [rows]."""
        prefix, _, quantity = name.rpartition(".")
        column = self._owners.get(prefix, {}).get(quantity)
        if column is None:
            raise unknown_name("recorded channel", name, self.channels)
        values: Float64 = self.values[:, column]
        return values

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._owners

    def __iter__(self) -> Iterator[str]:
        """The owners' names, as a mapping does."""
        return iter(self._owners)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.t)

    @checked()
    def to_dict(self) -> dict[str, Float64]:
        """``t`` and every channel by its full name, ready for a data frame."""
        return {"t": self.t, **{name: self.values[:, i] for i, name in enumerate(self.channels)}}

    def _columns(self) -> dict[str, NDArray[Any]]:
        """The columns of a table, each contiguous in memory."""
        values = {name: np.ascontiguousarray(column) for name, column in self.to_dict().items()}
        return {"t": values.pop("t"), "step": self.steps, **values}

    @checked()
    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with ``t``, ``step`` and every channel by its full name."""
        from .data_frames import to_pandas

        return to_pandas(self._columns(), self.meta())

    @checked()
    def to_polars(self) -> Any:
        """The same as a ``polars.DataFrame``."""
        from .data_frames import to_polars

        return to_polars(self._columns())

    @checked()
    def to_arrow(self) -> Any:
        """The same as a ``pyarrow.Table``."""
        from .data_frames import to_arrow

        return to_arrow(self._columns(), self.meta())

    @checked()
    def meta(self) -> dict[str, Any]:
        """Non-array data, as plain data."""
        meta = {
            "scene_name": self.scene_name,
            "scene_hash": self.scene_hash,
            "dt": self.dt,
            "centers": {name: list(center) for name, center in self.centers.items()},
            "removed": dict(self.removed),
            "broken": dict(self.broken),
            "events": [list(event) for event in self.events],
        }
        meta |= {"born": dict(self.born)} if self.born else {}
        return meta | ({"looks": [list(look) for look in self.looks]} if self.looks else {})

    @checked(path=named)
    def save(self, path: str) -> None:
        """Write the trace as NPZ; ``Trace.load`` reads it back exactly."""
        write_npz(path, self)

    @checked(path=optional(named), scene=optional(one_of(Scene)))
    def to_html(self, path: str | None = None, *, scene: Scene | None = None) -> str:
        """Return a page that plays the run in any browser, without a network; written to ``path``
        too.

        ``scene`` is the scene of the run if the trace has none, as after ``load``. Raises
        UsageError when it is not known, or when the trace lacks a body's x, y or angle.
        """
        from .atomic import atomic_file

        page: str = view("page of a trace", self, scene)
        if path is not None:
            with atomic_file(path) as file:
                file.write(page.encode())
        return page

    def _repr_html_(self) -> str:
        """The output in a notebook: the run to play, or a table of its channels."""
        html: str = view("notebook of a trace", self)
        return html

    @staticmethod
    @checked(path=named)
    def load(path: str) -> Trace:
        """Read a file of ``save``. Raises UsageError for any other file."""
        return read_npz(path)


@checked(path=named, trace=one_of(Trace))
def write_npz(path: str | Path, trace: Trace) -> None:
    """Write a trace as NPZ, atomically and with deterministic bytes."""
    columns = {name: trace.values[:, i] for i, name in enumerate(trace.channels)}
    write_fields(path, trace.meta(), trace.t, trace.steps, columns)


@checked(path=named)
def read_npz(path: str | Path) -> Trace:
    """Read a trace that ``write_npz`` wrote. Raises UsageError when it is not one."""
    return Trace(**read_fields(path))


@checked(scene=one_of(Scene), trace=one_of(Trace), times=optional(list_of(number)))
def frames_of_trace(
    scene: Scene, trace: Trace, times: Sequence[float] | None = None
) -> Iterator[Frame]:
    """The frames of a recorded run: at ``times`` (scene time, ascending), or at every row.

    Poses between two rows are interpolated. Velocities are zero where they were not recorded, and
    joints carry no forces. Raises UsageError when the trace lacks a body's x, y or angle.
    """
    if scene.hash != trace.scene_hash:
        raise UsageError("the trace was recorded from another scene, or another version of it")
    cast = TraceMembers(scene, trace)
    known = {name: i for i, name in enumerate(trace.channels) if name in scene.readings}
    plots = tuple(name for name in plotted(scene) if name in known)
    last = -1  # the row of the frame before
    looks = sorted(trace.looks, key=lambda look: look[0])
    shown: dict[str, bool | float | None] = {}
    padded = np.concatenate([trace.values, np.zeros((len(trace), 1))], axis=1)
    for time in trace.t if times is None else times:
        row = int(np.searchsorted(trace.t, time, side="right")) - 1
        row = max(0, min(row, len(trace) - 1))
        step = int(trace.steps[row])
        now, columns = cast.at(step)
        while looks and looks[0][0] <= step:
            _, path, value = looks.pop(0)
            shown[path] = value
        state = padded[row][columns]
        if row + 1 < len(trace) and time > trace.t[row]:
            part = (time - trace.t[row]) / (trace.t[row + 1] - trace.t[row])
            later = padded[row + 1][columns][:, :3]
            # What is missing in the next row stay where they were.
            state[:, :3] += np.where(np.isnan(later), 0.0, part * (later - state[:, :3]))
        yield Frame(
            time=float(time),
            step=step,
            pose=np.ascontiguousarray(state[:, :3]),
            velocity=np.ascontiguousarray(state[:, 3:]),
            center=np.array(
                [trace.centers.get(name, (0.0, 0.0)) for name in now.bodies], np.float64
            ).reshape(-1, 2),
            alive=np.array([cast.is_there(name, step) for name in now.bodies], bool),
            awake=np.ones(len(now.bodies), bool),
            joint_broken=np.array(
                [step >= trace.broken.get(name, step + 1) for name in now.joints], bool
            ),
            joint_force=np.zeros((len(now.joints), 3)),
            scene=now,
            values={name: float(trace.values[row, column]) for name, column in known.items()},
            visible=_named(shown, "", ".visible", bool),
            levels=_named(shown, POOLS, ".level", float),
            passed=_passed(trace, plots, range(last + 1, row)) if plots and last >= 0 else None,
        )
        last = row


def _passed(trace: Trace, names: tuple[str, ...], rows: range) -> Passed:
    """Return the values of plots in some rows of a trace."""
    columns = [trace.channels.index(name) for name in names]
    return Passed(names, trace.t[list(rows)], trace.values[list(rows)][:, columns])


Value = TypeVar("Value", bool, float)


def _named(
    looks: Mapping[str, bool | float | None], head: str, tail: str, kind: Callable[[Any], Value]
) -> dict[str, Value]:
    """Settings of objects of one kind, by their names."""
    return {
        path.removeprefix(head).removesuffix(tail): kind(value)
        for path, value in looks.items()
        if path.startswith(head) and path.endswith(tail) and value is not None
    }


class TraceMembers:
    """The members of a recorded world, step by step."""

    def __init__(self, scene: Scene, trace: Trace) -> None:
        self._scene, self._trace = scene, trace
        self._born = {name: (step, from_plain(data)) for name, (step, data) in trace.born.items()}
        changes = {step for step, _ in self._born.values()}
        changes |= {step for name, step in trace.removed.items() if name in self._born}
        self._changes = sorted(changes)
        self._made: dict[int, tuple[Scene, NDArray[np.intp]]] = {}

    def is_there(self, name: str, step: int) -> bool:
        return step < self._trace.removed.get(name, step + 1)

    def at(self, step: int) -> tuple[Scene, NDArray[np.intp]]:
        """The scene with its members at a step, and [bodies, 6] the columns of their states."""
        key = bisect_right(self._changes, step)
        if key not in self._made:
            there = [
                each
                for name, (first, each) in self._born.items()
                if first <= step and self.is_there(name, step)
            ]
            scene = self._scene
            if there:
                bodies = {each.name: each for each in there if isinstance(each, Body)}
                joints = {each.name: each for each in there if isinstance(each, Joint)}
                scene = replace(
                    scene,
                    bodies={**scene.bodies, **bodies},
                    joints={**scene.joints, **joints},
                    particles={**_emitting(there, bodies), **scene.particles},
                )
            self._made = {key: (scene, _state_columns(scene, self._trace))}
        return self._made[key]


def _emitting(there: Iterable[Any], bodies: Mapping[str, Body]) -> dict[str, Emitter]:
    """The added emitters, as long as their bodies exist."""
    emitters = (each for each in there if isinstance(each, Emitter))
    return {each.name: each for each in emitters if bodies.keys() >= {*each.owners}}


def _state_columns(scene: Scene, trace: Trace) -> NDArray[np.intp]:
    """[bodies, 6] the columns of each body's state; a missing velocity is the zero column."""
    zero = len(trace.channels)
    index = {name: column for column, name in enumerate(trace.channels)}
    rows = []
    for body in scene.bodies:
        row = [index.get(f"{body}.{quantity}", zero) for quantity in BODY_STATE]
        if zero in row[:3]:
            raise UsageError(
                f"the trace has no {body}.x, .y and .angle; "
                "a trace to draw from needs every body in record.channels"
            )
        rows.append(row)
    return np.array(rows, dtype=np.intp).reshape(-1, len(BODY_STATE))
