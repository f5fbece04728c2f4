# SPDX-License-Identifier: MIT
"""The vocabulary of tags: its reference, its warnings, and the tags of the example scenes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rigid2d.core.scene import loads
from rigid2d.core.scene.text.vocabulary import KIND_OF, TAGS, kind_of, tag_warnings

ROOT = Path(__file__).parents[3]
BODIES = "bodies: {ball: {shape: {circle: 1}}}\n"


def test_the_reference_lists_each_tag_with_its_meaning_by_kind() -> None:
    reference = (ROOT / "docs/scene-format.md").read_text(encoding="utf-8")
    section = reference.partition("\n## Tags\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([A-Z][\w ]*) \| (`.*) \|$", section, re.MULTILINE)
    assert {
        kind: dict(re.findall(r"`([^`]+)` \((.*?)\)(?:, |$)", tags)) for kind, tags in rows
    } == TAGS


def test_no_tag_is_of_two_kinds() -> None:
    assert len(KIND_OF) == sum(map(len, TAGS.values()))
    assert (kind_of("game"), kind_of("week 3")) == ("Kind of scene", "Other")


def test_the_scenes_of_the_examples_and_lessons_use_the_whole_vocabulary_and_nothing_else() -> None:
    lines = [
        re.search(r"^tags: \[(.*)\]$", path.read_text(encoding="utf-8"), re.MULTILINE)
        for folder in ("scenes", "docs")
        for path in (ROOT / folder).rglob("*.yaml")
    ]
    used = {tag for line in lines if line for tag in line[1].split(", ")}
    assert used == set(KIND_OF)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("tags: [game, joints]", []),
        ("tags: [joints, games]", [(2, 16, "tags[1]", "did you mean `game`?")]),
        ("tags:\n  - Slow_Motion", [(3, 5, "tags[0]", "did you mean `slow motion`?")]),
        ("tags: [week 3]", [(2, 8, "tags[0]", "a tag of your own")]),
        ("tags: [game, game]", [(2, 14, "tags[1]", "listed twice")]),
    ],
)
def test_a_warning_is_at_the_tag_and_gives_the_nearest(tags, expected) -> None:
    scene = loads(f"rigid: 1\n{tags}\n{BODIES}")
    found = tag_warnings(scene.tags, scene.text, scene.path)
    assert [(each.line, each.column, each.path) for each in found] == [e[:3] for e in expected]
    assert all(end[3] in each.message for each, end in zip(found, expected, strict=True))
    assert scene.warnings == ()  # a run does not report them
