# SPDX-License-Identifier: MIT
"""Many worlds, each by a seed and its number, in one process or in several."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from rigid2d.core import Scene, SceneError, loads

from ..fuzzers.scene_grammar import written
from .judge import judge_scene
from .worlds import a_world

Kind = tuple[str, str, str]  # solver, how joints are solved, setting
PORTION = 25


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that a world breaks."""

    seed: int
    number: int
    kind: Kind
    law: str
    share: float
    said: str


@dataclass(frozen=True, slots=True)
class Hunted:
    """What a portion of worlds gave."""

    broken: list[Broken]
    classes: Counter[Kind]
    refused: int
    seconds: float


def text_of(seed: int, number: int) -> bytes:
    """The world of a number."""
    return written(a_world(random.Random(f"laws {seed} {number}")))


def hunt(
    seed: int, numbers: Sequence[int], workers: int = 1, steps: Mapping[int, int] | None = None
) -> Hunted:
    """Judge the worlds of these numbers; ``steps`` shortens the runs of some."""
    portions = [numbers[i : i + PORTION] for i in range(0, len(numbers), PORTION)]
    work = partial(_portion, seed, steps or {})
    if workers == 1:
        return _sum(map(work, portions))
    with ProcessPoolExecutor(workers) as pool:
        return _sum(pool.map(work, portions))


def kind_of(scene: Scene) -> Kind:
    """The class that a scene is counted in."""
    solver = scene.world.solver
    joints = solver.joints if scene.joints else "no joints"
    setting = "box" if "left" in scene.bodies else "floor" if "floor" in scene.bodies else "free"
    return solver.kind, joints, setting


def _portion(seed: int, steps: Mapping[int, int], numbers: Sequence[int]) -> Hunted:
    broken: list[Broken] = []
    classes: Counter[Kind] = Counter()
    refused, begun = 0, time.process_time()
    for number in numbers:
        try:
            scene = loads(text_of(seed, number), path="world.yaml")
        except SceneError:
            refused += 1
            continue
        if number in steps:
            scene = replace(scene, world=replace(scene.world, steps=steps[number]))
        kind = kind_of(scene)
        classes[kind] += 1
        broken += [
            Broken(seed, number, kind, each.law, each.share, each.said)
            for each in judge_scene(scene)
            if each.broken
        ]
    return Hunted(broken, classes, refused, time.process_time() - begun)


def _sum(portions: Iterable[Hunted]) -> Hunted:
    broken: list[Broken] = []
    classes: Counter[Kind] = Counter()
    refused, seconds = 0, 0.0
    for each in portions:
        broken += each.broken
        classes += each.classes
        refused += each.refused
        seconds += each.seconds
    return Hunted(broken, classes, refused, seconds)
