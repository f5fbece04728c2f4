# SPDX-License-Identifier: MIT
"""Worlds of a vector environment that fail, beside others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rigid2d.core import loads
from rigid2d.core.errors import SimulationError

pytest.importorskip("gymnasium", reason="environments are of the extra `env`")

from rigid2d.core.environments import SceneVectorEnv

from tests.rows import every_row

# Only to the right of 0 there is a reward, or what else the task asks for.
BALL = """
rigid: 1
world: {gravity: [0, 0], dt: 0.1, sleep: false}
bodies: {ball: {shape: {circle: 0.1}, position: [0.55, 0]}}
task:
  observe: [{value: ball.x, low: -9, high: 9}, PART]
  act: {ball.velocity.x: {choices: [-1, 0, 1]}}
  reward: 1
  steps: 50
"""
REWARD = BALL.replace(", PART", "").replace("reward: 1", "reward: =sqrt(ball.x)")
OBSERVED = BALL.replace("PART", "=sqrt(ball.x)")
LEFT = np.array([1, 0, 1])


def steps(many: Any, count: int, actions: Any = LEFT) -> list[Any]:
    return [many.step(actions) for _ in range(count)]


@pytest.mark.filterwarnings("ignore:the episode of world")
@every_row("text", [REWARD, OBSERVED])
def test_a_world_that_fails_ends_alone(text: str) -> None:
    many = SceneVectorEnv(loads(text), 3)
    many.reset(seed=0)
    *_, (seen, rewards, ends, cuts, info) = steps(many, 6)
    assert ends.tolist() == [False, True, False]
    assert not cuts.any()
    assert info["_error"].tolist() == [False, True, False]
    assert "has no value in world 1" in info["error"][1]
    assert info["error"][0] is None
    assert rewards[1] == 0.0
    assert np.isfinite(seen).all()
    assert many.observation_space.contains(seen)
    seen, _, ends, _, info = many.step(np.array([1, 1, 1]))
    assert seen[:, 0] == pytest.approx([0.55, 0.55, 0.55])
    assert (ends.any(), info) == (False, {})


@pytest.mark.filterwarnings("ignore:the episode of world")
def test_the_next_episode_begins_at_once_if_that_is_the_mode() -> None:
    many = SceneVectorEnv(loads(REWARD), 3, autoreset_mode="SameStep")
    many.reset(seed=0)
    *_, (seen, _, ends, _, info) = steps(many, 6)
    assert ends.tolist() == [False, True, False]
    assert seen[1, 0] == np.float32(0.55)
    assert info["final_obs"][1] == pytest.approx([-0.05])
    assert "the reward" in info["final_info"]["error"][1]


def test_the_first_error_is_a_warning_and_later_ones_are_not(recwarn: Any) -> None:
    many = SceneVectorEnv(loads(REWARD), 3)
    many.reset(seed=0)
    steps(many, 20)
    assert [str(each.message).partition(" by ")[0] for each in recwarn] == [
        "the episode of world 1 ended"
    ]


def test_an_error_is_raised_if_asked() -> None:
    many = SceneVectorEnv(loads(REWARD), 3, on_error="raise")
    many.reset(seed=0)
    with pytest.raises(SimulationError, match="the reward of the task has no value in world 1"):
        steps(many, 6)


@pytest.mark.filterwarnings("ignore:the episode of world")
def test_a_world_whose_body_runs_away_goes_on_with_its_next_episode() -> None:
    text = REWARD.replace("choices: [-1, 0, 1]", "choices: [0, 1, 1e9]").replace(
        "=sqrt(ball.x)", "1"
    )
    many = SceneVectorEnv(loads(text), 3)
    many.reset(seed=0)
    fast = np.array([0, 2, 1])
    for _ in range(49):
        seen, _, ends, _, info = many.step(fast)
        if ends.any():
            break
    assert ends.tolist() == [False, True, False]
    assert "ball" in info["error"][1]
    assert many.observation_space.contains(seen)
    seen, *_, info = many.step(np.array([0, 0, 0]))
    assert (seen[1, 0], info) == (np.float32(0.55), {})
    assert many.step(np.array([0, 1, 0]))[0][1, 0] > 0.55


@pytest.mark.filterwarnings("ignore:the episode of world")
def test_a_script_that_fails_ends_its_world_alone() -> None:
    event = "{when: time, at: 0.1, do: [{set: {state.n: =1/(1 - round(ball.vx))}}]}"
    script = f"state: {{n: 0}}\nevents: [{event}]\ntask:"
    text = REWARD.replace("=sqrt(ball.x)", "1").replace("task:", script)
    many = SceneVectorEnv(loads(text), 2)
    many.reset(seed=0)
    for _ in range(3):
        _, _, ends, _, info = many.step(np.array([1, 2]))
        if ends.any():
            break
    assert ends.tolist() == [False, True]
    assert "events[0]" in info["error"][1]


def test_a_beginning_without_an_observation_is_an_error() -> None:
    many = SceneVectorEnv(loads(OBSERVED.replace("[0.55, 0]", "[-1, 0]")), 2)
    with pytest.raises(SimulationError, match="an observation of the task has no value in world 0"):
        many.reset(seed=0)
