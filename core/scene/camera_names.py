# SPDX-License-Identifier: MIT
"""Names of the camera's view, ``camera.left``, in what a scene does, records and checks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from typing import Any

from .model import Scene
from .values.state_words import CAMERA_STATES

_NAME = re.compile(r"(?<![\w.\]$])camera\.(?:" + "|".join(CAMERA_STATES) + r")\b(?!\s*[(.\[])")
_DOING = ("events", "spawners", "controls", "inputs", "outcome", "probes")
"""The blocks whose expressions decide what is done in a run."""
_TELLING = ("record", "expect", "annotations", "task", "study")


def acts_by_camera(scene: Scene) -> bool:
    """Whether what is done in a run may depend on the camera's view."""
    return _may(scene) and any(_named(_doing(scene)))


def reads_camera(scene: Scene) -> bool:
    """Whether a scene has an expression with the camera's view at all."""
    if not _may(scene):
        return False
    told = [getattr(scene, key) for key in _TELLING]
    textures = [each.texture for each in scene.bodies.values() if each.texture is not None]
    return any(_named((*_doing(scene), *told, textures)))


def names_camera(tree: Any) -> bool:
    """Whether a text in the tree of a file may read the camera's view."""
    return any(_named(tree))


def _may(scene: Scene) -> bool:
    """Whether names of the camera have a meaning: nothing else is called so."""
    objects = (scene.bodies, scene.joints, scene.actuators, scene.probes)
    return not any("camera" in each for each in objects)


def _doing(scene: Scene) -> list[Any]:
    born = [(each.events, each.spawners, each.controls) for each in scene.prototypes.values()]
    return [*(getattr(scene, key) for key in _DOING), born]


def _named(value: Any) -> Iterable[bool]:
    """For each text in a value whether it has such a name."""
    if isinstance(value, str):
        yield "camera." in value and _NAME.search(value) is not None
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _named(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _named(each)
    elif is_dataclass(value):
        for name in value.__dataclass_fields__:
            yield from _named(getattr(value, name))
