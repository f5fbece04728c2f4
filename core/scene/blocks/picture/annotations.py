# SPDX-License-Identifier: MIT
"""The block ``annotations``: texts and drawings beside the bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ... import limits
from ...building.block import BlockSpec
from ...building.images import Fonts
from ...building.scope import Scope
from ...building.writing import differences, named_file
from ...model import Annotation, Scene
from ...values.broken import BROKEN
from .annotation_builder import AnnotationBuilder
from .annotation_types import ANNOTATION_TYPES, AnnotationInput

_TYPES_WITH = {
    name: types
    for name in AnnotationInput.model_fields
    if (types := [each.name for each in ANNOTATION_TYPES.values() if name in each.fields])
}
"""The types that have a field, for fields that not all have."""
_SAME = tuple(
    name
    for name in AnnotationInput.model_fields
    if name in Annotation.__dataclass_fields__ and name not in (*ANNOTATION_TYPES, "font")
)
"""The fields that an ``Annotation`` has as they are written."""


def build_annotations(
    given: Sequence[AnnotationInput] | None, scene: Scene, scope: Scope, fonts: Fonts
) -> tuple[Annotation, ...]:
    """The annotations of a scene whose bodies and joints are known; Stop after a problem."""
    entries = () if given is None or given is BROKEN else given
    if len(entries) > limits.ANNOTATIONS:
        message = f"{len(entries)} annotations; the limit is {limits.ANNOTATIONS}"
        raise scope.fail("limit", message)
    made = []
    for i, entry in enumerate(entries):
        before = entries[i - 1] if i else None
        builder = AnnotationBuilder(i, scene, scope, before if before is not BROKEN else None)
        one = scope.attempt(_build, None, builder, entry, fonts)
        made += [] if one is None else [one]
    scope.stop_if_failed()
    return tuple(made)


def _build(builder: AnnotationBuilder, given: AnnotationInput, fonts: Fonts) -> Annotation:
    """The one annotation that an entry says."""
    said = builder.scope.values_of(given, builder.index)
    kinds = [kind for kind in ANNOTATION_TYPES if getattr(given, kind) is not None]
    if len(kinds) != 1:
        message = f"an annotation is one of {', '.join(ANNOTATION_TYPES)}"
        raise builder.fail("conflicting-keys" if kinds else "missing-key", message)
    spec = ANNOTATION_TYPES[kinds[0]]
    for name, types in _TYPES_WITH.items():
        if getattr(given, name) is not None and spec.name not in types:
            message = f"`{name}` goes with {' and '.join(types)}"
            raise builder.fail("conflicting-keys", message, name)
    values: dict[str, Any] = {name: said[name] for name in _SAME if name in said}
    if "from_" in said:
        values["start"] = said["from_"]
    if not values.get("start", 0.0) < values.get("until", math.inf):
        raise builder.fail("out-of-range", "`until` must be after `from`", "until")
    if given.while_ is not None:
        builder.expression(given.while_, "while", truth=True)
        values["condition"] = given.while_
    if given.font is not None:
        values["font"] = fonts.find(given.font, builder.scope, builder.index, "font")
    if given.follow is not None:
        builder.place(given.follow, "follow")
    caption = getattr(given, spec.caption)
    if caption is not None:
        values["text"] = builder.template(caption, spec.caption)
    return Annotation(spec.name, **{**values, **spec.build(builder, given)})


def _write(annotation: Annotation, scene: Scene) -> dict[str, Any]:
    spec = ANNOTATION_TYPES[annotation.kind]
    values = spec.write(annotation)
    if annotation.text:
        values[spec.caption] = annotation.text
    same = tuple(name for name in _SAME if spec.name in _TYPES_WITH.get(name, ANNOTATION_TYPES))
    values |= differences(annotation, Annotation(spec.name), same)
    if annotation.font is not None:
        values["font"] = named_file(annotation.font, scene)
    if annotation.start:
        values["from"] = annotation.start
    if annotation.condition:
        values["while"] = f"={annotation.condition}"
    return values


ANNOTATIONS = BlockSpec(
    list[AnnotationInput] | None,
    lambda given, build_context: build_annotations(
        given, build_context.scene, build_context.scope("annotations"), build_context.fonts
    ),
    write=lambda scene: [_write(annotation, scene) for annotation in scene.annotations],
)
