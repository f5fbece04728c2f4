# SPDX-License-Identifier: MIT
"""Expressions, values and settings of a script, as its native program has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .... import _native
from ....record.channels import Channel, resolve_channels
from ....scene.blocks.joints.types import JOINT_TYPES
from ....scene.blocks.settings.coordinates import split_axis
from ....scene.blocks.settings.joint_settings import LENGTHS
from ....scene.blocks.settings.settable import SURFACE, TYPES
from ....scene.event_model import Formula, Live
from ....scene.model import Scene
from ....scene.surroundings_model import POOLS, surface_of
from ....scene.values.expression import Expression, compile_expression
from ....scene.values.state_words import BOX_STATES, CAMERA_STATES, ENERGY_SUMS, STATE
from ...aggregates import needs_of
from ...building.engines import SOLVER_CHANNELS
from ...building.joint_rows import SPRING_PAIRS, goes_by_frequency
from ...naming.actuators import BLOWS
from ...naming.registry import Registry
from ...naming.settings import MATERIALS
from ..event_conditions import EVENT_BODIES, split_path
from ..event_state import OF_A_TOUCH
from .driven import put_motor, put_mouse, put_spring
from .forms import ProgramForms, side_places
from .own import FIRST, Own
from .probes import ProgramProbes
from .tags import material_tag
from .writer import NONE, NoProgramError, Writer, put_formula

TARGETS = (
    *("none", "variable", "position", "angle", "velocity", "angular_velocity", "awake"),
    *("gravity_scale", "linear_damping", "angular_damping", "friction", "restitution"),
    *("rolling_resistance", "tangent_speed", "category", "collide"),
    *("type", "visible"),
    *("motor_target", "motor_strength", "motor_enabled", "limits", "mouse_target"),
    *("spring_first", "spring_second", "min_length", "max_length"),
    *("actuator_enabled", "actuator_force", "actuator_torque", "actuator_speed"),
    *("actuator_max_torque", "actuator_friction", "actuator_max_force", "gravity"),
    *("pool_density", "pool_damping", "pool_drag", "pool_level"),
    *("material_friction", "material_restitution", "material_rolling_resistance"),
    "material_tangent_speed",
)
"""As ``SetTarget`` of ``native/script/program.h``."""
_OF_BODY = frozenset(TARGETS[TARGETS.index("position") : TARGETS.index("motor_target")])
_POINTS = ("position", "velocity", "actuator_force", "gravity", "mouse_target")
_CHANNEL, _VARIABLE, _ACTUATOR, _VALUE, _OF_EVENT, _MEMBERS = range(6)
_PROBE, _CAMERA, _SOLVER, _ENERGY, _OWN = range(6, 11)
_OF_EVENT_VALUES = (*OF_A_TOUCH, "$at.x", "$at.y")
SPRING_TARGETS = {
    name: target
    for pair in SPRING_PAIRS.values()
    for name, target in zip(pair, ("spring_first", "spring_second"), strict=True)
}
_OVER = (
    *("count", "sum", "min", "max", "mean"),
    *("momentum_x", "momentum_y", "center_x", "center_y"),
    *("momentum", "area", "low_x", "high_x", "low_y", "high_y"),
)
"""As ``Over`` of ``native/script/program.h``."""
_SIDES = {(0, False): 0, (1, False): 1, (0, True): 2, (1, True): 3}


@dataclass(frozen=True, slots=True)
class SetTarget:
    """A target: the place of its owner in a table, and which coordinate of a point."""

    name: str = "none"
    owner: int = 0
    axis: int = NONE

    @property
    def width(self) -> int:
        """The number of its values."""
        return 2 if self.name == "limits" or (self.name in _POINTS and self.axis == NONE) else 1


@dataclass(slots=True)
class ProgramValues:
    """The tables of a program that its other parts speak of.

    Attributes:
        motors: the places of the joints whose motors are set, by their names.
        springs: those of the joints whose springs or lengths are set.
        mice: those of the joints whose targets are set.
        uses: the paths of the random numbers.
        tags: the bits of all tags of the scene, so that its programs share them.
        hides: whether bodies are shown or hidden.
        in_pages: whether it is for pages, which measure no shapes and have another camera.
        reads_camera: whether the camera's view is read, which the host has.
        forms: the shapes that are measured.
        own: the prototype of the copies whose script is written; None for that of the scene.
    """

    scene: Scene
    roster: Registry = field(init=False)
    texts: dict[str, int] = field(default_factory=dict)
    motors: dict[str, int] = field(default_factory=dict)
    springs: dict[str, int] = field(default_factory=dict)
    mice: dict[str, int] = field(default_factory=dict)
    uses: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    hides: bool = False
    in_pages: bool = False
    reads_camera: bool = False
    forms: ProgramForms = field(default_factory=ProgramForms)
    probes: ProgramProbes = field(init=False)
    own: Own | None = None
    _expressions: dict[tuple[str, str, float, float, bool, int], int] = field(default_factory=dict)
    _written: list[bytes] = field(default_factory=list)
    _aggregates: dict[bytes, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.roster = Registry(self.scene)
        bodies = [*self.scene.bodies.values()]
        for prototype in self.scene.prototypes.values():
            bodies += prototype.bodies.values()
        tags = sorted({tag for body in bodies for tag in body.tags})
        self.tags.update(zip(tags, range(len(tags)), strict=True))
        self.probes = ProgramProbes(self.scene, self.roster.ids, self.tags, self.value)

    def tag(self, tag: str) -> int:
        """The bit of a tag."""
        return self.tags.setdefault(tag, len(self.tags))

    def text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    # ------------------------------------------------------------ expressions

    @property
    def expressions(self) -> tuple[tuple[str, str, float, float], ...]:
        """All expressions: their sources, their paths and the bounds of their values."""
        own = sorted((place, key) for key, place in self._expressions.items())
        return tuple([key[:4] for _, key in own])

    def expression(
        self,
        source: str,
        path: str,
        low: float = -math.inf,
        high: float = math.inf,
        *,
        draws: bool = False,
    ) -> int:
        """The place of an expression; NONE for an empty one. Raises NoProgramError for one that
        reads what pages lack.

        ``draws`` is whether its random numbers are counted by the actions.
        """
        if not source:
            return NONE
        own = NONE if self.own is None else self.own.place
        key = (source, path, low, high, draws, own)
        if key not in self._expressions:
            self._expressions[key] = self._add(source, path, low, high, draws)
        return self._expressions[key]

    def _add(self, source: str, path: str, low: float, high: float, draws: bool) -> int:
        expression = compile_expression(source)
        if expression.seeded and not draws:
            raise NoProgramError(f"{path}: random numbers have no place here")
        inputs, columns, constants = self._inputs(expression)
        formula = Writer()
        put_formula(formula, expression, columns, constants)
        use = self.uses.setdefault(path, len(self.uses)) if expression.seeded else NONE
        to = Writer()
        to.whole(self.text(path), use)
        to.byte(("$a" in source) + 2 * ("$b" in source))
        to.real(low, high)
        to.each(inputs, to.input)
        to.raw(formula.bytes())
        self._written.append(to.bytes())
        return len(self._written) - 1

    def _inputs(
        self, expression: Expression
    ) -> tuple[list[tuple[int, int, int]], dict[str, int], dict[str, float]]:
        """The numbers that an expression reads, the places of its names among them, and vars."""
        inputs: list[tuple[int, int, int]] = []
        columns: dict[str, int] = {}
        constants: dict[str, float] = {}
        for name in sorted(expression.names):
            if name in self.scene.vars:
                constants[name] = self.scene.vars[name]
                continue
            columns[name] = len(inputs)
            inputs.append(self._input(name))
        return inputs, columns, constants

    def _input(self, name: str) -> tuple[int, int, int]:
        """A number that expressions read: its kind and two places."""
        scene = self.scene
        if name in _OF_EVENT_VALUES:
            return _VALUE, _OF_EVENT_VALUES.index(name), 0
        if name.startswith("$"):
            owner, _, quantity = name.partition(".")
            side = self._side(quantity)
            if side is not None:
                return _OF_EVENT, -1 - EVENT_BODIES[owner], len(_native.CHANNELS) + side
            code = _code_of(name, f"body.{quantity}")
            return _OF_EVENT, -1 - EVENT_BODIES[owner], code
        if self.own is not None and (mine := self.own.channel(name)) is not None:
            return self._own_input(self.own, mine)
        own = STATE in scene.bodies or STATE in scene.joints
        if name.startswith(f"{STATE}.") and not own:
            return _VARIABLE, [*scene.state].index(name.removeprefix(f"{STATE}.")), 0
        (channel,) = resolve_channels(scene, [name])
        if channel.kind == "actuator":
            return _ACTUATOR, [*scene.actuators].index(channel.owner), 0
        is_side = channel.kind == "body" and channel.quantity in BOX_STATES
        if channel.kind in ("tag", "group") or is_side:
            return self._aggregate(channel)
        if channel.kind == "probe":
            return _PROBE, self.probes.reading(channel), 0
        if channel.kind == "camera" and not self.in_pages:
            self.reads_camera = True
            return _CAMERA, CAMERA_STATES.index(channel.quantity), 0
        if channel.kind == "solver":
            return _SOLVER, -1 - SOLVER_CHANNELS[channel.quantity], 0
        if channel.kind == "world" and channel.is_sum:
            return _ENERGY, ENERGY_SUMS.index(channel.quantity), 0
        ((code, index),) = self.roster.channel_codes([channel]).tolist()
        return _CHANNEL, code, index

    def _own_input(self, own: Own, channel: Channel) -> tuple[int, int, int]:
        """The number of an object of a copy."""
        side = self._side(channel.quantity) if channel.kind == "body" else None
        if side is not None:
            return _OWN, len(_native.CHANNELS) + side, FIRST - own.bodies[channel.owner]
        if channel.kind == "actuator":
            return _ACTUATOR, own.actuators[channel.owner], 0
        code = _code_of(channel.owner, f"{channel.kind}.{channel.quantity}")
        if channel.kind == "point":
            return _OWN, code, own.points.index((channel.owner, channel.point))
        if channel.kind == "joint":
            return _OWN, code, own.joints[channel.owner]
        return _OWN, code, FIRST - own.bodies[channel.owner]

    def _aggregate(self, channel: Channel) -> tuple[int, int, int]:
        """The place of a number of many bodies."""
        over, needs = needs_of(channel.quantity)
        side = self._side(over)
        if side is not None:
            over = _OVER[_OVER.index("low_x") + side]
        if over not in _OVER or (self.in_pages and _is_measured(over)):
            raise NoProgramError(f"{channel.owner}: {channel.quantity} is not read in pages")
        if _is_measured(over):
            needs = ()
            self.forms.needed = True
        ids, tag = self.roster.ids, NONE
        bodies: tuple[str, ...] = ()
        if channel.kind == "body":
            bodies = (channel.owner,)
        elif channel.kind == "group":
            bodies = self.scene.groups[channel.owner]
        else:
            tag = self.tag(channel.owner)
        to = Writer()
        to.byte(_OVER.index(over))
        to.places(_native.CHANNELS[f"body.{each}"][0] for each in needs)
        to.whole(tag)
        to.places(ids[name] for name in bodies if name in ids)
        return _MEMBERS, self._aggregates.setdefault(to.bytes(), len(self._aggregates)), 0

    def _side(self, quantity: str) -> int | None:
        """The place of a side that is measured; None for other quantities."""
        if quantity not in BOX_STATES or self.in_pages:
            return None
        self.forms.needed = True
        return side_places(self.scene.units.y_down)[quantity]

    def reads_world(self, source: str) -> bool:
        """Whether an expression reads anything of the run but state variables."""
        scene, words = self.scene, (f"{STATE}.", "$")
        own = STATE in scene.bodies or STATE in scene.joints
        names = [name for name in compile_expression(source).names if name not in scene.vars]
        return any(not name.startswith(words[1:] if own else words) for name in names)

    # ------------------------------------------------------------ values

    def number(self, value: Any) -> tuple[int, float]:
        """An expression and a constant, one of which counts."""
        if isinstance(value, Formula):
            place = self.expression(value.source, value.path, value.low, value.high, draws=True)
            return place, 0.0
        return NONE, float(value)

    def value(self, value: Live | None, width: int = 1) -> list[tuple[int, float]]:
        """Numbers of a value of this width."""
        parts = value if isinstance(value, tuple) else (value,)
        if len(parts) != width or any(isinstance(part, (str, tuple)) for part in parts):
            raise NoProgramError(f"{value!r} is not {width} numbers")
        return [self.number(0.0 if part is None else part) for part in parts]

    # ------------------------------------------------------------ settings

    def setting(self, path: str, value: Live) -> tuple[SetTarget, list[tuple[int, float]]]:
        """Target and value of a path. Raises NoProgramError for what cannot be set."""
        target = self.target(path)
        if target.name == "category" and isinstance(value, str):
            return target, [(NONE, float(self.scene.collision.categories.index(value)))]
        if target.name == "type":
            return target, [(NONE, float(TYPES.index(str(value))))]
        self.hides |= target.name == "visible"
        if isinstance(value, bool) and not _is_truth(target.name):
            raise _no_setting(path)
        return target, self.value(value, target.width)

    def put_setting(self, to: Writer, path: str, value: Live) -> None:
        target, numbers = self.setting(path, value)
        self.put_target(to, target)
        to.value(numbers)

    def put_settings(self, to: Writer, values: Mapping[str, Live]) -> None:
        """Write several settings."""
        to.each([*values.items()], lambda each: self.put_setting(to, *each))

    def put_target(self, to: Writer, target: SetTarget) -> None:
        to.byte(TARGETS.index(target.name))
        to.whole(target.owner, target.axis)

    def target(self, path: str) -> SetTarget:
        """Target of a path. Raises NoProgramError for what cannot be set."""
        scene = self.scene
        if self.own is not None:
            return self._own_target(self.own, path)
        owner, setting = split_path(scene, path)
        whole, axis = split_axis(setting)
        at = NONE if axis is None else axis
        if owner in EVENT_BODIES:
            return self._of_body(EVENT_BODIES[owner], whole, at)
        if owner in scene.bodies:
            return self._of_body(self.roster.ids[owner], whole, at)
        if owner in scene.joints:
            return self._of_joint(owner, setting)
        if owner in scene.actuators:
            return self._of_actuator([*scene.actuators].index(owner), whole, at)
        if owner == "world" and whole == "gravity":
            return SetTarget("gravity", 0, at)
        if owner.startswith(POOLS):
            return self._of_pool(owner.removeprefix(POOLS), setting)
        if owner.startswith(MATERIALS) and setting in SURFACE:
            turned = setting == "tangent_speed" and scene.units.y_down
            tag = self.tag(material_tag(owner.removeprefix(MATERIALS)))
            return SetTarget(f"material_{setting}", tag, 1 if turned else NONE)
        raise _no_setting(path)

    def _own_target(self, own: Own, path: str) -> SetTarget:
        """Target of a path in the script of copies."""
        found = own.find(path)
        if found is not None and found[0] == "joints":
            return self._of_joint(*found[1:])
        if found is not None and found[0] == "actuators":
            whole, axis = split_axis(found[2])
            at = NONE if axis is None else axis
            return self._of_actuator(own.actuators[found[1]], whole, at)
        if found is None or found[0] != "bodies":
            owner, _, setting = path.partition(".")
            if owner not in EVENT_BODIES:
                raise _no_setting(path)
            number = EVENT_BODIES[owner]
        else:
            number, setting = own.bodies[found[1]], found[2]
        whole, axis = split_axis(setting)
        return self._of_body(number, whole, NONE if axis is None else axis)

    def _of_body(self, slot: int, setting: str, axis: int) -> SetTarget:
        if setting not in _OF_BODY:
            raise _no_setting(setting)
        if setting == "tangent_speed":
            axis = 1 if self.scene.units.y_down else NONE
        return SetTarget(setting, slot, axis)

    def _of_joint(self, name: str, setting: str) -> SetTarget:
        own = self.own
        joint = (self.scene if own is None else own.copy).joints[name]
        section, _, rest = setting.partition(".")
        way = NONE if own is None else own.way(joint, setting)
        if section == "motor" and joint.motor is not None:
            place = self._driven(name, "motors")
            if rest == "enabled":
                return SetTarget("motor_enabled", place)
            named = "motor_strength" if rest.startswith("max_") else "motor_target"
            return SetTarget(named, place, way)
        if (
            section == "spring"
            and joint.spring is not None
            and rest in SPRING_PAIRS[goes_by_frequency(joint)]
        ):
            return SetTarget(SPRING_TARGETS[rest], self._driven(name, "springs"))
        if setting in LENGTHS and JOINT_TYPES[joint.kind].has("min_length"):
            return SetTarget(setting, self._driven(name, "springs"), way)
        whole, axis = split_axis(setting)
        if whole == "target" and own is None and JOINT_TYPES[joint.kind].has("target"):
            place = self.mice.setdefault(name, len(self.mice))
            return SetTarget("mouse_target", place, NONE if axis is None else axis)
        if setting == "limits" and joint.limits is not None:
            return SetTarget("limits", self.joint(name), way)
        raise _no_setting(f"{name}.{setting}")

    def _driven(self, name: str, table: Literal["motors", "springs"]) -> int:
        """The place of a joint among those whose motors, or springs and lengths, are set."""
        places: dict[str, int] = getattr(self if self.own is None else self.own, table)
        place = places.setdefault(name, len(places))
        return place if self.own is None else FIRST - place

    def joint(self, name: str) -> int:
        """The number of a joint."""
        return self.roster.joint_ids[name] if self.own is None else FIRST - self.own.joints[name]

    def _of_actuator(self, place: int, setting: str, axis: int) -> SetTarget:
        kind = f"actuator_{BLOWS.get(setting, setting)}"
        if kind not in TARGETS:
            raise _no_setting(setting)
        return SetTarget(kind, place, axis)

    def _of_pool(self, name: str, setting: str) -> SetTarget:
        world = self.scene.world
        index = [pool.name for pool in world.pools].index(name)
        if setting != "level":
            return SetTarget(f"pool_{setting}", index)
        surface = surface_of(world.gravity)
        if surface is None:
            raise _no_setting(f"{POOLS}{name}.level")
        return SetTarget("pool_level", index, _SIDES[surface])

    # ------------------------------------------------------------ writing

    def put_driven(self, to: Writer) -> None:
        """The motors, springs, lengths and targets that are set, as they begin."""
        ids, joints = self.roster.joint_ids, self.scene.joints
        to.each([*self.motors], lambda name: put_motor(to, joints[name], ids[name]))
        to.each([*self.springs], lambda name: put_spring(to, joints[name], ids[name]))
        to.each([*self.mice], lambda name: put_mouse(to, joints[name], ids[name]))

    def put_hinge(self, to: Writer, name: str, is_second: bool) -> None:
        """Write a hinge of a chain; ``is_second``: its second body is nearer to the tip."""
        joint = (self.scene if self.own is None else self.own.copy).joints[name]
        angle, _ = _native.CHANNELS["joint.angle"]
        to.whole(self.joint(name), self._driven(name, "motors"), angle, int(is_second))
        to.real(*(joint.anchor_b if is_second else joint.anchor_a))
        to.real(*(joint.limits or (-math.inf, math.inf)))
        to.byte(joint.motor is not None and joint.motor.relative)

    def put_expressions(self, to: Writer) -> None:
        """All expressions, between the aggregates and readings that they read and the probes of
        these."""
        to.each([*self._aggregates], to.raw)
        self.probes.put_readings(to)
        to.each(self._written, to.raw)
        self.probes.put(to)


def _no_setting(path: str) -> NoProgramError:
    return NoProgramError(f"{path} cannot be set")


def _code_of(name: str, channel: str) -> int:
    """The code of a channel of the engine."""
    found = _native.CHANNELS.get(channel)
    if found is None:
        raise NoProgramError(f"{name}: {channel} is not read here")
    return found[0]


def _is_measured(over: str) -> bool:
    return _OVER.index(over) >= _OVER.index("momentum")


def _is_truth(target: str) -> bool:
    return target in ("awake", "collide", "visible") or target.endswith("_enabled")
