"""Writes a scene back as YAML: fully expanded, every number exact, angles in radians.

Expressions, generators, includes and defaults are gone; what is left says the same physics, so it
loads to a scene with the same hash. Fields that have their default are left out.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

from ..arguments import checked, one_of
from .blocks.joint_motion import TURNING
from .blocks.solver_options import options
from .model import (
    Actuator,
    Body,
    Camera,
    Collision,
    EnergyGraph,
    Expectation,
    Joint,
    Material,
    Motor,
    Render,
    Scene,
    Shape,
    Solver,
    Spring,
    World,
)
from .text.flow import flow

_SURFACE = (
    "density",
    "friction",
    "restitution",
    "rolling_resistance",
    "tangent_speed",
    "color",
    "outline",
)


@checked(scene=one_of(Scene))
def expand(scene: Scene) -> str:
    """YAML text of the scene without anything left to evaluate."""
    return "\n".join(_lines(scene)) + "\n"


def physics(scene: Scene) -> dict[str, Any]:
    """The blocks that say how bodies move, as a scene file has them."""
    units = scene.units
    materials = {
        material.name: _differences(material, Material(), _SURFACE)
        for material in scene.materials.values()
    }
    return {
        "units": {"length": units.length, "time": units.time, "angle": "rad", "y": units.y},
        "world": _world(scene.world),
        "materials": materials,
        "collision": _collision(scene.collision),
        "bodies": {name: _body(body, scene) for name, body in scene.bodies.items()},
        "joints": {name: _joint(joint, scene) for name, joint in scene.joints.items()},
        "actuators": {name: _actuator(each) for name, each in scene.actuators.items()},
    }


def _lines(scene: Scene) -> Iterator[str]:
    yield "rigid: 1"
    yield f"name: {flow(scene.name)}"
    if scene.description:
        yield f"description: {flow(scene.description)}"
    if scene.tags:
        yield f"tags: {flow(scene.tags)}"
    if scene.vars:
        yield f"vars: {flow(scene.vars)}"
    for block, values in physics(scene).items():
        if block in ("units", "world", "collision"):
            yield f"{block}: {flow(values)}"
        elif values:
            yield f"{block}:"
            for name, fields in values.items():
                yield f"  {name}: {flow(fields)}"
    camera = _differences(scene.camera, Camera(), tuple(Camera.__dataclass_fields__))
    if camera:
        yield f"camera: {flow(camera)}"
    render = _render(scene)
    if render:
        yield f"render: {flow(render)}"
    record: dict[str, Any] = {"every": scene.record.every}
    if scene.record.channels is not None:
        record["channels"] = scene.record.channels
    yield f"record: {flow(record)}"
    if scene.expect:
        yield "expect:"
        for expectation in scene.expect:
            yield f"  - {flow(_expectation(expectation))}"


def _differences(value: Any, default: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields in which a value differs from the default, bit for bit."""
    return {
        name: getattr(value, name)
        for name in names
        if repr(getattr(value, name)) != repr(getattr(default, name))
    }


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
    return {
        **values,
        **_differences(world, World(solver=Solver()), ("sleep", "bounds", "on_error")),
    }


def _collision(collision: Collision) -> dict[str, Any]:
    names = collision.categories
    ignore = [
        (names[i], names[j])
        for i in range(len(names))
        for j in range(i, len(names))
        if not collision.matrix[i][j]
    ]
    values: dict[str, Any] = {"categories": names}
    if ignore:
        values["ignore"] = ignore
    if collision.pairs_ignore:
        values["pairs_ignore"] = collision.pairs_ignore
    mixing = ("friction_mixing", "restitution_mixing")
    return {**values, **_differences(collision, Collision(), mixing)}


_BODY_FIELDS = (
    "position",
    "angle",
    "velocity",
    "angular_velocity",
    "mass",
    "inertia",
    "center_of_mass",
    "fixed_rotation",
    "gravity_scale",
    "bullet",
    "sleep",
    "awake",
    "category",
    "tags",
    "collide",
    "points",
    "color",
    "outline",
    "z",
    "visible",
)


def _body(body: Body, scene: Scene) -> dict[str, Any]:
    values: dict[str, Any] = {"type": body.kind}
    shapes = [_shape(shape, body, scene) for shape in body.shapes]
    if len(shapes) == 1:
        values["shape"] = shapes[0]
    else:
        values["shapes"] = shapes
    values.update(_differences(body, Body(name=""), _BODY_FIELDS))
    world = scene.world
    for name in ("linear_damping", "angular_damping"):
        if getattr(body, name) != getattr(world, name):
            values[name] = getattr(body, name)
    if body.trail is not None:
        values["trail"] = {"length": body.trail.length}
        if body.trail.color is not None:
            values["trail"]["color"] = body.trail.color
    return values


def _shape(shape: Shape, body: Body, scene: Scene) -> dict[str, Any]:
    values = _outline(shape)
    if shape.sensor:
        values["sensor"] = True
    if shape.category != body.category:
        values["category"] = shape.category
    named = scene.materials.get(shape.material.name)
    if named is not None:
        values["material"] = named.name
    values.update(_differences(shape.material, named or Material(), _SURFACE))
    return values


def _outline(shape: Shape) -> dict[str, Any]:
    points = shape.outer or shape.points
    if shape.kind == "circle":
        values: dict[str, Any] = {"circle": shape.radius}
        if points[0] != (0.0, 0.0):
            values["offset"] = points[0]
        return values
    if shape.kind == "polygon":
        half = points[2] if shape.source == "box" else None
        centred = half is not None and points == (
            (-half[0], -half[1]),
            (half[0], -half[1]),
            half,
            (-half[0], half[1]),
        )
        values = (
            {"box": (2.0 * half[0], 2.0 * half[1])}
            if centred and half is not None
            else {"polygon": points}
        )
        if shape.radius:
            values["radius"] = shape.radius
        return values
    values = {shape.kind: points}
    if shape.kind == "capsule":
        values["radius"] = shape.radius
    if shape.kind == "chain":
        values.update(loop=shape.loop, side=shape.side)
    return values


def _joint(joint: Joint, scene: Scene) -> dict[str, Any]:
    values: dict[str, Any] = {
        "type": joint.kind,
        "bodies": (joint.body_a, joint.body_b),
        "anchors": (joint.anchor_a, joint.anchor_b),
    }
    if joint.kind in ("prismatic", "wheel"):
        values["axis"] = joint.axis
    if joint.limits is not None:
        values["limits"] = joint.limits
    if joint.limit_spring is not None:
        values["limit_spring"] = _spring(joint.limit_spring, scene)
    if math.isfinite(joint.max_force):
        values["max_force"] = joint.max_force
    if joint.stiff:
        values["stiff"] = True
    if joint.motor is not None:
        values["motor"] = _motor(joint.motor, joint.kind, scene)
    if joint.spring is not None:
        values["spring"] = _spring(joint.spring, scene)
    if joint.kind == "distance":
        values["length"] = joint.length
        for name in ("min_length", "max_length"):
            if getattr(joint, name) is not None:
                values[name] = getattr(joint, name)
        if joint.rope:
            values["rope"] = True
    if joint.collide:
        values["collide"] = True
    breaks = {
        "force": joint.break_force,
        "torque": joint.break_torque,
        "push_pull": joint.break_push_pull,
        "push": joint.break_push,
        "pull": joint.break_pull,
    }
    limits = {name: value for name, value in breaks.items() if math.isfinite(value)}
    if limits:
        values["break"] = limits
    if not joint.visible:
        values["visible"] = False
    return values


_ACTUATOR_FIELDS = (
    "at",
    "force",
    "torque",
    "speed",
    "max_torque",
    "brake",
    "direction",
    "friction",
    "max_force",
    "enabled",
    "start",
    "until",
    "visible",
)
_NEEDED = {"thruster": "force", "force": "force", "torque": "torque", "impulse": "impulse"}


def _actuator(actuator: Actuator) -> dict[str, Any]:
    kind = actuator.kind
    fields = _differences(actuator, Actuator("", kind, ()), _ACTUATOR_FIELDS)
    if kind == "impulse":
        names = {"force": "impulse", "torque": "angular_impulse"}
        fields = {names.get(name, name): value for name, value in fields.items()}
    if kind == "rotary_motor" and actuator.speed is None:
        fields["torque"] = actuator.torque
    if kind == "axial_friction" and actuator.friction is None:
        fields["max_force"] = actuator.max_force
    needed = _NEEDED.get(kind)
    if needed is not None and needed not in fields:
        fields[needed] = actuator.torque if needed == "torque" else actuator.force
    return {"type": kind, "bodies": actuator.bodies, **fields}


def _motor(motor: Motor, kind: str, scene: Scene) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if motor.speed is not None:
        values["speed"] = motor.speed
    if motor.position is not None:
        values["position"] = motor.position
    if motor.relative:
        values["relative"] = True
    if math.isfinite(motor.max_force):
        values["max_torque" if kind in TURNING else "max_force"] = motor.max_force
    if motor.spring is not None:
        values["spring"] = _spring(motor.spring, scene)
    if motor.stop_at_limits:
        values["stop_at_limits"] = True
    return values


def _spring(spring: Spring, scene: Scene) -> dict[str, Any]:
    if spring.frequency is None:
        return {"stiffness": spring.stiffness, "damping": spring.damping}
    frequency = _undivided(spring.frequency, scene.units.time_per_second)
    return {"frequency": frequency, "damping_ratio": spring.damping_ratio}


def _undivided(quotient: float, divisor: float) -> float:
    """A number that gives exactly this quotient."""
    guess = quotient * divisor
    candidates = [guess]
    for towards in (math.inf, -math.inf):
        near = guess
        for _ in range(4):
            near = math.nextafter(near, towards)
            candidates.append(near)
    return next((each for each in candidates if each / divisor == quotient), guess)


def _render(scene: Scene) -> dict[str, Any]:
    render = scene.render
    names = tuple(
        name for name in Render.__dataclass_fields__ if name not in ("background", "energy")
    )
    values = _differences(render, Render(), names)
    graph = tuple(EnergyGraph.__dataclass_fields__)
    energy = _differences(render.energy, EnergyGraph(), graph)
    if energy:
        values["energy"] = energy
    background = render.background
    if background is not None and background.color is not None:
        values["background"] = background.color
    elif background is not None and background.image is not None:
        folder = os.path.dirname(scene.path) or "."  # noqa: PTH120 - the path may be no file
        image = os.path.relpath(background.image, os.path.realpath(folder))
        values["background"] = {"image": image.replace(os.sep, "/"), "fit": background.fit}
    return values


def _expectation(expectation: Expectation) -> dict[str, Any]:
    if expectation.kind in ("always", "eventually"):
        return {expectation.kind: f"={expectation.that}"}
    at: Any = "end" if expectation.at is None else expectation.at
    if expectation.kind == "at":
        return {"at": at, "that": f"={expectation.that}"}
    values: dict[str, Any] = {"at": at, "body": expectation.body}
    for name, value in expectation.values.items():
        values[name] = value if len(value) > 1 else value[0]
    values["tolerance"] = expectation.tolerance
    return values
