# SPDX-License-Identifier: MIT
"""Links between joints or bodies: pitch circles of gears and racks, ropes of pulleys."""

from __future__ import annotations

from ...scene.blocks.places import to_world
from ...scene.model import WORLD as FRAME
from ...scene.model import Joint, Scene
from ...scene.values.portable_math import hypot
from ..canvas.colors import mix
from ..canvas.display import CLEAR, WORLD, Layer
from ..canvas.theme import Theme

Ends = tuple[int, int]


def add_mesh(
    joint: Joint,
    index: int,
    ends: Ends,
    scene: Scene,
    theme: Theme,
    scale: float,
    unit: float,
) -> Layer:
    """The circles along which two wheels roll on each other; a line where they turn alike."""
    layer = Layer((1e299, float(index)), needs=ends, joint=index)
    color = mix(theme.joint, theme.paper, 0.45)
    if joint.kind == "rack":
        radius = abs(joint.ratio) * scale
        layer.items.add(
            "circle", [joint.anchor_a], CLEAR, radius=radius, outline=1.4 * unit, stroke=color
        )
        layer.own(ends[0])
        return layer
    if joint.ratio < 0.0 or joint.coaxial:
        layer.items.add("path", [joint.anchor_a, joint.anchor_b], color, radius=0.9 * unit)
        layer.own(ends[0])
        layer.owners[-1] = ends[1]
        return layer
    a, b = (
        to_world(scene.bodies.get(body, FRAME), anchor)
        for body, anchor in ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b))
    )
    first = hypot(b[0] - a[0], b[1] - a[1]) / (1.0 + joint.ratio)
    for anchor, end, radius in (
        (joint.anchor_a, ends[0], first),
        (joint.anchor_b, ends[1], joint.ratio * first),
    ):
        layer.items.add(
            "circle", [anchor], CLEAR, radius=radius * scale, outline=1.4 * unit, stroke=color
        )
        layer.own(end)
    return layer


def add_rope(
    joint: Joint, index: int, ends: Ends, scene: Scene, theme: Theme, unit: float
) -> Layer:
    """A pulley's rope, and the wheels over which it runs."""
    layer = Layer((1e299, float(index)), needs=ends, joint=index)
    assert joint.ground_anchors is not None
    first, second = joint.ground_anchors
    points = [joint.anchor_a, first, second, joint.anchor_b]
    layer.items.add("path", points, theme.rope, radius=0.85 * unit)
    layer.owners.extend([ends[0], WORLD, WORLD, ends[1]])
    for wheel in joint.ground_anchors:
        layer.items.add(
            "circle", [wheel], theme.paper, radius=4.0 * unit, outline=unit, stroke=theme.joint
        )
        layer.own(WORLD)
    return layer
