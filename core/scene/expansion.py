# SPDX-License-Identifier: MIT
"""Writes a scene back as YAML: fully expanded, every number exact, angles in radians.

Expressions, generators, includes and defaults are resolved; the result has the same physics, so it
loads to a scene with the same hash. Fields that have their default are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

from ..arguments import checked, one_of
from ..errors import UsageError
from .births_model import births_of
from .blocks.table import BLOCKS
from .building.block import Block
from .model import Scene
from .text.flow import flow
from .values.names import written_tags


@checked(scene=one_of(Scene))
def expand(scene: Scene) -> str:
    """YAML text of the scene without anything left to evaluate.

    Raises UsageError where a prototype has vars that are worked out while the scene runs.
    """
    return text_of(scene, blocks_of(scene))


def blocks_of(scene: Scene) -> dict[str, Any]:
    """The values of all blocks, as a scene file has them. Raises UsageError as ``expand`` does."""
    for spawn in births_of(scene):
        if spawn.vars:
            raise UsageError(
                f"what is born as `{spawn.name}` has vars that are worked out while the scene runs "
                f"({', '.join(spawn.vars)}); such a scene cannot be written out"
            )
    blocks = {block.key: block.write(scene) for block in BLOCKS}
    known = {*written_tags(blocks)}
    unborn = [tag for tag in scene.body_tags if tag not in known]
    if unborn:
        blocks["prototypes"] = {**blocks["prototypes"], **_bearer(unborn, scene)}
    return blocks


def _bearer(tags: Sequence[str], scene: Scene) -> dict[str, Any]:
    """A prototype that is never born, so that expressions may name tags that no body has yet.

    The scene has them from prototypes that nothing spawns and from bodies repeated no times.
    """
    taken = {*scene.prototypes, *scene.bodies}
    name = next(
        name for name in chain(["unborn"], map("unborn_{}".format, count(2))) if name not in taken
    )
    return {name: {"bodies": {"bearer": {"shape": {"circle": 1.0}, "tags": [*tags]}}}}


def text_of(scene: Scene, blocks: Mapping[str, Any]) -> str:
    """The YAML text of a scene with these values in its blocks."""
    return "\n".join(_lines(scene, blocks)) + "\n"


def physics(scene: Scene) -> dict[str, Any]:
    """The blocks that say how bodies move, as a scene file has them."""
    return {
        "units": _units(scene),
        **{block.key: block.write(scene) for block in BLOCKS if block.physical},
    }


def _units(scene: Scene) -> dict[str, str]:
    units = scene.units
    return {"length": units.length, "time": units.time, "angle": "rad", "y": units.y}


def _lines(scene: Scene, blocks: Mapping[str, Any]) -> Iterator[str]:
    yield "rigid: 1"
    yield f"name: {flow(scene.name)}"
    if scene.description:
        yield f"description: {flow(scene.description)}"
    if scene.tags:
        yield f"tags: {flow(scene.tags)}"
    if scene.vars:
        yield f"vars: {flow(_vars(scene))}"
    yield f"units: {flow(_units(scene))}"
    for block in BLOCKS:
        yield from _block(block, blocks.get(block.key))


def _vars(scene: Scene) -> dict[str, Any]:
    return {
        name: {"value": value, "range": scene.ranges[name]} if name in scene.ranges else value
        for name, value in scene.vars.items()
    }


def _block(block: Block, value: Any) -> Iterator[str]:
    """The lines of one block: entries by name and lists have a line for each."""
    if not value:
        return
    if block.named or isinstance(value, list):
        yield f"{block.key}:"
        if isinstance(value, list):
            yield from (f"  - {flow(entry)}" for entry in value)
        else:
            yield from (f"  {name}: {flow(fields)}" for name, fields in value.items())
        return
    yield f"{block.key}: {flow(value)}"
