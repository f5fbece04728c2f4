# SPDX-License-Identifier: MIT
"""A game that is played in a browser."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rigid2d.core.editing.desk import SceneDesk
from rigid2d.core.play.game import Game
from rigid2d.core.play.server import PlayServer
from rigid2d.core.play.session import Session

from tests.page.chromium import Tabs
from tests.page.waiting import wake

STAIRS = """\
rigid: 1
bodies:
  step: {type: static, repeat: {i: 3}, shape: {box: [1, 1]}, position: [=i, =i]}
"""


class Play:
    """A game that goes on by itself, and a tab that shows it."""

    def __init__(
        self,
        tabs: Tabs,
        path: Path,
        size: tuple[int, int] = (1100, 800),
        watched: bool = False,
        edits: bool = False,
        **options: Any,
    ) -> None:
        self.path = path
        session = Session(path)
        desk = SceneDesk(session, {"stairs": STAIRS}) if edits else None
        self.game = Game(session, path.with_name("record.yaml"), desk=desk)
        self.server = PlayServer(self.game, 0, watched=watched, opens_tools=edits)
        self.server.start()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self.tabs, self.options = tabs, options
        self.tab = tabs.take({"width": size[0], "height": size[1]}, options)
        self.errors: list[str] = []
        self._hearers: dict[str, Callable[[Any], None]] = {
            "console": lambda m: self.errors.append(m.text) if m.type == "error" else None,
            "pageerror": lambda error: self.errors.append(str(error)),
        }
        for event, hearer in self._hearers.items():
            self.tab.on(event, hearer)
        self.tab.goto(self.server.address)
        wake(self.tab)

    def _run(self) -> None:
        while not self._ended.wait(1 / 120):
            self.game.tick()

    def end(self) -> None:
        self.tabs.give_back(self.tab, self.options)
        for event, hearer in self._hearers.items():
            self.tab.remove_listener(event, hearer)
        self._ended.set()
        self._thread.join()
        self.server.stop()

    def wait(self, condition: str) -> None:
        """Until the page says so."""
        self.tab.wait_for_function(
            f"() => {{ const p = window.rigid?.player; return p && ({condition}); }}"
        )

    def say(self, expression: str) -> Any:
        return self.tab.evaluate(f"() => {{ const p = window.rigid.player; return {expression}; }}")

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the scene is on the screen."""
        left, top = self.tab.evaluate(
            """([x, y]) => {
                const view = window.rigid.player.picture.lastView;
                const box = document.getElementById("picture").getBoundingClientRect();
                return [box.left + view.x(x), box.top + view.y(y)];
            }""",
            [x, y],
        )
        return left, top

    def rewrite(self, text: str) -> None:
        self.path.write_text(text, encoding="utf-8")
