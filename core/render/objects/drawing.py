# SPDX-License-Identifier: MIT
"""Draws the parts of a scene that depend on poses only: bodies, joints, surroundings.

In painter's order.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...record.frame import Frame
from ...scene.model import Body, Scene
from ...scene.values.portable_math import atan2
from ...view.camera import View
from ..canvas.colors import Color, pack
from ..canvas.display import COUNT, FILL, FIRST, KIND, KINDS, STROKE, WORLD, A, Layer, join
from ..canvas.sheets import Sprite
from ..canvas.textures import Textures
from ..canvas.theme import ShapeLook, Theme, muted, shape_looks
from .bodies import body_layers, order_of
from .joined import joined
from .joints import joint_layers
from .pen import Painter, Pen
from .pools import pool_layers, pool_shifts

Float64 = NDArray[np.float64]


class PoseDrawing:
    """Everything of a scene that is drawn from poses alone.

    Args:
        scale: pixels per length unit.
        unit: how large lines are drawn, 1 for a picture 480 pixels high.
        textures: of the bodies.
        own: the bodies that the scene began with, where there are others.
        painters: what draws bodies in place of their shapes, by their names.
    """

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        scale: float,
        unit: float,
        textures: Textures,
        own: Container[str] | None = None,
        painters: Mapping[str, Painter] | None = None,
    ) -> None:
        self._painters = painters or {}
        hidden = {
            name: replace(scene.bodies[name], texture=None, shapes=(), outline=None)
            for name in self._painters
            if name in scene.bodies
        }
        shown = replace(scene, bodies={**scene.bodies, **hidden}) if hidden else scene
        layers = scene_layers(shown, theme, scale, unit, textures, own)
        rows = {name: row for row, name in enumerate(scene.bodies)}
        painted = {order_of(body, rows[name]): rows[name] for name, body in hidden.items()}
        self._painted: list[tuple[int, int]] = []  # before which item, and the row of the body
        mice = [i for i, joint in enumerate(scene.joints.values()) if joint.kind == "mouse"]
        self._targets: dict[int, list[int]] = {joint: [] for joint in mice}
        self._scene = scene
        self._gather(layers, theme)
        passed = 0
        for layer in layers:
            row = painted.get(layer.order)
            if row is not None and layer.needs == (row, WORLD):
                self._painted.append((passed, row))
            passed += len(layer.items)

    def _gather(self, layers: list[Layer], theme: Theme) -> None:
        items: list[Float64] = []
        points: list[Float64] = []
        owners: list[int] = []
        rows: list[tuple[int, int, int, int]] = []
        self._aimed: list[tuple[list[int], int, tuple[int, int]]] = []
        self._sprites: dict[int, Sprite] = {}
        for layer in layers:
            self._sprites |= {len(rows) + item: each for item, each in layer.sprites.items()}
            own_items, own_points = layer.items.arrays()
            if layer.aim is not None:
                at = [len(owners) + point for point in picture_points(layer)]
                self._aimed.append((at, layer.needs[0], layer.aim))
            own_items[:, FIRST] += len(owners)
            items.append(own_items)
            points.append(own_points)
            if layer.joint in self._targets:
                at = [len(owners) + k for k, owner in enumerate(layer.owners) if owner == WORLD]
                self._targets[layer.joint] += at
            owners.extend(layer.owners)
            rows.extend([(*layer.needs, layer.joint, layer.sleeper)] * len(own_items))
        self._items = np.concatenate(items) if items else np.zeros((0, 10))
        self._points = np.concatenate(points) if points else np.zeros((0, 2))
        self._surfaces = np.array(owners, np.int32)
        self._owners = np.maximum(self._surfaces, WORLD)
        self._rows = np.array(rows, np.int64).reshape(-1, 4)
        self._asleep = self._items.copy()
        for column in (FILL, STROKE):
            self._asleep[:, column] = [
                _muted_number(value, theme) for value in self._items[:, column].tolist()
            ]

    @property
    def items(self) -> Float64:
        return self._items

    def place(self, frame: Frame, view: View) -> tuple[Float64, Float64]:
        """The display list of one frame, in pixels."""
        placed = np.empty_like(self._points)
        points = deformed(self._points, self._owners, frame)
        if frame.levels:
            points = points.copy()
            for owner, shift in pool_shifts(self._scene, frame.levels).items():
                points[self._surfaces == owner] += shift
        _native.place_points(points, self._owners, frame.pose, view.numbers(), placed)
        for which, row, ends in self._aimed:
            if frame.alive[list(ends)].all():
                placed[which] = _aimed(points[which], frame, row, *ends, view)
        for mouse, target in frame.targets.items():
            placed[self._targets[mouse]] = view.pixel(*target)
        # A last row stands for the world, which is always there and never asleep.
        alive = np.append(frame.alive, True)
        awake = np.append(frame.awake, True)
        whole = np.append(~frame.joint_broken, True)
        first, second, joint, sleeper = self._rows.T
        items = np.where(awake[sleeper][:, None], self._items, self._asleep)
        for item, sprite in self._sprites.items():
            items[item, A] = sprite.picture(frame)
        keep = alive[first] & alive[second] & whole[joint]
        if self._painted:
            return self._with_painted(items, keep, placed, frame, view)
        return (items if keep.all() else items[keep]), placed

    def _with_painted(
        self, items: Float64, keep: NDArray[np.bool_], placed: Float64, frame: Frame, view: View
    ) -> tuple[Float64, Float64]:
        """The display list with what painters draw between the other items."""
        bodies = list(self._scene.bodies.values())
        lists: list[tuple[Float64, Float64]] = []
        start = 0
        for place, row in self._painted:
            lists.append((items[start:place][keep[start:place]], placed))
            start = place
            if frame.alive[row] and bodies[row].visible:
                pen = Pen(bodies[row], frame, row, view)
                self._painters[bodies[row].name](pen)
                lists.append(pen.arrays())
        return join([*lists, (items[start:][keep[start:]], placed)])


def picture_points(layer: Layer) -> list[int]:
    """Which points of a layer are those of pictures."""
    items, _ = layer.items.arrays()
    rows = items[items[:, KIND] == KINDS["quad"]][:, [FIRST, COUNT]].astype(int).tolist()
    return [first + i for first, count in rows for i in range(count)]


def _aimed(points: Float64, frame: Frame, row: int, first: int, second: int, view: View) -> Float64:
    """Points of a body in pixels, which turn with the line from one body to another."""
    pose = frame.pose[row : row + 1].copy()
    dx, dy = (frame.pose[second, :2] - frame.pose[first, :2]).tolist()
    pose[0, 2] = atan2(dy, dx)
    placed = np.empty_like(points)
    _native.place_points(points, np.zeros(len(points), np.int32), pose, view.numbers(), placed)
    return placed


def deformed(points: Float64, owners: NDArray[np.int32], frame: Frame) -> Float64:
    """Return points in body coordinates; on a deformed body, each moves with the nearest
    corner."""
    if not frame.corners:
        return points
    points = points.copy()
    for row, (rest, now) in frame.corners.items():
        mine = np.flatnonzero(owners == row)
        apart = points[mine, None] - rest[None]
        nearest = (apart * apart).sum(axis=2).argmin(axis=1)
        points[mine] += (now - rest)[nearest]
    return points


def scene_layers(
    scene: Scene,
    theme: Theme,
    scale: float,
    unit: float,
    textures: Textures,
    own: Container[str] | None = None,
    *,
    bare: bool = False,
) -> list[Layer]:
    """All bodies, joints and pools in painter's order; see ``PoseDrawing`` for the arguments.

    With ``bare`` bodies that have a texture are there twice: with their image, and without.
    """
    layers = pool_layers(scene, theme, unit)
    looks = shape_looks(scene, theme, own)
    for row, body in enumerate({**scene.bodies, **joined(scene, scale)}.values()):
        if body.visible:
            shown, its = _with_sensors(body, looks[row], scene.render.sensors)
            if shown.shapes or shown.texture is not None or not body.shapes:
                found = body_layers(shown, row, its, scene, scale, unit, textures)
                if bare and shown.texture is not None:
                    without = replace(shown, texture=None, z=found[0].order[0])
                    below = body_layers(without, row, its, scene, scale, unit, textures)
                    found = [replace(each, image=1) for each in found]
                    found += [replace(each, image=-1) for each in below]
                layers.extend(found)
    layers.extend(joint_layers(scene, theme, scale, unit))
    layers.sort(key=lambda layer: layer.order)
    return layers


def _with_sensors(body: Body, looks: list[ShapeLook], look: str) -> tuple[Body, list[ShapeLook]]:
    """A body as it is drawn, and the looks of its shapes, where sensors have a chosen look."""
    if look == "dashed" or not any(shape.sensor for shape in body.shapes):
        return body, looks
    shapes = body.shapes
    if look == "solid":
        return replace(body, shapes=tuple(replace(each, sensor=False) for each in shapes)), looks
    kept = [k for k, shape in enumerate(shapes) if not shape.sensor]
    return replace(body, shapes=tuple(shapes[k] for k in kept)), [looks[k] for k in kept]


def _muted_number(packed: float, theme: Theme) -> float:
    value = int(packed)
    color: Color = (value >> 24 & 255, value >> 16 & 255, value >> 8 & 255, value & 255)
    return pack(muted(color, theme))
