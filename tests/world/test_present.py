# SPDX-License-Identifier: MIT
"""A running level as a scene that begins where it is."""

from __future__ import annotations

import math

import pytest
from rigid.core import World, build
from rigid.core.scene import loads
from rigid.core.scene.model import Scene
from rigid.core.world.present import present

LEVEL = """
rigid: 1
world: {duration: 4, gravity: [0, -9.81]}
state: {score: 0}
prototypes:
  drop: {bodies: {core: {shape: {circle: 0.1}, tags: [drop]}}}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.3}, position: [-3, 2], velocity: [2, 0]}
  hang: {shape: {circle: 0.3}, position: [4, 3]}
  crate: {shape: {box: [0.5, 0.5]}, position: [6, 0.25]}
  door: {type: kinematic, shape: {box: [0.2, 1]}, position: [8, 0.5]}
joints:
  rope: {type: distance, bodies: [world, hang], anchor: [4, 5], rope: true, max_length: 2}
actuators: {wind: {type: force, body: ball, force: [0, 0.1]}}
animations:
  winch: {type: once, duration: 2, tracks: {rope.max_length: [[0, 2], [1, 1]]}}
  swing: {type: loop, duration: 2, tracks: {door.angle: [[0, 0], [0.5, 90], [1, 0]]}}
controls: {k: {set: {wind.force: [1, 0]}}, z: {do: [{delete: crate}]}}
inputs:
  - {key: k, from: 0.5, to: 2}
  - {key: k, from: 3}
  - {drag: hang, from: 0.6, to: 2, path: [[0.6, 4, 2], [1.5, 5, 3]]}
spawners: {rain: {use: drop, every: 0.3, at: [0, 6], max: 6}}
events:
  - {when: time, at: 0.2, do: [{add: {score: 2}}, {set: {world.gravity: [0, -5]}}]}
  - {when: time, at: 0.9, every: 0.5, do: [{add: {score: 1}}]}
  - {when: time, at: 0.5, do: [{destroy: {body: crate, count: 2}}]}
  - {when: collision, bodies: [crate, floor], do: [{log: it}]}
groups: {both: [ball, crate], one: [crate]}
expect: [{at: end, that: =ball.alive}]
"""


@pytest.fixture(scope="module")
def running() -> World:
    world = build(loads(LEVEL))
    world.step(60)
    return world


@pytest.fixture(scope="module")
def begun(running: World) -> Scene:
    return loads(present(running).text)


def test_what_is_there_is_in_the_scene_where_it_is(running: World, begun: Scene) -> None:
    world = build(begun)
    for name in ("ball", "hang", "door"):
        old, new = running[name], world[name]
        assert (new.position, new.velocity) == (old.position, old.velocity)
        assert new.angle == pytest.approx(old.angle, abs=1e-6)
    assert "crate" not in begun.bodies
    assert {"crate_1", "crate_4", "rain_0_core", "rain_3_core"} <= {*begun.bodies}
    assert [*begun.joints] == ["rope"]  # the drag makes its own
    assert begun.joints["rope"].max_length == pytest.approx(1.5)
    assert begun.actuators["wind"].force == (1, 0)
    assert begun.groups == {"both": ("ball",)}
    assert begun.world.gravity == (0, -5)
    assert begun.world.steps == 180


def test_times_count_from_there(running: World, begun: Scene) -> None:
    assert begun.state == {"score": 3}
    assert [(rule.at, rule.every) for rule in begun.events if rule.kind == "time"] == [
        (pytest.approx(0.4), 0.5)
    ]
    assert [(each.start, each.until) for each in begun.inputs][:2] == [
        (0.0, pytest.approx(1.0)),
        (pytest.approx(2.0), math.inf),
    ]
    assert begun.spawners["rain"].most == 2
    assert begun.spawners["rain"].start == pytest.approx(0.2)
    assert begun.animations["winch"].start == pytest.approx(0.5)
    world = build(begun)
    world.step(90)
    running_on = running.fork()
    running_on.step(90)
    assert world.state == running_on.state
    assert world["door"].angle == pytest.approx(running_on["door"].angle, abs=1e-6)
    assert world.joint("rope").length == pytest.approx(running_on.joint("rope").length, abs=0.02)
    assert len([name for name in world.scene.bodies if "rain" in name]) == 6


def test_what_speaks_of_removed_things_is_left_out(running: World, begun: Scene) -> None:
    assert present(running).left_out == ["expect", "controls.z", "events[1]"]
    assert [*begun.controls] == ["k"]
    assert not begun.expect
