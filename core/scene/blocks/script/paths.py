# SPDX-License-Identifier: MIT
"""Moves events and actions to other paths of the file, where copies of them are written out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ...event_model import Action, EventRule, Formula
from ...script import Control
from ...values.broken import BROKEN


def at_its_place(control: Control, path: str) -> Control:
    """A control whose actions have the paths that they have when it is written out."""
    if control is BROKEN or not control.all_actions:
        return control
    pressed, released = (
        tuple([with_paths(each, each.path, f"{at}.do[{i}]") for i, each in enumerate(actions)])
        for at, actions in ((path, control.actions), (f"{path}.on_release", control.released))
    )
    return replace(control, actions=pressed, released=released)


def with_paths(value: Any, old: str, new: str) -> Any:
    """An event or an action whose paths in the file begin otherwise."""
    if isinstance(value, tuple):
        return tuple(with_paths(each, old, new) for each in value)
    if isinstance(value, Mapping):
        return {key: with_paths(each, old, new) for key, each in value.items()}
    if not is_dataclass(value) or value is BROKEN or isinstance(value, type):
        return value
    changes = {
        each.name: with_paths(getattr(value, each.name), old, new)
        for each in fields(value)
        if each.name != "path"
    }
    if isinstance(value, (Action, EventRule, Formula)):
        changes["path"] = new + value.path.removeprefix(old)
    return replace(value, **changes)
