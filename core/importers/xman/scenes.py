# SPDX-License-Identifier: MIT
"""One physics scene of document 000's engine, put into a draft."""

from __future__ import annotations

from ...errors import SceneError
from ..drafts.json_places import parse
from ..drafts.places import Value, check_size
from .actuators import add_actuators
from .bodies import add_body
from .joints import add_joints
from .values import XmanBodies


def scene_of(item: Value, name: str = "PhysicSceneData") -> Value | None:
    """The physics scene of an item or a prototype: an object, or JSON inside JSON."""
    held = item.get(name)
    if held is None or not isinstance(held.data, str):
        return held
    try:
        scene = Value(parse(held.data, held.source.file), held.source, held.steps)
    except SceneError as error:
        inner = error.problems[0]
        place = f"at {inner.line}:{inner.column} of the text"
        raise held.fail(inner.kind, f"{inner.message}, {place}") from None
    check_size(scene)
    return scene


def add_scene(bodies: XmanBodies, scene: Value, step: float, prefix: str) -> None:
    """Its bodies, whose names begin with the prefix, joints and actuators."""
    bodies.begin()
    for each in scene.items("Bodies"):
        add_body(bodies, each, prefix)
    add_joints(bodies, scene, step)
    add_actuators(bodies, scene)
