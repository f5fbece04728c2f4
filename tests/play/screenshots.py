# SPDX-License-Identifier: MIT
"""Makes the picture of playing for the docs: ``python -m tests.play.screenshots FOLDER``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from rigid2d.core.play.game import Game
from rigid2d.core.play.server import PlayServer
from rigid2d.core.play.session import Session

from tests.page.chromium import BROWSERS

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "living" / "by_hand.yaml"
SECONDS = 0.35


def main(folder: Path) -> None:
    """Play the scene to a moment, and keep what is seen."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        sys.exit("screenshots need Chromium; there is none")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as passing, sync_playwright() as driver:
        session = Session(SCENE)
        session.seek_time(4.0)
        session.arrive()
        session.seek_time(SECONDS)
        session.arrive()
        game = Game(session, Path(passing) / "inputs.yaml")
        server = PlayServer(game, 0)
        server.start()
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1180, "height": 800})
        tab.goto(server.address)
        for _ in range(120):
            game.tick()
            tab.wait_for_timeout(5)
        shot = Image.open(BytesIO(tab.screenshot())).convert("RGB")
        shot.quantize(128).save(folder / "play.png", optimize=True)
        browser.close()
        server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
