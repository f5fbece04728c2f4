"""Builds the blocks that are made once: world, materials, camera and render."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path as FilePath
from typing import Any, cast

from .. import limits
from ..building.scope import Scope
from ..model import Background, Body, Camera, EnergyGraph, Material, Render, Solver, Units, World
from ..values.broken import BROKEN, Stop, is_read
from ..values.kinds import listed, nearest
from ..values.names import missing_body
from .body_models import MaterialInput
from .input_models import (
    AirInput,
    BackgroundInput,
    CameraInput,
    EnergyInput,
    RenderInput,
    SceneInput,
    SolverInput,
    WorldInput,
)
from .shapes import Materials, surface
from .solver_options import DEFAULTS, OF_OPTION
from .variables import PIXELS_PER_METRE

STANDARD_GRAVITY = 9.81  # m/s^2, what most people write for the Earth's surface
DEFAULT_SECONDS = 8.0


def default_gravity(units: Units, length_unit: float) -> tuple[float, float]:
    """9.81 m/s^2 downwards on the screen, in scene units."""
    metre = {"m": 1.0, "cm": 100.0, "px": length_unit}[units.length]
    size = STANDARD_GRAVITY * metre / (units.time_per_second * units.time_per_second)
    return (0.0, size if units.y_down else -size)


def build_world(given: WorldInput | None, units: Units, scope: Scope) -> World:
    """The ``world`` block with its defaults, and BROKEN for what has a problem."""
    if given is BROKEN:
        return World(**dict.fromkeys(World.__dataclass_fields__, BROKEN))
    if given is None:
        given = WorldInput()

    def get(field: str, default: Any) -> Any:
        value = scope.known(getattr(given, field), field)
        return default if value is None else value

    length_unit = get("length_unit", 1.0 if units.length == "m" else PIXELS_PER_METRE)
    dt = get("dt", units.time_per_second / 60.0)
    bounds = get("bounds", None)
    if bounds is not None:
        scope.attempt(lambda: check_rectangle(bounds, scope, "bounds"), None)
    air = AirInput() if given.air is None else given.air
    damping = {
        name: scope.attempt(lambda: scope.resolve(getattr(air, name), "air", name), BROKEN)  # noqa: B023
        for name in ("linear_damping", "angular_damping")
    }
    gravity = scope.attempt(lambda: default_gravity(units, length_unit), BROKEN)
    return World(
        gravity=get("gravity", gravity),
        dt=dt,
        steps=scope.attempt(lambda: _steps(given, dt, units, scope), BROKEN),
        seed=scope.attempt(lambda: int(get("seed", 0)), BROKEN),
        sleep=get("sleep", True),
        length_unit=length_unit,
        solver=scope.attempt(lambda: _solver(given.solver, length_unit, scope), BROKEN),
        bounds=bounds,
        on_error=get("on_error", "stop"),
        **{name: 0.0 if value is None else value for name, value in damping.items()},
    )


def _steps(given: WorldInput, dt: float, units: Units, scope: Scope) -> int:
    steps = scope.known(given.steps, "steps")
    duration = scope.known(given.duration, "duration")
    if scope.report.may_have("units") or scope.report.may_have("world"):
        raise Stop  # without them, nothing can be said of times
    if steps is not None and duration is not None:
        if abs(steps * dt - duration) > 0.5 * dt:
            raise scope.fail(
                "conflicting-keys",
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
                "out-of-range",
                f"a step of {dt:.6g} is longer than the run, which takes {duration:.6g}; "
                "make `dt` smaller or `duration` longer",
                "dt" if given.duration is None else "duration",
            )
        steps = max(1.0, float(round(duration / dt)))
    else:
        field = "steps"
    if steps > limits.STEPS:
        raise scope.fail(
            "limit", f"the run has {steps:.0f} steps; the limit is {limits.STEPS}", field
        )
    return int(steps)


def _solver(given: SolverInput | None, length_unit: float, scope: Scope) -> Solver:
    values: dict[str, Any] = {
        "allowed_penetration": scope.attempt(lambda: 0.01 * length_unit, BROKEN)
    }
    if given is None:
        return Solver(**values)
    values["kind"] = given.type
    if is_read(given.type):
        values |= DEFAULTS.get(given.type, {})
    for field, kinds in OF_OPTION.items():
        value = scope.known(getattr(given, field), "solver", field)
        if value is None:
            continue
        if is_read(given.type) and is_read(value) and given.type not in kinds:
            scope.fail(
                "conflicting-keys",
                f"`{field}` is an option of {listed(kinds)}, but the solver's type is {given.type}",
                "solver",
                field,
            )
        elif value is not BROKEN:
            values[field] = int(value) if field in ("substeps", "iterations") else value
    return Solver(**values)


def check_rectangle(corners: Any, scope: Scope, *at: str) -> None:
    """Stop unless the second corner is above the first in both coordinates."""
    (x1, y1), (x2, y2) = corners
    if not (x1 < x2 and y1 < y2):
        raise scope.fail(
            "out-of-range",
            "the first corner has the smaller x and y: [[x1, y1], [x2, y2]] with x1 < x2 and "
            "y1 < y2",
            *at,
        )


def build_materials(given: SceneInput, scope: Scope, fill: MaterialInput | None) -> Materials:
    """Materials by name. ``fill`` is what materials that do not say something get."""
    base = Material()
    if fill is not None:
        base = surface(_at(scope, "defaults", "material"), base, fill, ())
    named: dict[str, Material] = {}
    for name, material in (given.materials or {}).items():
        made = surface(_at(scope, "materials", name), base, material, ())
        named[name] = made if made is BROKEN else replace(made, name=name)
    default, unknown = base, cast(Material, BROKEN)
    wanted = None if given.defaults is None else given.defaults.material
    if wanted is BROKEN:
        default = unknown
    elif isinstance(wanted, str):
        default = named.get(wanted, unknown)
        if wanted not in named and not scope.report.may_have("materials", wanted):
            scope.report.add(
                ("defaults", "material"),
                "unknown-name",
                f"there is no material `{wanted}`; {nearest(wanted, named)}",
                missing=f"material {wanted}",
            )
    return Materials(named, default)


def _at(scope: Scope, *path: str) -> Scope:
    return Scope(scope.context, scope.report, scope.budget, path, ".".join(path))


_CAMERA = {
    "fit": ("fit", "margin"),
    "region": ("rect",),
    "follow": ("target", "style", "margin", "zoom", "bounds"),
}


def build_camera(given: CameraInput | None, bodies: dict[str, Body], scope: Scope) -> Camera:
    """The ``camera`` block."""
    if given is None:
        return Camera()
    mode = given.mode
    values: dict[str, Any] = {"mode": mode}
    for field in ("fit", "rect", "target", "style", "margin", "zoom", "bounds"):
        value = scope.known(getattr(given, field), field)
        if value is None:
            continue
        if is_read(mode) and is_read(value) and field not in _CAMERA[mode]:
            modes = " and ".join(each for each, names in _CAMERA.items() if field in names)
            scope.fail(
                "conflicting-keys",
                f"`{field}` belongs to the mode {modes}, but the mode is {mode}",
                field,
            )
        values[field] = value
    for field in ("rect", "bounds"):
        if field in values:
            scope.attempt(lambda: check_rectangle(values[field], scope, field), None)  # noqa: B023
    missing = not scope.report.may_mean(scope.path, str, list)
    if given.rect is None and missing and mode == "region":
        scope.fail("missing-key", "the mode region needs `rect: [[x1, y1], [x2, y2]]`")
    if given.target is None and missing and mode == "follow":
        scope.fail("missing-key", "the mode follow needs `target: <body>`")
    target = values.get("target")
    if target is not None and target not in bodies:
        if scope.report.may_have("bodies", target):
            raise Stop
        raise scope.fail("unknown-name", missing_body(target, bodies), "target", missing=target)
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
            values[field.name] = scope.known(value, field.name)
    if "size" in values:
        values["size"] = scope.attempt(lambda: _size(values["size"], scope), BROKEN)
    if "supersample" in values:
        values["supersample"] = scope.attempt(lambda: int(values["supersample"]), BROKEN)
    background = given.background
    if background is not None:
        values["background"] = scope.attempt(
            lambda: _background(background, folders, scope), BROKEN
        )
    graph = given.energy
    if graph is not None:
        values["energy"] = scope.attempt(lambda: _energy_graph(graph, scope), BROKEN)
    return Render(**values)


def _energy_graph(given: EnergyInput, scope: Scope) -> EnergyGraph:
    values = {
        field.name: scope.known(getattr(given, field.name), "energy", field.name)
        for field in fields(EnergyGraph)
        if getattr(given, field.name) is not None
    }
    least, greatest = values.get("range", (0.0, 1.0))
    if is_read(least) and is_read(greatest) and not least < greatest:
        raise scope.fail(
            "out-of-range", "the smaller energy comes first: [least, greatest]", "energy", "range"
        )
    return EnergyGraph(**values)


def _size(size: Any, scope: Scope) -> tuple[int, int]:
    w, h = (int(side) for side in size)
    if w * h > limits.FRAME_PIXELS:
        raise scope.fail(
            "limit", f"{w} x {h} are {w * h} pixels; the limit is {limits.FRAME_PIXELS}", "size"
        )
    return w, h


def _background(
    given: BackgroundInput, folders: Sequence[FilePath | None], scope: Scope
) -> Background:
    from ..text.files import inside
    from ..text.images import read_image

    if (
        given.color is None
        and given.image is None
        and scope.report.may_mean((*scope.path, "background"), str)
    ):
        raise Stop
    if (given.color is None) == (given.image is None):
        raise scope.fail(
            "missing-key", "a background is a colour or {image: file.png}", "background"
        )
    if given.image is None:
        if given.fit is not None:
            raise scope.fail("conflicting-keys", "`fit` goes with `image`", "background", "fit")
        return Background(color=given.color)
    try:
        path = inside(given.image, *folders)
        read_image(str(path))
    except ValueError as error:
        raise scope.fail("file", str(error), "background", "image") from None
    return Background(image=str(path), fit=given.fit or "stretch")  # type: ignore[arg-type]
