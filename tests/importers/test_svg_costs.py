# SPDX-License-Identifier: MIT
"""Counted costs of reading a drawing; style sheets are independent of their order."""

from __future__ import annotations

import random

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.importers import svg_styles
from rigid2d.core.importers.svg_styles import read_styles
from rigid2d.core.scene import limits
from rigid2d.core.scene.text.svg_elements import Element, read_elements
from rigid2d.core.scene.text.svg_outlines import transformed
from rigid2d.core.scene.values import svg_path
from rigid2d.core.scene.values.svg_path import IDENTITY, read_transform

from tests.rows import every_row

SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


def drawing(text: str) -> Element:
    return read_elements(SVG.format(text), "a.svg")


def test_a_transform_is_looked_at_once_however_long_it_is() -> None:
    looked: list[int] = []

    class Text(str):
        def rstrip(self, *_: object) -> str:
            looked.append(len(self))
            return str(self)

    assert read_transform(Text("translate(1) " * 500)) == (1.0, 0.0, 0.0, 1.0, 500.0, 0.0)
    assert len(looked) == 1


def test_the_transform_of_an_element_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    group = drawing('<g transform="rotate(30) scale(2)"/>').children[0]
    first = transformed(group, IDENTITY)
    monkeypatch.setattr(svg_path, "_one_transform", None)
    assert transformed(group, IDENTITY) == first


def test_the_transforms_of_a_drawing_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TRANSFORMS", 5)
    drawing('<g transform="scale(1)scale(1)"/>' * 2)
    with pytest.raises(SceneError, match="more than 5 transforms; the limit"):
        drawing('<g transform="scale(1)scale(1)"/>' * 3)


def compared(rules: str, elements: str) -> int:
    """Number of comparisons of rules with elements."""
    root = drawing(f"<style>{rules}</style>{elements}")
    styles = read_styles(root)
    for element in root.walk():
        styles.of(element)
    return styles._compared


def test_rules_are_compared_only_with_what_has_one_of_their_names() -> None:
    rules = "".join(f".a{i}{{fill: red}}#b{i}{{fill: red}}" for i in range(500))
    elements = "".join(f'<rect class="a{i}" id="b{i}"/>' for i in range(500))
    assert compared(rules, elements) == 1000


def test_rules_for_the_same_elements_are_one() -> None:
    assert compared(".a{fill: red}" * 500, '<rect class="a"/>' * 500) == 500


def test_comparing_rules_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STYLE_COMPARISONS", 100)
    rules = "".join(f".a.b{i}{{fill: red}}" for i in range(10))
    compared(rules, '<rect class="a"/>' * 10)
    with pytest.raises(SceneError, match=r"a\.svg:1:.*more than 100 rules of style sheets"):
        compared(rules, '<rect class="a"/>' * 11)


def test_comments_that_do_not_end_are_searched_once() -> None:
    assert svg_styles._without_comments("a/* b */c/**/d/*/e") == "a c d/*/e"
    assert svg_styles._without_comments("/* " * 500_000) == "/* " * 500_000


def test_the_text_of_a_title_is_not_gathered_without_end() -> None:
    (title,) = drawing(f"<title>{'ab<b/>' * 500}</title>").children
    assert title.title == "ab" * 100


def by_all_rules(rules: list[tuple[str, frozenset[str], str]], element: Element) -> str:
    """The fill by the definition: all rules from the weakest to the strongest."""
    own = {f".{name}" for name in element.attributes.get("class", "").split()}
    own.add(f"#{element.attributes.get('id', '')}")
    found = ""
    for name, parts, value in sorted(rules, key=lambda rule: svg_styles._strength(*rule[:2])):
        if name in ("", "*", element.name) and parts <= own:
            found = value
    return found


@every_row("seed", range(40))
def test_what_counts_is_the_last_of_the_strongest_rules(seed: int) -> None:
    rng = random.Random(seed)
    rules = []
    for number in range(60):
        parts = frozenset(rng.sample([".a", ".b", ".c", "#i", "#j"], rng.randint(0, 3)))
        name = rng.choice(["", "*", "rect", "path"]) if parts else rng.choice(["*", "rect"])
        rules.append((name, parts, f"#{number:06}"))
    sheet = "".join(f"{n}{''.join(sorted(p))}{{fill: {v}}}" for n, p, v in rules)
    elements = "".join(
        f'<{rng.choice(["rect", "path"])} class="{" ".join(rng.sample("abc", rng.randint(0, 3)))}" '
        f'id="{rng.choice(["i", "j", "k"])}"/>'
        for _ in range(30)
    )
    root = drawing(f"<style>{sheet}</style>{elements}")
    styles = read_styles(root)
    for element in root.children[1:]:
        assert styles.of(element).get("fill", "") == by_all_rules(rules, element)


def test_a_number_of_a_million_digits_is_not_printed_as_a_whole() -> None:
    circle = drawing(f'<circle r="4" transform="rotate({"1" * 1_000_000})"/>').children[0]
    with pytest.raises(SceneError, match="is too large") as told:
        transformed(circle, IDENTITY)
    assert len(str(told.value)) < 1000
