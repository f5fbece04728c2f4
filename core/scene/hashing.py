# SPDX-License-Identifier: MIT
"""The hash of a scene's physics, without pictures, records and expectations."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

from .blocks.table import BLOCKS
from .model import Scene


class Identity:
    """The hash of a scene, computed when it is first asked for."""

    def __init__(self, scene: Scene | None, known: str = "") -> None:
        self._scene, self._hash = scene, known

    def __str__(self) -> str:
        if self._scene is not None:
            self._hash, self._scene = physics_hash(self._scene), None
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Identity, (None, str(self))


def identified(scene: Scene) -> Scene:
    """The scene with the identity that its physics has now."""
    return replace(scene, identity=Identity(scene))


def physics_hash(scene: Scene) -> str:
    """64 hexadecimal digits; equal for scenes whose bodies move alike, step by step."""
    digest = sha256()
    parts: list[object] = [scene.units.length, scene.units.time, scene.units.y]
    for block in BLOCKS:
        parts += block.hash_parts(scene)
    digest.update(repr(parts).encode())
    for block in BLOCKS:
        for piece in block.hash_pieces(scene):
            digest.update(piece)
    if not scene.decides:
        return digest.hexdigest()
    from .camera_names import acts_by_camera

    if acts_by_camera(scene):
        shown = scene.camera, scene.render.size, scene.render.background
        digest.update(f"camera {shown!r}".encode())
    return digest.hexdigest()
