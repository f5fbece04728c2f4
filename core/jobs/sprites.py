# SPDX-License-Identifier: MIT
"""Sprite sheets: poses of animations on a transparent background, and their index."""

from __future__ import annotations

import json
import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .. import arguments
from ..arguments import checked, flag, list_of, one_of, optional, real, text, whole
from ..errors import UsageError
from ..record import Frame
from ..record.atomic import atomic_file
from ..render import Renderer
from ..render.canvas.textures import place
from ..scene.limits import CELLS, FPS, LEAST_FPS
from ..scene.model import Joint, Point, Scene
from ..scene.object_model import WORLD
from ..scene.script import Animation
from ..view.boxes import NOWHERE, Box, is_somewhere, merged, union
from ..view.camera import View, world_points
from .posing import (
    Pose,
    Poser,
    figure_box,
    figure_of,
    find_animations,
    find_held,
    is_fixed,
    rotated,
)

UInt8 = NDArray[np.uint8]

LONGEST = 128
"""Pixels of the longer side of a sprite whose size is not given."""
EDGE = 2
"""Pixels round the drawing."""
LARGEST = 8192
"""A sheet is at most this many pixels wide and high."""
LEAST = 16
"""And a sprite at least this many."""
MOST_STEPS = 100_000
"""Time steps between two poses, at most."""


@dataclass(frozen=True)
class SpriteSheet:
    """A sheet of pictures, a row for each animation.

    Attributes:
        image: [height, width, 4] red, green, blue and opacity; colours are not multiplied by it.
        cell: width and height of one picture.
        pivot: where the pivot is in each picture, in pixels from its top left.
        scale: pixels for a length unit of the scene.
        rows: the animation of each row.
        count: pictures of a row.
        rates: how many pictures of each row there are in a second.
        unsettled: poses that did not come to rest, such as ``walk 3``.
        y_down: whether y of the scene points down.
    """

    image: UInt8
    cell: tuple[int, int]
    pivot: tuple[int, int]
    scale: float
    rows: tuple[str, ...]
    count: int
    rates: tuple[float, ...]
    unsettled: tuple[str, ...] = ()
    y_down: bool = False

    def texture(self, image: str) -> str:
        """The texture entry that shows the first row on a body, with its origin at the pivot."""
        (width, height), (x, y) = self.cell, self.pivot
        wide, high = _short(width / self.scale), _short(height / self.scale)
        right = _short((0.5 * width - x) / self.scale)
        up = _short((0.5 * height - y if self.y_down else y - 0.5 * height) / self.scale)
        which = f"fps: {_short(self.rates[0])}" if len(self.rows) == 1 else "frame: 0"
        return (
            f"texture: {{sheet: {image}, grid: [{self.count}, {len(self.rows)}], {which}, "
            f"size: [{wide}, {high}], offset: [{right}, {up}]}}"
        )

    def description(self, image: str) -> dict[str, Any]:
        """The data for engines beside the picture ``image``: a hash of frames as of TexturePacker,
        with the tags of Aseprite.

        ``pivot`` of a frame is a share of its size from the top left, that of ``meta`` in pixels.
        """
        (width, height), (x, y) = self.cell, self.pivot
        frames: dict[str, Any] = {}
        tags = []
        for row, (name, rate) in enumerate(zip(self.rows, self.rates, strict=True)):
            first = row * self.count
            tags.append(
                {
                    "name": name,
                    "from": first,
                    "to": first + self.count - 1,
                    "direction": "forward",
                    "fps": _short(rate),
                }
            )
            for i in range(self.count):
                frames[f"{name}_{i}"] = {
                    "frame": {"x": i * width, "y": row * height, "w": width, "h": height},
                    "rotated": False,
                    "trimmed": False,
                    "spriteSourceSize": {"x": 0, "y": 0, "w": width, "h": height},
                    "sourceSize": {"w": width, "h": height},
                    "pivot": {"x": _short(x / width), "y": _short(y / height)},
                    "duration": int(1000.0 / rate + 0.5),
                }
        meta = {
            "app": "rigid",
            "version": "1.0",
            "image": image,
            "format": "RGBA8888",
            "size": {"w": self.image.shape[1], "h": self.image.shape[0]},
            "scale": "1",
            "pixelsPerUnit": _short(self.scale),
            "pivot": {"x": x, "y": y},
            "fps": _short(self.rates[0]),
            "frameTags": tags,
        }
        return {"frames": frames, "meta": meta}

    def write(self, path: str | Path) -> tuple[Path, Path]:
        """Write the sheet as PNG and, beside it, its description as JSON; where they are."""
        picture, beside = Path(path), Path(path).with_suffix(".json")
        told = json.dumps(self.description(picture.name), indent=2) + "\n"
        with atomic_file(picture) as file:
            Image.fromarray(self.image).save(file, "PNG")
        with atomic_file(beside) as file:
            file.write(told.encode())
        return picture, beside


def _short(number: float) -> float:
    """A number with six digits, without a fraction if whole."""
    rounded = float(f"{number:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


@checked(
    scene=one_of(Scene),
    animations=list_of(text),
    count=whole(1, CELLS),
    pivot=optional(arguments.vector),
    body=optional(text),
    ground=flag,
    size=optional(arguments.size),
    scale=optional(real),
    fps=optional(real),
    angle=real,
    steps=optional(whole(1, MOST_STEPS)),
    joints=flag,
    whole_scene=optional(flag),
)
def sprite_sheet(
    scene: Scene,
    animations: Sequence[str] = (),
    *,
    count: int = 8,
    pivot: Point | None = None,
    body: str | None = None,
    ground: bool = False,
    size: tuple[int, int] | None = None,
    scale: float | None = None,
    fps: float | None = None,
    angle: float = 0.0,
    steps: int | None = None,
    joints: bool = False,
    whole_scene: bool | None = None,
) -> SpriteSheet:
    """Return the poses of a scene's animations as a sheet of sprites.

    Args:
        scene: the scene.
        animations: their names, a row each; by default all.
        count: pictures of each, at evenly spaced phases.
        pivot: a point of the world at its start, at which a body is held, and which is at the same
            place in every picture; by default the origin of the body.
        body: the held body; by default the one at the pivot, or the first body that the
            animations move, unless its figure is attached to a body at rest or has a kinematic
            body.
        ground: keep the body upright and let the figure sink onto a flat floor at the pivot.
        size: the size of a picture in pixels, which is filled as far as possible.
        scale: pixels per length unit, instead of a size.
        fps: pictures per second; by default the speed of the animations.
        angle: how the pictures are turned round the pivot, in radians from +x towards +y.
        steps: take each pose so many time steps after the one before, in which its set-points are
            approached, instead of when all is at rest.
        joints: draw joints too.
        whole_scene: whether the figure consists of all moving bodies, or only of those that are
            connected by joints with the held one; by default of all, unless ``body`` is given.

    Raises:
        UsageError: for unknown names and impossible sizes.
    """
    if size is not None and scale is not None:
        raise UsageError("a size and a scale: give one of them, not both")
    if scale is not None and not 1e-9 <= scale <= 1e9:
        raise UsageError(f"scale {scale:g}: should be above 0")
    if fps is not None and not LEAST_FPS <= fps <= FPS:
        raise UsageError(f"fps {fps:g}: should be above 0 and at most {FPS}")
    if not math.isfinite(angle):
        raise UsageError(f"angle {angle:g}: should be a finite number")
    if ground and scene.world.gravity == (0.0, 0.0):
        raise UsageError("nothing sinks onto a floor in a scene without gravity")
    chosen = find_animations(scene, animations)
    if count * len(chosen) > CELLS:
        raise UsageError(f"{count} x {len(chosen)} pictures; a sheet has at most {CELLS}")
    held, at = find_held(scene, body, pivot, chosen)
    figure = figure_of(scene, held)
    holds = None if body is None and is_fixed(scene, figure) else held
    if whole_scene or (whole_scene is None and body is None):
        figure = frozenset(name for name, each in scene.bodies.items() if each.kind != "static")
    rows: list[list[Pose]] = []
    for animation in chosen:
        poser = Poser(scene, figure, holds, at, ground=ground, steps=steps)
        rows.append([pose.turned(at, angle) for pose in poser.poses(animation, count)])
    drawn = _drawn(scene, figure, joints, at, angle)
    cell, at_pivot, zoom = _cell(_reach(drawn, rows, figure), size, scale, scene.units.y_down)
    _check_sheet(cell, count, len(rows))
    return SpriteSheet(
        _sheet(drawn, rows, cell, at_pivot, zoom),
        cell,
        at_pivot,
        zoom,
        tuple(animation.name for animation in chosen),
        count,
        tuple(_rate(animation, count, scene) if fps is None else fps for animation in chosen),
        tuple(
            f"{animation.name} {i}"
            for animation, row in zip(chosen, rows, strict=True)
            for i, pose in enumerate(row)
            if not pose.at_rest
        ),
        scene.units.y_down,
    )


def _rate(animation: Animation, count: int, scene: Scene) -> float:
    """Pictures in a second, so that the row takes as long as the animation."""
    parts = count if animation.kind == "loop" else max(count - 1, 1)
    return min(max(parts * scene.units.time_per_second / animation.duration, LEAST_FPS), FPS)


def _drawn(scene: Scene, figure: Container[str], joints: bool, about: Point, angle: float) -> Scene:
    """The scene with nothing to see but the figure; what the world holds is turned with it."""
    bodies = {
        name: replace(each, visible=each.visible and name in figure, trail=None)
        for name, each in scene.bodies.items()
    }
    held = {
        name: replace(_turned(each, about, angle), visible=each.visible and joints)
        for name, each in scene.joints.items()
    }
    return replace(
        scene,
        bodies=bodies,
        joints=held,
        camera=replace(scene.camera, mode="region", rect=None),
        render=replace(scene.render, background=None),
        layers=(),
        minimap=None,
        annotations=(),
        particles={},
        compare=None,
    )


def _turned(joint: Joint, about: Point, angle: float) -> Joint:
    """A joint whose points and directions of the world are turned."""
    changes: dict[str, Any] = {}
    if joint.body_a == WORLD.name:
        changes["anchor_a"] = rotated(joint.anchor_a, about, angle)
        changes["axis"] = rotated(joint.axis, (0.0, 0.0), angle)
    if joint.body_b == WORLD.name:
        changes["anchor_b"] = rotated(joint.anchor_b, about, angle)
    if joint.ground_anchors is not None:
        first, second = joint.ground_anchors
        changes["ground_anchors"] = rotated(first, about, angle), rotated(second, about, angle)
    return replace(joint, **changes)


def _reach(scene: Scene, rows: Sequence[Sequence[Pose]], figure: Container[str]) -> Box:
    """The box round all poses, from their pivots."""
    reach = NOWHERE
    for pose in (pose for row in rows for pose in row):
        x0, y0, x1, y1 = union(
            figure_box(scene, pose.frame, figure), _picture_box(scene, pose.frame)
        )
        x, y = pose.origin
        reach = union(reach, (x0 - x, y0 - y, x1 - x, y1 - y))
    if not is_somewhere(reach):
        raise UsageError("nothing of the figure can be seen")
    return reach


def _picture_box(scene: Scene, frame: Frame) -> Box:
    """The box round the pictures on bodies, which may be larger than these."""
    box = NOWHERE
    for row, body in enumerate(scene.bodies.values()):
        if body.texture is None or body.texture.tile or not body.visible or not frame.alive[row]:
            continue
        (ax, ay), (bx, by), (cx, cy) = place(body.texture, body, scene.units.y_down)[0]
        corners = np.array([(ax, ay), (bx, by), (cx, cy), (bx + cx - ax, by + cy - ay)])
        placed = world_points(frame, np.full(4, row), corners)
        box = union(box, merged(np.concatenate([placed, placed], axis=1)))
    return box


def _cell(
    reach: Box, size: tuple[int, int] | None, scale: float | None, y_down: bool
) -> tuple[tuple[int, int], tuple[int, int], float]:
    """The size of a picture, where its pivot is, and its scale."""
    left, right = -reach[0], reach[2]
    up, down = (-reach[1], reach[3]) if y_down else (reach[3], -reach[1])
    wide, high = max(left + right, 1e-300), max(up + down, 1e-300)
    if size is not None:
        # A pixel more than the edge, since the pivot is at a whole one.
        inner = [side - 2 * EDGE - 1 for side in size]
        if min(size) < LEAST:
            raise UsageError(f"a sprite of {size[0]}x{size[1]} cannot be; {LEAST} pixels at least")
        zoom = min(inner[0] / wide, inner[1] / high)
        x = int(left * zoom + 0.5 * (size[0] - wide * zoom) + 0.5)
        y = int(up * zoom + 0.5 * (size[1] - high * zoom) + 0.5)
        return size, (x, y), zoom
    zoom = (LONGEST - 2 * EDGE - 2) / max(wide, high) if scale is None else scale
    if max(wide, high) * zoom > LARGEST:
        raise UsageError(f"at {zoom:g} pixels a unit a sprite is larger than {LARGEST} pixels")
    x, y = math.ceil(left * zoom) + EDGE, math.ceil(up * zoom) + EDGE
    cell = (x + math.ceil(right * zoom) + EDGE, y + math.ceil(down * zoom) + EDGE)
    return (max(cell[0], LEAST), max(cell[1], LEAST)), (x, y), zoom


def _check_sheet(cell: tuple[int, int], count: int, rows: int) -> None:
    width, height = cell[0] * count, cell[1] * rows
    if max(width, height) > LARGEST:
        raise UsageError(
            f"the sheet would have {width}x{height} pixels; {LARGEST} a side are the limit: make "
            "the sprites smaller, or fewer"
        )


def _sheet(
    scene: Scene,
    rows: Sequence[Sequence[Pose]],
    cell: tuple[int, int],
    pivot: tuple[int, int],
    zoom: float,
) -> UInt8:
    width, height = cell
    renderer = Renderer(scene, size=cell, overlays=(), supersample=1)
    sign = 1.0 if scene.units.y_down else -1.0
    sheet: UInt8 = np.zeros((height * len(rows), width * len(rows[0]), 4), np.uint8)
    for row, poses in enumerate(rows):
        for i, pose in enumerate(poses):
            x, y = pose.origin
            view = View(zoom, pivot[0] - x * zoom, sign * zoom, pivot[1] - y * sign * zoom)
            picture = renderer.draw_clear(pose.frame, view)
            sheet[row * height : (row + 1) * height, i * width : (i + 1) * width] = picture
    return sheet
