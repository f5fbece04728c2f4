# SPDX-License-Identifier: MIT
"""The descriptions of the types of annotations: they agree with all that depends on them."""

from __future__ import annotations

from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.blocks.picture.annotation_types import ANNOTATION_TYPES, AnnotationInput
from rigid2d.core.scene.schema import json_schema

from tests.rows import every_row

SPECS = [*ANNOTATION_TYPES.values()]
OF_ALL = ["size", "color", "font", "from_", "until", "while_"]
"""The fields that all types have."""
WRITTEN = {
    "text": ["{text: a, at: [0, 1], from: 1}", '{text: "{a.x:.1f}", follow: a, while: =a.x > 0}'],
    "vector": [
        "{vector: a.velocity, label: v, scale: 2}",
        "{vector: [a.x, =2*a.y], at: [1, 0]}",
        "{vector: a.contact.with(b).friction_force, show: value, components: 30}",
        "{vector: a.net_force, components: '0.5 rad'}",
    ],
    "free_body": ["{free_body: a, show: both, components: a}", "{free_body: a, at: [1, 2]}"],
    "scale_bar": ["{scale_bar: force, scale: 0.1, corner: top}", "{scale_bar: momentum, label: p}"],
    "dimension": ["{dimension: [a, [1, 2]], label: '{a.x}', offset: 0.5, until: 3}"],
    "plot": [
        "{plot: [a.x, =2*a.y], corner: top, seconds: 2, range: [0, 1]}",
        "{plot: phase, x: a.x, y: =a.y, color: red, x_label: right, x_unit: cm, x_range: [0, 1]}",
        "{plot: [a.x, a.y], names: [x, y], label: place, unit: cm, legend: ends, strip: below}",
        "{plot: a.x, corner: auto, width: 200, height: 90, seconds: run, range: shown}",
    ],
}


def test_the_keys_of_the_types_come_first_and_each_other_field_belongs_to_some() -> None:
    named = {name for spec in SPECS for name in spec.fields}
    assert [*AnnotationInput.model_fields][: len(SPECS)] == [spec.name for spec in SPECS]
    others = [*AnnotationInput.model_fields][len(SPECS) :]
    assert named <= {*others}
    assert [name for name in others if name not in named] == OF_ALL


def test_the_schema_has_each_type() -> None:
    properties = [*json_schema()["$defs"]["AnnotationInput"]["properties"]]
    assert properties[: len(SPECS)] == [*ANNOTATION_TYPES]


@every_row("spec", SPECS, ids=lambda spec: spec.name)
def test_what_is_written_out_is_the_same_annotation(spec) -> None:
    entries = "".join(f"  - {entry}\n" for entry in WRITTEN[spec.name])
    body = "bodies: {a: {shape: {circle: 1}}, b: {shape: {circle: 1}, position: [3, 0]}}\n"
    scene = loads(f"rigid: 1\n{body}annotations:\n{entries}")
    assert [each.kind for each in scene.annotations] == [spec.name] * len(WRITTEN[spec.name])
    assert loads(expand(scene)).annotations == scene.annotations
