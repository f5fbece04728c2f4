# SPDX-License-Identifier: MIT
"""Tasks: environments of scenes for those who learn, alone and many at once.

A case is the scene's text, a line ``---``, then a call a line as JSON.
"""

from __future__ import annotations

import importlib.util
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from rigid2d.core import Scene, loads
from rigid2d.core.errors import RigidError, SceneError

from .parts_grammar import lay_picture
from .scene_check import said
from .scene_grammar import a_tree, written
from .schema_values import a_value, schema
from .sessions import SEPARATOR
from .values import anything, number

ROOT = Path(__file__).parents[3] / "scenes" / "tasks"
MOST_BODIES = 60
COUNT = 3


@cache
def task_scenes() -> tuple[bytes, ...]:
    """The scenes with tasks that there are."""
    return tuple(path.read_bytes() for path in sorted(ROOT.glob("*.yaml")))


def a_task(choose: random.Random, names: list[str]) -> dict[str, Any]:
    """A task of a scene with some bodies."""
    body = choose.choice(names)
    act: Any = choose.choice(
        [
            {f"{body}.velocity.x": [-1, choose.choice([1, 1e9])]},
            {f"{body}.velocity": [[-1, 1], [-2, 2]]},
            {f"{body}.angular_velocity": {"choices": [-9, 0, 9]}},
            {"a0.enabled": {"choices": [False, True]}, f"{body}.gravity_scale": [0, 1]},
            {"keys": [[], ["up"]]},
        ]
    )
    task: dict[str, Any] = {
        "observe": choose.sample([f"{body}.x", f"={body}.vy*n", "=1/n", f"=log({body}.y)"], 2),
        "act": act,
        "reward": choose.choice([1, f"={body}.x", f"=sqrt({body}.x)", f"=-${next(iter(act))}**2"]),
    }
    extras: dict[str, Any] = {
        "done": f"={body}.y < {choose.choice([-1, 1])}",
        "progress": f"={body}.x",
        "steps": choose.choice([1, 3, 1_000_000]),
        "repeat": choose.choice([1, 2, 9]),
        "start": {"$a": "=uniform(-1, 1)", f"{body}.position": ["=$a", 3]},
        "layouts": choose.choice([1, 2, 64]),
    }
    task |= {key: extras[key] for key in choose.sample([*extras], choose.choice([0, 1, 3, 5]))}
    if choose.random() < 0.2:
        form = schema()["$defs"]["TaskInput"]["properties"]
        key = choose.choice([*form])
        task[key] = a_value(choose, form[key], key)
    return task


def a_training(choose: random.Random) -> bytes:
    """A scene with a task, and calls of its environments."""
    if choose.random() < 0.5:
        text = choose.choice(task_scenes())
    else:
        tree = a_tree(choose)
        bodies = tree.get("bodies")
        names = [*bodies] if isinstance(bodies, dict) and bodies else ["b0"]
        tree["task"] = a_task(choose, names)
        text = written(tree)
    calls = [_call(choose) for _ in range(choose.choice([2, 6, 15]))]
    return text + SEPARATOR + b"".join(json.dumps(call).encode() + b"\n" for call in calls)


def check_training(case: bytes) -> None:
    """Rigid's own errors, or numbers; one world of many has the bits of one alone."""
    if importlib.util.find_spec("gymnasium") is None:
        return
    text, _, lines = case.partition(SEPARATOR)
    lay_picture()
    try:
        scene = loads(text, path="fuzz.yaml", folder=ROOT)
    except SceneError:
        return
    if scene.task is None or len(scene.bodies) > MOST_BODIES:
        return
    calls = [json.loads(line) for line in lines.decode().splitlines()]
    _use(scene, calls)


def _use(scene: Scene, calls: list[list[Any]]) -> None:
    from rigid2d.core.environments import SceneEnv, SceneVectorEnv

    try:
        alone = SceneEnv(scene, render_mode="rgb_array", size=(16, 12))
        many = SceneVectorEnv(scene, COUNT, autoreset_mode="Disabled")
    except RigidError as error:
        said(error)
        return
    for what, *given in [["reset", 1], *calls]:  # so that nothing is drawn from the system
        try:
            if what == "reset":
                first, _ = alone.reset(seed=given[0])
                others, _ = many.reset(seed=given[0])
                alike = given[0] is None or np.array_equal(first, others[0])
                assert alike, "another beginning among many"
            elif what == "act":
                action = given[0] if given else _action(alone)
                alone.step(np.asarray(action) if isinstance(action, list) else action)
            elif what == "many":
                actions = [_action(alone) for _ in range(COUNT)] if not given else given[0]
                seen, rewards, *_ = many.step(np.asarray(actions))
                assert np.isfinite(rewards).all(), "a reward that is no number"
                assert seen.shape[0] == COUNT, "other observations than worlds"
                assert many.observation_space.contains(seen), "an observation out of its bounds"
            elif what == "save":
                for env in (alone, many):
                    state = env.save_state()
                    env.restore_state(state)
                    assert env.save_state() == state, "another state after it was restored"
            else:
                alone.render()
        except RigidError as error:
            said(error)


def _action(env: Any) -> Any:
    """An action that may be."""
    space = env.action_space
    low = getattr(space, "low", None)
    return np.array(low) if low is not None else np.zeros(space.shape, np.int64)


def _call(choose: random.Random) -> list[Any]:
    wrong = [number(choose), [number(choose)] * choose.choice([1, 2]), [0], 0, 1, True]
    given = choose.choice([*wrong, anything(choose)])
    return choose.choice(
        [
            ["reset", choose.choice([0, 7, None, 2**31, 2**70])],
            ["act"],
            ["act", given],
            ["many"],
            ["many", given],
            ["many", [given] * COUNT],
            ["save"],
            ["render"],
        ]
    )
