# SPDX-License-Identifier: MIT
"""Joints of a textbook world in the solvers' form, with settings since the start."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import _native
from ...scene import model
from ...scene.plain import part_from_plain, plain, what_is_other
from ...solvers import Bodies, Drive, Joint, Report, Soft
from ...solvers.joints import arms
from ..building.rows import Rows
from ..naming.ids import slot_of
from ..saved import POINT, UnfitError, anything, fixed, listed, need, optional, whole
from .scene import Point, gives, with_spring

_KINDS = {code: name for name, code in _native.JOINT_KINDS.items()}


@dataclass(slots=True)
class SolverJoints:
    """All joints of a world by the engine's slots: the scene's own, then those that are actuators,
    and those that were added.

    Attributes:
        all: joints in the solvers' form; None for a free slot.
        given: the definition of each; None for actuators.
        ids: the engine's.
        gives: inverse effective masses, to which frequencies of springs refer.
    """

    all: list[Joint | None] = field(default_factory=list)
    given: list[model.Joint | None] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    gives: list[tuple[float, float]] = field(default_factory=list)

    def take(
        self, joints: Sequence[Joint], given: Sequence[model.Joint], ids: Sequence[int], at: Bodies
    ) -> None:
        """Take in joints, those of actuators without anything ``given``; the bodies are ``at``
        their places."""
        told: list[model.Joint | None] = [*given, *[None] * (len(joints) - len(given))]
        for joint, said, number in zip(joints, told, ids, strict=True):
            slot = slot_of(number)
            while len(self.all) <= slot:
                self.ids.append(len(self.all))
                self.all.append(None)
                self.given.append(None)
                self.gives.append((0.0, 0.0))
            self.all[slot], self.given[slot], self.ids[slot] = joint, said, number
            self.gives[slot] = gives(joint, at)

    def held(self, broken: Sequence[bool]) -> list[Joint]:
        """The existing joints."""
        return [each for each in self.all if each is not None and not broken[each.number]]

    def apart(self, broken: Sequence[bool]) -> set[frozenset[str]]:
        """The names of the pairs of bodies that do not touch, as a joint holds them."""
        pairs = zip(self.given, broken[: len(self.given)], strict=True)
        return {
            frozenset((joint.body_a, joint.body_b))
            for joint, gone in pairs
            if joint is not None and not gone and not joint.collide
        }

    # ------------------------------------------------------------ settings

    def has(self, slot: int) -> bool:
        """Whether it has a joint in a slot."""
        return slot < len(self.all) and self.all[slot] is not None

    def set_motor(self, joint: int, target: float, most: float) -> None:
        old = self._at(joint)
        if old.drive is not None:
            drive = old.drive._replace(target=target, most=most)
            self.all[slot_of(joint)] = old._replace(drive=drive)

    def motor(self, joint: int) -> tuple[float, float]:
        """The values that ``set_motor`` last set."""
        drive = self._at(joint).drive
        return (0.0, 0.0) if drive is None else (drive.target, drive.most)

    def set_limits(self, joint: int, lower: float, upper: float) -> None:
        self.all[slot_of(joint)] = self._at(joint)._replace(least=lower, most=upper)

    def set_spring(self, joint: int, kind: int, first: float, second: float) -> None:
        by_frequency = kind == _native.SPRING_KINDS["frequency"]
        names = ("frequency", "damping_ratio") if by_frequency else ("stiffness", "damping")
        spring = model.Spring(**dict(zip(names, (first, second), strict=True)))
        slot = slot_of(joint)
        self.all[slot] = with_spring(self._at(joint), spring, *self.gives[slot])

    def set_target(self, joint: int, x: float, y: float) -> None:
        self.all[slot_of(joint)] = self._at(joint)._replace(anchor_a=(x, y))

    def _at(self, joint: int) -> Joint:
        found = self.all[slot_of(joint)]
        assert found is not None
        return found

    SAVED = listed(fixed(optional(listed(anything)), anything, whole(), POINT))

    def save(self) -> list[Any]:
        """All joints as JSON data."""
        rows = zip(self.all, self.given, self.ids, self.gives, strict=True)
        return [[joint, plain(said), number, give] for joint, said, number, give in rows]

    def restored(self, saved: Sequence[Any], native: _native.World) -> SolverJoints:
        """Restores ``save``'s data, of an engine that has them. Raises UnfitError for others."""
        need(len(saved) == native.joint_count, "solver.joints", "are not those of the engine")
        fresh = SolverJoints()
        for slot, (joint, said, number, (first, second)) in enumerate(saved):
            where = f"solver.joints[{slot}]"
            need(slot_of(number) == slot, where, "has another place")
            try:
                fresh.all.append(None if joint is None else _joint_of(joint))
                fresh.given.append(None if said is None else part_from_plain(model.Joint, said))
            except (TypeError, ValueError, RecursionError) as error:
                raise UnfitError(f"{where}: {error}") from None
            made = fresh.all[-1]
            if made is not None:
                count = native.body_count
                right = 0 <= made.a < count and 0 <= made.b < count and made.number == slot
                need(right, where, "is not between bodies that are there")
            fresh.ids.append(number)
            fresh.gives.append((first, second))
        return fresh

    # ------------------------------------------------------------ what they bear

    def read(
        self,
        state: Rows,
        held: Sequence[Joint],
        report: Report,
        inverse_dt: float,
        new: Collection[int],
    ) -> None:
        """Put the forces of a step of the ``held`` joints into ``state`` [n] of JOINT_STATE, but
        not into the slots that were given to ``new`` ones since."""
        for i, joint in enumerate(held):
            if joint.number in new:
                continue
            x, y, torque = (report.joints[i] * inverse_dt).tolist()
            row = state[joint.number]
            row["force_x"], row["force_y"], row["torque"] = x, y, torque
            row["motor_force"] = float(report.motors[i]) * inverse_dt

    def breaking(self, state: Rows, bodies: Bodies) -> list[int]:
        """The ids of the joints beyond their breaking limits, by ``state`` [n] of JOINT_STATE."""
        found = []
        for i, (joint, held) in enumerate(zip(self.given, self.all, strict=True)):
            if joint is None or held is None:
                continue
            row = state[i]
            x, y, torque = float(row["force_x"]), float(row["force_y"]), float(row["torque"])
            push = _push(held, bodies, x, y)
            snaps = math.sqrt(x * x + y * y) > joint.break_force
            snaps |= abs(torque) > joint.break_torque
            snaps |= push > joint.break_push or -push > joint.break_pull
            if snaps and not row["broken"]:
                found.append(self.ids[i])
        return found


def driven_joints(rows: Rows, centers: Sequence[Point], first: int) -> list[Joint]:
    """The actuators that are joints, ``rows`` [n] of JOINT, whose slots begin with ``first``."""
    made = []
    for slot, row in enumerate(rows, start=first):
        b = int(row["body_b"])
        anchor = (row["anchor_bx"] - centers[b][0], row["anchor_by"] - centers[b][1])
        made.append(
            Joint(
                f"actuator of body {b}",
                _KINDS[int(row["kind"])],
                0,
                b,
                (0.0, 0.0),
                (float(anchor[0]), float(anchor[1])),
                drive=Drive(
                    True,
                    float(row["motor_target"]),
                    float(row["motor_max"]),
                    bool(row["motor_side"] == _native.MOTOR_SIDES["forwards"]),
                ),
                axis=(float(row["axis_x"]), float(row["axis_y"])),
                number=slot,
            )
        )
    return made


def _joint_of(saved: Sequence[Any]) -> Joint:
    """A joint of the solvers from JSON. Raises ValueError, or TypeError, for other data."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in zip(Joint._fields, saved, strict=True)
    }
    values["numbers"] = tuple((str(key), float(value)) for key, value in values["numbers"])
    for name in ("soft", "turning", "giving"):
        values[name] = values[name] and Soft(*values[name])
    joint = Joint(**{**values, "drive": values["drive"] and _drive_of(values["drive"])})
    for part, hints in ((joint, _HINTS), (joint.drive, _DRIVE_HINTS)):
        for name, hint in hints.items() if part is not None else ():
            wrong = what_is_other(getattr(part, name), hint, name)
            if wrong:
                raise ValueError(wrong)
    if joint.kind not in _KINDS.values() and not joint.constraint:
        raise ValueError(f"{joint.kind!r} is no kind of joint")
    return joint


def _drive_of(saved: Sequence[Any]) -> Drive:
    drive = Drive(*saved)
    return drive._replace(soft=drive.soft and Soft(*drive.soft))


_POINT, _SOFT = tuple[float, float], tuple[float, float] | None
_HINTS: dict[str, Any] = {
    **dict.fromkeys(("name", "kind", "constraint"), str),
    **dict.fromkeys(("a", "b", "number"), int),
    **dict.fromkeys(("anchor_a", "anchor_b", "axis"), _POINT),
    **dict.fromkeys(("least", "most", "rest", "reference_angle", "most_force"), float),
    **dict.fromkeys(("soft", "turning", "giving"), _SOFT),
}
_DRIVE_HINTS: dict[str, Any] = {
    **dict.fromkeys(("by_speed", "only_pushes", "stops"), bool),
    **dict.fromkeys(("target", "most"), float),
    "soft": _SOFT,
}


def _push(joint: Joint, bodies: Bodies, x: float, y: float) -> float:
    """The component of a force on the second body that pushes the anchors apart."""
    r1, r2 = arms(bodies, joint)
    x1, x2 = bodies.X[joint.a].tolist(), bodies.X[joint.b].tolist()
    dx, dy = x2[0] + r2[0] - x1[0] - r1[0], x2[1] + r2[1] - x1[1] - r1[1]
    length = math.sqrt(dx * dx + dy * dy)
    return (x * dx + y * dy) / length if length > 0.0 else 0.0
