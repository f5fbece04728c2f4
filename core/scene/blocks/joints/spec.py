# SPDX-License-Identifier: MIT
"""The description of one type of joints; ``types.py`` has that of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal

from ...building.scope import Scope
from ...model import Body, Joint, Point
from ...values.quantity import Quantity
from ..placement import Placement
from .parts import MOTOR_LENGTH

Get = Callable[[str], Any]
"""Gives a field of a joint as it is written, or of ``defaults.joint``."""
Ends = tuple[Point, Point]


def _any_length(joint: Joint) -> tuple[float, float]:
    return 0.0, float("inf")


@dataclass(frozen=True, kw_only=True)
class Column:
    """A number of joints of a type, in ``Joint.own`` and in the engine under the same name.

    Attributes:
        default: the default of the number.
        measures: its quantity; an instance scales lengths and mirrors angles.
    """

    default: float
    measures: Literal["number", "length", "angle"] = "number"

    def placed(self, value: float, place: Placement) -> float:
        """The number of a copy."""
        if self.measures == "length":
            return value * place.scale
        return place.turn(value) if self.measures == "angle" else value


@dataclass(frozen=True, kw_only=True)
class Linked:
    """The coupling of a joint with two others, whose bodies it holds.

    Attributes:
        wants: the required types of these, in words.
        slides: whether one of them may be a prismatic joint; the others are hinges.
        ratio: reads the number of the coupling.
        build: the fields of the joint, from that number, both joints and the bodies.
    """

    wants: str
    slides: bool = False
    ratio: Callable[[Scope, Get], float]
    build: Callable[[Scope, float, Joint, Joint, Mapping[str, Body]], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class JointSpec:
    """The definition of one type of joints in Python.

    Attributes:
        name: the type in scenes.
        options: fields of a joint that not all types have.
        columns: fields of this type that are numbers and are passed to the engine unchanged.
        aliases: other words for the type, for which errors suggest its name.
        drawing: one of the drawings in ``render/objects/joints.py``.
        motor: whether its motor turns or slides; empty without a motor.
        position: the meaning of a position of the motor.
        spins: whether the motor turns it without end: only by speed, and beyond limits.
        angular: whether limits and spring are of angles, not of lengths.
        axis: the default of its axis in the world; None without an axis in the file.
        axis_of: the body whose coordinates ``Joint.axis`` has; empty without an axis.
        anchors: a common point, a point at each end, or the target of a body's point.
        hinge: whether gears may couple it.
        links: its coupling with two other joints.
        bears_torque: whether a torque may break it.
        along_line: whether it pushes and pulls along the line of its anchors.
        force_of_spring: whether ``max_force`` is that of the spring, and needs one.
        textbook: whether the textbook solvers that have joints have this one.
        build: fields of the joint from what is written, the bodies and the anchors.
        write: the inverse: the written form of these.
        place: fields that change in a copy besides those of all joints.
        place_written: the same for a joint that an action attaches, as it is written.
        lengths: the smallest and the largest length.
        engine: the kind of joint in the engine, if its name differs.
        engine_limits: the limits of that.
        row: columns of the engine's row that are not as for other joints.
    """

    name: str
    options: tuple[str, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    drawing: str
    motor: Literal["", "turns", "slides"] = ""
    position: Quantity = MOTOR_LENGTH
    spins: bool = False
    angular: bool = False
    axis: Point | None = None
    axis_of: Literal["", "a", "b"] = ""
    anchors: Literal["point", "ends", "target"] = "point"
    hinge: bool = False
    links: Linked | None = None
    bears_torque: bool = True
    along_line: bool = False
    force_of_spring: bool = False
    textbook: bool = True
    build: Callable[[Scope, Get, tuple[Body, Body], Ends], dict[str, Any]] | None = None
    write: Callable[[Joint], dict[str, Any]] | None = None
    place: Callable[[Joint, Placement], dict[str, Any]] | None = None
    place_written: Callable[[Mapping[str, Any], Placement], dict[str, Any]] | None = None
    lengths: Callable[[Joint], tuple[float, float]] = _any_length
    engine: str = ""
    engine_limits: Callable[[Joint], tuple[float, float] | None] = attrgetter("limits")
    row: Mapping[str, Callable[[Joint], Any]] = field(default_factory=dict)

    @property
    def turns(self) -> bool:
        """Whether it has a motor that turns."""
        return self.motor == "turns"

    def has(self, option: str) -> bool:
        """Whether joints of this type have an optional field."""
        return option in self.options or option in self.columns
