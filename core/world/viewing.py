# SPDX-License-Identifier: MIT
"""The view of the camera of a running world, by the scene's own size of pictures.

Expressions read it by steps, so that it is the same whether pictures are made or not, in any size,
and by any program. A camera that moves with bodies is moved once at the end of each step, after its
last action. Pictures move theirs by frames, with the same arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..record.frame import Frame
from ..scene.camera_names import reads_camera
from ..scene.model import Scene
from ..scene.values.state_words import CAMERA_STATES
from ..view.boxes import Box
from ..view.camera import Camera
from .naming.parts import WorldParts
from .saved import UnfitError


class WorldView:
    """The view of one world.

    Attributes:
        is_followed: whether the camera moves, and something in the scene reads where it is, so that
            it is moved at each step.
    """

    def __init__(self, world: WorldParts) -> None:
        self._world: WorldParts = proxy(world)  # which owns it
        scene = world.roster.scene
        self.is_followed = scene.camera.mode in ("follow", "keys") and reads_camera(scene)
        self._camera: Camera | None = None
        self._step = 0  # after which it was moved
        self._given: Frame | None = None  # the present, if the world cannot be asked

    def value(self, quantity: str) -> float:
        """A present number of the view."""
        left, low, right, high = self._box()
        if quantity in ("left", "x", "right", "width"):
            numbers = {"left": left, "right": right, "width": right - left}
            return numbers.get(quantity, 0.5 * (left + right))
        down = self._world.roster.scene.units.y_down
        top, bottom = (low, high) if down else (high, low)
        numbers = {"top": top, "bottom": bottom, "height": high - low}
        return numbers.get(quantity, 0.5 * (low + high))

    def move(self) -> None:
        """Move it at the end of a step."""
        now = self._now()
        self._found().steady(now)
        self._step = now.step

    def look(self, number: int, step: int, bodies: Sequence[float]) -> float:
        """A number of the view in the middle of a native run, when the world cannot be asked.

        ``number`` is a place in ``CAMERA_STATES``, -1 to move the camera at the end of a step;
        ``bodies`` are x, y, the angle and 1 where it is there of each of the scene's own.
        """
        scene, rows = self._world.roster.scene, np.array(bodies).reshape(-1, 4)
        time, alive = step * scene.world.dt, rows[:, 3] != 0.0
        self._given = _frame(scene, rows[:, :3], alive, time, step)
        try:
            if number >= 0:
                return self.value(CAMERA_STATES[number])
            self.move()
            return 0.0
        finally:
            self._given = None

    def _now(self) -> Frame:
        """The scene's own bodies at this moment, as far as a camera asks."""
        return _present(self._world) if self._given is None else self._given

    def _found(self) -> Camera:
        """The camera, which begins with the scene."""
        if self._camera is None:
            scene = self._world.roster.scene
            first = _beginning(scene)
            self._camera = Camera(scene, scene.render.size, first)
            self._camera.steady(first)
        return self._camera

    def _box(self) -> Box:
        """The visible part of the world: as it was moved after this step, or will be."""
        camera, world = self._found(), self._world
        size = world.roster.scene.render.size
        step = world.step_count if self._given is None else self._given.step
        if self.is_followed and self._step == step:
            return camera.now.box(size)
        if camera.remembers and not self.is_followed and step > 0:
            raise UsageError(
                "this camera moves no further than it must, so that its view depends on all steps "
                "before; it is followed from the start if the scene itself reads it: name it in "
                "`record.channels`"
            )
        memory = camera.memory
        box = camera.steady(self._now()).box(size)
        camera.memory = memory
        return box

    # ------------------------------------------------------------ saving

    def save(self) -> list[float]:
        """The state of the camera; empty if it is not followed."""
        return [float(self._step), *self._found().memory] if self.is_followed else []

    def restore(self, saved: Sequence[float]) -> None:
        """Be as ``save`` said. Raises UnfitError for numbers of another camera."""
        wanted = 1 + len(self._found().memory) if self.is_followed else 0
        if len(saved) != wanted:
            raise UnfitError("script.view: the scene has another camera")
        if self.is_followed:
            if not (saved[1] > 0.0 and saved[3] != 0.0):
                raise UnfitError("script.view: the scales must not be 0")
            self._step, self._found().memory = int(saved[0]), tuple(saved[1:])

    def fork(self, world: WorldParts) -> WorldView:
        """The same for another world of the scene."""
        other = WorldView(world)
        if self.is_followed:
            other.restore(self.save())
        return other


def _present(world: WorldParts) -> Frame:
    """The scene's own bodies at this moment, as far as a camera asks."""
    native, count = world.native, len(world.roster.scene.bodies)
    own = slice(1, 1 + count)
    pose = np.stack([native.x[own], native.y[own], native.angle[own]], axis=1)
    alive = np.asarray(native.alive[own]).astype(np.bool_)
    return _frame(world.roster.scene, pose, alive, world.time, world.step_count)


def _beginning(scene: Scene) -> Frame:
    """The scene's bodies where they begin."""
    places = [(*body.position, body.angle) for body in scene.bodies.values()]
    pose = np.array(places, np.float64).reshape(-1, 3)
    return _frame(scene, pose, np.ones(len(pose), np.bool_), 0.0, 0)


def _frame(
    scene: Scene, pose: NDArray[np.float64], alive: NDArray[np.bool_], time: float, step: int
) -> Frame:
    return Frame(
        time=time,
        step=step,
        pose=pose,
        velocity=np.zeros_like(pose),
        center=np.zeros((len(pose), 2)),
        alive=alive,
        awake=alive,
        joint_broken=np.zeros(len(scene.joints), np.bool_),
        joint_force=np.zeros((len(scene.joints), 3)),
    )
