# SPDX-License-Identifier: MIT
"""Playing in a real browser: the hand, keys, time, sliders, mistakes, and text that stays text."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import build, load

from tests.page.chromium import Tabs
from tests.page.faults import CONTRAST, faults
from tests.page.kept import assert_looks_as
from tests.page.waiting import becomes, reads
from tests.play.conftest import SCENE
from tests.play.played import Play

pytest.importorskip("websockets", reason="needs rigid2d[play]")

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = """\
name: "<b>Tower</b> <script>window.hacked = 1</script>"
description: "<img src=x onerror='window.hacked = 1'> \\"quotes\\" & more"
state: {score: 0}
events:
  - {when: time, at: 0.1, do: [{log: "<i onclick='window.hacked = 1'>told</i>"}]}
"""


def test_a_body_is_dragged_and_let_go(play: Play) -> None:
    mouse = play.tab.mouse
    play.tab.click("#play")
    mouse.move(*play.pixel(0, 1.5))
    mouse.down()
    mouse.move(*play.pixel(-2, 3.5), steps=5)
    play.wait("Math.abs(p.source.moment.pose[7] - 3.5) < 0.3")
    play.wait("p.source.moment.targets.length === 3")
    mouse.up()
    play.wait("Math.abs(p.source.moment.pose[7] - 0.5) < 0.1")
    assert play.say("p.status.played")


def test_a_scene_of_a_solver_without_mice_says_that_it_cannot_be_pulled_at(
    tabs: Tabs, path: Path
) -> None:
    path.write_text(
        SCENE.replace("duration: 4", "duration: 4, solver: {type: iterative_impulse}"),
        encoding="utf-8",
    )
    play = Play(tabs, path)
    try:
        play.wait("p.status && p.picture.lastView")
        mouse = play.tab.mouse
        mouse.move(*play.pixel(0, 1.5))
        mouse.down()
        play.tab.wait_for_selector("#note:not([hidden])")
        reads(play.tab, "#note", "the textbook solver iterative_impulse cannot be pulled at")
        mouse.up()
        assert not play.say("p.status.played")
    finally:
        play.end()
    assert play.errors == []


def test_keys_of_the_scene_are_held_by_keys_by_fingers_and_by_enter(play: Play) -> None:
    play.tab.locator("#play").focus()
    play.tab.keyboard.press("Enter")
    play.wait("p.status.mode === 'playing'")
    play.tab.keyboard.down("ArrowUp")
    play.wait("p.status.held.includes('up') && p.source.moment.pose[10] > 1")
    play.tab.keyboard.up("ArrowUp")
    play.wait("p.status.held.length === 0")
    play.tab.hover("#scene-keys button")
    play.tab.mouse.down()
    play.wait("p.status.held.includes('up')")
    play.tab.mouse.up()
    play.wait("p.status.held.length === 0")
    play.tab.locator("#scene-keys button").focus()
    play.tab.keyboard.down("Enter")
    play.wait("p.status.held.includes('up')")
    play.tab.keyboard.press("Tab")  # away from it
    play.wait("p.status.held.length === 0")


def test_the_help_tells_the_keys_of_the_scene_and_not_those_that_they_take(play: Play) -> None:
    play.tab.keyboard.press("?")
    keys = [each.split("\n") for each in play.tab.locator("#help-keys dt").all_inner_texts()]
    assert keys[0] == ["up"]
    said = [" ".join(each) for each in keys]
    assert not any("↑" in each or each == "l" for each in said)
    assert ">" in said
    assert any("↓" in each for each in said)


def test_particles_the_minimap_and_plots_in_the_picture_are_drawn(tabs: Tabs, path: Path) -> None:
    path.write_text(
        SCENE
        + "particles: {sparks: {from: ship, rate: 100, life: 0.5}}\n"
        + "minimap: {corner: bottom_left}\n"
        + "annotations: [{plot: [top.y]}]\n",
        encoding="utf-8",
    )
    play = Play(tabs, path)
    try:
        play.wait("p.status && p.picture.lastView")
        play.tab.click("#play")
        play.wait("p.source.moment.sparks.count > 40")
        play.wait("p.source.past.length > 5 && p.source.moment.notes.length === 1")
        samples = "p.source.plotted(p.source.data.notes[0], p.time)"
        assert play.say(f"{samples}.samples.at(-1)[1]") == pytest.approx(1.5, abs=0.05)
        assert play.say("p.picture.overlays.minimap.source === p.source")
    finally:
        play.end()
    assert play.errors == []


def test_joints_have_sliders_and_a_trace_with_its_largest_load(tabs: Tabs, path: Path) -> None:
    path.write_text(
        SCENE.replace("duration: 4", "duration: 4, dt: 0.002")
        + "joints: {pin: {type: revolute, bodies: [world, top], anchor: [0, 2],"
        + " motor: {speed: 0, max_torque: 50}}}\n",
        encoding="utf-8",
    )
    play = Play(tabs, path)
    try:
        play.wait("p.status?.joints.length === 2 && p.picture.lastView")
        play.tab.evaluate("() => window.rigid.player.select({kind: 'joint', index: 0})")
        play.tab.click("#values button:has-text('Plot')")
        play.tab.click("#play")
        play.wait("p.source.moment.loads.length === 4 && p.source.moment.loads[1] > 0")
        play.tab.locator("#joint-0").focus()
        play.tab.keyboard.press("End")
        play.wait("p.status.joints[0].value === 360 && p.status.played")
        reads(play.tab, ".chart .reading", "largest")
        for owner, name in (("pin", "motor_torque"), ("top", "net_force")):
            play.tab.evaluate(f"() => window.rigid.player.plots.add('{owner}', ['{name}'])")
        play.wait("p.source.moment.traces.length === 8")
        play.wait("p.source.series('top', 'net_force').values.some((value) => value > 0)")
        reads(play.tab, ".chart:last-child .reading", "largest")
        play.tab.click("#save")
        play.wait("p.status.replays.length === 1")
        play.tab.select_option("#replays", "record.yaml")
        play.wait("p.status.replay === 'record.yaml' && p.status.joints[0].value === 360")
        play.tab.select_option("#replays", "")
        play.wait("p.status.replay === '' && p.status.joints[0].value === 0")
        play.tab.locator("#joint-0").focus()
        play.tab.keyboard.press("End")
        play.tab.click("#joint-sliders button:not(:disabled)")
        play.wait("!p.status.joints[0].moved && p.status.joints[0].value === 360")
        assert "motor: {speed: 360, max_torque: 50}" in path.read_text(encoding="utf-8")
    finally:
        play.end()
    assert play.errors == []


def test_time_is_rewound_by_the_bar_and_goes_on_from_there(play: Play) -> None:
    play.tab.click("#play")
    play.wait("p.time > 0.6")
    play.tab.click("#play")
    play.wait("p.status.mode === 'paused'")
    box = play.tab.locator("#bar [role=slider]").bounding_box()
    play.tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    play.wait("p.status.mode === 'paused' && Math.abs(p.status.time - p.source.end / 2) < 0.1")
    end = play.say("p.source.end")
    before = play.say("p.status.time")
    play.tab.keyboard.press(".")
    play.wait(f"p.status.time > {before} && p.status.time < {end}")


def test_a_slider_moves_a_var_and_the_value_is_written(play: Play) -> None:
    play.tab.locator("#sliders input[type=range]").fill("5")
    play.wait("p.status.vars[0].value === 5 && p.status.vars[0].moved")
    play.tab.click("#sliders button")
    play.wait("!p.status.vars[0].moved")
    assert play.path.read_text(encoding="utf-8") == SCENE.replace("9.81", "5")


def test_a_slider_counts_from_now_on_where_that_is_wished(play: Play) -> None:
    play.tab.click("#play")
    play.wait("p.status.time > 0.2")
    play.tab.check("#at-once")
    play.tab.locator("#sliders input[type=range]").fill("5")
    play.wait("p.status.vars[0].value === 5 && p.status.played")
    play.wait("p.status.time > 0.5")
    world = play.game.session.world
    assert world is not None
    assert play.game.session.source.values == {}
    assert [entry.sets for entry in play.game.session.entries()] == [{"world.gravity": (0.0, -5.0)}]


def test_a_slider_that_cannot_count_from_now_says_so(tabs: Tabs, path: Path) -> None:
    path.write_text(
        SCENE.replace("  g:", "  wide: {value: 1, range: [0.5, 2]}\n  g:").replace(
            "low: {shape: {box: [1, 1]}", "low: {shape: {box: [=wide, 1]}"
        ),
        encoding="utf-8",
    )
    play = Play(tabs, path)
    try:
        play.wait("p.status")
        play.tab.check("#at-once")
        play.tab.locator("#sliders input[type=range]").first.fill("2")
        play.wait("p.status.vars[0].value === 2")
        play.tab.wait_for_selector("#note:not([hidden])")
        reads(play.tab, "#note", "wide counts from the start")
    finally:
        play.end()


def test_a_slider_tells_all_digits_of_large_numbers_and_moves_by_round_ones(
    tabs: Tabs,
    path: Path,
) -> None:
    path.write_text(SCENE.replace("  g:", "  load: {value: 1000, range: [100, 5000]}\n  g:"))
    play = Play(tabs, path)
    try:
        play.wait("p.status")
        becomes(play.tab.locator("#sliders output").first.inner_text, "1000")
        play.tab.locator("#sliders input[type=range]").first.fill("1234.5678")
        play.wait("p.status.vars[0].value === 1235")
        play.tab.locator("#sliders input[type=range]").nth(1).fill("3.14159")
        play.wait("p.status.vars[1].value === 3.14")
    finally:
        play.end()


def test_mistakes_are_shown_with_line_and_caret_until_they_are_mended(play: Play) -> None:
    play.rewrite(SCENE.replace("shape: {circle", "shpe: {circle"))
    play.tab.wait_for_selector("#trouble:not([hidden])")
    text = play.tab.locator("#trouble").inner_text()
    assert "scene.yaml:10:10" in text
    assert "did you mean `shape`?" in text
    assert "10 |   ship: {shpe" in text
    assert "|          ^" in text
    play.rewrite(SCENE)
    play.tab.wait_for_selector("#trouble", state="hidden")
    play.rewrite(SCENE.replace("world: {gravity: [0, =-g], d", "world: {gravity:\t[0, =-g], dd"))
    play.tab.wait_for_selector("#trouble:not([hidden])")
    lines = play.tab.locator("#trouble pre").first.text_content().split("\n")
    assert lines[0].index("dduration") == lines[1].index("^")
    assert lines[1].count("\t") == 1
    play.rewrite(SCENE)
    play.tab.wait_for_selector("#trouble", state="hidden")


def test_mistakes_are_closed_and_opened_again_and_long_lines_show_their_mark(play: Play) -> None:
    seen = """() => { const box = document.querySelector("#trouble pre").getBoundingClientRect();
        const mark = [...document.querySelectorAll("#trouble .caret")].at(-1);
        const {left, right} = mark.getBoundingClientRect();
        return left >= box.left && right <= box.right; }"""
    play.rewrite(SCENE.replace("circle: 0.5}", f"circle: 0.5}}{' ' * 150}, colour: 3"))
    reads(play.tab, "#trouble", "colour")
    assert play.tab.evaluate(seen)
    long = ", ".join(f"p{i}: [0, 0]" for i in range(60))
    play.rewrite(SCENE.replace("circle: 0.5}", f"circle: 0.5}}, points: {{{long}}}, colr: 3"))
    reads(play.tab, "#trouble", "colr")
    assert play.tab.evaluate(seen)
    lines = play.tab.locator("#trouble pre").first.text_content().split("\n")
    assert lines[0].index("colr") == lines[1].index("^")
    play.tab.keyboard.press("Escape")
    play.tab.wait_for_selector("#trouble", state="hidden")
    play.tab.click("#trouble-open")
    play.tab.click("#trouble .close")
    play.tab.wait_for_selector("#trouble", state="hidden")
    play.rewrite(SCENE.replace("shape: {circle", "shpe: {circle"))
    play.tab.wait_for_selector("#trouble:not([hidden])")
    play.rewrite(SCENE)
    play.tab.wait_for_selector("#trouble", state="hidden")
    play.tab.wait_for_selector("#trouble-open", state="hidden")


def test_who_only_watches_sees_all_and_has_no_hands(tabs: Tabs, path: Path) -> None:
    play = Play(tabs, path, watched=True)
    try:
        play.wait("p.status && p.picture.lastView")
        other = tabs.take({"width": 390, "height": 844}, {})
        other.goto(play.server.watch_address)
        other.wait_for_function("() => window.rigid?.player?.status?.watchers === 2")
        assert other.locator("#scene-keys, .more").first.is_hidden()
        assert other.locator("#play").is_disabled()
        other.keyboard.press("ArrowUp")
        other.keyboard.press("r")
        other.click("#picture")
        other.evaluate("() => rigid.player.seek(1)")
        play.tab.click("#play")
        other.wait_for_function("() => rigid.player.time > 0.3")
        assert play.say("p.status.played") is False
        tabs.give_back(other, {})
    finally:
        play.end()
    assert play.errors == []


def test_a_scene_that_changes_is_shown_at_once_and_keeps_its_time(play: Play) -> None:
    play.tab.click("#play")
    play.wait("p.time > 0.3")
    play.tab.click("#play")
    play.wait("p.status.mode === 'paused'")
    before = play.say("p.status.time")
    play.rewrite(
        SCENE.replace("  ship:", "  more: {shape: {circle: 1}, position: [-5, 1]}\n  ship:")
    )
    play.wait("p.source.data.bodies.length === 5 && p.status.mode === 'paused'")
    assert play.say("p.status.time") == before


def test_the_end_of_a_game_is_seen_on_a_phone_and_play_tells_what_can_be_done(
    tabs: Tabs,
    path: Path,
) -> None:
    path.write_text(SCENE + "outcome: {win: =world.time > 0.2}\n", encoding="utf-8")
    play = Play(tabs, path, size=(390, 844))
    try:
        play.wait("p.status")
        play.tab.click("#play")
        play.wait("p.status.outcome === 'win'")
        becomes(play.tab.locator("#mode").inner_text, "won")
        assert play.tab.locator("#mode").is_visible()
        play.tab.click("#play")
        reads(play.tab, "#note", "come to its end")
        reads(play.tab, "#ending", "Won")
        play.tab.keyboard.press("r")
        play.wait("p.status.outcome === '' && p.status.mode === 'playing'")
        assert not play.tab.locator("#ending").is_visible()
        play.wait("p.status.outcome === 'win'")
        play.tab.click("#again")
        play.wait("p.status.outcome === '' && p.status.mode === 'playing'")
        play.tab.evaluate("rigid.link.ask({do: 'pause'}); rigid.link.ask({do: 'seek', time: 0})")
        play.wait("p.status.mode === 'paused' && p.status.time === 0")
        play.tab.keyboard.down("ArrowUp")
        play.wait("p.status.mode === 'playing' && p.status.held.includes('up')")
        assert play.tab.locator("#speed").get_attribute("title") == "Speed (> ↓)"
        play.rewrite(
            "rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\noutcome: {win: =world.time > 0.1}\n"
        )
        play.wait("p.source.data.bodies.length === 1 && p.status.controls.length === 0")
        play.tab.evaluate("rigid.link.ask({do: 'play'})")
        play.wait("p.status.outcome === 'win'")
        becomes(play.tab.locator("#mode").inner_text, "ended")
        assert not play.tab.locator("#ending").is_visible()
    finally:
        play.end()


@pytest.mark.parametrize(
    ("kind", "size"), [("desktop", (1180, 820)), ("phone", (390, 844))], ids=str
)
def test_a_page_that_is_played_looks_as_it_did(
    kind: str, size: tuple[int, int], tabs: Tabs, path: Path
) -> None:
    play = Play(tabs, path, size=size)
    try:
        play.wait("p.picture.lastView && p.status")
        play.tab.keyboard.press("b")
        play.tab.keyboard.press(".")
        play.wait("p.status.time > 0")
        play.tab.mouse.move(1, 1)
        assert_looks_as(GOLDEN / f"{kind}.png", play.tab.screenshot())
    finally:
        play.end()


def test_a_phone_has_all_controls_below_the_picture_and_none_beside_the_screen(
    tabs: Tabs,
    path: Path,
) -> None:
    play = Play(tabs, path, size=(360, 740))
    try:
        play.wait("p.status")
        assert play.tab.evaluate("document.documentElement.scrollWidth") == 360
        picture = play.tab.locator(".stage").bounding_box()
        for control in ["#play", "#restart", "#over", "#save", "#sliders", "#scene-keys"]:
            box = play.tab.locator(control).bounding_box()
            assert box["y"] >= picture["y"] + picture["height"], control
            assert 0 <= box["x"] <= 360 - box["width"], control
    finally:
        play.end()


def test_what_was_played_is_saved(play: Play) -> None:
    play.tab.click("#play")
    play.tab.keyboard.down("ArrowUp")
    play.wait("p.time > 0.2")
    play.tab.keyboard.up("ArrowUp")
    play.wait("p.status.held.length === 0")
    play.tab.click("#play")
    play.wait("p.status.mode === 'paused'")
    play.tab.click("#save")
    play.tab.wait_for_selector("#note:not([hidden])")
    record = play.path.with_name("record.yaml")
    steps = int(record.read_text(encoding="utf-8").split()[1])
    world = build(load(play.path, inputs=record))
    world.step(steps)
    assert f"{world.state_hash():016x}" in record.read_text(encoding="utf-8")


def test_a_second_page_shows_the_same(play: Play, tabs: Tabs) -> None:
    other = tabs.take({"width": 1100, "height": 800}, {})
    other.goto(play.server.address)
    other.wait_for_function("() => window.rigid?.player?.status?.watchers === 2")
    play.tab.click("#play")
    play.wait("p.time > 0.3")
    play.tab.click("#play")
    play.wait("p.status.mode === 'paused'")
    time = play.say("p.status.time")
    other.wait_for_function(f"() => window.rigid.player.status.time === {time}")
    tabs.give_back(other, {})
    play.wait("p.status.watchers === 1")


def test_what_a_scene_says_stays_text(tabs: Tabs, path: Path) -> None:
    path.write_text(SCENE + HOSTILE, encoding="utf-8")
    play = Play(tabs, path)
    try:
        play.wait("p.status")
        play.tab.click("#play")
        play.wait("p.time > 0.2 && p.status.told.length > 0")
        assert play.tab.locator("#name").inner_text().startswith("<b>Tower</b>")
        assert "<i onclick" in play.tab.locator("#told").inner_text()
        assert play.tab.evaluate("() => window.hacked ?? 0") == 0
        assert play.tab.locator("header b, #told i, #description img").count() == 0
        play.rewrite("rigid: 1\n\"<img src=x onerror='window.hacked=1'>\": 1\n")
        play.tab.wait_for_selector("#trouble:not([hidden])")
        assert "<img" in play.tab.locator("#trouble").inner_text()
        assert play.tab.evaluate("() => window.hacked ?? 0") == 0
    finally:
        play.end()


def test_a_page_that_opens_on_mistakes_shows_the_scene_once_they_are_mended(
    tabs: Tabs,
    path: Path,
) -> None:
    path.write_text("rigid: 1\nbodies: {a: {}}\n", encoding="utf-8")
    play = Play(tabs, path)
    try:
        play.tab.wait_for_selector("#trouble:not([hidden])")
        play.rewrite(SCENE)
        play.wait("p.source.data.bodies.length === 4")
        play.tab.wait_for_selector("#trouble", state="hidden")
    finally:
        play.end()


def test_it_is_played_on_a_phone(tabs: Tabs, path: Path) -> None:
    play = Play(tabs, path, has_touch=True, is_mobile=True)
    try:
        play.wait("p.status && p.picture.lastView")
        play.tab.set_viewport_size({"width": 390, "height": 844})
        play.tab.tap("#play")
        play.wait("p.time > 0.1")
        assert play.tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    finally:
        play.end()


def test_axe_finds_no_fault(tabs: Tabs, path: Path) -> None:
    path.write_text(SCENE + HOSTILE, encoding="utf-8")
    play = Play(tabs, path)
    try:
        play.wait("p.status && p.picture.lastView")
        play.tab.click("#play")
        play.wait("p.time > 0.2")
        play.tab.click("#play")
        play.wait("p.status.mode === 'paused'")
        for text in (SCENE + HOSTILE, SCENE.replace("shape: {circle", "shpe: {circle")):
            play.rewrite(text)
            play.wait(f"Boolean(p.status.trouble) === {str('shpe' in text).lower()}")
            for theme, rules in (("light", None), ("dark", CONTRAST), ("blueprint", CONTRAST)):
                play.say(f"p.setTheme('{theme}')")
                assert faults(play.tab, rules=rules) == [], theme
            play.say("p.setTheme('light')")
            play.tab.set_viewport_size({"width": 390, "height": 844})
            assert faults(play.tab) == []
            play.tab.set_viewport_size({"width": 1280, "height": 860})
    finally:
        play.end()


def test_a_server_that_ends_is_told(tabs: Tabs, path: Path) -> None:
    play = Play(tabs, path)
    try:
        play.wait("p.status")
        play.server.stop()
        play.tab.wait_for_selector("#note:not([hidden])")
        reads(play.tab, "#note", "has ended")
    finally:
        play.end()
