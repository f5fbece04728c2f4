# SPDX-License-Identifier: MIT
"""Saved states that were changed, with a digest that is right again.

A case is lines of JSON. The first says which scene, after how many steps its state was saved, and
how far the world is that is to restore it. Each line after it is one change: of the header, of what
a textbook solver keeps beside the engine, or of the engine's bytes. A world that refuses the state
does so in words of rigid and is as it was, to the bit. One that takes it saves the same bytes, and
goes on, or stops in words of rigid.
"""

from __future__ import annotations

import json
import random
from functools import cache
from hashlib import sha256
from typing import Any

import rigid2d.core
from rigid2d.core import Scene, World
from rigid2d.core.errors import RigidError

from .saved_scenes import SCENES
from .scene_check import said
from .values import anything

STEPS = (0, 1, 7, 40, 90)
GOES_ON = 12
DEEDS = ("replace", "nudge", "delete", "double", "rename", "swap", "graft")
_DIGEST = 32
_DEEP = "deep"


def changed_state(choose: random.Random) -> bytes:
    """Which state, and what is changed in it."""
    first = {
        "scene": choose.choice([*SCENES]),
        "saved": choose.choice(STEPS),
        "at": choose.choice(STEPS),
    }
    lines: list[Any] = [first]
    for _ in range(choose.choice([1, 1, 1, 2, 4])):
        lines.append(_change(choose))
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


def _change(choose: random.Random) -> dict[str, Any]:
    part = choose.choice(["header", "header", "header", "solver", "bytes"])
    if part == "bytes":
        return {"part": part, "at": choose.random(), "to": choose.choice([0, 1, 127, 255])}
    where = [round(choose.random(), 3) for _ in range(choose.randrange(1, 12))]
    if part == "header" and choose.random() < 0.6:
        where[0] = choose.choice(["script", "added", "actuators"])
    deed = choose.choice([*DEEDS, "nudge", "graft", "graft"])
    given = [_DEEP] if choose.random() < 0.02 else anything(choose)
    if deed == "graft":
        given = [choose.choice(["script", "added"]), *(round(choose.random(), 3) for _ in range(8))]
    return {"part": part, "where": where, "do": deed, "to": given}


def check_state_change(case: bytes) -> None:
    """Have a world restore the changed state."""
    first, *changes = [json.loads(line) for line in case.splitlines()] or [{}]
    if first.get("scene") not in SCENES:
        return
    state = _changed(_saved(first["scene"], first["saved"]), changes)
    world = _world(first["scene"], first["at"]).fork()
    before, hashed = world.save(), world.state_hash()
    try:
        world.restore(state)
    except RigidError as error:
        said(error)
        assert world.save() == before, "a refused state has changed the world"
        assert world.state_hash() == hashed
        world.step(1)
        return
    assert len(world.save()) > _DIGEST
    try:
        world.frame(True)
        world.events.take()
        world.step(GOES_ON)
        world.frame(True)
        world.events.take()
        again = world.save()
        world.restore(again)
        assert world.save() == again, "a state that was saved restores to another one"
    except RigidError as error:
        said(error)


# ---------------------------------------------------------------- states


@cache
def _scene(name: str) -> Scene:
    return rigid2d.core.loads(SCENES[name], path=f"{name}.yaml")


@cache
def _world(name: str, steps: int) -> World:
    """A world that is to be forked, never stepped."""
    world = rigid2d.core.build(_scene(name))
    for step in range(steps):
        if step == 2:
            world.add({"bodies": {"new": {"shape": {"box": [0.2, 0.2]}, "position": [9, 9]}}})
        if step == 3 and _scene(name).controls:
            world.controls.press("left")
        world.step()
    return world


@cache
def _saved(name: str, steps: int) -> bytes:
    return _world(name, steps).fork().save()


def _changed(state: bytes, changes: list[dict[str, Any]]) -> bytes:
    """The state with these changes, and its digest."""
    magic, line, body = state[:-_DIGEST].split(b"\n", 2)
    for change in changes:
        if change["part"] == "header":
            line = _of_json(line, change)
        elif change["part"] == "solver" and body.startswith(b"{"):
            own, _, rest = body.partition(b"\n")
            body = _of_json(own, change) + b"\n" + rest
        elif change["part"] == "bytes":
            at = int(change["at"] * len(body))
            body = body[:at] + bytes([change["to"]]) + body[at + 1 :]
    whole = b"\n".join([magic, line, body])
    return whole + sha256(whole).digest()


def _of_json(line: bytes, change: dict[str, Any]) -> bytes:
    """A line of JSON with a change at one of its places."""
    try:
        tree = json.loads(line)
    except (ValueError, RecursionError):  # it is spoilt already
        return line
    holder, key = _place(tree, change["where"])
    if change["do"] == "graft":
        other, place = _place(tree, change["to"])
        change = {**change, "do": "replace", "to": other[place]}
    _do(holder, key, change)
    text = json.dumps(tree, sort_keys=False)
    return text.replace(f'["{_DEEP}"]', "[" * 100_000 + "]" * 100_000).encode()


def _place(tree: Any, where: list[Any]) -> tuple[Any, Any]:
    """A list or mapping, and a place in it: names lead to themselves, parts of 1 to one of all."""
    holder: Any = [tree]
    key: Any = 0
    for part in where:
        inner = holder[key]
        if not isinstance(inner, (dict, list)) or not inner:
            break
        keys = [*inner] if isinstance(inner, dict) else range(len(inner))
        at = part if isinstance(part, str) and part in keys else keys[_number(part) % len(keys)]
        holder, key = inner, at
    return holder, key


def _number(part: Any) -> int:
    """A number that depends on a part of a way alone."""
    return int(part * 100_000) if isinstance(part, float) else len(str(part))


def _do(holder: Any, key: Any, change: dict[str, Any]) -> None:
    deed, value = change["do"], holder[key]
    if deed == "delete":
        del holder[key]
    elif deed == "nudge" and isinstance(value, (int, float)) and not isinstance(value, bool):
        holder[key] = value + (1 if isinstance(value, int) else 0.5)
    elif deed == "double" and isinstance(holder, list):
        holder.append(value)
    elif deed == "rename" and isinstance(holder, dict):
        holder[f"{key}2"] = holder.pop(key)
    elif deed == "swap" and isinstance(holder, list):
        holder.reverse()
    else:
        holder[key] = change["to"]
    if isinstance(holder, list) and not holder and deed == "delete":
        holder.append(change["to"])
