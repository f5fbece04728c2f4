# SPDX-License-Identifier: MIT
"""Writes spawns, and values that may be formulas, as a scene file has them."""

from __future__ import annotations

from typing import Any

from ...event_model import Formula, Spawn


def written_spawn(spawn: Spawn) -> dict[str, Any]:
    """A birth as a scene file has it."""
    values: dict[str, Any] = {"use": spawn.use, "name": spawn.name, "at": written_value(spawn.at)}
    values |= {"angle": written_value(spawn.angle), "velocity": written_value(spawn.velocity)}
    if spawn.pivot != (0.0, 0.0):
        values["pivot"] = spawn.pivot
    if spawn.frame:
        values["frame"] = spawn.frame
    if spawn.vars:
        values["vars"] = {key: written_value(value) for key, value in spawn.vars.items()}
    if spawn.scale != 1.0:
        values["scale"] = spawn.scale
    if spawn.mirror is not None:
        values["mirror"] = spawn.mirror
    if spawn.lifetime is not None:
        values["lifetime"] = written_value(spawn.lifetime)
    if spawn.if_free:
        values |= {"if_free": True, "max_tries": spawn.max_tries}
    return values


def written_value(value: Any) -> Any:
    """A value with its formulas as sources."""
    if isinstance(value, Formula):
        return f"={value.source}"
    return [written_value(each) for each in value] if isinstance(value, tuple) else value
