# SPDX-License-Identifier: MIT
"""Overlays of mechanics: limits and errors of joints, convex parts, depths of contacts, forces.

``joint_facts``, ``parts_of`` and ``weight_of`` find once what is drawn, for pictures here and for
pages, which draw it themselves (page/assets/mechanics.js).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, pi, sqrt

import numpy as np

from ... import _native
from ...record.frame import Frame
from ...scene.model import Body, Joint, Point, Scene
from ...scene.values.portable_math import atan2, cos, sin
from ...view.camera import View, world_points
from ..canvas.colors import Color, fade, parse_color
from ..canvas.display import Items
from ..canvas.theme import Theme
from .scales import mass_of

LEAST = parse_color("#e8821e")
"""The colour of what is at a lower limit,"""
MOST = parse_color("#8a4fc4")
"""and at an upper one;"""
SECTOR = parse_color("#f2c230")
"""of the angles between,"""
ERROR = parse_color("#b0279f")
"""and of the error of a joint."""
PARTS = parse_color("#1d8f6a")
"""The lines between convex parts."""
START, END = parse_color("#2f6fb5"), parse_color("#3d9a50")
"""The points of a contact on the surfaces of its first and its second body."""
ARM = (22.0, 64.0)
"""Length of the arms at a limit at picture size ``unit`` 1, in pixels: least and greatest."""
PIECE = pi / 30.0
"""An arc is drawn in pieces of at most this angle."""
FORCE, LONGEST = 46.0, 150.0
"""The arrow of the mean weight, and the longest arrow of a force, at picture size ``unit`` 1."""


@dataclass(frozen=True, slots=True)
class JointFacts:
    """The range of a joint.

    Attributes:
        moves: how it is limited: its angle may ``turn``, it may ``slide`` along its axis, or its
            ends may be at a ``length``; none where it has no limits.
        low, high: the limits, maybe infinite.
        holds: what it holds to: the anchors to a ``point``, or to the ``line`` of the axis, or to a
            ``length``; none where nothing of it can be wrong.
        shortest, longest: the lengths that are right.
    """

    moves: str = ""
    low: float = -inf
    high: float = inf
    holds: str = ""
    shortest: float = 0.0
    longest: float = inf


def joint_facts(joint: Joint) -> JointFacts:
    """The facts of a joint; none of a type that is not drawn by its anchors."""
    low, high = joint.limits or (-inf, inf)
    limited = joint.limits is not None
    if joint.kind == "revolute":
        return JointFacts("turn" if limited else "", low, high, "point")
    if joint.kind == "weld":
        return JointFacts(holds="point")
    if joint.kind in ("prismatic", "wheel"):
        return JointFacts("slide" if limited else "", low, high, "line")
    if joint.kind != "distance":
        return JointFacts()
    shortest = 0.0 if joint.min_length is None or joint.rope else joint.min_length
    longest = inf if joint.max_length is None else joint.max_length
    if joint.rope and not isfinite(longest):
        longest = joint.length
    if joint.spring is None and not joint.rope and joint.limits is None and not isfinite(longest):
        return JointFacts(holds="length", shortest=joint.length, longest=joint.length)
    moves = "length" if shortest > 0.0 or isfinite(longest) else ""
    return JointFacts(moves, shortest, longest, "length" if moves else "", shortest, longest)


@lru_cache(maxsize=4096)
def _convex(points: tuple[Point, ...]) -> tuple[tuple[Point, ...], ...]:
    parts = _native.decompose_polygon(np.array(points, np.float64))
    return tuple(tuple((float(x), float(y)) for x, y in part.tolist()) for part in parts)


def parts_of(body: Body) -> list[tuple[Point, ...]]:
    """The convex polygons in which the engine has the concave ones of a body."""
    found: list[tuple[Point, ...]] = []
    for shape in body.shapes:
        if shape.kind == "polygon" and shape.radius == 0.0 and len(shape.points) > 3:
            parts = _convex(shape.points)
            found += parts if len(parts) > 1 else ()
    return found


def weight_of(body: Body, scene: Scene) -> Point:
    """The force of gravity on a body."""
    mass = mass_of(body) * body.gravity_scale if body.kind == "dynamic" else 0.0
    return (scene.world.gravity[0] * mass, scene.world.gravity[1] * mass)


class Mechanics:
    """These overlays of one rendering, frame by frame."""

    def __init__(self, scene: Scene, theme: Theme, unit: float, weight: float) -> None:
        self._scene, self._theme, self._unit, self._weight = scene, theme, unit, weight
        self._rows = {name: row for row, name in enumerate(scene.bodies)}
        self._facts = [joint_facts(joint) for joint in scene.joints.values()]

    # ------------------------------------------------------------ contacts

    def add_depths(self, items: Items, frame: Frame, view: View) -> None:
        """The two surfaces at each touching point, and the way between them."""
        contacts, unit = frame.contacts, self._unit
        if contacts is None:
            return
        half = 0.5 * contacts.separation[:, None] * contacts.normal
        starts, ends = contacts.point - half, contacts.point + half
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            a, b = view.pixel(*start), view.pixel(*end)
            items.add("path", [a, b], SECTOR, radius=1.1 * unit)
            for place, color in ((a, START), (b, END)):
                items.add("circle", [place], color, radius=2.0 * unit)

    def add_body_forces(self, items: Items, frame: Frame, view: View) -> None:
        """On each body that moves its weight, and at its touching points normal force and friction.

        Arrows are as long as the force.
        """
        seen = [
            row
            for row, body in enumerate(self._scene.bodies.values())
            if body.visible and body.kind == "dynamic" and frame.alive[row]
        ]
        bodies = list(self._scene.bodies.values())
        centers = world_points(frame, np.arange(len(frame.pose)), frame.center)
        for row in seen:
            weight = weight_of(bodies[row], self._scene)
            self._add_force(items, centers[row].tolist(), weight, self._theme.ink, view)
        contacts, moving = frame.contacts, set(seen)
        if contacts is None:
            return
        for i, (a, b) in enumerate(contacts.bodies.tolist()):
            (nx, ny), place = contacts.normal[i].tolist(), contacts.point[i].tolist()
            normal, friction = float(contacts.normal_force[i]), float(contacts.tangent_force[i])
            for row, sign in ((a, -1.0), (b, 1.0)):
                if row in moving:
                    push = (sign * normal * nx, sign * normal * ny)
                    rub = (sign * friction * ny, -sign * friction * nx)
                    self._add_force(items, place, push, self._theme.contact, view)
                    self._add_force(items, place, rub, END, view)

    def _add_force(
        self, items: Items, place: list[float], force: Point, color: Color, view: View
    ) -> None:
        unit = self._unit
        x, y = force[0], force[1] * (1.0 if view.scale_y > 0.0 else -1.0)
        size = sqrt(x * x + y * y)
        long = min(FORCE * unit * size / self._weight, LONGEST * unit)
        if not isfinite(size) or not long >= 2.0:
            return
        start = view.pixel(*place)
        tip = (start[0] + x / size * long, start[1] + y / size * long)
        items.add("arrow", [start, tip], color, radius=1.0 * unit, a=7.0 * unit, b=3.4 * unit)

    # ------------------------------------------------------------ bodies

    def add_parts(self, items: Items, frame: Frame, view: View) -> None:
        """The convex parts of concave polygons."""
        for row, body in enumerate(self._scene.bodies.values()):
            if not body.visible or not frame.alive[row]:
                continue
            for part in parts_of(body):
                placed = world_points(frame, np.full(len(part), row), np.array(part))
                corners = [view.pixel(x, y) for x, y in placed.tolist()]
                items.add("loop", corners, PARTS, radius=0.7 * self._unit)

    # ------------------------------------------------------------ joints

    def add_limits(self, items: Items, frame: Frame, view: View) -> None:
        """Draw the limits of joints: arms of hinges, ends of slides and of lengths."""
        for _, joint, facts in self._whole(frame):
            if facts.moves == "turn":
                self._add_sector(items, joint, facts, frame, view)
            elif facts.moves:
                self._add_range(items, joint, facts, frame, view)

    def _add_sector(
        self, items: Items, joint: Joint, facts: JointFacts, frame: Frame, view: View
    ) -> None:
        """The arm of body b, and between its limits, which turn with body a, the free sector."""
        row, unit = self._rows.get(joint.body_b, -1), self._unit
        x, y = (0.0, 0.0) if row < 0 else frame.center[row].tolist()
        x, y = x - joint.anchor_b[0], y - joint.anchor_b[1]
        arm = sqrt(x * x + y * y) * view.scale
        own = atan2(y, x) if arm > 1.0 else 0.0
        long = min(max(arm, ARM[0] * unit), ARM[1] * unit)
        start = self._angle(joint.body_a, frame) + joint.reference_angle + own
        way = 1.0 if view.scale_y > 0.0 else -1.0
        middle = view.pixel(*self._place(joint.body_a, joint.anchor_a, frame))

        def tip(angle: float) -> Point:
            return middle[0] + long * cos(angle), middle[1] + way * long * sin(angle)

        if isfinite(facts.low) and isfinite(facts.high):
            span = min(facts.high - facts.low, 2.0 * pi)
            count = max(int(span / PIECE) + 1, 2)
            angles = [start + facts.low + span * i / count for i in range(count + 1)]
            items.add("polygon", [middle, *map(tip, angles)], fade(SECTOR, 0.35))
        now = self._angle(joint.body_b, frame) + own
        items.add("path", [middle, tip(now)], END, radius=0.9 * unit)
        for limit, color in ((facts.low, LEAST), (facts.high, MOST)):
            if isfinite(limit):  # above the arm, which may rest there
                items.add("path", [middle, tip(start + limit)], color, radius=1.1 * unit)

    def _add_range(
        self, items: Items, joint: Joint, facts: JointFacts, frame: Frame, view: View
    ) -> None:
        """The way between the limits of a slide or a length, with its ends, and where it is."""
        first = self._place(joint.body_a, joint.anchor_a, frame)
        last = self._place(joint.body_b, joint.anchor_b, frame)
        ux, uy = self._direction(joint, facts, first, last, frame)
        now = (last[0] - first[0]) * ux + (last[1] - first[1]) * uy
        low = facts.low if isfinite(facts.low) else min(now, facts.high)
        high = facts.high if isfinite(facts.high) else max(now, facts.low)
        ends = [(first[0] + far * ux, first[1] + far * uy) for far in (low, high, now)]
        a, b, here = (view.pixel(*end) for end in ends)
        unit = self._unit
        items.add("path", [a, b], fade(SECTOR, 0.9), radius=1.2 * unit)
        stop = 6.0 * unit
        # Across the way, in pixels: y goes the other way where it points up.
        nx, ny = -uy * (1.0 if view.scale_y > 0.0 else -1.0) * stop, ux * stop
        for limit, (x, y), color in ((facts.low, a, LEAST), (facts.high, b, MOST)):
            if isfinite(limit):
                tick = [(x - nx, y - ny), (x + nx, y + ny)]
                items.add("path", tick, color, radius=1.2 * unit)
        items.add("circle", [here], END, radius=2.2 * unit)

    def add_errors(self, items: Items, frame: Frame, view: View) -> None:
        """Lines from where joints would have their second anchor to where it is."""
        for _, joint, facts in self._whole(frame):
            if not facts.holds:
                continue
            first = self._place(joint.body_a, joint.anchor_a, frame)
            last = self._place(joint.body_b, joint.anchor_b, frame)
            right = first
            if facts.holds != "point":
                ux, uy = self._direction(joint, facts, first, last, frame)
                far = (last[0] - first[0]) * ux + (last[1] - first[1]) * uy
                if facts.holds == "length":
                    far = min(max(far, facts.shortest), facts.longest)
                right = (first[0] + far * ux, first[1] + far * uy)
            ends = [view.pixel(*right), view.pixel(*last)]
            items.add("path", ends, ERROR, radius=1.1 * self._unit)
            items.add("circle", ends[1:], ERROR, radius=1.7 * self._unit)

    def _whole(self, frame: Frame) -> Iterator[tuple[int, Joint, JointFacts]]:
        """The joints that hold, with their numbers."""
        for index, joint in enumerate(self._scene.joints.values()):
            if not frame.joint_broken[index]:
                yield index, joint, self._facts[index]

    def _place(self, body: str, anchor: Point, frame: Frame) -> Point:
        row = self._rows.get(body, -1)
        if row < 0:
            return anchor
        ((x, y),) = world_points(frame, np.array([row]), np.array([anchor])).tolist()
        return x, y

    def _angle(self, body: str, frame: Frame) -> float:
        row = self._rows.get(body, -1)
        return 0.0 if row < 0 else float(frame.pose[row, 2])

    def _direction(
        self, joint: Joint, facts: JointFacts, first: Point, last: Point, frame: Frame
    ) -> Point:
        """The axis of a slide in the world, or the way from one end of a joint to the other."""
        if "length" in (facts.moves, facts.holds):
            x, y = last[0] - first[0], last[1] - first[1]
            long = sqrt(x * x + y * y)
            return (x / long, y / long) if long > 0.0 else (1.0, 0.0)
        angle = self._angle(joint.body_a, frame)
        c, s = cos(angle), sin(angle)
        return c * joint.axis[0] - s * joint.axis[1], s * joint.axis[0] + c * joint.axis[1]
