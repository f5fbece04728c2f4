# SPDX-License-Identifier: MIT
"""The terminal: what is sent to it, what it answers, and that it is left as it was found."""

from __future__ import annotations

import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from rigid2d.core.errors import UsageError
from rigid2d.core.play.cells import CellPicture, rows_of
from rigid2d.core.play.graphics import kitty, sixel
from rigid2d.core.play.terminal import LEAVE, drawn_on, understood

from tests.rows import every_row
from tests.search import tries

Image = NDArray[np.uint8]


def picture(height: int, width: int) -> Image:
    generator = np.random.default_rng(1)
    return generator.integers(0, 256, (height, width, 3)).astype(np.uint8)


def test_a_cell_holds_two_pixels_in_their_own_colours() -> None:
    image = np.array([[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [7, 8, 9]]], np.uint8)
    assert rows_of(image) == [
        "\x1b[38;2;1;2;3;48;2;4;5;6m▀\x1b[38;2;1;2;3;48;2;7;8;9m▀\x1b[0m",
    ]


def test_cells_of_one_colour_are_said_once() -> None:
    assert rows_of(np.zeros((2, 50, 3), np.uint8))[0].count("\x1b[38") == 1


def test_only_rows_that_changed_are_sent_again() -> None:
    shown, image = CellPicture(), picture(8, 5)
    assert shown.show(image).count("H\x1b[38") == 4
    assert shown.show(image) == ""
    image[5, 2] += 1
    assert shown.show(image).startswith("\x1b[3;1H")
    shown.forget()
    assert shown.show(image).count("H\x1b[38") == 4


def test_what_kitty_gets_is_the_picture() -> None:
    image = picture(40, 70)
    pieces = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", kitty(image))
    assert "f=24,o=z,s=70,v=40" in pieces[0][0]
    assert [head.rpartition("m=")[2] for head, _ in pieces] == ["1"] * (len(pieces) - 1) + ["0"]
    assert all(len(letters) <= 4096 for _, letters in pieces)
    data = zlib.decompress(base64.b64decode("".join(letters for _, letters in pieces)))
    assert data == image.tobytes()


def read_sixels(text: str) -> NDArray[np.int64]:
    """The picture that sixels are of, in percent."""
    found = re.search(r'\x1bP0;1;0q"1;1;(\d+);(\d+)(.*)\x1b\\', text, re.DOTALL)
    assert found
    shown = np.full((int(found[2]), int(found[1]), 3), -1)
    table: dict[str, list[int]] = {}
    x = y = 0
    color = ""
    rule = r"#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|(\$)|(-)"
    for each in re.finditer(rule, found[3]):
        if each[1]:
            table[each[1]] = [int(each[k]) for k in (2, 3, 4)]
        elif each[5]:
            color = each[5]
        elif each[9]:
            x = 0
        elif each[10]:
            x, y = 0, y + 6
        else:
            sign, count = each[7] or each[8], int(each[6] or 1)
            for bit in range(6):
                if (ord(sign) - 63) >> bit & 1:
                    shown[y + bit, x : x + count] = table[color]
            x += count
    return shown


@pytest.mark.parametrize("height", [12, 15])
def test_what_a_terminal_with_sixels_gets_is_the_picture_in_216_colours(height: int) -> None:
    image = picture(height, 31)
    image[:, 10:20] = 128
    shown = read_sixels(sixel(image))
    assert (shown >= 0).all()
    assert np.abs(shown - image.astype(float) / 2.55).max() <= 10.5  # half a level of five


@every_row(
    ("answer", "way", "cell"),
    [
        ("", "cells", (10, 20)),
        ("\x1b[?1;2c", "cells", (10, 20)),
        ("\x1b[?62;4;22c", "sixel", (10, 20)),
        ("\x1b[6;18;9t\x1b[?62;22c", "cells", (9, 18)),
        ("\x1b_Gi=31;OK\x1b\\\x1b[6;18;9t\x1b[?62;4c", "kitty", (9, 18)),
        ("\x1b_Gi=31;ENOTSUP\x1b\\\x1b[?64c", "cells", (10, 20)),
        ("\x1b[6;0;0t\x1b[?4c", "cells", (10, 20)),
    ],
)
def test_a_terminal_tells_what_it_can(answer: str, way: str, cell: tuple[int, int]) -> None:
    assert understood(answer) == (way, cell)


# ---------------------------------------------------------------- a terminal of our own


class Screen:
    """`rigid show` in a terminal that a test holds the other end of."""

    def __init__(self, *arguments: str, answer: bytes = b"\x1b[?62;22c") -> None:
        self.end, self.other = pty.openpty()
        self.resize(60, 20)
        self.before = termios.tcgetattr(self.other)
        command = [sys.executable, "-m", "rigid2d.cli", "show", *arguments]
        self.process = subprocess.Popen(
            command, stdin=self.other, stdout=self.other, stderr=subprocess.PIPE
        )
        self.shown = b""
        self.until(b"\x1b[c")
        os.write(self.end, answer)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.other, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def until(self, text: bytes) -> None:
        """Read until the program has shown something."""
        while text not in self.shown:
            assert select.select([self.end], [], [], 30)[0], self.shown[-300:]
            self.shown += os.read(self.end, 65536)

    def press(self, keys: bytes) -> None:
        self.shown = b""
        os.write(self.end, keys)

    def ends(self) -> int:
        """Its exit code; the terminal is then as it was before."""
        latest = time.monotonic() + 60
        while select.select([self.end], [], [], 0.2)[0] or self.process.poll() is None:
            if time.monotonic() > latest:
                self.process.kill()
            if select.select([self.end], [], [], 0.0)[0]:
                self.shown += os.read(self.end, 65536)
        code = self.process.wait(timeout=120)
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        assert LEAVE.encode() in self.shown
        assert termios.tcgetattr(self.other) == self.before
        os.close(self.end)
        os.close(self.other)
        return code


def test_a_scene_is_shown_steered_and_left(path: Path) -> None:
    screen = Screen(str(path), "--paused")
    screen.until("▀".encode())
    screen.until(b"0.00 s  1x  paused")
    screen.press(b".")
    screen.until(b"0.02 s")
    screen.press(b"\x1b[C")
    screen.until(b"0.52 s")
    screen.press(b"\x1b[D")
    screen.until(b"0.02 s")
    screen.press(b"\x1b[A")
    screen.until(b"2x")
    screen.press(b" ")
    screen.until(b"playing")
    screen.press(b"r")
    screen.until(b"0.0")
    screen.resize(40, 12)
    screen.press(b"")
    screen.until(b"\x1b[2J")
    screen.until(b"\x1b[12;1H")
    screen.press(b"q")
    assert screen.ends() == 0


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)][: tries(1, 3)],
)
def test_a_signal_leaves_the_terminal_as_it_was(path: Path, number: int, code: int) -> None:
    screen = Screen(str(path))
    screen.until(b"playing")
    screen.process.send_signal(number)
    assert screen.ends() == code
    assert "Traceback" not in screen.errors


def test_mistakes_are_shown_in_the_last_line_while_the_last_good_scene_stays(path: Path) -> None:
    screen = Screen(str(path), "--paused")
    screen.until(b"paused")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("shape: {circle", "shpe: {circle"), encoding="utf-8")
    screen.until(b"scene.yaml:10:10")
    path.write_text(text, encoding="utf-8")
    screen.shown = b""
    screen.until(b"paused")
    screen.press(b"q")
    assert screen.ends() == 0


@pytest.mark.parametrize(
    ("answer", "sign"),
    [(b"\x1b_Gi=31;OK\x1b\\\x1b[?62c", b"\x1b_Ga=T"), (b"\x1b[?62;4c", b"\x1bP0;1;0q")],
)
def test_a_terminal_that_shows_pixels_gets_them(path: Path, answer: bytes, sign: bytes) -> None:
    screen = Screen(str(path), "--paused", answer=answer)
    screen.until(sign)
    screen.press(b"q")
    assert screen.ends() == 0


def test_what_is_no_terminal_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "in").open("w+") as file:
        monkeypatch.setattr(sys, "stdin", file)
        monkeypatch.setattr(sys, "stdout", file)
        with pytest.raises(UsageError, match="needs a terminal"), drawn_on():
            pass
