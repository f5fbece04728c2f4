# SPDX-License-Identifier: MIT
"""Streams that are closed, full, gone, or know few letters, for commands that are right."""

from __future__ import annotations

import json
import random
from pathlib import Path

from .command import CODES, KINDS, check_manners, run
from .options import GOOD, lay_files

ENCODINGS = ["utf-8", "utf-8:strict", "ascii", "latin-1", "cp1252", "utf-16", "cp037", "koi8-r"]
NAMES = [
    "good.yaml",
    "\u00e9\u4e2d.yaml",
    "b\udce4ll\x1b[31m.yaml",
    "\u202eline\n.yaml",
    "%0A::.yaml",
]
TITLES = ["Ball", "\u00e9\u4e2d \U0001f600", "\\e[31mred", "]]> & <b>", "%0A::error::"]
COMMANDS = [
    *(["info", "S"], ["info", "S", "--json"], ["expand", "S"], ["expand", "S", "--json"]),
    *(["validate", "S"], ["validate", "S", "--format", "sarif"], ["validate", "--json", "S"]),
    *(["validate", "S", "--format", "github"], ["test", "S", "--jobs", "1"], ["peaks", "S"]),
    *(["test", "S", "--junit", "-"], ["run", "S"], ["run", "S", "--csv", "-"], ["schema"]),
    *(["run", "S", "--gif", "-"], ["run", "S", "--png", "out.png", "--json"], ["new", "-"]),
    *(["run", "-", "--npz", "out.npz"], ["info", "-"], ["--help"], ["run", "--help"], ["run"]),
    *(["snapshot", "record", "S", "-o", "-"], ["run", "none.yaml"], ["info", "S", "--nonsense"]),
    *(["run", "S", "--csv", "/dev/stdout"], ["run", "/dev/stdin"], ["run", "S", "-q"]),
]


def redirected(choose: random.Random) -> bytes:
    """A command and its surroundings, as JSON."""
    kinds = [choose.choice(["file", "file", *KINDS]) for _ in range(3)]
    return json.dumps(
        {
            "command": choose.choice(COMMANDS),
            "streams": kinds,
            "encoding": choose.choice(ENCODINGS),
            "name": choose.choice(NAMES),
            "title": choose.choice(TITLES),
            "wrong": choose.random() < 0.3,
        }
    ).encode()


def check_redirected(case: bytes) -> None:
    """Run it, and look at what can be seen."""
    from ..frame import empty_folder

    if not case.strip():
        return
    told = json.loads(case)
    scene = GOOD.replace("name: Ball", f'name: "{told["title"]}"')
    if told["wrong"]:
        scene = scene.replace("circle: 0.5", f'"{told["title"]}": 1')
    arguments = [told["name"] if each == "S" else each for each in told["command"]]
    with empty_folder():
        lay_files()
        Path(told["name"]).write_text(scene, encoding="utf-8")
        streams = (told["streams"][0], told["streams"][1], told["streams"][2])
        done = run(arguments, stdin=scene.encode(), streams=streams, encoding=told["encoding"])
        if streams[1:] == ("file", "file") and told["encoding"] not in ("utf-16", "cp037"):
            check_manners(arguments, done)
        told_of = f"{told}: {done.code} {done.err[-1500:]!r}"
        assert done.code in CODES, told_of
        assert b"Traceback" not in done.err, told_of
        usual = run(arguments, stdin=scene.encode())
        if streams[:2] == ("file", "file"):
            assert done.code == usual.code, f"not {usual.code} as with plain streams: {told_of}"
