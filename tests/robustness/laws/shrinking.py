# SPDX-License-Identifier: MIT
"""Smaller worlds that break the same law: fewer bodies, joints and options, shorter, rounder."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import yaml
from rigid2d.core import SceneError, loads

from ..fuzzers.scene_grammar import written
from .judge import Finding, judge_scene
from .start import is_well_posed

Tree = dict[str, Any]
SECONDS = 20.0  # that a shrinking may take
ROOM = (
    1.2  # a smaller world breaks the law by as much at least, so that it is no matter of rounding
)


def shrink(text: bytes, law: str) -> tuple[bytes, Finding]:
    """A smaller world that breaks the law, and by how much."""
    tree = yaml.safe_load(text)
    found = _broken(tree, law)
    assert found is not None, "the world keeps the law"
    end = time.monotonic() + SECONDS
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        for change in _changes(tree):
            smaller = copy.deepcopy(tree)
            change(smaller)
            if smaller == tree:
                continue
            again = _broken(smaller, law)
            if again is not None and again.share >= min(ROOM, found.share):
                tree, found, changed = smaller, again, True
            if time.monotonic() > end:
                break
    return written(tree), found


def _broken(tree: Tree, law: str) -> Finding | None:
    try:
        scene = loads(written(tree), path="world.yaml")
    except SceneError:
        return None
    moves = any(body.kind == "dynamic" for body in scene.bodies.values())
    if not moves or not is_well_posed(scene):
        return None
    return next((each for each in judge_scene(scene) if each.law == law and each.broken), None)


Change = Callable[[Tree], None]


def _changes(tree: Tree) -> Iterator[Change]:
    """What may make it smaller; each is made of the tree as it then is."""
    for name in [*tree.get("joints", {})]:
        yield lambda t, name=name: _without_joint(t, name)
    for name in [*tree["bodies"]]:
        yield lambda t, name=name: _without_body(t, name)
    for share in (0.1, 0.3, 0.6, 0.9):
        yield lambda t, share=share: _shorter(t, share)
    for key in ("gravity", "sleep"):
        plain = [0, 0] if key == "gravity" else False
        yield lambda t, key=key, plain=plain: t["world"].update({key: plain})
    for key in ("substeps", "iterations", "joints"):
        yield lambda t, key=key: t["world"].get("solver", {}).pop(key, None)
    for block in ("bodies", "joints"):
        for name, entry in [*tree.get(block, {}).items()]:
            for key in [*entry]:
                yield lambda t, at=(block, name, key): _dropped(t, *at)
            for key in [*entry]:
                for digits in (1, 2, 3):
                    yield lambda t, at=(block, name), k=key, d=digits: _rounded(t, *at, k, d)
    for name in [*tree["bodies"]]:
        yield lambda t, name=name: _as_disc(t, name)


def _without_joint(tree: Tree, name: str) -> None:
    joints = tree.get("joints", {})
    joints.pop(name, None)
    for other in [n for n, entry in joints.items() if name in entry.get("joints", ())]:
        joints.pop(other, None)
    if not joints:
        tree.pop("joints", None)


def _without_body(tree: Tree, name: str) -> None:
    tree["bodies"].pop(name, None)
    joints = tree.get("joints", {})
    for joint in [n for n, entry in joints.items() if name in entry.get("bodies", ())]:
        _without_joint(tree, joint)


def _shorter(tree: Tree, share: float) -> None:
    tree["world"]["steps"] = max(1, int(tree["world"]["steps"] * share))


def _dropped(tree: Tree, block: str, name: str, key: str) -> None:
    entry = tree.get(block, {}).get(name, {})
    if key not in ("shape", "mass", "type", "bodies", "joints", "anchors", "position"):
        entry.pop(key, None)


def _rounded(tree: Tree, block: str, name: str, key: str, digits: int) -> None:
    entry = tree.get(block, {}).get(name, {})
    if key in entry:
        entry[key] = _round(entry[key], digits)


def _round(value: Any, digits: int) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | list | dict):
        return value
    if isinstance(value, list):
        return [_round(each, digits) for each in value]
    if isinstance(value, dict):
        return {key: _round(each, digits) for key, each in value.items()}
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded == math.floor(rounded) and abs(rounded) < 1e6 else rounded


def _as_disc(tree: Tree, name: str) -> None:
    body = tree["bodies"].get(name)
    if body is None or body.get("type") == "static" or "circle" in body["shape"]:
        return
    size = {
        "box": lambda s: s[0] / 2,
        "capsule": lambda s: abs(s[0][0]),
        "polygon": lambda s: max(math.hypot(*p) for p in s),
    }
    for kind, radius in size.items():
        if kind in body["shape"]:
            body["shape"] = {"circle": _round(radius(body["shape"][kind]), 2)}
            return
