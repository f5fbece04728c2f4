# SPDX-License-Identifier: MIT
"""Writing to the two streams: results to standard output, everything else to standard error.

Texts from scenes and file names are shown with an escape for every character that is no letter,
mark or space: they cannot move a cursor, colour, begin or reverse a line.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from rigid2d.core.errors import UsageError

from .streams import silence

STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "1;31",
    "green": "32",
    "yellow": "33",
    "blue": "1;34",
    "cyan": "36",
}


WRITING_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO)


def is_terminal(stream: TextIO) -> bool:
    """Whether a person watches ``stream``; never in a pipe, nor under CI=true."""
    if os.environ.get("CI", "").lower() in ("true", "1"):
        return False
    try:
        return stream.isatty()
    except ValueError:
        return False


def has_color(stream: TextIO) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str, stream: TextIO) -> str:
    """``text`` in a style of ``STYLES``, or unchanged where ``stream`` shows no colour."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if has_color(stream) else text


def shown(text: object) -> str:
    """``text`` on one line, with an escape for each character that shows nothing."""
    words = str(text)
    if words.isprintable():
        return words
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in words
    )


def shown_lines(text: object) -> str:
    """The same for text of several lines, which stay lines."""
    return "\n".join(map(shown, str(text).split("\n")))


_PAINTED = re.compile("(" + "|".join(rf"\x1b\[{code}m" for code in ["0", *STYLES.values()]) + ")")


def _fit(text: str) -> str:
    """Text of ours, in which ``paint`` may have left its marks."""
    if "\x1b" not in text:
        return shown_lines(text)
    parts = _PAINTED.split(text)
    return "".join(part if i % 2 else shown_lines(part) for i, part in enumerate(parts))


def say(text: str, stream: TextIO | None = None) -> None:
    """Write lines to standard output, or to ``stream``.

    Raises:
        OutputError: when standard output cannot be written.
    """
    if stream is sys.stderr:
        note(text)
        return
    try:
        print(_fit(text), flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error) from None


class OutputError(UsageError):
    """Standard output cannot be written; no further output is tried."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"standard output: cannot be written: {error.strerror or error}")
        silence(sys.stdout)


def of_output(error: BaseException) -> BaseException:
    """The error itself, or the OutputError that it is where the option parser has written.

    All other writing names its file.
    """
    if isinstance(error, OSError) and error.filename is None and error.errno in WRITING_FAILS:
        return OutputError(error)
    return error


def note(text: str) -> None:
    """Print a message on standard error; lost if it cannot be written."""
    try:
        print(_fit(text), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        silence(sys.stderr)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    text = json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False)
    lines = text.split("\n")  # which JSON has between its values only
    try:
        text.encode(sys.stdout.encoding or "utf-8")
        say("\n".join(map(_json_shown, lines)))
    except UnicodeEncodeError:
        say(json.dumps(finite(value), indent=2, allow_nan=False))


def _json_shown(line: str) -> str:
    """A line of JSON with JSON's own escapes for invisible characters; its value is unchanged."""
    if line.isprintable():
        return line
    return "".join(
        character if character.isprintable() else json.dumps(character)[1:-1] for character in line
    )


def finite(value: Any) -> Any:
    """``value`` with null for every number that JSON cannot hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return value
