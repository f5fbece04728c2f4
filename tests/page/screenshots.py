# SPDX-License-Identifier: MIT
"""Makes the pictures of docs/see-and-play.md: ``python -m tests.page.screenshots FOLDER``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

import rigid2d.core
from PIL import Image
from playwright.sync_api import sync_playwright
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Target

from tests.page.chromium import BROWSERS
from tests.page.conftest import WAYS_IN
from tests.page.pages import settled

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "machines" / "dump_truck.yaml"
SELECTED = """
  const {player} = rigid, {bodies} = player.source.data;
  player.seek(3.2 * player.source.data.units.second);
  player.select({kind: "body", index: bodies.findIndex(({name}) => name === "bed")});
  for (const name of ["contacts", "velocities"]) player.toggleOverlay(name);
"""
SHOTS: dict[str, dict[str, Any]] = {
    "page": {"viewport": {"width": 1180, "height": 860}},
    "phone": {"viewport": {"width": 390, "height": 780}, "device_scale_factor": 1.5},
}


def main(folder: Path) -> None:
    """Run the scene, open its page in each size, and keep what is seen."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        sys.exit("screenshots need Chromium; there is none")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as passing, sync_playwright() as driver:
        page = Path(passing) / "page.html"
        produce(rigid2d.core.load(SCENE), [Target("html", page)])
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, options in SHOTS.items():
            tab = browser.new_page(**options)
            tab.goto(page.as_uri() + WAYS_IN)
            tab.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
            settled(tab, f"() => {{{SELECTED}}}")
            shot = Image.open(BytesIO(tab.screenshot())).convert("RGB")
            shot.quantize(128).save(folder / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
