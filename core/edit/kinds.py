# SPDX-License-Identifier: MIT
"""The kinds of edits: what does each, and what each sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import messages as said
from .draft import Draft
from .moving import move
from .turning import take_pose, turn

KINDS: dict[type[said.Message], Callable[[Draft, Any], str]] = {
    said.Move: move,
    said.Turn: turn,
    said.TakePose: take_pose,
}
"""What does an edit; it gives the words for the list of edits."""


def absolute(message: said.Message) -> list[tuple[str, str]]:
    """The files ("" is the scene's own) and paths of values that a message replaces."""
    root = f"prototypes.{message.in_prototype}." if message.in_prototype else ""
    if isinstance(message, (said.Set, said.Unset)):
        return [("", root + message.path)]
    if isinstance(message, said.Move):
        if message.to is None:
            return []
        return [("", f"{root}{each}.position") for each in message.what[:1]]
    if isinstance(message, (said.Vertices, said.Split, said.Combine, said.Pivot)):
        return [("", f"{root}{each}") for each in message.what]
    if isinstance(message, (said.Anchor, said.Joint, said.Texture)):
        return [("", f"{root}{each}") for each in message.what]
    if isinstance(message, said.Keyframe):
        return [("", f"{root}animations.{message.animation}.tracks.{message.track}")]
    return []
