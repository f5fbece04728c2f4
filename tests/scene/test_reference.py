"""The reference page says what is built, and its examples work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from rigid.core.scene import expand, loads
from rigid.core.scene.blocks.descriptions import DESCRIPTIONS
from rigid.core.scene.blocks.input_models import SceneInput
from rigid.core.scene.values.expression import BODY_STATES, JOINT_STATES, POINT_STATES, WORLD_STATES
from rigid.core.scene.values.fields import Input
from rigid.core.scene.values.functions import FUNCTIONS
from rigid.core.scene.values.units import PIXEL, UNITS

PAGE = (Path(__file__).parents[2] / "docs" / "scene-format.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def models(base: type[Input] = Input) -> list[type[Input]]:
    """Every input model that is used."""
    assert SceneInput.model_fields
    found = []
    for model in base.__subclasses__():
        parts = ("SurfaceFields", "RepeatedInput")  # of other models only
        found += [*models(model)] if model.__name__ in parts else [model, *models(model)]
    return found


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_each_field_of_a_model_appears_in_the_reference(model: type[Input]) -> None:
    for name, field in model.model_fields.items():
        assert f"`{field.alias or name}`" in PAGE


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_each_field_of_a_model_has_a_description(model: type[Input]) -> None:
    names = {field.alias or name for name, field in model.model_fields.items()}
    assert names <= set(DESCRIPTIONS[model.__name__])


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_each_key_that_comes_later_appears_in_the_reference(model: type[Input]) -> None:
    helpers = {"grouping", "id", "axis", "body", "target"}  # only beside what is listed
    for key in set(model.later) - helpers:
        assert f"`{key}`" in PAGE


@pytest.mark.parametrize("names", [BODY_STATES, POINT_STATES, JOINT_STATES, WORLD_STATES])
def test_each_state_name_appears_in_the_reference(names: tuple[str, ...]) -> None:
    for name in names:
        assert re.search(rf"[a-z`]\.?{name}`", PAGE)


def test_each_function_and_each_unit_appears_in_the_reference() -> None:
    for name in FUNCTIONS:
        assert re.search(rf"\b{name}\b", PAGE)
    for unit in (*UNITS, PIXEL):
        assert f"`{unit}`" in PAGE


@pytest.mark.parametrize("example", EXAMPLES, ids=[str(i + 1) for i in range(len(EXAMPLES))])
def test_an_example_of_the_reference_loads(example: str, tmp_path: Path) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "sky.png")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "track.yaml").write_text("world: {dt: 0.01}\n", encoding="utf-8")
    text = example if "rigid: 1" in example else f"rigid: 1\n{example}"
    if "bodies:" not in text:
        text += "bodies: {ball: {shape: {circle: 0.5}}}\n"
    scene = loads(text, path=str(tmp_path / "scene.yaml"), folder=tmp_path)
    again = loads(expand(scene), path=scene.path, folder=tmp_path)
    assert again.hash == scene.hash


def test_the_reference_has_examples() -> None:
    assert len(EXAMPLES) >= 15
