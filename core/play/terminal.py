# SPDX-License-Identifier: MIT
"""A terminal for drawing: its abilities, its keys, and the restoration of its state in any
case."""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Literal

from ..errors import UsageError

Way = Literal["cells", "kitty", "sixel"]
PATIENCE = 0.3
"""Seconds in which a terminal reports its features."""
CELL = (10, 20)
"""Pixels of a cell, where the terminal does not tell."""
ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
LEAVE = "\x1b_Ga=d,d=A,q=2\x1b\\\x1b[0m\x1b[?25h\x1b[?1049l"
ASK = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c"
"""Is there kitty's protocol, how large is a cell, and, which every terminal answers, what is it?"""

KEYS = {
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\x1b[H": "home",
    "\x1b": "escape",
    " ": "space",
}
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z~]|O[A-Z]|_[^\x1b]*\x1b\\)|.", re.DOTALL)


class Terminal:
    """The terminal at standard input and output, while it is drawn on.

    Attributes:
        way: how it shows pictures.
        cell: the pixels of a cell.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self.way: Way = "cells"
        self.cell = CELL
        self._left = ""

    def ask(self) -> None:
        """Query its abilities."""
        self.write(ASK)
        answer, end = "", monotonic() + PATIENCE
        while not re.search(r"\x1b\[\?[0-9;]*c", answer):
            left = end - monotonic()
            if left <= 0.0 or not self._has_input(left):
                break
            answer += self._read()
        self.way, self.cell = understood(answer)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            found = os.get_terminal_size(self._writing)
        except OSError:
            return 80, 24
        return max(found.columns, 1), max(found.lines, 1)

    def write(self, text: str) -> None:
        """Send all of it."""
        data = text.encode()
        while data:
            data = data[os.write(self._writing, data) :]

    def keys(self, seconds: float) -> list[str]:
        """The keys that are pressed, waiting so long for the first."""
        if not self._has_input(max(0.0, seconds)):
            return []
        given = self._read()
        if not given:
            raise EOFError
        return [KEYS.get(each, each) for each in _SEQUENCE.findall(given)]

    def _has_input(self, seconds: float) -> bool:
        return bool(select.select([self._reading], [], [], seconds)[0])

    def _read(self) -> str:
        return os.read(self._reading, 4096).decode("utf-8", "replace")


def understood(answer: str) -> tuple[Way, tuple[int, int]]:
    """Parses a terminal's answer: how it shows pictures, and the size of its cells."""
    size = re.search(r"\x1b\[6;(\d+);(\d+)t", answer)
    cell = (int(size[2]), int(size[1])) if size and int(size[1]) and int(size[2]) else CELL
    if "\x1b_Gi=31;OK" in answer:
        return "kitty", cell
    kind = re.search(r"\x1b\[\?([0-9;]*)c", answer)
    return ("sixel" if kind and "4" in kind[1].split(";")[1:] else "cells"), cell


@contextmanager
def drawn_on() -> Iterator[Terminal]:
    """The terminal, without echo and on a screen of its own; at the end it is as it was.

    Raises UsageError where there is none, and on Windows, whose terminals have other keys.
    """
    if sys.platform == "win32":
        raise UsageError("no scene is drawn in a terminal of Windows; `rigid play` shows it")
    import termios
    import tty

    reading, writing = sys.stdin.fileno(), sys.stdout.fileno()
    if not (os.isatty(reading) and os.isatty(writing)):
        raise UsageError("this needs a terminal; `rigid run --gif` writes a picture instead")
    terminal = Terminal(reading, writing)
    before = termios.tcgetattr(reading)
    try:
        tty.setcbreak(reading, termios.TCSANOW)
        settings = termios.tcgetattr(reading)
        settings[6][termios.VSUSP] = b"\x00"  # which would leave the screen as it is
        termios.tcsetattr(reading, termios.TCSANOW, settings)
        terminal.write(ENTER)
        terminal.ask()
        yield terminal
    finally:
        terminal.write(LEAVE)
        termios.tcsetattr(reading, termios.TCSAFLUSH, before)
