# SPDX-License-Identifier: MIT
"""Bounds of observations and normalized actions, and the window of an environment."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rigid2d.core import SceneError, loads
from rigid2d.core.errors import UsageError

pytest.importorskip("gymnasium", reason="environments are of the extra `env`")

from rigid2d.core.environments import SceneEnv, SceneVectorEnv

from tests.rows import every_row

BALL = """
rigid: 1
name: Ball
vars: {most: 5}
world: {gravity: [0, 0], dt: 0.1, sleep: false}
bodies: {ball: {shape: {circle: 0.1}}}
render: {size: [40, 30]}
task:
  observe: [{value: ball.x, low: =-most, high: 0.25}, ball.vx, {value: =2*ball.vy, high: 3}]
  act: {ball.velocity.x: [-1, 3], ball.velocity.y: [0.5, 1.5]}
  normalize: true
  reward: =$ball.velocity.x
  done: false
"""


def test_observations_are_in_their_bounds() -> None:
    scene = loads(BALL)
    env, many = SceneEnv(scene), SceneVectorEnv(scene, 2)
    assert env.observation_space.low.tolist() == [-5.0, -np.inf, -np.inf]
    assert env.observation_space.high.tolist() == [0.25, np.inf, 3.0]
    env.reset(seed=0)
    many.reset(seed=0)
    for _ in range(3):
        seen, *_ = env.step(np.array([1.0, 1.0]))
        both, *_ = many.step(np.array([[1.0, 1.0], [-1.0, -1.0]]))
    assert seen.tolist() == both[0].tolist() == [0.25, 3.0, 3.0]
    assert both[1] == pytest.approx([-0.3, -1.0, 1.0])
    assert env.observation_space.contains(seen)


def test_normalized_actions_are_shares_of_their_ranges() -> None:
    env = SceneEnv(loads(BALL))
    assert (env.action_space.low.tolist(), env.action_space.high.tolist()) == ([-1, -1], [1, 1])
    env.reset(seed=0)
    for given, speeds in {(-1, -1): (-1, 0.5), (0, 0.5): (1, 1.25), (7, 1): (3, 1.5)}.items():
        seen, reward, *_ = env.step(np.array(given, np.float32))
        assert (reward, seen[2]) == (speeds[0], 2 * speeds[1])
    plain = SceneEnv(loads(BALL, overrides=["task.normalize=false"]))
    assert plain.action_space.high.tolist() == [3.0, 1.5]


@every_row("done, ends", [("false", False), ("true", True), ("=ball.x > 9", False)])
def test_an_end_may_be_true_or_false(done: str, ends: bool) -> None:
    env = SceneEnv(loads(BALL, overrides=[f"task.done={done}"]))
    env.reset(seed=0)
    assert env.step(np.zeros(2))[2] is ends


@every_row(
    "override, message",
    [
        ("task.observe=[{value: ball.x, lo: 5}]", "no `lo`"),
        ("task.observe=[{low: 5}]", "has a `value`"),
        ("task.observe=[{value: ball.x, low: 5, high: 5}]", "`low` comes before `high`"),
        ("task.observe=[{value: bal.x, low: 5}]", "did you mean `ball`"),
        ("task.observe=[{value: ball.x, low: left}]", r"observe\[0\]\.low"),
        ("task.act={ball.velocity.x: {choices: [0, 1]}}", "no ranges to normalize"),
        ("task.normalize=2", "true or false"),
    ],
)
def test_what_cannot_be_is_refused(override: str, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        loads(BALL.replace("reward: =$ball.velocity.x", "reward: 1"), overrides=[override])


class Tk:
    """As much of Tk as a window uses."""

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.closed = 0

    def module(self) -> Any:
        root = SimpleNamespace(
            title=lambda text: None,
            resizable=lambda *given: None,
            protocol=lambda *given: None,
            update=lambda: None,
            destroy=self._close,
        )
        label = SimpleNamespace(pack=lambda: None, configure=lambda image: self.shown.append(image))
        return SimpleNamespace(
            Tk=lambda **given: root,
            Label=lambda root, borderwidth: label,
            PhotoImage=lambda master, data, format: data,
        )

    def _close(self) -> None:
        self.closed += 1


def test_a_window_shows_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    tk = Tk()
    monkeypatch.setitem(sys.modules, "tkinter", tk.module())
    env = SceneEnv(loads(BALL), render_mode="human")
    env.reset(seed=0)
    env.step(np.ones(2))
    assert env.render() is None
    first, second, third = tk.shown
    assert first.startswith(b"P6 40 30 255\n")
    assert len(first) == 13 + 40 * 30 * 3
    assert first != second == third
    env.close()
    env.close()
    assert tk.closed == 1


def test_without_a_display_a_window_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(**given: str) -> None:
        raise RuntimeError("no display name")

    monkeypatch.setitem(sys.modules, "tkinter", SimpleNamespace(Tk=none))
    env = SceneEnv(loads(BALL), render_mode="human")
    with pytest.raises(UsageError, match="needs a display and Python's tkinter: no display name"):
        env.reset(seed=0)
