# SPDX-License-Identifier: MIT
"""Joints that actions attach, as a scene writes them, with the bodies and numbers of an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import RigidError
from ...scene.event_model import Action
from ..naming.named_parts import NamedParts
from ..naming.setters import is_there
from ..spawning import add_fragment
from .failure_messages import failure


def attach(
    world: NamedParts,
    action: Action,
    count: int,
    event: Mapping[str, Any],
    names: Mapping[str, str],
) -> str:
    """Add the joint of an action, the ``count``-th of its name; return its full name, empty where a
    body is not there. ``names`` are the bodies of the event by ``$a`` and ``$b``."""
    joint = _filled(action.joint, event, names)
    full = f"{action.name}[{count}]"
    if any(not is_there(world, name) for name in joint["bodies"] if name != "world"):
        return ""
    if "anchors" in joint:
        ends = zip(joint["bodies"], joint["anchors"], action.joint["anchors"], strict=True)
        joint["anchors"] = [
            world[name].local_point(point) if was == "$point" and name != "world" else point
            for name, point, was in ends
        ]
    try:
        add_fragment(world, {"joints": {full: joint}}, action.path)
    except RigidError as error:
        raise failure(world, action.path, str(error)) from None
    return full


def _filled(value: Any, event: Mapping[str, Any], names: Mapping[str, str]) -> Any:
    """A value of an action, with the event's values in its placeholders."""
    if isinstance(value, Mapping):
        return {key: _filled(each, event, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, event, names) for each in value]
    if value == "$point":
        return [event["$point.x"], event["$point.y"]]
    if not isinstance(value, str):
        return value
    owner, dot, rest = value.partition(".")
    return f"{names.get(owner, owner)}{dot}{rest}"
