# SPDX-License-Identifier: MIT
"""The blocks ``state`` and ``outcome``: variables of a run, and when it is won or lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.generators import name_problem
from ...event_model import Outcome
from ...model import Scene
from ...values.broken import BROKEN, is_read
from ...values.fields import Input, Number, about
from ...values.kinds import EXPRESSION_SCHEMA, Custom
from ...values.state_words import STATE as PREFIX
from ..settings.settable import scene_so_far
from .expect import check_condition
from .live import LiveReader

Condition = Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)]


class OutcomeInput(Input):
    form: ClassVar[str] = "`{win: =state.score >= 3, lose: =not ship.alive}`"
    win: Condition = about("When this becomes true the run ends and is won.")
    lose: Condition = about("When this becomes true the run ends and is lost.")


def _build_state(given: Mapping[str, Any] | None, build_context: BuildContext) -> dict[str, float]:
    made: dict[str, float] = {}
    scope = build_context.scope(PREFIX)
    for i, (name, value) in enumerate((given or {}).items()):
        problem = name_problem(name, "state variable")
        if problem:
            build_context.report.add_invalid_name((PREFIX, name), problem)
        if i == limits.STATE_VARIABLES:
            message = f"more than {limits.STATE_VARIABLES} variables; that is the limit"
            scope.fail("limit", message, name)
            break
        known = scope.known(value, name)
        made[name] = 0.0 if known is None or known is BROKEN else float(known)
    for section in ("bodies", "joints"):
        if made and PREFIX in (getattr(build_context.given, section) or ()):
            what = "body" if section == "bodies" else "joint"
            message = f"a {what} cannot be called `state` where there are state variables"
            build_context.report.add_key((section, PREFIX), "invalid-name", message)
    return made


def _build_outcome(given: OutcomeInput | None, build_context: BuildContext) -> Outcome | None:
    if given is None or not is_read(given):
        return None
    scope = build_context.scope("outcome")
    reader = LiveReader(scene_so_far(build_context), scope)
    found = {
        key: scope.attempt(reader.condition, "", getattr(given, key), key)
        for key in ("win", "lose")
        if is_read(getattr(given, key))
    }
    if given.win is None and given.lose is None:
        scope.fail("missing-key", "an outcome needs `win`, `lose` or both")
    scope.stop_if_failed()
    return Outcome(**found)


def _write_outcome(scene: Scene) -> dict[str, str]:
    outcome = scene.outcome or Outcome()
    pairs = (("win", outcome.win), ("lose", outcome.lose))
    return {key: f"={source}" for key, source in pairs if source}


STATE = BlockSpec(
    dict[str, Number] | None,
    _build_state,
    write=lambda scene: dict(scene.state),
    hash_pieces=lambda scene: (repr(each).encode() for each in scene.state.items()),
)
OUTCOME = BlockSpec(
    OutcomeInput | None,
    _build_outcome,
    write=_write_outcome,
    hash_pieces=lambda scene: iter([repr(scene.outcome).encode()] if scene.outcome else []),
)
