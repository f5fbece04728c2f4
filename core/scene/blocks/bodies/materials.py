# SPDX-License-Identifier: MIT
"""The block ``materials``: properties of surfaces, and which material a body gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, cast

from ...building.block import BlockSpec, BuildContext
from ...building.generators import name_problem
from ...building.scope import Scope
from ...building.structure import validate
from ...building.writing import differences
from ...model import Material, Scene
from ...text.problems import Path
from ...values import units
from ...values.broken import BROKEN, Broken, Stop
from ...values.fields import ColourField, Density, Fraction, Input, NotNegative, Value, about
from ...values.kinds import nearest
from ...values.quantity import Quantity


class SurfaceFields(Input):
    """Fields of a material; bodies and shapes may have them too."""

    density: Density = about("Mass per area (default 1).")
    friction: NotNegative = about("Friction coefficient, 0 or more (default 0.6).")
    restitution: Fraction = about("Bounce, 0 to 1 (default 0).")
    rolling_resistance: NotNegative = about(
        "Resistance of round shapes to rolling, 0 or more (default 0)."
    )
    tangent_speed: Annotated[Value, Quantity((units.SPEED,))] = about(
        "Speed of the surface, like a conveyor belt; positive carries to +x."
    )
    color: ColourField = about("Fill colour: a CSS name or #rrggbb.")
    outline: ColourField = about("Outline colour.")


class MaterialInput(SurfaceFields):
    form: ClassVar[str] = "`{density: 2, friction: 0.5}`"

    pass


SURFACE = tuple(SurfaceFields.model_fields)
_SURFACE = frozenset(SURFACE)


@dataclass
class Materials:
    """The materials by name, and the material of bodies without one."""

    named: dict[str, Material]
    default: Material


def no_material(name: str, named: Mapping[str, Any]) -> str:
    """The sentence for an unknown material."""
    how = f"define it in `materials: {{{name}: {{friction: 0.5}}}}`"
    return f"there is no material `{name}`; {nearest(name, named) if named else how}"


def find_material(
    materials: Materials, scope: Scope, name: str | None, at: Path
) -> Material | None:
    """A material by its name, None for None; Stop with the nearest name if there is none."""
    if name is None:
        return None
    found = materials.named.get(name)
    if found is None and scope.report.may_have("materials", name):
        raise Stop
    if found is None:
        raise scope.fail(
            "unknown-name",
            no_material(name, materials.named),
            *at,
            missing=f"material {name}",
        )
    return found


def surface(scope: Scope, base: Material, fields: SurfaceFields, at: Path) -> Material:
    """A material with the fields that a body or shape says itself; BROKEN after a problem."""
    nothing: Material = BROKEN
    if isinstance(fields, Broken):
        return nothing
    if _SURFACE.isdisjoint(fields.model_fields_set):
        return base
    said: dict[str, Any] = {
        name: scope.known(getattr(fields, name), *at, name)
        for name in SURFACE
        if name in fields.model_fields_set and getattr(fields, name) is not None
    }
    return replace(base, **said) if said and base is not BROKEN else base


def _build_materials(
    given: Mapping[str, MaterialInput],
    defaults: Any,
    build_context: BuildContext,
    fill: MaterialInput | None,
) -> Materials:
    """Return materials by name. ``fill`` contains the defaults of their fields."""
    base = Material()
    if fill is not None:
        base = surface(build_context.scope("defaults", "material"), base, fill, ())
    named: dict[str, Material] = {}
    for name, material in given.items():
        made = surface(build_context.scope("materials", name), base, material, ())
        named[name] = made if made is BROKEN else replace(made, name=name)
    default, unknown = base, cast(Material, BROKEN)
    wanted = None if defaults is None else defaults.material
    if wanted is BROKEN:
        default = unknown
    elif isinstance(wanted, str):
        default = named.get(wanted, unknown)
        if wanted not in named and not build_context.report.may_have("materials", wanted):
            build_context.report.add(
                ("defaults", "material"),
                "unknown-name",
                no_material(wanted, named),
                missing=f"material {wanted}",
            )
    return Materials(named, default)


def _build(
    given: Mapping[str, MaterialInput] | None, build_context: BuildContext
) -> dict[str, Material]:
    context, report = build_context.context, build_context.report
    for name in given or {}:
        problem = name_problem(name, "material")
        if problem:
            report.add_invalid_name(("materials", name), problem)
    defaults = build_context.made["defaults"]
    fill = None
    raw = defaults.material if defaults else None
    if isinstance(raw, dict):
        fill = validate(MaterialInput, raw, context, report, ("defaults", "material"))
    materials = _build_materials(given or {}, defaults, build_context, fill)
    build_context.materials = materials
    return materials.named


def _write(scene: Scene) -> dict[str, Any]:
    return {
        material.name: differences(material, Material(), SURFACE)
        for material in scene.materials.values()
    }


MATERIALS = BlockSpec(
    dict[str, MaterialInput] | None,
    _build,
    write=_write,
)
