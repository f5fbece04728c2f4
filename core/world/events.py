# SPDX-License-Identifier: MIT
"""Events of the engine in the words and names of the scene."""

from __future__ import annotations

from .. import _native
from ..record.recorder import Event
from .naming.registry import Registry

EVENT_KINDS = tuple(_native.EVENT_KINDS)
JOINT_EVENTS = ("joint_broken",)
CONTACT_EVENTS = ("contact_begin", "contact_end")
PAIR_EVENTS = (*CONTACT_EVENTS, "sensor_begin", "sensor_end")


def take_events(native: _native.World, roster: Registry) -> list[Event]:
    """Events since the last call, in order; call while all their names are known."""
    told: list[Event] = []
    for step, code, first, other in native.take_events():
        kind = EVENT_KINDS[code]
        if kind in JOINT_EVENTS:
            told.append(Event(step, kind, roster.joint_name(first)))
            continue
        second = roster.body_name(other) if kind in PAIR_EVENTS else ""
        told.append(Event(step, kind, roster.body_name(first), second))
    return told
