# SPDX-License-Identifier: MIT
"""The blocks ``layers`` and ``minimap``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import limits
from ...building.block import BlockSpec
from ...building.images import Images
from ...building.scope import Scope
from ...building.writing import differences, named_file
from ...model import PIXEL, ImageLayer, Minimap, Scene
from ...values.broken import BROKEN, Stop
from ...values.kinds import nearest
from ..places import check_rectangle
from .layer_models import LayerInput, MinimapInput


def build_layers(
    given: Sequence[LayerInput] | None, images: Images, length_unit: float, scope: Scope
) -> tuple[ImageLayer, ...]:
    """The layers; Stop after a problem."""
    entries = () if given is None or given is BROKEN else given
    if len(entries) > limits.LAYERS:
        message = f"{len(entries)} layers; the limit is {limits.LAYERS}"
        raise scope.fail("limit", message)
    made = []
    for i, entry in enumerate(entries):
        layer = scope.attempt(_layer, None, entry, i, images, length_unit, scope)
        made += [] if layer is None else [layer]
    scope.stop_if_failed()
    return tuple(made)


def _layer(
    entry: LayerInput, i: int, images: Images, length_unit: float, scope: Scope
) -> ImageLayer:
    values = scope.values_of(entry, i)
    scope.need(entry, i)
    values["image"] = images.find(values["image"], scope, i, "image")
    values.setdefault("scale", PIXEL * length_unit)
    return ImageLayer(**values)


def build_minimap(given: MinimapInput | None, scene: Scene, scope: Scope) -> Minimap | None:
    """Build the minimap, None without one; Stop after a problem."""
    if given is None:
        return None
    values = scope.values_of(given)
    if "rect" in values:
        check_rectangle(values["rect"], scope, "rect")
    tags = {tag for body in scene.bodies.values() if body is not BROKEN for tag in body.tags}
    for i, name in enumerate(values.get("also", ())):
        if name in scene.bodies or name in tags or scene.reacts:
            continue  # it may come while the scene runs
        if scope.report.may_have("bodies", name):
            raise Stop
        hint = nearest(name, [*scene.bodies, *tags])
        message = f"no body has the name or the tag `{name}`; {hint}"
        scope.fail("unknown-name", message, "also", i, missing=name)
    scope.stop_if_failed()
    return Minimap(**values)


def _write_layer(layer: ImageLayer, scene: Scene) -> dict[str, Any]:
    names = ("at", "parallax", "repeat", "tint", "z")
    image = {"image": named_file(layer.image, scene), "scale": layer.scale}
    return image | differences(layer, ImageLayer(""), names)


def _write_minimap(minimap: Minimap | None) -> dict[str, Any] | None:
    if minimap is None:
        return None
    return {"corner": minimap.corner, **differences(minimap, Minimap(), ("rect", "size", "also"))}


LAYERS = BlockSpec(
    list[LayerInput] | None,
    lambda given, build_context: build_layers(
        given,
        build_context.images,
        build_context.made["world"].length_unit,
        build_context.scope("layers"),
    ),
    write=lambda scene: [_write_layer(layer, scene) for layer in scene.layers],
)
MINIMAP = BlockSpec(
    MinimapInput | None,
    lambda given, build_context: build_minimap(
        given, build_context.scene, build_context.scope("minimap")
    ),
    write=lambda scene: _write_minimap(scene.minimap),
)
