# SPDX-License-Identifier: MIT
"""Joints that actions attach, as a script's native program has them.

Such a joint is built between bodies in a few poses. It is native where rules say how its anchors,
its axis and its lengths depend on the poses; all the rest is a row of the engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ....errors import SceneError
from ....scene.action_model import Action
from ....scene.basis import Fragment, basis_of
from ....scene.blocks.joints.anchors import POINTS, is_point_name
from ....scene.blocks.joints.spec import JointSpec
from ....scene.blocks.joints.types import JOINT_TYPES
from ....scene.blocks.placement import Placement
from ....scene.blocks.places import to_local, to_world, turned_back
from ....scene.blocks.placing.attached_joints import placed_joint
from ....scene.blocks.world.solver_refusals import beyond_objects
from ....scene.event_model import Prototype, Selector
from ....scene.model import WORLD, Body, Joint, Point, Scene, Shape
from ....scene.values.portable_math import hypot
from ...building.joint_rows import JOINTS, SHORTEST, placed_joints
from ...building.rows import row_bytes
from ..event_conditions import EVENT_BODIES
from .own import FIRST, Own
from .writer import NONE, Writer

_HOLDS = ("own", "world", "event", "of_first", "of_second", "first", "second")
"""As ``Hold`` of ``native/script/program.h``."""
_SHAPE = Shape("polygon", ((-9.0, -1.0), (9.0, -1.0), (9.0, 1.0), (-9.0, 1.0)))
"""That of a body of an event, of which nothing is known."""
_Pose = tuple[Point, float]
_AT_ORIGIN: _Pose = (0.0, 0.0), 0.0
_POSES: tuple[tuple[_Pose, _Pose, Point], ...] = (
    (((0.5, 0.25), 0.3), ((1.75, -0.5), -0.7), (0.9, 0.1)),
    (((-3.0, 2.0), 2.0), ((-2.5, 2.25), 0.0), (-2.0, 2.5)),
    (((1.0, 30.0), 0.0), ((0.0, -9.0), 0.5), (5.0, 1.0)),
    (((-2e4, 3.0), -1.0), ((1e4, 7.0), 4.0), (0.0, 1.0)),
)
"""Of both bodies, and the point of the event."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A joint that an action attaches.

    Attributes:
        name: the name of its action.
        joint: it, in some poses of its bodies; None where the host attaches it.
        measures: whether its length is the distance of its ends.
        is_longest: whether its largest length is its length.
    """

    name: str
    joint: Joint | None = None
    measures: bool = False
    is_longest: bool = False

    def made(self, name: str, bodies: Sequence[str], numbers: Sequence[float]) -> Joint:
        """The joint of this name, with the numbers of the native runner."""
        assert self.joint is not None
        ax, ay, bx, by, angle, *axis, length, px, py, qx, qy = numbers
        lengths: dict[str, Any] = {"length": length} if self.measures else {}
        if self.is_longest:
            lengths["max_length"] = length
        if self.joint.ground_anchors is not None:
            lengths["ground_anchors"] = (px, py), (qx, qy)
        return replace(
            self.joint,
            name=name,
            body_a=bodies[0],
            body_b=bodies[1],
            anchor_a=(ax, ay),
            anchor_b=(bx, by),
            reference_angle=angle,
            axis=(axis[0], axis[1]),
            **lengths,
        )


@dataclass(frozen=True, slots=True)
class _End:
    """An end of a joint: how it is held, where, and points of the bodies that it may be."""

    hold: str
    at: Point = (0.0, 0.0)
    points: tuple[tuple[int, Point], ...] = ()


@dataclass(slots=True)
class ProgramAttaching:
    """The joints that the actions of a program attach.

    Attributes:
        name_of: a function that finds the place of a name of what is born.
        ids: the numbers of bodies.
        asks: whether the host attaches any of them.
    """

    scene: Scene
    name_of: Callable[[str], int]
    ids: Mapping[str, int]
    all: list[Attachment] = field(default_factory=list)
    asks: bool = False
    _written: list[bytes] = field(default_factory=list)

    def attach(self, action: Action, who: Sequence[Selector], own: Own | None) -> int:
        """The place of a joint. ``who`` are the bodies of the event, ``own`` is the prototype whose
        copies attach it."""
        name, to = action.name, Writer()
        made = self._rules(action, who, own)
        to.whole(NONE if own is None else own.place)
        to.whole(self.name_of(name) if own is None else FIRST - own.attached[name])
        to.byte(made is None)
        self.asks |= made is None
        if made is None:
            self.all.append(Attachment(name))
        else:
            trial, data = made
            to.raw(data)
            self.all.append(Attachment(name, trial.joint, trial.measures, trial.is_longest))
        self._written.append(to.bytes())
        return len(self.all) - 1

    def _rules(
        self, action: Action, who: Sequence[Selector], own: Own | None
    ) -> tuple[_Trial, bytes] | None:
        """A joint and its rules as bytes; None for one that the host attaches."""
        if self._is_taken(action.name, own) or basis_of(self.scene) is None:
            return None
        try:
            made = _Trial(self.scene, action.joint, who, self.ids, own)
            return made, made.data()
        except (SceneError, _OtherJointError):
            return None

    def _is_taken(self, name: str, own: Own | None) -> bool:
        """Whether something else may have the name of such a joint."""
        scene = self.scene if own is None else own.prototype
        tables: Sequence[Mapping[str, Any]] = scene.bodies, scene.joints, scene.actuators
        return any(each.startswith(f"{name}[") for table in tables for each in table)

    def put(self, to: Writer) -> None:
        """Write the joints."""
        to.each(self._written, to.raw)


class _OtherJointError(Exception):
    """A joint that depends on the poses of its bodies in a way that the program does not know."""


class _Trial:
    """Joints of one action in some poses, and the rules that they follow.

    Attributes:
        raw: the joint as the prototype of copies has it; ``given`` has their size.
        joint: the joint in the first of the poses.
        measures, is_longest: as of ``Attachment``.
        is_refused: whether the scene's solver does not take it.
    """

    def __init__(
        self,
        scene: Scene,
        given: Mapping[str, Any],
        who: Sequence[Selector],
        ids: Mapping[str, int],
        own: Own | None,
    ) -> None:
        self.scene, self.raw, self.own = scene, given, own
        self.bodies, self.ids = scene.bodies, ids
        self.given = given
        if own is not None:
            self.bodies, self.ids = own.copy.bodies, own.bodies
            place = Placement(scale=own.scale, mirror=own.mirror)
            self.given = given = placed_joint(given, place, str)
        self.spec: JointSpec = JOINT_TYPES[given["type"]]
        self.whose = dict(zip(EVENT_BODIES, who, strict=False))
        self.joint = self._built(*_POSES[0])
        has_length = self.spec.along_line or self.joint.ground_anchors is not None
        self.measures = has_length and given.get("length", "auto") == "auto"
        is_rope = self.spec.along_line and self.joint.rope
        self.is_longest = self.measures and is_rope and "max_length" not in given

    # ------------------------------------------------------------ building

    def _body(self, name: str) -> Body:
        """A body that may be one of an event."""
        if name not in EVENT_BODIES:
            return self.bodies[name]
        points: dict[str, Point] = {}
        for _, each in self._candidates(name):
            points = {**each.points, **points}
        return Body(name="", shapes=(_SHAPE,), points=points)

    def _candidates(self, name: str) -> list[tuple[int, Body]]:
        """The bodies that a body of an event may be, but for others that are born, and their
        numbers."""
        who, there = self.whose.get(name), [*enumerate(self.scene.bodies.values(), start=1)]
        if who is None:
            return there
        if not who.tag:
            return [(self.ids[each], self.bodies[each]) for each in who.bodies]
        return [(number, body) for number, body in there if who.tag in body.tags]

    def _points(self, name: str, point: str) -> tuple[tuple[int, Point], ...]:
        """The point of this name of each body that a body of an event may be. Raises
        _OtherJointError where what is born or copied may have one; pieces have none."""
        who, scene = self.whose.get(name), self.scene
        born = [body for each in scene.prototypes.values() for body in each.bodies.values()]
        fits = [body for body in born if who is None or not who.tag or who.tag in body.tags]
        may_come = who is None or bool(who.tag)
        if may_come and (_copies(scene) or any(point in body.points for body in fits)):
            raise _OtherJointError
        some = self._candidates(name)
        found = tuple((number, body.points[point]) for number, body in some if point in body.points)
        if not found:
            raise _OtherJointError
        return found

    def _built(self, a: _Pose, b: _Pose, at: Point) -> Joint:
        """The joint between its bodies in these poses, with an event at a point."""
        called: dict[str, str] = {}
        bodies: dict[str, Body] = {}
        for name, (place, angle) in zip(self.given["bodies"], (a, b), strict=True):
            if name == "world":
                continue
            new = f"of_event_{len(called)}" if name in EVENT_BODIES else name
            called[name] = new
            body = replace(self._body(name), name=new, kind="dynamic")
            bodies[new] = replace(body, position=place, angle=angle)
        joint = self._filled(self.given, called, at)
        if "anchors" in joint:
            joint["anchors"] = [
                [*to_local(bodies[name], at)] if was == "$point" and name != "world" else point
                for name, point, was in zip(
                    joint["bodies"], joint["anchors"], self.given["anchors"], strict=True
                )
            ]
        from ....scene.fragments import read_fragment  # which knows all that can be written

        basis = basis_of(self.scene)
        assert basis is not None
        categories = self.scene.collision.categories
        there = Fragment(bodies, {}, {})
        fragment = read_fragment(
            {"joints": {"tried[0]": joint}}, basis, there, categories, lambda name: False
        )
        self.is_refused = bool(beyond_objects(self.scene, joints=fragment.joints, there=bodies))
        return fragment.joints["tried[0]"]

    def _filled(self, value: Any, called: Mapping[str, str], at: Point) -> Any:
        if isinstance(value, Mapping):
            return {key: self._filled(each, called, at) for key, each in value.items()}
        if isinstance(value, list):
            return [self._filled(each, called, at) for each in value]
        if value == "$point":
            return [*at]
        if not isinstance(value, str):
            return value
        owner, dot, rest = value.partition(".")
        return f"{called.get(owner, owner)}{dot}{rest}"

    # ------------------------------------------------------------ rules

    def _ends(self) -> tuple[_End, _End]:
        """How its ends are held."""
        given, names = self.given, self.given["bodies"]
        anchor, anchors = given.get("anchor"), given.get("anchors")
        still = self._built(_AT_ORIGIN, _AT_ORIGIN, (0.0, 0.0))
        at = still.anchor_a, still.anchor_b
        if anchors is not None:
            first, second = (
                self._own(name, each, place)
                for name, each, place in zip(names, anchors, at, strict=True)
            )
            return first, second
        if self.spec.anchors == "target":
            target = given.get("target")
            held = "second" if anchor is None else self._held(anchor, names)[1]
            if held == "own":
                held = "of_second"
            pulled = held if target is None else "event" if target == "$point" else "world"
            return _End(pulled, at[0] if target is not None else at[1]), _End(held, at[1])
        if anchor is None:
            hold = "first" if names[1] == "world" else "second"
            hold = "own" if self.spec.anchors == "ends" else hold
            return _End(hold, at[0]), _End(hold, at[1])
        if self.spec.anchors == "ends" and self.spec.has("anchor"):
            holds = ["event" if anchor == "$point" and n == "world" else "own" for n in names]
        else:
            holds = [*self._held(anchor, names)]
        owner, _, point = anchor.rpartition(POINTS) if is_point_name(anchor) else ("", "", "")
        points = self._points(owner, point) if owner in EVENT_BODIES else ()
        return _End(holds[0], at[0], points), _End(holds[1], at[1], points)

    def _of_copy(self, i: int, end: _End) -> _End:
        """An end of which a place in the world is one of the prototype."""
        is_world = end.hold == "own" and self.given["bodies"][i] == "world"
        if not is_world and end.hold != "world":
            return end
        if "anchors" in self.raw:
            return _End("world", tuple(self.raw["anchors"][i]))
        is_target = i == 0 and "target" in self.raw
        return _End("world", tuple(self.raw["target" if is_target else "anchor"]))

    def _own(self, name: str, anchor: Any, place: Point) -> _End:
        """An end at a point of its own body."""
        if anchor == "$point":
            return _End("event")
        if name in EVENT_BODIES and is_point_name(anchor):
            return _End("own", place, self._points(name, anchor))
        return _End("own", place)

    def _held(self, anchor: Any, names: Sequence[str]) -> tuple[str, str]:
        """How both ends are held at a common point."""
        if anchor == "$point":
            return "event", "event"
        if not is_point_name(anchor):
            return "world", "world"
        owner, _, point = anchor.rpartition(POINTS)
        if any(name in EVENT_BODIES for name in names) and owner not in EVENT_BODIES:
            raise _OtherJointError
        bodies = self.bodies
        having = (
            [owner] if owner else [n for n in names if n in bodies and point in bodies[n].points]
        )
        return ("own", "of_first") if having[0] == names[0] else ("of_second", "own")

    def _predicted(
        self, ends: tuple[_End, _End], pair: tuple[Body, Body], at: Point, axis: Point | None
    ) -> Joint:
        """The joint between two bodies, as the native runner makes it. ``axis`` is the axis in the
        world, None where it does not turn."""
        origins = {"first": pair[0].position, "second": pair[1].position, "event": at}
        anchors: list[Point] = []
        for end, body in zip(ends, pair, strict=True):
            place = origins.get(end.hold, end.at)
            if end.hold in ("of_first", "of_second"):
                place = to_world(pair[end.hold == "of_second"], end.at)
            anchors.append(place if end.hold == "own" else to_local(body, place))
        changed: dict[str, Any] = {}
        if axis is not None:
            changed["axis"] = turned_back(pair[0], axis)
        if self.measures:
            length = self._measured([*map(to_world, pair, anchors)])
            changed["length"] = length
            if self.is_longest:
                changed["max_length"] = length
        return replace(
            self.joint,
            anchor_a=anchors[0],
            anchor_b=anchors[1],
            reference_angle=pair[1].angle - pair[0].angle,
            **changed,
        )

    def _measured(self, ends: Sequence[Point]) -> float:
        """The length of the joint between these points of the world."""
        (ax, ay), (bx, by) = ends
        if wheels := self.joint.ground_anchors:
            a = hypot(ax - wheels[0][0], ay - wheels[0][1])
            return a + self.joint.ratio * hypot(bx - wheels[1][0], by - wheels[1][1])
        least, most = self._bounds()
        return max(min(hypot(bx - ax, by - ay), most), least)

    def _bounds(self) -> tuple[float, float]:
        """The least and the greatest length that is measured."""
        if self.joint.rope or not self.spec.along_line:
            return -math.inf, math.inf
        low, high = self.joint.min_length, self.joint.max_length
        return -math.inf if low is None else low, math.inf if high is None else high

    def _with_a_length_between_its_bounds(self) -> Any:
        """The row of the joint with a length that equals neither bound by chance."""
        low, high = self._bounds()
        length = high / 2.0 if math.isfinite(high) else 1.0
        if math.isfinite(low):
            length = (low + high) / 2.0 if math.isfinite(high) else low + 1.0
        longest: dict[str, Any] = {"max_length": length} if self.is_longest else {}
        return self._row(replace(self.joint, length=length, **longest))

    def _row(self, joint: Joint) -> Any:
        """A joint as a table of the engine with one row."""
        index = {joint.body_a: 0, joint.body_b: 0}
        return JOINTS.rows(placed_joints(self.scene, [joint], index, {}))

    def _pair(self, a: _Pose, b: _Pose) -> tuple[Body, Body]:
        first, second = (
            WORLD if name == "world" else Body(name=name, shapes=(), position=place, angle=angle)
            for name, (place, angle) in zip(self.given["bodies"], (a, b), strict=True)
        )
        return first, second

    def data(self) -> bytes:
        """The bytes of the joint. Raises _OtherJointError or SceneError where it is not native."""
        joint, spec = self.joint, self.spec
        if joint.links:
            raise _OtherJointError
        ends = self._ends()
        names, own = self.given["bodies"], self.own
        is_own = self.given.get("anchors") is not None and (own is None or names[0] != "world")
        turns = spec.axis is not None and not is_own
        axis = self._built(_AT_ORIGIN, _AT_ORIGIN, (0.0, 0.0)).axis if turns else None
        for a, b, at in _POSES:
            built = self._built(a, b, at)
            wanted = self._predicted(ends, self._pair(a, b), at, axis)
            if built != replace(wanted, body_a=built.body_a, body_b=built.body_b):
                raise _OtherJointError
        row = self._row(joint)
        if axis is not None:
            row["axis_x"], row["axis_y"] = axis if own is None else self.raw.get("axis", spec.axis)
        if own is not None and "ground_anchors" in self.raw:
            (row["wheel_ax"], row["wheel_ay"]), (row["wheel_bx"], row["wheel_by"]) = self.raw[
                "ground_anchors"
            ]
        to = Writer()
        for i, (name, found) in enumerate(zip(names, ends, strict=True)):
            end = found if own is None else self._of_copy(i, found)
            to.whole(0 if name == "world" else EVENT_BODIES.get(name, self.ids.get(name, 0)))
            to.byte(_HOLDS.index(end.hold))
            to.real(*end.at)
            to.each(end.points, partial(_put_point, to))
        to.byte(self.is_refused)
        to.byte(turns)
        to.byte(self.measures)
        free = self._with_a_length_between_its_bounds()
        for name in ("min_length", "max_length"):
            to.byte(bool(self.measures and free[name][0] == free["length"][0]))
        to.byte(spec.along_line and not (joint.spring or joint.limit_spring or joint.motor))
        to.real(*self._bounds(), SHORTEST * self.scene.world.length_unit)
        to.raw(row_bytes(row))
        return to.bytes()


def _put_point(to: Writer, point: tuple[int, Point]) -> None:
    to.whole(point[0])
    to.real(*point[1])


def _copies(scene: Scene) -> bool:
    """Whether bodies may be copied."""
    everything: tuple[Scene | Prototype, ...] = scene, *scene.prototypes.values()
    actions = [each for part in everything for rule in part.events for each in rule.actions]
    for control in (each for part in everything for each in part.controls.values()):
        actions += (*control.actions, *control.released)
    actions += [each for entry in scene.inputs for each in getattr(entry, "actions", ())]
    return any(each.kind == "copy" for each in actions)
