# SPDX-License-Identifier: MIT
"""Small pictures of prototypes for the palette."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from ..errors import RigidError, UsageError
from ..play.session import Session
from ..render import Renderer
from ..scene import loads
from ..scene.basis import basis_of
from ..scene.text.flow import flow
from ..view.boxes import BodyBoxes, is_somewhere, merged
from ..world import World
from .outline import outline

LARGEST = 1024
"""Pixels of the longer side of an image that is shown."""
MOST_PIXELS = 1 << 26
SIDE = 96
"""Pixels of a picture."""
NEEDED = ("rigid", "units", "vars", "materials", "defaults", "prototypes", "include", "collision")
"""The blocks that a prototype may need."""


def prototypes_of(session: Session) -> list[str]:
    """The prototypes of a scene, also those of the files that it includes."""
    basis = None if session.scene is None else basis_of(session.scene)
    builder = None if basis is None else basis.prototype_builder
    return [] if builder is None else [*builder.trees]


def image_of(path: Path, name: str) -> dict[str, Any]:
    """An image file as an address that holds it, no larger than pages show it, and its size."""
    try:
        with Image.open(path) as image:
            size = image.size
            if size[0] * size[1] > MOST_PIXELS:
                raise UsageError(f"{name}: {size[0]} by {size[1]} pixels are too many to be shown")
            image.thumbnail((LARGEST, LARGEST))
            shown = image.convert("RGBA")
    except (OSError, ValueError, SyntaxError):
        raise UsageError(f"{name}: this is no image of pixels that can be shown") from None
    return {"picture": _address(shown), "size": list(size)}


def _address(image: Image.Image) -> str:
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode('ascii')}"


def picture_of(session: Session, name: str, theme: str) -> dict[str, Any]:
    """A PNG of a prototype, as an address that holds it; an empty one where it has no look."""
    tree, _ = outline(session.source.text)
    if name not in (tree.get("prototypes") or {}) and name not in prototypes_of(session):
        raise UsageError(f"the scene has no prototype {name}")
    alone = {key: tree[key] for key in NEEDED if key in tree}
    alone["instances"] = {"shown": {"use": name}}
    if theme:
        alone["render"] = {"theme": theme}
    try:
        scene = loads(flow(alone), folder=session.source.path.parent)
        frame = World(scene).frame(False)
        image = Renderer(scene, size=(SIDE, SIDE)).draw(frame)
    except RigidError:
        return {"picture": "", "middle": [0, 0]}
    box = merged(BodyBoxes(scene).of(frame))
    middle = [0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3])] if is_somewhere(box) else [0, 0]
    return {
        "middle": middle,
        "picture": _address(Image.fromarray(image)),
    }
