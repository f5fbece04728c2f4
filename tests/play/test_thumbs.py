# SPDX-License-Identifier: MIT
"""Keys of a game for thumbs and gamepads, and the whole screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.page.chromium import Tabs
from tests.page.waiting import becomes, reads
from tests.play.conftest import SCENE
from tests.play.played import Play
from tests.rows import every_row

PAD_KEYS = """\
controls: {left: jet, right: jet, up: jet, space: jet, b: jet}
"""


@pytest.fixture
def phone(tabs: Tabs, path: Path) -> Iterator[Play]:
    """A game with five keys in a phone."""
    path.write_text(SCENE.replace("controls: {up: jet}\n", PAD_KEYS), encoding="utf-8")
    made = Play(tabs, path, size=(390, 844), has_touch=True, is_mobile=True)
    made.wait("p.picture.lastView && p.status?.controls.length === 5")
    yield made
    made.end()
    assert made.errors == []


def middle(play: Play, key: str) -> dict[str, float]:
    box = play.tab.locator(f"#scene-keys [data-key={key}]").bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def test_thumbs_have_large_keys_on_both_sides_and_hold_several(phone: Play) -> None:
    sides = phone.tab.evaluate(
        "() => [...document.querySelectorAll('.thumb')].map(side => [...side.children].map("
        "button => button.dataset.key))"
    )
    assert sides == [["left", "right"], ["space", "b", "up"]]
    left, right, space = (middle(phone, key) for key in ("left", "right", "space"))
    assert left["x"] < 195 < space["x"]
    box = phone.tab.locator("#scene-keys [data-key=left]").bounding_box()
    assert min(box["width"], box["height"]) >= 64
    phone.tab.tap("#play")
    touch = phone.tab.context.new_cdp_session(phone.tab)

    def fingers(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    fingers("touchStart", left | {"id": 0})
    fingers("touchStart", left | {"id": 0}, space | {"id": 1})
    phone.wait("['left', 'space'].every((key) => p.status.held.includes(key))")
    fingers("touchMove", right | {"id": 0}, space | {"id": 1})  # the thumb slides on
    phone.wait("p.status.held.join() === 'space,right' || p.status.held.join() === 'right,space'")
    fingers("touchEnd")
    phone.wait("p.status.held.length === 0")


def test_a_phone_on_its_side_has_the_keys_beside_the_picture(phone: Play) -> None:
    phone.tab.set_viewport_size({"width": 844, "height": 390})
    stage, play = (phone.tab.locator(each).bounding_box() for each in (".stage", "#play"))
    assert stage["height"] > 250
    assert play["y"] + play["height"] <= 390
    assert phone.tab.evaluate("document.documentElement.scrollWidth") <= 844
    left, space = middle(phone, "left"), middle(phone, "space")
    assert left["x"] < stage["x"] < stage["x"] + stage["width"] < space["x"]
    assert max(left["y"], space["y"]) < 390 - 34
    phone.tab.tap("#play")
    touch = phone.tab.context.new_cdp_session(phone.tab)
    points = [left | {"id": 0}, space | {"id": 1}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    phone.wait("['left', 'space'].every((key) => p.status.held.includes(key))")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.wait("p.status.held.length === 0")


PAD = """() => {
  const button = () => ({pressed: false, value: 0});
  window.pad = {connected: true, index: 0, axes: [0, 0, 0, 0], buttons: Array.from({length: 17}, button)};
  navigator.getGamepads = () => [window.pad, null];
  window.dispatchEvent(new Event("gamepadconnected"));
}"""  # noqa: E501


def test_a_gamepad_holds_the_keys_of_a_scene(phone: Play) -> None:
    phone.tab.tap("#play")
    phone.tab.evaluate(PAD)
    reads(phone.tab, "#note", "space: button 1, b: button 2")
    phone.tab.evaluate("() => { pad.axes[0] = -1; pad.buttons[0].pressed = true; }")
    phone.wait("['left', 'space'].every((key) => p.status.held.includes(key))")
    phone.tab.evaluate("() => { pad.axes[0] = 0; pad.buttons[0].pressed = false; }")
    phone.tab.evaluate("() => { pad.buttons[12].pressed = true; }")
    phone.wait("p.status.held.join() === 'up'")
    phone.tab.evaluate("() => { pad.connected = false; }")
    phone.wait("p.status.held.length === 0")


def test_keys_and_the_picture_have_the_whole_screen(phone: Play) -> None:
    phone.tab.tap("#full")
    phone.tab.wait_for_selector(".left.full")
    box = phone.tab.locator(".stage").bounding_box()
    assert box["height"] > 600
    at = middle(phone, "space")
    assert at["y"] < 844
    phone.tab.tap("#full")
    phone.tab.wait_for_selector(".left:not(.full)")


@every_row(
    ("controls", "sides"),
    [
        ("up", "|up"),
        ("left right", "left right|"),
        ("up down left right space", "left up down right|space"),
        ("w s up down", "w s|up down"),
        ("w s a d up left right enter", "w s a d|enter up left right"),
        ("a d space", "a d|space"),
        ("w x", "w|x"),
    ],
)
def test_each_thumb_has_its_keys(play: Play, controls: str, sides: str) -> None:
    found = play.tab.evaluate(
        "keys => rigid.player.keys.constructor.sidesOf(keys).map(side => side.join(' ')).join('|')",
        controls.split(),
    )
    assert found == sides


@every_row("size", [(1280, 860), (390, 844), (844, 390)], ids=str)
def test_the_picture_and_the_keys_are_above_the_fold(phone: Play, size: tuple[int, int]) -> None:
    phone.tab.set_viewport_size({"width": size[0], "height": size[1]})
    for what in (".stage", ".thumb >> nth=0", ".thumb >> nth=1"):
        becomes(
            lambda what=what: (
                (box := phone.tab.locator(what).bounding_box())["y"] + box["height"] <= size[1]
            ),
            True,
        )


def test_sounds_are_heard_by_who_asks_for_them(tabs: Tabs, path: Path) -> None:
    path.write_text(
        SCENE + "events: [{when: time, at: 0.2, every: 0.2, do: [{sound: knock}]}]\n",
        encoding="utf-8",
    )
    play = Play(tabs, path)
    try:
        play.wait("p.picture.lastView && p.status")
        play.tab.click("#play")
        play.wait("p.time > 0.5 && p.sounds.files.size === 0")
        play.tab.click("#sound")
        play.wait("p.sounds.files.size === 1 && p.sounds.played > 1")
    finally:
        play.end()
    assert play.errors == []
