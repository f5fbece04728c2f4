"""The block ``camera``: what part of the world a picture shows."""

from __future__ import annotations

from typing import Annotated, Any

from ..building.block import Block, Making
from ..building.scope import Scope
from ..building.writing import differences
from ..model import Body, Camera
from ..values.broken import Stop, is_read
from ..values.fields import Distance, Input, Positive, Rectangle, about
from ..values.kinds import OneOf
from ..values.names import Name, missing_body
from .places import check_rectangle


class CameraInput(Input):
    mode: Annotated[str, OneOf(("fit", "region", "follow"))] = about(
        "fit (default), region or follow.", "fit"
    )
    fit: Annotated[str | None, OneOf(("run", "start"))] = about(
        "fit: run (default), all that moves in the run; start, all there is at the start."
    )
    rect: Rectangle = about("region: two corners.")
    target: Annotated[Any, Name("the name of a body")] = about("follow: the body.")
    style: Annotated[str | None, OneOf(("center", "keep_in"))] = about(
        "follow: center (default) or keep_in."
    )
    margin: Distance = about("fit, follow: space around, a length.")
    zoom: Positive = about("follow: pixels per length unit.")
    bounds: Rectangle = about("follow: two corners that the view stays inside.")


_CAMERA = {
    "fit": ("fit", "margin"),
    "region": ("rect",),
    "follow": ("target", "style", "margin", "zoom", "bounds"),
}


def build_camera(given: CameraInput | None, bodies: dict[str, Body], scope: Scope) -> Camera:
    """The ``camera`` block."""
    if given is None:
        return Camera()
    mode = given.mode
    values: dict[str, Any] = {"mode": mode}
    for field in ("fit", "rect", "target", "style", "margin", "zoom", "bounds"):
        value = scope.known(getattr(given, field), field)
        if value is None:
            continue
        if is_read(mode) and is_read(value) and field not in _CAMERA[mode]:
            modes = " and ".join(each for each, names in _CAMERA.items() if field in names)
            scope.fail(
                "conflicting-keys",
                f"`{field}` belongs to the mode {modes}, but the mode is {mode}",
                field,
            )
        values[field] = value
    for field in ("rect", "bounds"):
        if field in values:
            scope.attempt(lambda: check_rectangle(values[field], scope, field), None)  # noqa: B023
    missing = not scope.report.may_mean(scope.path, str, list)
    if given.rect is None and missing and mode == "region":
        scope.fail("missing-key", "the mode region needs `rect: [[x1, y1], [x2, y2]]`")
    if given.target is None and missing and mode == "follow":
        scope.fail("missing-key", "the mode follow needs `target: <body>`")
    target = values.get("target")
    if target is not None and target not in bodies:
        if scope.report.may_have("bodies", target):
            raise Stop
        raise scope.fail("unknown-name", missing_body(target, bodies), "target", missing=target)
    return Camera(**values)


def _build(given: CameraInput | None, making: Making) -> Camera:
    return build_camera(given, dict(making.made["bodies"]), making.scope("camera"))


CAMERA = Block(
    "camera",
    CameraInput | None,
    "What part of the world a picture shows.",
    _build,
    needs=("bodies", "instances"),
    write=lambda scene: differences(scene.camera, Camera(), tuple(Camera.__dataclass_fields__)),
)
