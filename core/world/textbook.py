"""The engine of a scene with a textbook solver: shapes, masses and queries are the native engine's,
steps those of ``core/solvers``.

To the world it is an engine as any other. Between steps positions are kept in 64 bits and
velocities in 32, as with the engine's own solvers; what the solver keeps besides is its
``Memory``. No body sleeps.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..scene.model import Scene
from ..scene.values.portable_math import cos, sin
from ..solvers import SOLVERS, Bodies, Joint, Log, Memory, Report, Settings, System
from .detection import Detector
from .external_forces import ExternalForces
from .textbook_joints import SolverJoints
from .textbook_reading import (
    beyond_bounds,
    contact_events,
    contact_rows,
    deformed_corners,
    of_contacts,
    restored_memory,
    saved_memory,
    what_is_wrong,
)
from .textbook_scene import solver_settings

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Rows = NDArray[np.void]

SOLVER_CHANNELS = {"iterations": -1, "residual": -2, "error": -3}
STATE_FORMAT = 2  # of what is saved besides the native engine's state
ENOUGH_ITERATIONS = 1000  # what the error of a solution is measured against (000, part 2)
_NAMES = {code: name for name, (code, _) in _native.CHANNELS.items()}


class TextbookEngine(_native.World):
    """A native world that is stepped by a function of ``SOLVERS``."""

    def __init__(self, scene: Scene, **options: Any) -> None:
        super().__init__(**options)
        self._scene = scene
        self._steps = 0
        self._memory = Memory()
        self._report: Report | None = None
        self._forces = ExternalForces(scene)
        self._touching: set[tuple[int, int]] = set()
        self._tells_contacts = False
        self._events: list[_native.EventRow] = []
        self._error: _native.StepError | None = None
        self._errors: list[_native.StepError] = []
        self._system: System | None = None
        self._driven = np.zeros(0, _native.JOINT)

    # ------------------------------------------------------------ building

    def finish(self) -> None:
        super().finish()
        scene, count = self._scene, len(self._scene.bodies) + 1
        kinds = ["static", *(body.kind for body in scene.bodies.values())]
        self._centers = [(0.0, 0.0), *(self.center_of_mass(i) for i in range(1, count))]
        self._inverse = np.zeros((count, 3))
        mass, inertia = self.mass.tolist(), self.inertia.tolist()
        for i, kind in enumerate(kinds):
            if kind == "dynamic":
                fixed = scene.bodies[[*scene.bodies][i - 1]].fixed_rotation
                turn = 0.0 if fixed or inertia[i] == 0.0 else 1.0 / inertia[i]
                self._inverse[i] = 1.0 / mass[i], 1.0 / mass[i], turn
                self.set_awake(i, True)
        self._kinds = kinds
        self._detector = Detector(scene, self._centers, [kind == "dynamic" for kind in kinds])
        self._joints = SolverJoints.of(scene, self._driven, self._centers, self._bodies())
        self._settings = solver_settings(scene)

    def add_joints(self, rows: Rows) -> int:
        first = super().add_joints(rows)
        self._driven = rows[max(0, len(self._scene.joints) - first) :]
        return first

    def add_forces(self, rows: Rows) -> int:
        return self._forces.add(rows)

    def set_force(self, index: int, x: float, y: float, torque: float, enabled: bool) -> None:
        self._forces.set(index, x, y, torque, enabled)

    def remove_force(self, index: int) -> None:
        self._forces.set(index, 0.0, 0.0, 0.0, False)

    def next_bodies(self, count: int) -> list[int]:
        kind = self._scene.world.solver.kind
        raise ValueError(f"the solver {kind} takes no new bodies while it runs")

    # ------------------------------------------------------------ stepping

    def step(self, steps: int = 1) -> int:
        for done in range(steps):
            if self._error is not None:
                return done
            self._one_step()
        return steps

    def run(self, steps: int, every: int, channels: Int32, out: Float64) -> int:
        row = 0
        for done in range(steps):
            if self._error is not None:
                return done
            self._one_step()
            if self._error is None and self._steps % every == 0:
                out[row] = self.sample(channels)
                row += 1
        return steps

    def _one_step(self) -> None:
        self._system = system = self._task()
        self._memory = system.memory.copy()
        before = replace(system, bodies=system.bodies.copy())
        bodies = system.bodies
        system = replace(system, memory=self._memory)
        try:
            self._report = SOLVERS[self._scene.world.solver.kind](system)
        except (ArithmeticError, ValueError):
            # Numbers that have grown beyond what can be rounded, turned or looked up.
            bodies.V[np.abs(bodies.V).max(axis=1).argmax()] = math.nan
        self._system = before
        self._forces.loads[:] = 0.0
        self._steps += 1
        self._place(bodies)
        self._break_joints(bodies)
        self._note_contacts()
        self._leave_bounds()

    def _task(self) -> System:
        """The next step's task, with bodies of its own."""
        bodies = self._bodies()
        return System(
            bodies,
            lambda outlines: self._detector.find(bodies, self.alive, outlines),
            self._settings,
            self._held(),
            self._detector.outlines() if self._scene.world.solver.kind == "verlet" else (),
            self._memory,
        )

    def _held(self) -> list[Joint]:
        return self._joints.held(super().joint_state()["broken"].tolist())

    def _bodies(self) -> Bodies:
        places = np.stack([self.x, self.y, self.angle], axis=1)
        for i, (cx, cy) in enumerate(self._centers):
            if cx or cy:
                c, s = cos(float(places[i, 2])), sin(float(places[i, 2]))
                places[i, 0] += c * cx - s * cy
                places[i, 1] += s * cx + c * cy
        velocities = np.stack([self.vx, self.vy, self.omega], axis=1).astype(np.float64)
        gone = self.alive == 0
        velocities[gone] = 0.0
        inverse = np.where(gone[:, None], 0.0, self._inverse)
        forces = self._forces.sums(places, velocities, inverse, self._centers, self._steps)
        return Bodies(places, velocities, forces, inverse)

    def _place(self, bodies: Bodies) -> None:
        """Take over where the solver has left the bodies."""
        places, velocities = bodies.X.tolist(), bodies.V.tolist()
        for i, kind in enumerate(self._kinds):
            if kind == "static" or not self.alive[i]:
                continue
            (x, y, angle), (vx, vy, omega) = places[i], velocities[i]
            wrong = what_is_wrong(self._scene, places[i], velocities[i])
            if wrong:
                self._stop(wrong, i, (x, y, vx, vy, omega))
                continue
            c, s = cos(angle), sin(angle)
            cx, cy = self._centers[i]
            super().set_pose(i, x - (c * cx - s * cy), y - (s * cx + c * cy), angle)
            super().set_velocity(i, vx, vy, omega)

    def _stop(self, kind: str, body: int, state: tuple[float, float, float, float, float]) -> None:
        error = (kind, body, self._steps, state)
        self._events.append((self._steps, _native.EVENT_KINDS[kind], body, -1))
        if self._scene.world.on_error == "warn":
            self._errors.append(error)
            self.remove_body(body)
        elif self._error is None:
            self._error = error

    def _break_joints(self, bodies: Bodies) -> None:
        code = _native.EVENT_KINDS["joint_broken"]
        for joint in self._joints.breaking(self.joint_state(), bodies):
            super().remove_joint(joint)
            self._events.append((self._steps, code, joint, -1))

    def _note_contacts(self) -> None:
        if not self._tells_contacts or self._report is None:
            return
        touching = {(contact.a, contact.b) for contact in self._report.contacts}
        self._events += contact_events(self._touching, touching, self._steps)
        self._touching = touching

    def _leave_bounds(self) -> None:
        code = _native.EVENT_KINDS["left_bounds"]
        for i in beyond_bounds(self._scene, self.x, self.y):
            if self._kinds[i] == "dynamic" and self.alive[i]:
                self._events.append((self._steps, code, i, -1))
                self.remove_body(i)

    # ------------------------------------------------------------ what it tells

    @property
    def step_count(self) -> int:
        return self._steps

    @property
    def time(self) -> float:
        return self._steps * self._scene.world.dt

    @property
    def error(self) -> _native.StepError | None:
        return self._error

    @property
    def report(self) -> Report | None:
        """What the last step came to."""
        return self._report

    def take_errors(self) -> list[_native.StepError]:
        errors, self._errors = self._errors, []
        return errors

    def enable_contact_events(self, enabled: bool) -> None:
        self._tells_contacts = enabled

    def take_events(self) -> list[_native.EventRow]:
        events, self._events = self._events, []
        return events

    def contacts(self) -> Rows:
        return contact_rows(self._report, self._settings.inverse_dt)

    def joint_state(self) -> Rows:
        rows = super().joint_state()
        if self._report is not None and self._system is not None:
            held, per_h = self._system.joints, self._settings.inverse_dt
            self._joints.read(rows, held, self._report, per_h)
        return rows

    def corners(self) -> dict[int, tuple[Float64, Float64]]:
        """Of bodies of particles, by their rows in a frame: the corners of their shapes, and where
        these have come to, both in body coordinates."""
        if self._memory.particles is None:
            return {}
        moving = [kind == "dynamic" for kind in self._kinds]
        places = np.stack([self.x, self.y, self.angle], axis=1)
        outlines, now = self._detector.outlines(), self._memory.particles.now
        return deformed_corners(outlines, now, places, self._centers, moving)

    def statistics(self) -> dict[str, float]:
        count = 0 if self._report is None else len(self._report.contacts)
        return super().statistics() | {"contacts": float(count)}

    def sample(self, channels: Int32) -> Float64:
        own = channels[:, 0] < 0
        values = np.zeros(len(channels))
        values[~own] = super().sample(np.ascontiguousarray(channels[~own]))
        contacts: Rows | None = None
        for k, (code, index) in enumerate(channels.tolist()):
            name = _NAMES.get(code, "")
            if code < 0:
                values[k] = self._solver_value(code)
            elif name == "world.time":
                values[k] = self.time
            elif name in ("joint.force", "joint.torque"):
                row = self.joint_state()[index]
                x, y = float(row["force_x"]), float(row["force_y"])
                force = math.sqrt(x * x + y * y)
                values[k] = row["torque"] if name == "joint.torque" else force
            elif name in ("world.contacts", "body.contacts", "body.force"):
                contacts = self.contacts() if contacts is None else contacts
                values[k] = of_contacts(name, contacts, index)
        return values

    def _solver_value(self, code: int) -> float:
        if self._report is None:
            return 0.0
        if code == SOLVER_CHANNELS["iterations"]:
            return float(self._report.iterations)
        if code == SOLVER_CHANNELS["residual"]:
            return self._report.residual
        return self._solution_error()

    def _solution_error(self) -> float:
        """The squared distance of the last step's solution to that of a thousand iterations."""
        if self._report is None or self._system is None:
            return 0.0
        bodies = self._system.bodies.copy()
        task = replace(
            self._system,
            bodies=bodies,
            detect=lambda outlines: self._detector.find(bodies, self.alive, outlines),
            settings=replace(self._settings, iterations=ENOUGH_ITERATIONS),
            memory=self._system.memory.copy(),
        )
        best = SOLVERS[self._scene.world.solver.kind](task).solution
        error = 0.0
        for found, wanted in zip(self._report.solution, best, strict=True):
            error += (found - wanted) * (found - wanted)
        return error

    def try_step(
        self, kind: str, settings: Settings, log: Log, after: int
    ) -> tuple[Bodies, Bodies, Report]:
        """The step that comes after so many, by any solver: bodies before and behind it, and what
        it came to. The world stays as it is."""
        self._steps, steps = after, self._steps
        task = replace(self._task(), settings=settings, memory=self._memory.copy(), log=log)
        self._steps = steps
        before = task.bodies.copy()
        return before, task.bodies, SOLVERS[kind](task)

    # ------------------------------------------------------------ changes by hand

    def set_pose(self, body: int, x: float, y: float, angle: float) -> None:
        super().set_pose(body, x, y, angle)
        self._memory.particles = None

    def set_velocity(self, body: int, vx: float, vy: float, omega: float) -> None:
        super().set_velocity(body, vx, vy, omega)
        self._memory.particles = None

    def set_motor(self, joint: int, target: float, maximum: float) -> None:
        super().set_motor(joint, target, maximum)
        self._joints.set_motor(joint, target, maximum)

    def set_limits(self, joint: int, lower: float, upper: float) -> None:
        super().set_limits(joint, lower, upper)
        self._joints.set_limits(joint, lower, upper)

    def set_spring(self, joint: int, kind: int, first: float, second: float) -> None:
        super().set_spring(joint, kind, first, second)
        self._joints.set_spring(joint, kind, first, second)

    def apply_force(self, body: int, fx: float, fy: float, px: float, py: float) -> None:
        x, y = self._bodies().X[body, :2].tolist()
        self._forces.loads[body] += (fx, fy, (px - x) * fy - (py - y) * fx)

    def apply_torque(self, body: int, torque: float) -> None:
        self._forces.loads[body, 2] += torque

    # ------------------------------------------------------------ saving

    def save(self) -> bytes:
        own = {
            "format": STATE_FORMAT,
            "step": self._steps,
            "memory": saved_memory(self._memory),
            "forces": self._forces.save(),
            "joints": self._joints.save(),
            "touching": sorted(self._touching),
            "tells": self._tells_contacts,
        }
        return json.dumps(own, sort_keys=True).encode() + b"\n" + super().save()

    def restore(self, state: bytes) -> None:
        text, _, native = state.partition(b"\n")
        own = json.loads(text)
        if own.get("format") != STATE_FORMAT:
            raise ValueError("the state was saved by another version of rigid")
        super().restore(native)
        self._steps = own["step"]
        self._memory = restored_memory(own["memory"])
        self._forces.restore(own["forces"])
        self._joints.restore(own["joints"])
        self._touching = {(a, b) for a, b in own["touching"]}
        self._tells_contacts = own["tells"]
        self._report, self._system, self._error = None, None, None

    def fork(self) -> TextbookEngine:
        from .assembly import build_native

        twin = build_native(self._scene)
        assert isinstance(twin, TextbookEngine)
        twin.add_joints(self._driven)
        twin.finish()
        twin.restore(self.save())
        twin._report, twin._system = self._report, self._system
        return twin
