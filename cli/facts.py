# SPDX-License-Identifier: MIT
"""Facts about a scene before it runs: counts, masses, extents."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict
from typing import Any

from rigid2d.core.scene.model import Body, Material, Scene
from rigid2d.core.scene.values import portable_math

Box = tuple[float, float, float, float]
"""Left, bottom, right, top; bottom is the smaller y."""


def facts(scene: Scene) -> dict[str, Any]:
    """Everything `rigid info` shows, as plain data."""
    return {
        "path": scene.path,
        "name": scene.name,
        "description": scene.description.strip(),
        "tags": list(scene.tags),
        "hash": scene.hash,
        "units": asdict(scene.units),
        "world": _world(scene),
        "bodies": _bodies(scene),
        "joints": dict(Counter(joint.kind for joint in scene.joints.values())),
        "actuators": dict(Counter(each.kind for each in scene.actuators.values())),
        "masses": _masses(scene),
        "extent": _extent(scene),
        "collision": {"categories": list(scene.collision.categories)},
        "materials": {name: _material(scene, name) for name in scene.materials},
        "vars": dict(scene.vars),
        "expect": len(scene.expect),
        "render": {
            "size": list(scene.render.size),
            "fps": scene.render.fps,
            "theme": scene.render.theme,
            "overlays": list(scene.render.overlays),
            "camera": scene.camera.mode,
        },
    }


def _world(scene: Scene) -> dict[str, Any]:
    world = scene.world
    return {
        "gravity": list(world.gravity),
        "dt": world.dt,
        "steps": world.steps,
        "duration": world.steps * world.dt,
        "seconds": world.steps * world.dt / scene.units.time_per_second,
        "solver": world.solver.kind,
        "substeps": world.solver.substeps,
        "iterations": world.solver.iterations,
        "seed": world.seed,
        "sleep": world.sleep,
        "length_unit": world.length_unit,
        "bounds": world.bounds,
    }


def _bodies(scene: Scene) -> dict[str, Any]:
    shapes = [shape for body in scene.bodies.values() for shape in body.shapes]
    return {
        "all": len(scene.bodies),
        "kinds": dict(Counter(body.kind for body in scene.bodies.values())),
        "shapes": dict(Counter(shape.source for shape in shapes)),
        "sensors": sum(shape.sensor for shape in shapes),
    }


def _material(scene: Scene, name: str) -> dict[str, Any]:
    fields = asdict(scene.materials[name])
    del fields["name"]
    fields["bodies"] = sum(
        any(shape.material.name == name for shape in body.shapes) for body in scene.bodies.values()
    )
    return fields


MATERIAL_COLUMNS = tuple(
    field for field in Material.__dataclass_fields__ if field not in ("name", "color", "outline")
)


def _masses(scene: Scene) -> dict[str, Any] | None:
    """Masses of the dynamic bodies, as the engine works them out; None when there are none."""
    from rigid2d.core.world import build

    masses = build(scene).native.mass[1:].tolist()
    named = [
        (mass, name)
        for mass, (name, body) in zip(masses, scene.bodies.items(), strict=True)
        if body.kind == "dynamic"
    ]
    if not named:
        return None
    (light, lightest), (heavy, heaviest) = min(named), max(named)
    return {
        "total": math.fsum(mass for mass, _ in named),
        "lightest": {"body": lightest, "mass": light},
        "heaviest": {"body": heaviest, "mass": heavy},
        "ratio": heavy / light if light > 0 else math.inf,
    }


def _extent(scene: Scene) -> dict[str, Any] | None:
    """The box around everything at the start, and the smallest and largest moving body."""
    boxes = {name: box for name, body in scene.bodies.items() if (box := _box(body)) is not None}
    if not boxes:
        return None
    moving = [
        (math.hypot(box[2] - box[0], box[3] - box[1]), name)
        for name, box in boxes.items()
        if scene.bodies[name].kind == "dynamic"
    ]
    left, bottom, right, top = (
        pick(box[i] for box in boxes.values()) for i, pick in enumerate((min, min, max, max))
    )
    result: dict[str, Any] = {"x": [left, right], "y": [bottom, top]}
    if moving:
        (small, smallest), (large, largest) = min(moving), max(moving)
        result["smallest"] = {"body": smallest, "diagonal": small}
        result["largest"] = {"body": largest, "diagonal": large}
    return result


def _box(body: Body) -> Box | None:
    """The box around a body's shapes at the start, in world coordinates."""
    cosine, sine = portable_math.cos(body.angle), portable_math.sin(body.angle)
    x, y = body.position
    corners = [
        (x + cosine * px - sine * py, y + sine * px + cosine * py, shape.radius)
        for shape in body.shapes
        if shape.kind != "half_space"
        for px, py in shape.points
    ]
    if not corners:
        return None
    return (
        min(px - r for px, _, r in corners),
        min(py - r for _, py, r in corners),
        max(px + r for px, _, r in corners),
        max(py + r for _, py, r in corners),
    )
