# SPDX-License-Identifier: MIT
"""Cameras that native scripts read: with the bits of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.compiled.script import parts_for_python

from tests.scripts import program, step_alike

SEEN = """
rigid: 1
world: {dt: 0.02, seed: 2, gravity: [0, -4], bounds: [[-30, -10], [60, 30]]}
state: {n: 0, left: 0, sum: 0}
prototypes: {stone: {bodies: {rock: {shape: {circle: 0.2}, tags: [stone]}}}}
bodies:
  floor: {type: static, shape: {box: [200, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 0.5], velocity: [7, 3], friction: 0}
  other: {shape: {circle: 0.5}, position: [-4, 2], velocity: [2, 0], friction: 0}
spawners: {rain: {use: stone, every: 0.3, at: ["=camera.right - 1", "=camera.top + uniform(0, 1)"]}}
events:
  - {when: "=camera.left > 2 and camera.bottom < 5", do: [{set: {state.left: "=camera.left"}}]}
  - {when: time, every: 0.1, do: [{add: {sum: "=camera.x - camera.y * camera.width"}},
      {set: {ball.position: ["=ball.x + 0.01", "=ball.y"]}}, {add: {sum: "=camera.height"}}]}
  - {when: collision, bodies: [ball, floor], do: [{add: {n: "=camera.x"}}]}
  - {when: time, at: 1.5, do: [{delete: other}]}
%s
render: {size: [320, 240]}
"""
CAMERAS = [
    "camera: {mode: follow, target: ball, style: keep_in, margin: 1, zoom: 30}",
    "camera: {mode: follow, target: [ball, other], zoom: 20}",
    "camera: {mode: region, rect: [[-5, -1], [9, 8]]}",
    "camera: {mode: keys, keys: [{at: 0, center: [0, 2], width: 9}, {at: 1, target: ball}]}",
]


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("stride", [1, 17])
def test_the_view_has_the_bits_of_python(stored: Any, camera: str, stride: int) -> None:
    scene = loads(SEEN % camera)
    assert not program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride, 110)
    assert here.state["sum"] != 0.0


@pytest.mark.parametrize("camera", CAMERAS[:2])
def test_it_goes_on_from_a_saved_state(stored: Any, camera: str) -> None:
    scene = loads(SEEN % camera)
    whole = stored(scene)
    whole.step(100)
    half = World(scene)
    for step in (33, 67):
        half.step(step - half.step_count)
        later = World(scene)
        later.restore(half.save())
        for world in (later, half.fork()):
            world.step(100 - step)
            assert world.save() == whole.save()


def test_a_view_that_depends_on_all_steps_fails_as_stored(stored: Any) -> None:
    text = SEEN % CAMERAS[0]
    far = text.replace(
        "at: 1.5, do: [{delete: other}]", "at: 1, do: [{add: {n: '=1/(camera.x*0)'}}]"
    )
    found = []
    for world in (stored(loads(far)), World(loads(far))):
        with pytest.raises(Exception, match=r"events\[3\]") as error:
            world.step(90)
        found.append(str(error.value))
    assert found[0] == found[1]


def test_pages_have_another_camera() -> None:
    assert parts_for_python(loads(SEEN % CAMERAS[0])) == ["expressions read a camera that moves"]
    assert "spawners.rain" in parts_for_python(loads(SEEN % CAMERAS[2]))
