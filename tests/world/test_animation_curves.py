# SPDX-License-Identifier: MIT
"""Loops that go forth and back, and curves without corners."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from rigid2d.core import Batch, SceneError, World, loads
from rigid2d.core.scene import expand
from rigid2d.core.scene.script import Track
from rigid2d.core.world.script.tracks import value_at

from tests.rows import every_row

LIFT = """
rigid: 1
world: {{dt: 0.01}}
bodies:
  lift: {{type: kinematic, shape: {{box: [2, 0.2]}}, position: [0, 0]}}
  crate: {{shape: {{box: [0.5, 0.5]}}, position: [0, 0.35]}}
animations:
  go:
    {{type: loop, duration: 1, {more},
      tracks: {{lift.position: [[0, [0, 0]], [0.5, [0, 0.3]], [1, [0, 1]]]}}}}
"""


def lift(more: str) -> World:
    return World(loads(LIFT.format(more=more)))


def heights(world: World, steps: int) -> list[float]:
    found = [float(world["lift"].y)]
    for _ in range(steps):
        world.step()
        found.append(float(world["lift"].y))
    return found


@pytest.mark.parametrize("curve", ["straight", "cubic"])
def test_a_loop_goes_forth_and_back_by_mirrored_time(curve: str) -> None:
    found = heights(lift(f"loop: ping_pong, curve: {curve}"), 400)
    assert found[100] == pytest.approx(1.0, abs=1e-6)
    for i in range(100):
        assert found[100 + i] == pytest.approx(found[100 - i], abs=1e-5)
        assert found[200 + i] == pytest.approx(found[i], abs=1e-5)


@pytest.mark.parametrize("curve", ["straight", "cubic"])
def test_the_velocity_is_that_of_the_curve(curve: str) -> None:
    world = lift(f"loop: ping_pong, curve: {curve}")
    for _ in range(250):
        before = float(world["lift"].y)
        world.step()
        moved = float(world["lift"].y) - before
        assert float(world["lift"].velocity[1]) == pytest.approx(moved / 0.01, abs=1e-4)


def test_a_cubic_curve_has_no_corner_and_what_stands_on_it_stays() -> None:
    straight = heights(lift("loop: ping_pong"), 400)
    world = lift("loop: ping_pong, curve: cubic")
    cubic = heights(world, 400)

    def largest_jump(values: list[float]) -> float:
        speeds = [(b - a) / 0.01 for a, b in pairwise(values)]
        return max(abs(b - a) for a, b in pairwise(speeds))

    assert largest_jump(straight) > 0.75
    assert largest_jump(cubic) < 0.2  # which an acceleration makes in a step
    assert float(world["crate"].y) - cubic[-1] == pytest.approx(0.35, abs=0.01)


@every_row("kind", ["once", "loop", "ping_pong"])
@every_row("seed", range(30))
def test_a_cubic_track_goes_through_its_keys_and_not_beyond_smoothly(seed: int, kind: str) -> None:
    rng = random.Random(seed)
    count = rng.randint(2, 9)
    times = [0.0, *sorted(k / 20 for k in rng.sample(range(1, 20), count - 2)), 1.0]
    values = [rng.uniform(-5, 5) for _ in times]
    values[-1] = values[0]
    track = Track("a.b", tuple(times), tuple(values), "cubic")
    for time, value in zip(times, values, strict=True):
        assert value_at(track, time, kind) == pytest.approx(value, abs=1e-12)
    for (t0, y0), (t1, y1) in pairwise(zip(times, values, strict=True)):
        for k in range(11):
            value = value_at(track, t0 + (t1 - t0) * k / 10, kind)
            assert min(y0, y1) - 1e-12 <= value <= max(y0, y1) + 1e-12
    small = 1e-7

    def slope(at: float) -> float:
        first = value_at(track, at % 1.0, kind)
        return (value_at(track, (at + small) % 1.0, kind) - first) / small

    for time in times[1:-1]:
        assert slope(time) == pytest.approx(slope(time - small), abs=0.02)
    if kind == "loop":
        assert slope(1.0 - small) == pytest.approx(slope(0.0), abs=0.02)


def test_points_are_curved_by_each_coordinate() -> None:
    track = Track("a.position", (0.0, 0.5, 1.0), ((0.0, 1.0), (1.0, 1.0), (4.0, 0.0)), "cubic")
    x = Track("a.x", (0.0, 0.5, 1.0), (0.0, 1.0, 4.0), "cubic")
    for i in range(11):
        assert value_at(track, i / 10)[0] == value_at(x, i / 10)


MORE = "loop: ping_pong, curve: cubic"


def test_bits_are_those_of_a_restored_world_a_batch_and_the_expanded_scene() -> None:
    world = lift(MORE)
    world.step(130)
    saved = world.save()
    world.step(130)
    wanted = world.state_hash()
    world.restore(saved)
    world.step(130)
    assert world.state_hash() == wanted
    batch = Batch(loads(LIFT.format(more=MORE)), 3)
    batch.step(260)
    assert [batch.world(i).state_hash() for i in range(3)] == [wanted] * 3
    text = expand(loads(LIFT.format(more=MORE)))
    assert "loop: ping_pong" in text
    assert "curve: cubic" in text
    other = World(loads(text))
    other.step(260)
    assert other.state_hash() == wanted


def test_an_instance_plays_them_too() -> None:
    text = """
rigid: 1
prototypes:
  p:
    bodies: {lift: {type: kinematic, shape: {box: [2, 0.2]}}}
    animations:
      go:
        {type: loop, duration: 1, loop: ping_pong, tracks: {lift.position: {
          keys: [[0, [0, 0]], [0.5, [0, 1]], [1, [0, 3]]], curve: cubic}}}
instances: {i: {use: p, at: [5, 2]}}
"""
    world = World(loads(text))
    world.step(60)
    assert float(world["i.lift"].y) == pytest.approx(5.0, abs=1e-5)
    world.step(60)
    assert float(world["i.lift"].y) == pytest.approx(2.0, abs=1e-5)


@every_row(
    ("more", "told"),
    [
        ("loop: true", "must be one of repeat, ping_pong, not true"),
        ("loop: pingpong", "did you mean `ping_pong`?"),
        ("curve: cubic, easing: smooth", "a cubic curve has its own way between keys"),
        ("loop: bounce", "did you mean `ping_pong`?"),
        ("curve: spline", "did you mean `cubic`?"),
        ("loop: repeat", "a loop ends with the value it begins with"),
        ("loop: repeat", "or have it go back by `loop: ping_pong`"),
    ],
)
def test_what_is_wrong_is_told(more: str, told: str) -> None:
    with pytest.raises(SceneError, match=told.replace("?", r"\?")):
        lift(more)


def test_only_a_loop_goes_back() -> None:
    text = LIFT.format(more="loop: ping_pong").replace("type: loop", "type: once")
    with pytest.raises(SceneError, match="`loop` belongs to the type loop, not to once"):
        loads(text)
