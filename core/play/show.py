# SPDX-License-Identifier: MIT
"""A session in a terminal: pictures in text or pixels, a status line, and a few keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from ..record.frame import Frame
from ..render import Renderer, Survey
from ..scene import limits
from ..scene.model import Scene
from ..world import run
from .cells import CellPicture
from .graphics import kitty, sixel
from .session import Session
from .terminal import Terminal

FPS = 30.0
BUDGET = 0.05
LOOK = 0.1
JUMP = 0.5
"""Seconds that an arrow goes back or on."""
WIDEST = 960
"""Pixels of a picture, which all have to go through the terminal."""
PATIENCE = 0.5
"""Seconds for running ahead, so that the picture shows all that moves."""
HELP = "space pause  ←→ back, on  ↑↓ speed  . step  r restart  q end"

Image = NDArray[np.uint8]


class Show:
    """Plays a session on a terminal until it is quit."""

    def __init__(self, session: Session, terminal: Terminal, *, loop: bool = False) -> None:
        self.session = session
        self.terminal = terminal
        self._loop = loop
        self._cells = CellPicture()
        self._renderer: Renderer | None = None
        self._made_for: tuple[object, ...] = ()
        self._survey: tuple[int, Survey] | None = None
        self._drawn: tuple[object, ...] = ()
        self._line = ""

    def run(self, clock: Callable[[], float] = perf_counter) -> None:
        """Until `q`."""
        last = looked = clock()
        while True:
            now = clock()
            if now - looked > LOOK:
                looked = now
                self.session.reload()
            self.session.advance(now - last, BUDGET)
            last = now
            self._mind_the_end()
            self.draw()
            for key in self.terminal.keys(last + 1.0 / FPS - clock()):
                if self.press(key):
                    return

    def press(self, key: str) -> bool:
        """Execute the command of a key; return whether it ends the program."""
        session = self.session
        second = 1.0 if session.scene is None else session.scene.units.time_per_second
        if key in ("q", "escape"):
            return True
        if key == "space":
            session.pause() if session.playing else session.play()
        elif key in ("left", "right"):
            way = 1.0 if key == "right" else -1.0
            session.seek_time(max(0.0, session.time + way * JUMP * second))
        elif key in ("up", "down"):
            session.set_speed(session.speed * (2.0 if key == "up" else 0.5))
        elif key == ".":
            session.step_once()
        elif key in ("home", "r"):
            session.seek(0)
        return False

    def _mind_the_end(self) -> None:
        """The run's own end is a pause, or the beginning again."""
        session = self.session
        if session.scene is None or session.mode != "playing":
            return
        if session.step >= session.scene.world.steps:
            if self._loop:
                session.seek(0)
            else:
                session.pause()

    # ------------------------------------------------------------ drawing

    def draw(self) -> None:
        """Bring the picture and the line below it up to date."""
        session, terminal = self.session, self.terminal
        columns, rows = terminal.size
        now = session.version, session.step, columns, rows
        if now != self._drawn and session.scene is not None and rows > 1:
            if now[2:] != self._drawn[2:]:
                self._cells.forget()
                self._line = ""
                terminal.write("\x1b[2J")
            self._drawn = now
            terminal.write(self._picture(session.scene, columns, rows - 1))
        line = _plain(self._status())[: columns - 1]
        if line != self._line:
            self._line = line
            color = "\x1b[31m" if session.trouble is not None else ""
            terminal.write(f"\x1b[{rows};1H\x1b[0m\x1b[2K{color}{line}\x1b[0m")

    def _picture(self, scene: Scene, columns: int, rows: int) -> str:
        frame = self.session.frame(scene.render.overlays != ())
        assert frame is not None
        image = self._image(scene, columns, rows, frame)
        if self.terminal.way == "kitty":
            return kitty(image)
        if self.terminal.way == "sixel":
            return sixel(image)
        return self._cells.show(image)

    def _image(self, scene: Scene, columns: int, rows: int, frame: Frame) -> Image:
        size = self._pixels(columns, rows)
        least = limits.FRAME_SIDE[0]
        shape = max(size[0], least), max(size[1], least)
        made_for = self.session.version, shape
        if self._renderer is None or made_for != self._made_for:
            self._made_for = made_for
            self._renderer = Renderer(scene, size=shape, survey=self._seen(scene))
        image: Image = self._renderer.draw(frame)
        return image[: size[1], : size[0]]

    def _pixels(self, columns: int, rows: int) -> tuple[int, int]:
        if self.terminal.way == "cells":
            return columns, 2 * rows
        width, height = columns * self.terminal.cell[0], rows * self.terminal.cell[1]
        shrink = min(1.0, WIDEST / width)
        return int(width * shrink), int(height * shrink) // 6 * 6

    def _seen(self, scene: Scene) -> Survey:
        """The extent of the picture, as far as there is time to find it."""
        if self._survey is None or self._survey[0] != self.session.version:
            survey, end = Survey(scene), perf_counter() + PATIENCE
            for frame in run(scene, fps=10.0 / scene.units.time_per_second):
                survey.add(frame)
                if perf_counter() > end:
                    break
            self._survey = self.session.version, survey
        return self._survey[1]

    def _status(self) -> str:
        session = self.session
        if session.trouble is not None:
            for first in session.trouble.problems:
                return str(replace(first, file=Path(first.file).name))
            return session.trouble.message
        scene = session.scene
        if scene is None:
            return ""
        time = session.time / scene.units.time_per_second
        words = session.outcome or session.mode
        if words in ("win", "lose") and not scene.has_player:
            words = "ended"
        return f"{scene.name}  {time:.2f} s  {session.speed:g}x  {words}   {HELP}"


def _plain(text: str) -> str:
    """On one line, and without anything that a terminal would do."""
    return "".join(each if each.isprintable() else " " for each in text)
