# SPDX-License-Identifier: MIT
"""Numbers of a run's frames as arrays, with a row for each body that ever existed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record.frame import Frame
from ..render.objects.bodies import order_of
from ..scene.model import Body, Joint, Scene, Shape
from ..view.boxes import BodyBoxes
from ..view.camera import world_points

Float64 = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]


class BodyRows:
    """All bodies of a run: those of the scene, then added ones in the order of frames.

    Attributes:
        names: the names of all bodies.
        numbers: their numbers in masks; 0 is the background.
        categories: for COCO, the first tag of each, or ``body``.
        rows: the places of the bodies in each frame.
        dt: the length of a step.
        masses: mass and inertia of each body, as far as they are known.
    """

    def __init__(
        self,
        scene: Scene,
        frames: Sequence[Frame],
        masses: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        self.dt = scene.world.dt
        self.masses = masses or {}
        self._joints: dict[str, Joint] = dict(scene.joints)
        self._bodies: dict[str, Body] = dict(scene.bodies)
        scenes = [scene if frame.scene is None else frame.scene for frame in frames]
        known: dict[int, tuple[NDArray[np.intp], BodyBoxes]] = {}
        for each in scenes:
            if id(each) not in known:
                for name, body in each.bodies.items():
                    self._bodies.setdefault(name, body)
                for name, joint in each.joints.items():
                    self._joints.setdefault(name, joint)
                place = {name: i for i, name in enumerate(self._bodies)}
                rows = np.array([place[name] for name in each.bodies], np.intp)
                known[id(each)] = rows, BodyBoxes(each, hidden=True)
        self.rows = [known[id(each)][0] for each in scenes]
        self._finders = [known[id(each)][1] for each in scenes]
        self.names = list(self._bodies)
        self.numbers = {name: i for i, name in enumerate(self.names, 1)}
        self.categories = [body.tags[0] if body.tags else "body" for body in self._bodies.values()]

    def told(self) -> list[dict[str, Any]]:
        """Metadata of each body, in the order of their numbers."""
        return [
            {
                "number": self.numbers[name],
                "name": name,
                "type": body.kind,
                "tags": list(body.tags),
                "visible": body.visible,
                "mass": _plain(self.masses.get(name, (nan, nan))[0]),
                "inertia": _plain(self.masses.get(name, (nan, nan))[1]),
                "color": body.color or next((each.material.color for each in body.shapes), None),
                "shapes": [_shape(each) for each in body.shapes],
            }
            for name, body in self._bodies.items()
        ]

    def joints(self) -> list[dict[str, Any]]:
        """Metadata of each joint that was ever there, with the numbers of its bodies."""
        return [
            {
                "name": joint.name,
                "type": joint.kind,
                "bodies": [self.numbers.get(each, 0) for each in (joint.body_a, joint.body_b)],
                "anchors": [list(joint.anchor_a), list(joint.anchor_b)],
                "axis": list(joint.axis),
                "limits": None if joint.limits is None else list(map(_plain, joint.limits)),
                "length": joint.length,
                "min_length": joint.min_length,
                "max_length": joint.max_length,
            }
            for joint in self._joints.values()
        ]

    def matter(self) -> Arrays:
        """Mass, inertia, friction and restitution of each body."""
        pairs = [self.masses.get(name, (nan, nan)) for name in self._bodies]
        firsts = [
            body.shapes[0].material if body.shapes else None for body in self._bodies.values()
        ]
        return {
            "mass": np.array([pair[0] for pair in pairs], np.float64),
            "inertia": np.array([pair[1] for pair in pairs], np.float64),
            "friction": np.array([nan if m is None else m.friction for m in firsts], np.float64),
            "restitution": np.array(
                [nan if m is None else m.restitution for m in firsts], np.float64
            ),
        }

    def depths(self) -> NDArray[np.int32]:
        """[bodies] the place of each body from the back of pictures to their front."""
        keys = [order_of(body, row) for row, body in enumerate(self._bodies.values())]
        places = np.empty(len(keys), np.int32)
        places[sorted(range(len(keys)), key=lambda row: keys[row])] = np.arange(len(keys))
        return places

    def spread(self, each: Sequence[NDArray[Any]], fill: Any) -> NDArray[Any]:
        """[frames, bodies, ...] of one array for each frame, ``fill`` where a body is not there."""
        first = np.asarray(each[0])
        whole = np.full((len(each), len(self.names), *first.shape[1:]), fill, first.dtype)
        for frame, (rows, values) in enumerate(zip(self.rows, each, strict=True)):
            whole[frame, rows] = values
        return whole

    def boxes(self, frames: Sequence[Frame]) -> Float64:
        """[frames, bodies, 4] round the shapes of each body; nan where it has none."""
        found = [finder.of(frame) for finder, frame in zip(self._finders, frames, strict=True)]
        whole: Float64 = self.spread(found, np.nan)
        whole[~np.isfinite(whole)] = np.nan
        return whole

    def picture_boxes(self, frames: Sequence[Frame], views: Float64) -> Float64:
        """The same in the pixels of views [frames, 4]."""
        boxes = self.boxes(frames)
        placed = boxes * views[:, None, [0, 2, 0, 2]] + views[:, None, [1, 3, 1, 3]]
        low = np.minimum(placed[..., :2], placed[..., 2:])
        return np.concatenate([low, np.maximum(placed[..., :2], placed[..., 2:])], axis=-1)


def _plain(value: float) -> float | None:
    """A number as JSON has it: none that is not finite."""
    return value if isfinite(value) else None


def _shape(shape: Shape) -> dict[str, Any]:
    """Metadata of a shape, in the coordinates of its body: its ``size`` is that of its box."""
    xs, ys = zip(*shape.points, strict=True)
    size = [max(xs) - min(xs) + 2.0 * shape.radius, max(ys) - min(ys) + 2.0 * shape.radius]
    return {
        "type": shape.source,
        "kind": shape.kind,
        "points": [list(point) for point in shape.points],
        "radius": shape.radius,
        "size": size,
        "friction": _plain(shape.material.friction),
        "restitution": _plain(shape.material.restitution),
        "sensor": shape.sensor,
    }


def state_of(lineup: BodyRows, frames: Sequence[Frame], what: Sequence[str]) -> Arrays:
    """Times of the frames and, if requested, the state of all bodies in them."""
    steps = np.array([frame.step for frame in frames], np.int64)
    arrays: Arrays = {"step": steps, "time": steps * lineup.dt}
    if "state" not in what:
        return arrays
    centers = [world_points(frame, np.arange(len(frame.pose)), frame.center) for frame in frames]
    state = {
        "pose": lineup.spread([frame.pose for frame in frames], np.nan),
        "velocity": lineup.spread([frame.velocity for frame in frames], np.nan),
        "center": lineup.spread(centers, np.nan),
        "box": lineup.boxes(frames),
        "alive": lineup.spread([frame.alive for frame in frames], False),
        "awake": lineup.spread([frame.awake for frame in frames], False),
        "energy": np.array([frame.energy for frame in frames], np.float64).reshape(-1, 2),
    }
    return arrays | state | lineup.matter()


def touching(lineup: BodyRows, frames: Sequence[Frame]) -> Arrays:
    """The contacts of all frames, one after the other."""
    parts: dict[str, list[NDArray[Any]]] = {
        "contact_frame": [np.zeros(0, np.int32)],
        "contact_body": [np.zeros((0, 2), np.int32)],
        "contact_point": [np.zeros((0, 2))],
        "contact_normal": [np.zeros((0, 2))],
        "contact_force": [np.zeros((0, 2))],
    }
    for number, (rows, frame) in enumerate(zip(lineup.rows, frames, strict=True)):
        points = frame.contacts
        if points is None or not len(points.point):
            continue
        parts["contact_frame"].append(np.full(len(points.point), number, np.int32))
        parts["contact_body"].append(rows[points.bodies].astype(np.int32))
        parts["contact_point"].append(points.point)
        parts["contact_normal"].append(points.normal)
        parts["contact_force"].append(np.stack([points.normal_force, points.tangent_force], axis=1))
    found = {name: np.concatenate(part) for name, part in parts.items()}
    return found | {"contact_impulse": found["contact_force"] * lineup.dt}
