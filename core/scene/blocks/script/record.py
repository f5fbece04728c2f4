# SPDX-License-Identifier: MIT
"""The block ``record``: the channels of a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec
from ...building.scope import Scope
from ...model import Record, Scene
from ...text.problems import Report
from ...values.broken import BROKEN, Stop
from ...values.expression import split_state, state_problem
from ...values.fields import Input, Value, Words, about
from ...values.names import wholes
from ...values.quantity import Quantity
from ...values.state_words import STATE


class RecordInput(Input):
    form: ClassVar[str] = "`{channels: [ball.x, ball.y]}`"
    every: Annotated[Value, Quantity(low=1, high=limits.STEPS, whole=True)] = about(
        "Keep each n-th step (default 1)."
    )
    channels: Words = about(
        "The channels to keep: bodies, joints or single quantities (default: all bodies)."
    )


def build_record(given: RecordInput | None, scene: Scene, scope: Scope) -> Record:
    """The ``record`` block; the name of a generator selects all its objects."""
    if given is None:
        return Record()
    every = scope.known(given.every, "every")
    channels: dict[str, None] | None = None
    if given.channels is not None:
        channels, count = {}, 0
        made = {**wholes((*scene.bodies, *scene.joints, *scene.probes)), **scene.groups}
        first = {channel: i for i, channel in reversed([*enumerate(given.channels)])}
        for channel, i in reversed(first.items()):
            named: list[str] = scope.attempt(_channel, [], channel, made, scene, scope, i)
            channels |= dict.fromkeys(named)
            count += len(named)
            if count > limits.CHANNELS:
                message = f"more than {limits.CHANNELS} channels; that is the limit"
                scope.fail("limit", message, "channels", i)
                break
    return Record(
        every=1 if every is None or every is BROKEN else int(every),
        channels=None if channels is None else tuple(channels),
    )


def _channel(
    channel: str, made: Mapping[str, Sequence[str]], scene: Scene, scope: Scope, i: int
) -> list[str]:
    objects = (scene.bodies, scene.joints, scene.probes)
    if channel == "world" or any(channel in each for each in objects):
        return [channel]
    if channel == STATE and scene.state:
        return [channel]
    if channel == "solver" and not state_problem("solver.residual", scene):
        return [channel]
    owner, rest = (channel, "") if channel in made else split_state(channel, scene)
    dot = "." if rest else ""
    channels = [f"{name}{dot}{rest}" for name in made[owner]] if owner in made else [channel]
    if not dot and owner in made:
        return channels
    found = ((each, _problem(each, scene)) for each in channels)
    channel, problem = next((each for each in found if each[1]), (channel, ""))
    if not problem:
        return channels
    there = any(owner in each for each in objects) or owner in ("world", STATE)
    if not there and may_be(owner, scope.report, "bodies", "joints", "probes"):
        raise Stop
    raise scope.fail("unknown-name", problem, "channels", i, missing="" if there else owner)


def _problem(channel: str, scene: Scene) -> str:
    """Return why a channel is invalid; empty for a quantity, and for a point with its channels."""
    body, dot, point = channel.rpartition(".points.")
    if dot and body in scene.bodies and point in scene.bodies[body].points:
        return ""
    return state_problem(channel, scene, or_var=False)


def may_be(owner: str, report: Report, *sections: str) -> bool:
    """Whether an unknown object may be one of the unreadable ones."""
    return any(report.may_have(section, owner) for section in sections)


def _write(scene: Scene) -> dict[str, Any]:
    values: dict[str, Any] = {"every": scene.record.every}
    if scene.record.channels is not None:
        values["channels"] = scene.record.channels
    return values


RECORD = BlockSpec(
    RecordInput | None,
    lambda given, build_context: build_record(
        given, build_context.scene, build_context.scope("record")
    ),
    write=_write,
)
