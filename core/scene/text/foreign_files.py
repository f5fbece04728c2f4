# SPDX-License-Identifier: MIT
"""Files that are no scenes, recognised by their first bytes or by their names."""

from __future__ import annotations

import re
from pathlib import PurePath

_NO_TEXT = {
    b"GIF8": "a GIF picture",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "an archive (ZIP, or NumPy's NPZ)",
    b"\x1f\x8b": "a compressed file (gzip)",
    b"PAR1": "a table (Parquet)",
    b"\x93NUMPY": "an array of NumPy",
    b"rigid snapshot": "a snapshot",
}
"""How files begin that are no scenes, and what they are."""
_MARKUP = {
    b"<!doctype html": "a page (HTML)",
    b"<html": "a page (HTML)",
    b"<svg": "a drawing (SVG)",
}
"""The same for markup, whose letters may be small or large, after spaces."""
_ADVICE = {
    "a drawing (SVG)": "`rigid import` makes a scene of it",
    "a snapshot": "`rigid snapshot check SCENE` runs its scene and compares",
}
_NAMED = {
    **dict.fromkeys((".md", ".markdown", ".rst", ".tex"), "a text document"),
    **dict.fromkeys((".py", ".js", ".ts", ".c", ".cpp", ".h", ".rs", ".sh", ".lua"), "a program"),
    **dict.fromkeys((".html", ".htm", ".css", ".xml"), "a page or a part of one"),
    **dict.fromkeys((".csv", ".tsv"), "a table"),
    **dict.fromkeys((".toml", ".ini", ".cfg"), "a file of settings"),
    ".ipynb": "a notebook",
    ".log": "a log",
}
"""What files are by the endings of their names."""
_BEGIN = re.compile(r"(?:\s*(?:#.*|---.*)?\n)*[\"']?\w+[\"']?\s*:(?:\s|$)")


def no_text(data: bytes) -> str:
    """The sentence for a file that its first bytes show to be no scene; else nothing."""
    if data[4:8] == b"ftyp":
        return _sentence("a video (MP4)")
    if data[:4] == b"RIFF" and data[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return _sentence("a picture, sound or video (RIFF)")
    first = data[:64].lstrip().lower()
    markup = (what for begin, what in _MARKUP.items() if first.startswith(begin))
    what = next((what for begin, what in _NO_TEXT.items() if data.startswith(begin)), "")
    what = what or next(markup, "")
    return _sentence(what) if what else ""


def named_otherwise(file: str, text: str) -> str:
    """The sentence for a file whose name has the ending of another kind; else nothing.

    ``text`` is its text, which could not be read as a scene; if a key begins it, it is meant as
    one.
    """
    ending = PurePath(file).suffix.lower()
    what = _NAMED.get(ending, "")
    return _sentence(f"{what} by its name (`{ending}`)") if what and not _BEGIN.match(text) else ""


def _sentence(what: str) -> str:
    advice = _ADVICE.get(what, "a scene is a YAML text file saved as UTF-8")
    return f"this is {what}, and no scene; {advice}"
