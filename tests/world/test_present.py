# SPDX-License-Identifier: MIT
"""A running level as a scene that begins where it is."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import SceneError, World, build
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Scene
from rigid2d.core.view.camera import Camera
from rigid2d.core.world.presenting.present import present

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


def test_what_speaks_of_removed_objects_is_left_out(running: World, begun: Scene) -> None:
    assert present(running).left_out == ["expect", "controls.z", "events[1]"]
    assert [*begun.controls] == ["k"]
    assert not begun.expect


GOING = """
rigid: 1
world: {duration: 4, gravity: [0, -10]}
collision: {categories: [default, ghost]}
materials: {ice: {friction: 0.02}}
bodies:
  floor: {type: static, shape: {box: [90, 1]}, position: [0, -0.5], friction: 1}
  sled: {shape: {box: [1, 0.5]}, position: [0, 0.25], velocity: [5, 0], material: ice}
  kite: {shape: {circle: 0.3}, position: [0, 9]}
  leaf: {shape: {circle: 0.3}, position: [20, 9], mass: 1, gravity_scale: 0, collide: false}
  gate: {type: kinematic, shape: {box: [0.2, 1]}, position: [-9, 3]}
actuators:
  wind: {type: field, body: leaf, field: [=4*sin(3*t), 0]}
  push: {type: force, body: kite, force: [6, 0], start: 0.5, until: 1.5}
  early: {type: force, body: kite, force: [0, 9], start: 0.1, until: 0.4}
  kick: {type: impulse, body: kite, impulse: [1, 2], start: 0.2}
animations:
  lift:
    {type: loop, loop: ping_pong, duration: 0.8,
     tracks: {gate.position: [[0, [-9, 3]], [1, [-9, 6]]]}}
events:
  - when: time
    at: 0.3
    do:
      - set: {sled.friction: 0.5, sled.category: ghost}
      - set: {kite.linear_damping: 0.7, kite.gravity_scale: 0.5}
camera:
  mode: keys
  keys:
    - [0, {rect: [[-9, -3], [9, 9]]}]
    - [0.5, {center: [0, 0], width: 9}]
    - [2, {target: sled, width: 5}]
    - [3, {target: kite, width: 8}]
  shake: [{at: 0.2, amplitude: 0.1}, {at: 0.8, amplitude: 0.2}, {at: 2.5, amplitude: 0.3}]
annotations:
  - {text: first, from: 0, until: 0.9, at: [0, 1]}
  - {text: later, from: 0.5, until: 2, at: [0, 1]}
  - {text: last, from: 1.5, at: [0, 1]}
render: {time: [[0, 1], [0.6, 0.5], [2, 2]]}
"""


def test_a_scene_goes_on_as_the_run_did() -> None:
    world = build(loads(GOING))
    world.step(66)  # 1.1 s: the gate is on its way back
    text = present(world).text
    scene = loads(text)
    other = build(scene)
    assert scene.animations["lift"].start == pytest.approx(1.375)
    assert scene.bodies["sled"].shapes[0].material.friction == 0.5
    assert scene.bodies["sled"].shapes[0].category == "ghost"
    assert scene.bodies["kite"].linear_damping == pytest.approx(0.7)
    for _ in range(4):
        world.step(20)
        other.step(20)
        for name in ("sled", "kite", "leaf", "gate"):
            place, velocity = world[name].position, world[name].velocity
            assert other[name].position == pytest.approx(place, abs=1e-4), name
            assert other[name].velocity == pytest.approx(velocity, abs=1e-4), name


def test_times_of_pictures_count_from_there_too() -> None:
    scene = loads(GOING)
    world = build(scene)
    world.step(60)
    now = loads(present(world).text)
    assert [key.at for key in now.camera.keys] == [-0.5, 1.0, 2.0]
    assert [shake.at for shake in now.camera.shake] == pytest.approx([-0.2, 1.5])
    assert [(each.text, each.start, each.until) for each in now.annotations] == [
        ("later", 0.0, 1.0),
        ("last", 0.5, math.inf),
    ]
    assert now.render.time == ((0.0, 0.5), (1.0, 2.0))
    size = (200, 100)
    before = Camera(scene, size, build(scene).frame())
    after, shown = Camera(now, size, build(now).frame()), build(now)
    for _ in range(3):
        world.step(24)
        shown.step(24)
        there = after.view(shown.frame()).box(size)
        assert there == pytest.approx(before.view(world.frame()).box(size), abs=1e-3)


def test_the_text_says_what_is_left_out(running: World) -> None:
    lines = present(running).text.splitlines()
    assert lines[:3] == ["# Left out: expect", "# Left out: controls.z", "# Left out: events[1]"]


def test_only_a_ping_pong_may_begin_on_its_way_back() -> None:
    with pytest.raises(SceneError, match="at most 1"):
        loads(GOING.replace("loop: ping_pong, duration", "start: 1.5, duration"))


COPIES = """
rigid: 1
world: {duration: 6, gravity: [0, -9.81]}
state: {score: 0, hits: 0, lost: 0, keyed: 0}
prototypes:
  shot: {bodies: {pellet: {shape: {circle: 0.05}, tags: [pellet]}}}
  robot:
    bodies:
      hull: {shape: {box: [0.6, 0.4]}, tags: [hull], points: {nose: [0.4, 0.3]}}
      eye: {shape: {circle: 0.1}, position: [0, 0.5]}
      arm: {type: kinematic, shape: {box: [0.1, 0.5]}, position: [0, 1.5]}
    joints: {neck: {type: weld, bodies: [hull, eye], anchor: [0, 0.3]}}
    actuators: {jet: {type: force, body: hull, force: [0, 9], enabled: false}}
    animations:
      wave: {type: loop, duration: 1.3, tracks: {arm.angle: [[0, 0], [0.5, 80], [1, 0]]}}
    particles: {dust: {from: hull.points.nose, rate: 9, life: 1}}
    controls:
      k: {hold: jet, do: [{add: {keyed: 1}}], on_release: {do: [{add: {keyed: 10}}]}}
    spawners:
      gun:
        {use: shot, name: shot, every: 0.5, at: [0.4, 0.9], velocity: [3, 0], max: 6,
         lifetime: 0.8}
    events:
      - when: time
        at: 1.7
        do: [{impulse: {body: hull, impulse: [0.1, 0.3]}}, {add: {score: 1}}]
      - {when: time, at: 0.4, every: 0.6, do: [{add: {score: =1+hull.y}}]}
      - when: collision
        bodies: [hull]
        tags: [floor]
        if: "=$impulse > 0.1"
        after: 0.3
        do: [{add: {hits: =$impulse}}, {set: {$a.velocity: [0, =$impulse]}}]
        unless: "=hull.y > 9"
      - {when: "=hull.y<0.5", do: [{add: {lost: =1+eye.x}}], after: 0.45}
      - when: leave
        bodies: [hull]
        region: [[-2, -4], [2, 1.5]]
        do: [{add: {lost: 100}}]
      - {when: deleted, bodies: [eye], do: [{add: {lost: 1000}}]}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [floor]}
inputs:
  - {key: k, from: 1.0, to: 1.9}
spawners:
  rain: {use: robot, name: bot, every: 0.7, at: [0, 2], max: 3, lifetime: 3.1}
"""


@pytest.mark.parametrize(("step", "turns"), [(48, 4), (60, 4), (66, 4), (130, 1)])
def test_spawned_copies_keep_their_scripts(step: int, turns: int) -> None:
    world = build(loads(COPIES))
    world.step(step)
    text, left_out = present(world)
    assert not left_out
    other = build(loads(text))
    again = step == 66  # the key is down, and pressed anew by both robots
    for _ in range(turns):
        world.step(20)
        other.step(20)
        state, its = dict(world.state), dict(other.state)
        assert its.pop("keyed") - 2.0 * again == state.pop("keyed")
        assert its == pytest.approx(state, rel=0.02)
        assert _alive(other) == _alive(world)


def _alive(world: World) -> int:
    return sum(world[name].alive for name in world.scene.bodies)


def test_particles_of_copies_have_the_new_names() -> None:
    world = build(loads(COPIES))
    world.step(60)
    scene = loads(present(world).text)
    assert scene.particles["bot_0_dust"].places == ("bot_0_hull.points.nose",)


def test_a_region_turned_with_its_copy_is_left_out() -> None:
    world = build(loads(COPIES.replace("at: [0, 2], max", "at: [0, 2], angle: 30, max")))
    world.step(60)
    left_out = present(world).left_out
    assert len(left_out) == 2  # one of each robot
    assert "`bot[0]`: the `region` of" in left_out[0]


ROPES = """
rigid: 1
world: {duration: 3}
bodies:
  ball: {shape: {circle: 0.3}, position: [0, 2]}
  other: {shape: {circle: 0.3}, position: [3, 2]}
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -3]}
controls: {r: {do: [{detach: rope}]}}
inputs: [{key: r, from: 1, to: 1.1}]
events:
  - {when: time, at: 0.2, do: [{attach: {name: rope, joint: {type: weld, bodies: [ball, other]}}}]}
  - {when: time, at: 0.4, do: [{attach: {name: rope, joint: {type: weld, bodies: [world, ball]}}}]}
"""


def test_joints_attached_before_are_detached() -> None:
    world = build(loads(ROPES))
    world.step(15)
    text, left_out = present(world)
    assert not left_out
    other = build(loads(text))
    other.step(60)
    world.step(60)
    assert world["ball"].position[1] < 1.0
    for name in ("ball", "other"):
        assert other[name].position == pytest.approx(world[name].position, abs=1e-3)
