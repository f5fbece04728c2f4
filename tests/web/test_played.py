# SPDX-License-Identifier: MIT
"""What is played in WebAssembly, at random, replays natively to the same hash."""

from __future__ import annotations

import json
from pathlib import Path

from rigid2d.core import build, load
from rigid2d.core.compiled import compile_scene, unfit
from rigid2d.core.live.live_page import own_settings
from rigid2d.core.live.sliders import settings_of, sliders_of

from tests.scenes import ROOT, SCENES, loaded
from tests.search import EVERYTHING, tries
from tests.web.engine import node_program, run_node

NAMES = (
    "games/pong",
    "living/bumpers",
    "living/crane_driver",
    "machines/ragdoll",
    "tasks/pendulum",
    "living/asteroids",
    "living/geyser",
    "living/by_hand",
)
SEEDS = tries(2, 1)
"""Runs of each scene; a search plays all scenes that pages run."""
ACTS = 40


def test_played_runs_replay_natively_to_the_same_hash(tmp_path: Path) -> None:
    node_program()
    paths = [ROOT / "scenes" / f"{name}.yaml" for name in NAMES]
    if EVERYTHING:
        paths = [path for path in SCENES if loaded(path).bodies and not unfit(loaded(path))]
    cases, scenes = [], []
    for number, path in enumerate(paths):
        content, sliders = tmp_path / f"{number}.rigid", sliders_of(loaded(path))
        settings = settings_of(sliders)
        content.write_bytes(compile_scene(loaded(path), choices=settings))
        first = own_settings(loaded(path))
        owners = [(name, each.text) for name, choices in sliders.items() for each in choices]
        given = [[name, first + place, text] for place, (name, text) in enumerate(owners)]
        for seed in range(SEEDS):
            cases.append([str(content), 100 * number + seed, ACTS, given])
            scenes.append(path)
    listed = tmp_path / "cases.json"
    listed.write_text(json.dumps(cases))
    found = run_node("played.mjs", listed)
    played = 0
    for path, case, each in zip(scenes, cases, found, strict=True):
        if each["stopped"]:
            continue
        inputs = tmp_path / "played.yaml"
        inputs.write_text(each["text"], encoding="utf-8")
        world = build(load(path, inputs=inputs))
        world.step(each["steps"])
        ends = (each["hash"], each["outcome"], each["state"])
        here = (f"{world.state_hash():016x}", world.outcome, [*world.state.values()])
        assert here == ends, (path.stem, case[1], each["text"])
        played += "- {" in each["text"]
    assert played > len(cases) / 2
