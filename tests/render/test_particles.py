# SPDX-License-Identifier: MIT
"""Particles in pictures: where they are, when they come, and that frame rates agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rigid2d.core.record import Recorder, frames_of_trace
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.display import Items
from rigid2d.core.render.objects.particles import Particles
from rigid2d.core.scene import loads
from rigid2d.core.scene.limits import PARTICLES
from rigid2d.core.scene.model import Scene
from rigid2d.core.view.camera import View
from rigid2d.core.world import run

TEXT = """
rigid: 1
world: {{duration: 2, dt: 0.01, gravity: [0, 0]}}
bodies:
  ship: {{shape: {{box: [1, 2]}}, points: {{a: [0.4, -1], b: [-0.4, -1]}}, {motion}}}
actuators: {{jet: {{type: thruster, body: ship, force: [0, 0.001], start: 0.5, until: 1}}}}
particles: {{flame: {{from: [ship.points.a, ship.points.b], rate: 100, life: 0.4, {more}}}}}
camera: {{mode: region, rect: [[-6, -4], [6, 4]]}}
render: {{size: [240, 160], background: {{color: black}}}}
"""
PLAIN = View(1.0, 0.0, 1.0, 0.0)


def scene_of(more: str = "spread: 0", motion: str = "position: [0, 0]") -> Scene:
    return loads(TEXT.format(more=more, motion=motion))


def particles(scene: Scene, times: list[float], frames: Any = None) -> Any:
    """Places [n, 2] in the world at the last of some times."""
    sparks = Particles(scene)
    points = np.zeros((0, 2))
    for frame in run(scene, times=times) if frames is None else frames:
        items = Items()
        sparks.add(items, frame.scene or scene, frame, PLAIN)
        points = items.arrays()[1]
    return points


def frames_at(fps: int, end: float) -> list[float]:
    return [i / fps for i in range(round(end * fps) + 1)]


def test_as_many_are_there_as_come_in_a_life() -> None:
    assert len(particles(scene_of(), frames_at(50, 0.1))) == 11
    assert len(particles(scene_of(), frames_at(50, 1.5))) == 40


def test_they_leave_between_two_places_a_quarter_turn_away() -> None:
    """Down from the lower side of the box, by at most speed times life."""
    points = particles(scene_of(), frames_at(50, 1.0))
    assert np.abs(points[:, 0]).max() <= 0.4
    assert np.ptp(points[:, 0]) > 0.6
    assert points[:, 1].max() <= -0.999
    assert points[:, 1].min() == pytest.approx(-1.0 - 2 * 0.4, abs=0.3)


def test_a_body_hands_its_velocity_on() -> None:
    """At 5 to the right: those of age t left 5 t behind it and have gone 5 t since."""
    points = particles(scene_of(motion="velocity: [5, 0]"), frames_at(50, 1.0))
    assert np.abs(points[:, 0] - 5.0).max() <= 0.4 + 1e-6


def test_they_come_only_while_the_actuator_acts() -> None:
    scene = scene_of("while: jet")
    counts = [len(particles(scene, frames_at(50, end))) for end in (0.4, 0.6, 1.0, 1.2, 1.5)]
    assert counts[0] == counts[4] == 0
    assert counts[1] == pytest.approx(10, abs=2)
    assert counts[2] == 40
    assert counts[3] == pytest.approx(20, abs=2)


@pytest.mark.parametrize("fps", [10, 20, 100])
def test_all_frame_rates_show_the_same(fps: int) -> None:
    scene = scene_of(motion="velocity: [1, 2]")
    expected = particles(scene, frames_at(50, 1.0))
    assert particles(scene, frames_at(fps, 1.0)) == pytest.approx(expected, abs=1e-6)


def test_a_turning_body_shows_nearly_the_same_at_all_frame_rates() -> None:
    scene = scene_of(motion="angular_velocity: 90")
    often, seldom = (particles(scene, frames_at(fps, 1.0)) for fps in (100, 25))
    assert seldom == pytest.approx(often, abs=0.01)


def test_a_picture_of_one_moment_shows_them_too() -> None:
    scene = scene_of(motion="velocity: [1, 2]")
    assert particles(scene, [1.0]) == pytest.approx(particles(scene, frames_at(50, 1.0)), abs=1e-3)


def test_a_replay_shows_the_same() -> None:
    scene = scene_of(motion="velocity: [1, 2], angular_velocity: 90")
    recorder = Recorder(scene, trace=True)
    times = frames_at(20, 1.0)
    shown = particles(scene, times, list(run(scene, times=times, recorder=recorder)))
    replay = particles(scene, times, frames_of_trace(scene, recorder.trace, times))
    assert replay == pytest.approx(shown, abs=1e-5)


def test_going_back_in_time_begins_anew() -> None:
    scene = scene_of()
    frames = list(run(scene, times=[0.2, 1.0]))
    assert len(particles(scene, [], [frames[1], frames[0]])) == 21


def test_those_of_a_removed_body_fly_on() -> None:
    scene = scene_of()
    frames = run(
        scene,
        times=frames_at(50, 1.2),
        before_step=lambda world: world.remove("ship") if world.step_count == 100 else None,
    )
    assert len(particles(scene, [], frames)) == pytest.approx(20, abs=2)


def test_another_seed_makes_others_fly() -> None:
    first = scene_of("spread: 30")
    other = loads(
        TEXT.format(more="spread: 30", motion="z: 0").replace("world: {", "world: {seed: 1, ")
    )
    times = frames_at(50, 1.0)
    assert not np.allclose(particles(first, times), particles(other, times))


def test_no_more_are_kept_than_the_limit() -> None:
    scene = loads(
        TEXT.format(more="", motion="z: 0").replace("rate: 100", f"rate: {PARTICLES / 0.4}")
    )
    assert len(particles(scene, [0.0, 2.0])) <= PARTICLES


def test_pictures_show_their_colours() -> None:
    scene = scene_of("colors: [lime], size: 0.2")
    renderer = Renderer(scene)
    for frame in run(scene, times=frames_at(25, 1.0)):
        image = renderer.draw(frame)
    green = (image[..., 1] > 150) & (image[..., 0] < 60) & (image[..., 2] < 60)
    rows, columns = np.nonzero(green)
    # The lower side of the box is 20 pixels below the middle, and a little of it is over them.
    assert rows.min() >= 95
    assert 110 <= columns.min() < columns.max() <= 132


# ---------------------------------------------------------------- bursts


def burst(more: str) -> Scene:
    return loads(
        TEXT.replace("rate: 100, life: 0.4, ", "").format(more=more, motion="position: [0, 0]")
    )


def test_a_burst_without_a_rate_comes_once_at_the_start() -> None:
    scene = burst("count: 30, life: 0.4")
    for end, count in ((0.0, 30), (0.38, 30), (0.42, 0), (1.0, 0)):
        assert len(particles(scene, frames_at(50, end))) == count
    assert scene.particles["flame"].alive == 30


def test_bursts_with_a_rate_come_again_and_again_at_any_frame_rate() -> None:
    scene = burst("count: 8, rate: 2, life: 0.4, spread: 0")
    assert len(particles(scene, frames_at(50, 1.2))) == 8
    assert len(particles(scene, frames_at(50, 0.45))) == 0
    few, many = (particles(scene, frames_at(fps, 1.2)) for fps in (5, 50))
    assert few == pytest.approx(many, abs=1e-6)


def test_one_at_a_time_is_what_there_is_without_a_count() -> None:
    with_count = burst("count: 1, rate: 100, life: 0.4")
    times = frames_at(50, 1.0)
    assert (particles(with_count, times) == particles(scene_of(""), times)).all()
