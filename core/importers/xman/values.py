# SPDX-License-Identifier: MIT
"""Types, vectors and references in the scenes of document 000's engine."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...scene.model import Point
from ..drafts.draft import Draft, Entry
from ..drafts.geometry import turned
from ..drafts.places import Value

_RADIAN = 3.141592653589793 / 180


@dataclass(frozen=True, slots=True)
class BodyData:
    """A body as joints need to know it; the angle is in degrees."""

    name: str
    moves: bool
    mass: float
    inertia: float
    position: Point
    angle: float

    @property
    def inverse_mass(self) -> float:
        return 1 / self.mass if self.moves and self.mass > 0 else 0.0

    def direction(self, arm: Point) -> Point:
        """A direction of the body in the world."""
        return turned(arm, self.angle * _RADIAN)

    def point(self, arm: Point) -> Point:
        """A point of the body in the world."""
        x, y = self.direction(arm)
        return self.position[0] + x, self.position[1] + y


@dataclass(frozen=True, slots=True)
class ConvertedJoint:
    """The result of converting a joint, for animations and keys.

    Its ``MotorPosition`` or length x is ``scale`` x + ``offset`` here.
    """

    name: str
    value: Value
    entry: Entry
    scale: float
    offset: float


@dataclass
class XmanBodies:
    """The bodies so far, in the order by which joints and actuators count them.

    Attributes:
        joints: the converted joints of the scene that is read, None for omitted ones.
        thrusters: the names of its thrusters.
        motors: the names of its motors.
        first: the first body of the scene that is read; its indices count from there.
        fragile: bodies that break by an axial force.
    """

    draft: Draft
    given: list[BodyData] = field(default_factory=list)
    first: int = 0
    fragile: dict[str, Value] = field(default_factory=dict)
    joints: list[ConvertedJoint | None] = field(default_factory=list)
    thrusters: list[str] = field(default_factory=list)
    motors: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Read the next scene: indices count from here."""
        self.first = len(self.given)
        self.joints, self.thrusters, self.motors = [], [], []

    def at(self, owner: Value, name: str) -> BodyData:
        """The body that an index means."""
        index = owner.whole(name, default=-1)
        if not owner.has(name):
            raise owner.fail("missing-key", f"`{name}` is missing")
        count = len(self.given) - self.first
        if not 0 <= index < count:
            raise owner.need(name).fail(
                "unknown-name", f"there is no body {index}; they are 0 to {count - 1}"
            )
        return self.given[self.first + index]


def kind_of(value: Value) -> str:
    """`Name` of a `$type` such as `Space.Name, assembly`; empty where there is none."""
    return value.text("$type").partition(",")[0].rpartition(".")[2].strip()


def vector(value: Value, *names: str) -> Point:
    """A vector `{"X": , "Y": }`, `[x, y]` or `"x;y"`; missing ones are 0."""
    found = value.get(*names) if names else value
    if found is None:
        return 0.0, 0.0
    if isinstance(found.data, dict):
        return found.number("X", "x"), found.number("Y", "y")
    parts: list[Value] = []
    if isinstance(found.data, list):
        parts = found.items()
    elif isinstance(found.data, str):
        try:
            numbers: list[float] = [float(part) for part in found.data.split(";")]
        except ValueError:
            numbers = []
        parts = [Value(number, found.source, found.steps) for number in numbers]
    if len(parts) != 2:
        raise found.fail("wrong-type", 'must be a vector: {"X": 1, "Y": 2}, [1, 2] or "1;2"')
    return parts[0].as_number(), parts[1].as_number()
