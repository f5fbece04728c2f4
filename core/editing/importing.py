# SPDX-License-Identifier: MIT
"""Files of other programs that are dropped on the page, as prototypes of the scene."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ..errors import UsageError
from ..importers import import_data
from .outline import outline

KEPT = (
    *("vars", "bodies", "joints", "actuators", "instances", "animations"),
    *("controls", "events", "spawners", "particles"),
)
"""The blocks that a prototype may have."""
ASIDE = ("rigid", "name", "description", "tags", "units", "world", "camera", "render", "expect")
"""Blocks that are the scene's own; nothing is said of these."""
TOLD = 6
"""Greatest number of reported losses."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A file of another program.

    Attributes:
        name: a name for it, of the file's name.
        text: a scene of its own.
        prototype: its bodies and what belongs to them.
        materials: the materials that these name.
        losses: what is otherwise than there.
    """

    name: str
    text: str
    prototype: dict[str, Any]
    materials: dict[str, Any]
    losses: list[str]


def imported(file: str, data: str) -> Dropped:
    """A file, its bytes in base64, as a prototype. Raises UsageError for one that is none."""
    try:
        content = b64decode(data, validate=True)
    except (Error, ValueError):
        raise UsageError("a file that is dropped is sent as base64") from None
    name = PurePath(file.replace("\\", "/")).name or "dropped"
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            f"{name}: this is no file of another program that can be read; "
            "these are texts: SVG, Tiled, R.U.B.E., Box2D's JSON, XmanPhysics"
        ) from None
    made = import_data(text, "auto", file=name)
    tree, _ = outline(made.text)
    losses = [str(loss) for loss in made.losses[:TOLD]]
    if len(made.losses) > TOLD:
        losses.append(f"and {len(made.losses) - TOLD} more")
    kept = {key: tree[key] for key in KEPT if key in tree}
    left = [key for key in tree if key not in (*KEPT, *ASIDE, "materials")]
    if left:
        losses.append(f"left out: {', '.join(left)}")
    word = re.sub(r"\W+", "_", PurePath(name).stem).strip("_").lower() or "part"
    word = word if not word[0].isdigit() else f"part_{word}"
    return Dropped(word, made.text, kept, tree.get("materials") or {}, losses)
