# SPDX-License-Identifier: MIT
"""Times of events and spawners, counted from the present moment."""

from __future__ import annotations

from dataclasses import replace

from ...scene.event_model import EventRule, Spawner
from ...scene.model import World
from ..script.event_conditions import SAME_TIME, due_after


def event_from_now(rule: EventRule, step: int, settings: World) -> EventRule | None:
    """The event by times from now on; ``step`` counts from the start of its script.

    Returns None for times that do not come again.
    """
    if rule.kind != "time":
        return rule
    due = due_after(step, rule.at, rule.every, settings.dt)
    if due - step > settings.steps:
        return None
    return replace(rule, at=max(rule.at, _next(rule, due, settings.dt)) - step * settings.dt)


def _next(rule: EventRule, due: int, dt: float) -> float:
    """The time of the rule that is due at a step."""
    if rule.every is None:
        return rule.at
    turns = max(0, round((due * dt - rule.at) / rule.every - 0.5 * min(1.0, dt / rule.every)))
    return rule.at + turns * rule.every


def spawner_from_now(spawner: Spawner, spawned: int, now: float, dt: float) -> Spawner | None:
    """The spawner by times from now on, after a number of births; None if it has ended."""
    most = None if spawner.most is None else spawner.most - spawned
    start = spawner.start - now
    while start <= SAME_TIME * dt:
        start += spawner.every
    if most == 0 or not start < spawner.until - now:
        return None
    return replace(spawner, start=start, until=spawner.until - now, most=most)
