# SPDX-License-Identifier: MIT
"""Groups, instances, generators and tags that actions remove, move and copy; births by pivots and
drawn places; events of removed joints."""

from __future__ import annotations

import pytest
from rigid2d.core import SceneError, World, build
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

LEVEL = """
rigid: 1
world: {seed: 3}
state: {cut: 0, gone: 0}
prototypes:
  car:
    bodies:
      hull: {shape: {box: [2, 0.4]}, position: [0, 0.6], tags: [car], velocity: [1, 0]}
      wheel: {repeat: {i: 2}, shape: {circle: 0.3}, position: ["=-0.7 + 1.4*i", 0.3], tags: [car]}
    joints:
      axle:
        repeat: {i: 2}
        type: wheel
        bodies: [hull, "wheel[=i]"]
        motor: {speed: -90, max_torque: 5}
        spring: {stiffness: 500, damping: 10}
    actuators: {push: {type: thruster, body: hull, force: [1, 0]}}
    controls: {z: {do: [{move: {what: wheel, by: [0, 0.5]}}]}}
  rock: {bodies: {core: {shape: {circle: 0.1}, collide: false}}}
  tower: {bodies: {block: {shape: {box: [1, 2]}, position: [3, 5], collide: false}}}
bodies:
  floor: {type: static, shape: {box: [60, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.3}, position: [-6, 4], velocity: [2, 0]}
  hang: {shape: {circle: 0.3}, position: [-9, 4]}
  brick: {repeat: {i: 3}, shape: {box: [1, 0.5]}, position: [6, "=0.25 + 0.5*i"], tags: [brick]}
joints:
  rope: {type: distance, bodies: [world, hang], anchor: [-9, 6], rope: true, max_length: 2}
groups: {stack: [brick]}
instances: {red: {use: car, at: [-3, 0]}, blue: {use: car, at: [20, 0], scale: 2, mirror: x}}
inputs: [{key: z, from: 0.9, to: 1.0}]
"""
EVENTS = """
events:
  - when: time
    at: 0.5
    do:
      - {copy: {what: red, by: [0, 3], name: twin}}
      - {copy: {what: stack, to: [10, 0.25], name: other}}
      - {set: {rope.max_length: 1.5}}
      - {copy: {what: hang, by: [-4, 0], angle: 90, name: hung}}
      - {spawn: {use: tower, at: [10, 8], pivot: bottom_center, angle: 90}}
  - {when: time, at: 0.7, do: [{move: {what: ball, to: [0, 8], angle: 90}}]}
  - {when: time, at: 0.8, do: [{move: {what: tags.brick, by: [0, 3], velocity: [0, 1]}}]}
  - {when: time, at: 1.2, do: [{delete: stack}, {detach: rope}]}
  - {when: deleted, joint: rope, do: [{add: {cut: 1}}]}
  - {when: deleted, joint: "red.axle[0]", do: [{add: {gone: 1}}]}
  - {when: time, at: 1.4, do: [{delete: red}]}
spawners:
  rain:
    use: rock
    every: 0.2
    at: ["=uniform(-5, 5)", "=uniform(3, 4)"]
    velocity: ["=-2*$at.x", "=-2*$at.y"]
"""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return loads(LEVEL + EVENTS)


def test_a_set_is_copied_as_it_is_now_with_its_joints_and_actuators(scene: Scene) -> None:
    world = build(scene)
    world.step(31)
    for part in ("hull", "wheel[0]", "wheel[1]"):
        old, new = world[f"red.{part}"], world[f"twin[0].{part}"]
        assert new.x == pytest.approx(old.x, abs=0.02)
        assert new.y == pytest.approx(old.y + 3, abs=0.02)
    angles = [world.joint(f"{name}.axle[0]").angle for name in ("red", "twin[0]")]
    assert angles[0] == pytest.approx(angles[1], abs=1e-3)
    assert "twin[0].push" in world.scene.actuators
    assert world["other[0].brick[2]"].position == pytest.approx((10, 1.25), abs=0.01)
    rope = world.scene.joints["hung[0].rope"]
    assert rope.max_length == 1.5
    # Turned by 90 degrees about the ball, the hook above it is on its left.
    assert rope.anchor_a == pytest.approx((-15, 4), abs=1e-3)
    assert world["tower[0].block"].position == pytest.approx((9, 8), abs=0.01)


def test_a_set_is_moved_and_removed_as_a_whole(scene: Scene) -> None:
    world = build(scene)
    world.step(42)
    assert world["ball"].position == (0, 8)
    vx, vy = world["ball"].velocity
    assert vy == pytest.approx(2, abs=1e-6)
    assert vx == pytest.approx(9.81 * 42 / 60, abs=0.01)
    world.step(6)
    assert [world[f"brick[{i}]"].velocity for i in range(3)] == [(0, 1)] * 3
    assert world["other[0].brick[0]"].y > 3
    world.step(42)
    assert not any(world[name].alive for name in ("brick[0]", "red.hull", "red.wheel[1]"))
    assert world["other[0].brick[0]"].alive
    assert world.state == {"cut": 1, "gone": 1}


def test_a_velocity_may_go_by_the_place_that_was_drawn(scene: Scene) -> None:
    world = build(scene)
    world.step(1)
    core = world["rain[0].core"]
    assert -5 <= core.x <= 5
    assert 3 <= core.y <= 4
    assert core.velocity == pytest.approx((-2 * core.x, -2 * core.y))


def test_a_saved_or_written_out_level_goes_on_with_all_that_was_moved(scene: Scene) -> None:
    world, other = build(scene), build(scene)
    world.step(45)
    other.restore(world.save())
    worlds: list[World] = [world, other, world.fork()]
    for each in worlds:
        each.step(60)
    assert len({each.state_hash() for each in worlds}) == 1
    written = build(loads(expand(scene)))
    written.step(105)
    assert written.state_hash() == world.state_hash()


@every_row(
    ("action", "message"),
    [
        ("move: {what: red}", "it moves nothing; give it `to`, `by`, `angle` or `velocity`"),
        ("move: {what: tags.bricks, by: [1, 1]}", "no body has the tag `bricks`"),
        ("move: {what: stak, by: [1, 1]}", "there is no body `stak`"),
        ("move: {what: red, by: [1, 1], to: [1, 2]}", "`to` and `by` are both given; keep one"),
        ("move: {body: red, by: [1, 1]}", "unknown key `body`; it is `what`"),
        ("copy: {what: red, by: [1, 1]}", "`name` is missing"),
        ("copy: {what: red, by: [1, 1], name: ball}", "something else called `ball`"),
        ("delete: redd", "there is no body `redd`"),
        ("spawn: {use: rock, pivot: middle}", "must be one of center, top_center"),
        ("spawn: {use: rock, at: ball, velocity: [=$at.x, 0]}", "there is no `$at.x` here"),
    ],
)
def test_what_is_wrong_with_such_an_action_is_told(action: str, message: str) -> None:
    with pytest.raises(SceneError) as raised:
        loads(f"{LEVEL}events: [{{when: time, do: [{{{action}}}]}}]")
    assert message in raised.value.problems[0].message


@every_row(
    ("event", "message"),
    [
        ("when: deleted, joint: ropes", "there is no joint `ropes`"),
        ("when: deleted, joint: rope, body: ball", "a `joint` is removed, or bodies; keep one"),
        ("when: deleted, joint: rope, if: =$point.x > 0", "there is no `$point.x` here"),
        ("when: leave, joint: rope, body: ball, region: [[0, 0], [1, 1]]", "`joint` belongs to"),
    ],
)
def test_what_is_wrong_with_an_event_of_a_removed_joint_is_told(event: str, message: str) -> None:
    with pytest.raises(SceneError) as raised:
        loads(f"{LEVEL}events: [{{{event}, do: [{{log: it}}]}}]")
    assert message in raised.value.problems[0].message


@every_row(
    ("said", "long"),
    [("steps: 30", 0.5), ("duration: 2", 2.0), ("steps: =3*4", 0.2)],
)
def test_an_animation_takes_a_time_or_some_steps(said: str, long: float) -> None:
    tracks = "tracks: {push.enabled: [[0, true], [1, false]]}"
    push = "push: {type: force, body: ball, force: [1, 0]}"
    bodies = f"bodies: {{ball: {{shape: {{circle: 1}}}}}}\nactuators: {{{push}}}"
    scene = loads(f"rigid: 1\n{bodies}\nanimations: {{go: {{type: once, {said}, {tracks}}}}}")
    assert scene.animations["go"].duration == pytest.approx(long)
