# SPDX-License-Identifier: MIT
"""The engine's parts keep to their rooms, as docs/architecture.md says."""

from __future__ import annotations

import re
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "core" / "native" / "engine"
SOURCES = sorted(path for path in ENGINE.rglob("*") if path.suffix in {".h", ".cpp"})
NATIVE = ENGINE.parent
# The floors of the native library, from the ground up: each includes only those before it.
FLOORS = (
    ".",
    "seeded",
    "expressions",
    "simd",
    "geometry",
    "cutting",
    "engine/parallel",
    "engine/data",
    "engine/bodies",
    "engine/broadphase",
    "engine/joints",
    "engine/contacts",
    "engine/forces",
    "engine/lanes",
    "engine/collision",
    "engine/mechanisms",
    "engine/islands",
    "engine/constraints",
    "engine/solvers",
    "engine",
    "engine/building",
    "engine/state",
    "engine/batch",
    "engine/queries",
    "script",
    "script/acting",
    "script/copies",
    "script/reading",
    "compiled",
    "web",
    "engine/bind",
)
# Rooms above the world, which know it as a whole.
ABOVE = {"batch", "bind", "building", "state"}


def included(path: Path) -> set[str]:
    return set(re.findall(r'#include "(.+?)"', path.read_text(encoding="utf-8")))


def test_no_part_knows_the_world() -> None:
    knowing = [
        path.relative_to(ENGINE).as_posix()
        for path in SOURCES
        if path.parent != ENGINE
        and path.parent.name not in ABOVE
        and "engine/world.h" in included(path)
    ]
    assert knowing == []


def room(name: str) -> str:
    return str(Path(name).parent)


def test_every_floor_includes_only_those_below_it() -> None:
    files = [
        path.relative_to(NATIVE).as_posix()
        for path in NATIVE.rglob("*")
        if path.suffix in {".h", ".cpp"}
    ]
    rooms = {room(name) for name in files} - {"raster"}  # no engine
    assert rooms == set(FLOORS)
    upward = [
        f"{name} includes {other}"
        for name in files
        if room(name) in FLOORS and name != "module.cpp"
        for other in sorted(included(NATIVE / name) & set(files))
        if FLOORS.index(room(other)) > FLOORS.index(room(name))
    ]
    assert upward == []


def test_pictures_seeds_and_expressions_know_no_engine() -> None:
    knowing = [
        path.name
        for folder in ("raster", "seeded", "expressions")
        for path in (NATIVE / folder).iterdir()
        if any(name.startswith("engine/") for name in included(path))
    ]
    assert knowing == []


def test_no_file_has_more_than_500_lines() -> None:
    long = {
        path.relative_to(ENGINE).as_posix(): count
        for path in SOURCES
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert long == {}


def test_the_world_offers_at_most_32_methods_and_has_no_friends() -> None:
    text = (ENGINE / "world.h").read_text(encoding="utf-8")
    public = text[text.index("class World {") : text.index(" private:\n")]
    methods = re.findall(r"^  (?![ /])[^\n(]*?\b(\w+)\(", public, flags=re.MULTILINE)
    assert 20 < len(methods) <= 32, methods
    assert "friend" not in text


def test_kernels_do_not_know_which_solver_runs_them() -> None:
    telling = [
        path.relative_to(ENGINE).as_posix()
        for path in SOURCES
        if path.name.endswith(("_kernels.h", "_lanes.h", "kernels.h"))
        and "SolverKind" in path.read_text(encoding="utf-8")
    ]
    assert telling == []


def folders_included_by(folder: str) -> set[str]:
    return {
        name.split("/")[1]
        for path in SOURCES
        if path.parent == ENGINE / folder
        for name in included(path)
        if name.startswith("engine/") and name.count("/") == 2
    }


def test_contacts_do_not_know_who_bears_them() -> None:
    assert "contacts" in folders_included_by("mechanisms")
    assert "mechanisms" not in folders_included_by("contacts") | folders_included_by("collision")
    assert "mechanisms" not in folders_included_by("joints")


def methods_of_classes() -> dict[str, int]:
    """Number of functions that each class of a header declares, including private ones."""
    counts = {}
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for name, body in re.findall(
            r"^(?:class|struct) (\w+)[^;{]*\{\n(.*?)^\};", text, flags=re.MULTILINE | re.DOTALL
        ):
            declared = re.findall(r"^  (?![ /])[^\n(=]*?\b\w+\(", body, flags=re.MULTILINE)
            counts[f"{path.name}: {name}"] = len(declared)
    return counts


def test_no_class_has_more_than_40_methods() -> None:
    counts = methods_of_classes()
    del counts["world.h: World"]  # a facade: what counts is what it offers, see above
    assert max(counts.values()) > 20
    assert {name: count for name, count in counts.items() if count > 40} == {}
