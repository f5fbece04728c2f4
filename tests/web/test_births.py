# SPDX-License-Identifier: MIT
"""What is born in WebAssembly has the names and the places that it has natively."""

from __future__ import annotations

import json
from pathlib import Path

from rigid2d.core import build
from rigid2d.core.compiled import compile_scene

from tests.scenes import ROOT, loaded
from tests.web.engine import node_program, run_node

NAMES = ("living/asteroids", "living/sparkler", "living/geyser", "figures/inserted_items")
STEPS = 400


def test_what_is_born_has_its_native_name(tmp_path: Path) -> None:
    node_program()
    paths = [ROOT / "scenes" / f"{name}.yaml" for name in NAMES]
    cases = []
    for number, path in enumerate(paths):
        content = tmp_path / f"{number}.rigid"
        content.write_bytes(compile_scene(loaded(path)))
        cases.append([str(content), STEPS, STEPS // 2])
    listed = tmp_path / "cases.json"
    listed.write_text(json.dumps(cases))
    for path, each in zip(paths, run_node("births.mjs", listed), strict=True):
        world = build(loaded(path))
        world.step(STEPS // 2)
        then = sorted(world.bodies)
        world.step(STEPS - STEPS // 2)
        names = sorted(world.bodies)
        assert sorted(each["then"]) == sorted(each["again"]) == then, path
        assert sorted(each["ends"]) == sorted(each["after"]) == names, path
        assert sorted(each["births"]) == sorted({*names} - {*loaded(path).bodies}), path
        assert each["hash"] == f"{world.state_hash():016x}", path
