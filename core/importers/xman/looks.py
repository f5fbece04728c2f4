# SPDX-License-Identifier: MIT
"""Textures, backgrounds and the camera in the levels of document 000's editor (parts 7 and 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...scene.values.colors import parse_color
from ..drafts.draft import Draft, Entry
from ..drafts.geometry import rounded
from ..drafts.places import Value
from .values import XmanBodies, vector

_BEHIND = -1000
"""The layer of the image of a whole level; its items are above -200."""


def put_picture(draft: Draft, entry: Entry, value: Value, name: str = "") -> bool:
    """The texture that a `TextureExportData` says, if its picture is there."""
    file = value.text("TextureFile")
    if not file:
        return False
    try:
        texture: Entry = {"file": draft.pictures.find(file)}
    except ValueError as error:
        draft.lose(value, str(error), name)
        return False
    width, height = value.number("Width"), value.number("Height")
    if width > 0 and height > 0:
        offset = [value.number("DeltaX"), value.number("DeltaY")]
        texture |= {"offset": offset, "size": [width, height]}
    if angle := value.number("DeltaAngle"):
        texture["angle"] = angle
    if tint := _color(value):
        texture["tint"] = tint
    if value.truth("MakeFirstPixelTransparent"):
        texture["color_key"] = "first_pixel"
    entry["texture"] = texture
    return True


def _color(value: Value) -> str:
    """`ColorFactor`, by its name or as "255, 128, 0", "255, 255, 128, 0"; empty for white."""
    given = value.text("ColorFactor").strip().lower()
    parts = [part.strip() for part in given.split(",")]
    if len(parts) in (3, 4) and all(re.fullmatch(r"\d{1,3}", part) for part in parts):
        numbers = [min(int(part), 255) for part in parts]
        opacity, rgb = (numbers[0], numbers[1:]) if len(numbers) == 4 else (255, numbers)
        given = "#" + "".join(f"{number:02x}" for number in (*rgb, opacity))
    try:
        white = parse_color(given) == (255, 255, 255, 255)
    except ValueError:
        return ""
    return "" if white else given


def add_textures(bodies: XmanBodies, given: Sequence[Value]) -> None:
    """One texture for each body of the scene, in their order."""
    for body, value in zip(bodies.given[bodies.first :], given, strict=False):
        entry = bodies.draft.bodies[body.name]
        if value.truth("IsInvisible"):
            entry["visible"] = False
        elif z := value.number("ZValue"):
            entry["z"] = z
        put_picture(bodies.draft, entry, value, body.name)


# ---------------------------------------------------------------- backgrounds


def add_background(draft: Draft, value: Value) -> None:
    """The image behind a level: a name with a mode beside it, or both in one."""
    held = value.get("BackgroundImage")
    if held is None or held.data in ("", {}):
        return
    inner = isinstance(held.data, dict)
    file = held.text("FileName") if inner else value.text("BackgroundImage")
    if not file:
        return
    mode = held.whole("Mode") if inner else value.whole("BackgroundImageMode")
    try:
        name = draft.pictures.find(file)
    except ValueError as error:
        draft.lose(held, str(error))
        return
    if mode == 2:  # at its own size, with a corner at the origin
        width, height = draft.pictures.size(name)
        _add_layer(draft, name, [width / 2, height / 2], 1.0, _BEHIND)
    else:
        fit = "contain" if mode == 1 else "stretch"
        draft.fields["render"] = {"background": {"image": name, "fit": fit}}


def _add_layer(draft: Draft, name: str, at: list[float], scale: float, z: float) -> None:
    layer = {"image": name, "at": rounded(at), "scale": rounded(scale), "z": z}
    draft.fields.setdefault("layers", []).append(layer)


def add_background_item(
    draft: Draft, value: Value, middle: tuple[float, float], width: float, angle: float
) -> None:
    """An image that belongs to the world and moves with nothing, so many pixels wide."""
    z = value.number("ZValue")
    try:
        name = draft.pictures.find(value.text("TextureFile"))
    except ValueError as error:
        draft.lose(value, str(error))
        return
    if angle % 360:
        draft.lose(value, "a background that is turned is upright")
    scale = width / draft.pictures.size(name)[0]
    if scale > 0:
        _add_layer(draft, name, list(middle), scale, z)


def add_background_items(draft: Draft, value: Value) -> None:
    """`BackgroundItems` as the simulator gets them, with their places worked out."""
    for each in value.items("BackgroundItems"):
        width, angle = each.number("Width"), each.number("AngleInDegree")
        add_background_item(draft, each, vector(each, "Center"), width, angle)


# ---------------------------------------------------------------- the camera


def add_camera(draft: Draft, value: Value, items: dict[int, list[str]]) -> None:
    """The camera follows an item, whose bodies ``items`` has by its `LevelItemId`."""
    tracker = value.get("CameraTrackerData")
    number = value.whole("CameraTrackedLevelItemId", default=-1)
    active = tracker is not None and tracker.truth("IsActive", default=True)
    if number == -1 or tracker is None or not active:
        if value.truth("UseCameraAutoZoom"):
            draft.fields["camera"] = {"mode": "fit", "fit": "start"}
        return
    bodies = items.get(number, [])
    if not bodies:
        held = value.need("CameraTrackedLevelItemId")
        draft.lose(held, f"the camera follows the item {number}, which has no body")
        return
    centered = tracker.whole("Mode") == 1
    camera: Entry = {"mode": "follow", "target": bodies[0] if len(bodies) == 1 else bodies}
    if len(bodies) == 1:
        camera["style"] = "center" if centered else "keep_in"
    zoom = tracker.number("CameraZoom", default=1.0)
    if zoom > 0:
        camera["zoom"] = zoom
        margin = tracker.number("DistanceToScreenBorder", default=50.0)
        if not centered and margin >= 0:
            camera["margin"] = margin
    if (border := tracker.get("MaxBorder")) is not None:
        camera["bounds"] = _corners(border)
    draft.fields["camera"] = camera
    draft.lose(tracker, "the camera follows at once, and not by a spring")


def _corners(border: Value) -> list[list[float]]:
    """A rectangle `{"X": , "Y": , "Width": , "Height": }`, or a text of these."""
    names = ("X", "Y", "Width", "Height")
    if isinstance(border.data, str):
        try:
            x, y, width, height = (float(part) for part in border.data.split(","))
        except ValueError:
            raise border.fail("wrong-type", 'must be a rectangle: "x, y, width, height"') from None
    else:
        x, y, width, height = (border.need(name).as_number() for name in names)
    return [[x, y], [x + width, y + height]]
