# SPDX-License-Identifier: MIT
"""Particles of prototypes: those of instances, and those of what is spawned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SceneError, SimulationError
from rigid2d.core.page.replay import Style, Told, pack
from rigid2d.core.play.wire import HEAD, Stage
from rigid2d.core.record import Frame, Recorder, frames_of_trace
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.display import Items
from rigid2d.core.render.objects.particles import Particles
from rigid2d.core.scene import expand
from rigid2d.core.view.camera import View
from rigid2d.core.world import run

ROCKETS = """
rigid: 1
world: {duration: 2, dt: 0.01, gravity: [0, 0]}
prototypes:
  rocket:
    vars: {often: 50}
    bodies: {hull: {shape: {box: [1, 2]}, points: {a: [0.4, -1], b: [-0.4, -1]}}}
    actuators: {jet: {type: thruster, body: hull, force: [0, 0.001], start: 0.2}}
    particles:
      flame: {from: [hull.points.a, hull.points.b], rate: =often, life: 0.4, spread: 0, size: 0.1}
      smoke: {while: jet, from: hull, rate: 10, life: 1, speed: 0}
bodies: {floor: {type: static, shape: {box: [40, 1]}, position: [0, -20]}}
render: {size: [240, 160], background: {color: black}}
camera: {mode: region, rect: [[-6, -4], [6, 4]]}
"""
SHOT = "{{use: rocket, every: 1, from: {begin}, max: {most}, at: [3, 0], velocity: [1, 0]{more}}}"
IN_STEAD = "from: hull, rate: 1, life: 0.3"
PLAIN = View(1.0, 0.0, 1.0, 0.0)


def shots(begin: float = 0.5, most: int = 1, more: str = "") -> str:
    return f"{ROCKETS}spawners: {{shot: {SHOT.format(begin=begin, most=most, more=more)}}}\n"


def frames_at(fps: int, end: float) -> list[float]:
    return [i / fps for i in range(round(end * fps) + 1)]


def places(scene: Any, frames: Any) -> Any:
    """Places [n, 2] in the world with the last of some frames."""
    sparks = Particles(scene)
    points = np.zeros((0, 2))
    for frame in frames:
        items = Items()
        sparks.add(items, frame.scene or scene, frame, PLAIN)
        points = items.arrays()[1]
    return points


# ---------------------------------------------------------------- instances


def test_each_instance_has_the_particles_of_its_prototype() -> None:
    pair = "instances: {left: {use: rocket, at: [-2, 0]}, right: {use: rocket, at: [2, 0]}}"
    text = f"{ROCKETS}instances: {{pair: {{use: two}}}}\n"
    scene = loads(text.replace("prototypes:", f"prototypes:\n  two: {{{pair}}}"))
    names = [f"pair.{side}.{name}" for side in ("left", "right") for name in ("flame", "smoke")]
    assert [*scene.particles] == names
    assert scene.particles["pair.left.smoke"].gate == "pair.left.jet"
    x = places(scene, run(scene, times=frames_at(50, 0.1)))[:, 0]
    assert len(x) == 2 * 6
    assert np.abs(np.abs(x) - 2).max() <= 0.4


def test_an_instance_that_is_written_out_has_the_same_particles() -> None:
    text = f"{ROCKETS}instances: {{one: {{use: rocket, angle: 30, vars: {{often: 7}}}}}}\n"
    scene = loads(text)
    assert scene.particles["one.flame"].rate == 7
    assert loads(expand(scene)).particles == scene.particles


def test_a_flame_is_turned_mirrored_and_scaled_with_its_instance() -> None:
    """Down from the lower side; mirrored in y it goes up, scaled it begins further off."""
    more = "angle: 180, mirror: x, scale: 2"
    scene = loads(f"{ROCKETS}instances: {{one: {{use: rocket, {more}}}}}\n")
    assert scene.particles["one.flame"].size == pytest.approx(0.2)
    y = places(scene, run(scene, times=frames_at(25, 0.1)))[:, 1]
    assert y.min() >= 2 - 1e-9
    assert y.max() == pytest.approx(2 + 0.1 * 2, abs=0.1)


def test_particles_of_the_scene_have_other_names_than_those_of_instances() -> None:
    with pytest.raises(SceneError, match=r"an instance has an emitter `one\.flame`"):
        loads(
            f"{ROCKETS}instances: {{one: {{use: rocket}}}}\n"
            "particles: {one.flame: {from: floor, rate: 1, life: 1}}\n"
        )


def test_what_a_program_adds_has_the_particles_of_its_prototype() -> None:
    scene = loads(ROCKETS)
    world = World(scene)
    world.step(50)
    world.add({"instances": {"one": {"use": "rocket", "at": [3, 0]}}})
    frames = [world.frame()]
    world.step(10)
    frames.append(world.frame())
    # 50 a second and 10 a second, the first of each as it comes.
    assert len(places(scene, frames)) == 6 + 2
    world.remove("one.hull")
    assert not world.frame().scene.particles


# ---------------------------------------------------------------- what is spawned


def test_what_is_spawned_has_particles_from_its_birth() -> None:
    scene = loads(shots())
    counts = [len(places(scene, run(scene, times=frames_at(50, end)))) for end in (0.4, 0.6, 1.5)]
    assert counts == [0, 6 + 2, 20 + 10]


def test_copies_have_them_where_they_are_turned_and_mirrored() -> None:
    scene = loads(shots(begin=0, more=", angle: 180, mirror: x, scale: 2"))
    points = places(scene, run(scene, times=frames_at(50, 0.1)))
    assert len(points) == 5  # born after the first step, and so after the first of them
    assert points[:, 1].min() >= 2 - 1e-9
    assert np.abs(points[:, 0] - 3.1).max() <= 0.8 + 1e-6


def test_all_frame_rates_show_the_same_of_what_is_spawned() -> None:
    scene = loads(shots(most=2))
    often, seldom = (places(scene, run(scene, times=frames_at(fps, 1.8))) for fps in (50, 5))
    assert len(often) > 40
    assert seldom == pytest.approx(often, abs=1e-4)  # the jet pushes it between two frames


def test_particles_of_what_is_gone_fly_on_to_the_end_of_their_lives() -> None:
    scene = loads(shots().replace("while: jet, from: hull, rate: 10, life: 1", IN_STEAD))

    def delete(world: World) -> None:
        if world.step_count == 100:
            world.remove("shot[0].hull")

    counts = [
        len(places(scene, run(scene, times=frames_at(50, end), before_step=delete)))
        for end in (1.0, 1.2, 1.42)
    ]
    assert counts == [20 + 1, 10 + 1, 0]


def test_a_fork_and_a_restored_world_have_the_emitters_of_copies() -> None:
    scene = loads(shots())
    world = World(scene)
    world.step(80)
    again = World(scene)
    again.restore(world.save())
    emitters = world.frame().scene.particles
    assert [*emitters] == ["shot[0].flame", "shot[0].smoke"]
    assert emitters["shot[0].flame"].start == pytest.approx(0.5)
    for other in (again, world.fork()):
        assert other.frame().scene.particles == emitters
        other.remove("shot[0].hull")
        assert not other.frame().scene.particles
    assert world.frame().scene.particles == emitters


def test_a_replay_shows_the_particles_of_copies() -> None:
    scene = loads(shots().replace("while: jet, ", ""))
    recorder, times = Recorder(scene, trace=True), frames_at(20, 1.0)
    shown = places(scene, run(scene, times=times, recorder=recorder))
    assert len(shown) > 20
    replay = places(scene, frames_of_trace(scene, recorder.trace, times))
    assert replay == pytest.approx(shown, abs=1e-4)


def test_a_picture_shows_the_particles_of_copies() -> None:
    scene = loads(shots(begin=0).replace("size: 0.1}", "size: 0.2, colors: [lime]}"))
    renderer = Renderer(scene)
    for frame in run(scene, times=frames_at(25, 0.4)):
        image = renderer.draw(frame)
    green = (image[..., 1] > 150) & (image[..., 0] < 60) & (image[..., 2] < 60)
    rows, columns = np.nonzero(green)
    # Below the body, which is 60 pixels right of the middle and goes right.
    assert rows.min() >= 95
    assert 165 <= columns.min() < columns.max() <= 205


def test_a_page_has_the_particles_of_all_copies_that_look_alike_together() -> None:
    scene = loads(shots(most=2))
    frames = list(run(scene, times=frames_at(25, 2.0)))
    data, _ = pack(scene, frames, Style((240, 160), (), "light", 25), Told())
    assert [each["rate"] for each in data["emitters"]] == [50, 10]


def test_too_many_emitters_stop_the_run_with_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rigid2d.core.scene.limits.EMITTERS", 2)
    world = World(loads(shots(most=2)))
    world.step(140)
    with pytest.raises(SimulationError, match=r"spawners\.shot.*4 emitters of particles at a time"):
        world.step(60)


def test_a_live_page_is_told_of_the_particles_of_copies_once_it_knows_their_looks() -> None:
    scene = loads(shots(begin=0))
    world = World(scene)
    stage = Stage(1, scene, world.frame())
    world.step(10)
    frame = world.frame()
    assert not stage.take_in(2, frame, now=False)
    assert flying(stage, frame) == 0
    assert stage.take_in(3, frame)
    assert [each["rate"] for each in stage.message["data"]["emitters"]] == [50, 10]
    assert flying(stage, frame) == 5
    world.remove("shot[0].hull")
    for steps, count in ((10, 5), (40, 0)):
        world.step(steps)
        frame = world.frame()
        assert not stage.take_in(4, frame)  # who leaves takes no looks along
        assert flying(stage, frame) == count


def flying(stage: Stage, frame: Frame) -> int:
    """How many particles a moment tells of."""
    count: int = HEAD.unpack(stage.moment(frame)[: HEAD.size])[13]
    return count
