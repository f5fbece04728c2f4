# SPDX-License-Identifier: MIT
"""Places a prototype's parts for an instance: moves, turns, scales and mirrors them.

Lengths are scaled, and masses with the area. Speeds, forces, torques, springs and times are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import pi
from typing import Any, TypeVar, cast

from ....frozen import copier
from ...model import Actuator, Body, Emitter, Joint, Motor, Point, Shape, Texture
from ...script import Animation, Control, Value
from ...values.expression import compile_expression
from ..joints.types import JOINT_TYPES
from ..placement import Placement
from ..settings.joint_settings import LENGTHS
from ..settings.settable import find_owner

Item = TypeVar("Item", Body, Joint, Actuator)
Objects = Mapping[str, Mapping[str, Any]]
"""The objects of a prototype, by section and name."""
Copiers = dict[tuple[int | str, ...], Callable[..., Any]]
"""Functions that copy a prototype's objects, by identity and changed fields."""
_MOVED = "name", "position", "angle", "velocity"
_OPPOSITE: dict[str, Any] = {"left": "right", "right": "left", "both": "both"}


class Placer:
    """Places the objects of one prototype; bodies that share shapes keep sharing them.

    ``copiers`` and ``shapes`` are kept with the prototype: functions that copy its objects, and
    what its shapes became, by identity, scale and mirror. ``tags``, those of bodies with those
    of instances, by the identities of both, are kept while these are there. ``objects`` are those
    of the prototype, by section, where expressions name them.
    """

    def __init__(
        self,
        placement: Placement,
        name: Callable[[str], str],
        copiers: Copiers,
        shapes: dict[tuple[int, float, str | None], tuple[Shape, ...]],
        tags: dict[tuple[int, int], tuple[str, ...]] | None = None,
        objects: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.placement = placement
        self.name = name
        self.copiers = copiers
        self.shapes = shapes
        self.tags = {} if tags is None else tags
        self.objects = objects

    def _changed(self, item: Item, **changes: Any) -> Item:
        """Like ``replace``, in a tenth of the time for many copies."""
        key: tuple[int | str, ...] = (id(item), *changes)
        copy = self.copiers.get(key)
        if copy is None:
            copy = self.copiers[key] = copier(item, (*changes,))
        return cast(Item, copy(*changes.values()))

    def body(self, body: Body) -> Body:
        """A body of the prototype as a body of the world."""
        place = self.placement
        x, y = place.direction(body.velocity)
        moves = body.kind != "static"
        name, position = self.name(body.name), place.point(body.position)
        angle = place.angle + place.turn(body.angle)
        velocity = (x + place.velocity[0], y + place.velocity[1]) if moves else (0.0, 0.0)
        if place.only_moves and body.texture is None:
            copy = self.copiers.get((id(body),))
            if copy is None:
                copy = self.copiers[(id(body),)] = copier(body, _MOVED)
            return cast(Body, copy(name, position, angle, velocity))
        return self._changed(
            body,
            name=name,
            shapes=self._placed_shapes(body.shapes),
            position=position,
            angle=angle,
            velocity=velocity,
            angular_velocity=place.turn(body.angular_velocity),
            mass=_scaled(body.mass, place.scale, 2),
            inertia=_scaled(body.inertia, place.scale, 4),
            center_of_mass=None
            if body.center_of_mass is None
            else place.local(body.center_of_mass),
            points={key: place.local(point) for key, point in body.points.items()},
            tags=self._tags(body.tags) if place.tags else body.tags,
            texture=None if body.texture is None else self._texture(body.texture),
        )

    def _tags(self, own: tuple[str, ...]) -> tuple[str, ...]:
        """Tags of the body and of the instance; the turns of a generator share them."""
        key = id(own), id(self.placement.tags)
        found = self.tags.get(key)
        if found is None:
            found = self.tags[key] = tuple(dict.fromkeys((*own, *self.placement.tags)))
        return found

    def _texture(self, texture: Texture) -> Texture:
        """The placed texture; mirroring along both axes becomes half a turn."""
        place, mirror = self.placement, texture.mirror
        angle = place.turn(texture.angle)
        if place.mirror is not None and mirror not in (None, place.mirror):
            angle, mirror = angle + pi, None
        elif place.mirror is not None:
            mirror = None if mirror == place.mirror else place.mirror
        size = texture.size
        return replace(
            texture,
            offset=None if texture.offset is None else place.local(texture.offset),
            size=None if size is None else (size[0] * place.scale, size[1] * place.scale),
            angle=angle,
            mirror=mirror,
            mirror_while=self._source(texture.mirror_while),
            frame=self._source(texture.frame) if isinstance(texture.frame, str) else texture.frame,
            along=tuple(map(self.name, texture.along)),
            clip=None
            if texture.clip is None
            else tuple(tuple(map(place.local, part)) for part in texture.clip),
        )

    def _source(self, source: str) -> str:
        """An expression with the full names of what the prototype has."""
        if not source or self.objects is None:
            return source
        objects = self.objects
        return compile_expression(source).renamed(
            lambda name: name if find_owner(name, objects) is None else self.name(name)
        )

    def _placed_shapes(self, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        if self.placement.scale == 1.0 and self.placement.mirror is None:
            return shapes
        key = id(shapes), self.placement.scale, self.placement.mirror
        placed = self.shapes.get(key)
        if placed is None:
            placed = self.shapes[key] = tuple([self._shape(shape) for shape in shapes])
        return placed

    def _shape(self, shape: Shape) -> Shape:
        place = self.placement
        material, chained = shape.material, place.mirror and shape.kind == "chain"
        if place.mirror and material.tangent_speed:
            material = replace(material, tangent_speed=-material.tangent_speed)
        return replace(
            shape,
            points=self._outline(shape, shape.points),
            outer=self._outline(shape, shape.outer),
            holes=tuple([self._outline(shape, hole) for hole in shape.holes]),
            radius=shape.radius * place.scale,
            side=_OPPOSITE[shape.side] if chained else shape.side,
            material=material,
            one_way=None if shape.one_way is None else place.mirrored(shape.one_way),
        )

    def _outline(self, shape: Shape, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """Place an outline: polygons stay counter-clockwise, boxes begin at the same corner."""
        placed = tuple([self.placement.local(point) for point in points])
        if shape.kind == "half_space" and self.placement.mirror is not None:
            return placed[::-1]
        if shape.kind != "polygon" or self.placement.mirror is None or not placed:
            return placed
        backwards = placed[::-1]
        return backwards if self.placement.mirror == "y" else backwards[-2:] + backwards[:-2]

    def joint(self, joint: Joint, bodies: Mapping[str, Body]) -> Joint:
        """A joint of the prototype; ``bodies`` are those of the world by now."""
        place = self.placement
        names = [self.name(each) for each in (joint.body_a, joint.body_b)]
        anchors = [
            place.point(anchor) if name == "world" else place.local(anchor)
            for name, anchor in zip(names, (joint.anchor_a, joint.anchor_b), strict=True)
        ]
        angles = [0.0 if name == "world" else bodies[name].angle for name in names]
        spec = JOINT_TYPES[joint.kind]
        aims = place.direction if names[spec.axis_of == "b"] == "world" else place.mirrored
        own: dict[str, Any] = {} if spec.place is None else spec.place(joint, place)
        if joint.own:
            own["own"] = {
                name: spec.columns[name].placed(value, place) for name, value in joint.own.items()
            }
        return self._changed(
            joint,
            name=self.name(joint.name),
            body_a=names[0],
            body_b=names[1],
            anchor_a=anchors[0],
            anchor_b=anchors[1],
            reference_angle=angles[1] - angles[0],
            axis=aims(joint.axis) if spec.axis_of else joint.axis,
            limits=self._limits(joint),
            motor=None if joint.motor is None else self._motor(joint.motor, joint.kind),
            length=joint.length * place.scale,
            min_length=_scaled(joint.min_length, place.scale, 1),
            max_length=_scaled(joint.max_length, place.scale, 1),
            links=tuple([self.name(each) for each in joint.links]),
            **own,
        )

    def _limits(self, joint: Joint) -> tuple[float, float] | None:
        if joint.limits is None:
            return None
        low, high = joint.limits
        if not JOINT_TYPES[joint.kind].angular:
            return low * self.placement.scale, high * self.placement.scale
        return (low, high) if self.placement.mirror is None else (0.0 - high, 0.0 - low)

    def _motor(self, motor: Motor, kind: str) -> Motor:
        place, speed, position = self.placement, motor.speed, motor.position
        if place.scale == 1.0 and place.mirror is None:
            return motor
        if JOINT_TYPES[kind].turns:
            speed = None if speed is None else place.turn(speed)
            if position is not None and motor.relative:
                position = position if place.mirror is None else 1.0 - position
            elif position is not None:
                position = place.turn(position)
        elif position is not None and not motor.relative:
            position *= place.scale
        return replace(motor, speed=speed, position=position)

    def actuator(self, actuator: Actuator) -> Actuator:
        """An actuator of the prototype; what it does in world axes turns with the instance."""
        place = self.placement
        own_axes = actuator.kind == "thruster"
        return self._changed(
            actuator,
            name=self.name(actuator.name),
            bodies=tuple([self.name(each) for each in actuator.bodies]),
            tags=(),  # which were those of its own bodies
            at=None if actuator.at is None else place.local(actuator.at),
            force=(place.mirrored if own_axes else place.direction)(actuator.force),
            torque=place.turn(actuator.torque),
            speed=None if actuator.speed is None else place.turn(actuator.speed),
            direction=place.mirrored(actuator.direction)
            if actuator.kind == "axial_friction"
            else actuator.direction,
        )

    def emitter(self, emitter: Emitter) -> Emitter:
        """Particles of the prototype; if mirrored, the quarter turn from a to b becomes one from b
        to a."""
        place, places = self.placement, [self.name(each) for each in emitter.places]
        return replace(
            emitter,
            name=self.name(emitter.name),
            places=tuple(places if place.mirror is None else reversed(places)),
            gate=emitter.gate and self.name(emitter.gate),
            size=emitter.size * place.scale,
        )

    # ------------------------------------------------------------ what changes with time

    def animation(self, animation: Animation, objects: Objects) -> Animation:
        """An animation of the prototype, whose objects these are."""
        tracks = []
        for track in animation.tracks:
            place = self.setting(track.path, objects)
            values = track.values if place is None else tuple([place(v) for v in track.values])
            tracks.append(replace(track, path=self.name(track.path), values=values))
        return replace(animation, name=self.name(animation.name), tracks=tuple(tracks))

    def control(self, key: str, control: Control, objects: Objects) -> Control:
        """A control of the prototype under another key; its actions are placed elsewhere."""
        return Control(
            key,
            forward=tuple([self.name(each) for each in control.forward]),
            backward=tuple([self.name(each) for each in control.backward]),
            holds=tuple([self.name(each) for each in control.holds]),
            sets=self._set(control.sets, objects),
            on_release=self._set(control.on_release, objects),
            every=control.every,
        )

    def _set(self, values: Mapping[str, Value], objects: Objects) -> dict[str, Value]:
        placed: dict[str, Value] = {}
        for path, value in values.items():
            place = self.setting(path, objects)
            placed[self.name(path)] = value if place is None else place(value)
        return placed

    def body_setting(self, name: str) -> Callable[[Any], Any] | None:
        """The conversion of values of a body's setting; None if they stay."""
        place = self.placement
        rules: dict[str, Callable[[Any], Any]] = {
            "position": place.point,
            "angle": lambda angle: place.angle + place.turn(angle),
            "velocity": place.direction,
            "angular_velocity": place.turn,
            "tangent_speed": place.turn,
        }
        return rules.get(name)

    def setting(self, path: str, objects: Objects) -> Callable[[Any], Any] | None:
        """The conversion of values of a setting; None if they stay."""
        section, owner, name = find_owner(path, objects) or ("", "", "")
        place, item = self.placement, objects[section][owner]
        if section == "bodies":
            return self.body_setting(name)
        if section == "joints":
            return self._joint_setting(item, name)
        vector = place.mirrored if item.kind == "thruster" else place.direction
        turns = ("torque", "angular_impulse", "speed")
        return vector if name in ("force", "impulse") else place.turn if name in turns else None

    def _joint_setting(self, joint: Joint, name: str) -> Callable[[Any], Any] | None:
        motor = joint.motor
        if name == "target":
            return self.placement.point
        if name == "limits":
            return lambda limits: self._limits(replace(joint, limits=limits))
        if name in LENGTHS:
            return lambda length: length * self.placement.scale
        if motor is not None and name == "motor.speed":
            return lambda speed: self._motor(replace(motor, speed=speed), joint.kind).speed
        if motor is not None and name == "motor.position":
            return lambda to: self._motor(replace(motor, position=to), joint.kind).position
        return None


def _scaled(value: float | None, scale: float, power: int) -> float | None:
    """A number that grows with a power of the scale."""
    if value is None:
        return None
    for _ in range(power):
        value *= scale
    return value
