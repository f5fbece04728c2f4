# SPDX-License-Identifier: MIT
"""Writes a body as a fully evaluated scene file has it, and for the hash of its motion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...building.writing import differences, named_file
from ...model import Body, InnerScene, Material, Scene, Shape, Texture
from .materials import SURFACE
from .shape_types import write_outline

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


def write_body(body: Body, scene: Scene) -> dict[str, Any]:
    values: dict[str, Any] = {"type": body.kind}
    shapes = [_shape(shape, body, scene) for shape in body.shapes]
    if len(shapes) == 1:
        values["shape"] = shapes[0]
    else:
        values["shapes"] = shapes
    values.update(differences(body, Body(name=""), _BODY_FIELDS))
    world = scene.world
    for name in ("linear_damping", "angular_damping"):
        if getattr(body, name) != getattr(world, name):
            values[name] = getattr(body, name)
    if body.trail is not None:
        values["trail"] = {"length": body.trail.length}
        if body.trail.color is not None:
            values["trail"]["color"] = body.trail.color
    if body.texture is not None:
        values["texture"] = _texture(body.texture, scene)
    return values


def _texture(texture: Texture, scene: Scene) -> dict[str, Any]:
    inner = texture.inner
    is_sheet = texture.grid != (1, 1)
    source = "scene" if inner is not None else "sheet" if is_sheet else "file"
    values: dict[str, Any] = {source: named_file(texture.file, scene)}
    place = "offset", "size", "angle", "mirror", "along", "clip", "z"
    look = "tint", "color_key", "grid", "loop"
    values |= differences(texture, Texture(""), (*place, *look))
    values["tile"] = texture.tile
    if texture.mirror_while:
        values["mirror_while"] = f"={texture.mirror_while}"
    if isinstance(texture.frame, str):
        values["frame"] = f"={texture.frame}"
    elif texture.frame is not None:
        values["frame"] = texture.frame
    elif inner is not None:
        values |= _inner(inner, scene)
    elif is_sheet:
        values["fps"] = texture.fps
    return values


def _inner(inner: InnerScene, scene: Scene) -> dict[str, Any]:
    unit = scene.units.time_per_second
    return {
        "start": inner.start * unit,
        "duration": inner.duration * unit,
        "speed": inner.speed,
        "fps": inner.fps,
        "pixels": inner.size,
    }


def _shape(shape: Shape, body: Body, scene: Scene) -> dict[str, Any]:
    values = write_outline(shape)
    if shape.sensor:
        values["sensor"] = True
    if shape.one_way is not None:
        values["one_way"] = shape.one_way
    if shape.category != body.category:
        values["category"] = shape.category
    named = scene.materials.get(shape.material.name)
    if named is not None:
        values["material"] = named.name
    values.update(differences(shape.material, named or Material(), SURFACE))
    return values


def _hashed_shape(shape: Shape) -> tuple[object, ...]:
    material = shape.material
    return (
        shape.kind,
        shape.points,
        shape.radius,
        material.density,
        material.friction,
        material.restitution,
        material.rolling_resistance,
        material.tangent_speed,
        shape.sensor,
        shape.category,
        shape.loop,
        shape.side,
        *((shape.one_way,) if shape.one_way is not None else ()),
        *((shape.holes,) if shape.holes else ()),
    )


def _hashed_body(body: Body) -> str:
    return repr(
        (
            body.name,
            body.kind,
            body.position,
            body.angle,
            body.velocity,
            body.angular_velocity,
            body.mass,
            body.inertia,
            body.center_of_mass,
            body.fixed_rotation,
            body.linear_damping,
            body.angular_damping,
            body.gravity_scale,
            body.bullet,
            body.sleep,
            body.awake,
            body.collide,
        )
    )


def hash_bodies(scene: Scene) -> Iterator[bytes]:
    """The part of each body in the hash of a scene."""
    shapes: dict[int, str] = {}
    for body in scene.bodies.values():
        key = id(body.shapes)
        text = shapes.get(key)
        if text is None:
            text = shapes[key] = repr([_hashed_shape(shape) for shape in body.shapes])
        yield _hashed_body(body).encode()
        yield text.encode()
