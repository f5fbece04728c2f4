# SPDX-License-Identifier: MIT
"""Joints as display items: coils, ropes, rods, hinges, welds, rails.

Lines lie below the bodies they hold, pins on top of all.
"""

from __future__ import annotations

from math import sqrt

from ...scene.model import Joint, Scene
from ..canvas.colors import Color, mix
from ..canvas.display import WORLD, Layer
from ..canvas.theme import Theme
from .links import add_mesh, add_rope
from .outlines import inner_radius
from .sliders import add_pull, add_rail, add_suspension

PIN = 3.2
"""Radius of a hinge at picture size ``unit`` 1, in pixels."""


def joint_layers(scene: Scene, theme: Theme, scale: float, unit: float) -> list[Layer]:
    rows = {name: row for row, name in enumerate(scene.bodies)}
    layers: list[Layer] = []
    for index, joint in enumerate(scene.joints.values()):
        if not joint.visible:
            continue
        ends = (rows.get(joint.body_a, WORLD), rows.get(joint.body_b, WORLD))
        if joint.kind == "distance":
            layers.append(_distance(joint, index, ends, scene, theme, scale, unit))
        elif joint.kind in ("prismatic", "wheel", "mouse"):
            layers.append(_slider(joint, index, ends, scene, theme, scale, unit))
        if joint.kind in ("gear", "rack"):
            layers.append(add_mesh(joint, index, ends, scene, theme, scale, unit))
            continue
        if joint.kind == "pulley":
            layers.append(add_rope(joint, index, ends, scene, theme, unit))
        pins = Layer((1e300, float(index)), needs=ends, joint=index)
        _add_pins(pins, joint, ends, scene, theme, scale, unit)
        layers.append(pins)
    return layers


def _distance(
    joint: Joint,
    index: int,
    ends: tuple[int, int],
    scene: Scene,
    theme: Theme,
    scale: float,
    unit: float,
) -> Layer:
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


def _slider(
    joint: Joint,
    index: int,
    ends: tuple[int, int],
    scene: Scene,
    theme: Theme,
    scale: float,
    unit: float,
) -> Layer:
    """Items of a joint along a line besides its pins; suspensions are in front of the wheels."""
    if joint.kind == "mouse":
        layer = Layer((1e299, float(index)), needs=ends, joint=index)
        add_pull(layer, joint, ends, theme, unit)
        return layer
    size = _room((ends[1], WORLD) if ends[1] != WORLD else ends, scene)
    if joint.kind == "prismatic":
        layer = Layer(_below(ends, scene), needs=ends, joint=index)
        add_rail(layer, joint, ends, theme, size, scale, unit)
        return layer
    layer = Layer((1e299, float(index)), needs=ends, joint=index)
    add_suspension(layer, joint, ends, theme, size, scale, unit)
    return layer


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


def _add_pins(
    layer: Layer,
    joint: Joint,
    ends: tuple[int, int],
    scene: Scene,
    theme: Theme,
    scale: float,
    unit: float,
) -> None:
    radius = min(PIN * unit, 0.7 * _room(ends, scene) * scale)
    radius = max(radius, 1.2)
    if joint.kind in ("revolute", "ratchet"):
        center: Color = theme.joint if joint.motor is not None else theme.paper
        layer.items.add(
            "circle",
            [joint.anchor_a],
            center,
            radius=radius,
            outline=min(1.3 * unit, 0.5 * radius),
            stroke=theme.joint,
        )
        layer.own(ends[0])
    elif joint.kind in ("prismatic", "wheel"):
        center = theme.joint if joint.motor is not None else theme.paper
        layer.items.add(
            "circle",
            [joint.anchor_b],
            center,
            radius=0.8 * radius,
            outline=min(1.1 * unit, 0.4 * radius),
            stroke=theme.joint,
        )
        layer.own(ends[1])
    elif joint.kind == "weld":
        layer.items.add("circle", [joint.anchor_a], theme.joint, radius=0.6 * radius)
        layer.own(ends[0])
    else:
        for point, row in ((joint.anchor_a, ends[0]), (joint.anchor_b, ends[1])):
            layer.items.add("circle", [point], theme.joint, radius=max(0.6 * radius, 1.2))
            layer.own(row)


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
