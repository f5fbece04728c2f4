# SPDX-License-Identifier: MIT
"""The kinds of edits: what does each, and what each sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import messages as said
from .arranging import align, distribute
from .copying import duplicate, instance, make_prototype
from .deleting import delete
from .entries import add, collide, group, keyframe, reorder
from .joining import anchor, join, joint
from .mirroring import mirror
from .moving import move
from .outlines import combine, draw, split, vertices
from .properties import set_property, unset_property
from .renaming import rename
from .sizing import pivot, scale
from .text.draft import Draft
from .texturing import texture
from .turning import take_pose, turn
from .unrolling import unroll_all

KINDS: dict[type[said.Message], Callable[[Draft, Any], str]] = {
    said.Move: move,
    said.Turn: turn,
    said.Scale: scale,
    said.Pivot: pivot,
    said.Duplicate: duplicate,
    said.Mirror: mirror,
    said.Align: align,
    said.Distribute: distribute,
    said.Delete: delete,
    said.Rename: rename,
    said.Add: add,
    said.Draw: draw,
    said.Join: join,
    said.Set: set_property,
    said.Unset: unset_property,
    said.Vertices: vertices,
    said.Split: split,
    said.Combine: combine,
    said.Anchor: anchor,
    said.Joint: joint,
    said.Texture: texture,
    said.Keyframe: keyframe,
    said.MakePrototype: make_prototype,
    said.Instance: instance,
    said.Unroll: unroll_all,
    said.Group: group,
    said.Collide: collide,
    said.Reorder: reorder,
    said.TakePose: take_pose,
}
"""A function that makes an edit and returns its title in the list of edits."""

ON_COPIES = (
    *(said.Move, said.Turn, said.Scale, said.Align, said.Distribute, said.Set, said.Unset),
    *(said.Vertices, said.Anchor, said.Joint, said.Texture, said.TakePose),
)
"""Edits that may change one copy of a generator alone."""


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
