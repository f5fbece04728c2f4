# SPDX-License-Identifier: MIT
"""The page itself: one self-contained HTML file with style, program and data.

The texts of a scene (names, descriptions, its source) are in the page only as data: as JSON without
``<``, which the page's program shows as text, never as markup. The page's
policy allows only its own program.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).parent / "assets"
COMMON = (
    "data.js",
    "colors.js",
    "items.js",
    "stamps.js",
    "corners.js",
    "note_plots.js",
    "notes.js",
    "mechanics.js",
    "sights.js",
    "trails.js",
    "labels.js",
    "overlays.js",
    "picture.js",
    "pick.js",
    "plots.js",
    "timebar.js",
    "panels.js",
    "keys.js",
    "sounds.js",
    "player.js",
)
"""The program of every page, in the order in which its files build on each other."""


def document(
    title: str,
    data: Mapping[str, Any],
    texts: Mapping[str, str],
    program: Sequence[str] = ("replay.js",),
    connect: str = "'none'",
    styles: Sequence[str] = (),
    engine: bool = False,
    libraries: Sequence[str] = (),
    nonce: str = "",
) -> str:
    """A page.

    Args:
        title: its title.
        data: the JSON in ``#rigid-data``.
        texts: the texts of elements by their ids; letters of base64.
        program: the last files of the program, which start it.
        connect: the allowed connections in the form of its policy; none by default.
        styles: further style sheets.
        engine: whether it compiles WebAssembly, in a worker that the page itself makes.
        libraries: further libraries, each with its licence beside it.
        nonce: a word for this page alone, with which its program may add style sheets.
    """
    script, style = _program(tuple(program)), _style(tuple(styles))
    loaded = [asset("uplot.js"), *(asset(f"{each}.js") for each in libraries)]
    licences = [asset("uplot-license.txt"), *(asset(f"{each}-license.txt") for each in libraries)]
    added = f" 'nonce-{nonce}'" if nonce else ""
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:; "
        f"connect-src {connect}; style-src {digest(style)}{added}; "
        f"script-src {' '.join(digest(each) for each in loaded)} {digest(script)}"
    )
    if engine:
        policy += " 'wasm-unsafe-eval'; worker-src blob:"
    blocks = "\n".join(
        f'<script type="text/plain" id="{escape(name)}">{text}</script>'
        for name, text in texts.items()
    )
    parts = {
        "policy": policy,
        "title": escape(title),
        "style": style,
        "data": as_json(data),
        "texts": blocks,
        "license": "\n\n\nAlso in this page:\n\n".join(each.strip() for each in licences),
        "library": "</script>\n<script>".join(loaded),
        "program": script,
    }
    pieces = asset("page.html").split("{{")
    return pieces[0] + "".join(
        parts[name] + rest for name, _, rest in (piece.partition("}}") for piece in pieces[1:])
    )


def as_json(data: Any) -> str:
    """Return JSON that is allowed in a page: ASCII letters without ``<``, ``>`` and ``&``."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


@cache
def asset(name: str) -> str:
    """A file of the page's."""
    return (ASSETS / name).read_text(encoding="utf-8")


def program_digest() -> str:
    """A word that changes with the page's program."""
    files = sorted(path for path in ASSETS.rglob("*") if path.is_file())
    return digest("".join(asset(str(path.relative_to(ASSETS))) for path in files))


@cache
def _program(last: tuple[str, ...]) -> str:
    files = "\n".join(asset(name) for name in (*COMMON, *last))
    return f'(() => {{\n"use strict";\n{files}\n}})();\n'


@cache
def _style(more: tuple[str, ...]) -> str:
    return "\n".join(asset(name) for name in ("uplot.css", "page.css", *more))


def digest(text: str) -> str:
    """The hash by which a page's policy allows a program or a style."""
    found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{found}'"
