# SPDX-License-Identifier: MIT
"""Calls of the native module with arguments that nobody would give: no crash, documented errors.

A case is a program, a call a line as JSON: ``["add_bodies", ARGUMENT, ...]``. An array is written
as ``{"dtype", "shape", "fill", "layout"}``; its numbers repeat those of ``fill``. Rows of the
engine's own dtypes are written as ``{"title", "rows", "layout"}``, each row by the names of fields.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from rigid2d.core import _native
from rigid2d.core.errors import UsageError

from .values import NUMBERS, anything, number

DOCUMENTED = (TypeError, ValueError, UsageError)
STEPS = 12
ODD = 0.002  # of the numbers of a table; a single one may refuse all of it
SIDES = [0, 1, 1, 2, 3, 4, 7]
LAYOUTS = ["plain"] * 6 + ["fortran", "strided", "backwards", "read-only", "unaligned", "list"]
DTYPES = ["<f8"] * 6 + ["<i4", "<i4", "|u1", "|b1", "<f4", "<i8", ">f8", "<c16", "O", "<U3"]

Pair = tuple[float, float]


def program(choose: random.Random) -> bytes:
    """A world, and calls of it and of the functions beside it."""
    calls: list[list[Any]] = [["World", _settings(choose)]]
    bodies = choose.choice([1, 2, 4, 8])
    calls.append(["add_bodies", _titled("BODY", [_body(choose) for _ in range(bodies)])])
    shapes, points = _shapes(choose, bodies)
    calls.append(["add_shapes", _titled("SHAPE", shapes), _rows(points)])
    if choose.random() < 0.6:
        calls.append(["add_joints", _titled("JOINT", [_joint(choose, bodies) for _ in range(3)])])
    names = [*CALLS]
    for _ in range(choose.choice([3, 8, 20])):
        name = choose.choice(names)
        calls.append([name, *(make(choose, bodies) for make in CALLS[name])])
        if choose.random() < 0.3:
            calls.append(["step", choose.randint(0, STEPS)])
    for call in calls[1:]:
        if choose.random() < 0.12 and len(call) > 1 and call[0] not in ("step", "run"):
            call[choose.randrange(1, len(call))] = choose.choice([_array, _wrong])(choose, bodies)
    return "\n".join(json.dumps(_plain(call)) for call in calls).encode()


def check_program(text: bytes) -> None:
    """Make all calls; then whatever is left of the world is read."""
    world: Any = None
    views: list[Any] = []
    for line in text.decode().splitlines():
        name, *given = json.loads(line, parse_constant=float)
        arguments = [_made(argument) for argument in given]
        try:
            if name == "World":
                world = _native.World(**arguments[0])
            elif hasattr(_native, name):
                _of_module(name, arguments)
            elif world is not None:
                attribute = getattr(world, name)
                views.append(attribute(*arguments) if callable(attribute) else attribute)
        except DOCUMENTED:
            continue
    if world is not None:
        _read(world, views)


def _of_module(name: str, arguments: list[Any]) -> None:
    if name != "GifFrames":
        getattr(_native, name)(*arguments)
        return
    frames = _native.GifFrames(*arguments[:3])
    frames.add(arguments[3])
    assert len(frames.palette) <= 768, "a palette of more than 256 colours"


def _read(world: Any, views: list[Any]) -> None:
    """Whatever happened, a world can be read, and older views are still there."""
    columns = [world.x, world.y, world.angle, world.vx, world.vy, world.omega, world.mass]
    assert {len(column) for column in columns} == {world.body_count}, "columns of unequal length"
    assert world.joint_state().shape == (world.joint_count,), "a joint without a state"
    there = world.alive.astype(bool)  # what freeze_on_error has taken out keeps its last state
    assert world.error or all(np.isfinite(column[there]).all() for column in columns), "not finite"
    world.state_hash(), world.energy(), world.contacts(), world.take_events(), world.statistics()
    for view in views:
        for each in view if isinstance(view, tuple) else (view,):
            np.asarray(each).tolist()


# ---------------------------------------------------------------- arguments


def _settings(choose: random.Random) -> dict[str, Any]:
    settings = {
        "gravity": [number(choose), number(choose)],
        "dt": choose.choice([1 / 60, 1e-9, 1e-3, 1.0, 1e9, number(choose)]),
        "solver": choose.choice(["soft_step", "sequential_impulse", "none"]),
        "substeps": choose.choice([1, 4, 64, 0, -1, 1001]),
        "joint_solver": choose.choice(["auto", "direct", "iterative"]),
        "iterations": choose.choice([1, 10, 100, 0]),
        "length_unit": choose.choice([1.0, 100.0, 1e-6, 1e6, number(choose)]),
        "time_per_second": choose.choice([1.0, 1000.0, number(choose)]),
        "bounds": [number(choose) for _ in range(4)],
        "freeze_on_error": choose.random() < 0.5,
        "sleep": choose.random() < 0.5,
        "threads": choose.choice([1, 2, 3, 0, 257]),
        "lanes": choose.choice([0, 1, 4, 8, 3, -1]),
        "correction_rate": number(choose),
        "allowed_penetration": number(choose),
        "friction_mixing": choose.choice(["min", "max", "mean", "product", "geometric_mean", ""]),
    }
    chosen = choose.sample([*settings], choose.choice([0, 1, 3]))
    return {name: settings[name] for name in chosen}


def _odd(choose: random.Random, usual: float, chance: float = 0.06) -> float:
    return choose.choice(NUMBERS) if choose.random() < chance else usual


Row = dict[str, float]


def _row(choose: random.Random, title: str, given: Row) -> Row:
    """A row with the fields that are given, the others as the engine has them; some are odd."""
    fields = {name: default for name, (default, _, _) in _native.ROWS[title].items()}
    return {name: _odd(choose, value, ODD) for name, value in (fields | given).items()}


def _body(choose: random.Random) -> Row:
    near = choose.choice([0.3, 2.0, 1e4])
    given: Row = {
        name: choose.uniform(-near, near) for name in ("x", "y", "angle", "vx", "vy", "omega")
    }
    given["kind"] = choose.choice([0, 1, 2, 2, 2])
    given["mass"] = choose.choice([math.nan, 1.0, 1e-6, 1e6])
    given["inertia"] = choose.choice([math.nan, 1.0])
    given["fixed_rotation"], given["bullet"] = choose.choice([0, 0, 1]), choose.choice([0, 0, 1])
    return _row(choose, "BODY", given)


def _shapes(choose: random.Random, bodies: int) -> tuple[list[Row], list[Pair]]:
    rows: list[Row] = []
    points: list[Pair] = []
    for body in range(1, bodies + 1):
        kind = choose.choice([0, 0, 1, 2, 3, 3, 4])
        count = [1, 2, 2, choose.randint(3, 9), 4][kind]
        turn = 2 * math.pi / max(count, 3)
        new = [(math.cos(turn * k), math.sin(turn * k)) for k in range(count)]
        points += [(_odd(choose, x, ODD), _odd(choose, y, ODD)) for x, y in new]
        given: Row = {"body": body, "kind": kind, "point_count": count}
        given |= {"first_point": len(points) - count, "radius": choose.choice([0, 0.1, 0.5])}
        given |= {"restitution": choose.choice([0, 1]), "rolling_resistance": 0.1}
        given |= {"sensor": choose.choice([0, 0, 0, 1]), "category": choose.choice([0, 0, 63])}
        rows.append(_row(choose, "SHAPE", given))
    return rows, points


def _joint(choose: random.Random, bodies: int) -> Row:
    kind = choose.randrange(8)
    given: Row = {"kind": kind, "body_a": 0 if kind > 4 else choose.randint(0, bodies)}
    given["body_b"] = choose.randint(1, bodies)
    for name in ("anchor_ax", "anchor_ay", "anchor_bx", "anchor_by", "target_x", "target_y"):
        given[name] = choose.uniform(-1, 1)
    given |= {"axis_x": choose.uniform(0.1, 1), "axis_y": 1, "collide": choose.choice([0, 1])}
    given["break_torque"] = choose.choice([math.inf, 5])
    for spring in ("spring", "limit_spring", "motor_spring"):
        given[f"{spring}_kind"] = choose.choice([0, 1, 2])
        given[f"{spring}_1"] = choose.choice([0, 1, 1e6])
        given[f"{spring}_2"] = choose.choice([0, 1])
    given |= {"has_limits": choose.choice([0, 1]), "lower": -choose.random()}
    given |= {"upper": choose.choice([math.inf, 0, 1]), "motor_kind": choose.choice([0, 1, 2])}
    given["motor_target"] = choose.uniform(-5, 5)
    given["motor_max"] = choose.choice([math.inf, 0, 10])
    given |= {"length": 1, "min_length": choose.choice([0, 1])}
    given["max_length"] = choose.choice([1, 2, math.inf])
    return _row(choose, "JOINT", given)


def _titled(title: str, rows: list[Row]) -> dict[str, Any]:
    return {"title": title, "rows": rows, "layout": "plain"}


def _any_rows(title: str) -> Callable[[random.Random, int], Any]:
    """Up to four rows with one field or another set to something."""

    def make(choose: random.Random, bodies: int) -> Any:
        fields = [*_native.ROWS[title]]
        rows = []
        for _ in range(choose.randint(0, 4)):
            given: Row = {name: number(choose) for name in choose.sample(fields, 2)}
            if choose.random() < 0.8:
                given["body"] = choose.randint(0, bodies)
            rows.append(_row(choose, title, given))
        return _titled(title, rows) | {"layout": choose.choice(LAYOUTS)}

    return make


def _rows(rows: list[Any]) -> dict[str, Any]:
    flat = [value for row in rows for value in row]
    width = len(rows[0]) if rows else 2
    return {"dtype": "<f8", "shape": [len(rows), width], "fill": flat, "layout": "plain"}


def _array(choose: random.Random, bodies: int) -> Any:
    width = choose.choice([2, 2, 3, 4, 5, *SIDES, 9, 10, 12, 19, 34])
    shape = choose.choice([[choose.choice(SIDES), width], [width], [], [2, 3, 3], [1, 2, 2, 2]])
    fill = [choose.choice([number(choose), choose.randint(0, 5)]) for _ in range(7)]
    return {
        "dtype": choose.choice(DTYPES),
        "shape": shape,
        "fill": fill,
        "layout": choose.choice(LAYOUTS),
    }


def _integers(width: int, most: int) -> Callable[[random.Random, int], Any]:
    def make(choose: random.Random, bodies: int) -> Any:
        rows = choose.randint(0, 4)
        fill = [choose.choice([choose.randint(0, most), choose.randint(0, bodies)]) for _ in "1234"]
        if choose.random() < 0.1:
            fill[0] = choose.choice([-1, 2**31 - 1, -(2**31), 1000])
        shape = [rows, width] if width else [rows]
        return {"dtype": "<i4", "shape": shape, "fill": fill, "layout": "plain"}

    return make


def _numbers(*shape: int) -> Callable[[random.Random, int], Any]:
    def make(choose: random.Random, bodies: int) -> Any:
        sides = [side or choose.randint(0, 6) for side in shape]
        fill = [number(choose) for _ in range(7)]
        return {"dtype": "<f8", "shape": sides, "fill": fill, "layout": "plain"}

    return make


def _bytes(*shape: int) -> Callable[[random.Random, int], Any]:
    def make(choose: random.Random, bodies: int) -> Any:
        fill = [choose.randrange(256) for _ in range(choose.choice([1, 50]))]
        return {"dtype": "|u1", "shape": [*shape], "fill": fill, "layout": "plain"}

    return make


def _wrong(choose: random.Random, bodies: int) -> Any:
    return anything(choose)


def _tuple(size: int) -> Callable[[random.Random, int], Any]:
    return lambda choose, bodies: [number(choose) for _ in range(size)]


_pair, _pose = _tuple(2), _tuple(3)


def _body_index(choose: random.Random, bodies: int) -> Any:
    if choose.random() < 0.1:  # an id of a later generation
        return choose.randint(0, 3) << 32 | choose.randint(0, bodies)
    return choose.choice([*range(bodies + 2), -1, 2**31 - 1]) if choose.random() < 0.9 else 10**12


def _small(choose: random.Random, bodies: int) -> Any:
    return choose.randint(-1, 5)


def _flag(choose: random.Random, bodies: int) -> Any:
    return choose.random() < 0.5


def _real(choose: random.Random, bodies: int) -> Any:
    return number(choose)


def _joint_rows(choose: random.Random, bodies: int) -> Any:
    return _titled("JOINT", [_joint(choose, bodies)])


def _body_rows(choose: random.Random, bodies: int) -> Any:
    return _titled("BODY", [_body(choose)])


def _item_rows(choose: random.Random, bodies: int) -> Any:
    rows = [
        [choose.randrange(-1, 13), choose.randint(0, 3), choose.randint(0, 5)]
        + [_odd(choose, choose.uniform(0, 40), 0.2) for _ in range(2)]
        + [choose.choice([0xFF00FFFF, 0, 1e18])] * 2
        + [_odd(choose, choose.uniform(-9, 40), 0.2) for _ in range(3)]
        for _ in range(3)
    ]
    return _rows(rows)


def _rings(choose: random.Random, bodies: int) -> list[Any]:
    return [_numbers(0, 2)(choose, bodies) for _ in range(choose.randint(0, 3))]


def _shape_arguments() -> list[Callable[[random.Random, int], Any]]:
    return [lambda choose, bodies: choose.randint(-1, 7), _numbers(0, 2), _real]


Maker = Callable[[random.Random, int], Any]
CALLS: dict[str, list[Maker]] = {
    "step": [lambda choose, bodies: choose.randint(-1, STEPS)],
    "run": [_small, _small, _integers(2, 40), _numbers(3, 0)],
    "sample": [_integers(2, 40)],
    "add_bodies": [_body_rows],
    "add_shapes": [_any_rows("SHAPE"), _numbers(0, 2)],
    "add_joints": [_joint_rows],
    "add_points": [_any_rows("POINT")],
    "add_forces": [_any_rows("FORCE")],
    "set_force": [_body_index, _real, _real, _real, _flag],
    "set_bars": [_any_rows("BAR")],
    "set_spring": [_small, _small, _real, _real],
    "set_limits": [_small, _real, _real],
    "set_joint_target": [_small, _real, _real],
    "set_motor": [_small, _real, _real],
    "set_collision_matrix": [
        lambda choose, bodies: (
            {"dtype": "|b1", "shape": [choose.choice([0, 1, 64, 65])] * 2}
            | {"fill": [choose.random() < 0.5], "layout": "plain"}
        )
    ],
    "ignore_pairs": [_integers(2, 8)],
    "finish": [],
    "next_bodies": [_small],
    "add_fragment": [
        *(_body_rows, _any_rows("SHAPE"), _numbers(0, 2), _joint_rows),
        *(_any_rows("FORCE"), _any_rows("BAR"), _any_rows("POINT")),
    ],
    "keep_slots": [],
    "has_body": [_body_index],
    "has_joint": [_small],
    "remove_force": [_small],
    "remove_body": [_body_index],
    "remove_joint": [_small],
    "center_of_mass": [_body_index],
    "set_pose": [_body_index, _real, _real, _real],
    "set_velocity": [_body_index, _real, _real, _real],
    "apply_force": [_body_index, _real, _real, _real, _real],
    "apply_torque": [_body_index, _real],
    "apply_impulse": [_body_index, _real, _real, _real, _real],
    "apply_angular_impulse": [_body_index, _real],
    "set_awake": [_body_index, _flag],
    "enable_contact_events": [_flag],
    "ray_cast": [_pair, _pair],
    "overlap_box": [_pair, _pair],
    "overlap_circle": [_pair, _real],
    "overlap_point": [_pair],
    **{name: [] for name in ("x", "vx", "mass", "awake", "contacts", "joint_state", "take_events")},
    "decompose_polygon": [_numbers(0, 2), _rings],
    "misplaced_hole": [_numbers(0, 2), _rings],
    "polygon_mass": [_numbers(0, 2), _real, _real],
    "shape_mass": [*_shape_arguments(), _real],
    "collide": [*_shape_arguments(), *_shape_arguments(), _pose, _real],
    "shape_ray_cast": [*_shape_arguments(), _pair, _pair],
    "shape_contains": [*_shape_arguments(), _pair],
    "shapes_overlap": [*_shape_arguments(), *_shape_arguments(), _pose],
    "shape_distance": [*_shape_arguments(), *_shape_arguments(), _pose],
    "rasterize": [_bytes(9, 20, 3), _item_rows, _numbers(6, 2), _bytes(64), _integers(4, 6)],
    "place_points": [_numbers(3, 2), _integers(0, 3), _numbers(2, 3), _tuple(4), _numbers(3, 2)],
    "shrink_image": [_bytes(6, 4, 3), _bytes(3, 2, 3), _small],
    "GifFrames": [_small, _small, _bytes(5, 3), _bytes(4, 5, 3)],
}
"""The calls of the module and of a world, with what makes an argument that may be right."""


# ---------------------------------------------------------------- programs as text


def _plain(value: Any) -> Any:
    """What JSON can hold; its own words for NaN and the infinite ones are read back."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _made(value: Any) -> Any:
    """An argument as the program says it."""
    if isinstance(value, list):
        return tuple(map(_made, value))
    if isinstance(value, dict) and "title" in value:
        return _laid_out(_filled(value["title"], value["rows"]), value["layout"])
    if not isinstance(value, dict) or "dtype" not in value:
        return (
            {key: _made(each) for key, each in value.items()} if isinstance(value, dict) else value
        )
    shape = tuple(value["shape"])
    dtype = np.dtype(value["dtype"])
    with np.errstate(all="ignore"):
        flat = np.resize(np.array(value["fill"] or [0.0]), math.prod(shape))
        if dtype.kind in "iu":
            flat = np.nan_to_num(flat).clip(-(2.0**31), 2.0**31 - 1)
        array = flat.astype(dtype).reshape(shape)
    return _laid_out(array, value["layout"])


def _filled(title: str, rows: list[Row]) -> Any:
    """Rows of one of the engine's dtypes, with each number as near to what is said as it can be."""
    array = np.zeros(len(rows), getattr(_native, title))
    for at, row in enumerate(rows):
        for name, value in row.items():
            whole = array.dtype[name].kind == "i"
            if whole:
                value = min(max(np.nan_to_num(value), -(2.0**31)), 2.0**31 - 1)
            array[name][at] = value
    return array


def _laid_out(array: Any, layout: str) -> Any:
    if layout == "fortran":
        return np.asfortranarray(array)
    if layout == "strided" and array.ndim:
        return np.repeat(array, 2, axis=0)[::2]
    if layout == "backwards" and array.ndim:
        return array[::-1]
    if layout == "read-only":
        array.flags.writeable = False
    elif layout == "unaligned" and array.dtype != object:
        raw = np.zeros(array.nbytes + 1, np.uint8)[1:]
        view = raw.view(array.dtype).reshape(array.shape)
        view[...] = array
        return view
    elif layout == "list":
        return array.tolist()
    return array
