# SPDX-License-Identifier: MIT
"""Status of a session for its pages, as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import Problem
from ..reading import read_bytes
from ..scene import limits
from ..scene.model import Scene
from ..world import World
from .drag_input import can_pull
from .session import Session
from .trouble import Trouble

MOST_PROBLEMS = 20
MOST_TOLD = 50
LONGEST_LINE = 300
SHARE = 0.05
"""The change of the speed at which it is sent again."""


def status(session: Session, watchers: int) -> dict[str, Any]:
    """The data that pages show beside the picture."""
    scene, world = session.scene, session.world
    dt = 1.0 if scene is None else scene.world.dt
    return {
        "type": "status",
        "file": session.source.path.name,
        "mode": session.mode,
        "time": session.time,
        "goal": session.goal * dt,
        "end": session.end * dt,
        "speed": session.speed,
        "real": round(session.real / SHARE) * SHARE,
        "outcome": session.outcome,
        "played": session.was_played,
        "watchers": watchers,
        "solver": "" if scene is None or can_pull(scene) else scene.world.solver.kind,
        "controls": [] if scene is None else [*scene.keys],
        "held": session.drag_input.keys,
        "state": {} if world is None or scene is None else _variables(world, scene),
        "vars": [] if scene is None else _sliders(session),
        "joints": [] if scene is None else _dials(session),
        "traces": [*session.traces.names],
        "told": [
            {"time": event.step * dt, "kind": event.kind, "text": _told(event.a, event.b)}
            for event in session.told[-MOST_TOLD:]
        ],
        "trouble": _trouble(session, session.trouble),
    }


def _variables(world: World, scene: Scene) -> dict[str, float]:
    """The state variables in the order in which the scene has them."""
    now = world.state
    return {name: now[name] for name in scene.state}


def _told(a: str, b: str) -> str:
    return f"{a}, {b}" if a and b else a or b


def _sliders(session: Session) -> list[dict[str, Any]]:
    scene = session.scene
    assert scene is not None
    values, moved = session.var_values(), session.sliders.values(session.step)
    return [
        {
            "name": name,
            "value": values[name],
            "low": low,
            "high": high,
            "moved": name in session.source.values or name in moved,
        }
        for name, (low, high) in scene.ranges.items()
    ]


def _dials(session: Session) -> list[dict[str, Any]]:
    """The numbers of joints that have a slider, in the units that people are shown."""
    values = session.dial_values()
    return [
        {
            "path": path,
            "joint": dial.joint,
            "name": dial.name,
            "value": dial.written(values[path]),
            "low": dial.shown(dial.low),
            "high": dial.shown(dial.high),
            "endless": dial.endless,
            "unit": dial.unit,
            "animation": dial.animation,
            "moved": session.sliders.last(path, session.step) is not None,
        }
        for path, dial in session.dials.items()
        if path in values
    ]


def _trouble(session: Session, trouble: Trouble | None) -> dict[str, Any] | None:
    if trouble is None:
        return None
    files: dict[str, list[str]] = {}
    return {
        "kind": trouble.kind,
        "message": trouble.message,
        "goes_on": session.scene is not None,
        "problems": [_problem(session, each, files) for each in trouble.problems[:MOST_PROBLEMS]],
        "more": max(0, len(trouble.problems) - MOST_PROBLEMS),
    }


def _problem(session: Session, problem: Problem, files: dict[str, list[str]]) -> dict[str, Any]:
    """A problem with the line that it is in."""
    line = ""
    if problem.line:
        if problem.file not in files:
            files[problem.file] = _lines(session, problem.file)
        lines = files[problem.file]
        line = lines[problem.line - 1] if problem.line <= len(lines) else ""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "path": problem.path,
        "message": problem.message,
        **_excerpt(line, problem.column),
    }


def _excerpt(line: str, column: int) -> dict[str, Any]:
    """The part of a line around a column, which counts from 1, and where in it the mark is."""
    begin = max(0, min(column - LONGEST_LINE // 2, len(line) - LONGEST_LINE))
    part = line[begin : begin + LONGEST_LINE]
    before, after = ("…" if begin else ""), ("…" if begin + len(part) < len(line) else "")
    return {"text": before + part + after, "mark": len(before) + max(column - 1 - begin, 0)}


def _lines(session: Session, file: str) -> list[str]:
    """The lines of a file that the scene is made of."""
    try:
        folder, path = session.source.path.parent.resolve(), Path(file).resolve()
        if not path.is_relative_to(folder):
            return []
        return read_bytes(path, limits.FILE_BYTES).decode("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return []
