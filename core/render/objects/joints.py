# SPDX-License-Identifier: MIT
"""Joints as display items: coils, ropes, rods, hinges, welds, rails.

Lines lie below the bodies they hold, pins on top of all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from ...scene.blocks.joints.types import JOINT_TYPES
from ...scene.model import Joint, Scene
from ..canvas.colors import Color, mix
from ..canvas.display import WORLD, Layer
from ..canvas.theme import Theme
from .links import Ends, add_mesh, add_rope
from .outlines import inner_radius
from .sliders import add_pull, add_rail, add_suspension

PIN = 3.2
"""Radius of a hinge at picture size ``unit`` 1, in pixels."""


@dataclass(frozen=True)
class _Picture:
    """The drawing settings of the joints of a scene; ``scale`` is pixels per length."""

    scene: Scene
    theme: Theme
    scale: float
    unit: float


def joint_layers(scene: Scene, theme: Theme, scale: float, unit: float) -> list[Layer]:
    rows = {name: row for row, name in enumerate(scene.bodies)}
    picture = _Picture(scene, theme, scale, unit)
    layers: list[Layer] = []
    for index, joint in enumerate(scene.joints.values()):
        if not joint.visible:
            continue
        ends = (rows.get(joint.body_a, WORLD), rows.get(joint.body_b, WORLD))
        drawing = DRAWINGS[JOINT_TYPES[joint.kind].drawing]
        if drawing.lines is not None:
            layers.append(drawing.lines(joint, index, ends, picture))
        if drawing.pins is not None:
            pins = Layer((1e300, float(index)), needs=ends, joint=index)
            drawing.pins(pins, joint, ends, picture)
            layers.append(pins)
    return layers


def _rod(joint: Joint, index: int, ends: Ends, picture: _Picture) -> Layer:
    """A rod, a rope or a coil between two points."""
    scene, theme, scale, unit = picture.scene, picture.theme, picture.scale, picture.unit
    layer = Layer(_below(ends, scene), needs=ends, joint=index)
    points = [joint.anchor_a, joint.anchor_b]
    if joint.spring is not None:
        amplitude = min(max(0.09 * joint.length * scale, 3.0 * unit), 8.0 * unit)
        turns = min(max(round(joint.length * scale / (9.0 * unit)), 4), 14)
        layer.items.add(
            "coil", points, theme.joint, radius=0.75 * unit, a=float(turns), b=amplitude
        )
    elif joint.rope:
        length = joint.max_length if joint.max_length is not None else joint.length
        down = _down(scene)
        layer.items.add(
            "rope",
            points,
            theme.rope,
            radius=0.85 * unit,
            a=min(length * scale, 1e9),
            b=down[0],
            c=down[1],
        )
    else:
        fill = mix(theme.joint, theme.paper, 0.55)
        layer.items.add(
            "path", points, fill, radius=1.9 * unit, outline=0.9 * unit, stroke=theme.joint
        )
    layer.own(ends[0])
    layer.owners[-1] = ends[1]
    return layer


def _rail(joint: Joint, index: int, ends: Ends, picture: _Picture) -> Layer:
    scene = picture.scene
    layer = Layer(_below(ends, scene), needs=ends, joint=index)
    size = _slider_room(ends, scene)
    add_rail(layer, joint, ends, picture.theme, size, picture.scale, picture.unit)
    return layer


def _suspension(joint: Joint, index: int, ends: Ends, picture: _Picture) -> Layer:
    """A suspension, in front of the wheel."""
    layer = Layer((1e299, float(index)), needs=ends, joint=index)
    size = _slider_room(ends, picture.scene)
    add_suspension(layer, joint, ends, picture.theme, size, picture.scale, picture.unit)
    return layer


def _pull(joint: Joint, index: int, ends: Ends, picture: _Picture) -> Layer:
    layer = Layer((1e299, float(index)), needs=ends, joint=index)
    add_pull(layer, joint, ends, picture.theme, picture.unit)
    return layer


def _mesh(joint: Joint, index: int, ends: Ends, picture: _Picture) -> Layer:
    scene, theme, scale, unit = picture.scene, picture.theme, picture.scale, picture.unit
    return add_mesh(joint, index, ends, scene, theme, scale, unit)


def _rope(joint: Joint, index: int, ends: Ends, picture: _Picture) -> Layer:
    return add_rope(joint, index, ends, picture.scene, picture.theme, picture.unit)


def _below(ends: tuple[int, int], scene: Scene) -> tuple[float, float]:
    """Just below the first body of the two that is not fixed."""
    bodies = list(scene.bodies.values())
    held = [row for row in ends if row != WORLD]
    loose = [row for row in held if bodies[row].kind != "static"] or held
    if not loose:
        return (0.0, -0.5)
    row = min(loose, key=lambda candidate: (bodies[candidate].z, candidate))
    return (bodies[row].z, row - 0.5)


def _down(scene: Scene) -> tuple[float, float]:
    """The direction of gravity in pixels, or down where there is none."""
    x, y = scene.world.gravity
    y = y if scene.units.y_down else -y
    length = sqrt(x * x + y * y)
    return (x / length, y / length) if length > 0.0 else (0.0, 1.0)


def _radius(ends: Ends, picture: _Picture) -> float:
    """Return the radius of a pin."""
    radius = min(PIN * picture.unit, 0.7 * _room(ends, picture.scene) * picture.scale)
    return max(radius, 1.2)


def _hinge_pin(layer: Layer, joint: Joint, ends: Ends, picture: _Picture) -> None:
    theme, radius = picture.theme, _radius(ends, picture)
    center: Color = theme.joint if joint.motor is not None else theme.paper
    layer.items.add(
        "circle",
        [joint.anchor_a],
        center,
        radius=radius,
        outline=min(1.3 * picture.unit, 0.5 * radius),
        stroke=theme.joint,
    )
    layer.own(ends[0])


def _slider_pin(layer: Layer, joint: Joint, ends: Ends, picture: _Picture) -> None:
    theme, radius = picture.theme, _radius(ends, picture)
    center = theme.joint if joint.motor is not None else theme.paper
    layer.items.add(
        "circle",
        [joint.anchor_b],
        center,
        radius=0.8 * radius,
        outline=min(1.1 * picture.unit, 0.4 * radius),
        stroke=theme.joint,
    )
    layer.own(ends[1])


def _weld_pin(layer: Layer, joint: Joint, ends: Ends, picture: _Picture) -> None:
    radius = 0.6 * _radius(ends, picture)
    layer.items.add("circle", [joint.anchor_a], picture.theme.joint, radius=radius)
    layer.own(ends[0])


def _end_pins(layer: Layer, joint: Joint, ends: Ends, picture: _Picture) -> None:
    radius = max(0.6 * _radius(ends, picture), 1.2)
    for point, row in ((joint.anchor_a, ends[0]), (joint.anchor_b, ends[1])):
        layer.items.add("circle", [point], picture.theme.joint, radius=radius)
        layer.own(row)


def _slider_room(ends: Ends, scene: Scene) -> float:
    """How large the body that slides is."""
    return _room((ends[1], WORLD) if ends[1] != WORLD else ends, scene)


def _room(ends: tuple[int, int], scene: Scene) -> float:
    """How thick the thinner of the two bodies is, so that a pin does not hide it."""
    bodies = list(scene.bodies.values())
    sizes = [
        max((inner_radius(shape) for shape in bodies[row].shapes), default=0.0)
        for row in ends
        if row != WORLD
    ]
    sizes = [size for size in sizes if size > 0.0]
    return min(sizes) if sizes else scene.world.length_unit


class JointDrawing(NamedTuple):
    """The appearance of joints of a type: the connection of the bodies, and the pins on top."""

    lines: Callable[[Joint, int, Ends, _Picture], Layer] | None = None
    pins: Callable[[Layer, Joint, Ends, _Picture], None] | None = None


DRAWINGS = {
    "hinge": JointDrawing(pins=_hinge_pin),
    "weld": JointDrawing(pins=_weld_pin),
    "rod": JointDrawing(_rod, _end_pins),
    "rail": JointDrawing(_rail, _slider_pin),
    "suspension": JointDrawing(_suspension, _slider_pin),
    "mesh": JointDrawing(_mesh),
    "rope": JointDrawing(_rope, _end_pins),
    "pull": JointDrawing(_pull, _end_pins),
}
"""By ``JointSpec.drawing``."""
