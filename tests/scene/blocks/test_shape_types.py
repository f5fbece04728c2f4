# SPDX-License-Identifier: MIT
"""The descriptions of the types of shapes: they agree with all that depends on them."""

from __future__ import annotations

from typing import get_args

from rigid2d.core.scene import loads
from rigid2d.core.scene.blocks.bodies.shape_types import SHAPE_TYPES, ShapeInput, write_outline
from rigid2d.core.scene.model import ShapeKind
from rigid2d.core.scene.schema import json_schema

from tests.rows import every_row

SPECS = [*SHAPE_TYPES.values()]
WRITTEN = {
    "circle": "circle: 0.5, offset: [1, 2]",
    "box": "box: [2, 1], radius: 0.1",
    "polygon": "polygon: [[0, 0], [2, 0], [0, 1]]",
    "regular_polygon": "regular_polygon: {sides: 5, radius: 1}",
    "capsule": "capsule: [[0, 0], [1, 0]], radius: 0.2",
    "segment": "segment: [[0, 0], [1, 0]]",
    "chain": "chain: [[0, 0], [1, 0], [2, 1]], side: right",
    "half_space": "half_space: {normal: [0.6, 0.8]}",
}


@every_row("spec", SPECS, ids=lambda spec: spec.name)
def test_each_type_is_a_key_of_shapes_and_so_are_those_beside_it(spec) -> None:
    assert {spec.name, *spec.beside, *spec.why} <= {*ShapeInput.model_fields}


def test_each_kind_of_the_engine_is_a_type_of_its_own_name() -> None:
    assert {spec.kind for spec in SPECS} == {*get_args(ShapeKind)}
    assert all(SHAPE_TYPES[kind].kind == kind for kind in get_args(ShapeKind))


def test_the_schema_has_each_type() -> None:
    choices = json_schema()["$defs"]["ShapeInput"]["oneOf"]
    assert choices == [{"required": [spec.name]} for spec in SPECS]


@every_row("spec", SPECS, ids=lambda spec: spec.name)
def test_what_is_written_out_is_the_same_shape(spec) -> None:
    def shape(text: str):
        body = f"{{type: static, shape: {{{text}}}}}"
        return loads(f"rigid: 1\nbodies: {{a: {body}}}\n").bodies["a"].shapes[0]

    first = shape(WRITTEN[spec.name])
    keys = write_outline(first)
    again = shape(", ".join(f"{key}: {_plain(value)}" for key, value in keys.items()))
    assert (again.kind, again.points, again.radius) == (first.kind, first.points, first.radius)
    assert (again.loop, again.side) == (first.loop, first.side)


def _plain(value):
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_plain(each)}' for key, each in value.items())}}}"
    if isinstance(value, bool):
        return str(value).lower()
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
