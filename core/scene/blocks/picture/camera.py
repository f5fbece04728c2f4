# SPDX-License-Identifier: MIT
"""The block ``camera``: the part of the world that a picture shows, and the names in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...building.writing import differences
from ...model import Camera, CameraKey, Scene, Shake
from ...values.broken import BROKEN, Stop, is_read
from ...values.names import missing_body, wholes
from ..places import check_rectangle
from .camera_models import CameraInput, CameraKeyInput, ShakeInput

_OF_MODES = {
    "fit": ("fit", "margin", "widest", "start"),
    "region": ("rect",),
    "follow": ("target", "style", "margin", "zoom", "pixel_zoom", "bounds", "start"),
    "keys": ("keys", "bounds"),
}
_PLAIN = (
    *("fit", "start", "widest", "rect", "target", "style", "margin", "zoom", "pixel_zoom"),
    "bounds",
)
_ZOOMS = ("zoom", "pixel_zoom")
_VIEWS = ("rect", "center", "target")
SHAKE_SECONDS = 0.5


def build_camera(given: CameraInput | None, scene: Scene, scope: Scope) -> Camera:
    """The ``camera`` block."""
    if given is None:
        return Camera()
    mode = given.mode
    values: dict[str, Any] = {"mode": mode}
    for field in (*_PLAIN, "keys"):
        value = getattr(given, field)
        if value is None:
            continue
        value = scope.known(value, field) if field != "keys" else value
        of_start = field in _ZOOMS and mode == "fit" and given.start is not None
        if is_read(mode) and is_read(value) and field not in _OF_MODES[mode] and not of_start:
            modes = " and ".join(each for each, names in _OF_MODES.items() if field in names)
            scope.fail(
                "conflicting-keys",
                f"`{field}` belongs to the mode {modes}, but the mode is {mode}",
                field,
            )
        values[field] = value
    if given.zoom is not None and given.pixel_zoom is not None:
        message = "`zoom` and `pixel_zoom` are two ways to say it; keep one"
        scope.fail("conflicting-keys", message, "pixel_zoom")
    for field in ("rect", "bounds"):
        if field in values:
            scope.attempt(check_rectangle, None, values[field], scope, field)
    missing = not scope.report.may_mean(scope.path, str, list)
    if given.rect is None and missing and mode == "region":
        scope.fail("missing-key", "the mode region needs `rect: [[x1, y1], [x2, y2]]`")
    if given.target is None and missing and mode == "follow":
        scope.fail("missing-key", "the mode follow needs `target: <body>`")
    if not given.keys and given.keys is not BROKEN and missing and mode == "keys":
        scope.fail("missing-key", "the mode keys needs `keys: [[0, {rect: ...}], ...]`")
    if is_read(given.keys):
        values["keys"] = scope.attempt(lambda: _keys(given.keys or [], scene, scope), BROKEN)
    if given.shake is not None:
        values["shake"] = scope.attempt(lambda: _shakes(given.shake or [], scope), BROKEN)
    if values.get("target") is not None:
        found = _targets(values["target"], scene, scope)
        values |= {"targets": found, "target": None} if len(found) > 1 else {"target": found[0]}
    if given.start is not None:
        _check_start(given, bool(values.get("targets")), scene, scope)
    return Camera(**values)


def _targets(given: Any, scene: Scene, scope: Scope) -> tuple[str, ...]:
    """The bodies that are followed: those that are named, and those of generators, instances and
    groups."""
    names = given if isinstance(given, tuple) else (given,)
    several: Mapping[str, Sequence[str]] = {}
    if any(name not in scene.bodies for name in names):
        several = {**wholes(scene.bodies), **scene.groups}
    found: dict[str, None] = {}
    for i, name in enumerate(names):
        its = () if name is BROKEN else several.get(name, ())
        if name in scene.bodies or not its:
            _check_body(name, scene, scope, "target", *((i,) if given is names else ()))
        found |= dict.fromkeys(its or (name,))
    return tuple(found)


def _check_start(given: CameraInput, several: bool, scene: Scene, scope: Scope) -> None:
    """Report a start that other settings override."""
    known = [each is not BROKEN for each in (given.mode, given.style, given.target, given.fit)]
    if all(known) and given.mode == "follow":
        if given.style != "keep_in" or several:
            message = "`start` goes with `style: keep_in` of one body, as the others look at theirs"
            scope.fail("conflicting-keys", message, "start")
    elif all(known) and given.mode == "fit" and (given.fit == "run" or given.widest is not None):
        other = "fit" if given.fit == "run" else "widest"
        message = f"with `start` the camera stays where it is at first; it has no `{other}`"
        scope.fail("conflicting-keys", message, other)
    if is_read(given.start) and given.start == "background" and scene.render is not BROKEN:
        background = scene.render.background
        if background is None or (background is not BROKEN and background.image is None):
            message = "there is no `render.background` with an image, whose size would be shown"
            scope.fail("missing-key", message, "start")


def _check_body(name: Any, scene: Scene, scope: Scope, *at: int | str) -> None:
    if name in scene.bodies:
        return
    if name is BROKEN or scope.report.may_have("bodies", name):
        raise Stop
    message = missing_body(name, scene.bodies, scope.report.tree)
    raise scope.fail("unknown-name", message, *at, missing=name)


def _keys(given: list[CameraKeyInput], scene: Scene, scope: Scope) -> tuple[CameraKey, ...]:
    if len(given) > limits.KEYS:
        raise scope.fail("limit", f"{len(given)} keys; the limit is {limits.KEYS}", "keys")
    keys: list[CameraKey] = []
    for i, entry in enumerate(given):
        key = scope.attempt(_key, None, entry, i, scene, scope)
        if key is not None and keys and key.at <= keys[-1].at:
            scope.fail("out-of-range", "the times of keys must ascend", "keys", i)
        keys += [] if key is None else [key]
    scope.stop_if_failed()
    return tuple(keys)


def _key(entry: CameraKeyInput, i: int, scene: Scene, scope: Scope) -> CameraKey:
    values = scope.values_of(entry, "keys", i)
    scope.need(entry, "keys", i)
    shown = [name for name in _VIEWS if name in values]
    if len(shown) != 1:
        message = "a key shows one of `rect`, `center` and `target`"
        kind: Any = "conflicting-keys" if shown else "missing-key"
        raise scope.fail(kind, message, "keys", i)
    if shown == ["rect"] and "width" in values:
        message = "`width` goes with `center` or `target`; a `rect` has its own"
        raise scope.fail("conflicting-keys", message, "keys", i, "width")
    if "rect" in values:
        check_rectangle(values["rect"], scope, "keys", i, "rect")
    if "target" in values:
        _check_body(values["target"], scene, scope, "keys", i, "target")
    return CameraKey(**values)


def _shakes(given: list[ShakeInput], scope: Scope) -> tuple[Shake, ...]:
    shakes = []
    for i, entry in enumerate(given):
        values = scope.values_of(entry, "shake", i)
        scope.need(entry, "shake", i)
        values.setdefault("duration", SHAKE_SECONDS * scope.context.units.time_per_second)
        shakes.append(Shake(**values))
    return tuple(shakes)


def _build(given: CameraInput | None, build_context: BuildContext) -> Camera:
    return build_camera(given, build_context.scene, build_context.scope("camera"))


def _write(camera: Camera) -> dict[str, Any]:
    names = (name for name in Camera.__dataclass_fields__ if name not in ("targets", "keys"))
    values = differences(camera, Camera(), tuple(names))
    if camera.targets:
        values["target"] = camera.targets
    if camera.keys:
        values["keys"] = [_fields(key, CameraKey(key.at)) for key in camera.keys]
    if camera.shake:
        values["shake"] = [
            {"duration": shake.duration, "amplitude": shake.amplitude}
            | _fields(shake, Shake(shake.at, shake.amplitude, shake.duration))
            for shake in camera.shake
        ]
    return values


def _fields(value: Any, default: Any) -> dict[str, Any]:
    """Settings of a camera move that begins at a time."""
    return {"at": value.at, **differences(value, default, tuple(value.__dataclass_fields__))}


CAMERA = BlockSpec(
    CameraInput | None,
    _build,
    write=lambda scene: _write(scene.camera),
)
