# SPDX-License-Identifier: MIT
"""Who may import whom: the library forms no circle, and does not know the command."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from rigid2d.core.viewers import VIEWERS

from tests.rows import every_row

ROOT = Path(__file__).resolve().parents[1]
# The floors of the library, from the ground up, and what each may know of those below it.
ALLOWED: dict[str, set[str]] = {
    "frozen": set(),
    "identity": {"_native"},
    "nearest": set(),
    "reading": set(),
    "unfinished": set(),
    "viewers": set(),
    "errors": {"frozen", "nearest"},
    "arguments": {"errors", "nearest"},
    "storage": {"errors", "unfinished"},
    "fonts": set(),
    "scene": {
        *("errors", "arguments", "fonts", "frozen", "nearest", "reading", "viewers", "_native"),
    },
    "polygons": {"errors", "arguments", "scene"},
    "solvers": {"errors", "scene"},
    "edit": {
        *("errors", "nearest", "arguments", "reading", "unfinished", "scene", "polygons"),
        "_native",
    },
    "importers": {"errors", "arguments", "reading", "scene", "polygons"},
    "record": {
        *("errors", "arguments", "identity", "reading", "scene", "unfinished", "viewers"),
        "_native",
    },
    "view": {"arguments", "scene", "record", "_native"},
    "world": {
        *("errors", "arguments", "scene", "polygons", "record", "view", "solvers", "viewers"),
        *("nearest", "_native"),
    },
    "compiled": {"errors", "reading", "scene", "record", "world", "_native"},
    "render": {
        *("errors", "arguments", "fonts", "scene", "record", "view"),
        *("unfinished", "viewers", "_native"),
    },
    "page": {"errors", "arguments", "fonts", "scene", "record", "view", "render"},
    "play": {
        *("errors", "arguments", "reading", "_native"),
        *("scene", "edit", "record", "view", "world", "render", "page"),
    },
    "live": {
        *("errors", "scene", "record", "view", "world", "compiled"),
        *("render", "page", "play", "_native"),
    },
    "web": set(),
    "environments": {"errors", "arguments", "scene", "world", "render"},
    "jobs": {
        *("errors", "arguments", "reading", "unfinished"),
        *("scene", "record", "view", "solvers", "world", "render", "page", "live"),
    },
    "editing": {
        *("errors", "reading", "scene", "record", "view", "world", "render"),
        *("importers", "edit", "page", "play", "jobs"),
    },
    "study": {
        *("errors", "arguments", "identity", "reading", "storage", "unfinished", "viewers"),
        *("scene", "record", "world", "jobs"),
    },
    "dataset": {
        *("errors", "arguments", "identity", "storage", "unfinished", "viewers"),
        *("scene", "record", "view", "world", "render", "jobs", "study"),
    },
}
LARGEST = 30
"""How many modules a folder may have."""
# The rooms of the scene's folder, and what they may know of each other.
ROOMS = {
    "values": set(),
    "text": {"values"},
    "building": {"values", "text"},
    "blocks": {"values", "text", "building"},
}
# The folders of the blocks of a scene, from the ground up, and what they may know of each other.
BLOCKS: dict[str, set[str]] = {
    "bodies": set(),
    "joints": {"bodies"},
    "world": {"joints"},
    "settings": {"bodies", "joints"},
    "placing": {"joints", "settings"},
    "script": {"joints", "settings", "placing"},
    "probes": {"bodies", "settings", "script"},
    "actuators": {"joints", "script"},
    "picture": {"bodies"},
    "prototypes": {"bodies", "joints", "settings", "placing", "script", "actuators", "picture"},
    "studies": {"settings", "script"},
}
KNOWN_TO_ALL = {
    *("action_model", "births_model", "event_model", "study_model", "task_model", "object_model"),
    *("model", "probe_model", "script", "limits"),
}
# `core/native/package` is laid around `core` and `cli` when they are installed.
MODULES = sorted(
    path.relative_to(ROOT)
    for package in ("core", "cli")
    for path in (ROOT / package).rglob("*.py")
    if path.parent != ROOT / "core" / "native" / "package"
)
FOLDERS = sorted({path.parent.as_posix() for path in MODULES})


@cache
def imports_of(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """All imports of a module; of the rest of its syntax tree nothing is kept, which costs time."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return [each for each in _statements(tree) if isinstance(each, ast.Import | ast.ImportFrom)]


@cache
def imported(path: Path) -> list[str]:
    """The absolute names of all that a module imports, wherever in it the import stands."""
    return [*_imported(path)]


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a node, without looking into their expressions."""
    for block in ("body", "handlers", "orelse", "finalbody", "cases"):
        for each in getattr(node, block, ()):
            if isinstance(each, ast.stmt):
                yield each
            yield from _statements(each)


def _imported(path: Path) -> Iterator[str]:
    package = ["rigid2d", *path.parts[:-1]]
    for node in imports_of(path):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        else:
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            # `from .. import record` names a package, `from ..errors import E` something in one.
            for name in node.names:
                yield ".".join([*module, name.name])


def module_of(path: Path) -> str:
    """The name of a module, that of its package for an ``__init__``."""
    parts = ["rigid2d", *path.with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circles(edges: dict[str, set[str]]) -> list[str]:
    """One circle of a graph as its nodes, in order, back to the first; none where there is none."""
    done: set[str] = set()
    for start in edges:
        way, pending = [], [(start, iter(edges[start]))] if start not in done else []
        way += [start] if pending else []
        while pending:
            node, others = pending[-1]
            following = next((each for each in others if each not in done), None)
            if following is None:
                done.add(node)
                pending.pop()
                way.pop()
            elif following in way:
                return [*way[way.index(following) :], following]
            else:
                way.append(following)
                pending.append((following, iter(edges.get(following, ()))))
    return []


@cache
def module_graph() -> dict[str, set[str]]:
    """Who imports whom, wherever the import stands: in functions and for types as well."""
    known = {module_of(path) for path in MODULES}
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        found = graph.setdefault(module_of(path), set())
        for name in imported(path):
            while name and name not in known and not name.endswith("._native"):
                name = name.rpartition(".")[0]
            if name in known and name != module_of(path):
                found.add(name)
    return graph


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_modules_form_no_circle() -> None:
    assert circles(module_graph()) == []


def test_the_parts_of_the_library_form_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, others in module_graph().items():
        part = ".".join(module.split(".")[:3])
        found = {".".join(each.split(".")[:3]) for each in others} - {part}
        graph.setdefault(part, set()).update(found)
    assert circles(graph) == []


@every_row("folder", FOLDERS)
def test_folders_inside_a_folder_form_no_circle(folder: str) -> None:
    inside = f"rigid2d.{folder.replace('/', '.')}."
    depth = inside.count(".") + 1
    graph: dict[str, set[str]] = {}
    for module, others in module_graph().items():
        if module.startswith(inside):
            part = ".".join(module.split(".")[:depth])
            found = {".".join(each.split(".")[:depth]) for each in others}
            graph.setdefault(part, set()).update(
                each for each in found - {part} if each.startswith(inside)
            )
    assert circles(graph) == []


@every_row("folder", FOLDERS)
def test_folders_stay_small(folder: str) -> None:
    count = sum(path.parent.as_posix() == folder for path in MODULES)
    assert count <= LARGEST, f"{folder} has {count} modules; divide it by subject"


@every_row("part", sorted(ALLOWED))
def test_a_part_may_import_only_those_on_floors_below(part: str) -> None:
    floors = list(ALLOWED)
    below = {*floors[: floors.index(part)], "_native"}
    assert ALLOWED[part] <= below


@pytest.mark.parametrize("view", sorted(VIEWERS.values()))
def test_each_viewer_is_there(view: str) -> None:
    module, _, name = view.rpartition(".")
    assert callable(getattr(import_module(f"rigid2d.core.{module}"), name))


def parts_used(path: Path) -> set[str]:
    """The parts of rigid2d.core that a module imports: ``scene``, ``errors``, ``_native``."""
    names = (name.split(".") for name in imported(path))
    return {name[2] for name in names if name[:2] == ["rigid2d", "core"] and len(name) > 2}


def test_there_are_modules_to_look_at() -> None:
    assert len(MODULES) > 10
    assert parts_used(Path("core/world/world.py")) >= {"scene", "record", "_native", "errors"}


@every_row("path", [p for p in MODULES if p.parts[0] == "core"], ids=str)
def test_a_part_of_the_library_imports_only_what_it_may(path: Path) -> None:
    part = path.parts[1].removesuffix(".py")
    if part == "__init__":
        allowed = set(ALLOWED)
    else:
        assert part in ALLOWED, f"core/{part} is not in the rules yet"
        allowed = ALLOWED[part] | {part}
    assert parts_used(path) <= allowed


@every_row(
    "path", [p for p in MODULES if p.parts[:2] == ("core", "scene") and len(p.parts) > 3], ids=str
)
def test_a_room_of_the_scene_imports_only_what_it_may(path: Path) -> None:
    room = path.parts[2]
    assert room in ROOMS, f"core/scene/{room} is not in the rules yet"
    names = (name.split(".") for name in imported(path))
    used = {name[3] for name in names if name[:3] == ["rigid2d", "core", "scene"] and len(name) > 3}
    assert used <= ROOMS[room] | {room} | KNOWN_TO_ALL


@every_row(
    "path",
    [p for p in MODULES if p.is_relative_to("core/scene/blocks") and len(p.parts) > 4],
    ids=str,
)
def test_a_folder_of_blocks_imports_only_what_it_may(path: Path) -> None:
    folder = path.parts[3]
    names = (name.split(".") for name in imported(path))
    used = {name[4] for name in names if name[:4] == ["rigid2d", "core", "scene", "blocks"]}
    assert used & {*BLOCKS} <= BLOCKS[folder] | {folder}


def test_folders_of_blocks_know_only_those_before_them() -> None:
    order = [*BLOCKS]
    assert all(known <= {*order[: order.index(folder)]} for folder, known in BLOCKS.items())


@every_row("name", sorted(KNOWN_TO_ALL))
def test_what_all_rooms_know_imports_none_of_them(name: str) -> None:
    rooms = tuple(f"rigid2d.core.scene.{room}" for room in ROOMS)
    assert not [each for each in imported(Path(f"core/scene/{name}.py")) if each.startswith(rooms)]


@every_row("path", [p for p in MODULES if p.parts[0] == "core"], ids=str)
def test_the_library_does_not_know_the_command(path: Path) -> None:
    assert not any(name.startswith(("rigid2d.cli", "cli")) for name in imported(path))


@every_row("path", [p for p in MODULES if p.parts[0] == "core"], ids=str)
def test_the_library_imports_itself_relatively(path: Path) -> None:
    absolute = [n.module for n in imports_of(path) if isinstance(n, ast.ImportFrom) and not n.level]
    assert not [name for name in absolute if name and name.split(".")[0] in ("rigid2d", "core")]


@every_row("path", [p for p in MODULES if p.parts[0] == "cli"], ids=str)
def test_the_command_imports_the_library_by_its_name(path: Path) -> None:
    names = [name for name in imported(path) if name.startswith(("rigid2d", "core"))]
    assert all(name.startswith(("rigid2d.core", "rigid2d.cli")) for name in names)


@every_row("path", MODULES, ids=str)
def test_modules_stay_readable(path: Path) -> None:
    lines = (ROOT / path).read_text(encoding="utf-8").count("\n")
    assert lines <= 500, f"{path} has {lines} lines; split it by its concepts"
