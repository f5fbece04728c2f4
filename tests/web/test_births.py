# SPDX-License-Identifier: MIT
"""What is born in WebAssembly has the names and the places that it has natively."""

from __future__ import annotations

import json
import re
from pathlib import Path

from rigid2d.core import build
from rigid2d.core.compiled import compile_scene
from rigid2d.core.world.world import World

from tests.scenes import ROOT, loaded
from tests.web.engine import node_program, run_node

NAMES = (
    *("living/asteroids", "living/sparkler", "living/geyser", "figures/inserted_items"),
    *("living/shatter", "figures/six_destroyed", "tutorial/08_spawners"),
)
STEPS = 400


def there(world: World) -> list[str]:
    """The names of the bodies that are there, in the order of letters."""
    ids = world.roster.ids
    return sorted(name for name in world.bodies if world.native.has_body(ids[name]))


def outlines_of(world: World) -> dict[str, list[list[float]]]:
    """The outlines of the pieces that are there, as lists of x and y."""
    pieces = [name for name in there(world) if re.search(r"\.\d+$", name)]
    shapes = {name: world.roster.bodies[name].shapes for name in pieces}
    return {
        name: [[each for point in shape.points for each in point] for shape in own]
        for name, own in shapes.items()
    }


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
        then, outlines = there(world), outlines_of(world)
        world.step(STEPS - STEPS // 2)
        names = there(world)
        assert sorted(each["then"]) == sorted(each["again"]) == then, path
        assert sorted(each["ends"]) == sorted(each["after"]) == names, path
        assert sorted(each["births"]) == sorted({*names} - {*loaded(path).bodies}), path
        assert {name: polygons for name, _, polygons in each["pieces"]} == outlines, path
        assert each["hash"] == f"{world.state_hash():016x}", path
