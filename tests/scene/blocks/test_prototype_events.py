# SPDX-License-Identifier: MIT
"""Events and actions of prototypes: whose they are, where their values are, and what is told."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from rigid2d.core import World
from rigid2d.core.errors import Problem, SimulationError
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]

COIN = """
state: {coins: 0, shots: 0}
prototypes:
  spark: {bodies: {dot: {shape: {circle: 0.05}, tags: [spark]}}}
  coin:
    vars: {worth: 1}
    bodies: {disc: {type: static, shapes: [{circle: 0.3, sensor: true}], tags: [coin]}}
    events: [{when: sensor_enter, tags: [coin, hero], do: [{delete: $a}, {add: {coins: =worth}}]}]
bodies:
  floor: {type: static, shape: {box: [60, 1]}, position: [0, -0.5]}
  hero: {shape: {circle: 0.5}, position: [-4, 0.5], velocity: [4, 0], tags: [hero]}
instances:
  money: {use: coin, repeat: {i: 3}, at: [=2*i, 0.6], vars: {worth: =i+1}}
"""
ROBOT = """
prototypes:
  spark: {bodies: {dot: {shape: {circle: 0.05}}}}
  robot:
    vars: {size: 2}
    bodies:
      base: {type: kinematic, shape: {box: [1, 1]}, points: {nose: [1, 0]}, tags: [part]}
      leg: {shape: {box: [0.2, 1]}, position: [0, -1], tags: [part]}
    joints: {hip: {type: revolute, bodies: [base, leg], motor: {speed: 0}}}
    actuators: {jet: {type: thruster, body: leg, force: [1, 0]}}
    events: [{when: time, do: [%s]}]
instances: {red: {use: robot, at: [5, 0], pivot: [1, 0], angle: 90, mirror: x, scale: 2}}
"""


def test_each_instance_has_the_events_of_its_prototype(scene: Make) -> None:
    world = World(scene(COIN))
    world.step(240)
    assert world.state["coins"] == 1 + 2 + 3
    assert not world["money[0].disc"].alive


@every_row(
    ("action", "field", "placed"),
    [
        ("impulse: {body: leg, impulse: [2, 3]}", "amount", (-3.0, -2.0)),
        ("impulse: {body: leg, impulse: [0, 0], at: [2, 3]}", "at", (-1.0, -2.0)),
        ("explode: {at: [2, 3], radius: 1, impulse: 1}", "radius", 2.0),
        ("set: {leg.velocity: [2, 3]}", "red.leg.velocity", (-3.0, -2.0)),
        ("set: {leg.angular_velocity: 30}", "red.leg.angular_velocity", -math.pi / 6),
        ("set: {hip.motor.speed: 60}", "red.hip.motor.speed", -math.pi / 3),
        ("set: {jet.force: [2, 3]}", "red.jet.force", (-2.0, 3.0)),
        ("set: {jet.enabled: false}", "red.jet.enabled", False),
        ("spawn: {use: spark, at: [2, 3]}", "at", (-1.0, -2.0)),
        ("spawn: {use: spark, velocity: [2, 3]}", "velocity", (-3.0, -2.0)),
        ("spawn: {use: spark, angle: 30}", "angle", math.pi / 3),
        ("spawn: {use: spark, at: base.points.nose}", "at", "red.base.points.nose"),
        ("spawn: {use: spark, frame: base, at: [2, 3]}", "at", (-4.0, 6.0)),
        ("spawn: {use: spark, frame: base, angle: 30}", "angle", -math.pi / 6),
        ("spawn: {use: spark, frame: base}", "frame", "red.base"),
        ("spawn: {use: spark}", "name", "red.spark"),
        ("spawn: {use: spark, scale: 3}", "scale", 6.0),
        ("spawn: {use: spark, mirror: x}", "mirror", None),
        ("delete: leg", "name", "red.leg"),
        ("detach: hip", "name", "red.hip"),
    ],
)
def test_what_is_done_is_placed_as_objects_are(
    scene: Make, action: str, field: str, placed: object
) -> None:
    (rule,) = scene(ROBOT % f"{{{action}}}").events
    (done,) = rule.actions
    value = done.values.get(field)
    if value is None:
        value = getattr(done.spawn or done, field)
    assert value == (placed if isinstance(placed, str) else pytest.approx(placed, abs=1e-12))


def test_what_is_spawned_by_a_mirrored_instance_is_mirrored(scene: Make) -> None:
    plain = ROBOT % "{spawn: {use: robot, scale: 0.5}}"
    (rule,) = scene(plain.replace("angle: 90, ", "")).events
    assert rule.actions[0].spawn is not None
    assert (rule.actions[0].spawn.mirror, rule.actions[0].spawn.scale) == ("x", 1.0)
    world = World(scene(plain.replace("angle: 90, ", "")))
    world.step(1)
    assert world["red.robot[0].base"].definition.points["nose"] == (-1.0, 0.0)


def test_conditions_and_values_read_the_instance_s_own_state(scene: Make) -> None:
    text = ROBOT.replace("when: time", 'when: "=leg.y < -size*2"') % "{set: {jet.torque: =leg.x}}"
    (rule,) = scene(text).events
    assert rule.condition == "red.leg.y < -2.0*2"
    (formula,) = rule.actions[0].values.values()
    assert formula.source == "-(red.leg.x)"  # the mirror takes a torque to its opposite


def test_vars_of_an_instance_are_in_its_events(scene: Make) -> None:
    world = World(scene(COIN.replace("=i+1", "=10")))
    world.step(240)
    assert world.state["coins"] == 30


def test_a_key_does_what_each_instance_does(scene: Make) -> None:
    gun = """
  gun:
    bodies: {base: {type: static, shape: {box: [1, 1]}}}
    controls: {fire: {do: [{spawn: {use: spark, at: [1, 0]}}, {add: {shots: 1}}], every: 0.25}}
bodies:"""
    made = scene(
        COIN.replace("\nbodies:", gun)
        + "  a: {use: gun, at: [9, 5]}\n  b: {use: gun, at: [0, 9]}\n"
        "inputs: [{key: fire, from: 0.5, to: 1.1}]"
    )
    assert [action.path for action in made.controls["fire"].actions] == [
        f"controls.fire.do[{i}]" for i in range(4)
    ]
    world = World(made)
    world.step(120)
    assert world.state["shots"] == 2 * 3
    assert "a.spark[2].dot" in list(world)


def test_keys_that_repeat_otherwise_cannot_be_joined(problems: Find) -> None:
    gun = """
  gun:
    vars: {pause: 1}
    bodies: {base: {type: static, shape: {box: [1, 1]}}}
    controls: {fire: {do: [{add: {shots: 1}}], every: =pause}}
bodies:"""
    (found,) = problems(
        COIN.replace("\nbodies:", gun) + "  a: {use: gun}\n  b: {use: gun, vars: {pause: 2}}\n"
    )
    assert found.path == "instances.b"
    assert "give it the same `every`, or another key" in found.message


def test_instances_inside_prototypes_pass_their_events_on(scene: Make) -> None:
    chest = """
  chest:
    bodies: {lid: {type: static, shape: {box: [1, 0.1]}, position: [0, 5]}}
    instances: {gold: {use: coin, at: [0, 0.6], vars: {worth: 7}}}
    events: [{when: deleted, body: gold.disc, do: [{delete: lid}]}]
bodies:"""
    made = scene(COIN.replace("\nbodies:", chest) + "  c: {use: chest, at: [6, 0]}\n")
    assert [rule.origin for rule in made.events[3:]] == ["c.events[0]", "c.gold.events[0]"]
    world = World(made)
    world.step(240)
    assert world.state["coins"] == 6 + 7
    assert not world["c.lid"].alive


def test_an_event_is_about_each_of_the_instance_s_own_bodies(scene: Make) -> None:
    made = scene(ROBOT.replace("when: time", "when: collision, tags: [part]") % "{log: hit}")
    assert [rule.who[0].bodies for rule in made.events] == [("red.base",), ("red.leg",)]


def test_a_body_and_a_tag_may_be_the_two_of_an_event(scene: Make) -> None:
    world = World(
        scene(
            COIN + "events: [{when: collision, bodies: [hero], tags: [coin], do: [{log: no}]},\n"
            "  {when: sensor_enter, bodies: ['money[1].disc'], tags: [hero], do: [{log: second}]}]"
        )
    )
    world.step(240)
    assert [event.a for event in world.events.take() if event.kind == "log"] == ["second"]


def test_what_is_written_out_reads_and_runs_the_same(scene: Make) -> None:
    shoot = "{spawn: {use: spark, at: base, velocity: [3, '=uniform(-1, 1)'], frame: base}}"
    made = scene(ROBOT % (shoot + ", {set: {leg.velocity: [1, =leg.vx]}}"))
    again = loads(expand(made))
    assert again.hash == made.hash
    worlds = [World(each) for each in (made, again)]
    for world in worlds:
        world.step(30)
    assert worlds[0].state_hash() == worlds[1].state_hash()


def test_random_directions_are_not_turned_aslant(problems: Find) -> None:
    shoot = ROBOT % "{spawn: {use: spark, velocity: [3, '=uniform(-1, 1)']}}"
    (found,) = problems(shoot.replace("angle: 90", "angle: 30"))
    assert found.path == "instances.red.angle"
    assert "a `spawn` has a `frame`" in found.message


def test_a_region_is_turned_by_quarters_only(scene: Make, problems: Find) -> None:
    leave = ROBOT.replace("when: time", "when: leave, body: leg, region: [[-1, -2], [3, 4]]")
    (rule,) = scene(leave % "{end: fail}").events
    assert rule.region is not None
    corners = [each for corner in rule.region for each in corner]
    assert corners == pytest.approx([-3, -4, 9, 4])
    (found,) = problems(leave.replace("angle: 90", "angle: 30") % "{end: fail}")
    assert "turned by quarters of a turn only" in found.message


@every_row(
    ("action", "message"),
    [
        ("{delete: lag}", "prototypes.robot.events[0].do[0].delete: there is no body `lag`; did"),
        ("{delete: hero}", "there is no body `hero`"),
        ("{set: {leg.frictoin: 1}}", "did you mean `friction`"),
        ("{set: {world.gravity: [0, 0]}}", "a prototype sets what it has itself"),
        ("{add: {score: 1}}", "there is no state variable `score`"),
        ("{play: wave}", "there is no animation `wave`"),
        ("{spawn: {use: spork}}", "there is no prototype `spork`; did you mean `spark`"),
        ("{log: a, end: fail}", "write one"),
    ],
)
def test_a_mistake_is_told_where_it_stands(problems: Find, action: str, message: str) -> None:
    found = problems(ROBOT % action + "bodies: {hero: {shape: {circle: 1}}}")
    assert len(found) == 1
    assert message in str(found[0])
    assert found[0].line == 11


def test_a_tag_that_nobody_has_is_told(problems: Find) -> None:
    (own,) = problems(COIN.replace("tags: [coin, hero]", "tags: [cion, hero]"))
    assert "no body of the prototype has the tag `cion`; did you mean `coin`" in own.message
    (other,) = problems(COIN.replace("tags: [coin, hero]", "tags: [coin, heroo]"))
    assert "no body has the tag `heroo`; did you mean `hero`" in other.message
    assert other.path == "prototypes.coin.events[0].tags[1]"


def test_a_failure_at_run_time_names_the_instance(scene: Make) -> None:
    world = World(scene(COIN.replace("{coins: =worth}", "{coins: =1/disc.vx}")))
    with pytest.raises(SimulationError, match=r"money\[0\]\.events\[0\]\.do\[1\]"):
        world.step(240)
