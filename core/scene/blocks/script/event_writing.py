# SPDX-License-Identifier: MIT
"""Writes events, actions and spawns as a scene file has them."""

from __future__ import annotations

from typing import Any

from ...event_model import Action, EventRule, Formula, Spawn
from ...model import Units
from ..placing.attached_joints import joint_in_radians
from .destructions import written_destruction


def written_event(rule: EventRule, units: Units) -> dict[str, Any]:
    """An event as a scene file has it; ``units`` are those in which attached joints are said."""
    values: dict[str, Any] = {"when": f"={rule.condition}" if rule.condition else rule.kind}
    if rule.kind in ("leave", "deleted") and rule.who and not rule.who[0].tag:
        values["bodies"] = list(rule.who[0].bodies)
    elif rule.who:
        bodies = [who.name for who in rule.who if not who.tag]
        tags = [who.tag for who in rule.who if who.tag]
        values |= {key: names for key, names in (("bodies", bodies), ("tags", tags)) if names}
    plain = {"joint": rule.joint, "at": rule.at, "every": rule.every, "after": rule.after}
    plain |= {"min_impulse": rule.min_impulse, "region": rule.region}
    values |= {key: value for key, value in plain.items() if value}
    if rule.guard:
        values["if"] = f"={rule.guard}"
    if rule.unless:
        values["unless"] = f"={rule.unless}"
    if rule.once:
        values |= {"once": True} if rule.once == "run" else {"once_per": "pair"}
    if rule.cooldown:
        values["cooldown"] = rule.cooldown
    if rule.per_pair:
        values["cooldown_per"] = "pair"
    values["do"] = [written_action(action, units) for action in rule.actions]
    return values


def written_action(action: Action, units: Units) -> dict[str, Any]:
    """An action as a scene file has it."""
    kind: str = action.kind
    if kind in ("set", "add"):
        return {kind: {path: _value(value) for path, value in action.values.items()}}
    if kind == "destroy":
        assert action.destruction is not None
        return {kind: written_destruction(action.name, action.destruction)}
    if kind == "spawn":
        assert action.spawn is not None
        return {kind: written_spawn(action.spawn)}
    if kind == "attach":
        return {kind: {"name": action.name, "joint": joint_in_radians(action.joint, units)}}
    if kind == "impulse":
        where = {"at": _value(action.at)} if action.at else {}
        return {kind: {"body": action.name, "impulse": _value(action.amount), **where}}
    if kind == "explode":
        values = {"radius": action.radius, "impulse": _value(action.amount)}
        return {kind: {"at": _value(action.at), **values}}
    return {kind: action.name}


def written_spawn(spawn: Spawn) -> dict[str, Any]:
    """A birth as a scene file has it."""
    values: dict[str, Any] = {"use": spawn.use, "name": spawn.name, "at": _value(spawn.at)}
    values |= {"angle": _value(spawn.angle), "velocity": _value(spawn.velocity)}
    if spawn.frame:
        values["frame"] = spawn.frame
    if spawn.vars:
        values["vars"] = {key: _value(value) for key, value in spawn.vars.items()}
    if spawn.scale != 1.0:
        values["scale"] = spawn.scale
    if spawn.mirror is not None:
        values["mirror"] = spawn.mirror
    if spawn.lifetime is not None:
        values["lifetime"] = _value(spawn.lifetime)
    if spawn.if_free:
        values |= {"if_free": True, "max_tries": spawn.max_tries}
    return values


def _value(value: Any) -> Any:
    if isinstance(value, Formula):
        return f"={value.source}"
    return [_value(each) for each in value] if isinstance(value, tuple) else value
