# SPDX-License-Identifier: MIT
"""Pages in a real browser: playing, scrubbing, clicking, keys, phones, and messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Target

from tests.page.faults import CONTRAST, faults
from tests.page.pages import FAST, SMALL, page_of, settled
from tests.page.test_document import HOSTILE, with_words
from tests.page.waiting import becomes, has, reads, says
from tests.search import tries

Show = Callable[..., Any]
PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture(scope="module")
def small() -> str:
    return page_of(SMALL)


def time_of(tab: Any) -> float:
    return float(tab.evaluate("rigid.player.time"))


def goes_to(tab: Any, wanted: Any) -> None:
    """Until the page is at a time."""
    becomes(lambda: time_of(tab), wanted)


def box_of(tab: Any, what: str) -> dict[str, float]:
    """Where an element is on the screen, once the page stands still."""
    settled(tab)
    return dict(tab.locator(what).bounding_box())


def pixel_of(tab: Any, x: float, y: float) -> tuple[float, float]:
    """Where a point of the world is on the screen."""
    settled(tab)
    place = tab.evaluate(
        """([x, y]) => {
            const view = rigid.player.picture.lastView;
            const box = document.getElementById("picture").getBoundingClientRect();
            return [box.left + view.x(x), box.top + view.y(y)];
        }""",
        [x, y],
    )
    return float(place[0]), float(place[1])


def click_at(tab: Any, x: float, y: float) -> None:
    tab.mouse.click(*pixel_of(tab, x, y))
    settled(tab)


# ---------------------------------------------------------------- time


def test_play_runs_and_pause_stands(small: str, show: Show) -> None:
    tab = show(small)
    tab.click("#play")
    tab.wait_for_function("() => rigid.player.time > 0.1")
    tab.click("#play")
    says(tab, "rigid.player.playing", False)
    has(tab, "#play", "aria-label", "Play")


def test_playing_loops_and_without_loop_it_stops_at_the_end(small: str, show: Show) -> None:
    tab = show(small)
    settled(tab, "rigid.player.speed = 4; rigid.player.seek(1.9); rigid.player.play()")
    tab.wait_for_function("() => rigid.player.time < 1")
    tab.click("#loop")
    settled(tab, "rigid.player.seek(1.9)")
    tab.wait_for_function("() => !rigid.player.playing")
    goes_to(tab, pytest.approx(2.0))


def test_a_click_on_the_time_bar_goes_there(small: str, show: Show) -> None:
    tab = show(small)
    box = box_of(tab, "#time")
    tab.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 0.5 * box["height"])
    goes_to(tab, pytest.approx(0.5, abs=0.01))
    now = pytest.approx(0.5, abs=0.01)
    becomes(lambda: float(tab.get_attribute("#time", "aria-valuenow")), now)


def test_dragging_the_time_bar_scrubs(small: str, show: Show) -> None:
    tab = show(small)
    box = box_of(tab, "#time")
    y = box["y"] + 0.5 * box["height"]
    tab.mouse.move(box["x"] + 0.1 * box["width"], y)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 0.75 * box["width"], y, steps=4)
    tab.mouse.up()
    goes_to(tab, pytest.approx(1.5, abs=0.01))


def test_a_click_on_a_failed_expectation_goes_to_it(small: str, show: Show) -> None:
    tab = show(small)
    mark = tab.locator(".mark.failed")
    assert "ball.y > 100" in mark.get_attribute("aria-label")
    mark.click()
    goes_to(tab, pytest.approx(1.0))
    reads(tab, "#checks", "1 of 2 expectations failed")


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("ArrowRight", 1.0 + 1 / 30),
        ("ArrowLeft", 1.0 - 1 / 30),
        (".", 1.0 + 1 / 30),
        ("Shift+ArrowLeft", 0.0),
        ("Home", 0.0),
        ("End", 2.0),
        ("]", 2.0),
    ],
)
def test_a_key_moves_in_time(key: str, wanted: float, small: str, show: Show) -> None:
    tab = show(small)
    settled(tab, "rigid.player.seek(1)")
    tab.keyboard.press(key)
    goes_to(tab, pytest.approx(wanted, abs=1e-6))


def test_space_plays_and_speeds_change_by_keys(small: str, show: Show) -> None:
    tab = show(small)
    tab.keyboard.press("Space")
    says(tab, "rigid.player.playing", True)
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("ArrowUp")
    becomes(lambda: tab.input_value("#speed"), "4")
    for _ in range(9):
        tab.keyboard.press("<")
    becomes(lambda: tab.input_value("#speed"), "0.0625")


def test_keys_leave_a_list_of_choices_alone(small: str, show: Show) -> None:
    tab = show(small)
    tab.focus("#speed")
    tab.keyboard.press("End")
    becomes(lambda: tab.input_value("#speed"), "4")
    assert time_of(tab) == 0.0


# ---------------------------------------------------------------- the picture


def test_a_body_is_where_the_run_had_it(small: str, show: Show) -> None:
    tab = show(small)
    settled(tab, "rigid.player.seek(0.5)")
    tab.evaluate("rigid.player.select({kind: 'body', index: 1})")
    settled(tab)
    for name, wanted, step in [("y", 2.0 - 0.5 * 9.81 * 0.25, 0.011), ("vy", -4.905, 0.03)]:
        value = tab.locator(f"dt:text-is('{name}') + dd span")
        becomes(lambda value=value: float(value.inner_text()), pytest.approx(wanted, abs=step))


def test_a_body_is_on_its_way_between_frames_that_are_far_apart(show: Show, tmp_path: Path) -> None:
    produce(rigid2d.core.loads(FAST), [Target("html", tmp_path / "fast.html")])
    tab = show((tmp_path / "fast.html").read_text())
    distances = tab.evaluate(
        """() => Array.from({length: 90}, (_, k) => {
             const {pose, notes} = rigid.player.source.at(0.01 + k * 0.04);
             return [Math.hypot(pose[0], pose[1]), notes[0].places[0] - pose[0]];
           })"""
    )
    assert np.array(distances)[:, 0] == pytest.approx(2.0, abs=0.005)
    assert np.array(distances)[:, 1] == pytest.approx(0.0, abs=3e-4)


def test_a_click_selects_a_body_and_lights_its_text(small: str, show: Show) -> None:
    tab = show(small)
    click_at(tab, -2.2, 2.1)
    becomes(lambda: tab.inner_text("#values h2"), "ball")
    tab.click("#tab-text")
    lit = ["  ball:", "    shape: {circle: 0.5, restitution: 0.5}", "    position: [-2, 2]"]
    becomes(tab.locator(".code .lit").all_inner_texts, lit)


def test_a_click_selects_a_joint_and_a_contact(small: str, show: Show) -> None:
    tab = show(small)
    click_at(tab, 1.5, 2.0)
    becomes(lambda: tab.inner_text("#values h2"), "string")
    reads(tab, ".facts", "revolute")
    assert [tab.locator(".facts i").nth(k).inner_text().strip() for k in (0, 3)] == ["N", "N m"]
    settled(tab, "rigid.player.toggleOverlay('contacts'); rigid.player.seek(2)")
    place = tab.evaluate("[...rigid.player.source.at(2).contacts.places.slice(0, 2)]")
    click_at(tab, *place)
    becomes(lambda: tab.inner_text("#values h2"), "Contact")
    reads(tab, ".facts", "normal force")


def test_a_click_beside_everything_selects_nothing(small: str, show: Show) -> None:
    tab = show(small)
    click_at(tab, -2.2, 2.1)
    becomes(lambda: tab.inner_text("#values h2"), "ball")
    click_at(tab, 3.5, 4.5)
    becomes(lambda: tab.inner_text("#values h2"), "Nothing selected")


VARIANTS = """
rigid: 1
name: Two falls
world: {duration: 1}
vars: {g: 10}
bodies:
  ground: {type: static, shape: {box: [8, 0.5]}, position: [0, -8]}
  ball: {shape: {circle: 0.5}, position: [0, 3], gravity_scale: =g/10}
camera: {mode: region, rect: [[-4, -8], [4, 5]]}
render: {size: [400, 200]}
compare: {variants: [{name: here}, {name: there, set: {vars.g: 5}}]}
"""


def test_variants_show_one_time_one_view_and_their_difference(show: Show, tmp_path: Path) -> None:
    scene = rigid2d.core.loads(VARIANTS)
    produce(scene, [Target("html", tmp_path / "a.html")])
    tab = show((tmp_path / "a.html").read_text())
    assert tab.locator(".pane b").all_inner_texts() == ["here", "there"]
    settled(tab, "rigid.player.seek(1), rigid.player.picture.zoom(2)")
    lines = "(key) => rigid.player.source.compared.get(key).line(0).values.at(-1)"
    fallen = tab.evaluate(f"({lines})('all ball.y')")
    apart = tab.evaluate(f"({lines})('less ball.y')")
    assert fallen == pytest.approx(3 - 4.9, abs=0.15)
    assert apart == pytest.approx(4.9 / 2, abs=0.15)
    titles = tab.evaluate("rigid.player.plots.charts.map((chart) => chart.title)")
    assert titles == ["ball.y of all", "ball.y, less that of here"]
    shown = tab.evaluate(
        "[...document.querySelectorAll('.pane canvas')].map((each) => each.toDataURL())"
    )
    assert shown[0] != shown[1]
    box = tab.locator(".pane canvas").nth(1).bounding_box()
    before = tab.evaluate("rigid.player.picture.lastView.scale")
    tab.mouse.move(box["x"] + 50, box["y"] + 50)
    tab.mouse.wheel(0, -120)
    says(tab, f"rigid.player.picture.lastView.scale > {before}", True)


def test_an_overlay_is_one_picture_of_all_variants(show: Show, tmp_path: Path) -> None:
    text = VARIANTS.replace("compare: {", "compare: {layout: overlay, opacity: 1, ")
    text = text.replace("name: here", "name: here, color: blue")
    scene = rigid2d.core.loads(text.replace("name: there", "name: there, color: red"))
    produce(scene, [Target("html", tmp_path / "a.html")])
    tab = show((tmp_path / "a.html").read_text())
    assert tab.locator("canvas[role=img]").count() == 1
    assert tab.locator(".legend b").all_inner_texts() == ["here", "there"]
    settled(tab, "rigid.player.seek(1)")
    # Fallen by 4.9 and 2.45 m from 3 m: blue at -1.9 m, red at 0.55 m.
    look = """([x, y]) => {
        const {context, ratio, lastView: view} = rigid.player.picture;
        const at = context.getImageData(view.x(x) * ratio, view.y(y) * ratio, 1, 1).data;
        return [at[0], at[2]];
    }"""
    red, blue = (tab.evaluate(look, [-0.2, y + 0.1]) for y in (0.55, -1.9))
    assert red == [255, 0]
    assert blue == [0, 255]
    x, y = pixel_of(tab, -0.2, 0.65)
    tab.mouse.click(x, y)
    says(tab, "rigid.player.source.data.bodies[rigid.player.picture.selection.index].name", "ball")


def test_the_wheel_zooms_about_the_pointer(small: str, show: Show) -> None:
    tab = show(small)
    x, y = pixel_of(tab, -2.0, 2.0)
    before = tab.evaluate("rigid.player.picture.lastView.scale")
    tab.mouse.move(x, y)
    tab.mouse.wheel(0, -240)
    tab.wait_for_function(f"() => rigid.player.picture.lastView.scale > {1.2 * before}")
    becomes(lambda: pixel_of(tab, -2.0, 2.0), pytest.approx((x, y), abs=0.5))
    tab.keyboard.press("0")
    says(tab, "rigid.player.picture.lastView.scale", pytest.approx(before))


def test_dragging_moves_the_view_and_selects_nothing(small: str, show: Show) -> None:
    tab = show(small)
    x, y = pixel_of(tab, -2.0, 2.0)
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 60, y + 30, steps=3)
    tab.mouse.up()
    becomes(lambda: pixel_of(tab, -2.0, 2.0), pytest.approx((x + 60, y + 30), abs=1.0))
    assert tab.inner_text("#values h2") == "Nothing selected"


def test_a_followed_body_stays_in_the_middle(small: str, show: Show) -> None:
    tab = show(small)
    tab.evaluate("rigid.player.select({kind: 'body', index: 1})")
    tab.click("#values button:text-is('Follow')")
    box = tab.locator("#picture").bounding_box()
    for time in (0.0, 0.4):
        settled(tab, f"rigid.player.seek({time})")
        y = tab.evaluate("rigid.player.source.at(rigid.player.time).pose[4]")
        middle = (box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
        becomes(lambda y=y: pixel_of(tab, -2.0, y), pytest.approx(middle, abs=1.0))


def test_overlays_are_switched_by_keys_and_boxes(small: str, show: Show) -> None:
    tab = show(small)
    tab.keyboard.press("g")
    says(tab, "[...rigid.player.picture.shown]", ["grid"])
    tab.click("#tab-shown")
    for name in ("contacts", "joints", "velocities", "forces", "trails", "names", "time"):
        tab.check(f"#show-{name}")
    settled(tab, "rigid.player.seek(1.5)")
    tab.uncheck("#show-grid")
    says(tab, "rigid.player.picture.shown.has('grid')", False)


JOINTED = """
rigid: 1
world: {duration: 1}
bodies:
  ground:
    type: static
    shape: {polygon: [[-4, -1], [4, -1], [4, 1], [0, 0], [-4, 1]]}
    friction: 1
  crate: {shape: {box: [0.6, 0.6]}, position: [2, 0.86], angle: 14.036, friction: 1}
  arm: {shape: {box: [1, 0.1]}, position: [-1.5, 3]}
  lift: {shape: {box: [0.4, 0.4]}, position: [0, 3]}
joints:
  hinge: {type: revolute, bodies: [world, arm], anchor: [-2, 3], limits: [-60, 30]}
  rail: {type: prismatic, bodies: [world, lift], axis: [0, 1], limits: [-1, 1]}
camera: {mode: region, rect: [[-4, -1], [4, 5]]}
"""


def test_joints_contacts_and_forces_are_shown_as_in_pictures(show: Show) -> None:
    tab = show(page_of(JOINTED))
    settled(tab, "rigid.player.seek(0.9)")
    picture = "rigid.player.picture.context.canvas.toDataURL()"
    plain = tab.evaluate(picture)
    seen = set()
    for key in "eirmux":
        tab.keyboard.press(key)
        settled(tab)
        seen.add(tab.evaluate(picture))
        tab.keyboard.press(key)
        settled(tab)
    assert len(seen - {plain}) == 6
    assert tab.evaluate(picture) == plain


def test_themes_follow_each_other(small: str, show: Show) -> None:
    tab = show(small)
    for theme in ("light", "dark", "blueprint", "light"):
        has(tab, "html", "data-theme", theme)
        tab.keyboard.press("y")


# ---------------------------------------------------------------- plots


def test_a_plot_shows_the_time_and_a_click_goes_there(small: str, show: Show) -> None:
    tab = show(small)
    tab.evaluate("rigid.player.select({kind: 'body', index: 1})")
    tab.click("#values button:text-is('Plot')")
    titles = ["world: kinetic, potential, energy", "ball: x, y", "ball: vx, vy"]
    becomes(tab.locator(".chart-title span").all_inner_texts, titles)
    settled(tab)
    over = tab.locator(".chart .u-over").first.bounding_box()
    tab.mouse.click(over["x"] + 0.5 * over["width"], over["y"] + 20)
    goes_to(tab, pytest.approx(1.0, abs=0.02))
    now = tab.locator(".chart .now").first
    middle = pytest.approx(over["x"] + 0.5 * over["width"], abs=2.0)
    becomes(lambda: now.bounding_box()["x"], middle)


def test_any_quantity_can_be_plotted_and_taken_away(small: str, show: Show) -> None:
    tab = show(small)
    owner, name = (tab.locator(".plot-bar select").nth(i) for i in (0, 1))
    owner.select_option("string")
    name.select_option("force")
    tab.click(".plot-bar button")
    added = tab.locator(".chart-title span:text-is('string.force')")
    becomes(added.count, 1)
    tab.click("[aria-label='Remove the plot of string.force']")
    becomes(added.count, 0)


def test_recorded_channels_can_be_plotted(show: Show) -> None:
    text = SMALL + "record: {channels: [ball, world.momentum_x]}\n"
    tab = show(page_of(text))
    owners = tab.locator(".plot-bar select").first.locator("option").all_inner_texts()
    assert "world (recorded)" in owners


def test_plots_tell_their_units(show: Show) -> None:
    tab = show(page_of(SMALL + "record: {channels: [ball, world.momentum_x]}\n"))
    unit = tab.locator(".chart-title i")
    becomes(unit.all_inner_texts, [" in J"])
    for owner, name in [("bob", "x"), ("bob", "angle"), ("string", "force"), ("string", "torque")]:
        tab.evaluate("([owner, name]) => rigid.player.plots.add(owner, [name])", [owner, name])
    tab.evaluate("rigid.player.plots.add('recorded world', ['momentum_x'])")
    units = [" in J", " in m", " in rad", " in N", " in N m", " in kg m/s"]
    becomes(unit.all_inner_texts, units)
    label = tab.get_attribute("[aria-label^='Plot of bob.x']", "aria-label")
    assert label == "Plot of bob.x in m over time in seconds"


def test_other_units_of_a_scene_are_those_of_its_plots(show: Show) -> None:
    tab = show(page_of(SMALL.replace("duration: 2", "duration: 100") + "units: screen\n"))
    becomes(tab.locator(".chart-title i").all_inner_texts, [" in kg px²/ms²"])


SIZES = [(1280, 860), (390, 844)]
CORNERS = (
    "minimap: {corner: top_right, size: 0.3}\nannotations: [{text: a, corner: bottom_right}]\n"
)


@pytest.mark.parametrize(
    ("more", "place"),
    [("", "top"), ("minimap: {corner: top_right, size: 0.3}\n", "bottom"), (CORNERS, "middle")],
    ids=["free", "one", "both"],
)
def test_the_buttons_of_the_view_cover_no_corner_that_the_scene_fills(
    more: str, place: str, show: Show
) -> None:
    tab = show(page_of(SMALL + more))
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        stage, buttons = box_of(tab, ".stage"), box_of(tab, ".zoom")
        above = buttons["y"] - stage["y"]
        below = stage["height"] - above - buttons["height"]
        if place == "middle":
            assert above == pytest.approx(below, abs=3)
        else:
            assert 0 < (above if place == "top" else below) < 10


def test_a_trace_plays_without_what_it_does_not_hold(show: Show) -> None:
    tab = show(rigid2d.core.simulate(rigid2d.core.loads(SMALL)).to_html())
    becomes(tab.locator(".chart-title span").all_inner_texts, ["ball: x, y"])
    settled(tab, "rigid.player.select({kind: 'joint', index: 0}); rigid.player.plotSelected()")
    assert "force" not in tab.inner_text(".facts")
    assert tab.is_disabled("#show-contacts")


# ---------------------------------------------------------------- phones


@pytest.mark.parametrize("shape", ["[640, 480]", "[1200, 240]", "[300, 900]"])
def test_a_phone_shows_everything_without_scrolling_sideways(shape: str, show: Show) -> None:
    tab = show(page_of(SMALL + f"render: {{size: {shape}}}\n"), **PHONE)
    settled(tab, "rigid.player.select({kind: 'body', index: 1})")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    for control in (
        ".stage",
        "#back",
        "#play",
        "#on",
        "#loop",
        "#speed",
        "#time",
        "#theme",
        "#home",
    ):
        box = tab.locator(control).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert min(box["width"], box["height"]) >= 24, control


def test_a_phone_on_its_side_shows_the_picture_and_the_time_at_once(small: str, show: Show) -> None:
    tab = show(small, size=(667, 375))
    boxes = [
        tab.locator(control).bounding_box() for control in (".stage", "#play", "#bar", "#loop")
    ]
    assert boxes[0]["height"] > 240
    assert max(box["y"] + box["height"] for box in boxes) <= 375
    assert tab.evaluate("document.documentElement.scrollWidth") <= 667


def test_two_fingers_zoom(small: str, show: Show) -> None:
    tab = show(small, **PHONE)
    settled(tab)
    before = tab.evaluate("rigid.player.picture.lastView.scale")
    tab.evaluate(
        """() => {
            const canvas = document.getElementById("picture");
            const box = canvas.getBoundingClientRect();
            const touch = (type, pointerId, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
              pointerId, pointerType: "touch", clientX: box.left + x, clientY: box.top + y,
            }));
            touch("pointerdown", 11, 150, 100);
            touch("pointerdown", 12, 250, 100);
            touch("pointermove", 11, 100, 100);
            touch("pointermove", 12, 300, 100);
            touch("pointerup", 11, 100, 100);
            touch("pointerup", 12, 300, 100);
        }"""
    )
    says(tab, "rigid.player.picture.lastView.scale", pytest.approx(2 * before, rel=0.01))


def test_a_window_may_change_its_size(small: str, show: Show) -> None:
    tab = show(small)
    for width, height in ((390, 844), (1600, 1000), (700, 320)):
        tab.set_viewport_size({"width": width, "height": height})
        tab.wait_for_function(
            """() => {
                const {canvas, size} = rigid.player.picture;
                const box = canvas.parentElement.getBoundingClientRect();
                return Math.abs(size[0] - box.width) < 3 && Math.abs(size[1] - box.height) < 3;
            }"""
        )
        says(tab, f"document.documentElement.scrollWidth <= {width}", True)


# ---------------------------------------------------------------- who may say what


@pytest.mark.parametrize("words", HOSTILE[:: tries(3, 1)])
def test_what_a_scene_says_is_shown_as_text_and_runs_nothing(words: str, show: Show) -> None:
    tab = show(page_of(with_words(words)))
    said: list[str] = []
    tab.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    tab.evaluate("rigid.player.select({kind: 'body', index: 1}); rigid.player.plotSelected()")
    tab.click("#tab-text")
    shown = tab.evaluate("document.getElementById('name').textContent")
    assert shown == words
    code = tab.evaluate("[...document.querySelectorAll('.code li')].map((e) => e.textContent)")
    assert words.splitlines()[0] in code[1]
    assert tab.locator("#text img, #text script, h1 *, #about script").count() == 0
    assert said == []


def test_axe_finds_no_fault(small: str, show: Show) -> None:
    tab = show(small)
    whole, beside = None, ".side"  # the part of the page that is looked at
    for step, part, rules in (
        ("0", whole, None),
        ("rigid.player.select({kind: 'body', index: 1})", beside, None),
        ("document.getElementById('tab-shown').click()", beside, None),
        ("document.getElementById('tab-text').click()", beside, None),
        ("document.getElementById('tab-about').click()", beside, None),
        ("rigid.player.setTheme('dark')", whole, CONTRAST),
        ("rigid.player.setTheme('blueprint')", whole, CONTRAST),
        ("rigid.player.help()", whole, None),
    ):
        settled(tab, step)
        assert faults(tab, part, rules) == [], step
    tab.keyboard.press("Escape")
    tab.set_viewport_size({"width": 390, "height": 844})
    for step in ("rigid.player.setTheme('light')", "document.getElementById('tab-text').click()"):
        settled(tab, step)
        assert faults(tab) == [], step


def test_axe_finds_a_button_without_a_name_and_text_too_pale(small: str, show: Show) -> None:
    tab = show(small)
    tab.evaluate("document.getElementById('play').removeAttribute('aria-label')")
    tab.evaluate("document.getElementById('play').removeAttribute('title')")
    tab.evaluate("document.getElementById('name').style.color = '#eee'")
    assert [rule for rule, _ in faults(tab)] == ["button-name", "color-contrast"]


def test_everything_has_a_name_and_tabs_go_by_arrows(small: str, show: Show) -> None:
    tab = show(small)
    nameless = tab.evaluate(
        """() => [...document.querySelectorAll("button, select, input, [role=slider], canvas[id]")]
            .filter((e) => !e.getAttribute("aria-label") && !e.textContent.trim())
            .filter((e) => !e.labels?.length)
            .map((e) => e.outerHTML)"""
    )
    assert nameless == []
    tab.focus("#tab-values")
    tab.keyboard.press("ArrowRight")
    has(tab, "#tab-shown", "aria-selected", "true")
    becomes(lambda: (tab.is_visible("#shown"), tab.is_visible("#values")), (True, False))


def test_the_help_lists_the_keys_and_closes_by_escape(small: str, show: Show) -> None:
    tab = show(small)
    tab.keyboard.press("?")
    reads(tab, "#help", "play or pause")
    tab.keyboard.press("Escape")
    becomes(lambda: tab.is_visible("#help"), False)


@pytest.mark.parametrize("theme", ["light", "dark", "blueprint"])
def test_text_can_be_read_on_its_ground(theme: str, small: str, show: Show) -> None:
    tab = show(small)
    settled(
        tab, f"rigid.player.setTheme('{theme}'); rigid.player.select({{kind: 'body', index: 1}})"
    )
    worst = tab.evaluate(
        """() => {
            // The contrast of WCAG 2.2, success criterion 1.4.3.
            const light = (color) => {
              const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255).map(
                (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const ground = (e) => {
              for (; e; e = e.parentElement) {
                const color = getComputedStyle(e).backgroundColor;
                if (!/, 0\\)$/.test(color)) return color;
              }
              return "rgb(255, 255, 255)";
            };
            let worst = [21, ""];
            for (const e of document.querySelectorAll("body *")) {
              const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
              if (!own || !e.offsetParent || e.matches("script, style, option")) continue;
              const both = [light(getComputedStyle(e).color), light(ground(e))];
              const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
              if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 80)];
            }
            return worst;
        }"""
    )
    assert worst[0] >= 4.5, worst
