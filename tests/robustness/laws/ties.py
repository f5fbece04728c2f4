# SPDX-License-Identifier: MIT
"""Joints of passive worlds: of all types, with springs, limits and motors that hold still.

They begin as they want to be: anchors together, within their limits; only springs may be stretched.
"""

from __future__ import annotations

import math
import random
from typing import Any

from .numbers import decimal, log_uniform, turned

Entry = dict[str, Any]
Place = tuple[float, float, float]
KINDS = ["revolute", "revolute", "distance", "distance", "weld", "prismatic", "wheel", "ratchet"]


def add_ties(
    choose: random.Random,
    bodies: dict[str, Entry],
    joints: dict[str, Entry],
    places: dict[str, Place],
    setting: str,
) -> None:
    """Complete the joints whose bodies are chosen, and add others, to the world too."""
    names = [*bodies]
    if joints and len(names) > 2 and choose.random() < 0.3:
        joints["loop"] = {"bodies": choose.sample(names, 2)}
    if joints and choose.random() < (0.15 if setting == "free" else 0.4):
        for name in choose.sample(names, choose.randint(1, min(2, len(names)))):
            joints[f"w_{name}"] = {"bodies": ["world", name]}
    alone = {"box": 0.2, "floor": 0.2, "free": 0.02}[setting]
    if not joints and choose.random() < alone:
        joints["w"] = {"bodies": ["world", choose.choice(names)]}
    if not joints:
        return
    kinds = choose.choice([KINDS, KINDS, KINDS, [choose.choice(KINDS)]])
    for entry in joints.values():
        _complete(choose, entry, choose.choice(kinds), places)
    _add_links(choose, joints)
    if len(names) > 1 and choose.random() < 0.06:
        joints["rope"] = _pulley(choose, *choose.sample(names, 2), places)


def _complete(choose: random.Random, entry: Entry, kind: str, places: dict[str, Place]) -> None:
    pair = entry["bodies"]
    entry["type"] = kind
    if kind == "distance":
        _distance(choose, entry, [places.get(name) for name in pair])
        return
    entry["anchor"] = _anchor(choose, [places[name] for name in pair if name in places])
    if kind in ("prismatic", "wheel"):
        entry["axis"] = [decimal(each) for each in turned(choose, 1)]
        _limits(choose, entry, 2.0)
    if kind == "revolute":
        _limits(choose, entry, 150.0)
    if kind == "ratchet":
        entry["teeth"] = choose.choice([4, 12, 60])
        entry["direction"] = choose.choice(["positive", "negative"])
        if choose.random() < 0.3:
            entry["slip_torque"] = decimal(log_uniform(choose, 0.01, 1e4))
    elif choose.random() < (0.7 if kind == "wheel" else 0.45):
        entry["spring"] = a_spring(choose)
    if kind != "weld" and choose.random() < 0.2:
        _motor(choose, entry, "max_force" if kind == "prismatic" else "max_torque")


def a_spring(choose: random.Random) -> Entry:
    """From soft to far stiffer than steps can follow, undamped to heavily damped."""
    ratio = choose.choice([0.0, 5.0, log_uniform(choose, 0.01, 5)])
    return {
        "frequency": decimal(log_uniform(choose, 0.1, 1000), 3),
        "damping_ratio": decimal(ratio, 2),
    }


def _anchor(choose: random.Random, there: list[Place]) -> list[float]:
    """A centre, the middle between two, or a point on or near one of them."""
    x, y, radius = choose.choice(there)
    way = choose.choice(["centre", "middle", "near", "near"])
    if way == "middle":
        x, y = (sum(each[i] for each in there) / len(there) for i in (0, 1))
    if way == "near":
        shift = turned(choose, radius * choose.uniform(0, 1.5))
        x, y = x + shift[0], y + shift[1]
    return [decimal(x), decimal(y)]


def _limits(choose: random.Random, entry: Entry, widest: float) -> None:
    if choose.random() >= 0.3:
        return
    low, high = (decimal(choose.choice([0, widest * choose.random()])) for _ in "lh")
    limits: Entry = {"lower": -low, "upper": high}
    if choose.random() < 0.3:
        limits["spring"] = a_spring(choose)
    entry["limits"] = limits


def _motor(choose: random.Random, entry: Entry, most: str) -> None:
    """Friction: a motor that holds still."""
    motor: Entry = {"speed": 0}
    if choose.random() < 0.7:
        motor[most] = decimal(log_uniform(choose, 0.01, 1e4))
    entry["motor"] = motor


def _distance(choose: random.Random, entry: Entry, pair: list[Place | None]) -> None:
    """A rod, a rope, a spring, a telescope: all with room for the length at the start."""
    places = [place for place in pair if place]
    anchors = []
    for place in pair:
        x, y, radius = place or (*_anchor(choose, places), 0.0)
        shift = turned(choose, radius * choose.choice([0, choose.random()])) if place else (x, y)
        anchors.append([decimal(each) for each in shift])
    entry["anchors"] = anchors
    length = 3.0 + sum(2 * radius for *_, radius in places)
    if len(places) == 2:
        length += math.hypot(places[0][0] - places[1][0], places[0][1] - places[1][1])
    way = choose.choice(["rod", "rod", "rope", "spring", "spring", "shock", "brake"])
    if way == "rope":
        entry["rope"] = True
        if choose.random() < 0.5:
            entry["max_length"] = decimal(length * choose.uniform(1, 2))
        if choose.random() < 0.3:
            entry["limit_spring"] = a_spring(choose)
    if way in ("spring", "shock"):
        _part(anchors, pair)
        entry["spring"] = a_spring(choose)
        if choose.random() < 0.3:
            entry["length"] = decimal(choose.uniform(0.1, 3))
    if way in ("shock", "brake"):
        entry["min_length"] = 0
        entry["max_length"] = decimal(length * choose.uniform(1, 2))
    if way == "brake":
        _motor(choose, entry, "max_force")


def _part(anchors: list[list[Any]], pair: list[Place | None]) -> None:
    """Move an anchor of the world off the body's: a spring without length has no direction."""
    for i, place in enumerate(pair):
        other = pair[1 - i]
        if place is None and other is not None and anchors[i] == [*map(decimal, other[:2])]:
            anchors[i][0] = decimal(other[0] + other[2])


def _add_links(choose: random.Random, joints: dict[str, Entry]) -> None:
    """Gears between hinges, racks between hinges and slides."""
    hinges = [name for name, entry in joints.items() if entry["type"] in ("revolute", "ratchet")]
    slides = [name for name, entry in joints.items() if entry["type"] == "prismatic"]
    if len(hinges) > 1 and choose.random() < 0.35:
        ratio = log_uniform(choose, 0.1, 10) * choose.choice([-1, 1])
        pair = choose.sample(hinges, 2)
        joints["gear"] = {"type": "gear", "joints": pair, "ratio": decimal(ratio, 3)}
    if hinges and slides and choose.random() < 0.4:
        pair = [choose.choice(hinges), choose.choice(slides)]
        radius = decimal(log_uniform(choose, 0.05, 1), 3)
        joints["rack"] = {"type": "rack", "joints": pair, "radius": radius}


def _pulley(choose: random.Random, a: str, b: str, places: dict[str, Place]) -> Entry:
    above = [[decimal(places[n][0]), decimal(places[n][1] + choose.uniform(2, 6))] for n in (a, b)]
    entry: Entry = {"type": "pulley", "bodies": [a, b], "ground_anchors": above}
    if choose.random() < 0.5:
        entry["ratio"] = decimal(log_uniform(choose, 0.2, 5), 3)
    return entry
