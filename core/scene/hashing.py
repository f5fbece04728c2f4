# SPDX-License-Identifier: MIT
"""The hash of a scene's physics, without pictures, records and expectations."""

from __future__ import annotations

from hashlib import sha256

from .blocks.table import BLOCKS
from .model import Scene


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
