# SPDX-License-Identifier: MIT
"""A running world as bytes: ``World.save`` and ``World.restore``.

The bytes are a line with their format, a header as JSON in one line, the engine's own state,
and the SHA-256 of all these. The header contains the data that the engine does not have: the scene,
and settings by name during the run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeVar

from .. import _native
from ..errors import SceneError, UsageError
from ..scene.blocks.joints.types import JOINT_TYPES
from ..scene.blocks.settings.joint_settings import SPRING
from ..scene.hashing import physics_hash
from ..scene.model import Scene, Spring
from .building.engines import as_textbook
from .events import take_events
from .failures import warnings_of
from .naming.actuators import Actuators
from .naming.parts import MotorState, WorldParts
from .naming.registry import Registry
from .saved import (
    POINT,
    UnfitError,
    anything,
    fixed,
    flag,
    known,
    need,
    number,
    optional,
    parsed,
    record,
    table,
    text,
    whole,
)
from .saved import limit as any_number

AnyWorld = TypeVar("AnyWorld", bound=WorldParts)

MAGIC = b"rigid state 9\n"
_FAMILY = b"rigid state "
_DIGEST = 32
_HEADER = record(
    scene=text,
    step=whole(),
    motors=table(fixed(number, any_number, flag)),
    targets=table(POINT),
    springs=table(fixed(*(optional(number) for _ in SPRING))),
    lengths=table(fixed(number, any_number)),
    actuators=Actuators.SAVED,
    script=anything,
    added=Registry.SAVED,
)


def pack(world: WorldParts) -> bytes:
    """The world's whole state as bytes; equal states give equal bytes."""
    header = {
        "scene": world.physics_hash,
        "step": world.step_count,
        "motors": {
            name: [state.target, state.strength, state.enabled]
            for name, state in sorted(world.motors.items())
        },
        "targets": dict(sorted(world.targets.items())),
        "springs": {
            name: [getattr(spring, each) for each in SPRING]
            for name, spring in sorted(world.springs.items())
        },
        "lengths": dict(sorted(world.lengths.items())),
        "actuators": world.actuators.save(),
        "script": None if world.script is None else world.script.save(),
        "added": world.roster.save(world.actuators.definitions),
    }
    line = json.dumps(header, sort_keys=True).encode() + b"\n"
    body = MAGIC + line + world.native.save()
    return body + sha256(body).digest()


def step_of(state: bytes) -> int:
    """The step of a saved state. Raises UsageError for other bytes."""
    step: int = _open(state)[0]["step"]
    return step


def check_state(state: bytes, scene: Scene) -> None:
    """Raise UsageError for bytes that are no state, damaged, or of another scene."""
    _refuse_other(_open(state)[0], physics_hash(scene), scene)


def unpack(world: WorldParts, state: bytes) -> None:
    """Restore a saved state of a world.

    The state is read into separate parts, each checked with the scene and with
    the engine's state; only then does the world take them.

    Raises:
        UsageError: when the bytes are not a state, are damaged, or are of another scene, or when
            no world of the scene saves their content; the world is then unchanged.
    """
    header, native = _open(state)
    _refuse_other(header, world.physics_hash, world.scene)
    kept, before = dict(vars(world)), world.native.save()
    try:
        world.native.restore(native)
        _take_over(world, header)
    except BaseException as error:
        vars(world).clear()
        vars(world).update(kept)
        world.native.restore(before)
        if isinstance(error, UnfitError):
            raise UsageError(
                f"the state is not what a world of this scene saves: {error}"
            ) from None
        if isinstance(error, (ValueError, SceneError, UsageError)):
            raise UsageError(str(error)) from None
        raise


def _take_over(world: WorldParts, header: Mapping[str, Any]) -> None:
    """Restore the header's parts of a world with a restored engine. Raises UnfitError."""
    world.added_handles = {}
    native = world.native
    need(header["step"] == native.step_count, "step", "is not the engine's")
    added = header["added"]
    roster = world.roster.restored(added)
    actuators = roster.actuators(added)
    roster.check(native, actuators)
    _check_told(native, roster)
    world.roster = roster
    world.told, world.warned, world.came, world.gone = [], [], [], {}
    world.removals = native.removals
    world.motors = _motors_of(header["motors"], roster)
    world.targets = _targets_of(header["targets"], roster)
    world.springs = _springs_of(header["springs"], roster)
    world.lengths = _lengths_of(header["lengths"], roster)
    world.actuators = world.actuators.restored(actuators, header["actuators"])
    for name, actuator in actuators.items():
        for _, slot in world.actuators.parts(name) if actuator.tags else ():
            there = slot < roster.kept or slot in roster.born
            need(there, f"actuators.{name}", "is on a body that is not there")
            roster.hold([(name, roster.body_name(slot))])
    world.view = world.view.fork(world)
    if world.script is None:
        need(header["script"] is None, "script", "the scene has none")
    else:
        world.script = world.script.restored(header["script"])


def _check_told(native: _native.World, roster: Registry) -> None:
    """Raise UnfitError if the engine has something without a name."""
    if as_textbook(native) is not None:  # which has checked that itself
        return
    apart = native.fork()
    try:
        if native.error is not None:
            roster.body_name(native.error[1])
        take_events(apart, roster)
        warnings_of(apart, roster)
    except KeyError:
        raise UnfitError("events: one is about a body or a joint that is not there") from None


def _motors_of(saved: Mapping[str, Any], roster: Registry) -> dict[str, MotorState]:
    known(saved, roster.joints, "motors", "joint")
    for name, (_, strength, _) in saved.items():
        need(roster.joints[name].motor is not None, f"motors.{name}", "the joint has no motor")
        need(strength >= 0.0, f"motors.{name}", "the strength must not be negative")
    return {name: MotorState(*values) for name, values in saved.items()}


def _targets_of(saved: Mapping[str, Any], roster: Registry) -> dict[str, tuple[float, float]]:
    known(saved, roster.joints, "targets", "joint")
    for name in saved:
        need(
            JOINT_TYPES[roster.joints[name].kind].has("target"),
            f"targets.{name}",
            "the joint is no mouse",
        )
    return {joint: (x, y) for joint, (x, y) in saved.items()}


def _springs_of(saved: Mapping[str, Any], roster: Registry) -> dict[str, Spring]:
    known(saved, roster.joints, "springs", "joint")
    for name in saved:
        has = roster.joints[name].spring is not None
        need(has, f"springs.{name}", "the joint has no spring")
    return {name: Spring(*numbers) for name, numbers in saved.items()}


def _lengths_of(saved: Mapping[str, Any], roster: Registry) -> dict[str, tuple[float, float]]:
    known(saved, roster.joints, "lengths", "joint")
    for name in saved:
        has = JOINT_TYPES[roster.joints[name].kind].has("min_length")
        need(has, f"lengths.{name}", "the joint has no lengths")
    return {name: (shortest, longest) for name, (shortest, longest) in saved.items()}


def _refuse_other(header: dict[str, Any], wanted: str, scene: Scene) -> None:
    if header["scene"] != wanted:
        raise UsageError(
            f"the state is not of this scene, or of another version of it ({scene.path})"
        )


def _open(state: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the engine's state of bytes that are whole."""
    if not state.startswith(_FAMILY):
        raise UsageError("these are not the bytes of a saved world")
    if not state.startswith(MAGIC):
        raise UsageError("the state was saved by another version of rigid")
    body, digest = state[:-_DIGEST], state[-_DIGEST:]
    if sha256(body).digest() != digest:
        raise UsageError("the state is damaged: it is not what was saved")
    line, _, native = body[len(MAGIC) :].partition(b"\n")
    try:
        header = parsed(line)
        _HEADER(header, "header")
    except UnfitError as error:
        raise UsageError(f"the state is not what a world saves: {error}") from None
    return header, native


def twin(world: AnyWorld, native: _native.World) -> AnyWorld:
    """A copy of a world around an engine forked from its engine."""
    other = object.__new__(type(world))
    vars(other).update(vars(world))
    other.native = native
    other.actuators = world.actuators.fork(native)
    other.roster = world.roster.fork()
    other.handles, other.added_handles = {}, {}
    other.motors, other.targets = dict(world.motors), dict(world.targets)
    other.springs, other.lengths = dict(world.springs), dict(world.lengths)
    other.told, other.warned = [*world.told], [*world.warned]
    other.came, other.gone = [*world.came], dict(world.gone)
    other.removals = native.removals
    other.probes, other.view = world.probes.fork(other), world.view.fork(other)
    if world.script is not None:
        other.script = world.script.fork(other)
    return other
