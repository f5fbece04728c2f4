# SPDX-License-Identifier: MIT
"""Makes the pictures of docs/editor.md: ``python -m tests.editing.screenshots FOLDER``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from rigid2d.core.editing.desk import SceneDesk
from rigid2d.core.play.game import Game
from rigid2d.core.play.server import PlayServer
from rigid2d.core.play.session import Session

from tests.page.chromium import BROWSERS

SCENE = """\
rigid: 1
name: A cart
world: {duration: 8}
collision: {categories: [ground, cart, load]}
prototypes:
  crate: {bodies: {box: {shape: {box: [0.8, 0.8]}, color: tan, category: load}}}
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5], category: ground}
  # The cart rolls on two wheels.
  chassis: {shape: {box: [4, 0.5]}, position: [-3, 1], category: cart}
  rear: {shape: {circle: 0.5}, position: [-4.5, 0.5], category: cart}
  front: {shape: {circle: 0.5}, position: [-1.5, 0.5], category: cart}
  lid: {shape: {box: [2, 0.2]}, position: [0, 1.35]}
  roof: {shape: {polygon: [[-1.2, 0], [1.2, 0], [0.4, 1], [-0.4, 1]]}, position: [6, 0]}
joints:
  drive: {type: wheel, bodies: [chassis, rear], spring: {frequency: 4}, motor: {speed: -180}}
  roll: {type: wheel, bodies: [chassis, front], spring: {frequency: 4, damping_ratio: 0.7}}
  hinge: {type: revolute, bodies: [chassis, lid], anchor: [-1, 1.35], limits: [-20, 60],
    motor: {position: 30}}
animations:
  wave: {type: loop, duration: 2, tracks: {hinge.motor.position: [[0, 0], [0.4, 45], [1, 0]]}}
instances:
  load: {use: crate, at: [-3.5, 1.65]}
  spare: {use: crate, at: [3, 0.4]}
"""
STEPS: dict[str, tuple[int, int, str]] = {
    "select": (1180, 800, "e.select([{kind: 'body', name: 'roof'}])"),
    "joint": (1180, 800, "(e.select([{kind: 'joint', name: 'hinge'}]), p.chooseTab('tab-text'))"),
    "objects": (
        1180,
        800,
        "(e.select([{kind: 'body', name: 'load.box'}]), p.chooseTab('tab-objects'))",
    ),
    "prototype": (1180, 700, "e.editPrototype('spare')"),
    "animation": (
        1180,
        800,
        "(e.select([{kind: 'body', name: 'chassis'}]), p.chooseTab('tab-blocks'),"
        " e.blocks.choice.value = 'animations', e.blocks.choice.dispatchEvent(new Event('change')),"
        " document.querySelector('.key:nth-of-type(2)').click())",
    ),
    "phone": (390, 844, "e.select([{kind: 'body', name: 'chassis'}])"),
}


def main(folder: Path) -> None:
    """Open the tools, and keep what is seen."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        sys.exit("screenshots need Chromium; there is none")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as passing, sync_playwright() as driver:
        path = Path(passing) / "cart.yaml"
        path.write_text(SCENE, encoding="utf-8")
        session = Session(path)
        game = Game(session, desk=SceneDesk(session))
        server = PlayServer(game, 0, opens_tools=True)
        server.start()
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, (width, height, act) in STEPS.items():
            tab = browser.new_page(viewport={"width": width, "height": height})
            tab.goto(server.address)
            _play(game, tab.wait_for_timeout, 100)
            tab.evaluate(f"() => {{ const p = window.rigid.player, e = p.editor; {act}; }}")
            _play(game, tab.wait_for_timeout, 60)
            shot = Image.open(BytesIO(tab.screenshot())).convert("RGB")
            shot.quantize(128).save(folder / f"{name}.png", optimize=True)
            tab.close()
        browser.close()
        server.stop()


def _play(game: Game, wait: Callable[[float], None], ticks: int) -> None:
    for _ in range(ticks):
        game.tick()
        wait(8)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
