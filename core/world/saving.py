# SPDX-License-Identifier: MIT
"""A running world as bytes: what ``World.save`` gives and ``World.restore`` takes.

The bytes are a line that says what they are, a header as JSON in one line, the engine's own state,
and the SHA-256 of all that. The header holds what the engine does not know: which scene it is, and
what was set by name while it ran.
"""

from __future__ import annotations

import json
from copy import copy
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from .. import _native
from ..errors import UsageError
from ..scene.hashing import physics_hash
from ..scene.model import Scene
from .handles import MotorState

if TYPE_CHECKING:
    from .world import World

MAGIC = b"rigid state 7\n"
_FAMILY = b"rigid state "
_DIGEST = 32


def pack(world: World) -> bytes:
    """The world's whole state; the same bytes for the same state."""
    header = {
        "scene": world.physics_hash,
        "step": world.step_count,
        "motors": {
            name: [state.target, state.strength, state.enabled]
            for name, state in sorted(world.motors.items())
        },
        "targets": dict(sorted(world.targets.items())),
        "actuators": world.actuators.save(),
        "script": None if world.script is None else world.script.save(),
        "added": world.roster.save(world.actuators.definitions),
    }
    text = json.dumps(header, sort_keys=True).encode() + b"\n"
    body = MAGIC + text + world.native.save()
    return body + sha256(body).digest()


def step_of(state: bytes) -> int:
    """After how many steps a state was saved. Raises UsageError where it is none."""
    step: int = _open(state)[0]["step"]
    return step


def check_state(state: bytes, scene: Scene) -> None:
    """Raise UsageError for bytes that are no state, are damaged, or are of another scene."""
    _refuse_other(_open(state)[0], physics_hash(scene), scene)


def unpack(world: World, state: bytes) -> None:
    """Bring a world into a saved state.

    Raises:
        UsageError: when the bytes are none, are damaged, or are of another scene; the world is
            then as it was.
    """
    header, native = _open(state)
    _refuse_other(header, world.physics_hash, world.scene)
    if world.script is not None:
        world.script.copies.check(header["script"]["copies"])
    try:
        roster = world.roster.restored(header["added"])
        actuators = world.roster.actuators(header["added"])
        world.native.restore(native)
    except ValueError as error:
        raise UsageError(str(error)) from None
    world.roster = roster
    world.told, world.warned, world.came, world.gone = [], [], [], {}
    world.removals = world.native.removals
    world.motors = {name: MotorState(*values) for name, values in header["motors"].items()}
    world.targets = {joint: (x, y) for joint, (x, y) in header["targets"].items()}
    world.actuators.restore(actuators, header["actuators"])
    if world.script is not None:
        world.script.restore(header["script"])


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
    text, _, native = body[len(MAGIC) :].partition(b"\n")
    return json.loads(text), native


def twin(world: World, native: _native.World) -> World:
    """A world like this one around an engine that was made from its engine."""
    other = copy(world)
    other.native = native
    other.actuators = world.actuators.fork(native)
    other.roster = world.roster.fork()
    other.motors, other.targets = dict(world.motors), dict(world.targets)
    other.told, other.warned = [*world.told], [*world.warned]
    other.came, other.gone = [*world.came], dict(world.gone)
    other.removals = native.removals
    if world.script is not None:
        other.script = world.script.fork(other)
    return other
