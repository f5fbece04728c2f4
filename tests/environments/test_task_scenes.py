# SPDX-License-Identifier: MIT
"""The scenes of tasks, each as an environment."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments are of the extra `env`")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from rigid2d.core.environments import ENVIRONMENT, SceneEnv, SceneVectorEnv  # noqa: E402

SCENES = sorted((Path(__file__).resolve().parents[2] / "scenes" / "tasks").glob("*.yaml"))
every_task = pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)


def test_there_are_nine() -> None:
    assert len(SCENES) == 9


@every_task
def test_gymnasium_s_own_check_passes(path: Path) -> None:
    env = gymnasium.make(ENVIRONMENT, scene=str(path), render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


@every_task
def test_many_are_as_one_for_any_threads(path: Path) -> None:
    many = SceneVectorEnv(path, 6, threads=2, autoreset_mode="SameStep")
    one = SceneEnv(path)
    observed, _ = many.reset(seed=70)
    assert np.array_equal(observed[3], one.reset(seed=73)[0])
    assert len({row.tobytes() for row in observed}) == 6 or "car" in path.stem
    many.action_space.seed(5)
    over = False
    for _ in range(30):
        actions = many.action_space.sample()
        observed, rewards, *ends, _ = many.step(actions)
        alone, reward, done, cut, _ = one.step(actions[3])
        assert [done, cut] == [ends[0][3], ends[1][3]]
        assert reward == rewards[3]
        over = done or cut
        assert np.array_equal(observed[3], one.reset()[0] if over else alone)


def test_a_game_is_a_task_that_ends_as_the_game_does() -> None:
    env = gymnasium.make(ENVIRONMENT, scene=str(SCENES[0].parents[1] / "living" / "asteroids.yaml"))
    check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=3)
    none, left, both = 0, 1, 4
    total, told = 0.0, {}
    for action in [none] * 6 + [left] * 9 + [both] * 335:  # as the player of the scene does
        _, reward, over, _, told = env.step(action)
        total += reward
        if over:
            break
    assert (total, told) == (12.0, {"outcome": "win"})


def lander_return(plan: list[tuple[int, int]]) -> float:
    """The return of an episode with each action for a number of steps."""
    env = SceneEnv(SCENES[[path.stem for path in SCENES].index("lunar_lander")])
    env.reset(seed=3)
    total = 0.0
    actions = [action for action, steps in plan for _ in range(steps)] + [0] * 1000
    for action in actions:
        _, reward, over, cut, _ = env.step(action)
        total += reward
        if over or cut:
            break
    return total


def test_a_landing_is_worth_more_than_a_crash() -> None:
    none, up = 0, 2
    assert lander_return([(none, 1000)]) < 50
    assert lander_return([(none, 80), (up, 160)]) > 200
