# SPDX-License-Identifier: MIT
"""What is done when a key is let go, and when an actuator starts or stops."""

from __future__ import annotations

import pytest
from rigid2d.core import World, build, loads
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand

SCENE = """\
rigid: 1
world: {gravity: [0, 0], duration: 2}
state: {pressed: 0, released: 0, pods: 0}
bodies: {ship: {shape: {circle: 0.5}}}
actuators: {jet: {type: thruster, body: ship, force: [0, 20]}}
prototypes:
  pod:
    bodies: {hull: {shape: {circle: 0.3}}}
    controls: {up: {on_release: {do: [{impulse: {body: hull, impulse: [0, 3]}}]}}}
controls:
  up:
    hold: jet
    do: [{add: {state.pressed: 1}}]
    on_release:
      set: {jet.force: [0, 5]}
      do: [{add: {state.released: 1}}, {log: off}]
  new: {do: [{spawn: {use: pod, at: [9, 0]}}]}
inputs: [{key: up, from: 0.5, to: 1}, {key: new, from: 0.1, to: 0.2}]
"""


def test_it_is_done_once_after_the_step_in_which_the_key_is_let_go() -> None:
    world = build(loads(SCENE))
    world.step(60)
    assert (world.state["pressed"], world.state["released"]) == (1, 0)
    world.step(1)
    assert world.state["released"] == 1
    assert [(each.kind, each.a) for each in world.events.take()][-1] == ("log", "off")
    world.step(59)
    assert (world.state["pressed"], world.state["released"]) == (1, 1)
    assert world.actuator("jet").now.force == (0.0, 5.0)


def test_copies_do_what_their_prototype_says() -> None:
    world = build(loads(SCENE))
    world.step(59)
    pod = next(name for name in world.scene.bodies if name.startswith("pod"))
    assert world[pod].velocity == (0.0, 0.0)
    world.step(3)
    assert world[pod].velocity[1] > 1.0


@pytest.mark.parametrize("keep", [59, 60, 61])
def test_a_restored_world_does_it_too(keep: int) -> None:
    world, other = build(loads(SCENE)), build(loads(SCENE))
    world.step(keep)
    other.restore(world.save())
    for each in (world, other):
        each.step(80 - keep)
    assert other.state == world.state
    assert other.state_hash() == world.state_hash()


def test_an_instance_does_it_by_its_name_and_it_is_written_out() -> None:
    text = SCENE + "instances: {one: {use: pod, at: [3, 0]}}\n"
    first, again = loads(text), loads(expand(loads(text)))
    assert len(again.controls["up"].released) == 3
    assert again.hash == first.hash != loads(SCENE).hash
    world = build(again)
    world.step(65)
    assert world["one.hull"].velocity[1] > 1.0


def test_a_scene_in_which_nothing_else_happens_reacts() -> None:
    text = "rigid: 1\nbodies: {b: {shape: {circle: 1}}}\n"
    scene = loads(text + "controls: {x: {on_release: {do: [{delete: b}]}}}")
    world = World(scene)
    world.controls.press("x")
    world.step(2)
    world.controls.release("x")
    world.step(2)
    assert not world["b"].alive


@pytest.mark.parametrize(
    ("release", "path", "message"),
    [
        ("{do: [{nope: 1}]}", "controls.x.on_release.do[0].nope", "unknown key"),
        ("{b.angel: 1}", "controls.x.on_release.b.angel", "did you mean `angle`"),
        ("{set: {b.angel: 1}}", "controls.x.on_release.set.b.angel", "did you mean `angle`"),
        ("3", "controls.x.on_release", "must be a mapping"),
    ],
)
def test_a_mistake_is_told_with_its_place(release: str, path: str, message: str) -> None:
    ball = "bodies: {b: {shape: {circle: 1}}}"
    text = f"rigid: 1\n{ball}\ncontrols: {{x: {{on_release: {release}}}}}"
    with pytest.raises(SceneError) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert message in problem.message


# ---------------------------------------------------------------- actuators that start and stop

ENGINES = """\
rigid: 1
world: {gravity: [0, 0], duration: 4}
state: {starts: 0, stops: 0, pods: 0}
prototypes:
  pod:
    bodies: {hull: {shape: {circle: 0.3}}}
    actuators: {burner: {type: force, body: hull, force: [0, 1]}}
    controls: {off: {set: {burner.enabled: false}}}
    events:
      - {when: actuator_start, do: [{add: {state.pods: 1}}]}
      - {when: actuator_stop, actuator: burner, do: [{add: {state.pods: 10}}]}
bodies: {ship: {shape: {circle: 0.5}}}
actuators:
  jet: {type: thruster, body: ship, force: [0, 20]}
  other: {type: torque, body: ship, torque: 1, start: 0.2, until: 0.4}
controls:
  up: jet
  new: {do: [{spawn: {use: pod, at: [9, 0]}}]}
  end: {do: [{delete: ship}]}
events:
  - {when: actuator_start, actuator: jet, do: [{add: {state.starts: 1}}]}
  - {when: actuator_stop, actuator: jet, do: [{add: {state.stops: 1}}]}
inputs:
  - {key: up, from: 0.5, to: 1}
  - {key: up, from: 2, to: 4}
"""


def test_an_actuator_starts_with_its_first_step_and_stops_with_the_first_without_it() -> None:
    world = build(loads(ENGINES))
    for step, starts, stops in ((30, 0, 0), (31, 1, 0), (60, 1, 0), (61, 1, 1), (121, 2, 1)):
        world.step(step - world.step_count)
        assert (world.state["starts"], world.state["stops"]) == (starts, stops)
    world.controls.press("end")
    world.step(2)  # it goes with its body
    assert world.state["stops"] == 2


def test_any_actuator_is_meant_where_none_is_named() -> None:
    text = ENGINES.replace("actuator: jet, ", "")
    world = build(loads(text))
    world.step(90)
    assert (world.state["starts"], world.state["stops"]) == (2, 2)


def test_those_of_copies_start_with_their_birth() -> None:
    world = build(loads(ENGINES))
    world.controls.press("new")
    world.step(2)
    assert world.state["pods"] == 1
    world.controls.press("off")
    world.step(2)
    assert world.state["pods"] == 11


@pytest.mark.parametrize("keep", [29, 45, 60, 100])
def test_a_restored_world_notices_the_same_starts(keep: int) -> None:
    world, other = build(loads(ENGINES)), build(loads(ENGINES))
    world.step(keep)
    other.restore(world.save())
    for each in (world, other):
        each.step(150 - keep)
    assert other.state == world.state
    assert world.state["starts"] == 2


def test_they_are_written_out_by_their_names() -> None:
    scene = loads(ENGINES + "instances: {one: {use: pod, at: [3, 0]}}\n")
    again = loads(expand(scene))
    assert again.hash == scene.hash
    kinds = [(rule.kind, rule.subject) for rule in again.events]
    assert ("actuator_stop", "one.burner") in kinds
    assert ("actuator_start", "jet") in kinds


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ("{when: actuator_start, actuator: jat, do: [{log: x}]}", "did you mean `jet`"),
        ("{when: actuator_stop, joint: jet, do: [{log: x}]}", "`joint` belongs to"),
        ("{when: time, actuator: jet, do: [{log: x}]}", "belongs to actuator_start, actuator_stop"),
    ],
)
def test_a_mistake_about_them_is_told(event: str, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        loads(ENGINES.replace("inputs:", f"  - {event}\ninputs:"))


@pytest.mark.parametrize(
    ("release", "where"),
    [("{}", "controls.up.on_release"), ("{set: {}}", "controls.up.on_release.set")],
)
def test_a_release_that_says_nothing_is_an_error(release: str, where: str) -> None:
    bodies = "bodies: {a: {shape: {circle: 1}}}"
    up = f"{{set: {{a.angle: 1}}, on_release: {release}}}"
    with pytest.raises(SceneError) as caught:
        loads(f"rigid: 1\n{bodies}\ncontrols: {{up: {up}}}\n")
    assert where in [problem.path for problem in caught.value.problems]
