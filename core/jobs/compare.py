# SPDX-License-Identifier: MIT
"""Compares solvers on one scene by numbers that a reader can verify."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, one_of, optional, texts, whole
from ..errors import RigidError, SimulationError, UsageError, unknown_name
from ..record import Frame
from ..record.channels import Channel, resolve_channels
from ..scene import limits
from ..scene.blocks.joints.types import JOINT_TYPES
from ..scene.blocks.world.solver import KINDS, OF_OPTION, OF_VALUE, as_solver, kinds_of
from ..scene.blocks.world.solver_refusals import first_beyond
from ..scene.hashing import identified
from ..scene.model import Scene, Solver
from ..scene.values.expression import Expression, compile_expression
from ..scene.values.expression_parts import ExpressionError
from ..solvers import Log
from ..world.moments import ChannelReader
from ..world.textbook.engine import TextbookEngine
from ..world.textbook.scene import solver_settings
from ..world.world import World, build

Float64 = NDArray[np.float64]
Progress = Callable[[int, int], None]

REST_SPEED = 0.02  # length units, or radians, a second: what is slower rests
ENOUGH = 1000  # iterations that a solution is measured against (000, part 2)
SHOWN = 100  # iterations in charts of convergence, unless a scene has more
COLUMNS = (
    "variant",
    "rest time",
    "energy gain",
    "energy at end",
    "penetration mean",
    "penetration max",
    "joint error",
    "residual",
    "ms a step",
)


@dataclass(frozen=True, slots=True)
class SolverVariant:
    """A solver with its options, and how it is called."""

    label: str
    solver: Solver


@dataclass(slots=True)
class VariantOutcome:
    """The run of a variant. Rows of arrays are steps, from the start (0) on; units are the scene's.

    Attributes:
        times, energy, penetration: [steps + 1] the total energy, with that of springs and
            fields, and the deepest overlap.
        residual: [steps + 1] of textbook solvers, otherwise not a number.
        overlaps: the mean depth of all points in touch at all steps.
        rest: the time after which nothing moves any more; infinite when it never comes.
        joint_error: by how much anchors were apart, or lengths wrong, at most.
        step_ms: the median time of a step; it hangs on the machine.
        convergence: the squared distance of the next step's solution, begun without impulses, after
            each iteration to that of a thousand; empty where a solver does not tell.
        frame: the end, to be drawn.
        stopped: why the run stopped early.
        channels: [steps + 1] those that were asked for, by name.
    """

    variant: SolverVariant
    scene: Scene
    times: Float64
    energy: Float64
    penetration: Float64
    residual: Float64
    overlaps: float
    rest: float
    joint_error: float
    step_ms: float
    convergence: list[float]
    frame: Frame
    stopped: str = ""
    channels: Mapping[str, Float64] = field(default_factory=dict)


def read_sweep(text: str) -> tuple[str, list[object]]:
    """``iterations=5,10,20`` as the option and its values. Raises UsageError."""
    name, equals, values = text.partition("=")
    if not equals or not values:
        raise UsageError(f"--sweep: write an option and its values, iterations=5,10, not {text!r}")
    if name not in OF_OPTION:
        raise unknown_name("option of a solver", name, OF_OPTION)
    found: list[object] = []
    default = getattr(Solver(), name)
    for value in values.split(","):
        found.append(_read(name, value.strip(), default))
    return name, found


def _read(name: str, value: str, default: object) -> object:
    from ..scene import loads

    kind = OF_VALUE.get((name, value), OF_OPTION[name])[0]
    words = f"rigid: 1\nworld: {{solver: {{type: {kind}, {name}: {value}}}}}\n"
    try:
        scene = loads(words + "bodies: {a: {shape: {box: [1, 1]}}}\n")
    except RigidError as error:
        raise UsageError(f"--sweep: {name}: {value!r} is no value of it ({error})") from None
    return getattr(scene.world.solver, name)


def _word(value: object) -> str:
    """A value as a scene has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@checked(scene=one_of(Scene), solvers=texts, sweep=optional(texts))
def variants(
    scene: Scene, solvers: Sequence[str], sweep: Sequence[str] | None = None
) -> list[SolverVariant]:
    """Every solver with every value of the swept options that it has.

    Raises UsageError for solvers that do not exist, or that cannot do what the scene asks for.
    """
    found: list[SolverVariant] = []
    sweeps = [read_sweep(each) for each in sweep or ()]
    for kind in solvers or (scene.world.solver.kind,):
        if kind not in KINDS:
            raise unknown_name("solver", kind, dict.fromkeys(KINDS))
        beyond = first_beyond(scene, kind)
        if beyond:
            raise UsageError(f"{scene.path}: {beyond}")
        choices: list[dict[str, object]] = [{}]
        for name, values in sweeps:
            known = [each for each in values if kind in kinds_of(name, each)]
            if known:
                choices = [{**each, name: value} for each in choices for value in known]
        for choice in choices:
            label = " ".join([kind, *(f"{name}={_word(value)}" for name, value in choice.items())])
            found.append(SolverVariant(label, as_solver(scene.world.solver, kind, choice)))
    return found


def read_formula(scene: Scene, text: str) -> tuple[str, Expression]:
    """``ball.x=3*cos(2*t)`` as the channel and the formula. Raises UsageError."""
    name, equals, source = text.partition("=")
    if not equals or not source.strip():
        raise UsageError(f"--curve: write a channel and a formula, ball.x=3*cos(2*t), not {text!r}")
    (channel,) = resolve_channels(scene, [name.strip()])
    try:
        formula = compile_expression(source)
    except ExpressionError as error:
        raise UsageError(f"--curve: {channel.name}: {error.message}") from None
    for other in sorted(formula.names - {"t", *scene.vars}):
        raise UsageError(
            f"--curve: {channel.name}: a formula has t and the vars of the scene, not {other!r}"
        )
    formula_values(scene, formula, [0.0])
    return channel.name, formula


def formula_values(scene: Scene, formula: Expression, times: Sequence[float]) -> list[float]:
    """The values of a formula at these times. Raises UsageError where it has none."""
    found = []
    for time in times:
        try:
            found.append(float(formula.evaluate({**scene.vars, "t": time})))
        except ExpressionError as error:
            message = f"{error.message} at t = {time:g}"
            raise UsageError(f"--curve: {formula.source}: {message}") from None
    return found


@checked(
    scene=one_of(Scene),
    variant=one_of(SolverVariant),
    steps=optional(whole(1, limits.STEPS)),
    channels=texts,
)
def run_variant(
    scene: Scene,
    variant: SolverVariant,
    *,
    steps: int | None = None,
    channels: Sequence[str] = (),
    on_progress: Progress | None = None,
) -> VariantOutcome:
    """Run a scene with one solver, step by step, and keep these channels of it."""
    scene = identified(replace(scene, world=replace(scene.world, solver=variant.solver)))
    world = build(scene)
    total = scene.world.steps if steps is None else steps
    meter = _Meter(world, resolve_channels(scene, channels))
    stopped, spent = "", []
    for step in range(total):
        began = perf_counter()
        try:
            world.step()
        except SimulationError as error:
            stopped = str(error)
            break
        spent.append(perf_counter() - began)
        meter.look()
        if on_progress is not None:
            on_progress(step + 1, total)
    return meter.outcome(variant, sorted(spent), stopped)


class _Meter:
    """Reads a world after each step."""

    def __init__(self, world: World, channels: Sequence[Channel]) -> None:
        self.world = world
        self.names = [channel.name for channel in channels]
        self.reader = ChannelReader(world, channels)
        total = resolve_channels(world.scene, ["world.total_energy"])
        self.energy = ChannelReader(world, total)
        self.samples: list[Float64] = []
        self.rows: list[tuple[float, float, float, float]] = []
        self.depth_sum, self.depth_count = 0.0, 0
        self.joint_error, self.moved_at = 0.0, -1.0
        second = world.scene.units.time_per_second
        self.slow = REST_SPEED * world.scene.world.length_unit / second
        self.slow_turn = REST_SPEED / second
        self.look()

    def look(self) -> None:
        world = self.world
        depths = [max(0.0, -contact.separation) for contact in world.query.contacts()]
        for depth in depths:
            self.depth_sum += depth
        self.depth_count += len(depths)
        (energy,) = self.energy.read(world).tolist()
        report = getattr(world.native, "report", None)
        residual = math.nan if report is None else report.residual
        self.rows.append((world.time, energy, max(depths, default=0.0), residual))
        self.samples.append(self.reader.read(world))
        bodies = world.bodies
        speed = np.sqrt(bodies.vx * bodies.vx + bodies.vy * bodies.vy).max()
        if speed > self.slow or np.abs(bodies.omega).max() > self.slow_turn:
            self.moved_at = world.time
        self.joint_error = max(self.joint_error, _joint_error(world))

    def outcome(
        self, variant: SolverVariant, spent: Sequence[float], stopped: str
    ) -> VariantOutcome:
        times, energy, penetration, residual = np.array(self.rows).T
        dt = self.world.scene.world.dt
        rest = self.moved_at + dt if self.moved_at < times[-1] else math.inf
        return VariantOutcome(
            variant,
            self.world.scene,
            times,
            energy,
            penetration,
            residual,
            self.depth_sum / self.depth_count if self.depth_count else 0.0,
            rest if self.moved_at >= 0.0 else 0.0,
            self.joint_error,
            1000.0 * spent[len(spent) // 2] if spent else math.nan,
            _convergence(self.world),
            self.world.frame(),
            stopped,
            dict(zip(self.names, np.array(self.samples).T, strict=True)),
        )


def _joint_error(world: World) -> float:
    """The largest position error of the rigid joints."""
    worst = 0.0
    state = world.native.joint_state()
    for i, joint in enumerate(world.scene.joints.values()):
        length = float(state[i]["length"])
        if state[i]["broken"] or joint.spring is not None:
            continue
        if joint.kind in ("revolute", "weld"):
            worst = max(worst, length)
        elif JOINT_TYPES[joint.kind].along_line:
            least, most = JOINT_TYPES[joint.kind].lengths(joint)
            worst = max(worst, least - length, length - most)
    return worst


def _convergence(world: World) -> list[float]:
    """Convergence of the next step's solution to that of 1000 iterations, without warm start."""
    if not isinstance(world.native, TextbookEngine) or world.native.error is not None:
        return []
    settings = solver_settings(world.scene)
    shown, enough = max(SHOWN, settings.iterations), max(ENOUGH, settings.iterations)
    settings = replace(settings, iterations=enough, stop_below=0.0, warm_start=False)
    log = Log()
    world.native.try_step(world.scene.world.solver.kind, settings, log, world.step_count)
    if not log.solutions:
        return []
    best = np.array(log.solutions[-1])
    found = []
    for solution in log.solutions[:shown]:
        apart = np.array(solution) - best
        found.append(float((apart * apart).sum()))
    return found


def table_rows(found: Sequence[VariantOutcome]) -> list[list[str]]:
    """A row of texts for each variant, under COLUMNS; a dash for unknown values."""
    return [
        [outcome.variant.label, *map(_cell, list(numbers(outcome).values())[:-1])]
        for outcome in found
    ]


def numbers(outcome: VariantOutcome) -> dict[str, Any]:
    """The table row of a variant, with None for unknown values."""
    residual = outcome.residual[1:]
    known = residual[~np.isnan(residual)]
    values: dict[str, Any] = {
        "rest_time": outcome.rest if math.isfinite(outcome.rest) else None,
        "energy_gain": float((outcome.energy - outcome.energy[0]).max()),
        "energy_at_end": float(outcome.energy[-1] - outcome.energy[0]),
        "penetration_mean": outcome.overlaps,
        "penetration_max": float(outcome.penetration[1:].max(initial=0.0)),
        "joint_error": outcome.joint_error if outcome.scene.joints else None,
        "residual": float(known.max()) if len(known) else None,
        "step_ms": outcome.step_ms,
        "stopped": outcome.stopped,
    }
    return values


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def as_json(found: Sequence[VariantOutcome]) -> list[Mapping[str, Any]]:
    return [{"variant": outcome.variant.label, **numbers(outcome)} for outcome in found]
