# SPDX-License-Identifier: MIT
"""Scenes built in a real browser, by mouse and by keys, and what the files say then."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from rigid2d.core import build, load

from tests.editing.conftest import GROUND
from tests.editing.edited import Edit, Point
from tests.page.chromium import Tabs
from tests.page.faults import faults
from tests.play.played import Play
from tests.search import tries

pytest.importorskip("websockets", reason="needs rigid2d[play]")


def test_a_drag_changes_two_numbers_and_nothing_else(edit: Edit) -> None:
    edit.makes((4, 0.5), (2, 1.5))
    assert edit.text == GROUND.replace("position: [4, 0.5]", "position: [2, 1.5]")


def test_shift_moves_what_is_selected_along_an_axis_and_a_click_drops_it(edit: Edit) -> None:
    edit.click((4, 0.5))
    edit.tab.keyboard.down("Shift")
    edit.makes((4, 0.5), (6, 0.9))
    assert edit.tree["bodies"]["crate"]["position"] == [6, 0.5]
    assert edit.say("p.editor.paths()") == ["bodies.crate"]
    edit.click((6, 0.5))
    edit.tab.keyboard.up("Shift")
    assert edit.say("p.editor.paths()") == []


def test_a_car_is_built_by_mouse_and_drives(edit: Edit) -> None:
    edit.tool("b")
    edit.makes((-5, 1), (-2, 1.5))
    edit.tool("c")
    edit.makes((-4.5, 1), (-4.5, 0.5))
    edit.makes((-2.5, 1), (-2.5, 0.5))
    edit.tool("j")
    edit.tab.select_option(".tool-options select", "wheel")
    edit.tab.select_option("[aria-label=Motor]", "speed")
    edit.click((-3.5, 1.25))
    edit.makes((-4.5, 1))
    edit.click((-3.5, 1.25))
    edit.makes((-2.5, 1))
    joints = edit.tree["joints"]
    assert [(each["type"], each["bodies"]) for each in joints.values()] == [
        ("wheel", ["box", "ball"]),
        ("wheel", ["box", "ball_2"]),
    ]
    assert edit.text.startswith(GROUND.rstrip("\n"))
    world = build(load(edit.path))
    before = world.bodies["box"].position[0]
    world.step(60)
    assert world.bodies["box"].position[0] - before > 1.0
    assert edit.undo_all() == 5
    assert edit.text == GROUND


def test_a_polygon_is_split_and_becomes_a_prototype_that_is_used_five_times(edit: Edit) -> None:
    edit.tool("p")
    edit.makes((-6, 1), (-4, 1), (-4, 2), (-5, 3), (-6, 1))
    edit.tool("e")
    edit.tab.click(".tool-options >> text=Split")
    edit.makes((-5, 0.25), (-5, 3.5))
    edit.wait("p.editor.paths().length === 2")
    edit.tool("v")
    edit.tab.get_by_role("button", name="Make prototype").click()
    before = edit.version()
    edit.tab.locator("dialog.ask input").fill("roof")
    edit.tab.keyboard.press("Enter")
    edit.done(before)
    edit.tab.click("#tab-objects")
    edit.wait("p.editor.objects.pictures.get('roof')?.picture")
    edit.tab.click("[data-prototype=roof]")
    for x in (-2, 0, 2, 6):
        edit.makes((x, 5.0))
    assert [each["use"] for each in edit.tree["instances"].values()] == ["roof"] * 5
    assert len(load(edit.path).bodies) == 2 + 5 * 2
    assert edit.undo_all() == 7
    assert edit.text == GROUND


def test_everything_is_done_with_the_keyboard(edit: Edit) -> None:
    edit.tab.locator("#picture").focus()
    edit.tool("b")
    for key in ("ArrowUp", "Enter", *["ArrowRight"] * 3, *["ArrowUp"] * 2):
        edit.tab.keyboard.press(key)
    edit.press("Enter")
    width, height = edit.tree["bodies"]["box"]["shape"]["box"]
    assert width == 1.5 * height
    edit.tool("Escape")
    edit.wait("p.editor.selection[0]?.name === 'box'")
    before = edit.tree["bodies"]["box"]["position"]
    edit.press("ArrowRight")
    after = edit.tree["bodies"]["box"]["position"]
    assert after[0] - before[0] == pytest.approx(width / 3)
    assert after[1] == before[1]
    edit.press("Control+d")
    assert "box_2" in edit.tree["bodies"]
    edit.press("Delete")
    assert "box_2" not in edit.tree["bodies"]
    assert edit.undo_all() == 4
    assert edit.text == GROUND


def test_forms_set_what_is_typed_and_say_what_is_wrong(edit: Edit) -> None:
    edit.click((4, 0.5))
    edit.tab.wait_for_selector("[data-path='bodies.crate.color']")
    before = edit.version()
    edit.tab.fill("[data-path='bodies.crate.color']", "crimson")
    edit.tab.keyboard.press("Tab")
    edit.done(before)
    assert edit.text == GROUND.replace('"tan"', '"crimson"')
    edit.tab.fill("[data-path='bodies.crate.position']", "[1, two]")
    edit.tab.keyboard.press("Tab")
    edit.tab.wait_for_selector(".field-error:not([hidden])")
    assert edit.text == GROUND.replace('"tan"', '"crimson"')


def test_the_text_beside_the_picture_and_the_mouse_take_turns(edit: Edit) -> None:
    edit.click((4, 0.5))
    edit.tab.click("#tab-text")
    edit.tab.wait_for_selector(".cm-lit:has-text('crate')")
    before = edit.version()
    edit.tab.click(".cm-line:has-text('crate')")
    edit.tab.keyboard.press("End")
    edit.tab.keyboard.type("  # mine")
    edit.done(before)
    edit.wait("!p.editor.text.isTyped")
    typed = GROUND.rstrip("\n") + "  # mine\n"
    assert edit.text == typed
    before = edit.version()
    for _ in range(12):  # undone here is what was typed here, and never the file
        edit.tab.keyboard.press("Control+z")
    edit.done(before)
    edit.wait("!p.editor.text.isTyped")
    assert edit.text == GROUND
    before = edit.version()
    edit.tab.keyboard.type("  # mine")
    edit.done(before)
    edit.wait("!p.editor.text.isTyped")
    assert edit.text == typed
    edit.path.write_text(edit.text.replace("[4, 0.5]", "[3, 0.5]"), encoding="utf-8")
    edit.wait(
        "p.editor.desk.text.includes('[3, 0.5]') && p.editor.text.written.includes('[3, 0.5]')"
    )
    edit.wait("p.source.data.text === p.editor.desk.text")
    edit.makes((3, 0.5), (1, 0.5))
    assert "position: [1, 0.5]" in edit.text
    assert "# mine" in edit.text


def test_a_mistake_in_the_text_is_marked_and_stops_the_mouse(edit: Edit) -> None:
    wrong = GROUND.replace("circle", "box").replace("box: [1, 1]", "bax: [1, 1]")
    edit.tab.click("#tab-text")
    edit.path.write_text(wrong, encoding="utf-8")
    edit.tab.wait_for_selector(".cm-lintRange-error")
    edit.tab.click("#trouble .close")
    edit.drag((4, 0.5), (2, 0.5))
    edit.tab.wait_for_selector("#note:not([hidden]) >> text=line 5")
    assert edit.text == wrong


def test_the_matrix_keeps_categories_apart(edit: Edit) -> None:
    edit.path.write_text(GROUND.replace('tan"', 'tan", category: box'), encoding="utf-8")
    edit.wait("p.editor.desk.text.includes('category')")
    edit.tab.click("#tab-blocks")
    edit.tab.select_option("#block", "collision")
    before = edit.version()
    edit.tab.uncheck("[data-path='box default']")
    edit.done(before)
    assert edit.tree["collision"]["ignore"] == [["box", "default"]]
    edit.tab.click("th button >> text=box")
    edit.tab.locator("dialog.ask input").fill("load")
    before = edit.version()
    edit.tab.keyboard.press("Enter")
    edit.done(before)
    assert edit.tree["collision"]["ignore"] == [["load", "default"]]
    assert edit.tree["bodies"]["crate"]["category"] == "load"


def test_one_copy_of_a_generator_is_dragged_alone(edit: Edit) -> None:
    ball = "  ball: {repeat: {i: 3}, shape: {circle: 0.5}, position: [=2*i - 7, 3]"
    edit.path.write_text(f"{GROUND}{ball}}}\n", encoding="utf-8")
    edit.wait("p.source.data.bodies.length === 5 && p.picture.source === p.source")
    before = edit.version()
    edit.drag((-5, 3), (-5, 5))
    edit.tab.click("dialog.ask label:has-text('alone')")
    edit.tab.keyboard.press("Enter")
    edit.done(before)
    assert edit.text == f"{GROUND}{ball}, overrides: {{1: {{position: [-5, 5]}}}}}}\n"
    edit.tab.click(
        "#form-panel .nested:has(> summary:has-text('ball[1] alone')) .more-fields >> nth=0"
    )
    before = edit.version()
    edit.tab.fill("[data-path='bodies.ball[1].color']", "crimson")
    edit.tab.keyboard.press("Enter")
    edit.done(before)
    assert edit.tree["bodies"]["ball"]["overrides"] == {
        1: {"position": [-5, 5], "color": "crimson"}
    }


def test_a_pen_draws_while_the_hand_that_holds_it_rests_on_the_screen(edit: Edit) -> None:
    session = edit.tab.context.new_cdp_session(edit.tab)

    def pen(kind: str, place: Point, buttons: int) -> None:
        x, y = edit.pixel(*place)
        button = "left" if buttons or kind == "mouseReleased" else "none"
        event = {"type": kind, "x": x, "y": y, "button": button, "buttons": buttons}
        event |= {"clickCount": 1, "pointerType": "pen"}
        session.send("Input.dispatchMouseEvent", event)

    def touch(kind: str, *places: Point) -> None:
        points = [dict(zip("xy", edit.pixel(*place), strict=True)) for place in places]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    scale = edit.say("p.picture.lastView.scale")
    edit.tool("b")
    before = edit.version()
    touch("touchStart", (2, 3))
    pen("mouseMoved", (-3, 2), 0)
    pen("mousePressed", (-3, 2), 1)
    touch("touchMove", (2.5, 4))
    for place in ((-2, 2.5), (-1, 3)):
        pen("mouseMoved", place, 1)
    pen("mouseReleased", (-1, 3), 0)
    touch("touchEnd")
    edit.done(before)
    box = edit.tree["bodies"]["box"]
    assert (box["shape"]["box"], box["position"]) == ([2, 1], [-2, 2.5])
    assert edit.say("p.picture.lastView.scale") == scale
    session.detach()


def test_a_file_that_is_wrong_from_the_start_is_mended_in_the_page(tabs: Tabs, path: Path) -> None:
    path.write_text(GROUND.replace("position: [4", "postion: [4"), encoding="utf-8")
    play = Play(tabs, path, edits=True)
    try:
        play.tab.wait_for_selector(".cm-lintRange-error:has-text('postion')")
        play.tab.dblclick(".cm-line span:text-is('postion')")
        play.tab.keyboard.type("position")
        play.wait("p.editor?.schema && p.editor.desk && p.source.data.bodies.length === 2")
        play.wait("p.editor.text.pane.hasFocus && p.editor.text.written === p.editor.desk.text")
        assert path.read_text(encoding="utf-8") == GROUND
    finally:
        play.end()
    assert play.errors == []


def test_a_pose_of_the_run_is_taken(edit: Edit) -> None:
    edit.makes((4, 0.5), (4, 3))
    edit.tab.click("#play")
    edit.wait("p.time > 1.5")
    edit.tab.click("#play")
    edit.wait("!p.playing")
    before = edit.version()
    edit.tab.keyboard.press("Shift+P")
    edit.done(before)
    assert edit.tree["bodies"]["crate"]["position"] == pytest.approx([4, 0.5], abs=0.02)


def test_an_outline_that_is_dropped_becomes_a_prototype(edit: Edit) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h40v20h-40z"/></svg>'
    before = edit.version()
    edit.tab.set_input_files(
        "input[type=file]",
        {"name": "plank.svg", "mimeType": "image/svg+xml", "buffer": drawing.encode()},
    )
    edit.done(before)
    edit.wait("p.source.data.bodies.length === 3")
    assert [each["use"] for each in edit.tree["instances"].values()] == ["plank"]


def test_the_tour_builds_a_car(edit: Edit) -> None:
    edit.tab.click("#files-open")
    edit.tab.click("[role=menuitem] >> text=tour")
    for _ in range(5):
        before = edit.version()
        edit.tab.click(".tour button >> text=Do it")
        edit.done(before)
    assert [*edit.tree["joints"]] == ["drive", "roll"]
    edit.tab.click(".tour button >> text=Play")
    edit.wait("p.time > 0.2")


def test_a_scene_of_many_bodies_is_dragged_and_written_at_once(edit: Edit) -> None:
    count = tries(400, 2000)
    rows = "".join(
        f"  c{i}: {{shape: {{box: [0.4, 0.4]}}, position: [{i % 100 - 50}, {i // 100}]}}\n"
        for i in range(count)
    )
    edit.path.write_text(GROUND + rows, encoding="utf-8")
    edit.wait(f"p.source.data.bodies.length === {count + 2} && p.picture.source === p.source")
    edit.makes((0, 3), (0, 24))
    assert "c350: {shape: {box: [0.4, 0.4]}, position: [0, 24]}" in edit.text


def test_the_offer_of_templates_goes_when_something_is_begun(edit: Edit) -> None:
    for step in ("p.editor.escape()", "p.editor.choose('join')", "p.play()"):
        edit.say("p.editor.files.showStart(true)")
        assert edit.tab.is_visible("#start")
        edit.say(step)
        edit.wait("document.getElementById('start').hidden")
    edit.say("p.pause()")


PHONE = {"width": 390, "height": 844}


def test_axe_finds_no_fault(edit: Edit) -> None:
    whole, beside = None, ".side"  # the part of the page that is looked at
    motion = "{type: loop, duration: 2, tracks: {hinge.motor.speed: [[0, 90], [1, 90]]}}"
    edit.begin(f"{GROUND}{MACHINE}animations: {{wave: {motion}}}\n")
    edit.say("document.getElementById('joint-sliders').open = true")
    blocks = ("collision", "animations", "events", "camera")[: tries(2, 4)]
    choose = (
        "(p.chooseTab('tab-blocks'), p.editor.blocks.choice.value ="
        " '{}', p.editor.blocks.choice.dispatchEvent(new Event('change')))"
    )
    desktop = edit.tab.viewport_size
    for step, part in (
        ("p.editor.select([{kind: 'body', name: 'crate'}])", whole),
        ("p.chooseTab('tab-text')", beside),
        ("p.chooseTab('tab-objects')", beside),
        *((choose.format(each), beside) for each in blocks),
        ("(document.getElementById('grid-open').click(), p.setTheme('dark'))", whole),
        ("document.getElementById('files-open').click()", whole),
    ):
        edit.say(step)
        assert faults(edit.tab, part) == [], step
    for step in ("editor.files.close()", "setTheme('light')"):
        edit.say(f"p.{step}")
    edit.tab.click("#grid-open")
    edit.tab.set_viewport_size(PHONE)
    edit.say("p.editor.select([{kind: 'body', name: 'crate'}])")
    assert faults(edit.tab) == []
    edit.tab.set_viewport_size(desktop)


def test_two_pages_and_a_text_editor_lose_nothing_of_each_other(edit: Edit) -> None:
    start = GROUND.replace("color", "friction: 0, color") + "# 0 words\n"
    edit.path.write_text(start, encoding="utf-8")
    edit.wait("p.editor.desk.text.includes('0 words')")
    other = edit.tabs.take({"width": 700, "height": 700}, {})
    other.goto(edit.server.address)
    other.wait_for_function("() => window.rigid?.player?.editor?.schema")
    count = tries(6, 200)
    loop = """([message, count]) => { window.made = (async () => {
        const {editor} = window.rigid.player, refused = [];
        for (let i = 1; i <= count; i++) {
            const answer = await editor.ask({ask: "edit", edit: message(i)});
            if (answer.refused?.endsWith("try again")) i -= 1;
            else if (!answer.done) refused.push(answer.refused);
        }
        return refused;
    })(); }"""
    edit.tab.evaluate(
        loop.replace("message(i)", "message"),
        [
            {"edit": "move", "what": ["bodies.crate"], "by": [0, 0.25]},
            count,
        ],
    )
    other.evaluate(
        loop.replace("message(i)", "{...message, value: i}"),
        [{"edit": "set", "path": "bodies.crate.friction"}, count],
    )
    for word in range(
        count
    ):  # as a text editor, which reads again what is another text on the disk
        while f"# {word + 1} words" not in edit.text:
            before = edit.text
            after = before.replace(f"# {word} words", f"# {word + 1} words")
            if edit.text == before and before:
                edit.path.write_text(after, encoding="utf-8")
            edit.tab.wait_for_timeout(20)
    refused = [tab.evaluate("() => window.made") for tab in (edit.tab, other)]
    edit.tabs.give_back(other, {})
    assert refused == [[], []]
    expected = start.replace("[4, 0.5]", f"[4, {0.5 + 0.25 * count:g}]")
    expected = expected.replace("friction: 0", f"friction: {count}").replace("# 0", f"# {count}")
    assert edit.text == expected


MACHINE = """\
  arm: {shape: {box: [2, 0.2]}, position: [-5, 3]}
joints:
  hinge: {type: revolute, bodies: [world, arm], anchor: [-6, 3], limits: [-45, 45], motor: {speed: 90}}
  rod: {type: distance, bodies: [world, crate], anchors: [[4, 4], [0, 0]], length: 3.5, spring: {frequency: 2}}
actuators:
  jet: {type: thruster, body: crate, at: [0, -0.5], force: [0, 12]}
  kick: {type: impulse, body: arm, impulse: [0, 1]}
  drill: {type: rotary_motor, body: crate, speed: 180, max_torque: 20}
camera: {mode: region, rect: [[-8, -2], [6, 6]]}
"""  # noqa: E501


def test_values_of_joints_forces_and_the_camera_have_handles(edit: Edit) -> None:
    edit.path.write_text(GROUND + MACHINE, encoding="utf-8")
    edit.wait("p.source.data.joints.length === 2 && p.picture.source === p.source")
    edit.click((-6, 3))
    assert edit.pull("limit 1", -25, -10).startswith("Highest: ")
    assert edit.pull("motor", 12, 8).startswith("Speed: ")
    hinge = edit.tree["joints"]["hinge"]
    assert hinge["limits"][0] == -45
    assert 50 < hinge["limits"][1] < 90
    assert hinge["motor"]["speed"] % 15 == 0
    assert hinge["motor"]["speed"] != 90
    edit.click((4, 3))
    edit.pull("length", 0, -40)
    assert edit.tree["joints"]["rod"]["length"] < 3.5
    edit.pull("spring", -20, 20)
    assert 2 < edit.tree["joints"]["rod"]["spring"]["frequency"] < 8
    x, y = edit.pixel(4, 0)
    edit.tab.mouse.click(x, y - 58)
    edit.pull("force", 0, -30)
    across, up = edit.tree["actuators"]["jet"]["force"]
    assert abs(across) < 0.5
    assert up > 12
    edit.say("p.editor.select([{kind: 'actuator', name: 'kick'}])")
    assert "N·s" in edit.pull("force", 20, 0)
    assert set(edit.tree["actuators"]["kick"]) == {"type", "body", "impulse"}
    edit.say("p.editor.select([{kind: 'actuator', name: 'drill'}])")
    assert edit.pull("speed", 10, 20).startswith("Speed: ")
    assert edit.tree["actuators"]["drill"]["speed"] > 180
    edit.block("camera")
    edit.pull("camera.rect corner 0", -20, 0)
    (left, low), far = edit.tree["camera"]["rect"]
    assert left < -8
    assert (low, far) == (-2, [6, 6])


def test_bars_are_drawn_by_their_ends_and_hold_together(edit: Edit) -> None:
    """From the crate to a place, and from that place to the crate's other corner."""
    edit.tool("r")
    for ends in (((3.5, 1), (3, 3)), ((3, 3), (4.5, 1))):
        edit.drag(*ends)
        edit.wait(f"Object.keys(p.editor.desk.tree.joints ?? {{}}).length >= {ends[1][0] // 2}")
        edit.wait("p.source.data.text === p.editor.desk.text && p.picture.source === p.source")
    edit.wait("Object.keys(p.editor.desk.tree.joints).length === 3")
    edit.wait("p.editor.desk.tree.collision")
    joints = edit.tree["joints"].values()
    assert [(each["bodies"], each["anchor"]) for each in joints] == [
        (["crate", "bar"], [3.5, 1]),
        (["bar", "bar_2"], [3, 3]),
        (["crate", "bar_2"], [4.5, 1]),
    ]
    assert edit.tree["collision"] == {"ignore": [["bar", "bar"]]}
    assert edit.undo_all() == 2
    assert edit.text == GROUND


def test_animated_values_are_keyed_plotted_and_left_out(edit: Edit) -> None:
    tracks = "{hinge.motor.position: [[0, 0], [1, 0]], jet.enabled: [[0, true], [1, true]]}"
    motion = f"animations: {{wave: {{type: loop, duration: 2, tracks: {tracks}}}}}\n"
    edit.begin(GROUND + MACHINE.replace("speed: 90", "position: 0") + motion)
    edit.block("animations")
    line = edit.tab.locator("[aria-label='Keys of hinge.motor.position']").bounding_box()
    edit.tab.mouse.click(
        line["x"] + 0.5 * line["width"], line["y"] + 0.5 * line["height"], button="right"
    )
    edit.wait("p.editor.desk.tree.animations.wave.tracks['jet.enabled'].length === 3")
    assert edit.tree["animations"]["wave"]["tracks"] == {
        "hinge.motor.position": [[0, 0], [0.5, 0], [1, 0]],
        "jet.enabled": [[0, True], [0.5, True], [1, True]],
    }
    before = edit.version()
    edit.tab.click("[aria-label='Do not animate jet.enabled']")
    edit.done(before)
    assert [*edit.tree["animations"]["wave"]["tracks"]] == ["hinge.motor.position"]
    edit.say("document.getElementById('joint-sliders').open = true")
    slider = edit.tab.get_by_label("hinge.motor.position", exact=True)
    before = edit.version()
    slider.evaluate("(it) => { it.value = 30; it.dispatchEvent(new Event('input')); }")
    slider.dispatch_event("change")
    edit.done(before)
    assert edit.tree["animations"]["wave"]["tracks"]["hinge.motor.position"][0] == [0, 30]
    before = edit.version()
    edit.tab.click("[aria-label='hinge.motor.position is animated']")
    edit.done(before)
    assert not edit.tree["animations"], edit.text[-300:]
    edit.click((-6, 3))
    edit.tab.click("#tab-values")
    edit.tab.click("#values >> text=Plot")
    edit.tab.wait_for_selector("#plots .charts canvas")
    edit.say("p.plots.clear()")


def test_an_image_is_put_on_a_body_keyed_and_hidden(edit: Edit) -> None:
    """Its ground is white, the crate below is tan, and its middle is green."""
    image = Image.new("RGB", (8, 8), "white")
    image.paste((0, 128, 0), (2, 2, 6, 6))
    image.save(edit.path.with_name("leaf.png"))

    def colors() -> list[str]:
        """What is seen at the middle of the crate, and near its edge."""
        edit.tab.wait_for_timeout(60)
        shot = Image.open(BytesIO(edit.tab.screenshot())).convert("RGB")
        pixels = (shot.getpixel(edit.pixel(*place)) for place in ((4.1, 0.6), (4.36, 0.8)))
        names = {(255, 255, 255): "white", (0, 128, 0): "green", (210, 180, 140): "tan"}
        return [names.get(pixel, "paper") for pixel in pixels]

    edit.tool("x")
    edit.tool("t")
    edit.click((4, 0.5))
    before = edit.version()
    edit.tab.fill("[aria-label='File of the image']", "leaf.png")
    edit.tab.keyboard.press("Enter")
    edit.done(before)
    assert colors() == ["green", "white"]
    before = edit.version()
    edit.tab.select_option("[aria-label='Colour key']", "first_pixel")
    edit.done(before)
    assert edit.tree["bodies"]["crate"]["texture"] == {
        "file": "leaf.png",
        "color_key": "first_pixel",
    }
    assert colors() == ["green", "paper"]
    edit.tab.uncheck("text=Show images")
    assert colors() == ["tan", "tan"]
    edit.tab.check("text=Show images")
    edit.tool("x")
    assert edit.undo_all() == 2
    assert edit.text == GROUND


def test_a_prototype_is_edited_alone_and_its_copies_follow(edit: Edit) -> None:
    text = (
        GROUND
        + """\
prototypes:
  cart: {bodies: {box: {shape: {box: [2, 1]}}, top: {shape: {box: [1, 1]}, position: [0, 1]}}}
instances:
  one: {use: cart, at: [-6, 1]}
  two: {use: cart, at: [0, 3]}
"""
    )
    edit.path.write_text(text, encoding="utf-8")
    edit.wait("p.source.data.bodies.length === 6 && p.picture.source === p.source")
    edit.tab.mouse.dblclick(*edit.pixel(-6.5, 1.25))
    edit.tab.wait_for_selector(".inside:has-text('cart, used 2 times')")
    edit.makes((-6.25, 2.25), (-5.75, 2.25))
    edit.tool("c")
    edit.makes((-7, 0.5), (-7, 0))
    assert edit.tree["prototypes"]["cart"]["bodies"] == {
        "box": {"shape": {"box": [2, 1]}},
        "top": {"shape": {"box": [1, 1]}, "position": [0.5, 1]},
        "ball": {"shape": {"circle": 0.5}, "position": [-1, -0.5]},
    }
    for _ in range(3):
        edit.tool("Escape")
    edit.wait("!p.editor.inside && p.editor.paths()[0] === 'instances.one'")
    edit.tool("Escape")
    edit.click((4, 0.5))
    edit.tab.fill("[aria-label='Number of copies']", "2")
    edit.tab.keyboard.down("Control")
    edit.makes((4, 0.75), (5.5, 0.75))
    edit.tab.keyboard.up("Control")
    assert edit.tree["bodies"]["crate_3"]["position"] == [7, 0.5]
    assert edit.undo_all() == 3
    assert edit.text == text
