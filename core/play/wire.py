"""What goes over the wire to a page: how a scene looks, once, and then each moment as bytes.

``live.js`` of the page reads them. A moment is six doubles (time, the view, energies), eight whole
numbers (which stage it is of, the step, and how many of each there are), and then the arrays, those
of wider numbers first, so that the page looks at them where they lie. A mouse whose target was
moved is told by its joint's row and the target; its joint is then drawn by the page itself.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..page.backdrop import backdrop, layers
from ..page.codes import Blob
from ..page.film import AWAKE, THERE, Cast
from ..page.replay import Style, described
from ..page.sketch import Magnification, add_sketch
from ..record.frame import Frame
from ..render.boxes import Box
from ..render.camera import Camera
from ..render.renderer import line_unit
from ..render.textures import Sprite
from ..scene.model import Scene

HEAD = struct.Struct("<6d8I")
NO_CONTACTS = 0xFFFFFFFF
SPARE = 200
"""So many that have left may still have rows, besides as many as are there."""


class Stage:
    """How one world is shown: who has which row, how they look, and where the camera is.

    Attributes:
        number: which it is; pages draw moments of the stage that they know.
    """

    def __init__(self, number: int, scene: Scene, first: Frame, seen: Box | None = None) -> None:
        self.number = number
        self._scene = scene
        self._seen = seen
        render = scene.render
        self.style = Style(render.size, render.overlays, render.theme, render.fps)
        self._camera = Camera(scene, render.size, first, seen)
        self._first = self._camera.view(first)
        self._drawn = Magnification(self._first.scale, line_unit(render.size))
        self._cast = Cast(scene, [first])
        self._sprites: Mapping[int, Sprite] = {}
        self.message = self._describe(scene)

    def _describe(self, scene: Scene) -> dict[str, Any]:
        """All that a page needs before the first moment."""
        blob = Blob()
        sketch = add_sketch(blob, self._cast.scene, self._drawn, scene.bodies)
        self._sprites = sketch.sprites
        data = described(self._cast.scene, self.style, self._drawn)
        data |= {
            "colors": sketch.colors,
            "images": sketch.images,
            "contacts": True,
            "backdrop": backdrop(scene, self._first, self.style.size),
            "layers": layers(scene, self._first, self.style.size),
            "arrays": blob.table,
        }
        return {"type": "stage", "number": self.number, "data": data, "arrays": blob.text()}

    def take_in(self, number: int, frame: Frame) -> bool:
        """Give rows to those who came; whether pages have to be told, which is then as ``number``.

        Who left keeps a row for a while: another one's looks would be drawn there.
        """
        now = frame.scene or self._scene
        if self._cast.knows(now):
            return False
        before = self._cast.scene
        there = len(now.bodies) + len(now.joints) + len(now.actuators)
        kept = len(before.bodies) + len(before.joints) + len(before.actuators)
        self._cast = Cast(self._scene if kept > 2 * there + SPARE else before, [frame])
        if _names(self._cast.scene) == _names(before):
            return False
        self.number = number
        self.message = self._describe(self._scene)
        return True

    def moment(self, frame: Frame) -> bytes:
        """A frame as bytes."""
        cast, scene = self._cast, self._cast.scene
        bodies, joints = len(scene.bodies), len(scene.joints)
        rows, joint_rows = cast.bodies(frame), cast.joints(frame)
        pose, velocity = np.zeros((bodies, 3)), np.zeros((bodies, 3), np.float32)
        pose[rows], velocity[rows] = np.nan_to_num(frame.pose), frame.velocity
        there = frame.alive & np.isfinite(frame.pose).all(axis=1)
        state, whole = np.zeros(bodies, np.uint8), np.zeros(joints, np.uint8)
        state[rows] = there * THERE + (there & frame.awake) * AWAKE
        whole[joint_rows] = ~frame.joint_broken
        force = np.zeros((joints, 3), np.float32)
        force[joint_rows] = frame.joint_force
        targets = [(joint_rows[row], *target) for row, target in frame.targets.items()]
        targets = [each for each in targets if whole[each[0]]]
        whole[[each[0] for each in targets]] = 0
        acting = np.zeros(len(scene.actuators), np.uint8)
        if frame.acting is not None:
            acting[cast.actuators(frame)] = frame.acting
        sprites = [(item, sprite.picture(frame)) for item, sprite in self._sprites.items()]
        count, touching = self._contacts(frame)
        view = self._camera.view(frame)
        head = HEAD.pack(
            *(frame.time, view.scale, view.shift_x, view.shift_y, *frame.energy),
            *(self.number, frame.step, bodies, joints, len(acting), count, len(sprites)),
            len(targets),
        )
        shown = np.array(sprites, "<i4").reshape(-1, 2)
        wide = (pose.astype("<f8"), np.array(targets, "<f8"))
        arrays = (*wide, velocity.astype("<f4"), force.astype("<f4"), *touching, shown)
        return b"".join((head, *(each.tobytes() for each in (*arrays, state, whole, acting))))

    def _contacts(self, frame: Frame) -> tuple[int, list[NDArray[Any]]]:
        touching = frame.contacts
        if touching is None:
            return NO_CONTACTS, []
        forces = np.stack([touching.normal_force, touching.tangent_force], axis=1)
        wide = [touching.point, touching.normal, forces]
        bodies = np.where(
            touching.bodies >= 0, self._cast.bodies(frame)[touching.bodies], touching.bodies
        )
        return len(touching.point), [*(each.astype("<f4") for each in wide), bodies.astype("<i4")]


def as_text(message: Mapping[str, Any]) -> str:
    """A message as JSON, with null for every number that JSON cannot hold."""
    try:
        return json.dumps(message, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(message))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(each) for each in value] if isinstance(value, (list, tuple)) else value


def _names(scene: Scene) -> tuple[list[str], ...]:
    return list(scene.bodies), list(scene.joints), list(scene.actuators)
