# SPDX-License-Identifier: MIT
"""Ratchets: hinges that turn one way, tooth by tooth."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite, pi
from typing import Any

from ...building.scope import Scope
from ...model import Body, Joint
from ...values.broken import Stop
from ..placement import Placement
from .spec import Ends, Get

_OPPOSITE = {"positive": "negative", "negative": "positive"}


def build_ratchet(scope: Scope, get: Get, pair: tuple[Body, Body], anchors: Ends) -> dict[str, Any]:
    """The angle of a tooth, below 0 where the ratchet turns the negative way."""
    if (get("pitch") is None) == (get("teeth") is None):
        given = get("pitch") is not None
        if not given and scope.report.may_mean(scope.path, object):
            raise Stop
        raise scope.fail(
            "conflicting-keys" if given else "missing-key",
            "a ratchet needs the number of its `teeth`, or the `pitch` from one to the next",
            *(("teeth",) if given else ()),
        )
    teeth, pitch = scope.known(get("teeth"), "teeth"), scope.known(get("pitch"), "pitch")
    if isinstance(teeth, tuple):
        raise scope.fail("wrong-type", "must be a number of teeth, for it has one wheel", "teeth")
    if teeth is not None:
        pitch = 2.0 * pi / teeth
    way = -1.0 if get("direction") == "negative" else 1.0
    slip = scope.known(get("slip_torque"), "slip_torque")
    return {"pitch": way * pitch, "slip_torque": inf if slip is None else slip}


def write_ratchet(joint: Joint) -> dict[str, Any]:
    """The teeth as they are written."""
    direction = "positive" if joint.pitch > 0.0 else "negative"
    values: dict[str, Any] = {"pitch": abs(joint.pitch), "direction": direction}
    if isfinite(joint.slip_torque):
        values["slip_torque"] = joint.slip_torque
    return values


def place_written_ratchet(joint: Mapping[str, Any], place: Placement) -> dict[str, Any]:
    """The direction of a copy that an action attaches."""
    if not place.mirror:
        return {}
    return {"direction": _OPPOSITE[joint.get("direction", "positive")]}


def ratchet_limits(joint: Joint) -> tuple[float, float]:
    """The limits of its hinge; the pawl begins behind the tooth at its angle."""
    return (0.0, inf) if joint.pitch > 0.0 else (-inf, 0.0)
