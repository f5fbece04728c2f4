# SPDX-License-Identifier: MIT
"""Single coordinates that are set, and what is added to what bodies, joints and actuators have."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from rigid2d.core import Batch, Scene, World, loads
from rigid2d.core.errors import SceneError, SimulationError, UsageError
from rigid2d.core.scene import expand

from tests.rows import every_row

TEXT = """
rigid: 1
world: {{duration: 2, gravity: [0, 0], sleep: false}}
state: {{n: 1}}
bodies:
  ball: {{shape: {{circle: 0.5}}, position: [1, 2], velocity: [3, 4], tags: [ball]}}
  arm: {{shape: {{box: [2, 0.2]}}, position: [10, 0]}}
  wall: {{type: static, shape: {{box: [1, 9]}}, position: [-20, 0]}}
joints:
  hinge:
    {{type: revolute, bodies: [world, arm], anchor: [9, 0], motor: {{speed: 90, max_torque: 5}}}}
  hand: {{type: mouse, body: arm, target: [11, 1], max_force: 1}}
actuators: {{jet: {{type: force, body: ball, force: [0, 0]}}}}
{more}
"""


def scene(more: str = "") -> Scene:
    return loads(TEXT.format(more=more))


def doing(*actions: str) -> Scene:
    return scene(f"events: [{{when: time, at: 0.01, do: [{', '.join(actions)}]}}]")


def after(given: Scene) -> World:
    world = World(given)
    world.step()
    return world


@every_row(
    ("action", "path", "value"),
    [
        ("set: {ball.velocity.x: 7}", "velocity", (7, 4)),
        ("set: {ball.velocity.y: =ball.vx + 1}", "velocity", (3, 4)),
        ("set: {ball.velocity.y: -1 m/s}", "velocity", (3, -1)),
        ("set: {ball.position.x: 50 cm}", "position", (0.5, 2 + 4 / 60)),
        ("add: {ball.velocity: [1, -1]}", "velocity", (4, 3)),
        ("add: {ball.velocity.y: =state.n*2}", "velocity", (3, 6)),
        ("add: {ball.position.y: -2}", "position", (1 + 3 / 60, 4 / 60)),
        ("add: {ball.angular_velocity: 180}", "angular_velocity", math.pi),
        ("add: {ball.angle: 90}", "angle", math.pi / 2),
    ],
)
def test_bodies(action: str, path: str, value: object) -> None:
    world = after(doing(f"{{{action}}}"))
    assert getattr(world["ball"], path) == pytest.approx(value, abs=1e-6)


def test_joints_and_actuators() -> None:
    world = after(
        doing(
            "{add: {hinge.motor.speed: 90, hinge.motor.max_torque: -2}}",
            "{set: {hand.target.x: 5, jet.force.y: 6}}",
            "{add: {hand.target.y: 2, jet.force: [1, 1], jet.force.x: 3}}",
            "{add: {n: 2}}",
            "{add: {state.n: 3}}",
        )
    )
    hinge, jet = world.motors["hinge"], world.actuator("jet").now
    assert (hinge.target, hinge.strength) == pytest.approx((math.pi, 3))
    assert world.targets["hand"] == (5, 3)
    assert jet.force == (4, 7)
    assert world.state["n"] == 6


def test_actions_follow_each_other() -> None:
    world = after(doing(*["{add: {ball.velocity.x: 1}}"] * 4, "{set: {ball.velocity.y: 0}}"))
    assert world["ball"].velocity == (7, 0)


def test_bodies_of_events_keys_and_inputs() -> None:
    more = """
prototypes: {dot: {bodies: {one: {shape: {circle: 0.1}, tags: [dot]}}}}
spawners: {rain: {use: dot, every: 9, at: [-5, 0], velocity: [-60, 0]}}
events:
  - when: leave
    tags: [dot]
    region: [[-8, -2], [0, 2]]
    do: [{set: {$a.velocity.x: 0}}, {add: {$a.velocity.y: 2}}]
controls:
  up:
    set: {ball.velocity.x: 1}
    on_release: {ball.velocity.x: -1}
    do: [{add: {ball.velocity.y: 1}}]
inputs:
  - {key: up, from: 0.5, to: 1}
  - {at: 1.5, set: {ball.position.y: 0, jet.force.x: 0}}
"""
    world = World(scene(more))
    world.step(31)
    assert world["ball"].velocity == (1, 5)
    assert world["rain[0].one"].velocity == (0, 2)
    world.step(30)
    assert world["ball"].velocity == (-1, 5)
    world.step(30)
    assert world["ball"].y == pytest.approx(5 / 60, abs=1e-5)


PART = """
rigid: 1
world: {gravity: [0, 0], sleep: false}
bodies: {far: {type: static, shape: {circle: 1}, position: [99, 0]}}
prototypes:
  puck:
    bodies: {body: {shape: {circle: 0.2}, position: [1, 0], velocity: [0, 1], collide: false}}
    events: [{when: time, at: 0.01, do: [{%s}]}]
"""


@every_row(
    "action",
    [
        "set: {body.velocity.x: 5}",
        "set: {body.position.y: 5}",
        "add: {body.velocity.y: 5}",
        "add: {body.position.x: 5}",
        "add: {body.position: [5, 1]}",
        "add: {body.angle: 30}",
        "add: {body.angular_velocity: 30}",
    ],
)
@every_row(
    "place",
    [
        "angle: 0",
        "angle: 90",
        "angle: 180, mirror: x",
        "angle: -90, mirror: y",
        "angle: 0, scale: 2",
    ],
)
@every_row("born", [False, True])
def test_instances_have_them_along_their_own_axes(action: str, place: str, born: bool) -> None:
    goes_along_its_own_axes(action, place, born)


@every_row(
    "action",
    [
        "add: {body.velocity.y: 5}",
        'add: {body.velocity.x: "=2*body.speed + 1"}',
        "add: {body.position.x: 5}",
    ],
)
@every_row("place", ["angle: 30", "angle: 200, mirror: x", "angle: -50, scale: 2"])
@every_row("born", [False, True])
def test_what_is_added_turns_with_an_instance(action: str, place: str, born: bool) -> None:
    goes_along_its_own_axes(action, place, born)


def goes_along_its_own_axes(action: str, place: str, born: bool) -> None:
    """What happens in the prototype's own axes, seen from the instance, is what happens there."""
    put = f"instances: {{it: {{use: puck, at: [7, -3], {place}}}}}"
    name, first = "it.body", 1
    if born:
        put = f"events: [{{when: time, do: [{{spawn: {{use: puck, at: [7, -3], {place}}}}}]}}]"
        name, first = "puck[0].body", 2
    text = PART % action
    plain = World(loads(f"{text}instances: {{it: {{use: puck}}}}"))
    plain.step()
    world = World(loads(text + put))
    world.step(first)
    a, b = plain["it.body"], world[name]
    given = dict(part.split(": ") for part in place.split(", "))
    turn, scale = math.radians(float(given["angle"])), float(given.get("scale", 1))
    mirror = given.get("mirror")
    signs = (-1 if mirror == "x" else 1, -1 if mirror == "y" else 1)

    def placed(x: float, y: float) -> tuple[float, float]:
        x, y = signs[0] * x, signs[1] * y
        return (
            math.cos(turn) * x - math.sin(turn) * y,
            math.sin(turn) * x + math.cos(turn) * y,
        )

    assert b.velocity == pytest.approx(placed(*a.velocity), abs=1e-5)
    assert b.angular_velocity == pytest.approx((-1 if mirror else 1) * a.angular_velocity, abs=1e-6)
    if "position" in action:  # what was flown before it does not scale
        x, y = placed(scale * a.x, scale * a.y)
        assert b.position == pytest.approx((7 + x, -3 + y), abs=0.04)


def test_an_instance_that_is_turned_otherwise_is_refused() -> None:
    text = PART % "set: {body.velocity.x: 5}"
    with pytest.raises(SceneError, match="turned by quarters of a turn only") as caught:
        loads(f"{text}instances: {{it: {{use: puck, angle: 30}}}}")
    assert caught.value.problems[0].path == "instances.it.angle"
    born = f"{text}events: [{{when: time, do: [{{spawn: {{use: puck, angle: 30}}}}]}}]"
    with pytest.raises(SimulationError, match="sets one coordinate"):
        World(loads(born)).step(3)
    World(loads(born.replace("velocity.x: 5", "velocity: [5, 0]"))).step(3)
    World(loads(born.replace("set: {", "add: {"))).step(3)
    random = PART % 'add: {body.velocity.x: "=uniform(1, 2)"}'
    with pytest.raises(SceneError, match="random numbers"):
        loads(f"{random}instances: {{it: {{use: puck, angle: 30}}}}")


def test_programs_set_and_add_as_actions_do() -> None:
    world, other = World(scene()), World(scene())
    world.set("ball.velocity.x", 7)
    world.add_to("ball.velocity.y", 2)
    world.add_to("ball.position", (1, 1))
    world.set("jet.force.y", 3)
    world.add_to("hinge.motor.speed", 1)
    other.set("ball.velocity", (7, 6))
    other.set("ball.position", (2, 3))
    other.set("jet.force", (0, 3))
    other.set("hinge.motor.speed", math.pi / 2 + 1)
    for each in (world, other):
        each.step(5)
    assert world.save() == other.save()


def test_a_run_goes_on_from_a_saved_state_and_in_a_batch() -> None:
    given = scene(
        "events: [{when: time, every: 0.1, do: [{add: {ball.velocity.y: 0.5, hinge.motor.speed: 9, "
        "jet.force.x: 1}}]}]"
    )
    world, other, batch = World(given), World(given), Batch(given, 2)
    world.step(40)
    other.restore(world.save())
    for each in (world, other):
        each.step(40)
    batch.step(80)
    assert world.save() == other.save() == batch.world(1).save()
    written = World(loads(expand(given)))
    written.step(80)
    np.testing.assert_array_equal(written.native.vy, world.native.vy)


@every_row(
    ("action", "path", "message"),
    [
        ("set: {ball.velocity.z: 1}", "set.ball.velocity.z", "`velocity.z` of the body `ball`"),
        ("set: {ball.angle.x: 1}", "set.ball.angle.x", "cannot be set"),
        ("set: {ball.vx: 1}", "set.ball.vx", "what is set is `ball.velocity.x`"),
        ("add: {ball.y: 1}", "add.ball.y", "what is set is `ball.position.y`"),
        ("set: {ball.omega: 1}", "set.ball.omega", "what is set is `ball.angular_velocity`"),
        ("set: {ball.velocity.x: [1, 2]}", "set.ball.velocity.x", "must be a"),
        ("set: {wall.velocity.x: 1}", "set.wall.velocity.x", "is static"),
        ("add: {ball.friction: 1}", "add.ball.friction", "can be set, and not added to"),
        ("add: {ball.awake: true}", "add.ball.awake", "can be set, and not added to"),
        ("add: {hinge.motor.enabled: true}", "add.hinge.motor.enabled", "and not added to"),
        ("add: {ball.velocity: 3}", "add.ball.velocity", "a velocity [x, y]"),
        ("add: {bal.velocity: [3, 1]}", "add.bal.velocity", "did you mean `ball`"),
        ("add: {scor: 3}", "add.scor", "there is no state variable `scor`"),
        ("add: {$a.velocity: [1, 1]}", "add.$a.velocity", "there is no `$a` here"),
        ("add: {world.gravity: 1}", "add.world.gravity", "an acceleration [x, y]"),
    ],
)
def test_what_is_wrong_is_told(action: str, path: str, message: str) -> None:
    with pytest.raises(SceneError, match=re.escape(message)) as caught:
        doing(f"{{{action}}}")
    (problem,) = caught.value.problems
    assert problem.path == f"events[0].do[0].{path}"


def test_tracks_and_keys_of_prototypes_have_both_coordinates() -> None:
    with pytest.raises(SceneError, match="a track sets both coordinates"):
        scene("animations: {go: {duration: 1, tracks: {wall.position.x: [[0, 1], [1, 2]]}}}")
    text = PART % "log: a"  # its events are the last of the prototype
    with pytest.raises(SceneError, match="a prototype's key sets both coordinates"):
        loads(
            f"{text}    controls: {{up: {{set: {{body.velocity.x: 1}}}}}}\n"
            "instances: {it: {use: puck}}"
        )


def test_what_comes_out_of_bounds_stops_the_run_by_its_path() -> None:
    world = World(doing("{add: {hinge.motor.max_torque: -9}}"))
    with pytest.raises(SimulationError, match=r"events\[0\]\.do\[0\].*must not be negative"):
        world.step()
    for path in ("ball.friction", "hinge.motor.enabled", "jet.enabled"):
        with pytest.raises(UsageError, match="can be set, and not added to"):
            world.add_to(path, 1)


def test_what_is_read_of_a_body_of_the_event_is_set_by_its_path() -> None:
    event = "{when: collision, do: [{set: {$a.vy: 3}}]}"
    with pytest.raises(SceneError, match=re.escape("what is set is `$a.velocity.y`")):
        loads(f"rigid: 1\nbodies: {{a: {{shape: {{circle: 1}}}}}}\nevents: [{event}]")
