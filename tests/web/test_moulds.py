# SPDX-License-Identifier: MIT
"""Pieces on live pages have the looks of the pieces in pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from zlib import crc32

import pytest
from rigid2d.core import build
from rigid2d.core.compiled.script import program_for_pages
from rigid2d.core.live.moulds import moulds_of
from rigid2d.core.render.canvas.theme import THEMES, shape_looks
from rigid2d.core.world.script.program import ScriptProgram

from tests.scenes import ROOT, loaded

SECONDS = 4.0


@pytest.mark.parametrize(
    "name", ["living/shatter", "figures/six_destroyed", "tutorial/08_spawners", "games/asteroids"]
)
def test_pieces_have_the_looks_of_their_moulds(name: str) -> None:
    scene = loaded(ROOT / "scenes" / f"{name}.yaml")
    program = program_for_pages(scene)
    assert isinstance(program, ScriptProgram)
    moulds = moulds_of(scene, program)
    assert moulds.pieces
    assert moulds.mixed == []
    world = build(scene)
    world.step(round(SECONDS / scene.world.dt))
    bodies = {**scene.bodies, **world.roster.bodies}
    pieces = {each: body for each, body in bodies.items() if re.search(r"\.\d+$", each)}
    if name != "games/asteroids":  # in which nothing breaks unless it is played
        assert pieces
    rows = [*moulds.scene.bodies.values()]
    for theme in THEMES.values():
        looks = shape_looks(moulds.scene, theme, scene.bodies)
        for piece, body in pieces.items():
            root = re.sub(r"(\.\d+)+$", "", piece)
            own = [each for each in moulds.pieces if each.get("name") == root]
            born = [
                each
                for each in moulds.pieces
                if re.fullmatch(rf"{each.get('spawn')}\[\d+\]\.{each.get('part')}", root)
            ]
            (mould,) = own or born
            row = mould["row"] + crc32(root.encode()) % mould["copies"]
            with_piece = scene.bodies | {piece: body}
            drawn = shape_looks(replace(scene, bodies=with_piece), theme, scene.bodies)
            assert {*drawn[-1]} == {*looks[row]}, piece
            assert (rows[row].texture is None) == (body.texture is None)
            assert (rows[row].z, rows[row].visible) == (body.z, body.visible)
