# SPDX-License-Identifier: MIT
"""Pages and sprites: whatever a scene says is data in a page, never its markup."""

from __future__ import annotations

import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from rigid2d.core import loads, simulate
from rigid2d.core.errors import RigidError, SceneError
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.sprites import sprite_sheet
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.page.trace_page import notebook_view, trace_page

from .parts_grammar import lay_picture
from .scene_check import BORN, born, said
from .scene_grammar import a_tree, written
from .sessions import SEPARATOR
from .values import anything, number

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    "\u2028\u2029",
    "{{program}}{{data}}",
    "&lt;b&gt;\"'",
    "\x1b[31m\x00\x7f",
    "\U0001f600\ufeff\u202e",
    "<img src=x onerror=alert(1)>",
]
MOST_BODIES = 60
STEPS = 4
OUT = "page.html"


def a_page(choose: random.Random) -> bytes:
    """A scene with hostile texts, and how its pages and sprites are made."""
    tree = a_tree(choose)
    for key in ("name", "description"):
        tree[key] = choose.choice(HOSTILE).replace("\x00", "")
    tree["tags"] = [choose.choice(HOSTILE).replace("\x00", "")]
    if choose.random() < 0.5:
        evil = choose.choice(HOSTILE).replace("\x00", "").replace("{", "{{").replace("}", "}}")
        tree["annotations"] = [{"text": evil, "corner": "top_left"}]
    if choose.random() < 0.5 and isinstance(tree.get("bodies"), dict) and tree["bodies"]:
        tree["record"] = {"channels": [choose.choice([*tree["bodies"]])]}
    sheets = {
        "count": choose.choice([1, 3, 8]),
        "size": choose.choice([None, [16, 16], [999, 16], [9000, 16], anything(choose)]),
        "body": choose.choice([None, "b0", "floor", "none"]),
        "pivot": choose.choice([None, [0, 1], [number(choose), 0]]),
        "ground": choose.choice([True, False]),
        "scale": choose.choice([None, None, 10, number(choose)]),
        "fps": choose.choice([None, None, 10, number(choose)]),
        "joints": choose.choice([True, False]),
        "whole_scene": choose.choice([True, False]),
    }
    chosen = {key: sheets[key] for key in choose.sample([*sheets], choose.choice([0, 1, 3]))}
    return written(tree) + SEPARATOR + json.dumps(chosen).encode() + b"\n"


def check_page(case: bytes) -> None:
    """A page holds the scene's words as data alone, and can be read as HTML."""
    text, _, more = case.partition(SEPARATOR)
    lay_picture()
    try:
        scene = loads(text, path="fuzz.yaml", folder=Path.cwd())
    except SceneError:
        return
    if len(scene.bodies) > MOST_BODIES or born(scene, STEPS) > BORN:
        return
    try:
        produce(scene, [Target("html", Path(OUT))], look=Look(size=(64, 48), fps=30), steps=STEPS)
    except RigidError as error:
        said(error)
    else:
        check_html(Path(OUT).read_text(encoding="utf-8"), scene.name)
        Path(OUT).unlink()
    try:
        check_html(trace_page(simulate(scene, steps=STEPS)), scene.name)
        notebook_view(simulate(scene, steps=STEPS))
    except RigidError as error:
        said(error)
    try:
        sheet = sprite_sheet(scene, **json.loads(more or b"{}"))
        json.dumps(sheet.description("a.png"), allow_nan=False)
        texture = sheet.texture("a.png")
        sheet.write("a.png")
        loads(f"rigid: 1\nbodies: {{a: {{shape: {{circle: 1}}, {texture}}}}}", folder=Path.cwd())
    except RigidError as error:
        said(error)


class _Reader(HTMLParser):
    """The scripts of a page, and its elements."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.data = ""
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append(tag)
        self._inside = dict(attrs).get("id") or ""

    def handle_data(self, data: str) -> None:
        if self._inside == "rigid-data":
            self.data += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def check_html(text: str, name: str) -> None:
    """The elements of a page are those of any page, and its data are JSON that says the name."""
    reader = _Reader()
    reader.feed(text)
    assert reader.elements.count("script") <= 4, f"more scripts: {reader.elements}"
    assert "img" not in reader.elements, "an element of the scene's"
    told = json.loads(reader.data)
    assert json.dumps(told, allow_nan=False), "numbers that are none"
    assert told.get("name", name) == name, "another name"
    assert not re.search(r"https?://(?!www\.w3\.org|github|localhost)", reader.data), "an address"
