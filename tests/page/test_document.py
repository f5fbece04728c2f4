# SPDX-License-Identifier: MIT
"""The page as a file: nothing that a scene says becomes a part of it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from rigid2d.core.page.document import ASSETS, as_json, asset

from tests.page.pages import SMALL, page_of

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "\u2028alert(1)\u2029",
    "{{data}} {{program}}",
    "]]> --> <style>*{display:none}</style>",
    "javascript:alert(1)",
    "\\u003cscript\\u003e",
]


LIBRARIES = ("uplot.js", "codemirror.js")
DEFINED = re.compile(r"^(?:(?:async )?function \*?|const |let |class )(\w+)", re.MULTILINE)


class Outline(HTMLParser):
    """The tags of a page, and what stands in its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.inside.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style"):
            self.inside[-1] += data


def shape(page: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(tag, tuple(attributes)) for tag, attributes in Outline(page).tags]


def with_words(words: str) -> str:
    """The small scene, saying ``words`` wherever it may say something."""
    quoted = json.dumps(words)
    text = SMALL.replace("name: Small run", f"name: {quoted}")
    text = text.replace("description: A ball falls", f"tags: [{quoted}]\ndescription: A ball falls")
    return text.replace("rigid: 1", f"rigid: 1  # {words.splitlines()[0]}")


@pytest.fixture(scope="module")
def plain() -> str:
    return page_of(SMALL)


@pytest.mark.parametrize("words", HOSTILE)
def test_what_a_scene_says_adds_no_tag_and_no_attribute(words: str, plain: str) -> None:
    page = page_of(with_words(words))
    assert shape(page) == shape(plain)
    assert Outline(page).inside[-2:] == Outline(plain).inside[-2:]  # library and program


@pytest.mark.parametrize("words", HOSTILE)
def test_what_a_scene_says_comes_back_as_it_was(words: str) -> None:
    page = page_of(with_words(words))
    found = re.search(r'id="rigid-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    assert json.loads(found[1])["name"] == words


def test_json_in_a_page_has_no_sign_of_markup() -> None:
    text = as_json({"a": "</script>&\u2028\u00e9"})
    assert set("<>&\u2028\u00e9").isdisjoint(text)
    assert json.loads(text) == {"a": "</script>&\u2028\u00e9"}


def test_only_the_pages_own_program_and_style_may_run(plain: str) -> None:
    metas = [attributes for tag, attributes in Outline(plain).tags if tag == "meta"]
    (policy,) = [meta["content"] or "" for meta in metas if "http-equiv" in meta]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")
    scripts = re.findall(r"<script>(.*?)</script>", plain, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", plain, re.DOTALL)
    assert len(scripts) == 2
    for text in (*scripts, *styles):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_a_page_asks_for_nothing_from_elsewhere(plain: str) -> None:
    for tag, attributes in Outline(plain).tags:
        for name in ("src", "href", "action", "srcset"):
            assert (attributes.get(name) or "data:").startswith("data:"), tag


def test_the_plots_come_with_their_licence(plain: str) -> None:
    assert "uPlot" in plain
    assert asset("uplot-license.txt").strip() in plain


def test_no_two_files_of_the_pages_program_define_the_same_name() -> None:
    """The files are one script: the later of two functions of a name would be that of both."""
    owners: dict[str, list[str]] = {}
    for path in sorted(ASSETS.rglob("*.js")):
        if path.name in LIBRARIES or path.name.startswith("run_"):  # those run in a worker
            continue
        for name in set(DEFINED.findall(path.read_text(encoding="utf-8"))):
            owners.setdefault(name, []).append(path.name)
    assert "evenPoints" in owners
    assert {name: files for name, files in owners.items() if len(files) > 1} == {}
