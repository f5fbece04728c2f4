# SPDX-License-Identifier: MIT
"""The public interface of rigid as lines of text, which ``interface.txt`` stores.

    python -m tests.public.interface

adds new lines to that file and removes those that are marked as deprecated and gone;

    python -m tests.public.interface --release 1.2.0

also stores them as those of a release, in ``released.txt``, which nothing else writes. A name of
that file may go only where it was released with a mark. A line is

    python World.step(count)
    schema bodies.*.shape.circle
    command run --gif
    json run scenes[].steps
    format snapshot: rigid snapshot 2

and, for what still works and should not be used any more, ends in a mark:

    python World.ray_cast  # deprecated 0.1, use World.query.ray_cast
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import inspect
import io
import json
import os
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer
from rigid2d.cli import exit_codes
from rigid2d.cli.app import VERBS, application
from rigid2d.cli.main import main
from rigid2d.core.dataset import plan as dataset_plan
from rigid2d.core.record import npz, snapshot
from rigid2d.core.scene import json_schema
from rigid2d.core.scene.text.sources import FORMAT_VERSION
from rigid2d.core.study import plan as study_plan

STORED = Path(__file__).with_name("interface.txt")
RELEASED = Path(__file__).with_name("released.txt")
HEADING = "# rigid "
MARK = "  # deprecated "
PACKAGES = (
    *("dataset", "edit", "environments", "importers", "page", "record", "render"),
    *("scene", "solvers", "world"),
)
"""Packages in ``rigid2d.core`` whose ``__all__`` is public."""

# ---------------------------------------------------------------- Python


def python_names() -> Iterator[str]:
    """Names in ``__all__``, the public members of classes, and the parameters of what is called."""
    for package in ("", *PACKAGES):
        module = import_module(f"rigid2d.core.{package}".rstrip("."))
        for name in module.__all__:
            yield from _members(f"{package}.{name}".lstrip("."), getattr(module, name))


def _members(name: str, value: Any) -> Iterator[str]:
    yield name
    if not callable(value) or (inspect.isclass(value) and issubclass(value, Exception)):
        return
    yield from _parameters(name, value)
    if not inspect.isclass(value):
        return
    for member in sorted(_public(value)):
        yield f"{name}.{member}"
        found = inspect.getattr_static(value, member, None)
        if isinstance(found, staticmethod | classmethod) or inspect.isfunction(found):
            yield from _parameters(f"{name}.{member}", getattr(value, member))


def _public(kind: type) -> set[str]:
    """Public members of a class that rigid defines, with the fields of dataclasses."""
    found: set[str] = set()
    for each in kind.__mro__:
        if each.__module__.startswith("rigid2d"):
            found |= {*vars(each), *inspect.get_annotations(each)}
    return {name for name in found if not name.startswith("_")}


def _parameters(name: str, value: Any) -> Iterator[str]:
    if dataclasses.is_dataclass(value):  # whose signature may be made when it is first called
        each = [field.name for field in dataclasses.fields(value) if field.init]
        yield from (f"{name}({word})" for word in each if not word.startswith("_"))
        return
    with contextlib.suppress(ValueError, TypeError):
        for parameter in inspect.signature(value).parameters.values():
            if not parameter.name.startswith("_") and parameter.name != "self":
                yield f"{name}({parameter.name})"


# ---------------------------------------------------------------- the scene format


def schema_paths() -> Iterator[str]:
    """The paths of fields, ``*`` for names; each model is listed where it is met first."""
    schema = json_schema()
    waiting: deque[tuple[str, Any]] = deque([("", schema)])
    met: dict[str, str] = {}
    while waiting:
        path, node = waiting.popleft()
        reference = node.get("$ref")
        if reference is not None:
            if reference in met:
                if met[reference] != path:
                    yield f"{path} as {met[reference] or 'scene'}"
                continue
            met[reference] = path
            node = schema["$defs"][reference.rpartition("/")[2]]
        for word in [*node.get("enum", ()), *([node["const"]] if "const" in node else ())]:
            yield f"{path} = {word}"
        for key in sorted(node.get("properties", {})):
            yield f"{path}.{key}".lstrip(".")
            waiting.append((f"{path}.{key}".lstrip("."), node["properties"][key]))
        for key in ("additionalProperties", "items"):
            if isinstance(node.get(key), dict):
                waiting.append((f"{path}.*".lstrip("."), node[key]))
        waiting.extend((f"{path}.*", each) for each in node.get("prefixItems", ()))
        for key in ("anyOf", "oneOf", "allOf"):
            waiting.extend((path, each) for each in node.get(key, ()))


# ---------------------------------------------------------------- the command


def command_words() -> Iterator[str]:
    """Verbs, their arguments, options and the values of those that take a word."""
    group = typer.main.get_command(application)
    waiting: list[tuple[str, Any]] = [("", group)]
    waiting += [(verb, group.get_command(None, verb)) for verb in VERBS]  # type: ignore[attr-defined]
    while waiting:
        name, command = waiting.pop()
        if name:
            yield name
            waiting += [(f"{name} {k}", v) for k, v in getattr(command, "commands", {}).items()]
        for parameter in command.params:
            options = [*parameter.opts, *parameter.secondary_opts]
            if parameter.param_type_name == "argument":
                yield f"{name} {parameter.metavar or parameter.name.upper()}"
                continue
            yield from (f"{name} {option}".strip() for option in options)
            words = _words(command, parameter.name)
            yield from (f"{name} {max(options, key=len)}={word}" for word in words)


def _words(command: Any, name: str) -> list[str]:
    """The words that an option of a verb takes, if it takes some alone."""
    hint = get_type_hints(inspect.unwrap(command.callback)).get(name) if command.callback else None
    kinds = [kind for kind in (hint, *get_args(hint)) if inspect.isclass(kind)]
    return [str(word.value) for kind in kinds if issubclass(kind, Enum) for word in kind]


def codes() -> Iterator[str]:
    """The exit codes."""
    yield from (f"{code} {name}" for name, code in vars(exit_codes).items() if name.isupper())


# ---------------------------------------------------------------- JSON

SCENE = """\
rigid: 1
name: Small
world: {duration: 0.2}
vars: {n: {value: 2, range: [1, 3]}}
bodies:
  ground: {type: static, shape: {box: [7, 0.5]}, position: [0, -0.25]}
  ball: {shape: {circle: 0.5}, position: [0, =n]}
joints: {rod: {type: distance, bodies: [world, ball], length: 2, break: {force: 1e6}}}
expect:
  - {at: end, body: ball, position: [0, 2], tolerance: 5}
  - {always: =ball.y > -1}
render: {size: [64, 48], fps: 10}
"""
SETTLED = """\
rigid: 1
world: {duration: 0.1, solver: {type: sequential_impulse}}
bodies:
  ground: {type: static, shape: {box: [7, 0.5]}, position: [0, -0.25]}
  crate: {shape: {box: [1, 1]}, position: [0, 0.49]}
"""
FILES = {
    "small.yaml": SCENE,
    "settled.yaml": SETTLED,
    "wrong.yaml": "rigid: 1\nbodies: {ball: {shpe: {circle: 1}}}\n",
    "runaway.yaml": SCENE.replace("duration: 0.2", "duration: 1, gravity: [0, -1e9]"),
    "gallery/small.yaml": SCENE,
    "drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>',
}
NAMES = {"ground", "ball", "rod", "crate"}
CALLS: Mapping[str, tuple[str, ...]] = {
    "run": ("small.yaml", "--csv", "run.csv"),
    "validate": ("small.yaml", "wrong.yaml"),
    "test": ("small.yaml",),
    "snapshot record": ("small.yaml", "-o", "a.snapshot"),
    "snapshot check": ("small.yaml", "a.snapshot"),
    "snapshot diff": ("a.snapshot", "b.snapshot", "--scene", "small.yaml"),
    "gallery": ("gallery", "--out", "made", "--jobs", "1", "--size", "64x48", "--fps", "5"),
    "info": ("small.yaml",),
    "peaks": ("small.yaml",),
    "explain": ("settled.yaml",),
    "compare": ("settled.yaml", "--solvers", "sequential_impulse"),
    "new": ("new.yaml",),
    "import": ("drawing.svg", "-o", "drawing.yaml"),
    "upgrade": ("small.yaml",),
    "--version": (),
}
FAILING: tuple[tuple[str, ...], ...] = (
    ("run", "wrong.yaml"),
    ("run", "small.yaml", "--at", "never"),
    ("run", "runaway.yaml"),
)
"""Calls that end in an error of each kind."""
PREPARED = (
    (
        "snapshot",
        "record",
        "small.yaml",
        "-o",
        "b.snapshot",
        "--set",
        "world.gravity=[0, -5]",
        "-q",
    ),
)


def json_keys(folder: Path) -> Iterator[str]:
    """The paths of what verbs print with ``--json``; ``*`` for names of a scene."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    before = Path.cwd()
    os.chdir(folder)
    try:
        for words in PREPARED:
            main(words)
        for verb, words in CALLS.items():
            printed = _json([*verb.split(), *words])
            assert "error" not in printed, printed
            yield from (f"{verb} {path}" for path in _paths(printed, ""))
        for words in FAILING:
            yield from (f"failure {path}" for path in _paths(_json(words), ""))
    finally:
        os.chdir(before)


def _json(words: Iterable[str]) -> Any:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main([*words, "--json"])
    out.flush()
    return json.loads(out.buffer.getvalue())  # type: ignore[attr-defined]


def _paths(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            below = f"{path}.{'*' if key in NAMES else key}".lstrip(".")
            yield below
            yield from _paths(inner, below)
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner, f"{path}[]")


# ---------------------------------------------------------------- all of it


def formats() -> Iterator[str]:
    """The formats of files that later versions read too, each with its version."""
    yield f"scene: rigid: {FORMAT_VERSION}"
    yield f"snapshot: {snapshot.FORMAT}"
    yield f"snapshot: {snapshot.PLAIN_FORMAT}"
    yield f"trace: {npz.FORMAT}"
    yield f"study: {study_plan.FORMAT}"
    yield f"data set: {dataset_plan.FORMAT}"


def interface(folder: Path) -> list[str]:
    """All lines, in order; ``folder`` is an empty one for files that verbs read and write."""
    parts = {
        "python": python_names(),
        "schema": schema_paths(),
        "command": command_words(),
        "exit": codes(),
        "json": json_keys(folder),
        "format": formats(),
    }
    return sorted({f"{part} {line}" for part, lines in parts.items() for line in lines})


def stored(path: Path = STORED) -> dict[str, str]:
    """The stored lines, each with what its mark says, which is empty for most."""
    lines = path.read_text(encoding="utf-8").splitlines()
    parts = [line.partition(MARK) for line in lines if not line.startswith(HEADING)]
    return {line: mark for line, _, mark in parts}


def released_version() -> str:
    """The version whose lines ``released.txt`` has."""
    first, *_ = RELEASED.read_text(encoding="utf-8").splitlines()
    return first.removeprefix(HEADING)


def gone(before: Mapping[str, str], now: Iterable[str]) -> list[str]:
    """Stored lines that are there no more, and were not deprecated."""
    return [line for line in before if not before[line] and line not in set(now)]


def update() -> int:
    """Store the interface as it is; return an exit code."""
    with tempfile.TemporaryDirectory() as folder:
        now = interface(Path(folder))
    before = stored() if STORED.exists() else {}
    lost = gone(before, now)
    lines = {**dict.fromkeys([*now, *lost], ""), **{k: before[k] for k in now if k in before}}
    text = [f"{line}{MARK}{mark}" if mark else line for line, mark in sorted(lines.items())]
    STORED.write_text("\n".join(text) + "\n", encoding="utf-8")
    for line in lost:
        print(f"gone, and not deprecated: {line}", file=sys.stderr)
    print(f"{len(lines)} lines, {len(set(now) - set(before))} of them new")
    return 1 if lost else 0


def release(version: str) -> None:
    """Store the interface as that of a release."""
    text = STORED.read_text(encoding="utf-8")
    RELEASED.write_text(f"{HEADING}{version}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Store the public interface.")
    parser.add_argument("--release", metavar="VERSION", help="also as that of this release")
    asked = parser.parse_args().release
    code = update()
    if asked and not code:
        release(asked)
    sys.exit(code)
