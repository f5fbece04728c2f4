# SPDX-License-Identifier: MIT
"""Channels: the named numbers of a running scene, such as ``ball.x`` or ``hinge.force``.

A channel's name is the owner's name, a dot, and a quantity. Owners are bodies, their named points
(``car.points.nose``), joints, ``world``, and, of a textbook solver, ``solver``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .. import _native
from ..arguments import checked, one_of, optional, texts
from ..errors import UsageError, unknown_name
from ..scene.model import Scene
from ..scene.probe_model import PROBE_SUMMARY
from ..scene.values.asked_names import found_of, probe_readings
from ..scene.values.expression import split_state, state_problem
from ..scene.values.foreign_words import foreign_names, look_up
from ..scene.values.state_words import (
    ACTUATOR_STATES,
    ALL_STATES,
    BOX_STATES,
    CAMERA,
    CAMERA_STATES,
    ENERGY_SUMS,
    GROUPS,
    MOTION_STATES,
    OVER_ALL,
    SOLVER_STATES,
    STATE,
    TAG_STATES,
    TAGS,
)

Owner = Literal[
    "body",
    "point",
    "joint",
    "world",
    "solver",
    "state",
    "tag",
    "group",
    "actuator",
    "probe",
    "camera",
]

BODY_STATE = ("x", "y", "angle", "vx", "vy", "omega")

# Channels of an owner's bare name.
JOINT_SUMMARY = ("force", "torque")
POINT_SUMMARY = ("x", "y")
WORLD_SUMMARY = ("energy", "momentum", "contacts", "bodies")


def _quantities(owner: Owner) -> tuple[str, ...]:
    names = (name.partition(".") for name in _native.CHANNELS)
    return tuple(quantity for kind, _, quantity in names if kind == owner)


QUANTITIES: dict[Owner, tuple[str, ...]] = {
    "body": (*_quantities("body"), *BOX_STATES),
    "point": _quantities("point"),
    "joint": _quantities("joint"),
    "world": (*_quantities("world"), *ENERGY_SUMS),
    "solver": SOLVER_STATES,
    "tag": ALL_STATES,
    "group": ALL_STATES,
    "actuator": ACTUATOR_STATES,
    "camera": CAMERA_STATES,
}
_UNITS_OF_TAGS = dict(
    zip(TAG_STATES, ("count", "mass", "length^2", "energy", "energy"), strict=True)
)
_UNITS_OF_TAGS |= dict.fromkeys(MOTION_STATES[:3], "mass*length/time")
_UNITS_OF_TAGS |= dict.fromkeys((*MOTION_STATES[3:], *BOX_STATES), "length")
_UNITS_OF_TAGS |= dict.fromkeys(ACTUATOR_STATES, "")
_UNITS_OF_TAGS |= dict.fromkeys(ENERGY_SUMS, "energy")
_UNITS_OF_PROBES = {
    "count": "count",
    **dict.fromkeys(("distance", "x", "y"), "length"),
    **dict.fromkeys(("vx", "vy", "speed"), "length/time"),
}
SUMMARY: dict[Owner, tuple[str, ...]] = {
    "body": BODY_STATE,
    "point": POINT_SUMMARY,
    "joint": JOINT_SUMMARY,
    "world": WORLD_SUMMARY,
    "solver": SOLVER_STATES,
    "tag": TAG_STATES,
    "group": TAG_STATES,
    "actuator": ACTUATOR_STATES,
    "camera": ("x", "y", "width"),
}


@dataclass(frozen=True, slots=True)
class Channel:
    """One recorded number.

    Attributes:
        name: the full name, ``ball.x``.
        kind: the kind of the owner.
        owner: the name of the body or joint, a tag or a group; empty for the world.
        quantity: the last part of the name.
        point: the named point of the body, for kind ``point``.
    """

    name: str
    kind: Owner
    owner: str
    quantity: str
    point: str = ""

    @property
    def unit(self) -> str:
        """The engine's word for its unit, such as ``length/time``; empty where it has none."""
        kind, quantity = self.kind, self.quantity
        if self.kind == "camera":
            return "length"
        if self.kind == "probe":
            return _UNITS_OF_PROBES.get(quantity, "")
        if self.is_sum:
            over, _, state = quantity.partition(".")
            if over not in OVER_ALL:
                return _UNITS_OF_TAGS[quantity]
            kind, quantity = "body", state
        known = _native.CHANNELS.get(f"{kind}.{quantity}")
        return "" if known is None else known[1]

    @property
    def is_sum(self) -> bool:
        """Whether the channel is an aggregate over many bodies, which the engine lacks."""
        box = self.kind == "body" and self.quantity in BOX_STATES
        energy = self.kind == "world" and self.quantity in ENERGY_SUMS
        return box or energy or self.kind in ("tag", "group", "actuator", "probe", "camera")

    @property
    def prefix(self) -> str:
        """The name without the quantity: ``ball``, ``car.points.nose``, ``world``."""
        return self.name[: -len(self.quantity) - 1]


@checked(scene=one_of(Scene), names=optional(texts))
def resolve_channels(scene: Scene, names: Iterable[str] | None) -> tuple[Channel, ...]:
    """Resolve ``names`` to channels, in that order and each once; None: all bodies.

    A bare owner asks for its summary: a body x y angle vx vy omega, a joint its force and torque.
    Raises UsageError for a name that the scene does not have, with the nearest one.
    """
    channels: dict[str, Channel] = {}
    for name in scene.bodies if names is None else names:
        for channel in _resolve(scene, name):
            channels.setdefault(channel.name, channel)
    return tuple(channels.values())


def _resolve(scene: Scene, name: str) -> list[Channel]:
    owner = _owner(scene, name)
    if owner is not None:
        kind, body, point = owner
        if kind == "probe":
            quantities = PROBE_SUMMARY[scene.probes[body].kind]
        else:
            quantities = tuple(scene.state) if kind == STATE else SUMMARY[kind]
        return [
            Channel(f"{name}.{quantity}", kind, body, quantity, point) for quantity in quantities
        ]
    prefix, dot, quantity = name.rpartition(".")
    gathered = name.startswith((f"{TAGS}.", f"{GROUPS}.")) and prefix not in scene.bodies
    whose, read = split_state(name, scene)
    if gathered or whose in scene.probes:
        prefix, quantity = whose, read
    owner = _owner(scene, prefix) if dot else None
    if owner is None:
        known = [*scene.bodies, *scene.joints, *scene.probes, "world"]
        if prefix == CAMERA and state_problem(name, scene):
            raise UsageError(state_problem(name, scene))
        if prefix == "solver" or name == "solver":
            raise UsageError(
                f"{name!r} is told by the textbook solvers; the solver's type is "
                f"{scene.world.solver.kind}"
            )
        right = look_up(name, foreign_names())
        if right:
            raise UsageError(f"no body or joint named {name!r}; did you mean {right!r}?")
        raise unknown_name("body or joint", prefix or name, known)
    kind, body, point = owner
    if kind == "probe":
        probe = scene.probes[body]
        quantities = probe_readings(probe)
        found = found_of(probe, quantity, scene)[0] != ""
    else:
        quantities, found = tuple(scene.state) if kind == STATE else QUANTITIES[kind], False
    if quantity not in quantities and not found:
        raise unknown_name(f"quantity of {prefix}", quantity, quantities)
    return [Channel(name, kind, body, quantity, point)]


def _owner(scene: Scene, name: str) -> tuple[Owner, str, str] | None:
    """Resolves ``name``: its kind, the body or joint, and the point."""
    if name in scene.bodies:
        return "body", name, ""
    if name in scene.joints:
        return "joint", name, ""
    if name in scene.actuators:
        return "actuator", name, ""
    if name in scene.probes:
        return "probe", name, ""
    if name == "world":
        return "world", "", ""
    if name == STATE and scene.state:
        return "state", "", ""
    if name.startswith(f"{TAGS}.") and name.removeprefix(f"{TAGS}.") in scene.body_tags:
        return "tag", name.removeprefix(f"{TAGS}."), ""
    if name.startswith(f"{GROUPS}.") and name.removeprefix(f"{GROUPS}.") in scene.groups:
        return "group", name.removeprefix(f"{GROUPS}."), ""
    if name == "solver" and scene.world.solver.is_textbook:
        return "solver", "", ""
    if name == CAMERA and not state_problem(f"{CAMERA}.x", scene):
        return "camera", "", ""
    body, dot, point = name.rpartition(".points.")
    if dot and body in scene.bodies and point in scene.bodies[body].points:
        return "point", body, point
    return None
