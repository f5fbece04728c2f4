# SPDX-License-Identifier: MIT
"""Texts and cameras of live pages are those of pictures."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import build
from rigid2d.core.live.live_page import camera_plan
from rigid2d.core.scene.values.text_template import written
from rigid2d.core.view.camera import Camera

from tests.scenes import ROOT, loaded
from tests.search import tries
from tests.web.engine import OLDEST, node, run_script

TRIES = tries(300, 20_000)
CAMERAS = ("camera_moves", "two_in_sight", "hill_climb", "terrain", "level", "landscape")
SPECIAL = (0.0, -0.0, 0.5, 1.5, 2.5, -0.125, 0.375, 1e16, 1e21, 123456789.0, float("inf"))


def spec_of(choose: random.Random) -> str:
    align = choose.choice(("", "", "", "<", ">", "^", "=", "*<", "0>", "_^"))
    sign, zero = choose.choice(("", "", "+", "-", " ")), choose.choice(("", "", "0"))
    width = choose.choice(("", "", str(choose.randint(1, 14))))
    group = "" if zero else choose.choice(("", "", ","))  # zeros are not grouped on pages
    precision = choose.choice(("", "", f".{choose.randint(0, 8)}"))
    return f"{align}{sign}{zero}{width}{group}{precision}{choose.choice('eEfFgG%')}"


def number(choose: random.Random) -> float:
    size = choose.choice((1e-7, 1e-3, 1.0, 100.0, 1e5, 1e9))
    return choose.choice((choose.uniform(-size, size), round(choose.uniform(-99, 99), 2)))


def test_texts_and_cameras_are_those_of_pictures(tmp_path: Path) -> None:
    if node() is None:
        pytest.skip(f"node {OLDEST} or a newer one is not installed")
    choose = random.Random(3)
    texts = [(number(choose), spec_of(choose)) for _ in range(TRIES)]
    texts += [(each, spec) for each in SPECIAL for spec in (".0f", ".1f", ".2f", "g", "d", ".3e")]
    cameras, wanted = [], []
    for name in CAMERAS:
        (path,) = (ROOT / "scenes").glob(f"*/{name}.yaml")
        case, views = filmed(path)
        cameras.append(case)
        wanted.append(views)
    cases = {"texts": [[repr(value).replace("inf", "Infinity"), spec] for value, spec in texts]}
    listed = tmp_path / "cases.json"
    listed.write_text(json.dumps(cases | {"cameras": cameras}))
    found = run_script("pictures.mjs", listed)
    assert [*zip(texts, found["texts"], strict=True)] == [(each, written(*each)) for each in texts]
    for case, there, here in zip(cameras, found["views"], wanted, strict=True):
        for one, other in zip(there, here, strict=True):
            assert one == pytest.approx(other, rel=1e-6, abs=1e-3), case["plan"]


def filmed(path: Path) -> tuple[dict[str, Any], list[list[float]]]:
    """Moments of a run with the views that a picture of it has."""
    world = build(loaded(path))
    scene, first = world.scene, world.frame()
    plan = camera_plan(scene, first, None)
    camera = Camera(scene, tuple(plan["size"]), first)
    moments, views = [], []
    for _ in range(40):
        world.step(max(1, scene.world.steps // 40))
        frame = world.frame()
        poses = [0.0, 0.0, 0.0, *frame.pose.reshape(-1).tolist()]
        moments.append([frame.time, poses, [1, *map(int, frame.alive)]])
        view = camera.view(frame)
        views.append([view.scale, view.shift_x, view.shift_y])
    return {"plan": plan, "moments": moments}, views
