# SPDX-License-Identifier: MIT
"""Factors values shared by bodies or joints of a draft into materials and defaults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Entry = dict[str, Any]

SURFACE: Entry = {
    "density": 1.0,
    "friction": 0.6,
    "restitution": 0.0,
    "rolling_resistance": 0.0,
    "tangent_speed": 0.0,
}
"""The fields of materials, and their defaults."""
BODY: Entry = {
    "linear_damping": 0.0,
    "angular_damping": 0.0,
    "gravity_scale": 1.0,
    "fixed_rotation": False,
    "bullet": False,
    "sleep": True,
}
CATEGORY: Entry = {"category": "default"}
JOINT: Entry = {"collide": False}
_FEWEST = 3
"""So many entries have a value in common before it becomes a default."""


@dataclass
class Common:
    """Materials and defaults that were taken out of bodies and joints."""

    materials: dict[str, Entry] = field(default_factory=dict)
    material: Entry = field(default_factory=dict)
    body: Entry = field(default_factory=dict)
    joint: Entry = field(default_factory=dict)


def factor(bodies: Sequence[Entry], joints: Sequence[Entry]) -> Common:
    """Move common values of entries to defaults; with these the entries are equivalent."""
    common = Common()
    _factor_surfaces(bodies, common)
    moving = [body for body in bodies if body.get("type") != "static"]
    common.body = _factor_fields(moving, BODY)
    common.body |= _factor_fields(bodies, CATEGORY)
    common.joint = _factor_fields(joints, JOINT)
    return common


# ---------------------------------------------------------------- surfaces


def _factor_surfaces(bodies: Iterable[Entry], common: Common) -> None:
    """The commonest surface becomes the default, others that several have become materials."""
    owners: list[tuple[Entry, Entry]] = []
    for body in bodies:
        shapes = body.get("shapes") or ([body["shape"]] if "shape" in body else [])
        _hoist(body, shapes)
        inner = [shape for shape in shapes if any(name in shape for name in SURFACE)]
        for owner in inner or [body]:
            given = {name: owner.pop(name) for name in SURFACE if name in owner}
            if body.get("type") == "static" or (owner is body and "mass" in body):
                given["density"] = None  # it does not matter, and is that of the others
            owners.append((owner, {**SURFACE, **given}))
    densities = Counter(each["density"] for _, each in owners if each["density"] is not None)
    usual = max(densities, key=lambda value: densities[value], default=1.0)
    for _, surface in owners:
        surface["density"] = usual if surface["density"] is None else surface["density"]
    counts = Counter(_key(surface) for _, surface in owners)
    if not counts:
        return
    ranked = sorted(counts, key=lambda key: -counts[key])
    base = dict(ranked[0])
    common.material = {name: v for name, v in base.items() if v != SURFACE[name]}
    names: dict[tuple[tuple[str, Any], ...], str] = {}
    for key in ranked[1:]:
        if counts[key] >= _FEWEST:
            names[key] = f"surface_{len(names) + 1}"
            common.materials[names[key]] = _differences(dict(key), base)
    for owner, surface in owners:
        name = names.get(_key(surface))
        if name is not None:
            owner["material"] = name
        else:
            owner.update(_differences(surface, base))


def _hoist(body: Entry, shapes: list[Entry]) -> None:
    """Moves values shared by all shapes of a body to the body."""
    for name in SURFACE:
        values = {repr(shape.get(name)) for shape in shapes}
        if len(values) == 1 and shapes and name in shapes[0]:
            body[name] = shapes[0][name]
    said = [name for name in SURFACE if any(name in shape for shape in shapes)]
    if all(name in body for name in said):
        for shape in shapes:
            for name in said:
                shape.pop(name, None)


def _key(surface: Entry) -> tuple[tuple[str, Any], ...]:
    return tuple(surface.items())


def _differences(surface: Entry, base: Entry) -> Entry:
    return {name: value for name, value in surface.items() if value != base[name]}


# ---------------------------------------------------------------- other fields


def _factor_fields(entries: Iterable[Entry], usual: Entry) -> Entry:
    """Makes values that most entries have defaults."""
    entries = list(entries)
    common: Entry = {}
    for name, value in usual.items():
        counts = Counter(entry.get(name, value) for entry in entries)
        if not counts:
            continue
        best, count = counts.most_common(1)[0]
        if best != value and count >= _FEWEST and count > len(entries) / 2:
            common[name] = best
        base = common.get(name, value)
        for entry in entries:
            if entry.get(name, value) == base:
                entry.pop(name, None)
            else:
                entry.setdefault(name, value)
    return common
