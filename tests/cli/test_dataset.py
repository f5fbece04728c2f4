# SPDX-License-Identifier: MIT
"""``rigid dataset`` as a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCENE = """\
rigid: 1
world: {duration: 1, seed: 3}
bodies:
  ball: {shape: {circle: 0.5}, velocity: ["=uniform(-1, 1)", 0]}
"""
SMALL = ("--size", "32x24", "--fps", "4")


def test_it_says_what_it_made_and_goes_on_with_it(rigid: Any, tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE)
    command = (
        "dataset",
        tmp_path / "scene.yaml",
        "--runs",
        "5",
        "--out",
        tmp_path / "ds",
        *SMALL,
        "--splits",
    )
    result = rigid(*command, "0.6,0.4", "--jobs", "1")
    assert result.code == 0, result.err
    for told in ("5 runs in", "20", "3 runs in 1 shard", "2 runs in 1 shard"):
        assert told in result.out
    assert (tmp_path / "ds" / "README.md").is_file()
    assert "all there already" in rigid(*command, "0.6,0.4").out


def test_json_tells_it_to_programs(rigid: Any, tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE)
    result = rigid(
        "dataset", tmp_path / "scene.yaml", "-n", "2", "-o", tmp_path / "ds", *SMALL, "--json"
    )
    told = json.loads(result.out)
    assert (told["ok"], told["runs"], told["done"], told["failures"]) == (True, 2, 2, 0)
    assert told["splits"]["train"]["shards"] == ["train-000000"]


def test_a_run_that_fails_ends_it_with_1(rigid: Any, tmp_path: Path) -> None:
    varied = 'study: {vary: {"bodies.ball.shape.circle": [0.5, -1]}, sample: zip}\n'
    (tmp_path / "scene.yaml").write_text(SCENE + varied)
    result = rigid(
        "dataset", tmp_path / "scene.yaml", "--out", tmp_path / "ds", *SMALL, "--runs", "6"
    )
    assert result.code == 1, result.err
    assert "failed" in result.err
    assert "invalid" in result.err


def test_what_cannot_be_is_said(rigid: Any, tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE)
    for options, message in (
        (("--splits", "a,b"), "--splits a,b"),
        (("--what", "frame"), "did you mean 'frames'"),
        (("--size", "64"), "64"),
        (("--format", "zip"), "format of a data set"),
        ((), "--runs"),
    ):
        runs = ("--runs", "1") if options else ()
        result = rigid(
            "dataset", tmp_path / "scene.yaml", "--out", tmp_path / "ds", *runs, *options
        )
        assert result.code == 2
        assert message in result.err
    assert not (tmp_path / "ds").exists()
