# SPDX-License-Identifier: MIT
"""The npm package where others use it: bundled, and where the module comes late."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from rigid2d.core import build, load
from rigid2d.core.compiled import compile_scene

from tests.web.engine import WEB, node_program, run_script

BOXES = WEB / "npm" / "examples" / "boxes.yaml"
LATE = """\
import rigid from "./rigid.js";
import {readFileSync, renameSync} from "node:fs";
const bytes = readFileSync("FOLDER/boxes.rigid"), said = [];
await rigid.load(bytes).catch((error) => said.push(error.code));
renameSync("FOLDER/later.wasm", "FOLDER/librigid.wasm");
const world = await rigid.load(bytes);
console.log(JSON.stringify([...said, world.step(20).hash]));
"""


def test_bundlers_find_the_module_and_look_for_nothing_of_node() -> None:
    text = (WEB / "rigid.js").read_text(encoding="utf-8")
    assert 'new URL("librigid.wasm", import.meta.url)' in text  # what Vite and webpack look for
    assert not re.search(r"""(import|from)\s*\(?\s*["']node:""", text)  # which ends esbuild


def test_a_module_that_could_not_be_read_is_read_by_the_next_scene(tmp_path: Path) -> None:
    node_program()
    for name in ("rigid.js", "births.js", "player.js", "exact.js"):
        shutil.copy(WEB / name, tmp_path)
    shutil.copy(WEB / "librigid.wasm", tmp_path / "later.wasm")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "boxes.rigid").write_bytes(compile_scene(load(BOXES)))
    script = tmp_path / "late.mjs"
    script.write_text(LATE.replace("FOLDER", tmp_path.as_posix()), encoding="utf-8")
    world = build(load(BOXES))
    world.step(20)
    assert run_script(script) == ["ENOENT", f"{world.state_hash():016x}"]


def test_all_members_of_a_world_have_types() -> None:
    text = (WEB / "rigid.js").read_text(encoding="utf-8")
    world = text[text.index("export class World") : text.index("export class Grab")]
    members = re.findall(r"^  (?:get )?([a-z]\w*)\(.*\) {", world, flags=re.MULTILINE)
    types = (WEB / "npm" / "rigid.d.ts").read_text(encoding="utf-8")
    declared = types[types.index("export class World") : types.index("export class Grab")]
    assert len(members) > 30
    assert [each for each in members if not re.search(rf"\b{each}\??[:(]", declared)] == [
        "constructor"
    ]
