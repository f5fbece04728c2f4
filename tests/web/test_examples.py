# SPDX-License-Identifier: MIT
"""The examples of the npm package in Chromium: a lesson that goes back, a game that is played."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from rigid2d.core import build, load
from rigid2d.core.compiled import compile_scene

from tests.web.engine import WEB, need_module

PROGRAM = ("rigid.js", "births.js", "player.js", "exact.js", "librigid.wasm")
BOXES = WEB / "npm" / "examples" / "boxes.yaml"


class Quiet(SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of the package's folder, as `make npm` puts it together."""
    need_module()
    folder = tmp_path / "npm"
    shutil.copytree(WEB / "npm", folder)
    for name in PROGRAM:
        shutil.copy(WEB / name, folder)
    (folder / "examples" / "boxes.rigid").write_bytes(compile_scene(load(BOXES)))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/examples"
    server.shutdown()
    server.server_close()


def test_the_lesson_goes_on_and_back(browser: Any, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}/lesson.html")
    tab.wait_for_function("() => document.getElementById('kinetic').textContent !== ''")
    found = []
    for time in (0.2, 2.0, 0.2):
        tab.evaluate(
            "time => { const input = document.getElementById('time'); input.value = time;"
            " input.dispatchEvent(new Event('input')) }",
            time,
        )
        found.append(float(tab.locator("#kinetic").text_content()))
    tab.close()
    world = build(load(BOXES))
    world.step(round(0.2 / world.scene.world.dt))
    assert found[0] == found[2] == pytest.approx(world.energy()[0], abs=0.006)
    assert found[1] != found[0]


def test_the_game_is_played_and_replayed(browser: Any, address: str, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 900, "height": 700})
    tab.goto(f"{address}/game.html")
    tab.wait_for_function("() => window.world && world.time > 0.5")
    box = tab.locator("#c").bounding_box()
    x, y = tab.evaluate("[320 + 60 * world.poses[6], 340 - 60 * world.poses[7]]")
    tab.mouse.move(box["x"] + x, box["y"] + y)
    tab.mouse.down()
    tab.mouse.move(box["x"] + x, box["y"] + 100, steps=5)
    tab.mouse.move(box["x"] + 20, box["y"] + 100, steps=10)
    tab.wait_for_timeout(300)
    tab.mouse.up()
    tab.wait_for_function("() => window.score >= 1")
    tab.locator("#inputs").click()
    text = tab.locator("#text").text_content()
    tab.close()
    found = re.match(r"# (\d+) steps; the state is (\w+) then:", text)
    assert found is not None
    assert "- {drag: " in text
    inputs = tmp_path / "played.yaml"
    inputs.write_text(text, encoding="utf-8")
    world = build(load(BOXES, inputs=inputs))
    world.step(int(found[1]))
    assert f"{world.state_hash():016x}" == found[2]
