# SPDX-License-Identifier: MIT
"""Failures of native scripts: reported by numbers, and worded in the paths of the scene without
another execution by Python."""

from __future__ import annotations

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import RigidError
from rigid2d.core.scene import limits
from rigid2d.core.world import Batch

ROOM = """
rigid: 1
world: {duration: 4}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 3], tags: [x]}
joints:
  bar: {type: distance, bodies: [world, ball], anchors: [[0, 9], [0, 0]], max_length: 20}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.1}}}}}
state: {n: 1, m: 0}
"""
AT = "events: [{when: time, at: 0.1, do: [%s]}]"
HIT = "events: [{when: collision, bodies: [ball, floor], do: [%s]}]"

CASES = {
    "condition": (
        "events: [{when: =log(ball.y - 2.9) < 0, do: [{log: a}]}]",
        "events[0]: the logarithm of a number that is not positive",
    ),
    "if": (
        "events: [{when: time, at: 0.1, if: =1 / (state.n - 1) > 0, do: [{log: a}]}]",
        "events[0].if: a division by zero",
    ),
    "unless": (
        "events: [{when: time, at: 0, after: 0.1, unless: =sqrt(state.m - 1) > 0, do: [{log: a}]}]",
        "events[0].unless: the square root of a negative number",
    ),
    "range": (
        AT % "{set: {state.m: 3, ball.friction: =state.n - 5, state.n: 2}}",
        "events[0].do[0].set.ball.friction: gives -4, which is not between 0 and 1e+15",
    ),
    "random": (
        'events: [{when: time, at: 0, every: 0.05, do: [{set: {state.m: "=log(uniform(-9,1))"}}]}]',
        "events[0].do[0].set.state.m: the logarithm of a number that is not positive",
    ),
    "sum": (
        "events: [{when: time, at: 0, every: 0.1, do: [{add: {n: =6e14}}]}]",
        "events[0].do[0]: `n` comes to 1.2e+15; the limit is 1e+15",
    ),
    "static body": (HIT % "{set: {$b.velocity.x: 3}}", "events[0].do[0]: "),
    "length": (AT % "{add: {bar.max_length: -30}}", "events[0].do[0]: "),
    "attached": (
        HIT % "{attach: {name: j, joint: {type: weld, bodies: [$b, world], anchor: $point}}}",
        "events[0].do[0]: ",
    ),
    "pushed": (AT % "{impulse: {body: ball, impulse: [=state.n * 1e300, 0]}}", "events[0].do[0]."),
    "outcome": ("outcome: {win: =1 / state.m > 3}", "outcome.win: a division by zero"),
    "probe": (
        "probes: {eye: {ray: [[=log(state.m), 0], [3, 3]]}}\n" + AT % "{set: {state.m: =eye.hit}}",
        "probes.eye.ray[0][0]: the logarithm of a number that is not positive",
    ),
    "field": (
        "actuators: {wind: {type: field, bodies: [ball], field: [=1 / (t - t), 0]}}\n"
        + AT % "{log: a}",
        "the field 'wind' has no value at t = 0: a division by zero",
    ),
    "spawner": (
        "spawners: {d: {use: drop, every: 0.1, at: [0, =log(state.m)]}}",
        "spawners.d.at[1]: the logarithm of a number that is not positive",
    ),
    "key": (
        "controls: {up: {do: [{sound: {name: a, volume: =log(state.m)}}]}}\n"
        "inputs: [{key: up, from: 0.1, to: 0.5}]",
        "controls.up.do[0].sound.volume: the logarithm of a number that is not positive",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_failures_name_the_place(name: str) -> None:
    blocks, message = CASES[name]
    scene = loads(f"{ROOM}{blocks}\n")
    world = World(scene)
    with pytest.raises(RigidError) as error:
        world.step(240)
    assert str(error.value).startswith(message)


LIMITS = {
    "EVENTS": (
        "events: [{when: time, at: 0, every: 0.001, do: [{log: a}]}]",
        "events[0]: comes 17 times in one step; the limit is 9. A longer `every` makes fewer",
    ),
    "BIRTHS": (
        "spawners: {d: {use: drop, every: 0.02, at: [0, 9]}}",
        "spawners.d: more than 9 bodies were born in this run; that is the limit",
    ),
    "BIRTHS_AT_ONCE": (
        "spawners: {d: {use: drop, every: 0.001, at: [0, 9]}}",
        "spawners.d: more than 9 births in one step; that is the limit",
    ),
    "BODIES": (
        "spawners: {d: {use: drop, every: 0.02, at: [0, 9]}}",
        "spawners.d: more than 9 bodies are there at once; that is the limit",
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_name_the_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks, message = LIMITS[name]
    scene = loads(f"{ROOM}{blocks}\n")
    monkeypatch.setattr(limits, name, 9)
    with pytest.raises(RigidError) as error:
        World(scene).step(240)
    assert str(error.value).startswith(message)


def test_waiting_events_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = loads(
        f"{ROOM}controls: {{up: {{do: [{{log: a}}], every: 0.001}}}}\n"
        "inputs: [{key: up, from: 0.1, to: 0.5}]\n"
    )
    monkeypatch.setattr(limits, "EVENTS", 9)
    with pytest.raises(RigidError, match=r"controls.up: more than 9 events wait for their actions"):
        World(scene).step(240)


def test_a_world_steps_on_after_a_failure() -> None:
    world = World(loads(f"{ROOM}{AT % '{log: a}, {set: {state.m: =log(state.m)}}, {log: b}'}\n"))
    with pytest.raises(RigidError):
        world.step(240)
    assert [event.a for event in world.events.take() if event.kind == "log"] == ["a"]
    world.step(5)
    assert world.step_count == 11


def test_failures_stop_single_worlds_of_a_batch() -> None:
    scene = loads(f"{ROOM}{HIT % '{set: {state.m: =log(state.m)}}'}\n")
    batch = Batch(scene, 3)
    batch.step(240)
    assert [*batch.errors()] == [0, 1, 2]
    assert "events[0].do[0].set.state.m: the logarithm" in str(batch.errors()[1])
