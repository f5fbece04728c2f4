"""The joints of a textbook world: as the solvers take them, with what was set since the start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import _native
from ..scene import model
from ..solvers import Bodies, Drive, Joint, Report, Soft
from ..solvers.joints import arms
from .rows import Rows
from .textbook_scene import Point, solver_joints, with_spring

_KINDS = {code: name for name, code in _native.JOINT_KINDS.items()}


@dataclass(slots=True)
class SolverJoints:
    """All joints of a world in the order of the engine's slots: the scene's own, then those that
    are actuators.

    Attributes:
        starts: the bodies as they are at the start, of which a spring's frequency speaks.
        given: the scene's joints, by slot.
    """

    starts: Bodies
    given: list[model.Joint]
    all: list[Joint] = field(default_factory=list)

    @classmethod
    def of(
        cls, scene: model.Scene, driven: Rows, centers: Sequence[Point], starts: Bodies
    ) -> SolverJoints:
        """``driven`` [n] of JOINT are the actuators."""
        made = cls(starts, list(scene.joints.values()), solver_joints(scene, centers, starts))
        for row in driven:
            b = int(row["body_b"])
            anchor = (row["anchor_bx"] - centers[b][0], row["anchor_by"] - centers[b][1])
            made.all.append(
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
                        bool(row["motor_never_brakes"]),
                    ),
                    axis=(float(row["axis_x"]), float(row["axis_y"])),
                    number=len(made.all),
                )
            )
        return made

    def held(self, broken: Sequence[bool]) -> list[Joint]:
        return [each for each in self.all if not broken[each.number]]

    # ------------------------------------------------------------ settings

    def set_motor(self, joint: int, target: float, most: float) -> None:
        old = self.all[joint]
        if old.drive is not None:
            drive = old.drive._replace(target=target, most=most)
            self.all[joint] = old._replace(drive=drive)

    def set_limits(self, joint: int, lower: float, upper: float) -> None:
        self.all[joint] = self.all[joint]._replace(least=lower, most=upper)

    def set_spring(self, joint: int, kind: int, first: float, second: float) -> None:
        by_frequency = kind == _native.SPRING_KINDS["frequency"]
        names = ("frequency", "damping_ratio") if by_frequency else ("stiffness", "damping")
        spring = model.Spring(**dict(zip(names, (first, second), strict=True)))
        self.all[joint] = with_spring(self.all[joint], spring, self.starts)

    def save(self) -> list[Any]:
        """What can be set of each, as JSON has it."""
        return [[each.least, each.most, each.soft, each.turning, each.drive] for each in self.all]

    def restore(self, saved: Sequence[Any]) -> None:
        for i, (least, most, soft, turning, drive) in enumerate(saved):
            self.all[i] = self.all[i]._replace(
                least=least,
                most=most,
                soft=soft and Soft(*soft),
                turning=turning and Soft(*turning),
                drive=drive and _drive_of(drive),
            )

    # ------------------------------------------------------------ what they bear

    def read(self, state: Rows, held: Sequence[Joint], report: Report, inverse_dt: float) -> None:
        """Put the forces of a step of the ``held`` joints into ``state`` [n] of JOINT_STATE."""
        for i, joint in enumerate(held):
            x, y, torque = (report.joints[i] * inverse_dt).tolist()
            row = state[joint.number]
            row["force_x"], row["force_y"], row["torque"] = x, y, torque
            row["motor_force"] = float(report.motors[i]) * inverse_dt

    def breaking(self, state: Rows, bodies: Bodies) -> list[int]:
        """Which of the scene's joints bear more than they can, by ``state`` [n] of JOINT_STATE."""
        found = []
        for i, joint in enumerate(self.given):
            row = state[i]
            x, y, torque = float(row["force_x"]), float(row["force_y"]), float(row["torque"])
            push = _push(self.all[i], bodies, x, y)
            snaps = math.sqrt(x * x + y * y) > joint.break_force
            snaps |= abs(torque) > joint.break_torque
            snaps |= push > joint.break_push or -push > joint.break_pull
            if snaps and not row["broken"]:
                found.append(i)
        return found


def _drive_of(saved: Sequence[Any]) -> Drive:
    drive = Drive(*saved)
    return drive._replace(soft=drive.soft and Soft(*drive.soft))


def _push(joint: Joint, bodies: Bodies, x: float, y: float) -> float:
    """How hard a force on the second body pushes the two anchors apart."""
    r1, r2 = arms(bodies, joint)
    x1, x2 = bodies.X[joint.a].tolist(), bodies.X[joint.b].tolist()
    dx, dy = x2[0] + r2[0] - x1[0] - r1[0], x2[1] + r2[1] - x1[1] - r1[1]
    length = math.sqrt(dx * dx + dy * dy)
    return (x * dx + y * dy) / length if length > 0.0 else 0.0
