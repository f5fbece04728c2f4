# SPDX-License-Identifier: MIT
"""Surroundings of bodies in the block ``world``: mutual attraction, and pools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ...building.scope import Scope
from ...building.writing import differences
from ...model import Pool, World
from ...values.broken import BROKEN, Stop
from ...values.fields import (
    Colour,
    Density,
    Distance,
    Input,
    NotNegative,
    Number,
    Rate,
    Rectangle,
    TruthField,
    about,
)
from ..places import check_rectangle


class AttractionInput(Input):
    form: ClassVar[str] = "`{strength: 10, softening: 0.1}`"
    hints: ClassVar[dict[str, str]] = dict.fromkeys(("G", "g", "constant"), "it is `strength`")
    needed: ClassVar[tuple[str, ...]] = ("strength",)
    strength: Number = about("Force of two unit masses a length unit apart; below 0 they repel.")
    softening: Distance = about("Distance below which the pull falls off again (default 0).")


class PoolInput(Input):
    form: ClassVar[str] = "`{region: [[-5, -3], [5, 0]], density: 2}`"
    hints: ClassVar[dict[str, str]] = {
        "surface": "it is the upper side of `region`",
        "viscosity": "it is `damping`",
        "linear_damping": "it is `damping`",
    }
    needed: ClassVar[tuple[str, ...]] = ("region", "density")
    region: Rectangle = about("Two corners [[x1, y1], [x2, y2]] of what is under water.")
    density: Density = about("Mass per area of the water.")
    damping: Rate = about("Decay of velocity and spin of what is all under (default 0).")
    drag: NotNegative = about("Coefficient of the drag by the square of the velocity (default 0).")
    color: Colour = about("Colour of the water, with its opacity (default: the theme's).")
    z: Number = about("Drawing order among the bodies (default: behind all).")
    visible: TruthField = about("Drawn (default true).")


_MAY = ("damping", "drag", "color", "z", "visible")
_USUAL = Pool("", ((0.0, 0.0), (1.0, 1.0)), 1.0)


def build_attraction(given: AttractionInput | None, scope: Scope) -> tuple[float, float]:
    """The strength and the softening."""
    if given is None:
        return 0.0, 0.0
    if given is BROKEN:
        return BROKEN, BROKEN  # type: ignore[return-value]
    scope.attempt(scope.need, None, given, "attraction")
    strength, softening = (
        scope.known(getattr(given, name), "attraction", name) for name in ("strength", "softening")
    )
    if strength is not BROKEN and not strength:
        return 0.0, 0.0  # what would be softened is not there
    return strength, 0.0 if softening is None else softening


def build_pools(given: Mapping[str, PoolInput] | None, scope: Scope) -> tuple[Pool, ...]:
    if given is BROKEN:
        return ()
    made = []
    for name, pool in (given or {}).items():
        one = scope.attempt(_pool, BROKEN, name, pool, scope)
        made += [] if one is BROKEN else [one]
    return tuple(made)


def _pool(name: str, given: PoolInput, scope: Scope) -> Pool:
    if given is BROKEN:
        raise Stop
    scope.need(given, "pools", name)
    values = {
        field: scope.known(getattr(given, field), "pools", name, field)
        for field in ("region", "density", *_MAY)
        if getattr(given, field) is not None
    }
    check_rectangle(values["region"], scope, "pools", name, "region")
    return Pool(name, **values)


def write_surroundings(world: World) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if world.attraction:
        values["attraction"] = {"strength": world.attraction, "softening": world.softening}
    if world.pools:
        values["pools"] = {
            pool.name: {
                "region": pool.region,
                "density": pool.density,
                **differences(pool, _USUAL, _MAY),
            }
            for pool in world.pools
        }
    return values
