# SPDX-License-Identifier: MIT
"""The formats that can be imported, and their detection by content."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from .. import arguments
from ..arguments import checked, optional
from ..errors import Kind, Problem, SceneError, UsageError
from ..reading import read_bytes
from ..scene.collector import paused_collector
from ..scene.limits import FILE_BYTES
from .drafts.json_places import parse
from .drafts.places import SourceText, Value, check_size
from .drafts.result import Import
from .tiled.markup import read_markup

FORMATS = ("xmanphysics", "box2d-json", "rube", "tiled", "kinetix", "pymunk", "svg")
_HOMES = {
    "xmanphysics": "xman.project",
    "box2d-json": "box2d.exported",
    "rube": "box2d.rube",
    "tiled": "tiled.map",
    "kinetix": "kinetix",
    "svg": "svg",
}
_PROLOGUE = (
    r"\s*(?:<\?(?:(?!\?>).)*\?>|<!--(?:(?!-->).)*-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>|\s)*"
)
_MAP = re.compile(rf"{_PROLOGUE}<(map|template|tileset)\b", re.S)
_OUTERMOST = re.compile(rf"{_PROLOGUE}<(?:[\w.-]+:)?([\w.-]+)", re.S)
_SCENE = re.compile(r"^rigid\s*:\s*\d", re.M)
_IS_SCENE = (
    "this is a scene of rigid already, with nothing to convert; `rigid run` takes it as it is, and "
    "`rigid upgrade` rewrites one of an older version"
)
_KNOWN_BY = (
    "known are: xmanphysics (an object with `Bodies`), box2d-json (with `body` and `fixture`s), "
    "rube (with `metaworld`), tiled (with `layers`, or a `<map>` element), kinetix (with "
    "`env_state`), svg (an `<svg>` element)"
)


@checked(
    path=arguments.named,
    format=arguments.text,
    folder=optional(arguments.named),
    assets=optional(arguments.named),
)
def import_file(
    path: str | Path,
    format: str = "auto",
    *,
    folder: str | Path | None = None,
    assets: str | Path | None = None,
) -> Import:
    """Convert a foreign file to a scene file; nothing is written.

    ``folder`` is the folder of the scene: references to pictures in it are kept. Tilesets,
    templates and pictures that a map names are read inside ``assets``, by default the map's folder.

    Raises:
        SceneError: a problem of the file, with its place.
        UsageError: an unknown format.
    """
    _check_format(format)
    shown = str(path)
    try:
        data = read_bytes(path, FILE_BYTES)
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        reason = getattr(error, "strerror", None) or str(error)
        message = "there is no such file" if missing else f"the file cannot be read: {reason}"
        kind: Kind = "limit" if getattr(error, "errno", None) == errno.EFBIG else "file"
        raise SceneError([Problem(shown, 0, 0, "", message, kind)]) from None
    home = Path(path).parent
    return import_data(data, format, file=shown, folder=folder, home=home, assets=assets)


@checked(
    data=arguments.one_of(str, bytes),
    format=arguments.text,
    file=arguments.text,
    folder=optional(arguments.named),
    home=optional(arguments.named),
    assets=optional(arguments.named),
)
@paused_collector()
def import_data(
    data: str | bytes,
    format: str = "auto",
    *,
    file: str = "<string>",
    folder: str | Path | None = None,
    home: str | Path | None = None,
    assets: str | Path | None = None,
) -> Import:
    """Convert the content of a file; ``file`` is its name in errors, ``home`` its folder.

    The other arguments are those of ``import_file``.
    """
    _check_format(format)
    text = data if isinstance(data, str) else _decode(data, file)
    text = text.removeprefix("\ufeff")
    is_detected = format == "auto"
    if is_detected and text.lstrip().startswith("<"):
        format = "svg"
    source = SourceText(
        file,
        text,
        None if folder is None else Path(folder),
        None if home is None else Path(home),
        None if assets is None else Path(assets),
    )
    if format == "svg" and _MAP.match(text):
        format = "tiled"
    if format == "tiled" and text.lstrip().startswith("<"):
        return _importer("tiled")(read_markup(text, file, source))
    if format == "svg":
        outermost = _OUTERMOST.match(text) if is_detected else None
        if outermost and outermost[1] != "svg":
            message = f"no format has this content, `<{outermost[1][:40]}>`; {_KNOWN_BY}"
            raise SceneError([Problem(file, 1, 1, "", message, "unsupported")])
        return _importer("svg")(source)
    if is_detected and _SCENE.search(text):
        raise SceneError([Problem(file, 1, 1, "", _IS_SCENE, "unsupported")])
    value = Value(parse(text, file), source)
    check_size(value)
    if format == "auto":
        format = _detect(value)
    return _importer(format)(value)


def _importer(format: str) -> Callable[[Any], Import]:
    module = import_module(f".{_HOMES[format]}", __package__)
    return module.read  # type: ignore[no-any-return]


def _check_format(format: str) -> None:
    if format == "pymunk":
        raise UsageError(
            "pymunk has no files of its own but pickles, which may run code and are not read; "
            "hand a space to `rigid2d.core.from_pymunk(space)`"
        )
    if format != "auto" and format not in FORMATS:
        raise UsageError(f"there is no format {format!r}; known are auto, {', '.join(FORMATS)}")


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8 text (byte {data[error.start]:#04x})"
        raise SceneError([Problem(file, line, 1, "", message, "syntax")]) from None


def _detect(value: Value) -> str:
    """The format of a JSON file."""
    if not isinstance(value.data, dict):
        raise value.fail("unsupported", f"no format has this content; {_KNOWN_BY}")
    signs = {
        "xmanphysics": ("Bodies", "PhysicLevelItems", "PhysicSceneData", "Prototyps"),
        "rube": ("metaworld",),
        "tiled": ("layers", "tilewidth", "tiledversion"),
        "kinetix": ("env_state",),
        "box2d-json": ("body", "joint", "gravity"),
    }
    if "rigid" in value.data and "bodies" in value.data:
        raise value.fail("unsupported", _IS_SCENE)
    for name, keys in signs.items():
        if any(key in value.data for key in keys):
            return name
    raise value.fail("unsupported", f"no format has this content; {_KNOWN_BY}")
