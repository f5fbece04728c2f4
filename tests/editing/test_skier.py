# SPDX-License-Identifier: MIT
"""A skier on a ramp, built from an empty scene by mouse and keyboard alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rigid2d.cli.verbs.templates import EMPTY
from rigid2d.core import build, load

from tests.editing.edited import Edit, Point
from tests.page.chromium import Tabs
from tests.search import EVERYTHING

pytest.importorskip("websockets", reason="needs rigid2d[play]")
IMAGES = Path(__file__).parents[2] / "scenes/figures/images"
PARTS: dict[str, tuple[str, Point, Point]] = {
    "ski": ("b", (2.5, 2), (4.5, 2.2)),
    "shin": ("b", (3.3, 2.2), (3.7, 3)),
    "thigh": ("b", (3.3, 3), (3.7, 3.8)),
    "torso": ("b", (3.2, 3.8), (3.8, 5)),
    "head": ("c", (3.5, 5.3), (3.5, 5.6)),
    "arm": ("b", (3.4, 4), (3.6, 4.8)),
}
JOINTS: dict[str, tuple[Point, Point]] = {
    "ankle": ((4.3, 2.1), (3.5, 2.2)),
    "knee": ((3.4, 2.4), (3.5, 3)),
    "hip": ((3.4, 3.5), (3.5, 3.8)),
    "neck": ((3.25, 4.1), (3.5, 5)),
    "shoulder": ((3.25, 4.1), (3.5, 4.8)),
}


def named(edit: Edit, name: str) -> None:
    """Give what was made another name, in its form."""
    edit.wait(
        "p.editor.paths().length === 1 && document.querySelector('input.title')?.value"
        " === p.editor.paths()[0].split('.')[1]"
    )
    before = edit.version()
    edit.tab.fill("input.title", name)
    edit.tab.keyboard.press("Enter")
    edit.done(before)


def animation(edit: Edit, name: str, duration: str, values: dict[str, str]) -> None:
    """A new animation that a key moves, and the values at its end."""
    edit.block("animations")
    edit.tab.click("text=New animation")
    dialog = edit.tab.locator("dialog.ask")
    dialog.locator("[aria-label=Name]").fill(name)
    dialog.locator("select").select_option("manual")
    dialog.locator("[aria-label=Duration]").fill(duration)
    for joint in values:
        dialog.locator(f"input[value='{joint}.motor.position']").check()
    before = edit.version()
    edit.tab.keyboard.press("Enter")
    edit.done(before)
    for joint, value in values.items():
        edit.tab.click(f"[data-path='{name} {joint}.motor.position 1']")
        before = edit.version()
        edit.tab.fill("[aria-label='Value at 1']", value)
        edit.tab.keyboard.press("Enter")
        edit.done(before)


def keys(edit: Edit, name: str, forward: str, back: str) -> None:
    before = edit.version()
    edit.tab.locator(f"section[aria-label='Animation {name}'] >> text=Keys").click()
    edit.tab.fill("[aria-label='Key forward']", forward)
    edit.tab.fill("[aria-label='Key backward']", back)
    edit.tab.keyboard.press("Enter")
    edit.done(before)
    edit.wait(f"p.editor.desk.tree.controls?.{back}")


def dressed(edit: Edit, place: Point, image: str) -> None:
    edit.tool("t")
    edit.click(place)
    edit.tab.fill("[aria-label='File of the image']", image)
    edit.press("Enter")
    edit.tool("Escape")


@pytest.mark.skipif(not EVERYTHING, reason="a hundred actions: in make test-all")
def test_the_skier_is_built_by_mouse_alone_to_a_gif(tabs: Tabs, tmp_path: Path) -> None:
    path = tmp_path / "skier.yaml"
    path.write_text(EMPTY, encoding="utf-8")
    for name in ("dave_head.png", "dave_torso.png"):
        shutil.copy(IMAGES / name, tmp_path)
    edit = Edit(tabs, path)
    try:
        skier(edit)
        text = edit.text
        assert edit.undo_all() > 40
        assert edit.text == EMPTY
    finally:
        edit.end()
    assert edit.errors == []
    path.write_text(text, encoding="utf-8")
    slides(path)


def skier(edit: Edit) -> None:
    tab = edit.tab
    tab.click("#start button >> text=ground alone")
    edit.tool("p")
    tab.select_option(".tool-options select", "static")
    edit.makes((-12, 0), (-12, 6), (-4, 1.5), (-1, 1), (-1, 0), (-12, 0))
    edit.tool("Escape")
    named(edit, "ramp")
    tab.click("#form-panel .more-fields > summary >> nth=-1")
    edit.types("bodies.ramp.friction", "0")
    tab.mouse.move(*edit.pixel(3.5, 3.5))
    scale = edit.say("p.picture.lastView.scale")
    while edit.say("p.picture.lastView.scale") < 2.5 * scale:
        tab.mouse.wheel(0, -120)
        tab.wait_for_timeout(60)
    for name, (tool, *places) in PARTS.items():
        tab.locator("#picture").focus()
        edit.tool(tool)
        edit.makes(*places)
        named(edit, name)
    tab.locator("#picture").focus()
    edit.tool("j")
    tab.select_option("[aria-label=Motor]", "position")
    for name, (first, second) in JOINTS.items():
        edit.click(first)
        edit.makes(second)
        named(edit, name)
    tab.locator("#picture").focus()
    edit.tool("Escape")
    edit.click((3.5, 3))
    before = edit.version()
    tab.click(".tool-options >> text=Limits")
    edit.done(before)
    edit.pull("limit 0", -30, -20)
    edit.pull("limit 1", -20, 60)
    lowest, highest = edit.tree["joints"]["knee"]["limits"]
    assert -45 < lowest <= 0
    assert highest > 90
    dressed(edit, (3.25, 4.9), "dave_torso.png")
    dressed(edit, (3.5, 5.45), "dave_head.png")
    animation(edit, "crouch", "0.6", {"knee": "70", "hip": "-80", "shoulder": "-50"})
    keys(edit, "crouch", "down", "up")
    animation(edit, "lean", "0.5", {"ankle": "20"})
    keys(edit, "lean", "left", "right")
    edit.click((3.25, 4.2))
    edit.wait("p.editor.paths()[0] === 'bodies.torso'")
    edit.block("camera")
    before = edit.version()
    tab.click("text=Follow torso")
    edit.done(before)
    onto_the_ramp(edit)


def onto_the_ramp(edit: Edit) -> None:
    """Turn the whole figure, and put it on the slope."""
    edit.tool("Escape")
    edit.drag((1.8, 1.5), (5.2, 5.9))
    edit.wait("p.editor.paths().length === 6")
    edit.pull("turn", 100, 40)
    ski: Any = edit.tree["bodies"]["ski"]
    assert ski["angle"] == pytest.approx(-30, abs=16)
    while edit.say("p.picture.lastView.back(0, 0)[0]") > -12:
        edit.tab.mouse.wheel(0, 120)
        edit.tab.wait_for_timeout(60)
    x, y = ski["position"]
    before = edit.version()
    edit.tab.keyboard.down("Alt")
    edit.drag((x + 0.7, y - 0.4), (-9.2, 4.66))
    edit.tab.keyboard.up("Alt")
    edit.done(before)


def slides(path: Path) -> None:
    world = build(load(path))
    start = world["ski"].position[0]
    world.step(120)
    assert world["ski"].position[0] > start + 2
    gif = path.with_suffix(".gif")
    command = [sys.executable, "-m", "rigid2d.cli", "run", str(path), "--gif", str(gif), "-q"]
    subprocess.run([*command, "--seconds", "2"], check=True, timeout=120)
    with Image.open(gif) as movie:
        assert getattr(movie, "n_frames", 1) > 10
