# SPDX-License-Identifier: MIT
"""The pages of the site: their Markdown, their links, and the fields of scenes."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from rigid2d.core.scene import json_schema

from tests.rows import every_row

from .links import broken

pytest.importorskip("latex2mathml", reason="formulas of the site need it")

from . import markdown
from .fields import fields_page
from .made import Site, names_page, with_play


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, {"scenes/basics/hello.yaml": None})  # type: ignore[dict-item]


@every_row(
    ("link", "source", "address"),
    [
        ("docs/cli.md#habits", "README.md", "docs/cli.md#habits"),
        ("../README.md", "docs/cli.md", "../index.md"),
        ("../scenes/basics/hello.yaml", "docs/cli.md", "../scenes/basics/hello.md"),
        ("basics/hello.yaml", "scenes/README.md", "basics/hello.md"),
        ("design/README.md", "docs/architecture.md", "design/README.md"),
        ("design", "docs/architecture.md", "design/README.md"),
        ("notebooks", "docs/lessons/README.md", "notebooks/index.md"),
        ("../LICENSE", "docs/cli.md", "../LICENSE"),
        ("#habits", "docs/cli.md", "#habits"),
        ("https://example.org/a.md", "docs/cli.md", "https://example.org/a.md"),
    ],
)
def test_links_lead_to_pages_of_the_site(site: Site, link: str, source: str, address: str) -> None:
    assert site.address(link, source) == address


@every_row(
    ("text", "made"),
    [
        ("Words:\n- a\n- b", "Words:\n\n- a\n- b"),
        ("- a\n  more\n  - b\n\n  end", "- a\n    more\n    - b\n\n    end"),
        ("1. a\n   more\n\nend", "1. a\n    more\n\nend"),
        ("- a\n\n      code\n\nend", "- a\n\n        code\n\nend"),
        ("```\n- a\n  b\n```", "```\n- a\n  b\n```"),
        ("- a\n  ```\n  x\n  ```", "- a\n    ```\n    x\n    ```"),
        ("## rigid --version", "## rigid --version {#rigid---version}"),
        ("# A\n# A", "# A {#a}\n# A {#a-1}"),
        ("```\n# no heading\n```", "```\n# no heading\n```"),
    ],
)
def test_markdown_of_code_hosts_becomes_that_of_the_generator(text: str, made: str) -> None:
    assert markdown.page(text, str) == made


def test_formulas_become_mathml_outside_of_code() -> None:
    made = markdown.page("$m g$ and `$a $b`\n\n$$x = y$$", str, formulas=True)
    assert made.count("<math") == 2
    assert made.startswith("<span><math")
    assert "`$a $b`" in made


def test_the_page_of_fields_has_each_field_with_an_example() -> None:
    page = fields_page()
    schema = json_schema()
    assert all(f"## `{key}` {{#{key}}}" in page for key in schema["properties"])
    fields = [key for model in schema["$defs"].values() for key in model.get("properties", {})]
    rows = re.findall(r"^\| <code id='[\w.-]+'>(\w+)</code> \|(.*)\|$", page, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(fields)
    assert all(f"<code>{name}: " in row.replace("&#95;", "_") for name, row in rows)
    assert all(len(row.split("|")) == 3 for _, row in rows)
    targets = re.findall(r"\]\(#(\w+)\)", page)
    assert [name for name in targets if f"{{#{name}}}" not in page] == []


def test_kinds_of_values_are_named_in_words() -> None:
    page = fields_page()
    assert "['" not in page
    assert "true or false" in page
    assert not re.search(r" from \d+\.0\b", page)


def test_the_gallery_leads_to_pages_that_play_and_back() -> None:
    card = '<article data-scene="{}"><p class="more"><a class="yaml">YAML</a></p></article>'
    page = "<h1>Scenes</h1>" + card.format("basics/hello") + card.format("basics/other")
    scene = SimpleNamespace(name='A "first" scene')
    path = "scenes/basics/hello.yaml"
    made = with_play(page, {path: scene}, [path])  # type: ignore[dict-item]
    assert made.index('<a href="../">') < made.index("<h1>")
    assert re.findall(r'<p class="more"><a class="play" href="(.*?)"', made) == [
        "../play/basics/hello.html"
    ]
    assert "Play with A &quot;first&quot; scene" in made


def test_the_page_of_names_has_those_of_the_library() -> None:
    page = names_page()
    assert "\n::: rigid2d.core.World\n" in page
    assert "\n::: rigid2d.core.environments.SceneEnv\n" in page


@every_row(
    ("body", "fault"),
    [
        ('<a href="b/#here">b</a>', ""),
        ('<a href="b/#there">b</a>', "names no place"),
        ('<a href="c/">c</a>', "leads nowhere"),
        ('<a href="../">up</a>', "leads nowhere"),
        ('<img src="b/no.png">', "leads nowhere"),
        ('<video poster="no.png" src="b/index.html"></video>', "leads nowhere"),
        ('<script src="https://example.org/a.js"></script>', "loads https://example.org/a.js"),
        ('<a href="https://example.org/">there</a>', ""),
    ],
)
def test_broken_links_and_what_is_loaded_from_elsewhere_are_found(
    body: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "b").mkdir(exist_ok=True)
    (tmp_path / "b/index.html").write_text('<h1 id="here">B</h1>')
    (tmp_path / "index.html").write_text(body)
    faults, _ = broken(tmp_path)
    assert fault in faults[0] if fault else not faults, faults
