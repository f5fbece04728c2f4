# SPDX-License-Identifier: MIT
"""The block ``world``: gravity, time, damping, bounds; the solver is in ``solver``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...building.writing import differences
from ...model import Scene, Solver, Units, World
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.fields import (
    Duration,
    Input,
    NotNegative,
    Pair,
    Rate,
    Rectangle,
    TruthField,
    Value,
    about,
)
from ...values.kinds import OneOf, Tuple
from ...values.quantity import Quantity
from ..places import check_rectangle
from ..variables import PIXELS_PER_METRE
from .solver import SolverInput, build_solver, options, solver_text
from .surroundings import (
    AttractionInput,
    PoolInput,
    build_attraction,
    build_pools,
    write_surroundings,
)

STANDARD_GRAVITY = 9.81  # m/s^2, what most people write for the Earth's surface
DEFAULT_SECONDS = 8.0


class AirInput(Input):
    form: ClassVar[str] = "`{linear_damping: 0.1}`"
    linear_damping: Rate = about("Decay of velocities (default 0).")
    angular_damping: Rate = about("Decay of angular velocities (default 0).")
    density: Annotated[Value, Quantity((units.DENSITY,), low=0.0)] = about(
        "Mass per area: what is fast is braked by the square of its velocity (default 0)."
    )
    drag: NotNegative = about("The coefficient of that drag (default 1).")


_IN_SOLVER = "it belongs in `solver: {...}`"
_IN_AIR = "it belongs in `air: {...}`"
_STEP = "the length of a step is `dt`"


class WorldInput(Input):
    form: ClassVar[str] = "`{gravity: [0, -10], duration: 5}`"

    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("substeps", "iterations", "warm_start", "joints"), _IN_SOLVER),
        **dict.fromkeys(("linear_damping", "angular_damping"), _IN_AIR),
        **dict.fromkeys(("timestep", "time_step", "step"), _STEP),
    }
    gravity: Annotated[
        Pair,
        Tuple(
            Quantity((units.ACCELERATION,)),
            2,
            "an acceleration [x, y]",
            alone="[0, {down}]",
            none="[0, 0]",
        ),
    ] = about("Acceleration of free fall (default 9.81 m/s^2 downwards on the screen).")
    dt: Duration = about("Length of a step (default 1/60 s).")
    duration: Duration = about("Length of the run (default 8 s); or give `steps`.")
    steps: Annotated[Value, Quantity(low=1, whole=True)] = about("Number of steps of the run.")
    seed: Annotated[Value, Quantity(low=0, high=2**53, whole=True)] = about(
        "Seed of the random functions of expressions (default 0)."
    )
    sleep: TruthField = about("Whether bodies at rest stop being simulated (default true).")
    length_unit: Annotated[Value, Quantity(above=0.0, low=1e-6, high=1e6)] = about(
        "How many length units a metre-sized object has (1, or 100 for px and cm)."
    )
    solver: SolverInput | None = about("Which solver steps the scene.")
    air: AirInput | None = about("Damping of all bodies that do not say their own, and drag.")
    attraction: AttractionInput | None = about("Gravity between all pairs of dynamic bodies.")
    pools: dict[str, PoolInput] | None = about("Rectangles of water by name.")
    bounds: Rectangle = about("Bodies that leave these two corners are removed (default: none).")
    on_error: Annotated[str | None, OneOf(("stop", "warn"))] = about(
        "stop (default) or warn when a body's state is not finite or runs away."
    )


def default_gravity(units: Units, length_unit: float) -> tuple[float, float]:
    """9.81 m/s^2 downwards on the screen, in scene units."""
    metre = {"m": 1.0, "cm": 100.0, "px": length_unit}[units.length]
    size = STANDARD_GRAVITY * metre / (units.time_per_second * units.time_per_second)
    return (0.0, size if units.y_down else -size)


def build_world(given: WorldInput | None, units: Units, scope: Scope) -> World:
    """Return the ``world`` block with its defaults, and BROKEN for values with a problem."""
    if given is BROKEN:
        return World(**dict.fromkeys(World.__dataclass_fields__, BROKEN))
    if given is None:
        given = WorldInput()

    def get(field: str, default: Any) -> Any:
        value = scope.known(getattr(given, field), field)
        return default if value is None else value

    length_unit = get("length_unit", 1.0 if units.length == "m" else PIXELS_PER_METRE)
    dt = get("dt", units.time_per_second / 60.0)
    bounds = get("bounds", None)
    if bounds is not None:
        scope.attempt(check_rectangle, None, bounds, scope, "bounds")
    air = AirInput() if given.air is None else given.air
    linear_damping, angular_damping, density, drag = (
        scope.known(scope.attempt(getattr, BROKEN, air, name), "air", name)
        for name in ("linear_damping", "angular_damping", "density", "drag")
    )
    if is_read(drag) and density is None:
        scope.fail("missing-key", "`drag` goes with the air's `density`", "air", "drag")
    if density is not BROKEN and not density:
        drag = None  # nothing that drags is there
    strength, softening = build_attraction(given.attraction, scope)
    gravity = scope.attempt(default_gravity, BROKEN, units, length_unit)
    return World(
        gravity=get("gravity", gravity),
        dt=dt,
        steps=scope.attempt(_steps, BROKEN, given, dt, units, scope),
        seed=scope.attempt(lambda: int(get("seed", 0)), BROKEN),
        sleep=get("sleep", True),
        length_unit=length_unit,
        solver=scope.attempt(lambda: build_solver(given.solver, length_unit, scope), BROKEN),
        bounds=bounds,
        on_error=get("on_error", "stop"),
        linear_damping=0.0 if linear_damping is None else linear_damping,
        angular_damping=0.0 if angular_damping is None else angular_damping,
        air_density=0.0 if density is None else density,
        air_drag=1.0 if drag is None else drag,
        attraction=strength,
        softening=softening,
        pools=build_pools(given.pools, scope),
    )


def _steps(given: WorldInput, dt: float, units: Units, scope: Scope) -> int:
    steps = scope.known(given.steps, "steps")
    duration = scope.known(given.duration, "duration")
    if scope.report.may_have("units") or scope.report.may_have("world"):
        raise Stop  # without them, times cannot be checked
    if steps is not None and duration is not None:
        if abs(steps * dt - duration) > 0.5 * dt:
            raise scope.fail(
                "conflicting-keys",
                f"`duration` and `steps` are both given and differ ({steps:.0f} steps of "
                f"{dt:.6g} are {steps * dt:.6g}); keep one",
                "steps",
            )
        duration = None
    if steps is None:
        if duration is None:
            duration = DEFAULT_SECONDS * units.time_per_second
        field = "duration"
        if duration < 0.5 * dt:
            raise scope.fail(
                "out-of-range",
                f"a step of {dt:.6g} is longer than the run, which takes {duration:.6g}; "
                "make `dt` smaller or `duration` longer",
                "dt" if given.duration is None else "duration",
            )
        steps = max(1.0, float(round(duration / dt)))
    else:
        field = "steps"
    if steps > limits.STEPS:
        raise scope.fail(
            "limit", f"the run has {steps:.0f} steps; the limit is {limits.STEPS}", field
        )
    return int(steps)


def _world(world: World) -> dict[str, Any]:
    solver = world.solver
    values: dict[str, Any] = {
        "gravity": world.gravity,
        "dt": world.dt,
        "steps": world.steps,
        "seed": world.seed,
        "length_unit": world.length_unit,
        "solver": {
            "type": solver.kind,
            **{name: getattr(solver, name) for name in options(solver.kind)},
        },
        "air": {
            "linear_damping": world.linear_damping,
            "angular_damping": world.angular_damping,
        },
    }
    if world.air_density:
        values["air"] |= {"density": world.air_density, "drag": world.air_drag}
    values |= write_surroundings(world)
    return {
        **values,
        **differences(world, World(solver=Solver()), ("sleep", "bounds", "on_error")),
    }


def _hash_parts(scene: Scene) -> tuple[object, ...]:
    """The part of the world in the hash of a scene."""
    world = scene.world
    surroundings = (world.air_density, world.air_drag, world.attraction, world.softening)
    pools = tuple(replace(pool, name="") for pool in world.pools)
    usual = surroundings == (0.0, 1.0, 0.0, 0.0) and not pools
    return (
        world.gravity,
        world.dt,
        world.sleep,
        world.length_unit,
        solver_text(world.solver),
        world.bounds,
        *(() if usual else (surroundings, pools)),
    )


def _build(given: WorldInput | None, build_context: BuildContext) -> World:
    context = build_context.context
    world = build_world(given, context.units, build_context.scope("world"))
    context.seed = 0 if world.seed is BROKEN else world.seed
    return world


WORLD = BlockSpec(
    WorldInput | None,
    _build,
    write=lambda scene: _world(scene.world),
    hash_parts=_hash_parts,
)
