# SPDX-License-Identifier: MIT
"""Annotations with arrows: vectors, free-body diagrams, and the scale of arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any

import numpy as np

from ...record.channel_units import shown_unit
from ...record.frame import ContactPoints, Frame
from ...scene.model import Actuator, Annotation, Joint, Scene
from ...scene.values.portable_math import cos, hypot, sin
from ...scene.values.vector_names import OF_MOTION, PRESSED, SCALES, vector_name
from ...view.boxes import Box
from ...view.camera import View
from ..canvas.colors import Color
from ..canvas.display import Items
from ..canvas.text import write_rimmed
from .annotation_mark import EDGE, LINE, Mark, MarkPart, tone_of
from .annotation_places import Pixel, Places
from .axes import in_corner
from .grid import grid_step, tick_label
from .scales import mass_of
from .side_by_side import APART, side_by_side
from .thrust import PUSHING, acts

Vector = tuple[float, float]


@dataclass(frozen=True, slots=True)
class VectorLook:
    """The symbol of a vector, its unit, and its colour: one of the theme's, or fixed."""

    symbol: str
    unit: str
    tone: str
    name: str = ""


LOOKS = {
    "velocity": VectorLook("v", "length/time", "velocity", "velocity"),
    "acceleration": VectorLook("a", "length/time^2", "#e8821e", "acceleration"),
    "momentum": VectorLook("p", "mass*length/time", "velocity", "momentum"),
    "weight": VectorLook("W", "force", "ink"),
    "normal_force": VectorLook("N", "force", "contact"),
    "friction_force": VectorLook("f", "force", "#3d9a50"),
    "contact_force": VectorLook("R", "force", "contact"),
    "net_force": VectorLook("ΣF", "force", "#b0279f"),
    "force": VectorLook("F", "force", "push", "force"),
}
THIN = ("∥", "⊥")
"""Signs of the components of a vector along an axis and across it."""
ALIGNED = 2e-3
"""A vector at an angle below that to one of the axes has no components."""
GAP = (0.48, 0.51)
"""The gap of an arrow that is cut, as shares of its length."""
BAR = 60.0
"""About the length of the arrow that shows the scale, at picture size ``unit`` 1."""


def scale_kind(unit: str) -> str:
    """The one of ``SCALES`` that vectors of a unit are drawn in; empty if there is none."""
    return next((kind for kind in SCALES if LOOKS[kind].unit == unit), "")


def look_of(vector: str, scene: Scene) -> VectorLook:
    """The look of a vector by its name; the empty one is that of expressions."""
    name = vector_name(vector)
    if not vector:
        return VectorLook("", "", "velocity")
    if name.owner in scene.joints:
        return LOOKS["force"]
    if name.of_contact and name.quantity == "force":
        return LOOKS["contact_force"]
    if name.quantity == "force":  # the normal forces of a body, in their old colour
        return VectorLook("N", "force", "push")
    return LOOKS[name.quantity]


def measured(size: float, unit: str) -> str:
    """A magnitude with about three digits, and its unit."""
    digits = 0 if size >= 99.95 else 1 if size >= 9.995 else 2
    number = f"{size:.{digits}f}" if 0.0995 <= size < 1e6 or size == 0.0 else f"{size:.2g}"
    return f"{number} {unit}".rstrip()


class Motion:
    """The acceleration of a body: the change of its velocity in the last step."""

    def __init__(self, name: str, places: Places) -> None:
        self._name, self._row, self._dt = name, places.rows[name], places.scene.world.dt
        self._last: tuple[int, Vector] | None = None
        self.now: Vector | None = None

    def note(self, frame: Frame) -> None:
        """Take note of a frame, later than those before."""
        vx, vy = (float(part) for part in frame.velocity[self._row, :2])
        time, last = frame.step * self._dt, self._last
        self._last = frame.step, (vx, vy)
        if last is not None and last[0] == frame.step:
            return
        self.now = None
        before = None
        if frame.passed is not None:
            names = (f"{self._name}.vx", f"{self._name}.vy")
            rows = [
                row for row in frame.passed.of(names).tolist() if row[0] < time - 0.5 * self._dt
            ]
            if rows and np.isfinite(rows[-1]).all():
                before = rows[-1]
        if before is None and last is not None and last[0] < frame.step:
            before = (last[0] * self._dt, *last[1])
        if before is not None:
            long = time - before[0]
            self.now = ((vx - before[1]) / long, (vy - before[2]) / long)


class Forces:
    """Finds the vectors of a scene in a frame: where they begin, and what they are."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def mass(self, name: str, frame: Frame) -> float:
        """The mass of a dynamic body."""
        body = self._places.scene.bodies[name]
        usual = mass_of(body) if body.kind == "dynamic" else 0.0
        return frame.values.get(f"{name}.mass", usual)

    def weight(self, name: str, frame: Frame) -> Vector:
        """The force of gravity on a body."""
        places = self._places
        scene, body = frame.scene or places.scene, places.scene.bodies[name]
        gx, gy = scene.world.gravity
        size = hypot(gx, gy)
        if not size > 0.0 or body.kind != "dynamic":
            return 0.0, 0.0
        usual = mass_of(body) * abs(body.gravity_scale) * size
        force = frame.values.get(f"{name}.weight", usual) / size
        force = -force if body.gravity_scale < 0.0 else force
        return gx * force, gy * force

    def pressing(self, name: str, frame: Frame) -> dict[str, tuple[Pixel, Vector, Vector]]:
        """By the bodies that a body touches: the middle of the touching points, by their forces,
        the sum of the normal forces, and that of the frictions."""
        contacts, row = frame.contacts, self._places.rows[name]
        if contacts is None:
            return {}
        names = list((frame.scene or self._places.scene).bodies)
        rows = np.flatnonzero((contacts.bodies == row).any(axis=1)).tolist()
        by: dict[str, list[int]] = {}
        for i in rows:
            a, b = contacts.bodies[i].tolist()
            by.setdefault(names[a if b == row else b], []).append(i)
        return {other: self._sums(contacts, which, row) for other, which in sorted(by.items())}

    def _sums(
        self, contacts: ContactPoints, which: list[int], row: int
    ) -> tuple[Pixel, Vector, Vector]:
        normal, rub = contacts.normal[which], contacts.tangent_force[which]
        sign = np.where(contacts.bodies[which, 1] == row, 1.0, -1.0)
        size, points = contacts.normal_force[which], contacts.point[which]
        shares = np.abs(size) if np.abs(size).sum() > 0.0 else np.ones(len(which))
        place = [fsum((points[:, k] * shares).tolist()) / fsum(shares.tolist()) for k in (0, 1)]
        push = [fsum((sign * size * normal[:, k]).tolist()) for k in (0, 1)]
        friction = (sign * rub * normal[:, 1], -sign * rub * normal[:, 0])
        across = [fsum(each.tolist()) for each in friction]
        return (place[0], place[1]), (push[0], push[1]), (across[0], across[1])

    def on_body(self, joint: Joint, body: str, frame: Frame) -> tuple[Pixel, Vector] | None:
        """The force of a joint on one of its bodies, at its anchor there."""
        row = self._places.joints[joint.name]
        if frame.joint_broken[row]:
            return None
        first = joint.body_a == body
        anchor = joint.anchor_a if first else joint.anchor_b
        place = self._places.on(body, anchor, frame)
        fx, fy = (float(part) for part in frame.joint_force[row, :2])
        return None if place is None else (place, (-fx, -fy) if first else (fx, fy))

    def velocity(self, name: str, frame: Frame) -> Vector:
        """The velocity of a body's centre of mass, or of a point of it."""
        places = self._places
        body, _, point = name.partition(".points.")
        vx, vy, omega = (float(part) for part in frame.velocity[places.rows[body]])
        if point:
            center = places.place(body, frame, center=True)
            place = places.place(name, frame)
            if center is not None and place is not None:
                vx -= omega * (place[1] - center[1])
                vy += omega * (place[0] - center[0])
        return vx, vy

    def pushes(self, name: str, frame: Frame) -> Iterator[tuple[str, Pixel, Vector]]:
        """The forces of actuators on a body: their names, where, and what they are."""
        places = self._places
        scene = frame.scene or places.scene
        for index, actuator in enumerate(places.scene.actuators.values()):
            if (
                actuator.kind in PUSHING
                and name in actuator.bodies
                and acts(frame, index, actuator)
            ):
                now: Actuator = scene.actuators.get(actuator.name, actuator)
                x, y = now.force
                place = places.place(name, frame, center=True)
                if now.at is not None:
                    place = places.on(name, now.at, frame)
                if now.kind == "thruster":
                    angle = float(frame.pose[places.rows[name], 2])
                    c, s = cos(angle), sin(angle)
                    x, y = c * x - s * y, s * x + c * y
                if place is not None:
                    yield actuator.name, place, (x, y)


class ArrowMark(Mark):
    """The base class of vectors and free-body diagrams."""

    def __init__(self, what: Annotation, places: Places) -> None:
        super().__init__(what, places)
        self._forces = Forces(places)

    def arrow(
        self, key: str, start: Pixel, vector: Vector, look: VectorLook, name: str, frame: Frame
    ) -> Iterator[MarkPart]:
        """A vector from a place on, with its name and its value, and then its components."""
        what, places = self.what, self._places
        scale = self.scale_of(look)
        shown = self.shown(name, hypot(*vector), look)
        yield self._part(key, start, vector, scale, shown, look)
        if what.components is None:
            return
        angle = what.components
        if isinstance(angle, str):
            angle = float(frame.pose[places.rows[angle], 2])
        c, s = cos(angle), sin(angle)
        for sign, (ex, ey) in zip(THIN, ((c, s), (-s, c)), strict=True):
            size = vector[0] * ex + vector[1] * ey
            share = abs(size) / hypot(*vector) if hypot(*vector) > 0.0 else 0.0
            if not ALIGNED < share < 1.0 - 0.5 * ALIGNED * ALIGNED:
                continue
            text = self.shown(f"{name}{sign}" if name else "", abs(size), look)
            along = (size * ex, size * ey)
            yield self._part(f"{key}{sign}", start, along, scale, text, look, thin=True)

    def _part(
        self,
        key: str,
        start: Pixel,
        vector: Vector,
        scale: float,
        text: str,
        look: VectorLook,
        *,
        thin: bool = False,
    ) -> MarkPart:
        unit, tone = look.unit, look.tone
        points = self._within(start, (scale * vector[0], scale * vector[1]), unit)
        loose = self.what.scale is None and scale_kind(unit) in self._places.by_picture
        kind = {"measured": bool(unit), "by_picture": loose}
        return MarkPart(points, text, key=key, tone=tone, thin=thin, **kind)

    def _within(self, start: Pixel, way: Vector, unit: str) -> tuple[Pixel, ...]:
        """The ends of an arrow; of one that would leave the picture, which is cut, and those
        of its gap between them. An arrow without a unit is as long as it is."""
        share = self._places.share_inside(start, way) if unit else 1.0
        if not share < 1.0:
            return start, (start[0] + way[0], start[1] + way[1])
        shares = [*(share * place for place in GAP), share]
        return start, *((start[0] + part * way[0], start[1] + part * way[1]) for part in shares)

    def scale_of(self, look: VectorLook) -> float:
        """Length units per unit of a vector."""
        if self.what.scale is not None:
            return self.what.scale
        return self._places.scales.get(scale_kind(look.unit), 1.0)

    def shown(self, name: str, size: float, look: VectorLook) -> str:
        """The text beside an arrow."""
        show = self.what.show or self.usual_show
        value = measured(size, shown_unit(look.unit, self._places.scene.units))
        if show == "both":
            return f"{name} = {value}" if name else value
        return {"name": name, "value": value}.get(show, "")

    usual_show = ""


class VectorMark(ArrowMark):
    """An arrow: a vector of a body, a contact or a joint, or two expressions."""

    def __init__(self, what: Annotation, places: Places) -> None:
        super().__init__(what, places)
        self._name = vector_name(what.vector)
        body = self._name.owner if self._name.quantity in OF_MOTION and what.vector else ""
        self._motion = Motion(body, places) if body else None

    @classmethod
    def remembers(cls, what: Annotation) -> bool:
        return bool(what.vector) and vector_name(what.vector).quantity in OF_MOTION

    @classmethod
    def wants_contacts(cls, what: Annotation, scene: Scene) -> bool:
        name = vector_name(what.vector)
        return name.owner in scene.bodies and (name.of_contact or name.quantity in PRESSED)

    def usual_color(self, places: Places) -> Color:
        return tone_of(look_of(self.what.vector, places.scene).tone, places)

    def note(self, frame: Frame) -> None:
        if self._motion is not None:
            self._motion.note(frame)

    def parts(self, frame: Frame) -> list[MarkPart]:
        found = self._found(frame)
        if found is None:
            return []
        start, vector = found
        look = look_of(self.what.vector, self._places.scene)
        written = self.text(frame)
        if self.what.show:
            name = written or look.symbol
            return list(self.arrow("", start, vector, look, name, frame))
        first, *others = self.arrow("", start, vector, look, written, frame)
        return [first.with_text(written), *others]

    def _found(self, frame: Frame) -> tuple[Pixel, Vector] | None:
        """The beginning of a vector, and its value; None without a place."""
        what, places, forces = self.what, self._places, self._forces
        if not what.vector:
            place = what.at or places.place(what.follow or "", frame)
            x, y = self.values(frame)
            return None if place is None else (place, (x, y))
        owner, quantity = self._name.owner, self._name.quantity
        if owner in places.joints:
            joint = places.scene.joints[owner]
            return forces.on_body(joint, self._name.other or joint.body_b, frame)
        place = places.place(owner, frame, center=True)
        if place is None:
            return None
        if quantity in PRESSED:
            return self._pressed(place, owner, frame)
        if quantity == "velocity":
            return place, forces.velocity(owner, frame)
        if quantity == "weight":
            return place, forces.weight(owner, frame)
        mass = 1.0 if quantity == "acceleration" else forces.mass(owner, frame)
        vector: Vector | None = forces.velocity(owner, frame)
        if self._motion is not None:
            vector = self._motion.now
        return None if vector is None else (place, (mass * vector[0], mass * vector[1]))

    def _pressed(self, center: Pixel, owner: str, frame: Frame) -> tuple[Pixel, Vector] | None:
        """The sum of the forces of touching points, of all or of those with one body."""
        quantity, other = self._name.quantity, self._name.other
        found = self._forces.pressing(owner, frame)
        if self._name.of_contact:
            if other not in found:
                return None
            found = {other: found[other]}
        normal = not quantity.startswith("friction")
        rub = quantity in ("friction_force", "contact_force") or (
            self._name.of_contact and quantity == "force"
        )
        sums = [
            fsum([*(each[1][k] for each in found.values() if normal)])
            + fsum([*(each[2][k] for each in found.values() if rub)])
            for k in (0, 1)
        ]
        whole = quantity == "force" and not self._name.of_contact
        if whole or not found:
            return center, (sums[0], sums[1])
        sizes = [hypot(*each[1]) + 1e-300 for each in found.values()]
        spots = [each[0] for each in found.values()]
        place = [
            fsum(size * spot[k] for size, spot in zip(sizes, spots, strict=True)) / fsum(sizes)
            for k in (0, 1)
        ]
        return (place[0], place[1]), (sums[0], sums[1])


class FreeBodyMark(ArrowMark):
    """All forces on a body: its weight, those of contacts, joints and actuators.

    On the body each begins where it acts; in a diagram of its own all begin at one place. Those
    that would lie on each other are side by side.
    """

    usual_show = "name"

    @classmethod
    def wants_contacts(cls, what: Annotation, scene: Scene) -> bool:
        return True

    def parts(self, frame: Frame) -> list[MarkPart]:
        body, places, forces = self.what.body, self._places, self._forces
        center = places.place(body, frame, center=True)
        if center is None:
            return []
        at = self.what.at
        found: list[MarkPart] = []

        def add(key: str, place: Pixel, vector: Vector, look: VectorLook, name: str) -> None:
            if hypot(*vector) > 0.0:
                start = place if at is None else at
                found.extend(self.arrow(key, start, vector, look, name, frame))

        add("weight", center, forces.weight(body, frame), LOOKS["weight"], "W")
        pressing = forces.pressing(body, frame)
        for other, (place, push, rub) in pressing.items():
            of = f" {other}" if len(pressing) > 1 else ""
            add(f"N {other}", place, push, LOOKS["normal_force"], f"N{of}")
            add(f"f {other}", place, rub, LOOKS["friction_force"], f"f{of}")
        for joint in places.scene.joints.values():
            if body in (joint.body_a, joint.body_b):
                acting = forces.on_body(joint, body, frame)
                if acting is not None:
                    add(f"joint {joint.name}", *acting, LOOKS["force"], joint.name)
        for name, place, push in forces.pushes(body, frame):
            add(f"push {name}", place, push, VectorLook(name, "force", "pull"), name)
        found = side_by_side(found, APART * places.pixel)
        if at is not None:
            found.append(MarkPart((at,), key="dot", tone="ink"))
        return found


class ScaleMark(Mark):
    """The scale of arrows: an arrow of a round magnitude, in a corner."""

    @classmethod
    def look(cls, what: Annotation, scene: Scene) -> dict[str, Any]:
        return {"long": BAR / 2.2, "name": what.text or LOOKS[what.scale_bar].name}

    def parts(self, frame: Frame) -> list[MarkPart]:
        """Its text has the length of the unit arrow and the name of the unit, for pages."""
        scale = self._places.scales[self.what.scale_bar]
        return [MarkPart((), f"{scale!r} {self._unit()}", tone="ink")]

    def _unit(self) -> str:
        return shown_unit(LOOKS[self.what.scale_bar].unit, self._places.scene.units)

    def extent(self, frame: Frame, view: View) -> tuple[str, float, float] | None:
        k, letters = self._places.unit, self.what.size * self._places.unit
        long, text = self._arrow(view)
        wide = max(long, self._lettering.width(text, letters))
        return self.what.corner or "bottom_left", wide, LINE * letters + 9.0 * k

    def _arrow(self, view: View) -> tuple[float, str]:
        """Its length in pixels, and what it means; nothing where that has no length."""
        pixels = abs(view.scale_x) * self._places.scales[self.what.scale_bar]
        if not (isfinite(pixels) and pixels > 0.0):
            return 0.0, ""
        size = grid_step(pixels, BAR * self._places.unit / 2.2)
        text = self.what.text or LOOKS[self.what.scale_bar].name
        return size * pixels, f"{text} {tick_label(size)} {self._unit()}"

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        extent, k = self.extent(frame, view), self._places.unit
        long, text = self._arrow(view)
        if extent is None or not long:
            return None
        box = in_corner(extent[0], self._places.size, *extent[1:], EDGE * k, taken)
        right = extent[0].endswith("right")
        x = box[2] - long if right else box[0]
        ends = [(x, box[3] - 4.5 * k), (x + long, box[3] - 4.5 * k)]
        items.add("arrow", ends, self.color, radius=1.2 * k, a=9.0 * k, b=4.2 * k)
        at = (box[2] if right else box[0], box[1])
        colors = (self.color, self._places.theme.paper)
        align = 1.0 if right else 0.0
        write_rimmed(items, self._lettering, text, at, colors, self.what.size * k, align)
        return box
