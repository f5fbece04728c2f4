# SPDX-License-Identifier: MIT
"""The block `particles`: what it becomes, and that motion knows nothing of it."""

from __future__ import annotations

from math import pi

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, loads

BODIES = """
rigid: 1
bodies:
  ship: {shape: {box: [1, 2]}, points: {a: [0.3, -1], b: [-0.3, -1]}}
actuators:
  jet: {type: thruster, body: ship, force: [0, 30]}
"""
FLAME = """
particles:
  flame: {while: jet, from: [ship.points.a, ship.points.b], rate: 200, life: 0.4}
"""


def test_what_is_not_said_follows_from_the_length_unit() -> None:
    scene = loads(f"{BODIES}world: {{length_unit: 10}}\n{FLAME}")
    flame = scene.particles["flame"]
    assert flame.places == ("ship.points.a", "ship.points.b")
    assert (flame.gate, flame.rate, flame.life) == ("jet", 200, 0.4)
    assert (flame.speed, flame.size, flame.colors) == (20, 0.5, ("yellow", "red"))
    assert flame.spread == pytest.approx(pi / 12)


def test_milliseconds_count_for_speed_and_rate() -> None:
    scene = loads(
        BODIES + "units: {time: ms}\nparticles:\n"
        "  a: {from: ship, rate: 0.2, life: 400}\n  b: {from: ship, rate: 200 Hz, life: 0.4 s}\n"
    )
    a, b = scene.particles["a"], scene.particles["b"]
    assert (a.rate, a.life, a.speed) == pytest.approx((b.rate, b.life, b.speed))
    assert a.speed == pytest.approx(0.002)


def test_neither_the_hash_nor_the_motion_knows_of_it() -> None:
    assert loads(BODIES + FLAME).hash == loads(BODIES).hash
    assert not loads(BODIES + FLAME).is_scripted


def test_it_is_written_back() -> None:
    more = "  smoke: {from: ship, rate: 9, life: 2, colors: [grey, black], spread: 40, size: 0.2}\n"
    scene = loads(BODIES + FLAME + more)
    assert loads(expand(scene)).particles == scene.particles


@pytest.mark.parametrize("more", ["count: 50", "count: 50, rate: 2"])
def test_a_burst_is_written_back(more: str) -> None:
    text = f"{BODIES}particles: {{boom: {{from: ship, life: 1, {more}}}}}\n"
    boom = loads(text).particles["boom"]
    assert boom == loads(expand(loads(text))).particles["boom"]
    assert (boom.count, boom.once) == (50, "rate" not in more)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("speed: 1", "`count`, for one burst"),
        ("count: 50, while: jet", "bursts have a `rate`"),
        ("count: 9000, rate: 3", "27000 particles at a time"),
        ("count: 0", "at least 1"),
    ],
)
def test_a_burst_that_cannot_be_is_told(more: str, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        loads(f"{BODIES}particles: {{boom: {{from: ship, life: 1, {more}}}}}\n")
