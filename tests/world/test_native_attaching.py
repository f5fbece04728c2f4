# SPDX-License-Identifier: MIT
"""Joints that actions attach and detach in the engine, with the bits of those of Python."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import SimulationError, World, loads

from tests.rows import every_row
from tests.scripts import alone, go, program, run_changed, step_alike
from tests.world.test_attached_joints import JOINTS, PLACES, SCENE

ATTACHED = (
    "    events: [{{when: time, at: 0.2, every: 0.3, do: [{{detach: tie}},"
    " {{attach: {{name: tie, joint: {joint}}}}}]}}]"
)


@every_row("place", PLACES)
@every_row("joint", JOINTS)
def test_a_joint_of_any_type_is_attached(stored: Any, joint: str, place: str) -> None:
    text = SCENE.format(place=PLACES[place], more=ATTACHED.format(joint=JOINTS[joint]))
    scene = loads(text.replace("gravity: [0, 0]", "gravity: [0, -9]"))
    assert program(scene).is_whole
    step_alike(stored(scene), World(scene), 30, 60)


# A rope to where the ball hits, a rod to a point by its name, and one that measures its length;
# the joints of removed bodies end, and events tell it.
ROPES = """
rigid: 1
world: {dt: 0.01, bounds: [[-30, -9], [30, 30]]}
state: {held: 0, ends: 0, cuts: 0}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.2}, velocity: [0, -3], tags: [drop]}}}}
bodies:
  ceiling: {type: static, shape: {box: [40, 0.4]}, position: [0, 6], angle: 3, tags: [hard]}
  floor: {type: static, shape: {box: [40, 0.4]}, angle: 2, tags: [hard]}
  ball: {repeat: {i: 2}, shape: {circle: 0.3}, position: ["=-4 + 3*i", "=3 + i"],
    velocity: [2, 9], points: {loop: [0, "=0.3 - i/10"]}, tags: [ball]}
  cart: {shape: {box: [1, 0.4]}, position: [6, 1], velocity: [1, 0], points: {top: [0.2, 0.2]}}
joints: {cord: {type: distance, bodies: [world, cart], anchor: [6, 5], rope: true}}
events:
  - {when: collision, tags: [hard, ball], cooldown: 0.2, do: [{add: {held: 1}},
      {attach: {name: rope, joint: {type: distance, bodies: [$a, $b], anchors: [$point, loop],
      max_length: 2, spring: {frequency: 2}, break: {force: 40}}}}]}
  - {when: collision, tags: [hard, drop], do: [{attach: {name: glue, joint: {type: weld,
      bodies: [$a, $b], anchor: $point}}}, {attach: {name: line, joint: {type: distance,
      bodies: [$b, cart], anchors: [[0, 0], top], rope: true, min_length: %s}}}]}
  - {when: deleted, joint: rope, do: [{add: {ends: 1}}]}
  - {when: deleted, joint: cord, do: [{add: {cuts: 1}}]}
  - {when: time, at: 0.7, every: 0.5, do: [{detach: rope}, {delete: tags.drop}]}
  - {when: time, at: 1.3, do: [{detach: cord}, {detach: line}, {delete: 'ball[0]'}]}
spawners: {sky: {use: drop, every: 0.31, at: [3, 4], lifetime: 1.1}}
"""


# A point by its name, of any of two bodies that touch; the last of them has none.
NAMED = """
rigid: 1
world: {dt: 0.01}
state: {n: 0}
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5], points: {grip: [0, 0.5]}}
  ball: {repeat: {i: 2}, shape: {circle: 0.3}, position: ["=2 * i", "=0.6 + 0.4 * i"],
    points: {grip: [0.1, 0.2]}}
  last: {shape: {box: [1, 0.4]}, position: [-3, 2]}
events: [{when: collision, do: [{attach: {name: tie, joint: {type: revolute, bodies: [$a, $b],
  anchor: $b.points.grip}}}, {add: {n: 1}}]}]
"""


def test_a_point_of_any_body_holds_and_one_without_it_is_told(stored: Any) -> None:
    scene = loads(NAMED)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, 10, 50)
    assert there.state["n"] == 2
    errors = []
    for world in (here, there):
        with pytest.raises(SimulationError) as error:
            world.step(100)
        errors.append(str(error.value))
    assert errors[0] == errors[1]
    assert "has no point `grip`" in errors[0]


@pytest.mark.parametrize("length", ["max_length: 4", "min_length: 2, max_length: 4", "length: 4"])
def test_a_bound_that_is_far_from_the_length_stays(stored: Any, length: str) -> None:
    scene = loads(
        "rigid: 1\nworld: {dt: 0.01}\nbodies: {bob: {shape: {circle: 0.3}, position: [8, 5]}}\n"
        "events: [{when: time, at: 0.1, do: [{attach: {name: tie, joint: {type: distance,"
        f" bodies: [bob, world], anchors: [[0.2, 0], [9, 6]], {length}}}}}}}]}}]\n"
    )
    assert program(scene).is_whole
    step_alike(stored(scene), World(scene), 30, 120)


def ropes() -> Any:
    return loads(ROPES.replace(", min_length: %s", ""))


@pytest.mark.parametrize("stride", [1, 13])
def test_what_an_event_holds_is_attached_and_let_go(stored: Any, stride: int) -> None:
    scene = ropes()
    here, there = stored(scene), World(scene)
    for world in (here, there):
        world.events.enable_births()
    step_alike(here, there, stride, 240)
    assert there.state["held"] > 3
    assert there.state["ends"] > 3
    assert there.state["cuts"] == 1


def test_it_goes_on_from_a_saved_state(stored: Any) -> None:
    scene = ropes()
    whole = stored(scene)
    whole.step(200)
    for step in (30, 75, 133):
        half = World(scene)
        half.step(step)
        later = World(scene)
        later.restore(half.save())
        for world in (half, later, half.fork()):
            world.step(200 - step)
            assert world.save() == whole.save()


def test_without_a_host_it_is_saved_as_well() -> None:
    scene = ropes()
    whole, runner = alone(scene)
    go(whole, runner, 75)
    engine, state = whole.save(), runner.save()
    go(whole, runner, 200)
    half, again = alone(scene)
    half.restore(engine)
    again.restore(state)
    go(half, again, 200)
    assert half.state_hash() == whole.state_hash()
    assert again.save() == runner.save()


def test_a_joint_that_cannot_be_is_refused_in_words(stored: Any) -> None:
    text = ROPES.replace("rope: true, min_length: %s", "length: 1")
    text = text.replace("bodies: [$a, $b], anchor: $point", "bodies: [$a, floor], anchor: $point")
    scene = loads(text)
    messages = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(Exception, match="two different bodies") as raised:
            world.step(300)
        messages.append((str(raised.value), world.step_count))
    assert messages[0] == messages[1]


def test_changed_programs_end_in_an_error_or_run() -> None:
    assert run_changed(ropes(), 150, 60) > 30
