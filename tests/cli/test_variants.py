# SPDX-License-Identifier: MIT
"""``run``, ``test`` and ``gallery`` with a scene that compares variants."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from rigid2d.core.jobs.gallery import digest
from rigid2d.core.jobs.targets import Look
from rigid2d.core.record import Trace
from rigid2d.core.scene import load

BOUNCE = """\
rigid: 1
name: Bounce
world: {duration: 1}
vars: {e: 0.5}
bodies:
  ground: {type: static, shape: {box: [7, 0.5]}, position: [0, -0.25]}
  ball: {shape: {circle: 0.5}, position: [0, 2], restitution: =e}
render: {size: [120, 60]}
outcome: {win: =ball.y > 0.9 and ball.vy > 2}
compare:
  variants:
    - {name: dull, set: {vars.e: 0}, expect: [{at: end, that: =ball.y < 0.6}]}
    - {name: lively, set: {vars.e: 1}, expect: [{always: =ball.y > 0.4}]}
expect:
  - {always: =ball.y > 0.4}
"""


@pytest.fixture
def bounce(tmp_path: Path) -> Path:
    path = tmp_path / "bounce.yaml"
    path.write_text(BOUNCE)
    return path


def test_a_run_tells_how_each_variant_came_out(rigid, bounce):
    result = rigid("run", bounce)
    assert result.code == 0
    assert "dull: 60 steps, 1 of 1 hold" in result.out
    assert "lively: 38 steps, outcome: win, 1 of 1 hold" in result.out


def test_a_variant_whose_expectation_fails_is_told_with_its_name(rigid, bounce):
    result = rigid("run", bounce, "--set", "compare.variants[0].expect[0].that==ball.y > 3")
    assert result.code == 1
    assert "variant dull:" in result.out
    assert "failed: at end: ball.y > 3" in result.out


def test_what_variants_did_stands_in_the_json(rigid, bounce):
    (fields,) = rigid("run", bounce, "--json").json["scenes"]
    assert [(each["name"], each["outcome"]) for each in fields["variants"]] == [
        ("dull", ""),
        ("lively", "win"),
    ]
    assert all(each["expect"][0]["passed"] for each in fields["variants"])


def test_a_page_has_the_runs_of_all_variants_with_one_number_of_frames(rigid, bounce, tmp_path):
    result = rigid("run", bounce, "--html", tmp_path / "a.html")
    assert result.code == 0
    page = (tmp_path / "a.html").read_text()
    data = json.loads(re.search(r'id="rigid-data">(.*?)</script>', page)[1])
    (other,) = data["variants"]["others"]
    assert data["variants"]["names"] == ["dull", "lively"]
    assert page.count('id="rigid-film') == 2
    assert [mark["text"] for mark in data["marks"]] == [
        "lively: always: ball.y > 0.4",
        "always: ball.y > 0.4",
        "dull: at end: ball.y < 0.6",
    ]
    counts = {
        next(each["rows"] for each in some["arrays"] if each["name"] == "steps")
        for some in (data, other)
    }
    assert len(counts) == 1


def test_pictures_show_the_variants_and_tables_the_scene(rigid, bounce, tmp_path):
    gif, png, npz = tmp_path / "a.gif", tmp_path / "a.png", tmp_path / "a.npz"
    assert rigid("run", bounce, "--gif", gif, "--png", png, "--npz", npz).code == 0
    alone = tmp_path / "alone.yaml"
    alone.write_text(BOUNCE.partition("compare:")[0])
    other = tmp_path / "b.npz"
    assert rigid("run", alone, "--npz", other).code == 0
    assert (Trace.load(npz).values == Trace.load(other).values).all()
    with Image.open(png) as image:
        halves = [image.crop((x, 0, x + 59, 60)).tobytes() for x in (0, 61)]
    assert halves[0] != halves[1]


def test_pictures_of_variants_are_the_same_for_any_number_of_threads(rigid, bounce, tmp_path):
    paths = [tmp_path / f"{i}.gif" for i in (1, 2)]
    for path, threads in zip(paths, ("1", "2"), strict=True):
        assert rigid("run", bounce, "--gif", path, "--threads", threads).code == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_picture_of_variants_cannot_go_on_from_a_state(rigid, bounce, tmp_path):
    state = tmp_path / "a.state"
    assert rigid("run", bounce, "--save-state", state, "--at", "0.5").code == 0
    result = rigid("run", bounce, "--from-state", state, "--gif", tmp_path / "a.gif")
    assert result.code == 2
    assert "begins at the beginning" in result.err
    assert not (tmp_path / "a.gif").exists()
    assert rigid("run", bounce, "--from-state", state).code == 0


def test_a_test_checks_variants_too(rigid, bounce, tmp_path):
    report = tmp_path / "report.xml"
    result = rigid("test", bounce, "--junit", report)
    assert result.code == 0
    assert "3 checks" in result.out
    assert report.read_text().count("<testcase") == 3
    result = rigid("test", bounce, "--set", "compare.variants[1].expect[0].always==ball.y > 1")
    assert result.code == 1
    assert "variant lively:" in result.out


def test_the_gallery_renders_again_what_a_variant_has_changed(rigid, bounce, tmp_path):
    before = digest(load(bounce), Look())
    bounce.write_text(BOUNCE.replace("vars.e: 1}", "vars.e: 0.9}"))
    assert digest(load(bounce), Look()) != before
    assert rigid("gallery", tmp_path, "-o", tmp_path / "out", "--size", "100x60").code == 0
    assert (tmp_path / "out" / "index.html").exists()
