# SPDX-License-Identifier: MIT
"""Blocks: one row of a list is all that checking, building, writing and hashing know of one."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from rigid2d.core.scene import given
from rigid2d.core.scene.blocks.scene import SceneInput
from rigid2d.core.scene.blocks.table import BLOCKS, COPIED
from rigid2d.core.scene.building.block import PLACED, Block, BlockSpec, in_order
from rigid2d.core.scene.expansion import expand
from rigid2d.core.scene.hashing import physics_hash
from rigid2d.core.scene.loading import loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

SCENE = """
rigid: 1
materials: {ice: {friction: 0}}
bodies:
  a: {shape: {circle: 1}, material: ice}
  b: {shape: {circle: 1}, position: [3, 0]}
joints: {rod: {type: distance, bodies: [a, b]}}
actuators: {wind: {type: force, body: a, force: [1, 0]}}
"""


def block(key: str, *needs: str) -> Block:
    return Block(key, "", lambda: BlockSpec(Any, lambda given, build_context: given), needs=needs)


def test_blocks_are_built_after_those_that_they_need() -> None:
    blocks = (block("a", "c"), block("b"), block("c", "b"), block("d"))
    assert [each.key for each in in_order(blocks)] == ["b", "c", "a", "d"]


@every_row("each", BLOCKS, ids=lambda each: each.key)
def test_a_block_becomes_a_field_of_the_scene_and_a_key_of_the_file(each: Block) -> None:
    assert each.key in SceneInput.model_fields
    used_up = ("defaults", "prototypes", "instances")  # bodies and the like are made of them
    assert each.key in Scene.__dataclass_fields__ or each.key in used_up
    assert all(need in SceneInput.model_fields for need in each.needs)


@every_row("each", BLOCKS, ids=lambda each: each.key)
def test_what_a_block_writes_is_in_the_expanded_scene(each: Block) -> None:
    scene = loads(SCENE)
    written = each.write(scene)
    assert (f"\n{each.key}:" in expand(scene)) == bool(written)


@every_row("each", [b for b in BLOCKS if not b.physical], ids=lambda each: each.key)
def test_a_block_on_which_no_motion_depends_has_no_part_in_the_hash(each: Block) -> None:
    scene = loads(SCENE)
    assert each.hash_parts(scene) == ()
    assert list(each.hash_pieces(scene)) == []


@pytest.mark.parametrize("key", ["bodies", "joints", "actuators"])
def test_the_hash_depends_on_each_entry_of_a_physical_block(key: str) -> None:
    scene = loads(SCENE)
    entries = dict(getattr(scene, key))
    entries.popitem()
    assert physics_hash(replace(scene, **{key: entries})) != scene.hash


IMPORTED = """
import sys
from rigid2d.core.scene.blocks.table import BLOCKS, COPIED
from rigid2d.core.scene.loading import loads
loads(sys.argv[1])
found = {block.key: block.load.args[0] for block in BLOCKS}
print(*(key for key, name in found.items() if f"rigid2d.core.scene.blocks.{name}" in sys.modules))
"""
ALWAYS = {"world", "materials", "bodies", "collision"}
BODY = "{shape: {circle: 1}}"


def imported_for(text: str) -> set[str]:
    """The blocks whose modules a process imports to read a scene."""
    scene = f"rigid: 1\nbodies: {{a: {BODY}}}\n{text}\n"
    command = [sys.executable, "-c", IMPORTED, scene]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_of_a_scene_of_bodies_no_other_block_is_imported() -> None:
    assert imported_for("") == ALWAYS


@pytest.mark.parametrize(("key", "value"), [("render", "{fps: 20}"), ("groups", "{all: [a]}")])
def test_a_block_is_imported_where_a_file_has_it(key: str, value: str) -> None:
    assert imported_for(f"{key}: {value}") == ALWAYS | {key}


def test_what_instances_consist_of_is_imported_with_them() -> None:
    scene = f"prototypes: {{p: {{bodies: {{b: {BODY}}}}}}}\ninstances: {{i: {{use: p}}}}"
    assert imported_for(scene) >= {"prototypes", "instances", "joints", "events", "particles"}


def test_what_is_not_written_becomes_what_its_block_makes_of_nothing(monkeypatch) -> None:
    scene = loads(SCENE)
    built = tuple(each._replace(always=True) for each in given._IN_ORDER)
    monkeypatch.setattr(given, "_IN_ORDER", built)
    assert loads(SCENE) == scene


def test_parts_of_instances_are_the_blocks_that_are_built_along_with_them() -> None:
    assert tuple(block.key for block in BLOCKS if block.along == COPIED) == PLACED


def test_scenes_made_from_a_scene_keep_the_hash_it_was_read_with() -> None:
    scene = loads(SCENE)
    fewer = replace(scene, bodies={})
    copied = pickle.loads(pickle.dumps(scene))
    assert fewer.hash == scene.hash == copied.hash == physics_hash(scene) != physics_hash(fewer)
