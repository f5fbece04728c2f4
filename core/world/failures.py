# SPDX-License-Identifier: MIT
"""Errors of the engine in the words and names of the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _native
from ..errors import SimulationError
from ..scene import limits
from ..scene.model import Scene

if TYPE_CHECKING:
    from .._native import StepError
    from .naming.parts import WorldParts
    from .naming.registry import Registry


def raise_error(world: WorldParts) -> None:
    """Raise SimulationError when the engine has stopped on an error."""
    error = world.native.error
    if error is not None:
        raise simulation_error(error, world.roster)


def named(message: str, scene: Scene) -> str:
    """The engine's complaint about a body or joint by number, by its name."""
    what, _, rest = message.partition(" ")
    number, colon, problem = rest.partition(": ")
    if colon and number.isdigit() and what in ("body", "joint"):
        names = ["world", *scene.bodies] if what == "body" else [*scene.joints]
        section = "bodies" if what == "body" else "joints"
        return f"{section}.{names[int(number)]}: {problem}"
    return message


def simulation_error(error: StepError, roster: Registry) -> SimulationError:
    """The error or warning for a state with which the engine cannot continue."""
    kind, body, step, state = error
    name, scene = roster.body_name(body), roster.scene
    what = "has a position or velocity that is not a finite number"
    if kind == "runaway":
        what = f"ran away: {_too_much(state, scene)}"
    elif kind == "crowded":
        what = (
            f"is in a crowd at ({state[0]:.4g}, {state[1]:.4g}): {_too_many(scene)}; that is the "
            "limit. Set bodies "
            "further apart, or say with `collision` which ones never touch"
        )
    time = step * scene.world.dt
    return SimulationError(f"body {name!r} {what} (step {step}, t = {time:g})", step, name)


def warnings_of(native: _native.World, roster: Registry) -> list[str]:
    """The message on bodies that the engine removed for their states."""
    errors = (simulation_error(error, roster) for error in native.take_errors())
    return [f"{error}; it is taken out of the world" for error in errors]


def _too_many(scene: Scene) -> str:
    """The limit that a crowd exceeds."""
    solver = scene.world.solver.kind
    if solver == "pgs_matrix":
        return f"an equation of `{solver}` has more than {limits.EQUATION_ROWS:,} rows"
    if solver == "pgs_jrow":
        return f"more than {limits.EQUATION_PAIRS:,} pairs of rows of `{solver}` share a body"
    return (
        f"more than {limits.TOUCHING_PAIRS:,} pairs of shapes that each have more than "
        f"{limits.NEIGHBOURS} others about them may touch"
    )


def _too_much(state: tuple[float, float, float, float, float], scene: Scene) -> str:
    """Return the number of a body that is beyond the limits of the simulation."""
    units = scene.units
    far = _native.RUNAWAY_DISTANCE * scene.world.length_unit
    fast = far * _native.RUNAWAY_SPEED / _native.RUNAWAY_DISTANCE / units.time_per_second
    spin = _native.RUNAWAY_SPEED / units.time_per_second
    length, speed = units.length, f"{units.length}/{units.time}"
    x, y, vx, vy, omega = map(abs, state)
    if max(x, y) > far:
        return f"it is {max(x, y):.3g} {length} away; the limit is {far:g} {length}"
    if max(vx, vy) > fast:
        return f"it moves at {max(vx, vy):.3g} {speed}; the limit is {fast:g} {speed}"
    return f"it turns at {omega:.3g} rad/{units.time}; the limit is {spin:g} rad/{units.time}"
