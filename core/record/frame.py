# SPDX-License-Identifier: MIT
"""Frame: one moment of a run, passed from world to render."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..scene.model import Point, Scene
from ..scene.probe_model import ProbeKind

Float64 = NDArray[np.float64]


@dataclass(slots=True)
class ContactPoints:
    """Touching points at one moment.

    ``bodies`` [n, 2] int32, rows of Frame.pose; ``point`` and ``normal`` [n, 2] (normal from the
    first body to the second); ``normal_force`` and ``tangent_force`` [n], scene units;
    ``separation`` [n] of the surfaces, between which the point is in the middle, below 0 where they
    overlap.
    """

    bodies: NDArray[np.int32]
    point: Float64
    normal: Float64
    normal_force: Float64
    tangent_force: Float64
    separation: Float64


@dataclass(slots=True)
class Passed:
    """The values of plots at the steps between the previous frame and this one: ``values`` of the
    state ``names`` [steps, names] at ``times`` [steps], without this frame's own step."""

    names: tuple[str, ...]
    times: Float64
    values: Float64

    def of(self, names: Sequence[str]) -> Float64:
        """[steps, 1 + names] the times and the values of these; no steps where one is not known."""
        place = {name: column for column, name in enumerate(self.names)}
        if not all(name in place for name in names):
            return np.empty((0, 1 + len(names)))
        columns = [place[name] for name in names]
        return np.column_stack([self.times, self.values[:, columns]])


@dataclass(frozen=True, slots=True)
class Sight:
    """The question of one probe, in world coordinates, and its findings.

    Attributes:
        ends: of a ray, and of a velocity, whose arrow begins at the first.
        pieces: of a shape, convex corners and a radius each.
        hit: of a ray, the point and the normal of the surface that it meets; None for none.
        bodies: the bodies that were found, in the order of their distance or of their slots.
        velocity: of a point.
    """

    kind: ProbeKind
    ends: tuple[Point, ...] = ()
    pieces: tuple[tuple[tuple[Point, ...], float], ...] = ()
    hit: tuple[Point, Point] | None = None
    bodies: tuple[str, ...] = ()
    velocity: Point = (0.0, 0.0)


@dataclass(slots=True)
class Frame:
    """One moment. Row i of each body array is the i-th body of ``scene.bodies``; likewise joints.

    The scene is the frame's own: it includes additions to the world, without those that were
    removed.

    Attributes:
        time: scene time.
        step: the last finished step at that time.
        pose: [bodies, 3] x, y of the origin and angle in radians, unwrapped; between two steps they
            are interpolated.
        velocity: [bodies, 3] vx, vy, omega.
        center: [bodies, 2] the centre of mass in body coordinates.
        alive: [bodies] bool, False after a body was removed.
        awake: [bodies] bool.
        joint_broken: [joints] bool.
        joint_force: [joints, 3] force x, y on body b, and torque.
        contacts: present when the renderer asked for contacts.
        energy: (kinetic, potential), the latter with that of springs and fields.
        push_pull: [bodies] the axial force of bars, positive in compression; None when
            it is not known, as in frames of a trace.
        acting: [actuators] bool, whether each acts; None when it is not known.
        corners: the corners of the shapes of deformed bodies, by their row, and their present
            places, both [corners, 2] in body coordinates.
        targets: the moved targets of mice, by the row of their joint.
        scene: the scene of the rows; None if it is the drawn scene.
        values: the known values of the state names for pictures, ``Scene.readings``.
        visible: whether bodies are drawn, for bodies with a setting during the run.
        levels: the moved surfaces of pools.
        sights: what each probe has found, in the order of the scene.
        passed: the values of plots since the previous frame; None when they are not known.
    """

    time: float
    step: int
    pose: Float64
    velocity: Float64
    center: Float64
    alive: NDArray[np.bool_]
    awake: NDArray[np.bool_]
    joint_broken: NDArray[np.bool_]
    joint_force: Float64
    contacts: ContactPoints | None = None
    energy: tuple[float, float] = field(default=(0.0, 0.0))
    push_pull: Float64 | None = None
    acting: NDArray[np.bool_] | None = None
    targets: dict[int, tuple[float, float]] = field(default_factory=dict)
    corners: dict[int, tuple[Float64, Float64]] = field(default_factory=dict)
    scene: Scene | None = None
    values: dict[str, float] = field(default_factory=dict)
    visible: dict[str, bool] = field(default_factory=dict)
    levels: dict[str, float] = field(default_factory=dict)
    passed: Passed | None = None
    sights: tuple[Sight, ...] = ()


def as_shown(scene: Scene, visible: Mapping[str, bool]) -> Scene:
    """Return a scene with the present visibility of its bodies; itself without changes."""
    changed = {
        name: replace(scene.bodies[name], visible=shown)
        for name, shown in visible.items()
        if name in scene.bodies and scene.bodies[name].visible != shown
    }
    return replace(scene, bodies={**scene.bodies, **changed}) if changed else scene


class Shown:
    """A scene as its frames show it: the same object as long as they show the same bodies."""

    def __init__(self) -> None:
        self._of: tuple[Scene, dict[str, bool]] | None = None
        self._now: Scene | None = None

    def of(self, scene: Scene, visible: Mapping[str, bool]) -> Scene:
        """The scene with the bodies that are drawn."""
        if not visible:
            return scene
        same = self._of is not None and self._of[0] is scene and self._of[1] == visible
        if self._now is None or not same:
            self._of, self._now = (scene, dict(visible)), as_shown(scene, visible)
        return self._now


def check_frame(frame: Frame, scene: Scene) -> None:
    """Raise UsageError for a frame that does not belong to the scene."""
    if frame.scene is not None and frame.scene.hash == scene.hash:
        scene = frame.scene
    for what, there, wanted in (
        ("bodies", len(frame.pose), len(scene.bodies)),
        ("joints", len(frame.joint_broken), len(scene.joints)),
    ):
        if there != wanted:
            raise UsageError(
                f"the frame is of another scene: it has {there} {what}, the scene {wanted}"
            )
