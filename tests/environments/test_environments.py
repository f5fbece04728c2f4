# SPDX-License-Identifier: MIT
"""Scenes as environments of Gymnasium: its own checks, seeds, and vector environments."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import loads
from rigid2d.core.errors import SimulationError, UsageError

gymnasium = pytest.importorskip("gymnasium", reason="environments are of the extra `env`")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from rigid2d.core.environments import ENVIRONMENT, SceneEnv, SceneVectorEnv  # noqa: E402

from tests.rows import every_row  # noqa: E402

CART = """
rigid: 1
name: Cart
world: {dt: 0.02, sleep: false}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, mass: 1, collide: false}
  pole: {shape: {box: [0.05, 1], offset: [0, 0.5]}, mass: 0.1, collide: false}
joints:
  rail: {type: prismatic, bodies: [world, cart], axis: [1, 0]}
  pin: {type: revolute, bodies: [cart, pole], anchor: [0, 0]}
actuators: {push: {type: force, body: cart, force: [0, 0]}}
render: {size: [64, 48]}
task:
  observe: [cart.x, cart.vx, pole.angle, "=pole.omega/2"]
  act: {push.force.x: ACT}
  reward: =1 - 0.01*abs(cart.x) - 1e-3*$push.force.x
  progress: =min(cart.x, 1)
  done: =abs(pole.angle) > 0.21 or abs(cart.x) > 2.4
  steps: 15
  repeat: 2
  start: {pole.angle: "=uniform(-6, 6)"}
"""
CHOICES = CART.replace("ACT", "{choices: [-10, 10]}")
RANGE = CART.replace("ACT", "[-10, 10]")
GROUND = """
rigid: 1
name: Ground
world: {dt: 0.02}
bodies:
  ball: {shape: {circle: 0.3}, position: [0, "=uniform(1, 3)"]}
  ground: {type: static, shape: {polygon: [[-5, -1], [5, -1], [5, 0], [0, "=uniform(0, 1)"],
    [-5, 0]]}}
actuators:
  left: {type: force, body: ball, force: [-3, 0]}
  up: {type: thruster, body: ball, force: [0, 9]}
controls: {left: left, up: up}
render: {size: [64, 48]}
task:
  observe: [ball.x, ball.y, ball.contacts]
  act: {keys: [none, left, up, [left, up]]}
  reward: =ball.y
  done: =ball.y < -3
  steps: 40
"""
SCRIPTED = """
rigid: 1
name: Rain
world: {dt: 0.02}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.2}, tags: [drop]}}}}
bodies:
  paddle: {type: kinematic, shape: {box: [2, 0.2]}, tags: [paddle]}
  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [-4, 1]}
spawners: {sky: {use: drop, every: 0.16, at: ["=uniform(-2, 2)", 0.5]}}
state: {caught: 0, moved: 0}
animations:
  ride: {type: loop, duration: 0.5, tracks: {lift.position: [[0, [-4, 1]], [0.5, [-4, 2]],
    [1, [-4, 1]]]}}
events:
  - {when: collision, tags: [drop, paddle], do: [{delete: $a}, {add: {caught: 1}}]}
  - {when: leave, tags: [drop], region: [[-9, -0.5], [9, 9]], do: [{end: fail}]}
controls:
  left: {set: {paddle.velocity: [-3, 0]}, on_release: {paddle.velocity: [0, 0]},
    do: [{add: {moved: 1}}]}
  right: {set: {paddle.velocity: [3, 0]}, on_release: {paddle.velocity: [0, 0]}}
inputs: [{key: left, from: 0, to: 1}]
outcome: {win: =state.caught == 3}
render: {size: [64, 48]}
task:
  observe: [paddle.x, lift.y, state.moved, world.bodies]
  act: {keys: [none, left, right]}
  reward: =-0.1*state.moved
  progress: =state.caught
  start: {paddle.position.x: "=uniform(-0.2, 0.2)"}
  steps: 20
  repeat: 3
"""
TEXTS = {"choices": CHOICES, "range": RANGE, "ground": GROUND, "scripted": SCRIPTED}
every_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


@pytest.fixture
def closing() -> Iterator[list[Any]]:
    made: list[Any] = []
    yield made
    for each in made:
        each.close()


@every_text
def test_gymnasium_s_own_check_passes(text: str, tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(text, encoding="utf-8")
    env = gymnasium.make(ENVIRONMENT, scene=str(path), render_mode="rgb_array")
    check_env(env.unwrapped)
    env.close()


@every_text
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_many_worlds_are_as_gymnasium_s_own_vector_of_single_ones(text: str, mode: str) -> None:
    scene = loads(text)
    many = SceneVectorEnv(scene, 5, autoreset_mode=mode, threads=2)
    autoreset = gymnasium.vector.AutoresetMode(mode)
    singles = gymnasium.vector.SyncVectorEnv(
        [lambda: SceneEnv(scene)] * 5, autoreset_mode=autoreset
    )
    assert many.metadata["autoreset_mode"] is autoreset
    assert many.observation_space == singles.observation_space
    assert many.action_space == singles.action_space
    assert np.array_equal(many.reset(seed=42)[0], singles.reset(seed=42)[0])
    many.action_space.seed(1)
    over = 0
    for _ in range(120):
        actions = many.action_space.sample()
        found, expected = many.step(actions), singles.step(actions)
        for one, other in zip(found[:4], expected[:4], strict=True):
            assert np.array_equal(one, other)
            assert one.dtype == other.dtype
        ended = found[2] | found[3]
        over += int(ended.sum())
        assert (
            ("final_obs" in found[4])
            == ("final_obs" in expected[4])
            == (mode == "SameStep" and bool(ended.any()))
        )
        assert found[4].keys() == expected[4].keys()
        told = [each.get("final_info", each) for each in (found[4], expected[4])]
        if "outcome" in told[0]:
            assert np.array_equal(told[0]["outcome"], told[1]["outcome"])
            assert np.array_equal(told[0]["_outcome"], told[1]["_outcome"])
        if "final_obs" in found[4]:
            assert np.array_equal(found[4]["_final_obs"], expected[4]["_final_obs"])
            for index in np.flatnonzero(ended):
                final = found[4]["final_obs"][index], expected[4]["final_obs"][index]
                assert np.array_equal(*final)
    assert over > 5


def test_disabled_autoreset_waits_for_a_mask() -> None:
    many = SceneVectorEnv(loads(CHOICES), 4, autoreset_mode="Disabled")
    many.reset(seed=0)
    ended = np.zeros(4, bool)
    while not ended.any():
        _, _, done, cut, _ = many.step(np.zeros(4, int))
        ended = done | cut
    with pytest.raises(UsageError, match="reset_mask"):
        many.step(np.zeros(4, int))
    before = many.reset(options={"reset_mask": ended})[0]
    after, *_ = many.step(np.zeros(4, int))
    assert np.array_equal(np.abs(before[ended, 0]) < 1e-9, np.ones(ended.sum(), bool))
    assert np.isfinite(after).all()


def test_make_vec_gives_the_native_one(tmp_path: Path, closing: list[Any]) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(CHOICES, encoding="utf-8")
    many = gymnasium.make_vec(ENVIRONMENT, num_envs=3, scene=str(path), render_mode="rgb_array")
    closing.append(many)
    assert isinstance(many, SceneVectorEnv)
    many.reset(seed=[4, None, 5])
    images = many.render()
    assert len(images) == 3
    assert images[0].shape == (48, 64, 3)
    sync = gymnasium.make_vec(ENVIRONMENT, num_envs=2, vectorization_mode="sync", scene=str(path))
    closing.append(sync)
    assert sync.reset(seed=4)[0].shape == (2, 4)


def test_an_outcome_ends_an_episode_and_is_told() -> None:
    env = SceneEnv(loads(SCRIPTED.replace("state.caught == 3", "world.time > 0.1")))
    env.reset(seed=0)
    told = env.step(0)
    assert (told[2], told[4]) == (False, {})
    told = env.step(0)
    assert (told[2], told[3], told[4]) == (True, False, {"outcome": "win"})
    env.reset()
    assert env.step(0)[2] is False


def test_keys_do_all_that_their_controls_say() -> None:
    env = SceneEnv(loads(SCRIPTED))
    first = env.reset(seed=0)[0]
    assert first[2] == 0.0  # the recorded player does not play
    moved = [env.step(1)[0] for _ in range(2)][-1]
    assert moved[0] == pytest.approx(first[0] - 3 * 6 * 0.02, abs=1e-5)
    assert moved[2] == 1.0
    rested = [env.step(0)[0] for _ in range(2)]
    assert rested[0][0] == rested[1][0] == moved[0]


def test_what_scripts_draw_is_another_in_each_episode_and_comes_again() -> None:
    text = SCRIPTED.replace('start: {paddle.position.x: "=uniform(-0.2, 0.2)"}', "layouts: 2")
    text = (
        text.replace("state: {caught: 0,", "state: {caught: 0, at: 0,")
        .replace(
            "  - {when: leave",
            '  - {when: time, at: 0.02, do: [{set: {state.at: "=uniform(0, 1)"}}]}\n'
            "  - {when: leave",
        )
        .replace("state.moved, world", "state.at, world")
    )
    env = SceneEnv(loads(text))
    seen = []
    for seed in (1, 2, 3, 1):
        env.reset(seed=seed)
        seen.append(float(env.step(0)[0][2]))
    assert seen[0] == seen[2] == seen[3] != seen[1]


def test_a_world_whose_script_fails_is_told_with_its_place() -> None:
    text = SCRIPTED.replace("{add: {moved: 1}}", "{set: {state.moved: =1/state.caught}}")
    many = SceneVectorEnv(loads(text), 2, on_error="raise")
    many.reset(seed=0)
    with pytest.raises(SimulationError, match=r"world 1: controls\.left\.do\[0\]"):
        many.step(np.array([0, 1]))


def test_an_episode_is_cut_off_after_its_steps() -> None:
    env = SceneEnv(loads(GROUND))
    env.reset(seed=0)
    for step in range(1, 41):
        _, _, done, cut, _ = env.step(0)
        assert not done
        assert cut == (step == 40)


def test_the_world_steps_as_often_as_the_task_says() -> None:
    env = SceneEnv(loads(CHOICES.replace("[cart.x, ", "[world.time, ")))
    env.reset(seed=0)
    observed, *_ = env.step(0)
    assert observed[0] == np.float32(0.04)
    assert env.metadata["render_fps"] == 25


def test_a_reward_counts_what_was_decided_and_progress() -> None:
    scene = loads(CHOICES)
    env = SceneEnv(scene)
    before = env.reset(seed=3)[0]
    after, reward, *_ = env.step(1)
    expected = 1 - 0.01 * abs(after[0]) - 1e-3 * 10 + (after[0] - before[0])
    assert reward == pytest.approx(expected, abs=1e-6)


def test_each_episode_of_a_seed_is_another_and_all_come_again() -> None:
    env = SceneEnv(loads(CHOICES))
    first = [env.reset(seed=9)[0], env.reset()[0], env.reset()[0]]
    again = [env.reset(seed=9)[0], env.reset()[0], env.reset()[0]]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert len({each[2] for each in first}) == 3


def test_many_worlds_have_the_episodes_of_their_seeds_however_large_those_are() -> None:
    scene, seeds = loads(CHOICES), [0, 5, 2**31, 2**47, 2**48 - 1]
    many = SceneVectorEnv(scene, len(seeds))
    found = [many.reset(seed=seeds)[0], many.reset()[0], many.reset()[0]]
    for index, seed in enumerate(seeds):
        env = SceneEnv(scene)
        alone = [env.reset(seed=seed)[0], env.reset()[0], env.reset()[0]]
        assert np.array_equal([each[index] for each in found], alone)


@every_row("seed", [-1, 2**48, 2**53 + 5, 2**63, 2**64 - 1, 2**90, 1.5, "1", True])
def test_seeds_that_would_be_the_same_as_others_are_refused(seed: Any) -> None:
    scene = loads(CHOICES)
    for env in (SceneEnv(scene), SceneVectorEnv(scene, 2)):
        with pytest.raises(UsageError, match=r"a seed is a whole number from 0 to 2\*\*48 - 1"):
            env.reset(seed=seed)
    with pytest.raises(UsageError, match="a seed is"):
        SceneVectorEnv(scene, 2).reset(seed=[1, seed])


def test_the_seeds_of_all_worlds_are_in_their_range() -> None:
    with pytest.raises(UsageError, match="a seed is"):
        SceneVectorEnv(loads(CHOICES), 3).reset(seed=2**48 - 2)


def test_worlds_that_were_never_seeded_differ() -> None:
    observed = SceneVectorEnv(loads(CHOICES), 8).reset()[0]
    assert len(set(observed[:, 2].tolist())) == 8


def test_ranges_are_kept_to() -> None:
    scene = loads(RANGE)
    one, other = SceneEnv(scene), SceneEnv(scene)
    one.reset(seed=1)
    other.reset(seed=1)
    wide, kept = one.step(np.array([99.0])), other.step(np.array([10.0]))
    assert np.array_equal(wide[0], kept[0])


def test_several_choices_are_chosen_each(tmp_path: Path) -> None:
    act = "{choices: [-1, 0, 1]}, push.enabled: {choices: [false, true]}"
    env = SceneEnv(loads(CART.replace("ACT", act).replace("steps: 15", "steps: 200")))
    assert env.action_space == gymnasium.spaces.MultiDiscrete([3, 2])
    env.reset(seed=0)
    pushed, *_ = env.step(np.array([2, 1]))
    env.reset(seed=0)
    not_pushed, *_ = env.step(np.array([2, 0]))
    assert pushed[1] > not_pushed[1] + 0.03


def test_the_picture_has_the_layout_of_the_episode() -> None:
    env = SceneEnv(loads(GROUND), render_mode="rgb_array", size=(80, 60))
    images = []
    for seed in (1, 2, 1):
        env.reset(seed=seed)
        images.append(env.render())
    assert images[0].shape == (60, 80, 3)
    assert np.array_equal(images[0], images[2])
    assert not np.array_equal(images[0], images[1])


@every_row("action", [2, -1, 0.5, "left", None, [0, 1]])
def test_an_action_that_is_none_is_refused(action: Any) -> None:
    env = SceneEnv(loads(CHOICES))
    env.reset(seed=0)
    with pytest.raises(UsageError, match="action"):
        env.step(action)


def test_a_wrong_shape_is_told_with_the_right_one() -> None:
    one, many = SceneEnv(loads(RANGE)), SceneVectorEnv(loads(RANGE), 3)
    one.reset(seed=0)
    many.reset(seed=0)
    shape = r"the action must be numbers of the shape \[1\] \(push\.force\.x\), not numbers of"
    with pytest.raises(UsageError, match=shape):
        one.step([1, 2])
    with pytest.raises(
        UsageError, match=r"actions of 3 worlds must be numbers of the shape \[3, 1\]"
    ):
        many.step([1.0, 2.0])
    with pytest.raises(UsageError, match="different lengths"):
        one.step([[1], [1, 2]])
    choice = SceneEnv(loads(CHOICES))
    choice.reset(seed=0)
    with pytest.raises(UsageError, match="action 2: is none of the 2 choices"):
        choice.step(2)


@every_row("action", [[np.nan], [0.0, 0.0], "left", None])
def test_a_number_that_is_none_is_refused(action: Any) -> None:
    env = SceneEnv(loads(RANGE))
    env.reset(seed=0)
    with pytest.raises(UsageError, match="action"):
        env.step(action)


def test_a_reward_without_a_value_is_told_with_its_place() -> None:
    scene = loads(CHOICES.replace("reward: =1", "reward: =1/(cart.x - cart.x)"))
    env, many = SceneEnv(scene), SceneVectorEnv(scene, 3, on_error="raise")
    env.reset(seed=0)
    many.reset(seed=0)
    line = 1 + scene.text[: scene.text.index("reward:")].count("\n")
    place = rf"<string>:{line}:\d+: task\.reward: .* world 0: `=1/\(cart\.x - .*` gives nan"
    with pytest.raises(SimulationError, match=place):
        env.step(0)
    with pytest.raises(SimulationError, match="the reward of the task has no value in world 0"):
        many.step(np.zeros(3, int))


def test_a_scene_without_a_task_is_refused() -> None:
    scene = loads("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}", path="ball.yaml")
    with pytest.raises(UsageError, match=r"ball\.yaml: it has no `task`"):
        SceneEnv(scene)


def test_what_cannot_be_is_refused() -> None:
    scene = loads(CHOICES)
    with pytest.raises(UsageError, match="render_mode"):
        SceneEnv(scene, render_mode="ansi")
    with pytest.raises(UsageError, match="render_mode is None or 'rgb_array'"):
        SceneVectorEnv(scene, 2, render_mode="human")
    with pytest.raises(UsageError, match="on_error is 'end' or 'raise'"):
        SceneVectorEnv(scene, 2, on_error="ignore")
    with pytest.raises(UsageError, match="known: NextStep, SameStep, Disabled"):
        SceneVectorEnv(scene, 2, autoreset_mode="Never")
    with pytest.raises(UsageError, match="overrides"):
        SceneEnv(scene, overrides=["world.dt=1"])
    with pytest.raises(UsageError, match="2 seeds are given for 3"):
        SceneVectorEnv(scene, 3).reset(seed=[1, 2])
    with pytest.raises(UsageError, match="reset_mask"):
        SceneVectorEnv(scene, 3).reset(options={"reset_mask": [True, False, False]})


def test_without_gymnasium_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import rigid2d.core\n"
        "try:\n    import rigid2d.core.environments\n"
        "except rigid2d.core.UsageError as error:\n    print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'rigid2d[env]'" in told.stdout


@pytest.mark.parametrize(("done", "ended"), [("=cart.x > 100", False), ("=not cart.alive", True)])
def test_an_episode_goes_on_without_a_body_that_left_the_bounds(done: str, ended: bool) -> None:
    text = re.sub("done: .*", f"done: {done}", CART.replace("ACT", "[-10, 10]"))
    text = text.replace("world: {", "world: {bounds: [[-1, -5], [0.1, 5]], ")
    env = SceneEnv(loads(text))
    env.reset(seed=1)
    for _ in range(15):
        last, _, terminated, truncated, _ = env.step(np.array([10.0], np.float32))
        if terminated or truncated:
            break
    assert (terminated, truncated) == (ended, not ended)
    assert 0.1 < last[0] < 1
