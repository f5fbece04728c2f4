# SPDX-License-Identifier: MIT
"""Scenes as pictures of bodies: when their pictures begin, how many, and how large they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

from ... import limits
from ...building.images import Images
from ...building.scope import Scope
from ...model import InnerScene, Scene

LONGEST_SIDE = 256
"""Pixels of the longer side of a picture whose size is not given, if that leaves room for all."""


def inner_scene(
    name: str, given: Mapping[str, Any], fps: float | None, images: Images, scope: Scope
) -> InnerScene:
    """The scene that a texture shows; ``given`` are its keys for that, ``fps`` is None where it is
    that of the scene. Stop after a problem."""
    path, scene = images.scene(name, scope, "texture", "scene")
    if scene.compare is not None:
        message = f"`{name}` compares variants, of which a body could show one only; name another"
        raise scope.fail("unsupported", message, "texture", "scene")
    per_second = scope.context.units.time_per_second
    start = (given["start"] or 0.0) / per_second
    step = scene.world.dt / scene.units.time_per_second
    own = step * scene.world.steps
    duration = own - start if given["duration"] is None else given["duration"] / per_second
    if not duration > 0.0:
        message = f"`{name}` ends after {own:g} s; begin before that, or give a `duration`"
        raise scope.fail("out-of-range", message, "texture", "start")
    if (start + duration) / step > limits.STEPS:
        message = f"`{name}` has more than {limits.STEPS:,} steps to that time; that is the limit"
        key = "start" if given["duration"] is None else "duration"
        raise scope.fail("limit", message, "texture", key)
    rate = scene.render.fps if fps is None else fps
    if not rate > 0.0:
        raise scope.fail("out-of-range", "must be above 0", "texture", "fps")
    inner = InnerScene(path, (1, 1), start, duration, rate, given["speed"] or 1.0, scene)
    if inner.count > limits.CELLS:
        message = (
            f"`{name}` has {inner.count:,} pictures, of {duration:g} s at {rate:g} a second; the "
            f"limit is {limits.CELLS}: give it a shorter `duration` or fewer `fps`"
        )
        raise scope.fail("limit", message, "texture")
    inner = replace(inner, size=_size(inner, scene, given["pixels"]))
    width, height = inner.size
    if inner.count * width * height > limits.INNER_PIXELS:
        message = (
            f"{inner.count} pictures of {width}x{height} are more than "
            f"{limits.INNER_PIXELS // 1_000_000} million pixels, which is the limit; make them "
            "smaller, or give the texture a shorter `duration` or fewer `fps`"
        )
        raise scope.fail("limit", message, "texture", "pixels")
    images.show(inner, scope, "texture", "scene")
    return inner


def _size(inner: InnerScene, scene: Scene, given: tuple[float, float] | None) -> tuple[int, int]:
    """The size of a picture: in the shape of the scene's own where it is not given."""
    if given is not None:
        return int(given[0]), int(given[1])
    width, height = scene.render.size
    room = sqrt(limits.INNER_PIXELS / (inner.count * width * height))
    scale = min(1.0, LONGEST_SIDE / max(width, height), room)
    least = limits.INNER_SIDE[0]
    return max(int(width * scale), least), max(int(height * scale), least)
