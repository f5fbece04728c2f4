# SPDX-License-Identifier: MIT
"""Trails go through the positions of all steps, and keep few of them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core.record import Frame
from rigid2d.core.render.marks.trails import PIECES, Path, Walks, even
from rigid2d.core.world import World, run

ROUND = """
rigid: 1
world: {duration: 1, gravity: [0, 0], dt: =1/480}
bodies:
  hub: {type: static, shape: {circle: 0.1}}
  bob: {shape: {circle: 0.1}, position: [2, 0], velocity: [0, =4*pi], trail: {length: 1}}
joints: {rod: {type: revolute, bodies: [hub, bob], anchor: [0, 0]}}
"""
NEAR = 0.005


def followed(frames: list[Frame], name: str) -> Path:
    walks = Walks()
    for frame in frames:
        assert frame.scene is not None
        if name in frame.scene.bodies:
            row = list(frame.scene.bodies).index(name)
            list(walks.follow(frame, [(name, row)], NEAR))
    return walks.paths[name]


def apart(path: Path, of: list[tuple[float, ...]]) -> float:
    """The largest distance of the path from positions at their times."""
    places = np.array(path.since(0.0))
    times, xs, ys = np.array(of).T
    x, y = (np.interp(times, places[:, 0], places[:, k]) for k in (1, 2))
    return float(np.hypot(x - xs, y - ys).max())


def test_a_circle_at_few_frames_is_round() -> None:
    path = followed(list(run(rigid2d.core.loads(ROUND), fps=5)), "bob")
    places = path.since(0.0)
    middles = [math.hypot(0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])) for a, b in pairwise(places)]
    assert min(middles) > 2.0 - 3.0 * NEAR
    assert 24 < len(places) < 120  # of 480 steps


def test_a_line_at_even_speed_keeps_its_ends_and_a_bounce_its_corner() -> None:
    path, way = Path(), []
    for i in range(201):
        way.append((0.01 * i, 0.03 * i, abs(1.0 - 0.01 * i)))
        path.add(way[-1], NEAR)
    assert path.since(0.0) == [way[0], way[100], way[200]]


def test_a_path_is_near_to_all_positions() -> None:
    path = Path()
    way = [(0.01 * i, math.sin(0.02 * i), math.cos(0.03 * i)) for i in range(500)]
    for place in way:
        path.add(place, NEAR)
    assert apart(path, way) < 2.0 * NEAR
    assert len(path.kept) < 150


def test_the_tail_is_cut_between_two_positions() -> None:
    path = Path()
    for i in range(101):
        path.add((0.1 * i, 1.0 * i, 0.0), NEAR)
    assert path.since(5.05) == [(5.05, pytest.approx(50.5), 0.0), (10.0, 100.0, 0.0)]
    assert path.since(11.0) == []


def test_a_path_forgets_what_was_later_where_the_run_goes_back() -> None:
    path = Path()
    for i in range(11):
        path.add((0.1 * i, float(i * i), 0.0), NEAR)
    path.back_to(0.5)
    path.add((0.6, 0.0, 0.0), NEAR)
    assert [time for time, _, _ in path.since(0.0)][-2:] == pytest.approx([0.5, 0.6])


def test_a_line_fades_evenly_in_time() -> None:
    points = even([(0.0, 0.0, 0.0), (0.5, 8.0, 0.0), (1.0, 9.0, 0.0)])
    assert len(points) == PIECES + 1
    assert points[PIECES // 2] == (8.0, 0.0)


def test_bodies_that_are_born_have_trails_by_steps_as_long_as_they_are_there() -> None:
    scene = rigid2d.core.loads(ROUND.replace("gravity: [0, 0]", "gravity: [0, -9.81]"))

    def act(world: World) -> None:
        if world.step_count == 96:
            shot = {"shape": {"circle": 0.1}, "position": [9, 0], "velocity": [1, 3]}
            world.add({"bodies": {"shot": {**shot, "trail": {"length": 1}}}})
        if world.step_count == 300:
            world.remove("shot")

    frames = list(run(scene, fps=10, before_step=act))
    known = [each.passed is not None and "shot.x" in each.passed.names for each in frames]
    assert known == [3 <= k <= 7 for k in range(10)]
    path = followed(frames, "shot")
    times = [0.2 + i / 480 for i in range(1, 190)]
    fall = [(t, 9.0 + (t - 0.2), 3.0 * (t - 0.2) - 4.905 * (t - 0.2) ** 2) for t in times]
    assert apart(path, fall) < 3.0 * NEAR
