# SPDX-License-Identifier: MIT
"""Poses of an animation: the rest positions with its set-points held at a phase.

All other parts of the scene are inactive. A body is held at a pivot, without gravity; or it is kept
upright above a flat floor, onto which it sinks when the pose is reached.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import UsageError, unknown_name
from ..record import Frame
from ..scene.basis import basis_of
from ..scene.blocks.settings.settable import OWNERS, find_owner
from ..scene.model import Body, Point, Scene
from ..scene.script import Animation
from ..scene.values.portable_math import cos, hypot, sin
from ..view.boxes import BodyBoxes, Box, extent, merged
from ..world import World, build
from ..world.naming.setters import find_setter
from ..world.script.tracks import first_phase, value_at

PATIENCE = 10.0
"""Seconds after which a pose is taken as it is."""
LOOK = 0.1
"""Seconds between two looks whether all is at rest."""
SLOW = 1e-3
"""At rest is what moves by so much of its size, or turns by so many radians, in a second."""
CALM = 2.0
"""Bodies lose their speed at least so fast (per second); where they come to rest stays the same."""
WAY = 8
"""Set-points go from a phase to the next in so many steps."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A frame, and where the pivot is in it, or the floor under it."""

    frame: Frame
    origin: Point
    at_rest: bool

    def turned(self, about: Point, angle: float) -> Pose:
        """The pose turned round a point, by radians from +x towards +y."""
        pose = self.frame.pose.copy()
        c, s = cos(angle), sin(angle)
        x, y = pose[:, 0] - about[0], pose[:, 1] - about[1]
        pose[:, 0], pose[:, 1] = about[0] + c * x - s * y, about[1] + s * x + c * y
        pose[:, 2] += angle
        return Pose(
            replace(self.frame, pose=pose), rotated(self.origin, about, angle), self.at_rest
        )


def rotated(point: Point, about: Point, angle: float) -> Point:
    """A point turned round another one, by radians from +x towards +y."""
    c, s = cos(angle), sin(angle)
    x, y = point[0] - about[0], point[1] - about[1]
    return about[0] + c * x - s * y, about[1] + s * x + c * y


def find_animations(scene: Scene, names: Sequence[str]) -> list[Animation]:
    """The animations of these names, or all; UsageError for one that is not there."""
    if not scene.animations:
        raise UsageError("the scene has no `animations`, and so no poses")
    for name in names:
        if name not in scene.animations:
            raise unknown_name("animation", name, scene.animations)
    return [scene.animations[name] for name in names or scene.animations]


def phases(animation: Animation, count: int) -> list[float]:
    """Evenly spaced phases; for a loop without the end, which equals the start."""
    parts = count if animation.kind == "loop" else max(count - 1, 1)
    return [i / parts for i in range(count)]


def find_held(
    scene: Scene,
    body: str | None,
    pivot: Point | None,
    animations: Sequence[Animation] = (),
) -> tuple[str, Point]:
    """The held body and its held point: the named body, the one at the pivot, or the first one of
    the figures that the animations move."""
    moving = [name for name, each in scene.bodies.items() if each.kind != "static"]
    if not moving:
        raise UsageError("the scene has no body that moves, and so no poses")
    if body is not None:
        if body not in moving:
            raise unknown_name("body that moves", body, moving)
        return body, pivot or scene.bodies[body].position
    if pivot is None:
        driven = [name for name in _driven(scene, animations) if name in moving]
        figure = frozenset[str]().union(*(figure_of(scene, name) for name in driven))
        first = next((name for name in moving if name in figure), moving[0])
        return first, scene.bodies[first].position
    there = [name for name in build(scene).query.overlap_point(pivot) if name in moving]
    if not there:
        x, y = pivot
        raise UsageError(f"no body that moves is at the pivot {x:g}, {y:g}; name one to be held")
    return there[0], pivot


def _driven(scene: Scene, animations: Sequence[Animation]) -> set[str]:
    """The bodies that animations move, themselves or by a joint or an actuator."""
    objects = {section: getattr(scene, section) for section in OWNERS}
    found: set[str] = set()
    for track in (track for animation in animations for track in animation.tracks):
        section, name, _ = find_owner(track.path, objects) or ("", "", "")
        if section == "bodies":
            found.add(name)
        elif section == "joints":
            found |= {scene.joints[name].body_a, scene.joints[name].body_b}
        elif section == "actuators":
            found.update(scene.actuators[name].bodies)
    return found


def figure_of(scene: Scene, held: str) -> frozenset[str]:
    """The body that is held and all bodies that move and hang together with it by joints."""
    beside: dict[str, list[str]] = {}
    for joint in scene.joints.values():
        ends = [
            name
            for name in (joint.body_a, joint.body_b)
            if name in scene.bodies and scene.bodies[name].kind != "static"
        ]
        if len(ends) == 2:
            beside.setdefault(ends[0], []).append(ends[1])
            beside.setdefault(ends[1], []).append(ends[0])
    found, waiting = {held}, [held]
    while waiting:
        new = [name for name in beside.get(waiting.pop(), ()) if name not in found]
        found.update(new)
        waiting += new
    return frozenset(found)


def is_fixed(scene: Scene, figure: Container[str]) -> bool:
    """Return whether a figure is attached to a body at rest, or has a kinematic body."""
    if any(scene.bodies[name].kind == "kinematic" for name in scene.bodies if name in figure):
        return True
    still = {name for name, body in scene.bodies.items() if body.kind == "static"} | {"world"}
    return any(
        (joint.body_a in still and joint.body_b in figure)
        or (joint.body_b in still and joint.body_a in figure)
        for joint in scene.joints.values()
    )


class Poser:
    """Brings one world from pose to pose.

    Args:
        scene: the scene.
        figure: the bodies that matter; others collide with nothing.
        held: the one of them that is held; None where they are held already.
        pivot: where, in the world as it begins.
        ground: whether a floor comes from below.
        steps: after how many time steps a pose is taken; None when all is at rest.
    """

    def __init__(
        self,
        scene: Scene,
        figure: Container[str],
        held: str | None,
        pivot: Point,
        *,
        ground: bool,
        steps: int | None = None,
    ) -> None:
        if held is not None and scene.bodies[held].kind == "kinematic":
            held = None
        self._scene, self._pivot, self._ground = scene, pivot, ground
        self._steps = steps
        self._seconds = scene.units.time_per_second
        self._world = build(_alone(scene, figure))
        self._figure = figure
        self._rows = [row for row, name in enumerate(scene.bodies) if name in figure]
        self._down = 1.0 if scene.units.y_down else -1.0
        rail, self._floor = (_unused(self._world, name) for name in ("held", "floor"))
        self._floors = 0
        self._category = _touched(scene, figure) if ground else ""
        if held is not None:
            hold = {"type": "weld"} if not ground else {"type": "prismatic", "axis": [0, 1]}
            joint = {**hold, "bodies": ["world", held], "anchor": list(pivot), "visible": False}
            self._world.add({"joints": {rail: joint}})
        self._world.set("world.gravity", (0.0, 0.0))
        for animation in scene.animations.values():
            for track in animation.tracks:
                find_setter(self._world, track.path).set(value_at(track, first_phase(animation)))

    def poses(self, animation: Animation, count: int) -> Iterator[Pose]:
        """Yield the poses at this many phases; after a number of steps they are as they are then,
        at rest or not."""
        pause = max(round(0.5 * LOOK * self._seconds / self._scene.world.dt), 1)
        before = first_phase(animation)
        for phase in phases(animation, count):
            if self._steps is not None:
                self._go(animation, phase, self._steps)
                yield self._pose(at_rest=True)
                continue
            for i in range(1, WAY + 1):
                self._go(animation, before + (phase - before) * i / WAY, pause)
            before = phase
            at_rest = self._settle()
            yield self._pose(at_rest)

    def _go(self, animation: Animation, phase: float, steps: int) -> None:
        """Set the values of an animation at a phase; bodies that it moves are moved gradually."""
        world, span = self._world, steps * self._scene.world.dt
        setters = [find_setter(world, track.path) for track in animation.tracks]
        for setter, track in zip(setters, animation.tracks, strict=True):
            setter.approach(value_at(track, phase), span)
        world.step(steps)
        for setter in setters:
            if setter.moves_body:
                world[setter.owner].velocity = (0.0, 0.0)
                world[setter.owner].angular_velocity = 0.0

    def _pose(self, at_rest: bool) -> Pose:
        if not self._ground:
            return Pose(self._frame(), self._pivot, at_rest)
        x0, y0, x1, y1 = self._box()
        level = y1 if self._down > 0.0 else y0
        size = extent((x0, y0, x1, y1))
        thick = [4.0 * size, size]
        floor = {
            "type": "static",
            "shape": {"box": thick},
            "position": [0.5 * (x0 + x1), level + 0.5 * size * self._down],
            "category": self._category,
            "visible": False,
        }
        world, name = self._world, f"{self._floor}[{self._floors}]"
        self._floors += 1  # a name is given once only
        world.add({"bodies": {name: floor}})
        gx, gy = self._scene.world.gravity
        world.set("world.gravity", (0.0, self._down * hypot(gx, gy)))
        at_rest = self._settle() and at_rest
        pose = Pose(self._frame(), (self._pivot[0], level), at_rest)
        world.remove(name)
        world.set("world.gravity", (0.0, 0.0))
        return pose

    def _frame(self) -> Frame:
        """The current frame with all bodies awake, since sleeping bodies are drawn paler."""
        frame = self._world.frame()
        return replace(frame, awake=np.ones_like(frame.awake))

    def _box(self) -> Box:
        frame = self._frame()
        return figure_box(self._world.scene, frame, self._figure)

    def _settle(self) -> bool:
        """Step until all bodies are at rest; return whether they came to rest."""
        dt = self._scene.world.dt
        stretch = max(round(LOOK * self._seconds / dt), 1)
        for _ in range(round(PATIENCE / LOOK)):
            self._world.step(stretch)
            if self._rests():
                return True
        return False

    def _rests(self) -> bool:
        bodies = self._world.bodies
        there = [row for row in self._rows if bodies.alive[row]]
        slow = SLOW * extent(self._box()) / self._seconds
        turning = float(np.abs(bodies.omega[there]).max(initial=0.0))
        speeds = np.abs(bodies.vx[there]) + np.abs(bodies.vy[there])
        return turning <= SLOW / self._seconds and float(speeds.max(initial=0.0)) <= slow


def figure_box(scene: Scene, frame: Frame, figure: Container[str]) -> Box:
    """The bounding box of the existing bodies of a figure."""
    boxes = BodyBoxes(scene).of(frame)
    return merged(boxes[[row for row, name in enumerate(scene.bodies) if name in figure]])


def _alone(scene: Scene, figure: Container[str]) -> Scene:
    """The scene, calm, without its own motion; only the figure collides."""
    basis = basis_of(scene)
    calm = CALM / scene.units.time_per_second
    bodies = {name: _calm(body, calm, name in figure) for name, body in scene.bodies.items()}
    return replace(
        scene,
        bodies=bodies,
        animations={},
        controls={},
        inputs=(),
        events=(),
        spawners={},
        outcome=None,
        particles={},
        compare=None,
        # Additions are as written, whatever the scene's defaults for bodies and joints are.
        basis=None if basis is None else replace(basis, defaults=None),
    )


def _calm(body: Body, damping: float, collide: bool) -> Body:
    if body.kind == "static":
        return replace(body, collide=False)
    return replace(
        body,
        collide=body.collide and collide,
        velocity=(0.0, 0.0),
        angular_velocity=0.0,
        linear_damping=max(body.linear_damping, damping),
        angular_damping=max(body.angular_damping, damping),
    )


def _touched(scene: Scene, figure: Container[str]) -> str:
    """The category that most shapes of a figure touch, for a floor."""
    categories, matrix = scene.collision.categories, scene.collision.matrix
    own = [
        categories.index(shape.category)
        for body in scene.bodies.values()
        if body.name in figure and body.collide
        for shape in body.shapes
        if not shape.sensor
    ]
    touching = [sum(row[i] for i in own) for row in matrix]
    if not max(touching):
        first = next(name for name in scene.bodies if name in figure)
        raise UsageError(
            f"the figure of {first!r} touches nothing, so it sinks onto no floor: name a body of "
            "another figure"
        )
    return categories[touching.index(max(touching))]


def _unused(world: World, name: str) -> str:
    """Return an unused name, for the body that holds the figure."""
    scene = world.scene
    while any(name in names for names in (scene.bodies, scene.joints, scene.actuators)):
        name += "_"
    return name
