# SPDX-License-Identifier: MIT
"""Refuses parts of a scene that its solver does not support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model import ENGINE, Actuator, Body, Joint, Point, Scene, Shape, Solver
from ...text.problems import show_path
from ...values.broken import BROKEN, Stop
from ...values.polygon import is_convex
from ..joints.types import JOINT_TYPES

if TYPE_CHECKING:
    from ...text.problems import Report


def refuse_what_it_cannot(scene: Scene, report: Report) -> None:
    """Report the parts of a scene that its solver does not support, at their fields."""
    try:
        kind = scene.world.solver.kind
    except Stop:
        return
    for path, why in _beyond(scene, kind):
        report.add(
            path,
            "unsupported",
            f"{kind} {why}; {_others(why, kind)}",
            label=show_path(path),
        )


def first_beyond(scene: Scene, kind: str) -> str:
    """The first part of a scene that a solver does not support; empty if there is none."""
    return next((f"{show_path(path)}: {kind} {why}" for path, why in _beyond(scene, kind)), "")


def beyond_objects(
    scene: Scene,
    bodies: Mapping[str, Body] | None = None,
    joints: Mapping[str, Joint] | None = None,
    actuators: Mapping[str, Actuator] | None = None,
    there: Mapping[str, Body] | None = None,
) -> str:
    """The first unsupported part of an addition to, or a change of, a running world; empty if the
    solver supports all. ``there`` are the bodies that are in it."""
    solver = scene.world.solver
    if solver.kind in ENGINE and not joints:
        return ""
    known = {**(there or {}), **(bodies or {})}
    for path, why in _beyond_parts(bodies or {}, joints or {}, actuators or {}, known, solver):
        return f"{show_path(path)}: {solver.kind} {why}; {_others(why, solver.kind)}"
    return ""


def drags(kind: str) -> bool:
    """Whether a solver supports mice."""
    return kind not in ("iterative_impulse", "verlet")


def _others(why: str, kind: str) -> str:
    """The solvers that support it."""
    if why == _NO_PLUGINS:
        return "pgs_matrix, pgs_jrow, textbook_impulse and constraint_correction do"
    if why == _ONLY_RECTANGLES:
        return "`contacts: native` knows all shapes"
    if why in (_NO_JOINTS, _NO_ACTUATORS, _NO_MICE):
        return (
            "pgs_matrix, pgs_jrow, textbook_impulse, constraint_correction and the engine's own "
            "solvers have them"
        )
    if kind == "verlet" and why not in _NOWHERE:
        return "the other solvers do"
    return "soft_step and sequential_impulse do"


Place = tuple[int | str, ...]
_NO_JOINTS = "knows no joints"
_NO_PLUGINS = "is a solver of the engine, which takes no constraints in Python"
_NO_SURROUNDINGS = "knows forces of gravity and actuators alone"
_NO_ACTUATORS = "has no motors and no frictions but those of contacts"


def _beyond(scene: Scene, kind: str) -> Iterator[tuple[Place, str]]:
    """All parts that a solver does not support, with paths and reasons, without BROKEN ones."""
    if kind not in ENGINE:
        yield from _beyond_surroundings(scene, kind)
    solver = replace(scene.world.solver, kind=kind)  # type: ignore[arg-type]
    yield from _beyond_parts(scene.bodies, scene.joints, scene.actuators, scene.bodies, solver)
    for name, each in scene.prototypes.items():
        parts = _beyond_parts(each.bodies, each.joints, each.actuators, each.bodies, solver)
        yield from ((("prototypes", name, *path), why) for path, why in parts)


def _beyond_surroundings(scene: Scene, kind: str) -> Iterator[tuple[Place, str]]:
    """Unsupported settings of a textbook solver's world, besides its parts."""
    from ...script import Drag  # which few scenes have

    world = scene.world
    for place, given in (
        (("air", "density"), world.air_density),
        (("attraction",), world.attraction),
        (("pools",), world.pools),
    ):
        if given is not BROKEN and given:
            yield ("world", *place), _NO_SURROUNDINGS
    if not drags(kind):
        for i, entry in enumerate(scene.inputs):
            if isinstance(entry, Drag):
                yield ("inputs", i, "drag"), _NO_JOINTS if kind == "iterative_impulse" else _NO_MICE


def _beyond_parts(
    bodies: Mapping[str, Body],
    joints: Mapping[str, Joint],
    actuators: Mapping[str, Actuator],
    known: Mapping[str, Body],
    solver: Solver,
) -> Iterator[tuple[Place, str]]:
    """Parts that a solver does not support; joints may hold any of the ``known`` bodies."""
    kind = solver.kind
    if kind in ENGINE:
        for name, joint in joints.items():
            with suppress(Stop):
                if joint.constraint:
                    yield ("joints", name, "type"), _NO_PLUGINS
        return
    for name, body in bodies.items():
        with suppress(Stop):
            for field, why in _beyond_body(body, solver):
                yield ("bodies", name, *field.split(".")), why
    for name, joint in joints.items():
        with suppress(Stop):
            for field, why in _beyond_joint(joint, known, kind):
                yield ("joints", name, *field.split(".")), why
    for name, actuator in actuators.items():
        with suppress(Stop):
            in_rows = actuator.kind == "axial_friction" or actuator.speed is not None
            if in_rows and kind in ("iterative_impulse", "verlet"):
                yield ("actuators", name, "type"), _NO_ACTUATORS


_NO_BULLETS = "looks at contacts once a step and follows no bullets"
_NO_SENSORS = "has no sensors"
_NO_ONE_WAY = "has no shapes that are solid from one side"
_NO_ROLLING = "has no rolling resistance"
_NO_BELTS = "has no surfaces that move"


def _beyond_body(body: Body, solver: Solver) -> Iterator[tuple[str, str]]:
    if body.bullet:
        yield "bullet", _NO_BULLETS
    for shape in body.shapes:
        if shape.sensor:
            yield "shape.sensor", _NO_SENSORS
        if shape.one_way is not None:
            yield "shape.one_way", _NO_ONE_WAY
        if shape.material.rolling_resistance > 0.0:
            yield "shape.rolling_resistance", _NO_ROLLING
        if shape.material.tangent_speed != 0.0:
            yield "shape.tangent_speed", _NO_BELTS
    if solver.kind == "verlet":
        yield from _beyond_particles(body)
    if solver.contacts != "native":
        for shape in body.shapes:
            if shape.kind != "circle" and not _is_rectangle(shape):
                yield "shape", _ONLY_RECTANGLES


def _beyond_particles(body: Body) -> Iterator[tuple[str, str]]:
    for shape in body.shapes:
        what = "" if shape.kind in ("polygon", "half_space") else str(shape.kind)
        if not what and shape.radius > 0.0:
            what = "rounded polygon"
        elif not what and shape.holes:
            what = "polygon with holes"
        elif not what and len(shape.points) > 2 and not is_convex(shape.points):
            what = "concave polygon"
        if what:
            yield "shape", f"makes bodies of their corners and knows no {what}"
        if shape.material.restitution > 0.0:
            yield "shape.restitution", "has no restitution"
    if body.kind == "dynamic" and len(body.shapes) != 1:
        yield "shapes", "makes a body of the corners of one shape"
    if body.kind == "dynamic" and body.fixed_rotation:
        yield "fixed_rotation", "has no angles that it could hold"


def _is_rectangle(shape: Shape) -> bool:
    if shape.kind != "polygon" or len(shape.points) != 4 or shape.radius > 0.0 or shape.holes:
        return False
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = shape.points
    square = (bx - ax) * (cx - bx) + (by - ay) * (cy - by)
    size = abs(cx - ax) + abs(cy - ay)
    parallel = abs(bx - ax + dx - cx) + abs(by - ay + dy - cy)
    return abs(square) <= 1e-9 * size * size and parallel <= 1e-9 * size


_ONLY_RECTANGLES = "with contacts of the document knows circles and boxes alone"
_NO_MICE = "knows no mouse joints"
_NO_SOFT_LIMITS = "has no limits that give"
_NO_BARS = "does not know how hard bars are pushed and pulled"
_NO_FASTEST = "has motors that go to a position by `correction_rate` of what is left in a step"
_NO_TYPES = {
    each.name: f"knows no {each.name} joints" for each in JOINT_TYPES.values() if not each.textbook
}
_NOWHERE = (
    *(_NO_BULLETS, _NO_SENSORS, _NO_ROLLING, _NO_BELTS, _NO_SURROUNDINGS),
    *(_NO_BARS, _NO_FASTEST, *_NO_TYPES.values()),
)


def _beyond_joint(joint: Joint, bodies: Mapping[str, Body], kind: str) -> Iterator[tuple[str, str]]:
    if kind == "iterative_impulse":
        yield "type", _NO_JOINTS
        return
    if joint.kind == "mouse" and kind == "verlet":
        yield "type", _NO_MICE
        return
    if joint.kind in _NO_TYPES:
        yield "type", _NO_TYPES[joint.kind]
        return
    if joint.motor is not None and joint.motor.max_speed:
        yield "motor.max_speed", _NO_FASTEST
    if joint.break_push_pull < float("inf"):
        yield "break.push_pull", _NO_BARS
    if kind == "verlet":
        yield from _beyond_rods(joint, bodies)


def _beyond_rods(joint: Joint, bodies: Mapping[str, Body]) -> Iterator[tuple[str, str]]:
    """Reasons why a joint is no rod between corners."""
    if joint.kind != "distance":
        yield "type", f"knows no {joint.kind} joints"
        return
    if joint.motor is not None:
        yield "motor", "drives nothing by motors"
    if joint.limit_spring is not None:
        yield "limit_spring", _NO_SOFT_LIMITS
    if joint.spring is not None:
        yield "spring", "has no springs"
    if min(joint.break_force, joint.break_push, joint.break_pull) < float("inf"):
        yield "break", "breaks no joints"
    ends = ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b))
    if not all(_at_corner(bodies, *end) for end in ends):
        yield "anchors", "holds bodies by their corners alone"


def _at_corner(bodies: Mapping[str, Body], name: str, anchor: Point) -> bool:
    body = bodies.get(name)
    corners = [] if body is None else [point for each in body.shapes for point in each.points]
    return any(
        abs(x - anchor[0]) <= 1e-6 * (abs(x) + abs(anchor[0]))
        and abs(y - anchor[1]) <= 1e-6 * (abs(y) + abs(anchor[1]))
        for x, y in corners
    )
