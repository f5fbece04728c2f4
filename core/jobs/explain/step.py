# SPDX-License-Identifier: MIT
"""One step of a solver, tried without changing the world, with all that the solver writes down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arguments import checked, one_of, whole
from ...errors import SimulationError, UsageError, unknown_name
from ...scene import limits
from ...scene.blocks.world.solver_refusals import first_beyond
from ...scene.model import Scene
from ...solvers import Bodies, CrowdedError, Log, Report, Settings
from ...solvers.account import note_rows
from ...solvers.rows import build_rows
from ...world.textbook.engine import TextbookEngine
from ...world.textbook.scene import solver_settings
from ...world.world import build
from .groups import heaps_of

Float64 = NDArray[np.float64]
NOTHING_DONE: dict[str, Any] = {  # by a scene while it runs
    **{name: {} for name in ("animations", "controls", "prototypes", "state", "spawners")},
    **dict.fromkeys(("inputs", "events"), ()),
    "outcome": None,
}


@dataclass(frozen=True, slots=True)
class TriedStep:
    """A step that was tried: the bodies before and after it, and all that the solver wrote down.

    ``note`` says how the step differs from what the engine does; ``engine`` can try it again.
    """

    scene: Scene
    number: int
    kind: str
    settings: Settings
    names: Sequence[str]
    before: Bodies
    after: Bodies
    report: Report
    log: Log
    note: str
    engine: TextbookEngine

    @property
    def scale(self) -> float:
        """By how much a number of the solution is an impulse: dt for forces."""
        return self.settings.dt if "lambda" in self.log.matrices else 1.0

    def sums(self) -> Float64:
        """[k + 1, rows] the impulses, from what the iterations begin with (0) to each one's end."""
        shape = len(self.log.solutions), len(self.log.rows)
        solutions = np.array(self.log.solutions).reshape(shape) * self.scale
        return np.concatenate([self.log.matrices["initial"][None], solutions])

    def bounds(self, row: int) -> tuple[Float64, Float64]:
        """[k + 1] each: between which impulses a row's lies, given those of its normal."""
        sums, bounds = self.sums(), self.log.bounds[row]
        if bounds.normal >= 0:
            high = bounds.friction * np.maximum(0.0, sums[:, bounds.normal])
            return -high, high
        return np.full(len(sums), bounds.low), np.full(len(sums), bounds.high)

    def last_bounds(self) -> tuple[Float64, Float64]:
        """[rows] each: the bounds after the last iteration, in the units of the solution."""
        last, bounds = self.sums()[-1].tolist(), self.log.bounds
        most = [each.friction * max(0.0, last[each.normal]) for each in bounds]
        rows = list(zip(bounds, most, strict=True))
        low = [-high if each.normal >= 0 else each.low for each, high in rows]
        high = [high if each.normal >= 0 else each.high for each, high in rows]
        return np.array(low) / self.scale, np.array(high) / self.scale

    def movable(self) -> list[bool]:
        """[n] whether impulses change a body's velocity."""
        return [any(each) for each in self.before.inverse_mass.tolist()]

    def slot(self, body: str | None) -> int | None:
        """The slot of a body, by which rows are chosen. Raises UsageError for one not there."""
        if body is not None and body not in self.names[1:]:
            raise unknown_name("body", body, self.names[1:])
        return None if body is None else self.names.index(body)

    def again(self, **options: Any) -> TriedStep:
        """The same step, from the same beginning, with other options of the solver."""
        return _tried(self, replace(self.settings, **options))


@checked(scene=one_of(Scene), step=whole(1, limits.STEPS))
def try_step(scene: Scene, step: int) -> TriedStep:
    """Do one step of the scene's solver, and write down its numbers.

    A step of ``sequential_impulse`` is done as the documents' loop does it, from the places and
    velocities that the engine has then, without last step's impulses.
    """
    kind = scene.world.solver.kind
    note = "the loop of the documents, from where the engine is then; it begins with no impulse"
    native, settings = _before(scene, step), solver_settings(scene)
    if scene.world.solver.is_textbook:
        note = ""
    else:
        settings = replace(settings, warm_start=False)
    none = Bodies(*[np.zeros((0, 3))] * 4)
    nothing = Report(0, 0.0, [], [], none.X, none.X, none.X)
    begun = TriedStep(
        scene, step, kind, settings, native.names, none, none, nothing, Log(), note, native
    )
    return _tried(begun, settings)


def _tried(step: TriedStep, settings: Settings) -> TriedStep:
    log = Log()
    try:
        before, after, report = step.engine.try_step(step.kind, settings, log, step.number - 1)
    except CrowdedError as error:
        message = f"has more constraints in step {step.number} than one equation of `{step.kind}`"
        name = step.names[error.body]
        raise SimulationError(f"body {name!r} {message} takes", step.number) from None
    if step.kind == "iterative_impulse":  # has a formula in the place of rows: those of its normals
        rows = build_rows(before, report.contacts, (), replace(settings, position_correction=False))
        rows = rows.take(range(len(report.contacts)))
        note_rows(log, before, rows, (), settings, np.zeros(len(rows)))
        log.matrices["beta"][:] = 0.0
        log.matrices["sum"] = report.impulses[:, 0]
    return replace(step, settings=settings, before=before, after=after, report=report, log=log)


def _before(scene: Scene, step: int) -> TextbookEngine:
    """An engine of textbook solvers, with the bodies as they are before the step."""
    world = build(scene)
    world.step(step - 1)
    if isinstance(world.native, TextbookEngine):
        return world.native
    beyond = first_beyond(scene, "pgs_matrix")
    if beyond:
        raise UsageError(f"{scene.path}: {beyond}; the documents' loop cannot show it")
    then = world.scene  # with who was born, and without what they do
    solver = replace(scene.world.solver, kind="pgs_matrix")
    still = replace(then, world=replace(scene.world, solver=solver), **NOTHING_DONE)
    shown = build(still)
    for name in then.bodies:
        one, two = world[name], shown[name]
        if not one.alive:
            two.remove()
            continue
        two.position, two.angle = one.position, one.angle
        if then.bodies[name].kind != "static":
            two.velocity, two.angular_velocity = one.velocity, one.angular_velocity
    assert isinstance(shown.native, TextbookEngine)
    return shown.native


def rows_of(log: Log, chosen: int | None) -> list[int]:
    """The rows that have to do with the chosen body."""
    count = len(log.rows)
    return [i for i in range(count) if chosen is None or chosen in log.bodies[i]]


@dataclass(slots=True)
class RowHeap:
    """A heap of a step: its bodies, and the places of its rows and contacts."""

    bodies: list[int]
    rows: list[int]
    contacts: list[int]


def heaps(step: TriedStep) -> list[RowHeap]:
    """The heaps of a step: parts of the equation that share nothing."""
    moves, count = step.movable(), len(step.log.bodies)
    touching = [(contact.a, contact.b) for contact in step.report.contacts]
    return [
        RowHeap(
            heap.bodies,
            [k for k in heap.links if k < count],
            [k - count for k in heap.links if k >= count],
        )
        for heap in heaps_of(lambda i: moves[i], [*step.log.bodies, *touching])
    ]
