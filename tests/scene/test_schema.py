# SPDX-License-Identifier: MIT
"""The JSON Schema: it agrees with the loader on what is a scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from rigid2d.core.scene import json_schema
from rigid2d.core.scene.text.yaml_reader import Reader

from tests.rows import every_row
from tests.scene.malformed_scenes import BY_NAME

ROOT = Path(__file__).parents[2]
SCENES = sorted(path for path in (ROOT / "scenes").rglob("*.yaml") if "parts" not in path.parts)


@pytest.fixture(scope="module")
def validator() -> Draft7Validator:
    schema = json_schema()
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def tree(text: str) -> Any:
    return Reader().read(text, "test")


@every_row("path", SCENES, ids=lambda path: path.stem)
def test_an_example_scene_is_valid(validator: Draft7Validator, path: Path) -> None:
    errors = list(validator.iter_errors(tree(path.read_text(encoding="utf-8"))))
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


@every_row(
    "text",
    [
        "rigid: 1\nunits: screen\nbodies: {a: {shape: {circle: =r}, angle: '1 rad'}}",
        "rigid: 1\nunits: {length: cm}\ndefaults: {material: {friction: 1}}",
        "rigid: 1\nrender: {background: white}",
        "rigid: 1\nrender: {background: {image: sky.png}}",
        "rigid: 1\nbodies: {a: {repeat: {i: =n, j: [1, 2]}, when: =i > j, shape: {box: [1, =i]}}}",
        "rigid: 1\njoints: {j: {type: distance, length: auto, break: {force: '3 N'}}}",
        "rigid: 1\nexpect: [{at: end, that: =a.x > 0}, {always: =a.x > 0}]",
    ],
)
def test_all_forms_of_values_are_valid(validator: Draft7Validator, text: str) -> None:
    assert not list(validator.iter_errors(tree(text)))


@every_row(
    "name",
    [
        "no_version",
        "version_2",
        "unknown_top_key",
        "body_unknown_key",
        "two_shapes",
        "shape_empty",
        "circle_negative",
        "box_three",
        "polygon_two",
        "joint_type_unknown",
        "camera_mode",
        "render_size_zero",
        "density_zero",
        "units_bad_length",
    ],
)
def test_a_malformed_scene_is_not_valid(validator: Draft7Validator, name: str) -> None:
    text = BY_NAME[name].content.decode()
    assert list(validator.iter_errors(tree(text)))


def test_every_field_is_described() -> None:
    schema = json_schema()
    for definition in [schema, *schema["$defs"].values()]:
        for field in definition.get("properties", {}).values():
            assert field["description"]


def test_no_default_of_a_field_gets_into_what_an_expression_is() -> None:
    shared = [part for part in parts(json_schema()) if part.get("description") == "an expression"]
    assert shared
    assert not any("default" in part for part in shared)


def parts(schema: Any) -> list[dict[str, Any]]:
    """Every mapping in a schema."""
    inner = list(schema.values()) if isinstance(schema, dict) else schema
    found = [schema] if isinstance(schema, dict) else []
    for each in inner if isinstance(inner, list) else []:
        found += parts(each) if isinstance(each, (dict, list)) else []
    return found


def fields() -> list[tuple[str, str, Any]]:
    """All fields of the schema: whose, which, and what is said of it."""
    schema = json_schema()
    owners = {"": schema, **schema["$defs"]}
    return [
        (name, key, field)
        for name, owner in owners.items()
        for key, field in owner.get("properties", {}).items()
    ]


def test_every_field_of_every_block_is_described() -> None:
    assert len(fields()) > 400
    assert [f"{name}.{key}" for name, key, field in fields() if not field.get("description")] == []


def test_every_field_of_every_block_has_an_example_that_it_may_hold() -> None:
    definitions = json_schema()["$defs"]
    wrong = []
    for name, key, field in fields():
        check = Draft7Validator({**field, "$defs": definitions})
        examples = field.get("examples", [])
        wrong += [f"{name}.{key}"] if not examples else []
        wrong += [f"{name}.{key}: {each}" for each in examples if not check.is_valid(each)]
    assert wrong == []


def test_every_model_has_an_example_that_is_one() -> None:
    definitions = json_schema()["$defs"]
    wrong = []
    for name, model in definitions.items():
        if "properties" not in model:
            continue
        check = Draft7Validator({**model, "$defs": definitions})
        wrong += [f"{name}: {each}" for each in model["examples"] if not check.is_valid(each)]
    assert wrong == []
