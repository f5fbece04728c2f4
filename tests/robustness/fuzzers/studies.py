# SPDX-License-Identifier: MIT
"""Studies: folders of broken-off and finished ones that were damaged, gone on with or read.

A case is a line with the state of the folder and what is done there, then a change of one of its
files a line, as JSON.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import random
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from rigid2d.core import Results, run_study
from rigid2d.core.errors import RigidError

from .files import changed
from .scene_check import said
from .values import WORDS, anything

SCENE = """\
rigid: 1
name: A hop
vars: {height: 2}
world: {steps: 6}
bodies:
  ground: {type: static, shape: {box: [9, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, =height]}
record: {channels: [ball]}
study:
  vary: {vars.height: [1, 2, 3], world.seed: {count: 2}}
  collect: {top: {max: =ball.y}, landed: {first: =ball.y < 1}, out: outcome}
"""
FILE = "scene.yaml"
DONE = ["results.parquet", "seconds.parquet", "study.json", "index.html"]
HALF = ["study.json", "shards/000000.parquet"]
OBSTACLES = ["folder", "fifo", "loop", "empty", "gone"]


@cache
def folders() -> dict[str, dict[str, bytes]]:
    """The files of a study that is done, and of one that was broken off."""
    from ..frame import empty_folder

    with empty_folder() as here:
        Path(FILE).write_text(SCENE)
        run_study(FILE, "out")
        done = {name: (here / "out" / name).read_bytes() for name in DONE}
        half = _half(here)
        return {"done": done, "half": {"study.json": done["study.json"], HALF[1]: half}}


def _half(here: Path) -> bytes:
    """The shard of a study of which a part was done."""
    import rigid2d.core.study.storing as storing

    merge = storing.Store.merge
    storing.Store.merge = lambda store: (_ for _ in ()).throw(KeyboardInterrupt)  # type: ignore
    try:
        run_study(FILE, "broken")
    except KeyboardInterrupt:
        pass
    finally:
        storing.Store.merge = merge  # type: ignore[method-assign]
    return (here / "broken" / HALF[1]).read_bytes()


def damage(choose: random.Random) -> bytes:
    """What is damaged, and what is done then."""
    state = choose.choice(["done", "half"])
    names = DONE if state == "done" else HALF
    does = choose.choice(["read", "go on", "go on", "vary"])
    lines: list[list[Any]] = [[state, does, *_options(choose, does)]]
    for _ in range(choose.choice([0, 1, 1, 2, 5])):
        name = choose.choice(names)
        how = choose.random()
        if how < 0.15:
            lines.append([name, choose.choice(OBSTACLES)])
        elif how < 0.3:
            lines.append([choose.choice([*names, *HALF]), "other", choose.choice([*DONE, *HALF])])
        else:
            place, length = choose.random(), choose.choice([0, 1, 2, 8, 100])
            new = choose.choice([[0], [255], [choose.randrange(256)], [*b"9" * 30], [*b"[[[["]])
            what = choose.choice(["put", "put", "cut", "end", "twice", "number"])
            lines.append([name, what, place, length, new])
    return "\n".join(map(json.dumps, lines)).encode()


def _options(choose: random.Random, does: str) -> list[Any]:
    if does != "vary":
        return []
    paths = ["vars.height", "world.seed", "bodies.ball.position", "world.dt", *WORDS[:6]]
    texts = ["[1, 2]", "{uniform: [1, 2]}", "{from: 1, to: 2, count: 2}", "3", "{count: 1e9}"]
    vary = {choose.choice(paths): choose.choice([*texts, *WORDS]) for _ in range(2)}
    return [vary, choose.choice([None, 2, 3, 10**9, anything(choose)])]


def check_damage(case: bytes) -> None:
    """Rigid's own errors, or the table that it would have been without the damage."""
    from ..frame import empty_folder

    if importlib.util.find_spec("pyarrow") is None:
        return
    lines = [json.loads(line) for line in case.decode().splitlines()]
    if not lines or lines[0][0] not in ("done", "half"):
        return
    (state, does, *given), known = lines[0], folders()
    with empty_folder():
        Path(FILE).write_text(SCENE)
        _lay(known[state], known["done"] | known["half"], lines[1:])
        try:
            if does == "vary":
                _vary(*given)
            elif does == "read":
                _read()
            else:
                run_study(FILE, "out")
                assert _rows(Path("out/results.parquet").read_bytes()) == _rows(
                    known["done"]["results.parquet"]
                ), "another table"
                _read()
        except RigidError as error:
            said(error)
        left = [path.name for path in Path("out").rglob(".rigid-*")]
        assert not left, f"left behind: {left}"


def _rows(data: bytes) -> Any:
    import pyarrow.parquet as parquet

    return parquet.read_table(io.BytesIO(data)).to_pydict()


def _vary(vary: Any, samples: Any) -> None:
    """A study of other values in a folder of its own, where there are few runs."""
    if samples is None or (isinstance(samples, int) and samples < 10):
        shutil.rmtree("out")
    run_study(FILE, "out", vary=vary, samples=samples)
    _read()


def _read() -> None:
    results = Results("out")
    for name in results:
        assert len(results[name]) == len(results), "a column of another length"
    assert len(results.seconds) == len(results), "times of other runs"
    json.dumps([results.rows(), results.failed(3), results.parameters, results.collected])


def _lay(files: dict[str, bytes], others: dict[str, bytes], changes: list[list[Any]]) -> None:
    files = dict(files)
    obstacles = {}
    for name, how, *given in changes:
        if how in OBSTACLES:
            obstacles[name] = how
        elif how == "other":
            files[name] = others[given[0]]
        elif name in files:
            files[name] = changed(files[name], how, *given)
    for name, data in files.items():
        path = Path("out") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name, how in obstacles.items():
        path = Path("out") / name
        path.unlink(missing_ok=True)
        if how == "folder":
            path.mkdir()
        elif how == "fifo":
            os.mkfifo(path)
        elif how == "loop":
            path.symlink_to(path.name)
        elif how == "empty":
            path.write_bytes(b"")
