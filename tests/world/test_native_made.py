# SPDX-License-Identifier: MIT
"""Births whose vars are worked out, and copies of bodies, while the script runs in the engine: with
the bits, saved states and events of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SimulationError

from tests.scripts import program, restore_and_fork, step_alike

MADE = """
rigid: 1
world: {dt: 0.02, seed: 4, bounds: [[-9, -9], [9, 30]]}
state: {n: 0}
prototypes:
  ball: {vars: {size: 0.2}, bodies: {core: {shape: {circle: =size}, tags: [b]}},
    particles: {glow: {from: core, rate: 9, life: 0.3}}}
  duo:
    vars: {size: 0.2, long: false}
    bodies:
      one: {shape: {circle: =size}, tags: [b], velocity: [0, 1]}
      two: {repeat: {i: "=1 + floor(5*size)"}, shape: {box: [
        "=(2 if long else 1)*size + uniform(0, 1)", 0.1]}, position: ["=0.6+i", 0]}
    joints: {pin: {type: revolute, bodies: [one, "two[0]"], anchor: [0.3, 0]}}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [-3, 1], angular_velocity: 20}
  brick: {shape: {box: [0.4, 0.4]}, position: [0, 1]}
  hung: {shape: {box: [0.2, 0.5]}, position: [-1, 3], tags: [b]}
joints:
  rod: {type: distance, bodies: [hung, brick]}
  nail: {type: revolute, bodies: [hung, world], anchor: [-1, 3.2], motor: {speed: 40}}
actuators: {jet: {type: thruster, body: brick, force: [0, 1]}}
groups: {pair: [brick, hung]}
events:
  - {when: time, at: 0.2, every: 0.5, do: [{add: {n: 1}}, {copy: {what: pair, by: [1, "=state.n"],
      angle: "=uniform(-90, 90)", name: twin}}, {spawn: {use: duo, at: ["=uniform(-4, 4)", 5],
      mirror: x, scale: 1.3, vars: {size: =0.1*state.n, long: =state.n > 1}}}, {log: done}]}
  - {when: collision, tags: [b, b], cooldown: 0.3, do: [{copy: {what: $a, to: lift,
      velocity: [0, 2], name: spare}}, {destroy: {body: $b, count: 3, tags: []}}]}
  - {when: time, at: 1.3, do: [{copy: {what: tags.b, by: [0, 3], name: many}}]}
spawners:
  rain: {use: ball, every: 0.17, at: ["=uniform(-4, 4)", 6], vars: {size: "=uniform(0.1, 0.3)"},
    if_free: true, max_tries: 3, pivot: bottom_center, lifetime: "=uniform(0.5, 2)"}
  few: {use: duo, every: 0.4, at: [0.5, 0.5], frame: lift, vars: {size: 0.15}, alive: 2}
"""


@pytest.mark.parametrize("stride", [1, 23])
def test_what_is_made_when_it_is_born_has_the_bits_of_python(stored: Any, stride: int) -> None:
    scene = loads(MADE)
    assert not program(scene).is_whole  # Python makes it
    here, there = stored(scene), World(scene)
    if stride == 23:
        for world in (here, there):
            world.events.enable_births()
    step_alike(here, there, stride, 90)
    for name in (
        "twin[1].hung",
        "spare[0]",
        "duo[0].two[0]",
        "rain[2].core",
        "many[0].hung",
    ):
        assert name in here.roster.used


def test_it_goes_on_from_saved_states_and_forks(stored: Any) -> None:
    scene = loads(MADE)
    restore_and_fork(stored(scene), World(scene), 9)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("=uniform(0.1, 0.3)", "=1/state.n", "spawners.rain.vars.size"),
        ("=uniform(0.1, 0.3)", "=0.3 - 0.3*state.n", "spawners.rain: "),
        ("=0.1*state.n", "=1 - state.n", "events[0].do[2]"),
        ('[1, "=state.n"]', "[1, =1e16*state.n]", "events[0].do[1]"),
    ],
)
def test_failures_have_the_words_of_python(stored: Any, old: str, new: str, message: str) -> None:
    assert old in MADE
    scene = loads(MADE.replace(old, new))
    said = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(SimulationError) as error:
            world.step(60)
        said.append((str(error.value), world.step_count))
    assert said[0] == said[1]
    assert message in said[0][0]


def test_a_step_may_make_more_originals_than_python_calls_itself() -> None:
    spawner = (
        "{use: ball, every: 0.00001, max: 1500, at: ['=uniform(-9, 9)', 3], "
        "vars: {size: '=uniform(0.1, 0.2)'}}"
    )
    world = World(
        loads(
            "rigid: 1\nworld: {dt: 0.02}\n"
            "prototypes: {ball: {vars: {size: 0.1}, bodies: {core: {shape: {circle: =size}, "
            "collide: false}}}}\n"
            "bodies: {ground: {type: static, shape: {box: [40, 1]}, position: [0, -5]}}\n"
            f"spawners: {{rain: {spawner}}}\n"
        )
    )
    world.step(1)
    assert len(world.bodies.added) == 1500


def test_copies_have_the_motors_of_their_bodies() -> None:
    scene = loads(
        "rigid: 1\nworld: {dt: 0.02, gravity: [0, 0]}\n"
        "bodies: {wheel: {shape: {circle: 0.3}, position: [5, 3]}}\n"
        "actuators: {spin: {type: rotary_motor, body: wheel, speed: 90, max_torque: 3, start: 0.6,"
        " until: 0.9}}\n"
        "events: [{when: time, at: 0.1, do: [{copy: {what: wheel, by: [0, 2], name: twin}}]}]\n"
    )
    world, other = World(scene), World(scene)
    world.step(60)
    for _ in range(60):
        other.step()
        other.save()  # which hands the state over
    assert world["twin[0]"].angular_velocity == world["wheel"].angular_velocity > 1.0
    assert world.save() == other.save()
