# SPDX-License-Identifier: MIT
"""Passive worlds by a grammar: nothing drives them, and they begin without overlaps and errors."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

from .numbers import decimal, log_uniform, often_none, turned
from .ties import add_ties

WALLS = ("floor", "ceiling", "left", "right")
MOST_SPEED, MOST_SPIN = 500.0, 2000.0  # m/s and degrees/s
WORK = 4000  # substeps of soft_step, or twelfths of iterations of sequential_impulse, of a world


@dataclass(slots=True)
class Plan:
    """A world while it is made.

    Attributes:
        reach: half the width and height of where bodies may begin.
        bodies: the entries of the scene.
        places: centre and radius of the circle about each body.
        joints: theirs.
    """

    setting: str
    reach: float
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)
    joints: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: dict[str, tuple[float, float, float]] = field(default_factory=dict)

    def is_free(self, x: float, y: float, radius: float, but: str = "") -> bool:
        """Whether a circle lies within reach and meets no other one but one."""
        if self.setting != "free" and max(abs(x), abs(y)) + radius > self.reach:
            return False
        return all(
            name == but or math.hypot(x - px, y - py) > radius + r + 0.001
            for name, (px, py, r) in self.places.items()
        )


def a_world(choose: random.Random) -> dict[str, Any]:
    """A scene as plain data."""
    setting = choose.choice(["free", "free", "floor", "box"])
    plan = Plan(setting, decimal(choose.uniform(2.5, 10)))
    count = choose.choice([1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10])
    if setting != "free" and choose.random() < 0.2:
        _stack(choose, plan, count)
    else:
        _strew(choose, plan, count, choose.choice([0.0, 0.5, 1.0, 1.0]))
    add_ties(choose, plan.bodies, plan.joints, plan.places, setting)
    return {
        "rigid": 1,
        "world": _settings(choose, setting),
        "bodies": {**plan.bodies, **_walls(choose, plan)},
        **({"joints": plan.joints} if plan.joints else {}),
    }


# ---------------------------------------------------------------- bodies


def _strew(choose: random.Random, plan: Plan, count: int, tied: float) -> None:
    """Bodies anywhere, and beside others that joints will tie them to."""
    for i in range(count):
        shape, radius = _shape(choose)
        beside = choose.choice([*plan.places]) if plan.places and choose.random() < tied else ""
        for _ in range(20):
            if beside:
                px, py, other = plan.places[beside]
                way = turned(choose, (radius + other) * choose.uniform(0.3, 1.1))
                x, y = decimal(px + way[0]), decimal(py + way[1])
            else:
                x, y = (decimal(choose.uniform(-plan.reach, plan.reach)) for _ in "xy")
            if plan.is_free(x, y, radius, beside):
                name = f"b{i}"
                plan.places[name] = x, y, radius
                plan.bodies[name] = _body(choose, shape, x, y)
                if choose.random() < 0.5:
                    plan.bodies[name]["angle"] = decimal(choose.uniform(-180, 180))
                if beside:
                    plan.joints[f"t{i}"] = {"bodies": [beside, name]}
                break


def _stack(choose: random.Random, plan: Plan, count: int) -> None:
    """Boxes and discs on each other, from the floor."""
    x, top = 0.0, -plan.reach
    for i in range(count):
        half = round(choose.uniform(0.1, 0.6), 2)
        size = round(2 * half, 2)
        shape = choose.choice([{"circle": half}, {"box": [size, size]}, {"box": [4 * half, size]}])
        if top + 4 * half > plan.reach:
            break
        y = round(top + half, 4)
        plan.places[f"b{i}"] = x, y, half * (1 if "circle" in shape else math.sqrt(5))
        plan.bodies[f"b{i}"] = _body(choose, shape, x, y, at_rest=0.6)
        top = round(top + size, 4)


def _body(
    choose: random.Random, shape: dict[str, Any], x: float, y: float, at_rest: float = 0.25
) -> dict[str, Any]:
    body: dict[str, Any] = {"shape": shape, "position": [x, y]}
    body["mass"] = decimal(log_uniform(choose, 1e-3, 1e4))
    if choose.random() >= at_rest:
        way = turned(choose, log_uniform(choose, 0.01, MOST_SPEED))
        body["velocity"] = [decimal(each) for each in way]
        if choose.random() < 0.7:
            spin = log_uniform(choose, 1, MOST_SPIN) * choose.choice([-1, 1])
            body["angular_velocity"] = decimal(spin)
    body["restitution"] = decimal(choose.choice([0, 0, 1, 1, choose.random()]))
    body["friction"] = decimal(choose.choice([0, 0.6, 1, choose.random()]))
    if choose.random() < 0.1:
        body["bullet"] = True
    return body


def _shape(choose: random.Random) -> tuple[dict[str, Any], float]:
    """A shape about its origin, and the radius of a circle about it."""
    size = decimal(log_uniform(choose, 0.1, 1))
    kind = choose.choice(["circle", "circle", "box", "bar", "capsule", "polygon"])
    if kind == "circle":
        return {"circle": size}, size
    if kind == "box":
        wide, high = decimal(2 * size), decimal(size * choose.uniform(0.2, 2))
        return {"box": [wide, high]}, math.hypot(wide, high) / 2
    if kind == "bar":
        bar = [decimal(choose.choice([0.02, 0.05, 0.1])), decimal(2 * size)]
        return {"box": bar[:: choose.choice([-1, 1])]}, math.hypot(*bar) / 2
    if kind == "capsule":
        half, radius = decimal(size), decimal(size * choose.uniform(0.1, 0.8))
        return {"capsule": [[-half, 0], [half, 0]], "radius": radius}, half + radius
    sides = choose.randint(3, 8)
    shift = choose.random()
    turns = [2 * math.pi * (i + shift) / sides for i in range(sides)]
    wide = choose.uniform(0.4, 1)
    points = [[decimal(size * math.cos(t)), decimal(size * wide * math.sin(t))] for t in turns]
    return {"polygon": points}, size + 1e-3


# ---------------------------------------------------------------- the world


def _settings(choose: random.Random, setting: str) -> dict[str, Any]:
    kind = choose.choice(["soft_step", "sequential_impulse"])
    solver: dict[str, Any] = {"type": kind}
    if kind == "soft_step":
        parts = choose.choice([1, 2, 4, 4, 8, 16])
        solver["substeps"] = cost = parts
    else:
        solver["iterations"] = choose.choice([1, 4, 10, 10, 30, 100])
        cost = 1 + solver["iterations"] // 12
    joints = choose.choice(["auto", "direct", "iterative"])
    if joints != "auto":
        solver["joints"] = joints
    rate = choose.choice([30, 60, 60, 120, 240, 480, 960])
    steps = min(500, WORK // cost, math.ceil(rate * log_uniform(choose, 0.3, 8)))
    weight = choose.choice([9.81, 9.81, decimal(log_uniform(choose, 1, 50))])
    has_weight = choose.random() < {"free": 0.25, "floor": 1, "box": 0.6}[setting]
    return {
        "gravity": [0, -weight] if has_weight else [0, 0],
        "dt": f"=1/{rate}",
        "steps": steps,
        "sleep": setting != "free" and choose.random() < 0.3,
        "solver": solver,
    }


def _walls(choose: random.Random, plan: Plan) -> dict[str, dict[str, Any]]:
    reach, thick = plan.reach, choose.choice([0.2, 1.0])
    away = round(reach + thick / 2, 6)
    common = {
        "type": "static",
        "restitution": choose.choice([0, 1, decimal(choose.random())]),
        "friction": often_none(choose, 0.6),
    }
    if plan.setting == "free":
        return {}
    wide = round(2 * reach + 2 * thick, 6)
    long = 400 if plan.setting == "floor" else wide
    walls = {"floor": {"shape": {"box": [long, thick]}, "position": [0, -away], **common}}
    if plan.setting == "box":
        walls["ceiling"] = {"shape": {"box": [wide, thick]}, "position": [0, away], **common}
        walls["left"] = {"shape": {"box": [thick, wide]}, "position": [-away, 0], **common}
        walls["right"] = {"shape": {"box": [thick, wide]}, "position": [away, 0], **common}
    return walls
