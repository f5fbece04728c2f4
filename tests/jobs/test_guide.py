# SPDX-License-Identifier: MIT
"""The order of a gallery by the README of its folder."""

from __future__ import annotations

import re

import pytest
from rigid2d.core.jobs.gallery import gallery
from rigid2d.core.jobs.guide import GalleryTheme, Guide, read_guide

README = """# Scenes

Not a [theme](alone.yaml).

## Small `objects`

Few words, and a [link](https://example.org) <b>here</b>.

| scene | |
|---|---|
| [two](b/two.yaml) | second |
| [one](a/one.yaml) | first |

## No scenes

Nothing.

## Others

- [one again](a/one.yaml)
- [three](c/three.yml)
"""
SCENE = "rigid: 1\nname: NAME\nworld: {steps: 2}\nbodies: {b: {shape: {circle: 1}}}\n"


@pytest.fixture
def folder(tmp_path):
    for name in ("a/one.yaml", "b/two.yaml", "c/three.yml", "alone.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(SCENE.replace("NAME", path.stem))
    return tmp_path


def test_headings_are_themes_and_links_their_scenes(folder):
    (folder / "README.md").write_text(README)
    guide = read_guide(folder)
    assert guide.themes == (
        GalleryTheme("Small objects", "Few words, and a link <b>here</b>."),
        GalleryTheme("Others"),
    )
    assert sorted(["alone", "a/one", "c/three", "b/two"], key=guide.key) == [
        "b/two",
        "a/one",
        "c/three",
        "alone",
    ]


@pytest.mark.parametrize("data", [None, b"\xff\xfe", b"", b"## Empty\n", b"## " * 1000])
def test_a_readme_that_says_nothing_arranges_nothing(folder, data):
    if data is not None:
        (folder / "README.md").write_bytes(data)
    assert read_guide(folder) == Guide()


def test_the_gallery_is_arranged_so(folder, tmp_path_factory):
    (folder / "README.md").write_text(README)
    out = tmp_path_factory.mktemp("out")
    scenes = sorted(path for path in folder.rglob("*.y*ml"))
    list(gallery(scenes, folder, out, jobs=1))
    html = (out / "index.html").read_text()
    assert re.findall(r"<h2>(.*?)</h2>", html) == ["Small objects", "Others"]
    assert re.findall(r"<h3>(.*?)</h3>", html) == ["two", "one", "three", "alone"]
    assert "a link &lt;b&gt;here&lt;/b&gt;." in html


def test_the_first_scene_whose_link_is_bold_is_the_cover(tmp_path) -> None:
    assert read_guide(tmp_path).cover == ""
    (tmp_path / "README.md").write_text(README)
    assert read_guide(tmp_path).cover == ""
    bold = README.replace("[two](b/two.yaml)", "**[two](b/two.yaml)**")
    (tmp_path / "README.md").write_text(f"**[home](index.md)** {bold}**[three](c/three.yml)**")
    assert read_guide(tmp_path).cover == "b/two"
