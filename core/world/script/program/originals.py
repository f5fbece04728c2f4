# SPDX-License-Identifier: MIT
"""Originals of births: a prototype of one size and handedness, as rows of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from .... import _native
from ....errors import UsageError
from ....scene.action_model import Formula, Live, Spawn
from ....scene.basis import Fragment
from ....scene.blocks.joints.types import JOINT_TYPES
from ....scene.blocks.placement import Placement
from ....scene.blocks.placing.placer import Placer
from ....scene.event_model import Prototype
from ....scene.model import WORLD, Actuator, Body, Joint, Scene
from ....scene.values.expression import compile_expression, truth_problems
from ...building.assembly import build_rows
from ...building.copies import placed_copies
from ...building.primitives import convex_pieces
from ...building.rows import row_bytes
from .actuators import put_actuator
from .breaking import aligned, breakable
from .forms import ProgramForms
from .writer import NONE, NoProgramError, Writer

_MIRRORS = (None, "x", "y")
_FREE = {"name", "body_a", "body_b", "reference_angle", "links"}
"""The fields in which the joints of copies may differ."""


@dataclass(frozen=True, slots=True)
class Original:
    """A prototype of one size and handedness, a copy of it and the rows of that.

    Attributes:
        plan: the place of the script of its copies, or NONE.
        grounded: the places of joints of which some values are in coordinates of the world.
    """

    prototype: Prototype
    place: Placement
    copy: Fragment
    rows: Mapping[str, Any]
    plan: int
    grounded: Sequence[int]


@dataclass(frozen=True, slots=True)
class Tables:
    """Functions that find the places of texts, of bodies that may break, of their forms, and the
    bits of their tags."""

    scene: Scene
    text: Callable[[str], int]
    breakable: Callable[[Body], int]
    form: Callable[[Body], int]
    mask: Callable[[Body], int]


def original_of(scene: Scene, prototype: Prototype, spawn: Spawn, plan: int) -> Original:
    """The original of a birth. Raises UsageError where the engine does not take it."""
    scale, mirror = spawn.scale, spawn.mirror
    place = Placement(scale=scale, mirror=mirror)
    other = Placement((3.0, -2.0), angle=1.0, scale=scale, mirror=mirror)
    copy, moved = _placed(prototype, place), _placed(prototype, other)
    own, bodies, joints = (
        [*each.values()] for each in (prototype.joints, copy.bodies, copy.joints)
    )
    wanted = [_grounded(one, given, other) for one, given in zip(joints, own, strict=True)]
    if not (bodies and all(map(_alike, wanted, moved.joints.values()))):
        raise NoProgramError(f"copies of {spawn.use} are not alike")
    parts = {body.name: i for i, body in enumerate(bodies)} | {WORLD.name: 0}
    slots = {joint.name: i for i, joint in enumerate(joints)}
    rows = build_rows(scene, bodies, joints, parts, slots)
    try:
        _native.Mould(**{name: each for name, each in rows.items() if name != "joints"})
    except ValueError as error:
        raise UsageError(str(error)) from None
    grounded = [i for i, joint in enumerate(joints) if _is_grounded(joint)]
    return Original(prototype, place, copy, rows, plan, grounded)


def put_original(to: Writer, original: Original, tables: Tables) -> None:
    """Write an original."""
    place, rows = original.place, original.rows
    to.real(place.scale)
    to.byte(_MIRRORS.index(place.mirror))
    to.byte(bool(original.prototype.particles))
    to.whole(original.plan)
    for section in ("bodies", "shapes"):
        to.rows(len(rows[section]), row_bytes(rows[section]))
    to.reals(rows["corners"].reshape(-1).tolist())
    for section in ("bars", "points"):
        to.rows(len(rows[section]), row_bytes(rows[section]))
    own = [*zip(original.prototype.bodies.values(), original.copy.bodies.values(), strict=True)]
    names = [*original.copy.bodies]
    to.each(own, lambda pair: _put_part(to, *pair, place.turn(pair[0].angle), names, tables))
    to.rows(len(rows["joints"]), row_bytes(rows["joints"]))
    solids = [
        (i, shape.radius, points)
        for i, body in enumerate(original.copy.bodies.values())
        for shape in body.shapes
        if not shape.sensor
        for points in convex_pieces(shape)
    ]
    to.each(solids, lambda solid: _put_solid(to, *solid))
    own_joints = [*original.prototype.joints.values()]
    to.each(original.grounded, lambda i: _put_grounded(to, i, own_joints[i]))
    acting = [*original.copy.actuators.values()]
    to.each(acting, lambda each: _put_own_actuator(to, each, names, tables))


def _put_own_actuator(to: Writer, actuator: Actuator, names: Sequence[str], tables: Tables) -> None:
    put_actuator(to, tables.scene, actuator, {})
    to.places(map(names.index, actuator.bodies))


def _put_part(
    to: Writer, body: Body, copy: Body, angle: float, names: Sequence[str], tables: Tables
) -> None:
    to.real(*body.position, angle, *body.velocity)
    to.byte(body.kind != "static")
    to.byte(not body.fixed_rotation)
    to.tags(tables.mask(body))
    form = tables.form(copy)
    along = [names.index(each) if each else NONE for each in aligned(copy)]
    to.whole(tables.text(body.name), tables.breakable(copy), form, *along)


def _put_solid(to: Writer, part: int, radius: float, points: Sequence[tuple[float, float]]) -> None:
    to.whole(part)
    to.real(radius)
    to.reals(number for point in points for number in point)


def _placed(prototype: Prototype, place: Placement) -> Fragment:
    return placed_copies(prototype, [Placer(place, str, {}, {})])


def _is_grounded(joint: Joint) -> bool:
    is_held = WORLD.name in (joint.body_a, joint.body_b)
    return is_held or joint.ground_anchors is not None


def _has_axis(joint: Joint) -> bool:
    """Whether a joint has an axis in coordinates of the world."""
    axis_of = JOINT_TYPES[joint.kind].axis_of
    return bool(axis_of) and WORLD.name == (joint.body_b if axis_of == "b" else joint.body_a)


def _grounded(joint: Joint, own: Joint, place: Placement) -> Joint:
    """A joint of a copy, with the values in coordinates of the world that it has at a place.
    ``own`` is that of the prototype."""
    changed: dict[str, Any] = {}
    for body, anchor in (("body_a", "anchor_a"), ("body_b", "anchor_b")):
        if getattr(joint, body) == WORLD.name:
            changed[anchor] = place.point(getattr(own, anchor))
    if _has_axis(joint):
        changed["axis"] = place.direction(own.axis)
    if own.ground_anchors is not None:
        first, second = own.ground_anchors
        changed["ground_anchors"] = place.point(first), place.point(second)
    return replace(joint, **changed)


def _put_grounded(to: Writer, place: int, joint: Joint) -> None:
    first, second = joint.body_a == WORLD.name, joint.body_b == WORLD.name
    to.whole(place)
    for flag in (first, second, _has_axis(joint), joint.ground_anchors is not None):
        to.byte(flag)
    to.real(*(joint.anchor_a if first else joint.anchor_b), *joint.axis)
    for wheel in joint.ground_anchors or ((0.0, 0.0), (0.0, 0.0)):
        to.real(*wheel)


def _alike(one: Joint, other: Joint) -> bool:
    """Whether the joints of two copies are the same but for their names and their angle."""
    names = [each.name for each in fields(Joint) if each.name not in _FREE]
    return all(getattr(one, name) == getattr(other, name) for name in names)


# ------------------------------------------------------------ made when something is born


def formulas_of(spawn: Spawn) -> list[Formula]:
    """The vars of a birth that are worked out."""
    return [each for value in spawn.vars.values() for each in _formulas(value)]


def _formulas(value: Live) -> list[Formula]:
    parts = value if isinstance(value, tuple) else (value,)
    return [each for each in parts if isinstance(each, Formula)]


def vars_with(scene: Scene, spawn: Spawn, numbers: Sequence[float]) -> dict[str, Any]:
    """The vars of a birth with the numbers of ``formulas_of``."""
    rest = iter(numbers)

    def filled(value: Live) -> Any:
        if isinstance(value, tuple):
            return tuple([next(rest) if isinstance(each, Formula) else each for each in value])
        if not isinstance(value, Formula):
            return value
        number = next(rest)
        is_truth = not truth_problems(compile_expression(value.source), scene)
        return bool(number) if is_truth else number

    return {name: filled(value) for name, value in spawn.vars.items()}


def made_bytes(
    scene: Scene,
    original: Original,
    mask: Callable[[Body], int],
    pivot: tuple[float, float],
    *,
    breaks: bool,
    measures: bool,
) -> bytes:
    """An original that is made when something is born, with the tables of which it speaks."""
    texts: dict[str, int] = {}
    pieces: dict[bytes, int] = {}
    forms = ProgramForms(measures)

    def place(body: Body) -> int:
        data = breakable(scene, body) if breaks else None
        return NONE if data is None else pieces.setdefault(data, len(pieces))

    to, own = Writer(), Writer()

    def text(value: str) -> int:
        return texts.setdefault(value, len(texts))

    tables = Tables(scene, text, place, forms.place, mask)
    put_original(own, original, tables)
    to.each([*texts], to.text)
    forms.put_all(to)
    to.each([*pieces], to.raw)
    to.raw(own.bytes())
    to.real(*pivot)
    return to.bytes()
