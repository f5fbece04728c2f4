# SPDX-License-Identifier: MIT
"""Time per byte: one construct of a reader's input, repeated n and 4n times.

Where four times as much takes far more than four times as long, and long enough to be seen, the
reader's time grows faster than its input. The time is that of the process, and what looks slow is
measured again: the least of several times counts.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from rigid2d.core import load, loads
from rigid2d.core.errors import RigidError
from rigid2d.core.importers import import_data
from rigid2d.core.jobs.guide import read_guide
from rigid2d.core.play.requests import read_request
from rigid2d.core.record.snapshot import format_snapshot, read_snapshot
from rigid2d.core.scene.text.container import pack
from rigid2d.core.scene.values.expression import Expression, ExpressionError
from rigid2d.core.world import World, take_snapshot

from .imports import foreign

BYTES = 40_000
"""Of the smaller of the two inputs."""
SEEN = 0.25
"""Seconds that the largest has to take, at least."""
MOST = 8.0
"""Times as long as the smallest it may take: n log n is 4.7 times, n squared 16."""
AGAIN = 3
"""Times that what looks slow is measured."""

Read = Callable[[str], object]

BODY = "bodies: {a: {shape: {circle: 0.1}}}\n"


def _scene(text: str) -> object:
    return loads("rigid: 1\n" + text)


def _included(text: str) -> object:
    Path("part.yaml").write_text(text, encoding="utf-8")
    return loads("rigid: 1\ninclude: [part.yaml]\n" + BODY, folder=Path.cwd())


def _drawing(text: str) -> object:
    Path("part.svg").write_text(text, encoding="utf-8")
    outline = "{svg: {file: part.svg, id: wanted}}"
    scene = f"bodies: {{a: {{type: static, shape: {{chain: {outline}}}}}}}\n"
    return loads("rigid: 1\n" + scene, folder=Path.cwd())


def _inputs(text: str) -> object:
    Path("scene.yaml").write_text("rigid: 1\n" + BODY, encoding="utf-8")
    Path("inputs.yaml").write_text(text, encoding="utf-8")
    return load("scene.yaml", inputs="inputs.yaml")


def _snapshot(text: str) -> object:
    Path("a.snapshot").write_text(text, encoding="utf-8")
    return read_snapshot("a.snapshot")


def _state(text: str) -> object:
    world = World(loads("rigid: 1\n" + BODY))
    return world.restore(text.encode())


def _import(text: str) -> object:
    return import_data(text, "auto", file="foreign")


def _compiled(text: str) -> object:
    Path("a.rigid").write_bytes(pack({"scene": ("rigid: 1\n" + text).encode()}))
    return load("a.rigid")


def _table(text: str) -> object:
    Path("a.csv").write_text(text, encoding="utf-8", newline="")
    scene = "rigid: 1\nbodies: {a: {repeat: {i: a.csv}, shape: {circle: 0.1}}}\n"
    return loads(scene, folder=Path.cwd())


def _guide(text: str) -> object:
    Path("README.md").write_text(text, encoding="utf-8")
    return read_guide(Path.cwd())


READERS: dict[str, Read] = {
    "scene": _scene,
    "compiled": _compiled,
    "table": _table,
    "map": _import,
    "guide": _guide,
    "include": _included,
    "drawing": _drawing,
    "svg": _import,
    "json": _import,
    "inputs": _inputs,
    "snapshot": _snapshot,
    "state": _state,
    "expression": lambda text: Expression("=" + text),
    "page": read_request,
}

# Of each reader: what stands before what is repeated, that, and what stands behind it. `#` is the
# number of the repetition.
_SVG = '<svg xmlns="http://www.w3.org/2000/svg">', "</svg>"
_INSIDE: tuple[tuple[str, str, str], ...] = (
    ("", "<rect id='r#' x='#' width='1' height='1'/>", ""),
    ("", "<g id='g#'/>", ""),
    ("", "<use href='#wanted'/>", "<path id='wanted' d='M0 0L1 1'/>"),
    ("<path id='wanted' d='M0 0", "L# 1", "'/>"),
    ("<path id='wanted' d='", "M# 0L1 1Z", "'/>"),
    ("<path id='wanted' d='M0 0", "A1 1 0 0 1 # 0", "'/>"),
    ("<polyline id='wanted' points='", "#,0 ", "'/>"),
    ("<polyline id='wanted' points='0,0 1,1' transform='", "translate(#) ", "'/>"),
    ("<polyline id='wanted' points='0,0 1,1' transform='", "rotate(1)", "'/>"),
    ("<g transform='scale(1)", " ", "'><rect id='wanted' width='1' height='1'/></g>"),
    ("<rect id='wanted' width='1' height='1' style='", "fill:red;", "'/>"),
    ("<rect id='wanted' width='1' height='1' class='", "c# ", "'/>"),
    ("<rect id='wanted' width='1' height='1' ", "data-x#='1' ", "/>"),
    ("<g ", "data-x#='1' ", "><rect id='wanted' width='1' height='1'/></g>"),
    ("<title>", "a<b/>", "</title>"),
    ("<style>", ".c#{fill:red}", "</style><rect id='wanted' class='c3' width='1' height='1'/>"),
    ("<style>", "rect.c#,", "a{fill:red}</style><rect id='wanted' width='1' height='1'/>"),
    ("<style>", "/* ", "</style><rect id='wanted' width='1' height='1'/>"),
    ("<style>", "a<b/>", "</style><rect id='wanted' width='1' height='1'/>"),
    ("<!--", "- ", "--><rect id='wanted' width='1' height='1'/>"),
)
_YAML: tuple[tuple[str, str, str], ...] = (
    ("bodies:\n", "  b#: {shape: {circle: 0.1}, position: [#, 0]}\n", ""),
    ("bodies:\n", "  b#: {shap: {circle: 0.1}}\n", ""),
    ("bodies:\n", "  b#: {shape: {circle: 0.1}, tags: [t#]}\n", ""),
    ("bodies:\n  a: {shape: {circle: 1}, tags: [", "t#, ", "]}\n"),
    ("bodies:\n  a: {shape: {circle: 1}, points: {", "p#: [0, 0], ", "}}\n"),
    ("bodies:\n  a: {type: static, shape: {chain: [", "[#, 0], ", "]}}\n"),
    ("bodies:\n  a: {shapes: [", "{circle: 0.1, offset: [#, 0]}, ", "]}\n"),
    ("bodies: {a: {shape: {circle: 0.1}}}\nvars:\n", "  v#: #\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\nvars:\n", "  v#: =#+1\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\nexpect:\n", "- {always: =a.y < #}\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\nexpect:\n", "- {always: =b#.y < 1}\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\nmaterials:\n", "  m#: {friction: 0.1}\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\ngroups:\n", "  g#: [a]\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\nstate: {", "s#: 1, ", "}\n"),
    (
        "bodies: {a: {shape: {circle: 0.1}}}\nevents:\n",
        "- {when: time, at: #, do: [{log: x}]}\n",
        "",
    ),
    ("bodies: {a: {shape: {circle: 0.1}}}\nactuators:\n", "  f#: {type: force, body: a}\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\ndescription: '", "word ", "'\n"),
    ("bodies: {a: {shape: {circle: 0.1}}}\ndescription: |\n", "  line #\n", ""),
    ('bodies: {a: {shape: {circle: 0.1}}}\ndescription: "', "\\u0041", '"\n'),
    ("bodies: {a: {shape: {circle: 0.1}}}\n", "# a comment\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\n", "unknown#: 1\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\nx: ", "'' ", "\n"),
    ("bodies:\n", "  a: {shape: {circle: 0.1}}\n", ""),
    ("bodies: {a: {shape: {circle: 0.1}}}\nx: ", "[", "\n"),
    ("bodies: {a: {shape: {circle: 0.1}}}\n? ", "a ", "\n"),
    ("x: &a {a: 1}\nbodies:\n", "  b#: {<<: *a}\n", ""),
    (
        "bodies: {a: {shape: {circle: 0.1}}}\nprototypes:\n",
        "  p#: {bodies: {b: {shape: {circle: 0.1}}}}\n",
        "",
    ),
    (
        "prototypes: {p: {bodies: {b: {shape: {circle: 0.1}}}}}\ninstances:\n",
        "  i#: {use: p, at: [#, 0]}\n",
        "",
    ),
    (
        "bodies: {a: {shape: {circle: 0.1}}, b: {shape: {circle: 0.1}}}\njoints:\n",
        "  j#: {type: distance, bodies: [a, b]}\n",
        "",
    ),
    (
        "bodies: {a: {type: kinematic, shape: {circle: 0.1}}}\nanimations:\n"
        "  m: {type: once, duration: 9, tracks: {a.angle: [",
        "[=#/1000000, 1], ",
        "]}}\n",
    ),
    ("bodies: {a: {type: static, shape: {chain: {path: 'M 0 0", " L # 1", "'}}}}\n"),
    ("bodies: {a: {type: static, shape: {chain: {spline: [", "[#, 0], ", "]}}}}\n"),
    ("bodies: {a: {shape: {circle: 0.1}}}\ncollision: {pairs_ignore: [", "[a, b#], ", "]}\n"),
    ("bodies: {a: {shape: {circle: 0.1}}}\nrecord: {channels: [", "a.x, ", "]}\n"),
    ("bodies: {a: {shape: {circle: 0.1}}}\nrecord: {channels: ['", "tags.", "x']}\n"),
    ("bodies: {a: {shape: {circle: 0.1}}}\nannotations: [{free_body: '", "b.", "x'}]\n"),
    ("bodies: {a: {shape: {circle: '1", "1", "x'}}}\n"),
    ("bodies: {a: {shape: {circle: '1 x", " ", "y'}}}\n"),
    ("bodies: {a: {shape: {circle: '{1", " ", "1'}}}\n"),
    ("bodies: {a: {shape: {circle: 0.1}, position: '1", ", 1", "x'}}\n"),
    ('bodies: {a: {shape: {circle: 0.1}}}\ndescription: "', "\\tx ", '"\n'),
)
_TABLE: tuple[tuple[str, str, str], ...] = (
    *(("a,b\n", piece, "") for piece in ("#,1\n", '"#","x\ny"\n', "#,1,2\n", "#\n", ",\n")),
    *(("a\n", piece, "\n1\n") for piece in ('"', "1", " ", "\n", "\r", "1,")),
    ("", "c#,", "z\n1\n"),
)
_MAP = '<map orientation="orthogonal" width="4" height="4" tilewidth="8" tileheight="8">'
_TILED: tuple[tuple[str, str, str], ...] = (
    ("<objectgroup>", '<object id="#" x="#" y="0" width="4" height="4"/>', "</objectgroup>"),
    ("<properties>", '<property name="p#" value="1"/>', "</properties>"),
    ("", '<tileset firstgid="#" name="t" tilewidth="8" tileheight="8"/>', ""),
    ("<!--", "- ", "-->"),
)
_WRITTEN = {
    "scene": _YAML,
    "include": _YAML,
    "drawing": tuple((_SVG[0] + a, b, c + _SVG[1]) for a, b, c in _INSIDE),
    "svg": tuple((_SVG[0] + a, b, c + _SVG[1]) for a, b, c in _INSIDE),
    "inputs": (
        ("", "- {key: up, from: #, until: #.5}\n", ""),
        ("", "- {at: #, set: {a.gravity_scale: 1}}\n", ""),
        ("inputs:\n", "- {at: #, body: a, velocity: [0, 0]}\n", ""),
        ("", "- {drag: a, path: [[#, [0, 0]]]}\n", ""),
    ),
    "expression": (
        ("", "1+", "1"),
        ("", "(", "1"),
        ("", "-", "1"),
        ("", "a.b", "+1"),
        ("", "9", ""),
        ("", "abs(", "1"),
        ("", " ", "1"),
        ("max(", "#,", "1)"),
    ),
    "compiled": _YAML,
    "table": _TABLE,
    "map": tuple((_MAP + a, b, c + "</map>") for a, b, c in _TILED),
    "guide": tuple(
        ("## a\n", piece, "") for piece in ("[", "[x](", "**", "## a\n[x](a#.yaml) b\n\n", "`")
    ),
    "page": (
        ('{"do": "', "a", '"}'),
        ("", "[", ""),
        ("{", '"k#": 1, ', '"do": "play"}'),
        ('{"do": "press", "key": "', "\\u0041", '"}'),
        ("", " ", '{"do": "play"}'),
        ("", "9", ""),
    ),
}


def construct(choose: random.Random) -> bytes:
    """A reader and what is repeated for it, a line each."""
    reader = choose.choice([*READERS])
    if reader == "json":
        before, piece, after = _list_of(choose)
    elif reader in ("snapshot", "state"):
        before, piece, after = _lines_of(choose, reader)
    else:
        before, piece, after = choose.choice(_WRITTEN[reader])
    if choose.random() < 0.2 and len(piece) > 2:  # a part of it, which need not be right
        at = choose.randrange(len(piece))
        piece = piece[:at] + piece[at + choose.randint(1, 2) :]
    return "\n".join(json.dumps(each) for each in (reader, before, piece or " ", after)).encode()


def _list_of(choose: random.Random) -> tuple[str, str, str]:
    """A file of another program with one item of one list again and again."""
    name = choose.choice([each for each in foreign() if not each.endswith(".svg")])
    tree = json.loads(foreign()[name])
    lists = [found for found in _lists(tree) if found]
    chosen = choose.choice(lists)
    item = choose.choice(chosen)
    mark = "~here~"
    chosen.append(mark)
    before, _, after = json.dumps(tree).partition(json.dumps(mark))
    return before, json.dumps(item).replace("#", "") + ", ", json.dumps(item) + after


def _lists(value: Any) -> list[list[Any]]:
    own = [value] if isinstance(value, list) else []
    inside = value.values() if isinstance(value, dict) else own[0] if own else ()
    return own + [found for each in inside for found in _lists(each)]


@cache
def _texts() -> dict[str, str]:
    world = World(loads("rigid: 1\n" + BODY))
    return {
        "snapshot": format_snapshot(take_snapshot(world.scene)),
        "state": world.save().decode("latin-1"),
    }


def _lines_of(choose: random.Random, reader: str) -> tuple[str, str, str]:
    """A text of rigid's own with one of its lines again and again."""
    lines = _texts()[reader].splitlines(keepends=True)
    at = choose.randrange(len(lines))
    return "".join(lines[:at]), lines[at][:2000].replace("#", ""), "".join(lines[at:])


def check_growth(case: bytes) -> None:
    """Four times as much takes hardly more than four times as long."""
    try:
        reader, before, piece, after = (json.loads(line) for line in case.splitlines())
    except ValueError:
        return  # made smaller
    count = max(1, BYTES // len(piece))
    inputs = [before + _repeated(piece, n) + after for n in (count, 4 * count)]
    read = READERS[reader]
    times = [_seconds(read, text) for text in inputs]
    for _ in range(AGAIN):
        if times[1] < SEEN or times[1] <= MOST * times[0]:
            return
        times = [min(time, _seconds(read, text)) for time, text in zip(times, inputs, strict=True)]
    if times[1] >= SEEN and times[1] > MOST * times[0]:
        sizes = [len(text) for text in inputs]
        told = [f"{size} bytes {time:.3f} s" for size, time in zip(sizes, times, strict=True)]
        raise AssertionError(f"{reader}: {', '.join(told)}")


def _repeated(piece: str, count: int) -> str:
    if "#" not in piece:
        return piece * count
    return "".join(piece.replace("#", str(i)) for i in range(count))


def _seconds(read: Read, text: str) -> float:
    begun = process_time()
    with suppress(RigidError, ExpressionError, ValueError):
        read(text)
    return process_time() - begun
