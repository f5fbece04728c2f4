# SPDX-License-Identifier: MIT
"""The reference page says what is built, and its examples work."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copy

from PIL import Image
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.blocks.scene import SceneInput
from rigid2d.core.scene.values.fields import Input, said_of
from rigid2d.core.scene.values.functions import FUNCTIONS
from rigid2d.core.scene.values.state_words import (
    BODY_STATES,
    JOINT_STATES,
    POINT_STATES,
    WORLD_STATES,
)
from rigid2d.core.scene.values.units import PIXEL, UNITS

from tests.rows import every_row

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "scene-format.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def models(base: type[Input] = Input) -> list[type[Input]]:
    """Every input model that is used."""
    assert SceneInput.model_fields
    found = []
    for model in base.__subclasses__():
        parts = ("SurfaceFields", "RepeatedInput")  # of other models only
        found += [*models(model)] if model.__name__ in parts else [model, *models(model)]
    return found


@every_row("model", models(), ids=lambda model: model.__name__)
def test_each_field_of_a_model_appears_in_the_reference(model: type[Input]) -> None:
    for name, field in model.model_fields.items():
        assert f"`{field.alias or name}`" in PAGE


# Where the table of a model's fields stands: after which line, and how its first column is called.
TABLES = {
    "SceneInput": "## Top level",
    "UnitsInput": "long form says each on its own",
    "WorldInput": "## World",
    "SolverInput": "The fields of `solver`:",
    "MaterialInput": "## Materials",
    "DefaultsInput": "## Defaults",
    "BodyInput": "## Bodies",
    "TextureInput": "## Textures",
    "CollisionInput": "## Collision",
    "JointInput": "## Joints",
    "MotorInput": "The fields of `motor`;",
    "SpringInput": "The fields of `spring`;",
    "ActuatorInput": "## Actuators",
    "ProbeInput": "## Probes",
    "PrototypeInput": "| field of a prototype |",
    "InstanceInput": "| field of an instance |",
    "CameraInput": "## Camera",
    "CameraKeyInput": "The fields of a key of the camera.",
    "RenderInput": "## Render",
    "EnergyInput": "The fields of `energy`:",
    "LayerInput": "## Layers",
    "MinimapInput": "A `minimap` shows all",
    "DestroyInput": "The fields of a `destroy`.",
    "EmitterInput": "## Particles",
    "AnnotationInput": "## Annotations",
    "CompareInput": "## Variants in one picture",
    "VariantInput": "The fields of a variant.",
    "RecordInput": "## Record",
    "TaskInput": "## Task",
    "StudyInput": "## Study",
    "AxisInput": "| field of what is varied |",
}


def table(start: str) -> list[list[str]]:
    """The cells of the first table after a text of the page; the first row is the heading."""
    at = PAGE.index(f"\n{start}" if start.startswith("#") else start)
    rows = re.search(r"(?:^\|.*\n)+", PAGE[at:], re.MULTILINE)
    assert rows
    lines = [line.strip("|").split(" | ") for line in rows[0].splitlines()]
    return [[cell.strip() for cell in line] for line in lines if not line[0].startswith("---")]


def with_tables() -> list[type[Input]]:
    return [model for model in models() if model.__name__ in TABLES]


def test_the_tables_are_of_models_that_there_are() -> None:
    assert {model.__name__ for model in with_tables()} == TABLES.keys()


@every_row("model", with_tables(), ids=lambda model: model.__name__)
def test_a_table_of_the_reference_lists_the_fields_of_its_model(model: type[Input]) -> None:
    rows = table(TABLES[model.__name__])[1:]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(named) == sorted(said_of(model))


# Whose column of types lists them one by one.
WITH_TYPES = [model for model in with_tables() if model.__name__ in ("JointInput", "ActuatorInput")]


@every_row("model", WITH_TYPES, ids=lambda model: model.__name__)
def test_a_table_of_the_reference_says_which_types_have_a_field(model: type[Input]) -> None:
    heading, *rows = table(TABLES[model.__name__])
    column = heading.index("for")
    types = {kind for said in said_of(model).values() for kind in said.of}
    for row in rows:
        for name in re.findall(r"`(\w+)`", row[0]):
            if not row[column].startswith("all"):
                of = set(re.findall(r"\w+", row[column])) & types
                assert of == set(said_of(model)[name].of), name


@every_row("model", models(), ids=lambda model: model.__name__)
def test_each_field_of_a_model_has_a_description(model: type[Input]) -> None:
    assert all(said.text for said in said_of(model).values())


@every_row("names", [BODY_STATES, POINT_STATES, JOINT_STATES, WORLD_STATES])
def test_each_state_name_appears_in_the_reference(names: tuple[str, ...]) -> None:
    for name in names:
        assert re.search(rf"[a-z`]\.?{name}`", PAGE)


def test_each_function_and_each_unit_appears_in_the_reference() -> None:
    for name in FUNCTIONS:
        assert re.search(rf"\b{name}\b", PAGE)
    for unit in (*UNITS, PIXEL):
        assert f"`{unit}`" in PAGE


@every_row("example", EXAMPLES, ids=[str(i + 1) for i in range(len(EXAMPLES))])
def test_an_example_of_the_reference_loads(example: str, tmp_path: Path) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "sky.png")
    copy(ROOT / "scenes" / "shapes" / "drawings" / "toys.svg", tmp_path)
    copy(ROOT / "scenes" / "stacking" / "temple.csv", tmp_path / "bricks.csv")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "track.yaml").write_text("world: {dt: 0.01}\n", encoding="utf-8")
    ramp = "vars: {length: 1, slope: 0}\nbodies: {ramp: {shape: {box: [=length, 1]}}}\n"
    (tmp_path / "parts" / "ramp.yaml").write_text(ramp, encoding="utf-8")
    text = example if "rigid: 1" in example else f"rigid: 1\n{example}"
    if "bodies:" not in text:
        text += "bodies: {ball: {shape: {circle: 0.5}}}\n"
    scene = loads(text, path=str(tmp_path / "scene.yaml"), folder=tmp_path)
    again = loads(expand(scene), path=scene.path, folder=tmp_path)
    assert again.hash == scene.hash


def test_the_reference_has_examples() -> None:
    assert len(EXAMPLES) >= 15
