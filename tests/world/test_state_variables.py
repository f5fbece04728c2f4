# SPDX-License-Identifier: MIT
"""State variables of a running world: read, and set by their paths."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from rigid2d.core import Batch, build, loads
from rigid2d.core.errors import UnknownNameError, UsageError

from tests.scripts import step_alike

TEXT = """
rigid: 1
world: {gravity: [0, 0]}
state: {hits: 1, speed: 0}
bodies: {ball: {shape: {circle: 0.5}}}
events:
  - when: time
    at: 0.1
    every: 0.1
    do: [{add: {hits: 1}}, {set: {ball.velocity: [=state.speed, 0]}}]
"""


def test_variables_that_are_read_are_a_copy() -> None:
    world = build(loads(TEXT))
    state = world.state
    with pytest.raises(UsageError, match=r'set a variable by world.set\("state.hits", ...\)'):
        state["hits"] = 7
    with pytest.raises(UsageError, match="is a copy, to be read"):
        state.update(hits=7)
    with pytest.raises(UnknownNameError, match="no state variable named 'score'; known: hits, spe"):
        state["score"]
    assert state == {"hits": 1, "speed": 0} == world.state
    assert json.loads(json.dumps(state)) == state
    assert copy.deepcopy(state) == pickle.loads(pickle.dumps(state)) == state
    assert {**state, "hits": 7} == {"hits": 7, "speed": 0}


def test_variables_are_set_alike_in_worlds_and_in_batches() -> None:
    scene = loads(TEXT)
    world, batch = build(scene), Batch(scene, 2)
    for each in (world, batch):
        each.step(20)
        each.set("state.hits", 5)
        each.set("state.speed", 3)
    world.add_to("state.hits", 2)
    batch.set("state.hits", [7, 8])
    state = world.save()
    world.step(20)
    batch.step(20)
    assert world.state == {"hits": 7 + 3, "speed": 3}
    assert world["ball"].velocity == (3, 0)
    assert batch.world(0).save() == world.save()
    assert batch.world(1).state["hits"] == 8 + 3
    again = build(scene)
    again.restore(state)
    again.step(20)
    assert again.save() == world.save()


def test_variables_that_cannot_be_set() -> None:
    world = build(loads(TEXT))
    with pytest.raises(UnknownNameError, match="no state variable named 'hit'; did you mean 'hit"):
        world.set("state.hit", 1)
    with pytest.raises(UsageError, match=r"expected a number for state\.hits, got '1'"):
        world.set("state.hits", "1")
    still = build(loads(TEXT.partition("events:")[0]))
    with pytest.raises(UsageError, match=r"overrides, such as `state\.hits=5`"):
        still.set("state.hits", 5)


def test_a_condition_sets_a_number_to_one_or_zero(stored: Any) -> None:
    impulse = 'impulse: {body: ball, impulse: [0, "=state.hits > 3"]}'
    text = TEXT.replace("{add: {hits: 1}}", "{add: {hits: 1}}, {" + impulse + "}").replace(
        "[=state.speed, 0]",
        '["=state.hits > 2", 0], ball.friction: "=state.hits < 9"',
    )
    here, there = stored(loads(text)), build(loads(text))
    step_alike(here, there, 10, 40)
    assert here["ball"].velocity == (1, 0)
    here.set("state.hits", 0)
    there.set("state.hits", 0)
    step_alike(here, there, 10, 50)
    assert here["ball"].velocity == (0, 0)
