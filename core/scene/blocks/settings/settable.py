# SPDX-License-Identifier: MIT
"""Paths that may be set while a scene runs, such as ``hinge.motor.speed``, and their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ....nearest import may_search
from ...building.block import BuildContext
from ...building.scope import Scope
from ...model import POOLS, Actuator, Body, BodyKind, Scene
from ...script import Value
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context, Wrong
from ...values.fields import POINT
from ...values.kinds import Kind, OneOf, Tuple, nearest, show
from ...values.names import Name, born_of
from ...values.quantity import Flag, Quantity
from ..bodies.materials import no_material
from ..joints.parts import MOTOR_TURN
from ..joints.types import JOINT_TYPES
from .coordinates import split_axis
from .joint_settings import FORCE, TORQUE, joint_kind

_FORCES = Tuple(Quantity((units.FORCE,)), 2, "a force [x, y]")
_NOT_NEGATIVE = Quantity(low=0.0)
_RATE = Quantity((units.FREQUENCY,), low=0.0, per_time=True)
_DENSITY = Quantity((units.DENSITY,), low=0.0)

SURFACE: dict[str, Kind] = {
    "friction": _NOT_NEGATIVE,
    "restitution": Quantity(low=0.0, high=1.0),
    "rolling_resistance": _NOT_NEGATIVE,
    "tangent_speed": Quantity((units.SPEED,)),
}
"""Of a material, or of all shapes of a body."""

TYPES: tuple[BodyKind, ...] = ("static", "kinematic", "dynamic")
"""Types of a body, in the order of the engine's numbers for them."""

BODY: dict[str, Kind] = {
    "position": POINT,
    "angle": Quantity((units.ANGLE,)),
    "velocity": Tuple(Quantity((units.SPEED,)), 2, "a velocity [x, y]"),
    "angular_velocity": Quantity((units.ANGULAR_SPEED,)),
    "awake": Flag(),
    "gravity_scale": Quantity(),
    "linear_damping": _RATE,
    "angular_damping": _RATE,
    "category": Name("the name of a category"),
    "type": OneOf(TYPES),
    "collide": Flag(),
    "visible": Flag(),
    **SURFACE,
}
PROPERTIES = (
    "position",
    "angle",
    "velocity",
    "angular_velocity",
    "awake",
    "type",
    "collide",
    "visible",
)
"""Properties of a body's handle; other values are set by name."""

MOVES = ("position", "angle")
"""Values that only a track may set, and only of kinematic bodies."""

ACTUATOR: dict[str, dict[str, Kind]] = {
    "thruster": {
        "enabled": Flag(),
        "force": _FORCES,
        "torque": Quantity((units.TORQUE,)),
    },
    "force": {"enabled": Flag(), "force": _FORCES},
    "torque": {"enabled": Flag(), "torque": Quantity((units.TORQUE,))},
    "impulse": {
        "enabled": Flag(),
        "impulse": Tuple(Quantity((units.IMPULSE,)), 2, "an impulse [x, y]"),
        "angular_impulse": Quantity((units.ANGULAR_IMPULSE,)),
    },
    "rotary_motor": {
        "enabled": Flag(),
        "speed": MOTOR_TURN,
        "max_torque": TORQUE,
        "torque": Quantity((units.TORQUE,)),
    },
    "axial_friction": {"enabled": Flag(), "friction": _NOT_NEGATIVE, "max_force": FORCE},
    "field": {"enabled": Flag()},
}
"""By the type of an actuator."""

WORLD: dict[str, Kind] = {
    "gravity": Tuple(Quantity((units.ACCELERATION,)), 2, "an acceleration [x, y]")
}

POOL: dict[str, Kind] = {
    "density": _DENSITY,
    "damping": _RATE,
    "drag": _NOT_NEGATIVE,
    "level": Quantity((units.LENGTH,)),
}
"""Of a pool; its level is where its surface is, by the gravity of the beginning."""


def scene_so_far(build_context: BuildContext) -> Scene:
    """The scene in which names are looked up; its collision is BROKEN where it has a problem."""
    scene = build_context.scene
    return scene if "collision" in build_context.made else replace(scene, collision=BROKEN)


OWNERS = ("bodies", "joints", "actuators")
"""The sections whose objects have settings by their names."""

SETTINGS_SCHEMA = {"type": "object"}


def check_settings(value: Any, context: Context) -> Any:
    if not isinstance(value, dict) or not value:
        got = "an empty mapping" if value == {} else show(value)
        form = "must be what is set by its path, such as `{brake.friction: 1}`"
        raise Wrong("wrong-type", f"{form}, not {got}")
    return value


class Setting(NamedTuple):
    """The meaning of a path: its owner, the value, and its kind."""

    section: str
    owner: str
    name: str
    kind: Kind


def find_setting(path: str, scene: Scene, scope: Scope) -> Setting:
    """Resolve a path in a scene. Raises Wrong with the reason; Stop if already reported."""
    section, owner, name = _split(path, scene, scope)
    whole, axis = split_axis(name)
    if axis is not None and section in (*OWNERS, "world"):
        setting = find_setting(path[: -len(".x")], scene, scope)
        if isinstance(setting.kind, Tuple):
            return Setting(section, owner, name, setting.kind.item)
        raise Wrong("unknown-name", f"`{whole}` of `{owner}` is one number; leave out the axis")
    if scope.report.of_part and section in ("world", "materials", "pools"):
        message = "a prototype sets what it has itself; this is set by the scene"
        raise Wrong("unsupported", message)
    if section == "world":
        return Setting(section, owner, name, _one_of(WORLD, "the world", owner, name))
    if section == "pools":
        return Setting(section, owner, name, _of_pool(owner, name, scene))
    if section == "materials":
        _refuse_mixed(owner, scene)
        return Setting(section, owner, name, _one_of(SURFACE, "the material", owner, name))
    item: Any = getattr(scene, section)[owner]
    if item is BROKEN:
        raise Stop
    if section == "bodies":
        return Setting(section, owner, name, _of_body(item, owner, name, scene, scope))
    if section == "joints":
        return Setting(section, owner, name, joint_kind(item, owner, name))
    return Setting(section, owner, name, _of_actuator(item, owner, name))


def set_values(
    given: Mapping[str, Any], scene: Scene, scope: Scope, *at: int | str
) -> dict[str, Value]:
    """The settings of a mapping of paths and values; its problems are reported, then Stop."""
    values: dict[str, Value] = {}
    scene = with_types(given, scene)
    for path, value in given.items():
        setting = known_setting(path, scene, scope, *at, path)
        if setting is None:
            continue
        if scope.report.of_part and split_axis(setting.name)[1] is not None:
            message = (
                "a prototype's key sets both coordinates; write "
                f"`{path[:-2]}: [x, y]`, or set one by `do: [{{set: {{{path}: ...}}}}]`"
            )
            scope.report.add_key((*scope.path, *at, path), "unsupported", message)
            scope.failed = True
            continue
        checked = checked_value(setting, value, scope, *at, path)
        if checked is not BROKEN:
            values[path] = checked
    scope.stop_if_failed()
    return types_first(values)


def known_setting(path: str, scene: Scene, scope: Scope, *at: int | str) -> Setting | None:
    """The meaning of a path that is a key of the file; None after reporting its problem."""
    try:
        return find_setting(path, scene, scope)
    except Wrong as wrong:
        for finding in wrong.findings:
            scope.report.add_key((*scope.path, *at), finding.kind, finding.message)
    except Stop:
        pass
    scope.failed = True
    return None


def checked_value(setting: Setting, value: Any, scope: Scope, *at: int | str) -> Any:
    """A value of the file as a setting takes it; BROKEN after its problem was reported."""
    try:
        return scope.known(setting.kind.check(value, scope.context), *at)
    except Wrong as wrong:
        scope.report.add_wrong((*scope.path, *at), wrong)
        scope.failed = True
        return BROKEN


def find_owner(path: str, objects: Mapping[str, Mapping[str, Any]]) -> tuple[str, str, str] | None:
    """The section of the owner, its name, and the rest; points may be in names and indices."""
    at = path.find(".")
    while at >= 0:
        owner = path[:at]
        for section in OWNERS:
            if owner in objects[section]:
                return section, owner, path[at + 1 :]
        at = path.find(".", at + 1)
    return None


def is_angle(path: str, scene: Scene) -> bool:
    """Whether a path sets an angle or an angular velocity, which the model has in radians."""
    found = find_owner(path, {section: getattr(scene, section) for section in OWNERS})
    if found is None:
        return path.endswith((".angle", ".angular_velocity"))  # of a body that comes later
    section, owner, name = found
    if section == "joints":
        joint = scene.joints[owner]
        spec = JOINT_TYPES[joint.kind]
        goes = spec.turns and name in ("motor.speed", "motor.position")
        relative = joint.motor is not None and joint.motor.relative and name == "motor.position"
        return (goes and not relative) or (name == "limits" and spec.angular)
    if section == "actuators":
        return name == "speed"
    return name in ("angle", "angular_velocity")


def _split(path: str, scene: Scene, scope: Scope) -> tuple[str, str, str]:
    """As ``find_owner``, for the world and materials too; Wrong if nothing has the name."""
    known = {section: getattr(scene, section) for section in OWNERS}
    found = find_owner(path, known)
    if found is not None:
        return found
    first, _, rest = path.partition(".")
    if path.startswith(POOLS):
        return ("pools", *_split_pool(path, scene, scope))
    if first == "world":
        return "world", "world", rest
    if first == "materials":
        material, _, name = rest.rpartition(".")
        if material in scene.materials:
            return "materials", material, name
        if scope.report.may_have("materials", material):
            raise Stop
        if material:
            message = no_material(material, scene.materials)
            raise Wrong("unknown-name", message, missing=f"material {material}")
    for section in OWNERS:
        if path in known[section]:
            message = f"what of `{path}`? Write a name and a setting, such as `jet.enabled`"
            raise Wrong("missing-key", message)
        if scope.report.may_have(section, first):
            raise Stop
    variable = rest if first == "state" else path
    if variable in scene.state:
        message = f"an action sets state variables: `do: [{{set: {{state.{variable}: 1}}}}]`"
        raise Wrong("unknown-name", message)
    raise Wrong("unknown-name", _no_owner(first, scene, scope), missing=first)


def _split_pool(path: str, scene: Scene, scope: Scope) -> tuple[str, str]:
    rest = path.removeprefix(POOLS)
    pool, _, name = rest.rpartition(".")
    if scene.world is BROKEN:
        raise Stop
    known = [each.name for each in scene.world.pools]
    if pool in known:
        return pool, name
    if rest in known:
        raise Wrong("missing-key", f"what of the pool `{rest}`? It has {', '.join(POOL)}")
    message = f"there is no pool `{pool or rest}`; {nearest(pool or rest, known, what='pools')}"
    raise Wrong("unknown-name", message)


def _of_pool(owner: str, name: str, scene: Scene) -> Kind:
    if name == "region":
        message = f"the region of a pool stays; what is set is `{POOLS}{owner}.level`, its surface"
        raise Wrong("unknown-name", message)
    if name == "level" and not any(scene.world.gravity):
        raise Wrong("conflicting-keys", f"without gravity the pool `{owner}` has no surface to set")
    return _one_of(POOL, "the pool", owner, name)


def _no_owner(name: str, scene: Scene, scope: Scope) -> str:
    born = born_of(scope.report.tree, name)
    if born:
        return born
    owners = [scene.bodies, scene.joints, scene.actuators]
    made = next((each for names in owners for each in names if each.startswith(f"{name}[")), "")
    if made:
        return f"`{name}` stands for several; write which one, such as `{made}`"
    known = [each for names in owners for each in names]
    hint = nearest(name, known) if may_search(20 * len(known)) else "it is misspelt, or missing"
    if name in (*BODY, *("body", "joint", "actuator", "value", "target")):
        hint = "a value is set by its path, such as `{ball.velocity: [0, 5]}`"
    return f"there is no body, joint or actuator `{name}`; {hint}"


def _refuse_mixed(material: str, scene: Scene) -> None:
    """Wrong where a body has the material beside others: its shapes change together."""
    for body in scene.bodies.values():
        if body is BROKEN or not is_read(body.shapes):
            continue
        names = {shape.material.name for shape in body.shapes if shape is not BROKEN}
        if material in names and len(names) > 1:
            message = (
                f"the body `{body.name}` has shapes of `{material}` and of others; what has "
                "several materials cannot change one of them"
            )
            raise Wrong("unsupported", message)


def _one_of(known: Mapping[str, Kind], what: str, owner: str, name: str) -> Kind:
    if name in known:
        return known[name]
    called = what if what == "the world" else f"{what} `{owner}`"
    if not name:
        raise Wrong("missing-key", f"what of {called}? It has {', '.join(known)}")
    raise Wrong(
        "unknown-name", f"`{name}` of {called} cannot be set; {nearest(name, tuple(known))}"
    )


SET_AS = {
    **{axis: f"position.{axis}" for axis in "xy"},
    **{f"v{axis}": f"velocity.{axis}" for axis in "xy"},
    "omega": "angular_velocity",
    "speed": "velocity",
    "asleep": "awake",
}
"""Settable names for readings of a body."""


def read_only(owner: str, name: str) -> str:
    """A hint for a reading of a body that is set by another name; else nothing."""
    right = SET_AS.get(name, "")
    told = f"`{owner}.{name}` can be read only; what is set is `{owner}.{right}`"
    return told if right else ""


def _of_body(body: Body, owner: str, name: str, scene: Scene, scope: Scope) -> Kind:
    if name in SET_AS:
        raise Wrong("unknown-name", read_only(owner, name))
    kind = _one_of(BODY, "the body", owner, name)
    if name == "category":
        if scope.report.of_part:
            message = "a prototype sets no category; the scene does, by the name of an instance"
            raise Wrong("unsupported", message)
        if scene.collision is BROKEN:
            raise Stop
        return OneOf(scene.collision.categories)
    if body.kind == "static" and name in ("velocity", "angular_velocity"):
        raise Wrong(
            "impossible-motion",
            f"the body `{owner}` is static and has no velocity; make it kinematic, or set its "
            "`type` in front of it in the same `set`",
        )
    textbook = scene.world is not BROKEN and scene.world.solver.is_textbook
    if name in ("type", "collide") and textbook:
        solver = scene.world.solver.kind
        raise Wrong("unsupported", f"with the solver {solver} a body keeps its `{name}`")
    if name == "type" and is_read(body.shapes) and is_endless(body):
        return OneOf(TYPES[:1], instead=dict.fromkeys(TYPES[1:], stays_static(owner)))
    if name == "type" and is_read(body.shapes) and (wanting := lacks_mass(body)):
        return OneOf(TYPES[:2], instead={"dynamic": no_mass(owner, wanting)})
    return kind


def is_endless(body: Body) -> bool:
    """Whether a body has a half-space, so that it cannot move."""
    return any(shape.kind == "half_space" for shape in body.shapes)


def stays_static(name: str) -> str:
    """The reason why a body cannot move."""
    return f"`{name}` has a half-space, which does not move; it stays static"


def no_mass(name: str, wanting: str) -> str:
    """The reason why a body cannot be dynamic."""
    return f"`{name}` has segments or chains only; to be dynamic it needs `{wanting}`"


def refusal_of_type(body: Body, name: str, value: str) -> str:
    """The reason why a body cannot change to a type; empty if it can."""
    if value != "static" and is_endless(body):
        return stays_static(name)
    wanting = lacks_mass(body) if value == "dynamic" else ""
    return no_mass(name, wanting) if wanting else ""


def with_types(given: Mapping[str, Any], scene: Scene) -> Scene:
    """The scene in which bodies are of the types that a mapping of paths and values sets."""
    changed: dict[str, Body] = {}
    for path, value in given.items():
        owner, _, name = path.rpartition(".")
        body = scene.bodies.get(owner) if name == "type" else None
        if body is not None and body is not BROKEN and isinstance(value, str) and value in TYPES:
            changed[owner] = replace(body, kind=value)
    return replace(scene, bodies={**scene.bodies, **changed}) if changed else scene


def types_first(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings in order of execution: a body becomes dynamic before it is moved."""
    return dict(sorted(values.items(), key=lambda each: not each[0].endswith(".type")))


def lacks_mass(body: Body) -> str:
    """The fields that a body lacks to be dynamic; empty if it can be."""
    if any(shape.kind not in ("segment", "chain") for shape in body.shapes):
        return ""
    if body.mass is None:
        return "mass"
    return "" if body.inertia is not None or body.fixed_rotation else "inertia"


def _of_actuator(actuator: Actuator, owner: str, name: str) -> Kind:
    if not is_read(actuator.kind):
        raise Stop
    return _one_of(ACTUATOR[actuator.kind], f"the {actuator.kind}", owner, name)
