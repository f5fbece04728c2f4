# SPDX-License-Identifier: MIT
"""Builds actions: the entries of ``do``."""

from __future__ import annotations

from collections.abc import Sequence

from ... import limits
from ...building.block import BuildContext
from ...building.scope import Scope
from ...event_model import Action
from ...values.broken import BROKEN, Stop, is_read
from ..settings.settable import scene_so_far
from .action_builder import ActionBuilder
from .action_types import ACTION_TYPES, ActionInput


class Actions:
    """Builds the actions of events, controls and inputs."""

    def __init__(self, build_context: BuildContext) -> None:
        self.build_context = build_context
        self.scene = scene_so_far(build_context)

    def build(
        self,
        given: Sequence[ActionInput] | None,
        scope: Scope,
        *at: int | str,
        names: Sequence[str] = (),
    ) -> tuple[Action, ...]:
        """Return the actions of a list. ``names`` are those of the event and begin with ``$``."""
        if not is_read(given) or given is None:
            return ()
        if len(given) > limits.ACTIONS:
            raise scope.fail("limit", f"{len(given)} actions; the limit is {limits.ACTIONS}", *at)
        made = []
        for i, each in enumerate(given):
            if each is BROKEN:
                scope.failed = True
                continue
            builder = ActionBuilder(self.build_context, self.scene, scope, names, (*at, i))
            action = scope.attempt(_build, None, builder, each)
            if action is not None:
                made.append(action)
        return tuple(made)


def _build(builder: ActionBuilder, given: ActionInput) -> Action:
    """The one action that an entry says."""
    scope, at = builder.scope, builder.at
    kinds = [key for key, spec in ACTION_TYPES.items() if getattr(given, spec.field) is not None]
    if not kinds and scope.report.may_mean((*scope.path, *at), object):
        raise Stop
    if len(kinds) != 1:
        message = "an action is one of " + ", ".join(f"`{key}`" for key in kinds or ACTION_TYPES)
        kind = "conflicting-keys" if kinds else "missing-key"
        raise scope.fail(kind, f"{message}; write one", *at)  # type: ignore[arg-type]
    value = getattr(given, ACTION_TYPES[kinds[0]].field)
    if value is BROKEN:
        raise Stop
    return ACTION_TYPES[kinds[0]].build(builder, value, (*at, kinds[0]))
