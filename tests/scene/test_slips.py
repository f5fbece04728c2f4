# SPDX-License-Identifier: MIT
"""Slips of beginners, from YAML and from habits of other engines: each is told the right word.

The slips are in ``slips.yaml``, written by hand; none of them is made from the tables that messages
are made from, and these have tests of their own below.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import loads
from rigid2d.core.scene.blocks.scene import SceneInput
from rigid2d.core.scene.building import foreign_keys
from rigid2d.core.scene.building.structure import model_at, unknown_key
from rigid2d.core.scene.values import foreign_words
from rigid2d.core.scene.values.fields import Input

from tests.rows import every_row

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DATA = yaml.load(Path(__file__).with_name("slips.yaml").read_text(encoding="utf-8"), LOADER)
SLIPS = [
    (f"{frame} {' '.join(name)} {number}", DATA["frames"][frame].replace("@@", text), right)
    for frame, rows in DATA["slips"].items()
    for number, (*name, text, right) in enumerate(rows)
]


def test_there_are_seven_hundred_slips_and_few_are_the_same() -> None:
    assert len({text for _, text, _ in SLIPS}) > 690


@every_row(("text", "right"), [row[1:] for row in SLIPS], ids=[row[0] for row in SLIPS])
def test_a_slip_is_told_the_right_word_and_where(text: str, right: str) -> None:
    with pytest.raises(SceneError) as told:
        loads(text, path="s.yaml")
    messages = [str(each) for each in told.value.problems]
    if right.startswith("~ "):
        assert any(re.search(right[2:], each) for each in messages), messages
    else:
        assert any(right in each for each in messages), messages
    assert all(re.match(r"s\.yaml:\d+:\d+: ", each) for each in messages), messages


ALONE = [
    "color: #ff0000",
    "density: 0,5",
    "density: 2,5 kg/m^2",
    "material: “rubber”",
    "“angle”: 2",
]


@every_row("text", ALONE)
def test_a_slip_of_writing_is_one_problem(text: str) -> None:
    with pytest.raises(SceneError) as told:
        loads(DATA["frames"]["body with a radius of 0.5"].replace("@@", text), path="s.yaml")
    assert len(told.value.problems) == 1, told.value


@every_row(
    "text",
    [
        "joints: {pin: {type: revolute, body: ball}}",
        "study: {vary: {world.seed: {range: [20, 70, 5]}}, collect: {y: =ball.y}}",
        "study: {vary: {world.seed: [1, 2]}, collect: {top: =max(ball.y)}}",
    ],
)
def test_a_key_of_another_form_is_one_problem(text: str) -> None:
    with pytest.raises(SceneError) as told:
        loads(DATA["frames"]["top"].replace("@@", text), path="s.yaml")
    assert len(told.value.problems) == 1, told.value


PRINTED = [
    "description: “To be”, he said, “or not”",
    "description: Höhe − Breite, 5\u00a0m",
    "description: '“quoted”'",
    "description: a  # not: #fff",
    "annotations: [{text: '−1 × π', at: [0, 1]}]",
]


@every_row("text", PRINTED)
def test_signs_of_print_are_letters_of_texts(text: str) -> None:
    loads(DATA["frames"]["top"].replace("@@", text))


# ---------------------------------------------------------------- the tables


def models():
    found, waiting = {}, [Input]
    loads("rigid: 1\nbodies: {a: {shape: {circle: 1}}}\n")
    while waiting:
        for each in waiting.pop().__subclasses__():
            found[each.__name__.removesuffix("Input").removesuffix("Fields")] = each
            waiting.append(each)
    return found


def keys_of(model):
    return {field.alias or name for name, field in model.model_fields.items()}


@every_row("place", foreign_keys.PLACES)
def test_every_word_of_a_table_is_answered_with_what_is_there(place):
    model = models()[place]
    own = keys_of(model)
    table = foreign_keys.foreign_keys(place)
    assert table
    for word, right in table.items():
        assert word not in own, f"{word} is a key"
        message = unknown_key(model, word)
        if not (word in model.hints or foreign_words.plain_word(word) in model.hints):
            assert foreign_words.advice(right.replace("@", word)) in message
        if not right.startswith("~"):
            assert right.partition(":")[0].strip() in own, f"{word}: {right} is no key of {place}"


def test_the_tables_of_values_functions_and_verbs_name_what_there_is():
    from rigid2d.cli.app import VERBS
    from rigid2d.core.scene.values.functions import FUNCTIONS

    for word, right in foreign_words.foreign_functions().items():
        assert word not in FUNCTIONS
        assert right.startswith("~") or right.partition("(")[0] in FUNCTIONS
    for word, right in foreign_words.foreign_verbs().items():
        assert word not in VERBS
        assert right.split()[0] in {*VERBS, "--version", "--help"}


def test_the_scene_has_its_table():
    assert model_at(SceneInput, ()) is SceneInput
