# SPDX-License-Identifier: MIT
"""The tables of docs/importing.md, and the worlds in ``rows/`` that show each of their rows.

A row has one world or several; the last is kept, changed or lost as the page says. A world is a
foreign file under the name of its format, `pictures` and `files` beside it, and what comes of it:
`scene` and `import` are trees of attributes, `meet` and `apart` name two bodies (or categories),
`same` is an attribute as in the world before, `loses` says that it has losses, `error` that it is
refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from PIL import Image
from rigid2d.core import SceneError, from_pymunk
from rigid2d.core.importers import Import, import_data

from tests.importers import given

PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
HOW = ("kept", "changed", "lost")
FILES = sorted((Path(__file__).parent / "rows").glob("*.yaml"))


# ---------------------------------------------------------------- the page


def rows_of_page(section: str) -> dict[str, str]:
    """Kept, changed or lost, by the foreign fields of each row of a section."""
    text = re.split(rf"^## {re.escape(section)}$", PAGE, flags=re.MULTILINE)[1]
    text = re.split(r"^## ", text, flags=re.MULTILINE)[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    cells = [row for row in cells if row[0] != "source"]
    how = {row[0]: row[-1] for row in cells if row[-1] in HOW}
    assert len(how) == len(cells), "a row twice, or neither kept, changed nor lost"
    return how


# ---------------------------------------------------------------- expectations


@dataclass(frozen=True)
class Special:
    """An expectation other than equality, by a tag of YAML: ``!near 0.1``."""

    tag: str
    value: Any

    def holds(self, got: Any) -> bool:
        return bool(SPECIAL[self.tag](got, self.value))


def _arc(points: Sequence[tuple[float, float]], arc: dict[str, Any]) -> bool:
    """Whether corners and the middles between them are on a circle."""
    (x0, y0), radius = arc["center"], arc["radius"]
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(points)]
    distances = [math.hypot(x - x0, y - y0) for x, y in [*points, *middles]]
    return all(abs(distance - radius) < arc["within"] for distance in distances)


def _corners(body: Any, corners: list[list[float]]) -> bool:
    """Whether a body that is not turned has its corners there in the world."""
    x, y = body.position
    return {(x + a, y + b) for a, b in body.shapes[0].points} == set(map(tuple, corners))


SPECIAL: dict[str, Callable[[Any, Any], bool]] = {
    "near": lambda got, value: got == pytest.approx(value),
    "degrees": lambda got, value: got == pytest.approx(_radians(value)),
    "max": lambda got, value: max(got) == tuple(value),
    "set": lambda got, value: set(got) == {_tuples(each) for each in value},
    "count": lambda got, value: len(got) == value,
    "names": lambda got, value: list(got) == value,
    "without": lambda got, value: value not in got,
    "size": lambda got, value: abs(got) == value,
    "has": lambda got, value: all(got.count(each) >= value.count(each) for each in value),
    "equal": lambda got, value: got == {key: _tuples(each) for key, each in value.items()},
    "file": lambda got, value: Path(got).name == value,
    "arc": _arc,
    "corners": _corners,
}


def _radians(value: Any) -> Any:
    return (
        [math.radians(each) for each in value] if isinstance(value, list) else math.radians(value)
    )


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def differences(got: Any, expected: Any, place: str) -> Iterator[str]:
    """Where something is not as expected, and how it is there."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            yield from differences(_child(got, key), value, f"{place}.{key}")
    elif isinstance(expected, list):
        parts = list(got.values() if isinstance(got, Mapping) else got)
        if len(parts) != len(expected):
            yield f"{place} has {len(parts)} instead of {len(expected)}"
        for number, (part, value) in enumerate(zip(parts, expected, strict=False)):
            yield from differences(part, value, f"{place}[{number}]")
    elif isinstance(expected, Special):
        if not expected.holds(got):
            yield f"{place} is {got!r}, not !{expected.tag} {expected.value!r}"
    elif got != expected:
        yield f"{place} is {got!r}, not {expected!r}"


def _child(of: Any, key: Any) -> Any:
    if isinstance(of, Mapping):
        return of[key] if key in of else list(of.values())[key]
    return of[key] if isinstance(key, int) else getattr(of, key)


# ---------------------------------------------------------------- worlds


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML with the tags of expectations, and ``!json`` for a text of JSON."""


def _special(loader: Loader, tag: str, node: yaml.Node) -> Special:
    return Special(tag, _plain(loader, node))


def _plain(loader: Loader, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        tag = loader.resolve(yaml.ScalarNode, node.value, (not node.style, bool(node.style)))
        return loader.construct_object(yaml.ScalarNode(tag, node.value), deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    assert isinstance(node, yaml.MappingNode)
    return loader.construct_mapping(node, deep=True)


for _name in SPECIAL:
    Loader.add_constructor(f"!{_name}", lambda loader, node, tag=_name: _special(loader, tag, node))
Loader.add_constructor("!json", lambda loader, node: json.dumps(_plain(loader, node)))


@dataclass(frozen=True)
class World:
    """A foreign file and what comes of it."""

    entry: dict[str, Any]

    def imported(self, folder: Path) -> Import:
        """The import of the file, with its pictures in a folder."""
        for name, size in self.entry.get("pictures", {}).items():
            Image.new("RGB", tuple(size), "brown").save(folder / name)
        for name, content in self.entry.get("files", {}).items():
            (folder / name).write_text(json.dumps(content))
        inside = self.entry.get("folder", ".")
        folders = {}
        if inside is not None and ("pictures" in self.entry or "folder" in self.entry):
            folders = {"folder": folder / inside}
        made = self._import(folders)
        for name, picture in made.pictures.items():
            (folder / inside / name).write_bytes(picture)
        return made

    def _import(self, folders: dict[str, Path]) -> Import:
        entry = self.entry
        if "box2d" in entry:
            return given.box2d(**entry["box2d"], **folders)
        if "rube" in entry:
            return given.rube(**entry["rube"], **folders)
        if "tiled" in entry:
            return given.tiled_map(**entry["tiled"], **folders)
        if "svg" in entry:
            return given.svg(entry["svg"], **entry.get("attributes", {}), **folders)
        if "pymunk" in entry:
            return from_pymunk(_space(entry["pymunk"]))
        if "text" in entry:
            return import_data(entry["text"])
        return given.xman(**entry["xmanphysics"], **folders)

    def check(self, folder: Path, before: Import | None) -> Import | None:
        """Import the file and compare what comes of it; None for a file that is refused."""
        entry = self.entry
        if "error" in entry:
            with pytest.raises(SceneError, match=entry["error"]):
                self.imported(folder)
            return None
        made = self.imported(folder)
        scene = made.scene()
        trees = {"scene": scene, "import": made}
        found = [
            each for name in trees for each in differences(trees[name], entry.get(name, {}), name)
        ]
        if "same" in entry:
            assert before is not None, "no world is before it"
            now, then = (_attribute(each, entry["same"]) for each in (made, before))
            found += [] if now == then else [f"{entry['same']} is {now!r}, not {then!r} as before"]
        for key, wanted in (("meet", True), ("apart", False)):
            if key in entry and _meet(scene, *entry[key]) != wanted:
                found.append(f"{entry[key]} do not {key}")
        if entry.get("loses") and not made.losses:
            found.append("nothing is lost")
        if entry.get("lacks", "\0") in made.text:
            found.append(f"{entry['lacks']!r} is in the text")
        if found:
            pytest.fail("\n".join(found))
        return made


def _attribute(made: Import, path: str) -> Any:
    first, *names = path.split(".")
    value: Any = {"scene": made.scene(), "import": made}[first]
    for name in names:
        value = _child(value, name)
    return value


def _meet(scene: Any, *names: str) -> bool:
    """Whether two bodies, or bodies of two categories, may collide."""
    collision = scene.collision
    categories = [
        scene.bodies[name].shapes[0].category if name in scene.bodies else name for name in names
    ]
    first, second = map(collision.categories.index, categories)
    return bool(collision.matrix[first][second])


def _space(entry: dict[str, Any]) -> SimpleNamespace:
    """A stand-in for a space of pymunk."""
    fields = {key: _tuples(value) for key, value in entry.items()}
    bodies = [given.body(**_fields(each)) for each in fields.pop("bodies")]
    static = given.body(**{"body_type": 2, **_fields(fields.pop("static_body", {}))})
    owners = {"static": static, **dict(enumerate(bodies))}
    shapes = []
    for each in fields.pop("shapes"):
        outline = _fields(each)
        group = outline.pop("group", 0)
        kind, owner = getattr(given, outline.pop("kind")), owners[outline.pop("body")]
        shapes.append(given.shape(kind, owner, **outline))
        shapes[-1].filter.group = group
    constraints = []
    for each in fields.pop("constraints", ()):
        joint = _fields(each)
        ends = owners[joint.pop("a")], owners[joint.pop("b")]
        constraints.append(given.constraint(joint.pop("kind"), *ends, **joint))
    return given.space(bodies, shapes, constraints, **{"static_body": static, **_fields(fields)})


def _fields(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: _tuples(value) for key, value in entry.items()}


# ---------------------------------------------------------------- rows


@dataclass(frozen=True)
class Section:
    """A section of the page: how each row ends, and the worlds that show it."""

    name: str
    how: dict[str, str]
    worlds: dict[str, list[World]]

    def check(self, there: str, folder: Path) -> None:
        """Check a row: what is kept loses nothing, and all else is reported."""
        assert there in self.worlds, f"no world shows the row {there!r} of the page"
        made = None
        for world in self.worlds[there]:
            made = world.check(folder, made)
        assert made is not None
        if bool(made.losses) != (self.how[there] != "kept"):
            pytest.fail(f"the page says {self.how[there]}; losses: {made.losses}")

    def strangers(self) -> set[str]:
        """Rows with worlds that the page does not have."""
        return set(self.worlds) - set(self.how)


def sections() -> list[Section]:
    """The sections of the page, as their files have them."""
    found = []
    for path in FILES:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader)
        worlds = {
            there: [World(each) for each in (entry if isinstance(entry, list) else [entry])]
            for there, entry in data["rows"].items()
        }
        found.append(Section(data["section"], rows_of_page(data["section"]), worlds))
    return found
