# SPDX-License-Identifier: MIT
"""Copies of one prototype, made by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ... import _native
from ...scene.basis import Fragment
from ...scene.blocks.placing.placer import Placer
from ...scene.event_model import Prototype
from ...scene.model import Actuator, Body, Emitter, Joint, Scene
from .assembly import build_rows

Motion = tuple[float, float, float, float, float]
"""The position and motion of a body: x, y, angle, vx and vy. All else is the mould's."""


def mould_of(scene: Scene, bodies: Sequence[Body]) -> _native.Mould:
    """The mould of these bodies, one copy of a prototype; joints are passed separately."""
    rows = build_rows(scene, bodies, (), {body.name: i for i, body in enumerate(bodies)}, {})
    del rows["joints"]
    return _native.Mould(**rows)


def motions_of(bodies: Iterable[Body]) -> list[Motion]:
    """Data of each copy."""
    return [(*body.position, body.angle, *body.velocity) for body in bodies]


def placed_copies(parts: Prototype | Fragment, placers: Iterable[Placer]) -> Fragment:
    """Copies of a prototype or fragment, one by each placer."""
    bodies: dict[str, Body] = {}
    joints: dict[str, Joint] = {}
    actuators: dict[str, Actuator] = {}
    particles: dict[str, Emitter] = {}
    for placer in placers:
        for part in parts.bodies.values():
            body = placer.body(part)
            bodies[body.name] = body
        for each in parts.joints.values():
            joint = placer.joint(each, bodies)
            joints[joint.name] = joint
        for acts in parts.actuators.values():
            actuator = placer.actuator(acts)
            actuators[actuator.name] = actuator
        for emits in parts.particles.values():
            emitter = placer.emitter(emits)
            particles[emitter.name] = emitter
    return Fragment(bodies, joints, actuators, particles)


def prefixed(prefix: str, name: str) -> str:
    """The name in the world of a part of a copy."""
    return name if name == "world" else prefix + name
