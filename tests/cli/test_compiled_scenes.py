# SPDX-License-Identifier: MIT
"""Compiled scenes are read where scene files are, by the command and by ``load``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import World, load
from rigid2d.core.compiled import compile_scene
from rigid2d.core.errors import SceneError

SCENE = """
rigid: 1
vars: {power: {value: 2, range: [0, 9]}}
bodies: {ball: {shape: {circle: 0.5}, velocity: [=power, 0]}}
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    given, compiled = tmp_path / "scene.yaml", tmp_path / "scene.rigid"
    given.write_text(SCENE, encoding="utf-8")
    compiled.write_bytes(compile_scene(load(given), with_text=True))
    return given, compiled


def test_a_compiled_scene_is_loaded_with_the_same_bits(files: tuple[Path, Path]) -> None:
    hashes = set()
    for file in files:
        world = World(load(file, ["world.gravity=[0, -5]"]))
        world.step(30)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


def test_vars_of_a_compiled_scene_are_not_set_in_silence(files: tuple[Path, Path]) -> None:
    with pytest.raises(SceneError, match=r"vars\.power: the vars of a compiled scene have been"):
        load(files[1], ["vars.power=3"])


def test_a_damaged_compiled_scene_is_named(files: tuple[Path, Path]) -> None:
    files[1].write_bytes(files[1].read_bytes()[:900])
    with pytest.raises(SceneError, match=r"scene\.rigid: the compiled scene is damaged"):
        load(files[1])


@pytest.mark.parametrize("verb", ["test", "gallery"])
def test_a_folder_of_compiled_scenes_names_one(
    rigid: Any, files: tuple[Path, Path], verb: str
) -> None:
    files[0].unlink()
    result = rigid(verb, files[0].parent)
    assert result.code == 2, result.err
    assert "compiled scenes are named one by one, such as" in result.out + result.err
    assert "scene.rigid" in result.out + result.err
