# SPDX-License-Identifier: MIT
"""Makes the pictures of docs/editor.md: ``python -m tests.editing.screenshots FOLDER``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
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
  post: {repeat: {i: 4}, shape: {box: [0.3, 1]}, position: [=i*0.6 - 9, 0.5],
    overrides: {2: {position: [-7.8, 1.5], color: crimson}}}
  coin: {shape: {circle: 0.4}, position: [9, 0.4], texture: {sheet: coin.png, grid: [4, 2], frame: 6}}
joints:
  drive: {type: wheel, bodies: [chassis, rear], spring: {frequency: 4}, motor: {speed: -180}}
  roll: {type: wheel, bodies: [chassis, front], spring: {frequency: 4, damping_ratio: 0.7}}
  hinge: {type: revolute, bodies: [chassis, lid], anchor: [-1, 1.35], limits: [-20, 60],
    motor: {position: 30}}
actuators:
  jet: {type: thruster, body: roof, at: [0, 0.5], force: [3, 14]}
  spin: {type: rotary_motor, body: coin, speed: 360, max_torque: 5}
animations:
  wave: {type: loop, duration: 2, tracks: {hinge.motor.position: [[0, 0], [0.4, 45], [1, 0]]}}
instances:
  load: {use: crate, at: [-3.5, 1.65]}
  spare: {use: crate, at: [3, 0.4]}
"""  # noqa: E501
STEPS: dict[str, tuple[int, int, str]] = {
    "select": (1180, 800, "e.select([{kind: 'body', name: 'roof'}])"),
    "joint": (1180, 800, "(e.select([{kind: 'joint', name: 'hinge'}]), p.chooseTab('tab-text'))"),
    "forces": (1180, 700, "e.select([{kind: 'actuator', name: 'jet'}])"),
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
    "copy": (1180, 700, "e.select([{kind: 'body', name: 'post[2]'}])"),
    "frames": (
        1180,
        560,
        "(e.select([{kind: 'body', name: 'coin'}]), e.choose('texture'),"
        " [...document.querySelectorAll('.tool-options button')]"
        ".find((each) => each.textContent === 'Cut…').click())",
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
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        path = Path(passing) / "cart.yaml"
        _coins().save(path.with_name("coin.png"))
        path.write_text(SCENE, encoding="utf-8")
        _see(browser, path, STEPS, folder)
        path.write_text(SCENE.replace("polygon", "polgon", 1), encoding="utf-8")
        _see(browser, path, {"mistake": (1180, 500, "0")}, folder)
        browser.close()


def _see(browser: Any, path: Path, steps: dict[str, tuple[int, int, str]], folder: Path) -> None:
    """Keep the pictures of some steps in the page of a file."""
    session = Session(path)
    game = Game(session, desk=SceneDesk(session))
    server = PlayServer(game, 0, opens_tools=True)
    server.start()
    for name, (width, height, act) in steps.items():
        tab = browser.new_page(viewport={"width": width, "height": height})
        tab.goto(server.address)
        _play(game, tab.wait_for_timeout, 100)
        tab.evaluate(f"() => {{ const p = window.rigid?.player, e = p?.editor; {act}; }}")
        _play(game, tab.wait_for_timeout, 60)
        shot = Image.open(BytesIO(tab.screenshot())).convert("RGB")
        shot.quantize(128).save(folder / f"{name}.png", optimize=True)
        tab.close()
    server.stop()


def _coins() -> Image.Image:
    """A sheet of eight frames of a coin that turns."""
    sheet = Image.new("RGBA", (256, 128))
    draw = ImageDraw.Draw(sheet)
    for i in range(8):
        x, y, wide = 64 * (i % 4) + 32, 64 * (i // 4) + 32, 4 + abs(5 * i - 20)
        draw.ellipse((x - wide, y - 24, x + wide, y + 24), fill="goldenrod", outline="sienna")
    return sheet


def _play(game: Game, wait: Callable[[float], None], ticks: int) -> None:
    for _ in range(ticks):
        game.tick()
        wait(8)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
