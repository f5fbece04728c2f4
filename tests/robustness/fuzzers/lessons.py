# SPDX-License-Identifier: MIT
"""Lessons: steps of solvers explained, solvers compared, and many worlds of one scene in a batch.

A case is the scene's text, a line ``---``, then a call a line as JSON.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from rigid2d.core import Batch, Scene, loads
from rigid2d.core.errors import RigidError, SceneError
from rigid2d.core.jobs import compare, explain
from rigid2d.core.scene.blocks.world.solver import KINDS

from .scene_check import said
from .scene_grammar import BODIES, a_tree, written
from .sessions import SEPARATOR, SETTINGS
from .values import WORDS, anything, number

SWEEPS = ["iterations=1,5", "warm_start=true,false", "grouping=global,pair", "stiffness=0,1"]
CHANNELS = ["x", "y", "vx", "angle", "force", "alive", "energy", "none"]
MOST_BODIES = 30  # of scenes that are compared: textbook solvers are not quick


def lesson(choose: random.Random) -> bytes:
    """A scene, mostly with a textbook solver, and what is asked of it."""
    tree = a_tree(choose)
    world = tree.get("world")
    if isinstance(world, dict) and choose.random() < 0.7:
        world["solver"] = {"type": choose.choice(KINDS[1:])}
    calls = [
        choose.choice([_explain, _compare, _batch])(choose) for _ in range(choose.choice([1, 2, 4]))
    ]
    return written(tree) + SEPARATOR + b"".join(json.dumps(call).encode() + b"\n" for call in calls)


def check_lesson(case: bytes) -> None:
    """Rigid's own errors, or tables of numbers."""
    text, _, calls = case.partition(SEPARATOR)
    try:
        scene = loads(text, path="fuzz.yaml")
    except SceneError:
        return
    if len(scene.bodies) > MOST_BODIES:
        return
    for line in calls.decode().splitlines():
        what, *given = json.loads(line)
        try:
            DEEDS[what](scene, *given)
        except RigidError as error:
            said(error)


def _explained(scene: Scene, step: Any, body: Any) -> None:
    found = explain.explain(scene, step, body=body)
    json.dumps(explain.as_json(found))
    assert explain.as_markdown(found), "nothing to read"
    for table in found.tables:
        assert all(len(row) == len(table.columns) for row in table.rows), f"ragged: {table.title}"


def _compared(scene: Scene, solvers: Any, sweep: Any, steps: Any) -> None:
    found = [
        compare.run_variant(scene, variant, steps=steps)
        for variant in compare.variants(scene, solvers, sweep)
    ]
    rows = compare.table_rows(found)
    assert len({len(row) for row in rows}) <= 1, "a ragged table"
    json.dumps(compare.as_json(found))


def _batched(scene: Scene, count: Any, calls: list[list[Any]]) -> None:
    """Calls of a batch; afterwards all its worlds can be read."""
    batch = Batch(scene, count)
    for what, *given in calls:
        try:
            getattr(batch, what)(*given)
        except RigidError as error:
            said(error)
    for index in range(len(batch)):
        assert np.isfinite(batch.world(index).bodies.x).all(), "a place that is no number"


DEEDS: dict[str, Callable[..., None]] = {
    "explain": _explained,
    "compare": _compared,
    "batch": _batched,
}


def _explain(choose: random.Random) -> list[Any]:
    step = choose.choice([1, 1, 2, 10]) if choose.random() < 0.9 else anything(choose)
    body = choose.choice([None, None, *BODIES, "floor", *WORDS])
    return ["explain", step, body]


def _compare(choose: random.Random) -> list[Any]:
    solvers = choose.sample(KINDS, choose.choice([0, 1, 2]))
    sweep = choose.sample(SWEEPS, choose.choice([0, 0, 1, 2]))
    call = ["compare", solvers, sweep, choose.choice([1, 3, 10])]
    if choose.random() < 0.1:
        call[choose.randrange(1, 4)] = choose.choice([anything(choose), [choose.choice(WORDS)]])
    return call


def _batch(choose: random.Random) -> list[Any]:
    calls = [_of_batch(choose) for _ in range(choose.choice([1, 3, 6]))]
    return ["batch", choose.choice([1, 2, 3, 5, 0, -1, math.nan, "2"]), calls]


def _of_batch(choose: random.Random) -> list[Any]:
    name = f"{choose.choice([*BODIES, 'j0', 'world'])}"
    values = [number(choose) for _ in range(choose.choice([1, 2, 3]))]
    return choose.choice(
        [
            ["step", choose.choice([0, 1, 5, anything(choose)])],
            ["read", [f"{name}.{choose.choice(CHANNELS)}"]],
            ["write", [f"{name}.{choose.choice(SETTINGS)}"], [[value] for value in values]],
            ["write", [f"{name}.velocity"], [[1.0, number(choose)]] * 3],
            ["reset", choose.choice([None, [True], [True, False], values, anything(choose)])],
            ["world", choose.choice([0, 1, -1, 9, anything(choose)])],
            ["errors"],
        ]
    )
