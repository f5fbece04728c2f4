# SPDX-License-Identifier: MIT
"""The engine of a textbook world as built: its members, additions, removals and settings.

Shapes, masses and queries are the native engine's; further data of the solvers are stored by its
slots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...errors import UsageError
from ...scene.basis import Fragment
from ...scene.model import Scene
from ...scene.values.portable_math import cos_and_sin, hypot
from ...solvers import Bodies, Joint, Memory, Report, System
from ...solvers.particles import Corners, begin
from ..building.actuator_rows import NO_FORCES
from ..building.rows import Rows
from ..naming.ids import slot_of
from .bodies import SolverBodies
from .detection import Detector
from .external_forces import ExternalForces
from .joints import SolverJoints, driven_joints
from .memory import carried_over
from .scene import solver_joints, solver_settings

Float64 = NDArray[np.float64]


class TextbookRoom(_native.World):
    """A native world with its bodies, joints and forces as the textbook solvers take them."""

    def __init__(self, scene: Scene, **options: Any) -> None:
        super().__init__(**options)
        self._scene = scene
        self._steps = 0
        self._memory = Memory()
        self._report: Report | None = None
        self._forces = ExternalForces(scene)
        self._settings = solver_settings(scene)
        self._touching: set[tuple[int, int]] = set()
        self._tells_contacts = False
        self._events: list[_native.EventRow] = []
        self._error: _native.StepError | None = None
        self._errors: list[_native.StepError] = []
        self._system: System | None = None
        self._driven = np.zeros(0, _native.JOINT)
        self._who = SolverBodies.of(scene)
        self._joints = SolverJoints()
        self._detector: Detector | None = None
        self._stale = False  # whether others are there than the detector knows
        self._moved: set[int] = set()  # ids of bodies whose particles begin anew
        # Changes of joints by slots since the last step; of those that a script has just made too.
        self._changed: dict[int, list[tuple[str, Sequence[float]]]] = {}
        self._seen: tuple[Detector, NDArray[np.uint8]]  # what the last task was about
        self._departed: set[int] = set()  # slots of bodies that left since the last step began
        self._left: set[int] = set()  # slots of joints that were given to others

    # ------------------------------------------------------------ building

    @property
    def names(self) -> list[str]:
        """The bodies' names by slot; row 0 is the world."""
        return self._who.names

    def finish(self) -> None:
        super().finish()
        self._measure()
        for i, kind in enumerate(self._who.kinds):
            if kind == "dynamic":
                self.set_awake(i, True)
        scene, joints = self._scene, self._scene.joints
        index = {name: i for i, name in enumerate(self._who.names)}
        slots = {name: i for i, name in enumerate(joints)}
        bodies = self._bodies()
        made = solver_joints(scene, joints.values(), index, slots, self._centers, bodies)
        made += driven_joints(self._driven, self._centers, len(made))
        self._joints.take(made, [*joints.values()], range(len(made)), bodies)
        self._look()

    def _measure(self) -> None:
        """Copy the centres of mass, and the inverse masses and inertias."""
        who = self._who
        self._kinds, count = who.kinds, len(who.given)
        self._centers = [(0.0, 0.0), *(self.center_of_mass(i) for i in range(1, count))]
        self._inverse = np.zeros((count, 3))
        mass, inertia = self.mass.tolist(), self.inertia.tolist()
        for i, body in enumerate(who.given):
            if body is not None and body.kind == "dynamic" and self.alive[i]:
                turn = 0.0 if body.fixed_rotation or inertia[i] == 0.0 else 1.0 / inertia[i]
                self._inverse[i] = 1.0 / mass[i], 1.0 / mass[i], turn
        self._forces.grow(count)

    def _look(self) -> None:
        """Find the contacts of the present bodies."""
        broken = super().joint_state()["broken"].tolist()
        who, apart = self._who, self._joints.apart(broken)
        self._detector = Detector(self._scene, who.given, who.ids, apart, self._centers)
        self._stale = False

    def _look_round(self) -> Detector:
        """Return the detector, updated for added, removed and moved bodies since the last step."""
        old = self._detector
        assert old is not None
        if self._stale or self._moved or self._left:
            self._look()
            assert self._detector is not None
            outlines = tuple(self._detector.outlines())
            bodies, dt = self._bodies(), self._settings.dt
            self._memory = carried_over(
                self._memory,
                old,
                self._detector,
                begun=lambda: begin(bodies, Corners(bodies, outlines), dt),
                moved=self._moved,
                gone_joints=self._left,
            )
            self._moved, self._left = set(), set()
        assert self._detector is not None
        return self._detector

    def add_joints(self, rows: Rows) -> int:
        first = super().add_joints(rows)
        self._driven = rows[max(0, len(self._scene.joints) - first) :]
        return first

    def add_forces(self, rows: Rows) -> int:
        return self._forces.add(rows)

    def set_force(self, index: int, x: float, y: float, torque: float, enabled: bool) -> None:
        self._forces.set(index, x, y, torque, enabled)

    def force_state(self, index: int) -> tuple[float, float, float, bool]:
        return self._forces.get(index)

    def remove_force(self, index: int) -> None:
        self._forces.remove(index)

    # ------------------------------------------------------------ births and deaths

    def add_fragment(
        self,
        bodies: Rows,
        shapes: Rows,
        corners: Float64,
        joints: Rows,
        forces: Rows,
        bars: Rows,
        points: Rows,
    ) -> dict[str, list[int]]:
        taken = super().add_fragment(bodies, shapes, corners, joints, forces[:0], bars, points)
        return taken | {"forces": self._forces.put(forces)}

    def add_copies(
        self,
        mould: _native.Mould,
        motions: list[tuple[float, float, float, float, float]],
        joints: Rows | None,
        forces: Rows | None,
    ) -> dict[str, list[int]]:
        none = None if forces is None else forces[:0]
        taken = super().add_copies(mould, motions, joints, none)
        return taken if forces is None else taken | {"forces": self._forces.put(forces)}

    def take_in(
        self,
        fragment: Fragment,
        index: Mapping[str, int],
        driven: Rows,
        taken: Mapping[str, Sequence[int]],
    ) -> None:
        """Add a fragment that the engine has ``taken`` to the solver; ``driven`` [n] of JOINT are
        its actuators that are joints. ``index`` has the slots of its bodies by name."""
        self._who.take(fragment.bodies.values(), taken["bodies"])
        for number in taken["bodies"]:
            if not self.has_body(number):  # a script has removed it already
                self._who.leave(slot_of(number))
        self._measure()
        for number in taken["bodies"]:
            if self._kinds[slot_of(number)] == "dynamic":
                super().set_awake(number, True)
        numbers, bodies = taken["joints"], self._bodies()
        given = fragment.joints
        slots = {name: slot_of(each) for name, each in zip(given, numbers, strict=False)}
        made = solver_joints(self._scene, given.values(), index, slots, self._centers, bodies)
        for i, number in enumerate(numbers[len(given) :]):
            made += driven_joints(driven[i : i + 1], self._centers, slot_of(number))
        self._joints.take(made, [*given.values()], numbers, bodies)
        self._left |= {slot_of(number) for number in numbers}
        self._stale = True

        for number in numbers:
            for name, values in self._changed.get(slot_of(number), ()):
                self._change_joint(name, number, values)

    def add_force(self, row: bytes) -> int:
        """Take a row of FORCE by a native script; return its slot."""
        (place,) = self._forces.put(np.frombuffer(row, NO_FORCES.dtype))
        return place

    def remove_body(self, body: int) -> None:
        super().remove_body(body)
        self._events += self.removed(slot_of(body))

    def removed(self, slot: int) -> list[_native.EventRow]:
        """Take notice of a removed body; return the events of contacts that end so."""
        pairs = sorted(pair for pair in self._touching if slot in pair)
        ended, ids = _native.EVENT_KINDS["contact_end"], self._who.ids
        self._touching.difference_update(pairs)
        self._departed.add(slot)
        self._forces.leave(slot)
        self._who.leave(slot)
        self._kinds = self._who.kinds
        self._stale = True
        return [(self._steps, ended, ids[a], ids[b]) for a, b in pairs]

    def remove_joint(self, joint: int) -> None:
        super().remove_joint(joint)
        self._stale = True

    def break_joint(self, joint: int) -> None:
        super().break_joint(joint)
        self._stale = True

    def _held(self) -> list[Joint]:
        return self._joints.held(super().joint_state()["broken"].tolist())

    def _bodies(self) -> Bodies:
        known = len(self._inverse)  # the engine may have more, which a script has just made
        places = np.stack([self.x, self.y, self.angle], axis=1)[:known]
        for i, (cx, cy) in enumerate(self._centers):
            if cx or cy:
                c, s = cos_and_sin(float(places[i, 2]))
                places[i, 0] += c * cx - s * cy
                places[i, 1] += s * cx + c * cy
        motions = np.stack([self.vx, self.vy, self.omega], axis=1)[:known]
        velocities = motions.astype(np.float64)
        gone = self.alive[:known] == 0
        velocities[gone] = 0.0
        inverse = np.where(gone[:, None], 0.0, self._inverse)
        forces = self._forces.sums(
            self._who.given, places, velocities, inverse, self._centers, self._steps
        )
        return Bodies(places, velocities, forces, inverse)

    # ------------------------------------------------------------ changes from outside

    def set_pose(self, body: int, x: float, y: float, angle: float) -> None:
        super().set_pose(body, x, y, angle)
        self._moved.add(body)

    def set_velocity(self, body: int, vx: float, vy: float, omega: float) -> None:
        super().set_velocity(body, vx, vy, omega)
        self._moved.add(body)

    def apply_impulse(
        self, body: int, jx: float, jy: float, px: float | None = None, py: float | None = None
    ) -> None:
        super().apply_impulse(body, jx, jy, px, py)
        self._moved.add(body)

    def apply_angular_impulse(self, body: int, impulse: float) -> None:
        super().apply_angular_impulse(body, impulse)
        self._moved.add(body)

    def set_body(self, body: int, what: str, value: float) -> None:
        self._who.set(slot_of(body), what, value)
        super().set_body(body, what, value)
        self._stale = True

    def set_gravity(self, x: float, y: float) -> None:
        super().set_gravity(x, y)
        self._forces.gravity = x, y
        self._settings = replace(self._settings, gravity=hypot(x, y))

    def set_motor(self, joint: int, target: float, maximum: float) -> None:
        super().set_motor(joint, target, maximum)
        self._joints.set_motor(joint, target, maximum)

    def motor_state(self, joint: int) -> tuple[float, float]:
        return self._joints.motor(joint)

    def set_limits(self, joint: int, lower: float, upper: float) -> None:
        super().set_limits(joint, lower, upper)
        self._joints.set_limits(joint, lower, upper)

    def set_spring(self, joint: int, kind: int, first: float, second: float) -> None:
        super().set_spring(joint, kind, first, second)
        self._joints.set_spring(joint, kind, first, second)

    def set_joint_target(self, joint: int, x: float, y: float) -> None:
        super().set_joint_target(joint, x, y)
        self._joints.set_target(joint, x, y)

    def apply_force(
        self, body: int, fx: float, fy: float, px: float | None = None, py: float | None = None
    ) -> None:
        slot = slot_of(body)
        x, y = self._bodies().X[slot, :2].tolist()
        px, py = x if px is None else px, y if py is None else py
        self._forces.loads[slot] += (fx, fy, (px - x) * fy - (py - y) * fx)

    def apply_torque(self, body: int, torque: float) -> None:
        self._forces.loads[slot_of(body), 2] += torque

    # ------------------------------------------------------------ changes by a native script

    def _change_joint(self, name: str, joint: int, numbers: Sequence[float]) -> None:
        x, y, z = numbers
        if name == "motor":
            self._joints.set_motor(joint, x, y)
        elif name == "limits":
            self._joints.set_limits(joint, x, y)
        elif name == "spring":
            self._joints.set_spring(joint, int(x), y, z)
        else:
            self._joints.set_target(joint, x, y)

    def change(self, name: str, owner: int, which: str, numbers: Sequence[float]) -> bool:
        """Take notice of a change that a native script makes in the world, as the methods above do;
        return whether the solver knows what it asks for. ``name`` is in ``CHANGES``, ``which`` a
        setting of a body, or not empty for a force that acts."""
        x, y, z = numbers
        if name == "moved":
            self._moved.add(owner)
        elif name == "body":
            try:
                self._who.set(owner, which, x)
            except UsageError:
                return False
            self._stale = True
        elif name == "gravity":
            self._forces.gravity = x, y
            self._settings = replace(self._settings, gravity=hypot(x, y))
        elif name in ("motor", "limits", "spring", "target"):
            self._changed.setdefault(owner, []).append((name, numbers))
            if self._joints.has(owner):
                self._change_joint(name, owner, numbers)
        elif name == "force":
            self._forces.set(owner, x, y, z, bool(which))
        elif name == "force_removed":
            self._forces.remove(owner)
        else:
            self._stale = True
        return True
