# SPDX-License-Identifier: MIT
"""The gallery's viewer shows a scene whole at every width of the window."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace

import pytest
from rigid2d.core.jobs.page import ASSETS, GalleryEntry, page

from tests.page.chromium import Tabs

CSS = (ASSETS / "gallery.css").read_text(encoding="utf-8")
WIDTHS = (320, 360, 390, 500, 640, 768, 899, 900, 1280)

LONG = "a_name_without_any_gap_" * 12
ENTRY = GalleryEntry(
    name="Arch",
    description=f"Stones stand. {LONG}",
    tags=("stacking",),
    stem="stacking/arch",
    group="stacking",
    source=f"../scenes/{LONG}.yaml",
    text=f"rigid: 1\n# {LONG}\n",
    text_page="arch.yaml.html",
    movie="arch.mp4",
    poster="arch.png",
    size=(1280, 720),
    paper="#f4f3ef",
    bodies=12,
    joints=0,
    seconds=8.0,
    bytes=123_456,
    checks=(3, 3),
)


def test_no_column_of_the_viewer_is_wider_than_the_viewer() -> None:
    rules = re.findall(r"(\.stage \.card)\s*{([^}]*)}", CSS)
    columns = [re.search(r"grid-template-columns:\s*([^;]*);", body) for _, body in rules]
    assert columns[0], "the first rule, which holds at every width, says how wide columns are"
    for found in filter(None, columns):
        tracks = re.sub(r"minmax\(0, \d+fr\)", "", found.group(1))
        assert tracks.strip() == ""


@pytest.mark.parametrize("size", [(1280, 720), (480, 960)], ids=["wide", "tall"])
def test_nothing_in_the_viewer_sticks_out_at_any_width(tabs: Tabs, tmp_path, size) -> None:
    inner = html.escape(page([replace(ENTRY, size=size)], "Gallery"), quote=True)
    frames = "".join(
        f'<iframe width="{width}" height="800" srcdoc="{inner}"></iframe>' for width in WIDTHS
    )
    measure = """
      addEventListener("load", () => {
        const found = [...document.querySelectorAll("iframe")].map((frame) => {
          const inside = frame.contentDocument;
          frame.contentWindow.show(inside.querySelector("main .card"));
          const viewer = inside.getElementById("viewer");
          const right = viewer.getBoundingClientRect().left + viewer.clientWidth;
          const parts = [...viewer.querySelectorAll(".card, .media, video, .text, p, .code")];
          const sticks = parts.filter((part) => part.getBoundingClientRect().right > right + 1);
          return [Number(frame.width), viewer.open, sticks.map((part) => part.className)];
        });
        document.title = "measured";
        document.body.textContent = JSON.stringify(found);
      });"""
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><body>{frames}<script>{measure}</script>", encoding="utf-8")
    tab = tabs.take({"width": 1280, "height": 860}, {})
    tab.goto(path.as_uri())
    tab.wait_for_function("document.title === 'measured'")
    measured = json.loads(tab.evaluate("document.body.textContent"))
    tabs.give_back(tab, {})
    assert measured == [[width, True, []] for width in WIDTHS]


def test_arrow_keys_begin_with_the_first_card_and_go_on(tabs: Tabs, tmp_path) -> None:
    path = tmp_path / "page.html"
    entries = [replace(ENTRY, name=name, stem=f"stacking/{name}") for name in ("a", "b")]
    path.write_text(page(entries, "Gallery"), encoding="utf-8")
    tab = tabs.take({"width": 1280, "height": 860}, {})
    tab.goto(path.as_uri())
    focused = "[...document.querySelectorAll('main .media')].indexOf(document.activeElement)"
    assert tab.evaluate(focused) == -1
    for number in (0, 1):
        tab.keyboard.press("ArrowRight")
        assert tab.evaluate(focused) == number
    tabs.give_back(tab, {})
