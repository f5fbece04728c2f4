# SPDX-License-Identifier: MIT
"""The camera's view in expressions: by the scene's own size, step by step."""

from __future__ import annotations

import pytest
from rigid2d.core import Batch, Recorder, SceneError, UsageError, build, run
from rigid2d.core.record.channels import resolve_channels
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Scene
from rigid2d.core.view.camera import Camera
from rigid2d.core.world import World
from rigid2d.core.world.moments import ChannelReader

from tests.rows import every_row

NAMES = tuple(f"camera.{name}" for name in ("left", "bottom", "right", "top"))
SCENE = """
rigid: 1
world: {gravity: [0, 0], duration: 2}
bodies:
  hero: {shape: {circle: 0.5}, position: [0, 1], velocity: [6, 2]}
  pal: {shape: {box: [1, 1]}, position: [2, 0], velocity: [-4, 0], collide: false}
  wall: {type: static, shape: {box: [1, 8]}, position: [14, 0]}
groups: {both: [hero, pal]}
render: {size: [400, 200]}
camera: CAMERA
record: {channels: [camera.left, camera.bottom, camera.right, camera.top]}
"""
MOVING = [
    "{mode: follow, target: hero, zoom: 20}",
    "{mode: follow, target: hero, zoom: 20, bounds: [[-11, -6], [12, 8]]}",
    "{mode: follow, target: hero, style: keep_in, zoom: 20, margin: 2}",
    "{mode: follow, target: both}",
    "{mode: follow, target: both, style: keep_in, margin: 1}",
    "{mode: keys, keys: [[0, {rect: [[-9, -3], [9, 6]]}], [1, {target: hero, width: 8}]]}",
]
FIXED = [
    ("{mode: region, rect: [[-4, -2], [4, 2]]}", (-4, -2, 4, 2)),
    ("{mode: region, rect: [[-4, -2], [0, 2]]}", (-6, -2, 2, 2)),
    ("{fit: start, margin: 1}", (-10.5, -5, 9.5, 5)),
    ("{fit: start, start: center, zoom: 20}", (-3.0, -5, 17.0, 5)),
]


def scene_of(camera: str) -> Scene:
    return loads(SCENE.replace("CAMERA", camera))


def view(world: World) -> list[float]:
    return [*ChannelReader(world, resolve_channels(world.roster.scene, NAMES)).read(world)]


@every_row("camera", MOVING)
def test_it_is_what_a_picture_at_each_step_shows(camera: str) -> None:
    scene = scene_of(camera)
    recorder = Recorder(scene, trace=True)
    assert [*run(scene, recorder=recorder, times=())] == []
    world = build(scene)
    shown = Camera(scene, scene.render.size, world.frame())
    for row in recorder.trace.values:
        assert [*shown.steady(world.frame()).box(scene.render.size)] == pytest.approx([*row])
        world.step()


@every_row("camera", MOVING)
def test_saved_states_forks_batches_and_pictures_do_not_change_it(camera: str) -> None:
    scene = scene_of(camera)
    world, other = build(scene), build(scene)
    world.step(40)
    other.restore(world.save())
    batch = Batch(scene, 2)
    batch.step(70)
    found = [[*row] for row in batch.read(list(NAMES))]
    for each in (world, other, other.fork()):
        each.step(30)
        found.append(view(each))
    recorder = Recorder(scene, trace=True)
    assert [*run(scene, recorder=recorder, fps=7.0)]
    found.append([*recorder.trace.values[70]])
    assert all(each == found[0] for each in found)


def test_a_camera_stays_where_its_target_was_removed() -> None:
    scene = scene_of(MOVING[3])
    world = build(scene)
    world.step(30)
    before = view(world)
    world.remove("hero")
    world.remove("pal")
    world.step(30)
    assert view(world) == pytest.approx(before, abs=0.2)


@every_row(("camera", "box"), FIXED)
def test_a_camera_that_does_not_move(camera: str, box: tuple[float, ...]) -> None:
    scene = scene_of(camera)
    world = build(scene)
    at_first = view(world)
    if "rect" in camera:
        assert at_first == pytest.approx(box)
    width, height = at_first[2] - at_first[0], at_first[3] - at_first[1]
    assert width == pytest.approx(2 * height)  # as the picture
    world.step(30)
    assert view(world) == at_first
    batch = Batch(scene, 2)
    assert [*batch.read(["camera.left", "camera.height"])[1]] == [at_first[0], height]
    assert world.script is None


def test_top_is_where_y_is_least_if_it_points_down() -> None:
    text = SCENE.replace("CAMERA", FIXED[0][0]).replace("world:", "units: {y: down}\nworld:")
    left, bottom, right, top = view(build(loads(text)))
    assert (left, bottom, right, top) == pytest.approx((-4, 2, 4, -2))


ACTING = """
prototypes: {drop: {bodies: {ball: {shape: {circle: 0.1}}},
  events: [{when: =ball.right < camera.left, do: [{add: {state.gone: 1}}, {delete: ball}]}]}}
state: {gone: 0, seen: 0}
spawners: {drops: {use: drop, every: 0.5, at: [=camera.left + 0.3, 5]}}
events: [{when: =hero.right > camera.right, do: [{add: {seen: 1}}]}]
"""


def test_events_spawners_and_prototypes_read_it() -> None:
    scene = loads(SCENE.replace("CAMERA", MOVING[2]) + ACTING)
    world = build(scene)
    world.step(120)
    assert world.state["gone"] >= 1
    assert world.state["seen"] == 0
    still = loads(SCENE.replace("CAMERA", FIXED[0][0]) + ACTING)
    world = build(still)
    world.step(120)
    assert world.state == {"gone": 0, "seen": 1}
    # What is done in it depends on the camera, and so does the hash of the scene.
    assert len({each.hash for each in (scene, still)}) == 2
    alike = [scene_of(camera).hash for camera in (MOVING[2], FIXED[0][0])]
    assert alike[0] == alike[1]


@every_row(
    ("camera", "more", "message"),
    [
        ("{mode: fit}", "", "would depend on the rest of the run"),
        (MOVING[0], "expect: [{always: =camera.lft < 1}]", "did you mean `camera.left`"),
        (MOVING[0], "expect: [{always: =camera.zoom < 1}]", "`camera` has no `zoom`"),
    ],
)
def test_what_is_not_known_is_an_error(camera: str, more: str, message: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(SCENE.replace("CAMERA", camera) + more)
    assert message in str(caught.value)


def test_a_prototype_may_not_ask_for_a_view_of_the_whole_run() -> None:
    text = SCENE.replace("CAMERA", "{mode: fit}")
    text = text[: text.index("record:")] + ACTING.replace("camera.left + 0.3", "0")
    text = text[: text.index("events: [{when: =hero")]
    with pytest.raises(SceneError, match=r"camera: .*fit: start"):
        loads(text)


def test_a_body_may_be_called_camera() -> None:
    text = SCENE.replace("CAMERA", "{mode: fit}").replace("  wall:", "  camera:")
    text = text[: text.index("record:")] + "expect: [{always: =camera.x == 14}]"
    assert build(loads(text)).roster.scene.expect


def test_a_program_that_asks_late_is_told_why_it_is_not_known() -> None:
    text = SCENE.replace("CAMERA", MOVING[2])
    scene = loads(text[: text.index("record:")])
    world = build(scene)
    assert view(world)[0] == pytest.approx(-10)
    world.step(10)
    with pytest.raises(UsageError, match=r"record\.channels"):
        view(world)
