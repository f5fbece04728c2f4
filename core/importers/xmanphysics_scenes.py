"""One physics scene of document 000's engine, put into a draft."""

from __future__ import annotations

from .places import Value
from .xmanphysics_actuators import add_actuators
from .xmanphysics_bodies import add_body
from .xmanphysics_joints import add_joints
from .xmanphysics_values import Bodies


def add_scene(bodies: Bodies, scene: Value, step: float, prefix: str) -> None:
    """Its bodies, whose names begin with the prefix, joints and actuators."""
    bodies.begin()
    for each in scene.items("Bodies"):
        add_body(bodies, each, prefix)
    add_joints(bodies, scene, step)
    add_actuators(bodies, scene)
