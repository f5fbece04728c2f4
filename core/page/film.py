# SPDX-License-Identifier: MIT
"""Poses of a run for the page, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..record.frame import Frame
from ..render.canvas.sheets import Sprite
from ..render.objects.pools import pool_shifts, surface_owner
from ..scene.model import Body, Scene
from .codes import LARGEST, Blob

Float64 = NDArray[np.float64]
Rows = NDArray[np.int64]
Named = TypeVar("Named")

PIXEL_PARTS = 64
"""Places are kept to this part of a pixel of the picture as it begins"""
BODY_PARTS = 64
"""and to this part of the smallest body, should that be smaller than a pixel;"""
SPEED_PARTS = 16
"""speeds to this part of that in a frame,"""
ANGLE = 2.0**-13
"""angles to this many radians, a twentieth of a pixel at 400 pixels from the middle,"""
OMEGA = 2.0**-10
"""angular velocities to this many radians a second,"""
DIGITS = 3
"""and forces to so many digits."""
NORMAL = 2.0**-9
"""Components of normals are kept to this."""
MOST_CONTACTS = 1_500_000
"""A page holds the contacts of a run with at most so many of them."""
THERE, AWAKE, UNSEEN = 1, 2, 4
"""The bits of a body's state."""


class Cast:
    """All bodies and joints of the run, in the order of their creation.

    Attributes:
        scene: the scene with all of them.
    """

    def __init__(self, scene: Scene, frames: Sequence[Frame]) -> None:
        self._bodies, self._joints = dict(scene.bodies), dict(scene.joints)
        self._actuators = dict(scene.actuators)
        self._rows: dict[int, tuple[Scene, Rows, Rows]] = {}
        self._unseen: dict[int, NDArray[np.bool_]] = {}
        self._base = scene
        for frame in frames:
            now = frame.scene or scene
            if id(now) not in self._rows:
                _take(now.actuators, self._actuators)
                rows = _take(now.bodies, self._bodies), _take(now.joints, self._joints)
                self._rows[id(now)] = (now, *rows)
                unseen = [not body.visible for body in now.bodies.values()]
                self._unseen[id(now)] = np.array(unseen, bool)
            for name in self._hidden(frame):
                self._bodies[name] = replace(self._bodies[name], visible=True)
        self.scene = replace(
            scene, bodies=self._bodies, joints=self._joints, actuators=self._actuators
        )

    def _hidden(self, frame: Frame) -> list[str]:
        """Bodies drawn in a frame that were hidden so far."""
        bodies = self._bodies
        shown = [name for name, visible in frame.visible.items() if visible]
        return [name for name in shown if name in bodies and not bodies[name].visible]

    def knows(self, frame: Frame) -> bool:
        """Return whether it has rows, and registers all objects of a frame."""
        return id(frame.scene or self._base) in self._rows and not self._hidden(frame)

    @property
    def drawn(self) -> int:
        """Number of bodies that are drawn in any frame."""
        return sum(body.visible for body in self.scene.bodies.values())

    def state(self, frame: Frame) -> NDArray[np.uint8]:
        """The bits of the state of each body of a frame."""
        there = frame.alive & np.isfinite(frame.pose).all(axis=1)
        scene, visible = frame.scene or self._base, frame.visible
        unseen = self._unseen[id(scene)]
        if visible:
            given = scene.bodies.values()
            unseen = np.array([not visible.get(each.name, each.visible) for each in given], bool)
        bits = there * THERE + (there & frame.awake) * AWAKE + unseen * UNSEEN
        state: NDArray[np.uint8] = bits.astype(np.uint8)
        return state

    def bodies(self, frame: Frame) -> Rows:
        """For each row of a frame, the index among all bodies."""
        return self._rows[id(frame.scene or self._base)][1]

    def joints(self, frame: Frame) -> Rows:
        """For each joint of a frame, the index among all joints."""
        return self._rows[id(frame.scene or self._base)][2]

    def actuators(self, frame: Frame) -> list[int]:
        """For each actuator of a frame, the index among all actuators."""
        place = {name: row for row, name in enumerate(self._actuators)}
        return [place[name] for name in (frame.scene or self._base).actuators]


def _take(given: Mapping[str, Any], known: dict[str, Any]) -> Rows:
    """Add the objects of one scene; return the place of each among all.

    An object with the name of a removed one counts as the same in a page.
    """
    for name, each in given.items():
        known.setdefault(name, each)
    place = {name: row for row, name in enumerate(known)}
    return np.array([place[name] for name in given], np.int64)


def add_film(
    blob: Blob,
    cast: Cast,
    frames: Sequence[Frame],
    moments: Sequence[Frame],
    scale: float,
    fps: float,
) -> None:
    """Pack the frames of a run, and the poses of ``moments``, which are these and others between.

    ``scale`` is that of the picture as it begins.
    """
    seconds = cast.scene.units.time_per_second
    rate = fps / seconds
    bodies, joints = len(cast.scene.bodies), len(cast.scene.joints)
    pose = _spread(moments, cast.bodies, bodies, lambda frame: frame.pose)
    velocity = _spread(frames, cast.bodies, bodies, lambda frame: frame.velocity)
    place = _place_step(pose, cast.scene, scale)
    times = np.array([frame.time for frame in frames])
    blob.add_exact("times", times)
    if len(moments) > len(frames):
        blob.add_exact("moment.time", np.array([moment.time for moment in moments]))
    blob.add("steps", np.array([frame.step for frame in frames]), "delta")
    blob.add("place", pose[:, :, :2].transpose(0, 2, 1), "line", place)
    blob.add("angle", pose[:, :, 2], "line", ANGLE)
    slowest = max(place * rate / SPEED_PARTS, float(np.abs(velocity).max(initial=0.0)) / LARGEST)
    blob.add("velocity", velocity[:, :, :2].transpose(0, 2, 1), "delta", slowest)
    blob.add("omega", velocity[:, :, 2], "delta", OMEGA / seconds)
    blob.add("state", _states(frames, cast, bodies), "delta")
    blob.add_floats("center", _centers(frames, cast, bodies))
    blob.add_floats("energy", np.array([frame.energy for frame in frames]))
    whole = np.zeros((len(frames), joints))
    force = np.zeros((len(frames), joints, 3))
    for i, frame in enumerate(frames):
        rows = cast.joints(frame)
        whole[i, rows] = ~frame.joint_broken
        force[i, rows] = frame.joint_force
    blob.add("joint.whole", whole, "delta")
    blob.add_floats("joint.force", force.reshape(len(frames), -1), digits=DIGITS)
    _add_acting(blob, cast, frames)
    if cast.scene.world.pools:
        blob.add_floats("pool.shift", np.array([shifts(cast.scene, frame) for frame in frames]))


def shifts(scene: Scene, frame: Frame) -> Float64:
    """[2 pools] how far the surfaces of pools have moved, x and y of each."""
    moved = pool_shifts(scene, frame.levels)
    pools = range(len(scene.world.pools))
    return np.array([moved.get(surface_owner(i), (0.0, 0.0)) for i in pools]).reshape(-1)


def _place_step(pose: Float64, scene: Scene, scale: float) -> float:
    """The resolution of positions, coarse enough to encode the farthest one."""
    sizes = [_size(body) for body in scene.bodies.values() if body.kind == "dynamic"]
    smallest = min((size for size in sizes if size > 0.0), default=float("inf"))
    wanted = min(1.0 / (PIXEL_PARTS * scale), smallest / BODY_PARTS)
    return max(wanted, float(np.abs(pose[:, :, :2]).max(initial=0.0)) / LARGEST)


def _size(body: Body) -> float:
    """Approximate size of a body."""
    sizes = [0.0]
    for shape in body.shapes:
        xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
        sizes.append(max(max(xs) - min(xs), max(ys) - min(ys)) + 2.0 * shape.radius)
    return max(sizes)


def _spread(
    frames: Sequence[Frame],
    rows: Callable[[Frame], Rows],
    count: int,
    values: Callable[[Frame], Float64],
) -> Float64:
    """[frames, count, 3] the values of each; those of an absent one are its last or next ones.

    This avoids jumps of numbers, which compress badly.
    """
    all_rows = np.full((len(frames), count, 3), np.nan)
    for i, frame in enumerate(frames):
        found = np.where(frame.alive[:, None], values(frame), np.nan)
        all_rows[i, rows(frame)] = found
    missing = ~np.isfinite(all_rows).all(axis=2)
    if missing.any():
        for body in np.flatnonzero(missing.any(axis=0)):
            there = np.flatnonzero(~missing[:, body])
            if not len(there):
                all_rows[:, body] = 0.0
                continue
            last = np.searchsorted(there, np.arange(len(frames)), side="right") - 1
            all_rows[:, body] = all_rows[there[np.maximum(last, 0)], body]
    return all_rows


def _states(frames: Sequence[Frame], cast: Cast, count: int) -> Rows:
    states = np.zeros((len(frames), count), np.int64)
    for i, frame in enumerate(frames):
        states[i, cast.bodies(frame)] = cast.state(frame)
    return states


def _centers(frames: Sequence[Frame], cast: Cast, count: int) -> Float64:
    centers = np.zeros((count, 2))
    for frame in frames:
        centers[cast.bodies(frame)] = frame.center
    return centers


def _add_acting(blob: Blob, cast: Cast, frames: Sequence[Frame]) -> None:
    actuators = list(cast.scene.actuators.values())
    acting = np.zeros((len(frames), len(actuators)))
    for i, frame in enumerate(frames):
        given = frame.acting
        for row, index in enumerate(cast.actuators(frame)):
            each = actuators[index]
            usual = each.enabled and each.start <= frame.time < each.until
            acting[i, index] = usual if given is None else given[row]
    blob.add("acting", acting, "delta")


def add_contacts(blob: Blob, cast: Cast, frames: Sequence[Frame], scale: float) -> bool:
    """Pack the touching points; whether they are known, and not too many."""
    counts = [0 if f.contacts is None else len(f.contacts.point) for f in frames]
    if all(frame.contacts is None for frame in frames) or sum(counts) > MOST_CONTACTS:
        return False
    bodies, points, normals, forces, separations = [], [], [], [], []
    for frame in frames:
        if frame.contacts is not None:
            bodies.append(cast.bodies(frame)[frame.contacts.bodies])
            points.append(frame.contacts.point)
            normals.append(frame.contacts.normal)
            forces.append(
                np.stack([frame.contacts.normal_force, frame.contacts.tangent_force], axis=1)
            )
            separations.append(frame.contacts.separation)
    blob.add("contact.count", np.array(counts), "delta")
    blob.add("contact.bodies", np.concatenate(bodies))
    blob.add("contact.place", np.concatenate(points), "plain", 4.0 / (PIXEL_PARTS * scale))
    blob.add("contact.normal", np.concatenate(normals), "plain", NORMAL)
    blob.add_floats("contact.force", np.concatenate(forces), digits=DIGITS)
    blob.add_floats("contact.separation", np.concatenate(separations), digits=DIGITS)
    return True


def add_sprites(blob: Blob, frames: Sequence[Frame], sprites: Mapping[int, Sprite]) -> None:
    """Pack which picture each item shows whose picture changes."""
    shown = [[sprite.picture(frame) for sprite in sprites.values()] for frame in frames]
    blob.add("sprite.item", np.array(list(sprites), np.int64))
    blob.add("sprite.shown", np.array(shown, np.int64).reshape(len(frames), -1), "delta")
