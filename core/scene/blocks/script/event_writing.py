# SPDX-License-Identifier: MIT
"""Writes events and their actions as a scene file has them."""

from __future__ import annotations

from typing import Any

from ...event_model import Action, EventRule
from ...model import Units
from .action_types import ACTION_TYPES


def written_event(rule: EventRule, units: Units) -> dict[str, Any]:
    """Write an event in the form of a scene file; ``units`` are those of attached joints."""
    values: dict[str, Any] = {"when": f"={rule.condition}" if rule.condition else rule.kind}
    if rule.kind in ("leave", "deleted") and rule.who and not rule.who[0].tag:
        values["bodies"] = list(rule.who[0].bodies)
    elif rule.who:
        bodies = [who.name for who in rule.who if not who.tag]
        tags = [who.tag for who in rule.who if who.tag]
        values |= {key: names for key, names in (("bodies", bodies), ("tags", tags)) if names}
    about = "actuator" if rule.kind.startswith("actuator_") else "joint"
    plain = {about: rule.subject, "at": rule.at, "every": rule.every, "after": rule.after}
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
    """Write an action in the form of a scene file."""
    return {action.kind: ACTION_TYPES[action.kind].write(action, units)}
