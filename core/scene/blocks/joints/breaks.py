# SPDX-License-Identifier: MIT
"""Builds the breaking limits of a joint from its input model."""

from __future__ import annotations

import math
from typing import Any

from ...building.scope import Scope
from ...model import Body
from ...values.broken import Stop
from .bars import SLENDER, find_bar
from .parts import BreakInput
from .spec import JointSpec

_FIELDS = ("force", "torque", "push_pull", "push", "pull")


def build_break(
    scope: Scope, spec: JointSpec, given: BreakInput | None, own: bool, pair: tuple[Body, Body]
) -> dict[str, float]:
    """Return the breaking limits of a joint; raise Stop after a problem.

    ``own`` is whether they are the joint's own: of defaults, only applicable ones are used.
    """
    if given is None:
        return {}
    limits = {name: scope.known(getattr(given, name), "break", name) for name in _FIELDS}
    if all(value is None for value in limits.values()):
        if scope.report.may_mean((*scope.path, "break"), object):
            raise Stop
        raise scope.fail(
            "missing-key",
            "`break` needs a `force`, a `torque`, a `push_pull`, a `push` or a `pull`",
            "break",
        )
    _check_kind(scope, spec, limits, own)
    if limits["push_pull"] is not None and not any(find_bar(body) for body in pair):
        raise scope.fail(
            "impossible-motion",
            "`push_pull` is the force along a bar, and neither body is one: a dynamic body of "
            f"a single shape, at least {SLENDER:g} times as long as wide",
            "break",
            "push_pull",
        )
    return {f"break_{name}": math.inf if v is None else v for name, v in limits.items()}


def _check_kind(scope: Scope, spec: JointSpec, limits: dict[str, Any], own: bool) -> None:
    """Report breaking limits that this kind of joint lacks; skip them in defaults."""
    if own and not spec.bears_torque and limits["torque"] not in (None, math.inf):
        raise scope.fail(
            "conflicting-keys",
            f"a {spec.name} joint bears no torque; it breaks by `force`",
            "break",
            "torque",
        )
    for name in ("push", "pull"):
        if spec.along_line or limits[name] is None:
            continue
        if own:
            raise scope.fail(
                "conflicting-keys",
                f"`{name}` is along the line of a distance joint; a {spec.name} joint breaks by "
                "`force`",
                "break",
                name,
            )
        limits[name] = None
