# SPDX-License-Identifier: MIT
"""The engine of a scene with a textbook solver: shapes, masses and queries are the native engine's,
steps those of ``core/solvers``.

To the world it is an engine as any other. Between steps positions are kept in 64 bits and
velocities in 32, as with the engine's own solvers; what the solver keeps besides is its
``Memory``. No body sleeps.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...scene.values.portable_math import cos_and_sin, hypot, total
from ...solvers import SOLVERS, Bodies, Contact, CrowdedError, Log, Report, Settings, System
from ..building.assembly import build_native
from ..building.engines import SOLVER_CHANNELS
from ..saved import fixed, flag, listed, need, parsed, record, whole
from .bodies import SolverBodies
from .detection import Detector
from .external_forces import ExternalForces
from .joints import SolverJoints
from .memory import SAVED_MEMORY, restored_memory, saved_memory
from .reading import (
    beyond_bounds,
    contact_events,
    contact_rows,
    deformed_corners,
    of_contacts,
    what_is_wrong,
)
from .room import TextbookRoom

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Rows = NDArray[np.void]

STATE_FORMAT = 4  # of saved data besides the native engine's state
ENOUGH_ITERATIONS = 1000  # what the error of a solution is measured against (000, part 2)
_SAVED = record(
    format=whole(),
    step=whole(),
    memory=SAVED_MEMORY,
    forces=ExternalForces.SAVED,
    bodies=SolverBodies.SAVED,
    joints=SolverJoints.SAVED,
    touching=listed(fixed(whole(), whole())),
    tells=flag,
)
OF_CONTACTS = ("world.contacts", *(f"body.{each}" for each in ("contacts", "force")))
OF_CONTACTS += ("body.normal_force", "body.friction_force")
OF_A_CONTACT = ("x", "y", "normal_x", "normal_y", "normal_impulse")
_NAMES = {code: name for name, (code, _) in _native.CHANNELS.items()}
_OWN = ("world.time", "joint.force", "joint.torque", *OF_CONTACTS)
OWN_CHANNELS = (*SOLVER_CHANNELS.values(), *(_native.CHANNELS[name][0] for name in _OWN))
"""The channels whose values are not the native engine's."""


def find_contacts(
    detector: Detector,
    alive: NDArray[np.uint8],
    bodies: Bodies,
    outlines: Sequence[Float64] | None,
) -> list[Contact]:
    """Find the contacts of a task's bodies, without a reference to the engine."""
    return detector.find(bodies, alive, outlines)


class TextbookEngine(TextbookRoom):
    """A native world that is stepped by a function of ``SOLVERS``."""

    # ------------------------------------------------------------ stepping

    def step(self, steps: int = 1) -> int:
        for done in range(steps):
            if self._error is not None:
                return done
            self._one_step()
        return steps

    def advance(self, steps: int, removals: int) -> int | None:
        done = self.step(steps)
        return None if done == steps and self.removals == removals and not self.error else done

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
        self._departed.clear()
        self._changed.clear()
        self._memory = system.memory.copy()
        before = replace(system, bodies=system.bodies.copy())
        bodies = system.bodies
        system = replace(system, memory=self._memory)
        try:
            self._report = SOLVERS[self._scene.world.solver.kind](system)
        except CrowdedError as error:
            self._error = self._crowd(error, self._steps + 1)
            self._events.append(
                (self._steps + 1, _native.EVENT_KINDS["crowded"], self._error[1], -1)
            )
            self._system, self._report = None, None
            self._steps += 1
            return
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
        detector, bodies = self._look_round(), self._bodies()
        self._seen = detector, self.alive.copy()
        return System(
            bodies,
            partial(find_contacts, *self._seen, bodies),
            self._settings,
            self._held(),
            detector.outlines() if self._scene.world.solver.kind == "verlet" else (),
            self._memory,
        )

    def _place(self, bodies: Bodies) -> None:
        """Take over the poses and velocities computed by the solver."""
        places, velocities, ids = bodies.X.tolist(), bodies.V.tolist(), self._who.ids
        for i, kind in enumerate(self._kinds):
            if kind == "static" or not self.alive[i]:
                continue
            (x, y, angle), (vx, vy, omega) = places[i], velocities[i]
            wrong = what_is_wrong(self._scene, places[i], velocities[i])
            if wrong:
                self._stop(wrong, ids[i], (x, y, vx, vy, omega))
                continue
            c, s = cos_and_sin(angle)
            cx, cy = self._centers[i]
            _native.World.set_pose(
                self, ids[i], x - (c * cx - s * cy), y - (s * cx + c * cy), angle
            )
            _native.World.set_velocity(self, ids[i], vx, vy, omega)

    def _stop(self, kind: str, body: int, state: tuple[float, float, float, float, float]) -> None:
        error = (kind, body, self._steps, state)
        self._events.append((self._steps, _native.EVENT_KINDS[kind], body, -1))
        if self._scene.world.on_error == "warn":
            self._errors.append(error)
            self.remove_body(body)
        elif self._error is None:
            self._error = error

    def _crowd(self, crowded: CrowdedError, step: int) -> _native.StepError:
        slot = crowded.body
        place = float(self.x[slot]), float(self.y[slot])
        velocity = float(self.vx[slot]), float(self.vy[slot]), float(self.omega[slot])
        return "crowded", self._who.ids[slot], step, (*place, *velocity)

    def _break_joints(self, bodies: Bodies) -> None:
        code = _native.EVENT_KINDS["joint_broken"]
        for joint in self._joints.breaking(self.joint_state(), bodies):
            self.break_joint(joint)
            self._events.append((self._steps, code, joint, -1))

    def _note_contacts(self) -> None:
        if not self._tells_contacts or self._report is None:
            return
        pairs = {(contact.a, contact.b) for contact in self._report.contacts}
        touching = {pair for pair in pairs if self._departed.isdisjoint(pair)}
        self._events += contact_events(self._touching, touching, self._who.ids, self._steps)
        self._touching = touching

    def _leave_bounds(self) -> None:
        code = _native.EVENT_KINDS["left_bounds"]
        for i in beyond_bounds(self._scene, self.x, self.y):
            if self._kinds[i] == "dynamic" and self.alive[i]:
                self._events.append((self._steps, code, self._who.ids[i], -1))
                self.remove_body(self._who.ids[i])

    # ------------------------------------------------------------ its events

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
        """The report of the last step."""
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
        rows = contact_rows(self._report, self._settings.inverse_dt)
        gone = [*self._departed]
        return rows[~(np.isin(rows["body_a"], gone) | np.isin(rows["body_b"], gone))]

    def joint_state(self) -> Rows:
        rows = super().joint_state()
        self._read_joints(rows)
        return rows

    def _read_joints(self, rows: Rows) -> None:
        """Put the forces of the last step into rows [joints] of JOINT_STATE."""
        if self._report is not None and self._system is not None:
            inverse_dt = self._settings.inverse_dt
            self._joints.read(rows, self._system.joints, self._report, inverse_dt, self._left)

    def corners(self, rows: NDArray[np.int32]) -> dict[int, tuple[Float64, Float64]]:
        """Of bodies of particles, by their ``rows`` [slots] in a frame: the corners of their
        shapes, and where these have come to, both in body coordinates."""
        if self._memory.particles is None:
            return {}
        detector, alive = self._seen
        moving = [
            kind == "dynamic" and bool(there)
            for kind, there in zip(self._kinds, alive, strict=False)
        ]
        places = np.stack([self.x, self.y, self.angle], axis=1)
        now = self._memory.particles.now
        return deformed_corners(detector.outlines(), now, places, self._centers, moving, rows)

    def statistics(self) -> dict[str, float]:
        count = 0 if self._report is None else len(self._report.contacts)
        return super().statistics() | {"contacts": float(count)}

    def sample(self, channels: Int32) -> Float64:
        own = channels[:, 0] < 0
        values = np.zeros(len(channels))
        values[~own] = super().sample(np.ascontiguousarray(channels[~own]))
        contacts: Rows | None = None
        for k, (code, index) in enumerate(channels.tolist()):
            if code in OWN_CHANNELS:
                if contacts is None and _NAMES.get(code) in OF_CONTACTS:
                    contacts = self.contacts()
                values[k] = self.read(code, index, contacts)
        return values

    def own_channels(self) -> Sequence[int]:
        return OWN_CHANNELS

    def read(self, code: int, index: int, contacts: Rows | None = None) -> float:
        """The value of one of its own channels, without a call of the native engine."""
        name = _NAMES.get(code, "")
        if code < 0:
            return self._solver_value(code)
        if name == "world.time":
            return self.time
        if name in OF_CONTACTS:
            return of_contacts(name, self.contacts() if contacts is None else contacts, index)
        rows = np.zeros(max(index + 1, len(self._joints.all)), _native.JOINT_STATE)
        self._read_joints(rows)
        x, y = float(rows[index]["force_x"]), float(rows[index]["force_y"])
        return float(rows[index]["torque"]) if name == "joint.torque" else math.sqrt(x * x + y * y)

    def touch(self, a: int, b: int) -> list[float]:
        """The mean point and normal of two bodies that touch, from the first to the second, and the
        sum of their impulses; zeros where they touch no longer."""
        rows = self.contacts()
        for one, other, sign in ((a, b, 1.0), (b, a, -1.0)):
            mine = rows[(rows["body_a"] == one) & (rows["body_b"] == other)]
            if count := len(mine):
                x, y, nx, ny, impulse = (total(mine[field].tolist()) for field in OF_A_CONTACT)
                return [x / count, y / count, sign * nx / count, sign * ny / count, impulse]
        return [0.0] * len(OF_A_CONTACT)

    def _solver_value(self, code: int) -> float:
        if self._report is None:
            return 0.0
        if code == SOLVER_CHANNELS["iterations"]:
            return float(self._report.iterations)
        if code == SOLVER_CHANNELS["residual"]:
            return self._report.residual
        return self._solution_error()

    def _solution_error(self) -> float:
        """The squared distance of the last step's solution to that of a thousand iterations, or of
        as many as there are if these are more."""
        if self._report is None or self._system is None:
            return 0.0
        bodies = self._system.bodies.copy()
        enough = max(ENOUGH_ITERATIONS, self._settings.iterations)
        task = replace(
            self._system,
            bodies=bodies,
            detect=partial(find_contacts, *self._seen, bodies),
            settings=replace(self._settings, iterations=enough, stop_below=0.0),
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
        """Try a step of any solver: the bodies before and after it, and its report. The world is
        unchanged."""
        self._steps, steps = after, self._steps
        task = replace(self._task(), settings=settings, memory=self._memory.copy(), log=log)
        self._steps = steps
        before = task.bodies.copy()
        return before, task.bodies, SOLVERS[kind](task)

    # ------------------------------------------------------------ saving

    def save(self) -> bytes:
        self._look_round()
        own = {
            "format": STATE_FORMAT,
            "step": self._steps,
            "memory": saved_memory(self._memory),
            "forces": self._forces.save(),
            "bodies": self._who.save(),
            "joints": self._joints.save(),
            "touching": sorted(self._touching),
            "tells": self._tells_contacts,
        }
        return json.dumps(own, sort_keys=True).encode() + b"\n" + super().save()

    def restore(self, state: bytes) -> None:
        line, _, native = state.partition(b"\n")
        own = parsed(line)
        if not isinstance(own, dict) or own.get("format") != STATE_FORMAT:
            raise ValueError("the state was saved by another version of rigid")
        _SAVED(own, "solver")
        kept, before = dict(vars(self)), super().save()
        try:
            super().restore(native)
            self._take_over(own)
        except BaseException:
            vars(self).clear()
            vars(self).update(kept)
            super().restore(before)
            raise

    def _take_over(self, own: dict[str, Any]) -> None:
        """Take the data of ``save`` besides the native engine's state, which is there already.

        Raises UnfitError if the two do not fit.
        """
        self._steps = own["step"]
        self._who = self._who.restored(own["bodies"], self)
        self._joints = self._joints.restored(own["joints"], self)
        self._forces = self._forces.restored(own["forces"], self.body_count)
        self._settings = replace(self._settings, gravity=hypot(*self._forces.gravity))
        self._moved, self._left, self._departed = set(), set(), set()
        self._measure()
        self._look()
        assert self._detector is not None
        self._seen = self._detector, self.alive.copy()
        corners = len([each for outline in self._detector.outlines() for each in outline.corners])
        self._memory = restored_memory(own["memory"], corners)
        self._touching = {(a, b) for a, b in own["touching"]}
        for pair in self._touching:
            need(max(pair) < len(self._who.ids), "solver.touching", "has a body that is not there")
        self._tells_contacts = own["tells"]
        self._report, self._system, self._error = None, None, None
        self._events, self._errors = [], []

    def fork(self) -> TextbookEngine:
        twin = build_native(self._scene, partial(TextbookEngine, self._scene))
        assert isinstance(twin, TextbookEngine)
        twin.add_joints(self._driven)
        twin.finish()
        twin.restore(self.save())
        twin._report, twin._system = self._report, self._system
        if self._system is not None:
            twin._seen = self._seen
            twin._departed = {*self._departed}
        return twin
