# SPDX-License-Identifier: MIT
"""Environments saved, restored and copied, for those who plan ahead."""

from __future__ import annotations

import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import load, loads
from rigid2d.core.errors import UsageError

gymnasium = pytest.importorskip("gymnasium", reason="environments are of the extra `env`")

from rigid2d.core.environments import ENVIRONMENT, SceneEnv, SceneVectorEnv  # noqa: E402

from tests.rows import every_row  # noqa: E402

SCENES = Path(__file__).resolve().parents[2] / "scenes"
# Of the engine alone; with layouts, keys and joints that break; with a script.
NAMES = ["tasks/acrobot", "tasks/lunar_lander", "living/asteroids"]
every_scene = pytest.mark.parametrize("name", NAMES)
COPIES = [deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
every_copy = pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])


def scene_of(name: str, known: dict[str, Any] = {}) -> Any:  # noqa: B006
    if name not in known:
        known[name] = load(SCENES / f"{name}.yaml")
    return known[name]


def play(env: Any, steps: int, seed: int) -> list[Any]:
    """All that an environment tells in some steps, with a new episode after each end."""
    env.action_space.seed(seed)
    told = []
    for _ in range(steps):
        seen, reward, done, cut, info = env.step(env.action_space.sample())
        told.append((seen.tolist(), reward, done, cut, info))
        if done or cut:
            told.append(env.reset()[0].tolist())
    return told


def ends(env: Any) -> list[Any]:
    """Steps until an episode has ended, and the beginnings of two later ones."""
    told = [env.step(0)[0].tolist() for _ in range(3)]
    return [*told, env.reset()[0].tolist(), env.reset()[0].tolist()]


@every_scene
def test_a_restored_environment_continues_as_it_did(name: str) -> None:
    env = SceneEnv(scene_of(name))
    env.reset(seed=3)
    play(env, 40, 1)
    state, world = env.save_state(), env.world.save()
    expected = play(env, 60, 2), ends(env)
    seen = env.restore_state(state)
    assert env.world.save() == world
    assert env.save_state() == state
    assert (play(env, 60, 2), ends(env)) == expected
    other = SceneEnv(scene_of(name))
    assert np.array_equal(other.restore_state(state), seen)
    assert (play(other, 60, 2), ends(other)) == expected


@every_copy
@every_scene
def test_a_copy_continues_as_the_environment_does(name: str, copied: Any) -> None:
    env = gymnasium.make(ENVIRONMENT, scene=str(SCENES / f"{name}.yaml"), render_mode="rgb_array")
    env.reset(seed=3)
    play(env, 30, 1)
    other = copied(env)
    assert other.unwrapped.world.save() == env.unwrapped.world.save()
    assert np.array_equal(other.render(), env.render())
    assert other.action_space.sample() == env.action_space.sample()
    assert play(other, 40, 2) == play(env, 40, 2)
    assert ends(other) == ends(env)


@every_copy
def test_many_worlds_are_copied_with_their_episodes(copied: Any) -> None:
    env = SceneVectorEnv(scene_of("tasks/lunar_lander"), 5, threads=2)
    env.reset(seed=[1, 2, None, 4, 5])
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(300)]
    over = [env.step(each)[2] for each in actions[:250]]
    assert np.any(over)
    other = copied(env)
    for each in actions[250:]:
        for one, two in zip(env.step(each)[:4], other.step(each)[:4], strict=True):
            assert np.array_equal(one, two)
    assert other.save_state() == env.save_state()
    assert other.world(3).save() == env.world(3).save()
    back = SceneVectorEnv(scene_of("tasks/lunar_lander"), 5)
    back.restore_state(env.save_state())
    assert back.save_state() == env.save_state()


@every_copy
def test_one_that_was_never_reset_is_copied_too(copied: Any) -> None:
    env = copied(SceneEnv(scene_of("tasks/cart_pole")))
    assert env.restore_state(env.save_state()) is None
    again = SceneEnv(scene_of("tasks/cart_pole"))
    assert np.array_equal(env.reset(seed=4)[0], again.reset(seed=4)[0])


def test_steps_in_the_given_world_leave_the_environment_alone() -> None:
    env = SceneEnv(scene_of("tasks/cart_pole"))
    env.reset(seed=1)
    state = env.save_state()
    ahead = env.world
    ahead.set("push.force", (10.0, 0.0))
    ahead.step(30)
    assert abs(ahead["cart"].position[0]) > 0.1
    assert env.save_state() == state


def test_a_file_that_has_changed_is_told(tmp_path: Path) -> None:
    part = tmp_path / "part.yaml"
    part.write_text("bodies: {ball: {shape: {circle: 1}}}", encoding="utf-8")
    path = tmp_path / "scene.yaml"
    path.write_text(
        "rigid: 1\ninclude: [part.yaml]\n"
        "task: {observe: [ball.x], act: {ball.velocity.x: [0, 1]}, reward: 1}",
        encoding="utf-8",
    )
    pickled = pickle.dumps(SceneEnv(path))
    assert pickle.loads(pickled).reset(seed=0)[0].tolist() == [0.0]
    part.write_text("bodies: {ball: {shape: {circle: 2}}}", encoding="utf-8")
    with pytest.raises(UsageError, match="has changed since it was pickled"):
        pickle.loads(pickled)


def damaged(state: bytes) -> bytes:
    return state[:60] + bytes([state[60] ^ 1]) + state[61:]


@every_row(
    "spoil, message",
    [
        (lambda state: b"", "no bytes that `save_state` gave"),
        (lambda state: state.decode("latin-1"), "no bytes that `save_state` gave"),
        (damaged, "damaged"),
        (lambda state: state[:-40], "damaged"),
    ],
)
def test_other_bytes_are_refused(spoil: Any, message: str) -> None:
    env = SceneEnv(scene_of("tasks/cart_pole"))
    env.reset(seed=1)
    state = env.save_state()
    with pytest.raises(UsageError, match=message):
        env.restore_state(spoil(state))
    assert env.save_state() == state


def test_a_state_of_another_scene_or_number_is_refused() -> None:
    state = SceneEnv(scene_of("tasks/acrobot")).save_state()
    with pytest.raises(UsageError, match="not of this scene"):
        SceneEnv(scene_of("tasks/cart_pole")).restore_state(state)
    with pytest.raises(UsageError, match="is of 1 worlds; here there are 3"):
        SceneVectorEnv(scene_of("tasks/acrobot"), 3).restore_state(state)


def test_a_batch_restores_one_of_its_worlds() -> None:
    from rigid2d.core import Batch

    scene = loads((SCENES / "tasks" / "cart_pole.yaml").read_text(encoding="utf-8"))
    batch = Batch(scene, 3, seeds=5)
    batch.set("push.force.x", [1.0, 2.0, 3.0])
    batch.step(10)
    state = batch.world(2).save()
    batch.restore(0, state)
    batch.step(10)
    assert batch.world(0).save() == batch.world(2).save() != batch.world(1).save()
    batch.reset()
    assert batch.world(0).save() == batch.world(1).save()
    with pytest.raises(UsageError, match="there is none with the number 3"):
        batch.restore(3, state)
