# SPDX-License-Identifier: MIT
"""The table of blocks, in the order of the reference, and the top-level keys beside them.

A block's module is imported when something of it is written, or asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from importlib import import_module
from typing import Annotated, Any, ClassVar

from pydantic import create_model

from .. import limits
from ..building.block import Block, BlockSpec
from ..text.sources import FORMAT_VERSION, wrong_version
from ..values.context import Context, Wrong
from ..values.fields import Input, Words, about
from ..values.kinds import Custom, ListOf, Text, nearest, show
from .variables import UnitsField, VarsField


def _check_version(value: Any, context: Context) -> Any:
    message = wrong_version(value)
    if message:
        raise Wrong("unsupported", message)
    return value


def _workings(module: str, name: str) -> BlockSpec:
    found: BlockSpec = getattr(import_module(f".{module}", __package__), name)
    return found


def _block(key: str, about: str, *, room: str, module: str = "", **facts: Any) -> Block:
    """A row: the block ``weather`` has its spec as ``WEATHER`` in ``weather.py`` of a room."""
    return Block(key, about, partial(_workings, f"{room}.{module or key}", key.upper()), **facts)


SETTABLE = ("world", "materials", "collision", "bodies", "instances", "joints", "actuators")
"""The blocks that are built before what sets their objects."""
ASKED = ("probes", "camera")
"""Names of expressions besides those of objects: probes and the camera."""
BEARING = ("controls", "inputs", "events", "spawners")
"""The blocks that may say that something is born."""
COPIED = ("prototypes", "instances")
"""Keys that add objects of other blocks."""

BLOCKS = (
    _block(
        "world",
        "Gravity, time step, duration, solver and the like.",
        room="world",
        example="{gravity: [0, -9.81], duration: 5}",
        of_run=True,
        always=True,
        physical=True,
        unseen=("steps", "seed", "on_error"),
    ),
    _block(
        "materials",
        "Materials by name.",
        room="bodies",
        example="{rubber: {friction: 1, restitution: 0.8}}",
        always=True,
        needs=("defaults",),
        named=True,
        physical=True,
        unseen=("color", "outline"),
    ),
    _block(
        "defaults",
        "Default values of materials, bodies and joints.",
        room="prototypes",
        example="{body: {color: tomato}}",
    ),
    _block(
        "collision",
        "Pairs of bodies that may touch, and the mixing of two materials.",
        room="bodies",
        example="{categories: [player, ghost], ignore: [[player, ghost]]}",
        always=True,
        needs=("bodies", "instances", "joints", "groups"),
        physical=True,
    ),
    _block(
        "bodies",
        "Bodies by name.",
        room="bodies",
        example="{ball: {shape: {circle: 0.5}, position: [0, 3]}}",
        always=True,
        needs=("world", "defaults", "materials"),
        named=True,
        repeated=True,
        physical=True,
        unseen=("tags", "points", "color", "outline", "z", "visible", "trail", "texture"),
    ),
    _block(
        "joints",
        "Joints by name.",
        room="joints",
        example="{hinge: {type: revolute, bodies: [world, door], anchor: [0, 2]}}",
        along=COPIED,
        needs=("defaults", "bodies", "instances"),
        named=True,
        repeated=True,
        physical=True,
        unseen=("visible",),
    ),
    _block(
        "actuators",
        "Forces on bodies, by name.",
        room="actuators",
        example="{jet: {type: thruster, body: ship, force: [0, 20]}}",
        along=COPIED,
        needs=("bodies", "joints", "instances", "groups"),
        named=True,
        repeated=True,
        physical=True,
        unseen=("visible",),
    ),
    _block(
        "prototypes",
        "Parts of a scene that instances are copies of, by name.",
        room="prototypes",
        example="{wheel: {vars: {r: 0.4}, bodies: {rim: {shape: {circle: =r}}}}}",
        along=("instances",),
        needs=("world", "defaults", "materials", "state"),
        named=True,
        physical=True,
    ),
    _block(
        "instances",
        "Copies of prototypes, by name.",
        room="prototypes",
        example="{front: {use: wheel, at: [1, 0.4]}}",
        needs=("bodies", "prototypes"),
        named=True,
        repeated=True,
    ),
    _block(
        "groups",
        "Sets of bodies, by name.",
        room="bodies",
        example="{tower: [brick, beam]}",
        independent=True,
        of_run=True,
        needs=("bodies", "instances"),
        named=True,
    ),
    _block(
        "animations",
        "Set-points over time.",
        room="settings",
        example="{wave: {type: loop, duration: 2, tracks: {arm.motor.position: "
        "[[0, 0], [0.5, 45], [1, 0]]}}}",
        independent=True,
        along=COPIED,
        needs=SETTABLE,
        named=True,
        physical=True,
    ),
    _block(
        "controls",
        "Actions of keys.",
        room="script",
        example="{up: jet}",
        independent=True,
        along=COPIED,
        needs=(*SETTABLE, "groups", "animations", "prototypes", "state", *ASKED),
        named=True,
        physical=True,
    ),
    _block(
        "state",
        "Variables of a run, and what they begin with.",
        room="script",
        example="{score: 0}",
        independent=True,
        of_run=True,
        named=True,
        physical=True,
    ),
    _block(
        "inputs",
        "The recorded player: when keys are held and bodies dragged.",
        room="script",
        example="[{key: up, from: 0.5, to: 1.2}]",
        independent=True,
        of_run=True,
        needs=(
            *SETTABLE,
            *("groups", "controls", "animations", "prototypes", "state", "spawners", "events"),
            *ASKED,
        ),
        physical=True,
    ),
    _block(
        "probes",
        "Rays, overlaps and velocities that expressions of the run read.",
        room="probes",
        example="{eye: {ray: [[0, 0], [5, 0]], frame: car}}",
        independent=True,
        of_run=True,
        needs=(*SETTABLE, "groups", "prototypes", "state", "camera"),
        named=True,
        repeated=True,
        physical=True,
    ),
    _block(
        "events",
        "Actions on events.",
        room="script",
        example="[{when: collision, tags: [ball, ground], do: [{add: {score: 1}}]}]",
        independent=True,
        along=COPIED,
        needs=(*SETTABLE, "prototypes", "groups", "state", "animations", *ASKED),
        grows=True,
        physical=True,
    ),
    _block(
        "spawners",
        "Prototypes that are put into the world again and again.",
        room="script",
        example="{rain: {use: drop, every: 0.1, at: [0, 9]}}",
        independent=True,
        along=COPIED,
        needs=(*SETTABLE, "groups", "prototypes", "state", *ASKED),
        named=True,
        physical=True,
    ),
    _block(
        "outcome",
        "When a run is won or lost, and so ends.",
        room="script",
        example="{win: =state.score >= 3}",
        independent=True,
        of_run=True,
        module="state",
        needs=(*SETTABLE, "groups", "state", *ASKED),
        physical=True,
    ),
    _block(
        "camera",
        "The part of the world that a picture shows.",
        room="picture",
        example="{mode: follow, target: ball}",
        unmoving=True,
        common=True,
        of_run=True,
        needs=("bodies", "instances", "groups", "render"),
    ),
    _block(
        "render",
        "How a picture looks.",
        room="picture",
        example="{size: [640, 360], overlays: [time]}",
        unmoving=True,
        common=True,
        of_run=True,
    ),
    _block(
        "layers",
        "Images behind and in front of the bodies.",
        room="picture",
        example="[{image: hills.png, parallax: 0.3}]",
        unmoving=True,
        common=True,
        of_run=True,
        needs=("world",),
        grows=True,
    ),
    _block(
        "minimap",
        "A small picture of all in a corner.",
        room="picture",
        example="{rect: [[-20, -5], [20, 15]]}",
        unmoving=True,
        common=True,
        of_run=True,
        needs=("bodies", "instances"),
        module="layers",
    ),
    _block(
        "particles",
        "Sparks and flames by name, which are drawn and change nothing.",
        room="picture",
        example="{flame: {while: jet, from: ship, rate: 200, life: 0.4, colors: [yellow, red]}}",
        unmoving=True,
        along=COPIED,
        needs=("world", "bodies", "instances", "joints", "actuators", "groups"),
        named=True,
    ),
    _block(
        "annotations",
        "Texts with values, vectors, dimensions and plots in the picture.",
        room="picture",
        example='[{text: "{ball.speed:.1f} m/s", follow: ball}]',
        unmoving=True,
        of_run=True,
        needs=("world", "bodies", "instances", "joints", "groups", *ASKED),
        grows=True,
    ),
    _block(
        "compare",
        "Several variants of the scene in one picture.",
        room="studies",
        unmoving=True,
        common=True,
        of_run=True,
    ),
    _block(
        "record",
        "The channels of a trace.",
        room="script",
        example="{channels: [ball]}",
        unmoving=True,
        common=True,
        of_run=True,
        needs=(
            "world",
            "bodies",
            "instances",
            "joints",
            "groups",
            "state",
            *ASKED,
            *BEARING,
        ),
    ),
    _block(
        "expect",
        "Checks during or after a run.",
        room="script",
        example="[{at: end, that: =ball.y > 0}]",
        unmoving=True,
        common=True,
        of_run=True,
        needs=(
            "world",
            "bodies",
            "instances",
            "joints",
            "groups",
            "state",
            *ASKED,
            *BEARING,
        ),
        grows=True,
    ),
    _block(
        "task",
        "Observations, actions and reward, for learners.",
        room="studies",
        unmoving=True,
        needs=(
            *SETTABLE,
            *("groups", "controls", "state", "inputs", "events", "spawners", "outcome", "camera"),
            "probes",
            "render",
            *("layers", "minimap", "particles", "annotations", "record", "expect"),
        ),
    ),
    _block(
        "study",
        "Many runs of the scene, each with other values; `rigid study` does them.",
        room="studies",
        needs=(
            "world",
            "bodies",
            "instances",
            "joints",
            "groups",
            "state",
            *ASKED,
            "expect",
        ),
    ),
)
"""All blocks but those that must be known before the others can be checked."""
BY_KEY = {block.key: block for block in BLOCKS}


def _included(value: Any, context: Context) -> Any:
    """A file name, or one with vars, which were put into the file when it was read."""
    if not isinstance(value, dict):
        if isinstance(value, str):
            return value
        raise Wrong(
            "wrong-type",
            f"must be a file name, or `{{file: part.yaml, vars: {{n: 3}}}}`, not {show(value)}",
        )
    for key in value:
        if key not in _INCLUDE_KEYS:
            message = f"unknown key {show(key)}; {nearest(key, _INCLUDE_KEYS)}"
            raise Wrong("unknown-key", message, (key,))
    if not isinstance(value.get("file"), str):
        raise Wrong("missing-key", "`file` is missing: `{file: part.yaml, vars: {n: 3}}`")
    if value.get("vars") is not None and not isinstance(value["vars"], dict):
        message = f"must be a mapping of vars and their values, not {show(value['vars'])}"
        raise Wrong("wrong-type", message, ("vars",))
    return value["file"]


_INCLUDE_KEYS = ("file", "vars")
_INCLUDED = Custom(
    _included,
    {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": {"file": {"type": "string"}, "vars": {"type": "object"}},
                "required": ["file"],
                "additionalProperties": False,
            },
        ]
    },
)


class Head(Input):
    """Keys beside the blocks; vars, units and include are read before all others."""

    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("gravity", "dt", "duration", "solver"), "it belongs in `world: {...}`"),
        **dict.fromkeys(("overlays", "size", "fps", "theme"), "it belongs in `render: {...}`"),
        "constraints": "they are `joints`",
        "forces": "they are `actuators`",
        "motors": "a joint has a `motor: {...}`; what turns a body by itself is one of `actuators`",
    }
    rigid: Annotated[Any, Custom(_check_version, {"const": FORMAT_VERSION})] = about(
        "The format's version, always 1."
    )  # the loader asks for it
    name: Annotated[str | None, Text("a text")] = about("A title, shown in the gallery.")
    description: Annotated[str | None, Text("a text")] = about("A description of the scene.")
    tags: Words = about("Words to find the scene by.")
    include: Annotated[Any, ListOf(_INCLUDED, "a list of files", 0, limits.INCLUDES)] = about(
        "Scene files that are merged first; definitions here win over theirs. `{file: ..., vars: "
        "{...}}` gives values to vars of a file."
    )
    units: UnitsField = about("si (default), screen, or the long form.")
    vars: VarsField = about("Numbers with names, for expressions; `--set vars.n=7` overrides one.")


KEYS = (*Head.model_fields, *BY_KEY)
"""The keys of a file's top level."""
NAMED = ("vars", *(block.key for block in BLOCKS if block.named))
"""The sections whose entries have names that others refer to."""
REPEATED = tuple(block.key for block in BLOCKS if block.repeated)
"""The sections whose entries may be generators."""
GROWING = tuple(block.key for block in BLOCKS if block.grows)
"""The lists that grow when files are merged; everything else is replaced."""
OF_RUN = tuple(block.key for block in BLOCKS if block.of_run)
"""The keys of a prototype's file for a run of its own; a scene that uses it drops these."""


def model_with(name: str, blocks: Iterable[Block]) -> type[Head]:
    """The model of a file that has these blocks."""
    fields = {block.key: (block.spec.given, about(block.about)) for block in blocks}
    made: type[Head] = create_model(name, __base__=Head, **fields)  # type: ignore[call-overload]
    return made


_FIRST: list[type[Head]] = []


def model_of(keys: Iterable[str]) -> type[Head]:
    """The model of a file with these keys at its top.

    To import and prepare all blocks takes longer than to read a small scene; so that of the first
    file that is read knows the blocks of that alone, and serves those that have no others.
    """
    own = dict.fromkeys(keys)
    if all(key in KEYS for key in own):
        if not _FIRST:
            model = model_with("FirstSceneInput", (each for each in BLOCKS if each.key in own))
            for block in BLOCKS:
                if block.key not in own:
                    setattr(model, block.key, None)
            _FIRST.append(model)
        if own.keys() <= _FIRST[0].model_fields.keys():
            return _FIRST[0]
    return whole_model()


@cache
def whole_model() -> type[Head]:
    """The model of a file that may have all blocks."""
    return model_with("SceneInput", BLOCKS)
