# SPDX-License-Identifier: MIT
"""Pictures of sheets for a live page, which chooses them by the time and the engine's readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..compiled.readings import Readings
from ..render.canvas.sheets import Sprite
from ..scene.model import Scene


def sprite_sources(scene: Scene) -> Iterator[str]:
    """The expressions that choose the pictures of textures."""
    for body in scene.bodies.values():
        if body.texture is not None:
            if isinstance(body.texture.frame, str):
                yield body.texture.frame
            yield body.texture.mirror_while


def sprites_of(sprites: Mapping[int, Sprite], readings: Readings) -> list[dict[str, Any]]:
    """Which picture each item shows whose picture changes; ``chosen`` and ``mirrored`` are places
    of readings, -1 for none."""
    return [_sprite(item, sprite, readings) for item, sprite in sprites.items()]


def _sprite(item: int, sprite: Sprite, readings: Readings) -> dict[str, Any]:
    texture = sprite.texture
    chosen = texture.frame if isinstance(texture.frame, str) else ""
    return {
        "item": item,
        "pictures": sprite.pictures,
        "chosen": readings.places.get(chosen, -1),
        "mirrors": sprite.mirrored is not None,
        "mirrored": readings.places.get(texture.mirror_while, -1),
        "frame": 0.0 if chosen else texture.frame,
        "rate": sprite.seconds * texture.fps,
        "loop": texture.loop,
    }


def unread(scene: Scene, readings: Readings) -> list[str]:
    """The places of textures whose expressions only Python evaluates."""
    return [
        f"bodies.{name}.texture.{part}"
        for name, body in scene.bodies.items()
        if body.texture is not None
        for part, source in (
            ("frame", body.texture.frame),
            ("mirror_while", body.texture.mirror_while),
        )
        if isinstance(source, str) and source and source not in readings.places
    ]
