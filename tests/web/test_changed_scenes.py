# SPDX-License-Identifier: MIT
"""Compiled scenes that were changed, in WebAssembly: refused in words or run, never a trap."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from rigid2d.cli.paths import load as cli_load
from rigid2d.core import build
from rigid2d.core.compiled import compile_scene, pack, unfit, unpack
from rigid2d.core.errors import SceneError, UsageError

from tests.robustness.fuzzers.compiled_scenes import changed, changed_scene, sections_of
from tests.scenes import ROOT, loaded
from tests.web.engine import node_program, run_node

CASES = 60


def test_changed_scenes_end_in_words(tmp_path: Path) -> None:
    node_program()
    files = []
    for seed in range(CASES):
        content = changed(changed_scene(random.Random(seed)))
        assert content is not None
        path = tmp_path / f"{seed}.rigid"
        path.write_bytes(content)
        files.append(str(path))
    listed = tmp_path / "cases.json"
    listed.write_text(json.dumps(files))
    found = run_node("mutations.mjs", listed)
    assert found["taken"] + found["refused"] == CASES
    assert min(found.values()) > 0


def test_a_container_is_read_as_it_was_packed() -> None:
    sections = sections_of("lively")
    content = pack(sections)
    assert unpack(content) == sections
    assert pack(sections_of("lively")) == content


def test_a_compiled_scene_runs_as_the_scene_does(tmp_path: Path) -> None:
    scene, file = loaded(ROOT / "scenes" / "games" / "pong.yaml"), tmp_path / "pong.rigid"
    file.write_bytes(compile_scene(scene, with_text=True))
    again = cli_load(str(file))
    one, other = build(scene), build(again)
    for world in (one, other):
        world.step(150)
    assert one.state_hash() == other.state_hash()
    file.write_bytes(compile_scene(scene))
    with pytest.raises(SceneError, match="no text of its scene"):
        cli_load(str(file))


def test_parts_that_only_python_runs_are_named() -> None:
    (path,) = (ROOT / "scenes").glob("*/in_sight.yaml")
    assert unfit(loaded(path)) == ["expressions read a camera that moves"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda b: b[:-1], "not what was written"),
        (lambda b: b[:10], "no compiled scene"),
        (lambda b: b"rigid compiled 9" + b[16:], "another version"),
        (lambda b: b[:50] + bytes([b[50] ^ 1]) + b[51:], "not what was written"),
        (lambda b: b"", "no compiled scene"),
    ],
)
def test_other_bytes_are_refused(change, said) -> None:
    with pytest.raises(UsageError, match=said):
        unpack(change(pack(sections_of("lively"))), "scene.rigid")
