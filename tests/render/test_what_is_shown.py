# SPDX-License-Identifier: MIT
"""Bodies that are hidden and shown while a scene runs, and water that rises: in pictures, masks,
traces, pages and what `rigid play` sends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rigid2d.core import Scene, World, loads
from rigid2d.core.page.film import UNSEEN, Cast
from rigid2d.core.play.wire import Stage
from rigid2d.core.record import Recorder
from rigid2d.core.record.frame import Frame
from rigid2d.core.record.trace import Trace, frames_of_trace
from rigid2d.core.render import Renderer, Survey
from rigid2d.core.render.masks import Masks
from rigid2d.core.world import run

TIMES = (0.0, 0.6, 1.1, 1.9)
SHOWN = ({"a"}, set(), {"ghost"}, {"a", "ghost"})


def scene() -> Scene:
    return loads("""
rigid: 1
world: {duration: 2, pools: {lake: {region: [[-4, -2], [4, 0]], density: 2}}}
camera: {mode: region, rect: [[-5, -3], [5, 5]]}
render: {size: [200, 160], supersample: 1}
bodies:
  a: {type: kinematic, shape: {box: [1, 1]}, position: [-2, 4], color: "#ff0000"}
  ghost: {type: static, shape: {box: [1, 1]}, position: [2, 4], visible: false, color: "#0000ff"}
events:
  - {when: time, at: 0.5, do: [{set: {a.visible: false}}]}
  - {when: time, at: 1, do: [{set: {ghost.visible: true}}]}
  - {when: time, at: 1.5, do: [{set: {a.visible: true}}, {add: {world.pools.lake.level: 1}}]}
""")


def frames_of(given: Scene, recorder: Recorder | None = None) -> list[Frame]:
    return list(run(given, times=TIMES, recorder=recorder))


def seen(picture: np.ndarray) -> set[str]:
    colors = {"a": (255, 0, 0), "ghost": (0, 0, 255)}
    return {name for name, color in colors.items() if (picture == color).all(axis=2).any()}


def test_pictures_show_what_is_visible_and_where_water_is() -> None:
    given = scene()
    renderer = Renderer(given)
    pictures = [renderer.draw(frame) for frame in frames_of(given)]
    assert [seen(picture) for picture in pictures] == list(SHOWN)
    above = pictures[0][95, 100], pictures[3][95, 100]  # half a unit above the first level
    assert (above[0] != above[1]).any()
    assert (pictures[3][95, 100] == pictures[0][110, 100]).all()


def test_masks_leave_out_what_is_hidden() -> None:
    given = scene()
    renderer, masks = Renderer(given), Masks(given, (200, 160))
    numbers = {name: i for i, name in enumerate(given.bodies, 1)}
    names = {number: name for name, number in numbers.items()}
    for frame, shown in zip(frames_of(given), SHOWN, strict=True):
        found = np.unique(masks.draw(frame, renderer.look(frame), numbers)).tolist()
        assert {names[number] for number in found if number} == shown


def test_a_camera_that_fits_the_run_sees_what_is_shown_later() -> None:
    given = loads(scene().text.replace("camera: {mode: region, rect: [[-5, -3], [5, 5]]}", ""))
    survey = Survey(given, frames_of(given))
    assert survey.box()[2] > 2.4


def test_traces_tell_and_draw_it(tmp_path: Path) -> None:
    given = scene()
    recorder = Recorder(given, trace=True)
    frames = frames_of(given, recorder)
    assert recorder.trace.looks == [
        (30, "a.visible", False),
        (60, "ghost.visible", True),
        (90, "a.visible", True),
        (90, "world.pools.lake.level", 1.0),
    ]
    recorder.trace.save(str(tmp_path / "run.npz"))
    again = list(frames_of_trace(given, Trace.load(str(tmp_path / "run.npz")), TIMES))
    one, other = Renderer(given), Renderer(given)
    for first, second in zip(frames, again, strict=True):
        assert (first.visible, first.levels) == (second.visible, second.levels)
        assert (one.draw(first) == other.draw(second)).all()


def test_pages_know_who_is_hidden_in_which_frame() -> None:
    given = scene()
    frames = frames_of(given)
    cast = Cast(given, frames)
    assert all(body.visible for body in cast.scene.bodies.values())
    for frame, shown in zip(frames, SHOWN, strict=True):
        hidden = cast.state(frame) & UNSEEN != 0
        assert {name for name, out in zip(given.bodies, hidden, strict=True) if not out} == shown


def test_play_sends_new_looks_when_somebody_is_shown_for_the_first_time() -> None:
    world = World(scene())
    stage = Stage(1, world.scene, world.frame())
    first = stage.message["arrays"]
    world.set("a.visible", False)
    assert not stage.take_in(2, world.frame())
    assert stage.moment(world.frame())[-2:] == bytes([5, 5])
    world.set("ghost.visible", True)
    world.set("world.pools.lake.level", 3)
    assert stage.take_in(3, world.frame())
    assert stage.message["arrays"] != first
    moment = stage.moment(world.frame())
    assert moment[-2:] == bytes([5, 1])
    assert np.array([0.0, 3.0]).tobytes() in moment
    world.set("ghost.visible", False)
    assert not stage.take_in(4, world.frame())


def test_states_keep_what_is_shown() -> None:
    world = World(scene())
    world.step(100)
    other = World(scene())
    other.restore(world.save())
    assert other.frame().visible == {"a": True, "ghost": True}
    assert other.frame().levels == {"lake": 1.0}
    assert other.save() == world.save() == world.fork().save()


@pytest.mark.parametrize("kind", ["static", "kinematic"])
def test_what_comes_to_be_still_is_not_drawn_as_asleep(kind: str) -> None:
    world = World(loads("rigid: 1\nbodies: {b: {shape: {circle: 1}}}"))
    world.step(10)
    world["b"].type = kind
    world.step(10)
    assert world.frame().awake.tolist() == [True]
