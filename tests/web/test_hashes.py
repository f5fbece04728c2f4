# SPDX-License-Identifier: MIT
"""All scenes that pages run: the same bits in WebAssembly as natively."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rigid2d.core import build
from rigid2d.core.compiled import compile_scene, unfit
from rigid2d.core.compiled.script import is_scripted
from rigid2d.core.errors import SimulationError

from tests.scenes import ROOT, SCENES, loaded
from tests.search import EVERYTHING
from tests.web.engine import node_program, run_node

MOST = 100_000 if EVERYTHING else 80
"""Steps of each scene, at most."""
LEAST = 150
"""Scenes that pages run, at least."""


def test_hashes_are_the_native_ones(tmp_path: Path) -> None:
    node_program()
    cases, wanted, names = [], [], []
    for path in SCENES:
        scene = loaded(path)
        if unfit(scene):
            continue
        content = tmp_path / f"{len(cases)}.rigid"
        content.write_bytes(compile_scene(scene))
        world, steps = build(scene), min(scene.world.steps, MOST)
        state = tmp_path / f"{len(cases)}.state"
        try:
            world.step(steps // 2)
            if not is_scripted(scene):
                state.write_bytes(world.native.save())
            world.step(steps - steps // 2)
        except SimulationError:
            pass
        names.append(path.stem)
        cases.append([str(content), steps, steps // 2, str(state) if state.exists() else None])
        wanted.append((f"{world.state_hash():016x}", world.outcome, [*world.state.values()]))
    listed = tmp_path / "cases.json"
    listed.write_text(json.dumps(cases))
    found = run_node("hashes.mjs", listed)
    failed = {name: each for name, each in zip(names, found, strict=True) if "error" in each}
    assert failed == {}
    ends = [(each["hash"], each["outcome"], each["variables"]) for each in found]
    assert dict(zip(names, ends, strict=True)) == dict(zip(names, wanted, strict=True))
    restored = zip(names, found, strict=True)
    assert [name for name, each in restored if {*each["hashes"]} != {each["hash"]}] == []
    assert len(names) >= LEAST


@pytest.mark.parametrize("name", ["machines/ragdoll.yaml", "stacking/pyramid.yaml"])
def test_lanes_give_the_same_bits(name: str, tmp_path: Path) -> None:
    node_program()
    scene = loaded(ROOT / "scenes" / name)
    content, script = tmp_path / "scene.rigid", tmp_path / "lanes.mjs"
    content.write_bytes(compile_scene(scene))
    module = (ROOT / "core" / "web" / "rigid.js").as_uri()
    script.write_text(
        f"import {{load}} from {json.dumps(module)}; import {{readFileSync}} from 'node:fs';\n"
        f"const bytes = readFileSync({json.dumps(str(content))}); const found = [];\n"
        "for (const lanes of [1, 4]) { const world = await load(bytes, {lanes}); world.step(60);"
        " found.push(world.hash); }\nconsole.log(JSON.stringify(found));\n"
    )
    world = build(scene)
    world.step(60)
    assert run_node(script) == [f"{world.state_hash():016x}"] * 2
