"""Builds the blocks that are made once: world, materials, collision, camera, render, record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path as FilePath
from typing import Any

from . import limits
from .body_models import MaterialInput
from .input_models import (
    AirInput,
    BackgroundInput,
    CameraInput,
    CollisionInput,
    EnergyInput,
    RenderInput,
    SceneInput,
    SolverInput,
    WorldInput,
)
from .joints import missing_body
from .kinds import nearest
from .model import (
    Background,
    Body,
    Camera,
    Collision,
    EnergyGraph,
    Material,
    Render,
    Solver,
    Units,
    World,
)
from .scope import Scope, Stop
from .shapes import SURFACE, Materials
from .variables import PIXELS_PER_METRE

STANDARD_GRAVITY = 9.81  # m/s^2, what most people write for the Earth's surface
DEFAULT_SECONDS = 8.0
_ONLY_SOLVER = {
    "substeps": "soft_step",
    "iterations": "sequential_impulse",
    "warm_start": "sequential_impulse",
    "position_correction": "sequential_impulse",
    "correction_rate": "sequential_impulse",
    "allowed_penetration": "sequential_impulse",
    "friction_limit": "sequential_impulse",
}


def default_gravity(units: Units, length_unit: float) -> tuple[float, float]:
    """9.81 m/s^2 downwards on the screen, in scene units."""
    metre = {"m": 1.0, "cm": 100.0, "px": length_unit}[units.length]
    size = STANDARD_GRAVITY * metre / (units.time_per_second * units.time_per_second)
    return (0.0, size if units.y_down else -size)


def build_world(given: WorldInput | None, units: Units, scope: Scope) -> World:
    """The ``world`` block with its defaults; Stop after a problem."""
    if given is None:
        given = WorldInput()

    def get(field: str, default: Any) -> Any:
        value = scope.attempt(lambda: scope.resolve(getattr(given, field), field), None)
        return default if value is None else value

    length_unit = get("length_unit", 1.0 if units.length == "m" else PIXELS_PER_METRE)
    dt = get("dt", units.time_per_second / 60.0)
    bounds = get("bounds", None)
    if bounds is not None:
        scope.attempt(lambda: check_rectangle(bounds, scope, "bounds"), None)
    air = given.air or AirInput()
    damping = {
        name: scope.attempt(lambda: scope.resolve(getattr(air, name), "air", name), None)  # noqa: B023
        for name in ("linear_damping", "angular_damping")
    }
    world = World(
        gravity=get("gravity", default_gravity(units, length_unit)),
        dt=dt,
        steps=scope.attempt(lambda: _steps(given, dt, units, scope), 1),
        seed=int(get("seed", 0)),
        sleep=get("sleep", True),
        length_unit=length_unit,
        solver=scope.attempt(lambda: _solver(given.solver, length_unit, scope), Solver()),
        linear_damping=damping["linear_damping"] or 0.0,
        angular_damping=damping["angular_damping"] or 0.0,
        bounds=bounds,
        on_error=get("on_error", "stop"),
    )
    scope.stop_if_failed()
    return world


def _steps(given: WorldInput, dt: float, units: Units, scope: Scope) -> int:
    steps = scope.resolve(given.steps, "steps")
    duration = scope.resolve(given.duration, "duration")
    if steps is not None and duration is not None:
        if abs(steps * dt - duration) > 0.5 * dt:
            raise scope.fail(
                f"`duration` and `steps` are both given and differ ({steps:.0f} steps of "
                f"{dt:.6g} are {steps * dt:.6g}); keep one",
                "steps",
            )
        duration = None
    if steps is None:
        if duration is None:
            duration = DEFAULT_SECONDS * units.time_per_second
        field = "duration"
        if duration < 0.5 * dt:
            raise scope.fail(
                f"a step of {dt:.6g} is longer than the run, which takes {duration:.6g}; "
                "make `dt` smaller or `duration` longer",
                "dt" if given.duration is None else "duration",
            )
        steps = max(1.0, float(round(duration / dt)))
    else:
        field = "steps"
    if steps > limits.STEPS:
        raise scope.fail(f"the run has {steps:.0f} steps; the limit is {limits.STEPS}", field)
    return int(steps)


def _solver(given: SolverInput | None, length_unit: float, scope: Scope) -> Solver:
    if given is None:
        return Solver(allowed_penetration=0.01 * length_unit)
    values: dict[str, Any] = {
        "kind": given.type,
        "joints": given.joints,
        "allowed_penetration": 0.01 * length_unit,
    }
    for field, kind in _ONLY_SOLVER.items():
        value = scope.resolve(getattr(given, field), "solver", field)
        if value is None:
            continue
        if kind != given.type:
            raise scope.fail(
                f"`{field}` is an option of {kind}, but the solver's type is {given.type}",
                "solver",
                field,
            )
        values[field] = int(value) if field in ("substeps", "iterations") else value
    return Solver(**values)


def check_rectangle(corners: Any, scope: Scope, *at: str) -> None:
    """Stop unless the second corner is above the first in both coordinates."""
    (x1, y1), (x2, y2) = corners
    if not (x1 < x2 and y1 < y2):
        raise scope.fail(
            "the first corner has the smaller x and y: [[x1, y1], [x2, y2]] with x1 < x2 and "
            "y1 < y2",
            *at,
        )


def build_materials(given: SceneInput, scope: Scope, fill: MaterialInput | None) -> Materials:
    """Materials by name. ``fill`` is what materials that do not say something get."""
    base = Material()
    if fill is not None:
        base = _merge(base, fill, Scope(*_place(scope, ("defaults", "material"))))
    named: dict[str, Material] = {}
    for name, material in (given.materials or {}).items():
        inner = Scope(*_place(scope, ("materials", name)))
        try:
            named[name] = replace(_merge(base, material, inner), name=name)
        except Stop:
            named[name] = base
    default = base
    wanted = given.defaults.material if given.defaults is not None else None
    if isinstance(wanted, str):
        if wanted in named:
            default = named[wanted]
        elif not scope.report.is_broken("materials", wanted):
            scope.report.add(
                ("defaults", "material"),
                f"there is no material `{wanted}`; {nearest(wanted, named)}",
            )
    return Materials(named, default)


def _place(scope: Scope, path: tuple[str, ...]) -> tuple[Any, ...]:
    return scope.context, scope.report, scope.budget, path, ".".join(path)


def _merge(base: Material, given: MaterialInput, scope: Scope) -> Material:
    said = {
        name: scope.resolve(getattr(given, name), name)
        for name in SURFACE
        if getattr(given, name) is not None
    }
    return replace(base, **said)


def build_collision(
    given: CollisionInput | None, bodies: dict[str, Body], scope: Scope
) -> Collision:
    """The ``collision`` block; categories that are not listed are collected from the bodies."""
    used = {shape.category for body in bodies.values() for shape in body.shapes}
    listed = None if given is None else scope.resolve(given.categories, "categories")
    names = list(dict.fromkeys(listed or ()))
    if listed is not None and len(names) < len(listed):
        raise scope.fail("a category is listed twice", "categories")
    if "default" not in names:
        names.insert(0, "default")
    if listed is None:
        names += sorted(used - set(names))
        if given is not None:
            pairs = (given.ignore or ()) + (given.collide or ())
            names += [n for n in dict.fromkeys(n for p in pairs for n in p) if n not in names]
    if len(names) > limits.CATEGORIES:
        raise scope.fail(
            f"there are {len(names)} categories; the limit is {limits.CATEGORIES}", "categories"
        )
    _check_categories(bodies, names, scope)
    matrix = _matrix(given, names, scope)
    pairs_ignore = () if given is None else _pairs(given, bodies, scope)
    mixing: dict[str, Any] = {}
    if given is not None:
        mixing = {
            field: getattr(given, field)
            for field in ("friction_mixing", "restitution_mixing")
            if getattr(given, field) is not None
        }
    return Collision(tuple(names), matrix, pairs_ignore, **mixing)


def _check_categories(bodies: dict[str, Body], names: list[str], scope: Scope) -> None:
    wrong: set[str] = set()
    for body in bodies.values():
        for shape in body.shapes:
            if shape.category in names or shape.category in wrong:
                continue
            wrong.add(shape.category)
            base = body.name.partition("[")[0]
            path = ("bodies", base if base in (scope.report.tree["bodies"]) else body.name)
            scope.report.add(
                (*path, "category"),
                f"`{shape.category}` is not in `collision.categories`; "
                f"{nearest(shape.category, names)}",
            )


def _matrix(
    given: CollisionInput | None, names: list[str], scope: Scope
) -> tuple[tuple[bool, ...], ...]:
    only = None if given is None else scope.resolve(given.collide, "collide")
    ignore = None if given is None else scope.resolve(given.ignore, "ignore")
    if only is not None and ignore is not None:
        raise scope.fail(
            "`collide` (only these pairs) and `ignore` (all but these) are both given; keep one",
            "ignore",
        )
    matrix = [[only is None] * len(names) for _ in names]
    field = "ignore" if only is None else "collide"
    for i, pair in enumerate((ignore if only is None else only) or ()):
        for j, name in enumerate(pair):
            if name not in names:
                raise scope.fail(
                    f"there is no category `{name}`; {nearest(name, names)}", field, i, j
                )
        a, b = names.index(pair[0]), names.index(pair[1])
        matrix[a][b] = matrix[b][a] = only is not None
    return tuple(tuple(row) for row in matrix)


def _pairs(
    given: CollisionInput, bodies: dict[str, Body], scope: Scope
) -> tuple[tuple[str, str], ...]:
    """``pairs_ignore``; the name of a generator stands for all that it made."""
    pairs: dict[tuple[str, str], None] = {}
    made: dict[str, list[str]] = {}
    for name in bodies:
        made.setdefault(name.partition("[")[0], []).append(name)
    for i, pair in enumerate(scope.resolve(given.pairs_ignore, "pairs_ignore") or ()):
        groups = []
        for j, name in enumerate(pair):
            group = [name] if name in bodies else made.get(name)
            if group is None and scope.report.is_broken("bodies", name):
                raise Stop
            if group is None:
                raise scope.fail(missing_body(name, bodies), "pairs_ignore", i, j)
            groups.append(group)
        if len(groups[0]) * len(groups[1]) + len(pairs) > limits.PAIRS:
            raise scope.fail(
                f"more than {limits.PAIRS} pairs; that is the limit. Use categories", "pairs_ignore"
            )
        for a in groups[0]:
            pairs.update({(a, b): None for b in groups[1] if a != b})
    return tuple(pairs)


def build_camera(given: CameraInput | None, bodies: dict[str, Body], scope: Scope) -> Camera:
    """The ``camera`` block."""
    if given is None:
        return Camera()
    allowed = {
        "fit": ("fit", "margin"),
        "region": ("rect",),
        "follow": ("target", "style", "margin", "zoom", "bounds"),
    }
    values: dict[str, Any] = {"mode": given.mode}
    for field in ("fit", "rect", "target", "style", "margin", "zoom", "bounds"):
        value = scope.resolve(getattr(given, field), field)
        if value is None:
            continue
        if field not in allowed[given.mode]:
            modes = " and ".join(mode for mode, names in allowed.items() if field in names)
            raise scope.fail(
                f"`{field}` belongs to the mode {modes}, but the mode is {given.mode}", field
            )
        values[field] = value
    for field in ("rect", "bounds"):
        if field in values:
            check_rectangle(values[field], scope, field)
    if given.mode == "region" and given.rect is None:
        raise scope.fail("the mode region needs `rect: [[x1, y1], [x2, y2]]`")
    if given.mode == "follow":
        if given.target is None:
            raise scope.fail("the mode follow needs `target: <body>`")
        if values["target"] not in bodies:
            if scope.report.is_broken("bodies", values["target"]):
                raise Stop
            raise scope.fail(missing_body(values["target"], bodies), "target")
    return Camera(**values)


def build_render(
    given: RenderInput | None, folders: Sequence[FilePath | None], scope: Scope
) -> Render:
    """The ``render`` block."""
    if given is None:
        return Render()
    values: dict[str, Any] = {}
    for field in fields(Render):
        value = getattr(given, field.name)
        if value is not None and field.name not in ("background", "energy"):
            values[field.name] = scope.resolve(value, field.name)
    if "size" in values:
        w, h = (int(side) for side in values["size"])
        if w * h > limits.FRAME_PIXELS:
            raise scope.fail(
                f"{w} x {h} are {w * h} pixels; the limit is {limits.FRAME_PIXELS}", "size"
            )
        values["size"] = (w, h)
    if "supersample" in values:
        values["supersample"] = int(values["supersample"])
    if given.energy is not None:
        values["energy"] = _energy_graph(given.energy, scope)
    if given.background is not None:
        values["background"] = _background(given.background, folders, scope)
    return Render(**values)


def _energy_graph(given: EnergyInput, scope: Scope) -> EnergyGraph:
    values = {
        field.name: scope.resolve(getattr(given, field.name), "energy", field.name)
        for field in fields(EnergyGraph)
        if getattr(given, field.name) is not None
    }
    least, greatest = values.get("range", (0.0, 1.0))
    if not least < greatest:
        raise scope.fail("the smaller energy comes first: [least, greatest]", "energy", "range")
    return EnergyGraph(**values)


def _background(
    given: BackgroundInput, folders: Sequence[FilePath | None], scope: Scope
) -> Background:
    from .files import inside

    if (given.color is None) == (given.image is None):
        raise scope.fail("a background is a colour or {image: file.png}", "background")
    if given.image is None:
        if given.fit is not None:
            raise scope.fail("`fit` goes with `image`", "background", "fit")
        return Background(color=given.color)
    try:
        path = inside(given.image, *folders)
    except ValueError as error:
        raise scope.fail(str(error), "background", "image") from None
    return Background(image=str(path), fit=given.fit or "stretch")  # type: ignore[arg-type]
