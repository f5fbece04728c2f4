"""What the pictures of a scene need to know of the state of its run."""

from __future__ import annotations

from .model import Scene
from .values.expression import compile_state


def readings(scene: Scene) -> tuple[str, ...]:
    """The state names whose values pictures need, each once."""
    names: dict[str, None] = {}
    for body in scene.bodies.values():
        if body.texture is not None and isinstance(body.texture.frame, str):
            names |= dict.fromkeys(compile_state(body.texture.frame, scene).channels)
    return tuple(names)
