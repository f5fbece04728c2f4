# SPDX-License-Identifier: MIT
"""The block ``spawners``: prototypes that are spawned repeatedly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.generators import name_problem
from ...building.scope import Scope
from ...event_model import Spawner
from ...model import Scene
from ...values.broken import BROKEN, Stop, is_read
from ...values.fields import Duration, Time, Whole, about
from ...values.kinds import EXPRESSION_SCHEMA, Custom
from ..settings.settable import scene_so_far
from .action_models import SpawnInput
from .expect import check_condition
from .live import LiveReader
from .spawns import Spawns
from .writing import written_spawn


class SpawnerInput(SpawnInput):
    hints: ClassVar[dict[str, str]] = {
        **SpawnInput.hints,
        **dict.fromkeys(
            ("rate", "interval", "period"), "it is `every`, from one birth to the next"
        ),
        "start": "it is `from`",
        **dict.fromkeys(("to", "end"), "it is `until`"),
        "count": "it is `max`",
        **dict.fromkeys(
            ("max_alive", "alive_max", "limit", "most", "at_once"),
            "it is `alive`: how many are there at once; `max` is how many are born in all",
        ),
        **dict.fromkeys(("when", "condition", "enabled"), "it is `if`"),
    }
    every: Duration = about("How long it is from one birth to the next.")
    from_: Time = about("When the first is born (0).", alias="from")
    until: Time = about("Up to when (the end of the run).")
    max: Whole = about("How many are born in all (no limit).")
    alive: Whole = about("How many of them are there at once at most (no limit).")
    if_: Annotated[Any, Custom(check_condition, EXPRESSION_SCHEMA)] = about(
        "The condition of a birth when it is due: an expression of the run. Otherwise it is left "
        "out.",
        alias="if",
    )


def _one(
    name: str, given: SpawnerInput, build_context: BuildContext, scene: Scene, scope: Scope
) -> Spawner:
    reader = LiveReader(scene, scope)
    if given.every is None and not scope.report.may_mean(scope.path, object):
        scope.fail("missing-key", "`every` is missing: how long from one birth to the next?")
    values = {
        key: scope.known(getattr(given, key), key.rstrip("_"))
        for key in ("every", "from_", "until", "max", "alive")
    }
    guard = ""
    if is_read(given.if_):
        guard = scope.attempt(reader.condition, "", given.if_, "if")
    spawn = Spawns(build_context, reader).build(given, name=name)
    start = values["from_"] or 0.0
    until = math.inf if values["until"] is None else values["until"]
    if not start < until:
        raise scope.fail("out-of-range", "`until` must be after `from`", "until")
    most, alive = (None if values[key] is None else int(values[key]) for key in ("max", "alive"))
    scope.stop_if_failed()
    return Spawner(name, spawn, values["every"], start, until, most, alive, guard)


def _build(given: Mapping[str, Any] | None, build_context: BuildContext) -> dict[str, Spawner]:
    """The spawners, behind those of instances."""
    made: dict[str, Spawner] = dict(build_context.placed["spawners"])
    scene = scene_so_far(build_context) if given else None
    if len(made) + len(given or {}) > limits.SPAWNERS:
        message = f"more than {limits.SPAWNERS} spawners; that is the limit"
        build_context.report.add(("spawners",), "limit", message)
        raise Stop
    for name, entry in (given or {}).items():
        problem = name_problem(name, "spawner")
        if name in made:
            problem = f"an instance has a spawner `{name}`; choose another name"
        if problem:
            build_context.report.add_invalid_name(("spawners", name), problem)
        if entry is BROKEN or scene is None:
            continue
        scope = build_context.scope("spawners", name)
        spawner = scope.attempt(_one, None, name, entry, build_context, scene, scope)
        if spawner is not None:
            made[name] = spawner
    return made


def _written(spawner: Spawner) -> dict[str, Any]:
    values = {**written_spawn(spawner.spawn), "every": spawner.every}
    if spawner.start:
        values["from"] = spawner.start
    if not math.isinf(spawner.until):
        values["until"] = spawner.until
    if spawner.most is not None:
        values["max"] = spawner.most
    if spawner.alive is not None:
        values["alive"] = spawner.alive
    if spawner.guard:
        values["if"] = f"={spawner.guard}"
    return values


def _hashed(spawner: Spawner) -> str:
    """The part of a spawner in the hash of a scene, newer fields only if set."""
    alive = "" if spawner.alive is None else f" alive {spawner.alive}"
    guard = f" if {spawner.guard}" if spawner.guard else ""
    return repr(spawner) + alive + guard


SPAWNERS = BlockSpec(
    dict[str, SpawnerInput] | None,
    _build,
    write=lambda scene: {name: _written(each) for name, each in scene.spawners.items()},
    hash_pieces=lambda scene: (_hashed(each).encode() for each in scene.spawners.values()),
)
