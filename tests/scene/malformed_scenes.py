# SPDX-License-Identifier: MIT
"""Scene files that are wrong, each in one way.

They are documents of ``malformed/*.yaml``, and some are made here. A document begins with
``--- # name | line of the first problem | words in its message``.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "malformed"
HEAD = re.compile(r"^--- # (\w+) \| (\d+) \| (.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Malformed:
    """A file that is wrong, and how its first problem is reported."""

    name: str
    line: int
    words: str
    content: bytes


def _documents(path: Path) -> list[Malformed]:
    before, *parts = HEAD.split(path.read_text(encoding="utf-8"))
    assert before.count("\n") == before.count("#") == 1, f"{path} begins without a head"
    columns = [parts[i::4] for i in range(4)]
    return [
        Malformed(name, int(line), words, text.encode())
        for name, line, words, text in zip(*columns, strict=True)
    ]


PARABOLA = ",".join(f"[{x},{x * x}]" for x in range(1100))
BALL = "rigid: 1\nbodies:\n  ball: {{shape: {{{}}}}}\n"
MADE = [
    Malformed("binary", 2, "UTF-8", bytes(range(256)) * 4),
    Malformed("deep_list", 2, "32 levels", b"rigid: 1\ntags: " + b"[" * 200 + b"]" * 200 + b"\n"),
    Malformed(
        "deep_map", 2, "32 levels", b"rigid: 1\nx: " + b"{a: " * 100 + b"1" + b"}" * 100 + b"\n"
    ),
    Malformed("deep_open_list", 2, "32 levels", b"rigid: 1\ntags: " + b"[" * 5000 + b"\n"),
    Malformed("empty", 1, "file is empty", b""),
    Malformed("escape_character", 2, "U+001B", b"rigid: 1\nname: \x1b[31m\n"),
    Malformed(
        "expression_equals_signs",
        3,
        "limit is 2000",
        BALL.format(f'circle: "{"=" * 10000}"').encode(),
    ),
    Malformed("latin1", 2, "UTF-8", b"rigid: 1\nname: caf\xe9\n"),
    Malformed("nul_byte", 2, "U+0000", b"rigid: 1\nname: a\0b\n"),
    Malformed("png_header", 1, "UTF-8", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    Malformed(
        "polygon_too_many", 3, "limit is 1000", BALL.format(f"polygon: [{PARABOLA}]").encode()
    ),
    Malformed("tab_in_list", 3, "tabs", b"rigid: 1\ntags:\n\t- a\n"),
    Malformed("tab_indent", 3, "tabs", b"rigid: 1\nbodies:\n\tball: {}\n"),
    Malformed("utf16", 1, "UTF-16", b"\xff\xfe" + "rigid: 1\n".encode("utf-16-le")),
]
"""Files of bytes that are no text, of control characters, and long ones."""

ALL = sorted(
    [each for path in sorted(FOLDER.glob("*.yaml")) for each in _documents(path)] + MADE,
    key=lambda each: each.name,
)
BY_NAME = {each.name: each for each in ALL}


def write_all(folder: Path) -> None:
    """Write each file by its name, with the drawings that some take outlines of."""
    for drawing in FOLDER.glob("*.svg"):
        shutil.copy(drawing, folder)
    for each in ALL:
        (folder / f"{each.name}.yaml").write_bytes(each.content)
