# SPDX-License-Identifier: MIT
"""Shapes that begin deep inside each other: which way they part, and how fast."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.rows import every_row
from tests.search import tries

SHAPES = {
    "circle": "{circle: 0.5}",
    "small circle": "{circle: 0.1}",
    "box": "{box: [1, 1]}",
    "plank": "{box: [2, 0.2]}",
    "rounded box": "{box: [0.8, 0.6], radius: 0.1}",
    "triangle": "{polygon: [[-0.5, -0.3], [0.5, -0.3], [0, 0.6]]}",
    "capsule": "{capsule: [[-0.5, 0], [0.5, 0]], radius: 0.2}",
    "short capsule": "{capsule: [[-0.00001, 0], [0.00001, 0]], radius: 0.2}",
}
LINES = {
    "segment": "{segment: [[-2, 0], [2, 0]]}",
    "chain": "{chain: [[-2, 0], [0, 0], [2, 0]]}",
}
PAIRS = list(itertools.combinations_with_replacement(SHAPES, 2))
PUSH_SPEED = 3.0  # m/s, the fastest removal of overlap

SCENE = """
world: {{gravity: [0, 0], duration: 5, sleep: false}}
bodies:
  a: {{type: {kind}, shape: {a}}}
  b: {{shape: {b}, position: {at}, angle: {angle}}}
"""


def part(world) -> float:
    """Run it out. Returns the largest speed on the way."""
    fastest = 0.0
    native = world.native
    for _ in range(300):
        world.step()
        fastest = max(fastest, float(np.hypot(native.vx[1:], native.vy[1:]).max()))
    return fastest


def depth(world) -> float:
    return max((-world.native.contacts()["separation"]).tolist(), default=0.0)


@every_row(
    ("a", "b", "kind"),
    [(*pair, kind) for pair in PAIRS for kind in ("static", "dynamic")][:: tries(3, 1)],
)
def test_shapes_with_the_same_centre_part_gently(make, a, b, kind):
    for at, angle in (("[0, 0]", 0), ("[0, 0]", 30), ("[0.000001, 0]", 0), ("[0.01, 0.02]", 30)):
        text = SCENE.format(kind=kind, a=SHAPES[a], b=SHAPES[b], at=at, angle=angle)
        world = make(text)
        assert part(world) < PUSH_SPEED * 1.1
        assert depth(world) < 0.005
        native = world.native
        assert np.hypot(native.x[2] - native.x[1], native.y[2] - native.y[1]) > 0.09


@every_row("line", LINES)
@every_row("shape", SHAPES)
def test_a_shape_on_a_line_leaves_it(make, line, shape):
    for at, angle in (("[0, 0]", 0), ("[0.3, 0]", 0), ("[0.3, 0]", 30), ("[0.3, 0.00001]", 30)):
        text = SCENE.format(kind="static", a=LINES[line], b=SHAPES[shape], at=at, angle=angle)
        world = make(text)
        assert part(world) < PUSH_SPEED * 1.1
        assert depth(world) < 0.005
        assert abs(world.native.y[2]) > 0.09


def test_two_equal_balls_in_one_place_part_up_and_down(make):
    ball = SHAPES["circle"]
    world = make(SCENE.format(kind="dynamic", a=ball, b=ball, at="[0, 0]", angle=0))
    part(world)
    native = world.native
    assert native.y[2] == pytest.approx(0.5, abs=0.005)
    assert native.y[1] == pytest.approx(-native.y[2], abs=1e-6)
    assert native.x[1] == native.x[2] == 0


@pytest.mark.parametrize(("a", "b"), [("box", "small circle"), ("plank", "triangle")])
def test_they_part_the_same_way_every_time(make, solver, a, b):
    text = SCENE.format(kind="dynamic", a=SHAPES[a], b=SHAPES[b], at="[0, 0]", angle=0)
    text = text.replace("sleep: false", f"sleep: false, solver: {{type: {solver}}}")
    hashes = set()
    for _ in range(2):
        world = make(text)
        part(world)
        hashes.add(world.native.state_hash())
    assert len(hashes) == 1
