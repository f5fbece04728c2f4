# SPDX-License-Identifier: MIT
"""The gallery's page and its colours for YAML."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from PIL import Image
from rigid2d.core.jobs.highlight import highlight
from rigid2d.core.jobs.page import GalleryEntry, page
from rigid2d.core.jobs.page_of_text import text_page

from tests.page.chromium import Tabs
from tests.rows import every_row

ENTRY = GalleryEntry(
    name="Arch",
    description="Stones.\n\nThey stand.",
    tags=("stacking",),
    stem="stacking/arch",
    group="stacking",
    source="../scenes/stacking/arch.yaml",
    text="rigid: 1\n",
    text_page="stacking/arch.yaml.html",
    movie="stacking/arch.mp4",
    poster="stacking/arch.png",
    size=(640, 480),
    paper="#f4f3ef",
    bodies=12,
    joints=0,
    seconds=8.0,
    bytes=123_456,
    checks=(3, 3),
)
VOID = {"meta", "link", "input", "img", "br"}


class Checker(HTMLParser):
    """Collects attributes and text, and sees to it that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.links += [
            value for name, value in attributes if name in ("src", "href", "poster", "data-movie")
        ]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)


def read(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    return checker


def test_the_page_shows_name_description_and_yaml():
    text = " ".join(read(page([ENTRY], "Title")).texts)
    for part in ["Title", "Arch", "Stones.", "They stand.", "stacking", "12 bodies", "3/3 checks"]:
        assert part in text
    assert "rigid" in text


def test_the_page_needs_no_network():
    links = read(page([ENTRY, replace(ENTRY, movie="a.gif")], "Title")).links
    assert "stacking/arch.mp4" in links
    assert "a.gif" in links
    assert all(re.match(r"(data:,|[\w./%-]+)$", link) for link in links)


def test_a_scene_s_words_cannot_become_markup():
    evil = "</code><script>alert(1)</script>&\"'"
    entry = replace(ENTRY, name=evil, description=evil, tags=(evil,), group=evil, text=evil)
    html = page([entry], evil)
    assert "<script>alert" not in html + text_page(entry)
    assert any(evil in text for text in read(html).texts)


def test_links_are_quoted():
    entry = replace(ENTRY, source="../a b/ü#?.yaml", movie="a b.gif", poster="ü.png")
    links = read(page([entry], "t")).links + read(text_page(entry)).links
    assert {"../../a%20b/%C3%BC%23%3F.yaml", "a%20b.gif", "%C3%BC.png"} <= set(links)


def test_missed_checks_are_marked():
    assert 'class="missed">✗ 2/3' in page([replace(ENTRY, checks=(2, 3))], "t")


def plain(html: str) -> str:
    parser = Checker()
    parser.feed(html)
    return "".join(parser.texts)


def tokens(text: str) -> list[tuple[str, str]]:
    """Each token and its element."""
    return re.findall(r"<(\w+)>([^<]*)</\1>", highlight(text))


@every_row(
    "text",
    [
        "rigid: 1 # the version",
        "a: {b: [1, -2.5e3], c: true}",
        'e: ["=2*i*r, 3", =4, "plain # no comment"]',
        "description: |\n  free: text\n  - <b> & more\nname: x",
        "- {at: end, that: =abs(ball.y - 0.5) < 0.01}",
        "odd: 'it''s' \"un\"closed [ } : # ",
    ],
)
def test_highlighting_changes_no_character(text):
    assert plain(highlight(text)) == text


def test_keys_numbers_words_and_comments_have_their_colours():
    assert tokens("a: 1.5 # why") == [("b", "a"), ("u", ":"), ("i", "1.5"), ("small", "# why")]
    assert ("i", "true") in tokens("a: true")


def test_expressions_are_told_from_text():
    assert ("em", '"=i + 1"') in tokens('a: "=i + 1"')
    assert ("em", "=2*r") in tokens("a: [=2*r, 4]")
    assert ("q", '"tom"') in tokens('a: "tom"')


def test_a_block_of_text_is_text_to_its_end():
    found = tokens("text: |\n  a: 1\n\n  b: 2\nnext: 3")
    assert ("q", "  a: 1") in found
    assert ("q", "  b: 2") in found
    assert ("b", "next") in found


def test_a_name_with_a_backslash_is_linked_as_it_is() -> None:
    entry = replace(ENTRY, movie="a\\b.mp4", poster="a\\b.png", source="../s/a\\b.yaml")
    links = read(page([entry], "Gallery")).links + read(text_page(entry)).links
    assert {"a%5Cb.mp4", "a%5Cb.png", "../../s/a%5Cb.yaml"} <= set(links)


@pytest.mark.parametrize("made", [lambda entry: page([entry], "Gallery"), text_page])
def test_a_page_runs_nothing_but_its_own_program(made) -> None:
    html = made(replace(ENTRY, name="<script>alert(1)</script>"))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for tag in ("script", "style"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.S)
        found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{found}'"


def test_the_policy_lets_a_browser_show_all_that_is_in_the_page(tabs: Tabs, tmp_path) -> None:
    Image.new("RGB", (8, 8), "red").save(tmp_path / "arch.png")
    Image.new("RGB", (8, 8), "red").save(tmp_path / "arch.gif")
    entry = replace(ENTRY, movie="arch.gif", poster="arch.png")
    html = page([entry, replace(entry, name="Again")], "Gallery")
    (tmp_path / "page.html").write_text(html)
    (tmp_path / "strict.html").write_text(html.replace("img-src 'self' data:", "img-src data:"))
    said: list[str] = []

    def note(message: Any) -> None:
        said.append(message.text)

    tab = tabs.take({"width": 1280, "height": 860}, {})
    tab.on("console", note)
    shown = "[...document.images].filter((each) => each.naturalWidth === 8).length >= 2"
    tab.goto((tmp_path / "page.html").as_uri() + "#scene=stacking%2Farch")
    tab.wait_for_function(f"document.querySelector('.filters') && {shown}")
    assert said == []
    with tab.expect_console_message(lambda each: "Content Security Policy" in each.text):
        tab.goto((tmp_path / "strict.html").as_uri() + "#scene=stacking%2Farch")
    tab.wait_for_selector(".filters")
    assert not tab.evaluate(shown)
    tab.remove_listener("console", note)
    tabs.give_back(tab, {})


def test_the_contents_lead_to_sections_with_an_id_each() -> None:
    entries = [replace(ENTRY, group=group) for group in ("a b", "a_b", "c", "")]
    html = page(entries, "Gallery")
    ids = re.findall(r'<section id="([^"]*)">', html)
    assert ids == ["a-b", "c", "scenes"]
    nav = html.partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'href="#([^"]*)"', nav) == ids[:2]
    assert "<nav" not in page([ENTRY], "Gallery")


def test_tags_are_listed_by_kind_with_those_outside_the_vocabulary_last() -> None:
    entries = [replace(ENTRY, tags=("week 3", "stacking", "game")), ENTRY]
    html = page(entries, "Gallery")
    rows = re.findall(r'<div class="kind"><b>([^<]*)</b>(.*?)</div>', html)
    assert [(kind, re.findall(r'data-tag="([^"]*)"', row)) for kind, row in rows] == [
        ("Kind of scene", ["game"]),
        ("Physics", ["stacking"]),
        ("Other", ["week 3"]),
    ]
    assert "stacking <i>2</i>" in html


def test_the_cover_is_the_scene_that_is_named() -> None:
    html = page([ENTRY], "Gallery", ENTRY.stem)
    assert html.count('data-scene="stacking/arch"') == 2
    assert 'class="cover"' not in page([ENTRY], "Gallery", "none")


def test_no_poster_is_loaded_before_the_program_asks_for_it() -> None:
    html = re.sub("<noscript>.*?</noscript>", "", page([ENTRY], "Gallery", ENTRY.stem))
    assert re.findall(r'\ssrc="', html) == []


def found_at(tabs: Tabs, tmp_path, html: str, address: str) -> str:
    """The page in a browser after its program has hidden one of its scenes."""
    (tmp_path / "index.html").write_text(html)
    tab = tabs.take({"width": 1280, "height": 860}, {})
    tab.goto((tmp_path / "index.html").as_uri() + address)
    tab.wait_for_function("document.querySelectorAll('.card[data-scene][hidden]').length === 1")
    content = str(tab.content())
    tabs.give_back(tab, {})
    return content


def test_an_address_is_a_search_in_any_order_and_a_scene(tabs: Tabs, tmp_path) -> None:
    cradle = replace(ENTRY, name="Newton's cradle", stem="a/cradle", tags=("joints",))
    other = replace(ENTRY, stem="a/arch", tags=("game",))
    html = page([cradle, other], "Gallery")
    found = found_at(tabs, tmp_path, html, "#q=CRADLE+newtons&scene=a%2Fcradle")
    assert "1 of 2 scenes" in found
    viewer = found.partition("<dialog")[2].partition("</dialog>")[0]
    assert 'open=""' in viewer
    assert "Newton's cradle" in viewer
    assert 'src="stacking/arch.yaml.html"' in viewer
    by_tag = found_at(tabs, tmp_path, html, "#tag=game")
    assert re.findall(r'class="card" data-scene="([^"]*)" hidden', by_tag) == ["a/cradle"]
