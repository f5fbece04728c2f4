# SPDX-License-Identifier: MIT
"""Live pages in Chromium: they play, are rewound, and what is done in them replays natively."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import build, load
from rigid2d.core.errors import UsageError
from rigid2d.core.live import live_page
from rigid2d.core.live import module as module_of
from rigid2d.core.page.replay import Style
from rigid2d.core.page.sights import sight_numbers
from rigid2d.core.play.wire import Stage
from rigid2d.core.render.marks.trails import Walks
from rigid2d.core.scene.readings import trail_readings
from rigid2d.core.world import run

from tests.scenes import ROOT
from tests.web.engine import need_module

RAGDOLL = ROOT / "scenes" / "machines" / "ragdoll.yaml"
PYRAMID = ROOT / "scenes" / "stacking" / "pyramid.yaml"
PATIENCE = 20_000
DRAGS = 4
GAME = """\
rigid: 1
bodies: {ship: {shape: {circle: 0.5}, position: [0, 1]}}
controls: {space: {do: [{sound: boing}]}}
events: [{when: time, at: 0.1, every: 0.1, do: [{sound: {name: knock, volume: 0.5}}]}]
outcome: {lose: =world.time > 0.4}
"""


def page_of(path: Path, **options: Any) -> str:
    scene = load(path)
    render = scene.render
    return live_page(scene, Style(render.size, (), render.theme, render.fps), **options)


def open_page(browser: Any, file: Path, path: Path, **options: Any) -> Any:
    """The page of a scene, ready, from the disk."""
    file.write_text(page_of(path, **options), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1000, "height": 700})
    tab.goto(file.as_uri())
    tab.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
    return tab


@pytest.fixture
def ragdoll(browser: Any, tmp_path: Path) -> Iterator[Any]:
    need_module()
    tab = open_page(browser, tmp_path / "page.html", RAGDOLL)
    yield tab
    tab.close()


def wait_for(tab: Any, condition: str) -> None:
    tab.wait_for_function(f"() => {condition}", timeout=PATIENCE)


def test_drags_of_a_page_replay_natively_to_the_same_hash(ragdoll: Any, tmp_path: Path) -> None:
    choose = random.Random(5)
    wait_for(ragdoll, "rigid.player.time > 0.2")
    for _ in range(DRAGS):
        places = ragdoll.evaluate(
            "() => { const {moment, data} = rigid.player.source; return data.bodies.map((b, i) =>"
            " [b.kind, moment.pose[3 * i], moment.pose[3 * i + 1]])"
            ".filter(([kind]) => kind === 'dynamic') }"
        )
        _, x, y = choose.choice(places)
        ask = "request => rigid.link.ask(request)"
        ragdoll.evaluate(ask, {"do": "grab", "x": x, "y": y, "reach": 0.3})
        for _ in range(3):
            x, y = x + choose.uniform(-1, 1), y + choose.uniform(0, 1)
            ragdoll.evaluate(ask, {"do": "drag", "x": x, "y": y})
            ragdoll.wait_for_timeout(60)
        ragdoll.evaluate(ask, {"do": "drop"})
    ragdoll.evaluate("rigid.link.ask({do: 'pause'}); rigid.link.ask({do: 'save'})")
    wait_for(ragdoll, "rigid.saved")
    text = ragdoll.evaluate("rigid.saved")
    found = re.match(r"# (\d+) steps; the state is (\w+) then:", text)
    assert found is not None
    assert text.count("- {drag: ") >= 1, text
    inputs = tmp_path / "played.yaml"
    inputs.write_text(text, encoding="utf-8")
    world = build(load(RAGDOLL, inputs=inputs))
    world.step(int(found[1]))
    assert f"{world.state_hash():016x}" == found[2]


def test_a_page_is_rewound_and_goes_on_alike(ragdoll: Any) -> None:
    pose = "JSON.stringify(Array.from(rigid.player.source.moment.pose))"
    wait_for(ragdoll, "rigid.player.time > 1")
    ragdoll.evaluate("rigid.link.ask({do: 'pause'})")
    wait_for(ragdoll, "!rigid.player.playing")
    ragdoll.evaluate("rigid.link.ask({do: 'seek', time: 0.9})")
    wait_for(ragdoll, "Math.abs(rigid.player.time - 0.9) < 0.01")
    before = ragdoll.evaluate(pose)
    ragdoll.evaluate("rigid.link.ask({do: 'seek', time: 0.1})")
    wait_for(ragdoll, "Math.abs(rigid.player.time - 0.1) < 0.01")
    assert ragdoll.evaluate(pose) != before
    ragdoll.evaluate("rigid.link.ask({do: 'seek', time: 0.9})")
    wait_for(ragdoll, "Math.abs(rigid.player.time - 0.9) < 0.01")
    assert ragdoll.evaluate(pose) == before


def test_a_game_is_played_by_keys(browser: Any, tmp_path: Path) -> None:
    need_module()
    crane = ROOT / "scenes" / "living" / "crane_driver.yaml"
    tab = open_page(browser, tmp_path / "page.html", crane)
    buttons = tab.locator("#scene-keys button")
    assert [buttons.nth(i).get_attribute("data-key") for i in range(buttons.count())] != []
    wait_for(tab, "rigid.player.time > 0.2")
    tab.keyboard.down("ArrowRight")
    wait_for(tab, "rigid.link.latest.held.includes('right')")
    tab.wait_for_timeout(300)
    tab.keyboard.up("ArrowRight")
    wait_for(tab, "rigid.link.latest.held.length === 0")
    tab.evaluate("rigid.link.ask({do: 'pause'}); rigid.link.ask({do: 'save'})")
    wait_for(tab, "rigid.saved")
    text = tab.evaluate("rigid.saved")
    tab.close()
    found = re.match(r"# (\d+) steps; the state is (\w+) then:", text)
    assert found is not None
    assert '- {key: "right"' in text, text
    inputs = tmp_path / "played.yaml"
    inputs.write_text(text, encoding="utf-8")
    world = build(load(crane, inputs=inputs))
    world.step(int(found[1]))
    assert f"{world.state_hash():016x}" == found[2]


def test_sounds_are_heard_if_asked_for_and_a_lost_game_is_played_again(
    browser: Any, tmp_path: Path
) -> None:
    need_module()
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    assert '"sounds":{}' in page_of(path, mute=True)
    tab = open_page(browser, tmp_path / "page.html", path)
    wait_for(tab, "rigid.player.status.outcome === 'lose'")
    assert tab.evaluate("[rigid.player.sounds.played, [...rigid.player.sounds.files.keys()]]") == [
        0,
        ["boing", "knock"],
    ]
    assert tab.locator("#ending").inner_text().startswith("Lost")
    tab.click("#sound")
    tab.keyboard.press("r")
    wait_for(tab, "rigid.player.status.mode === 'playing'")
    wait_for(tab, "rigid.player.status.outcome === 'lose' && rigid.player.sounds.played > 0")
    tab.close()


def test_what_is_born_is_drawn_and_goes(browser: Any, tmp_path: Path) -> None:
    need_module()
    path = ROOT / "scenes" / "living" / "geyser.yaml"
    tab = open_page(browser, tmp_path / "page.html", path)
    own = len(load(path).bodies)
    rows = "rigid.player.source.data.bodies"
    wait_for(tab, f"rigid.player.time > 1.5 && {rows}.length > {own + 5}")
    tab.evaluate("rigid.link.ask({do: 'pause'})")
    wait_for(tab, "!rigid.player.playing")
    names, there, shown = tab.evaluate(
        "() => { const {moment, sketch, data} = rigid.player.source;"
        " const names = data.bodies.map(({name}) => name);"
        " const there = names.filter((_, row) => moment.state[row] & 1);"
        " const items = sketch.items.filter((item) => sketch.isShown(item, moment));"
        " const drawn = new Set(items.map(({body}) => names[body]));"
        " return [names, there, [...drawn]] }"
    )
    world = build(load(path))
    world.step(round(tab.evaluate("rigid.player.time") / world.scene.world.dt))
    assert sorted(there) == sorted(world.bodies)
    assert {name for name in there if "[" in name} <= {*shown} <= {*there}
    assert len(names) > len(there) > own
    tab.evaluate("rigid.link.ask({do: 'seek', time: 0})")
    wait_for(tab, "rigid.player.time === 0")
    found = tab.evaluate("rigid.player.source.moment.state.filter((state) => state & 1).length")
    tab.close()
    assert found == own


def test_a_slider_sets_the_running_world(browser: Any, tmp_path: Path) -> None:
    need_module()
    path = ROOT / "scenes" / "living" / "by_hand.yaml"
    tab = open_page(browser, tmp_path / "page.html", path)
    wait_for(tab, "rigid.player.time > 0.1")
    tab.evaluate("rigid.link.ask({do: 'var', name: 'g', value: 3})")
    wait_for(tab, "Math.abs(rigid.link.latest.vars[0].value - 3) < 0.3")
    tab.evaluate("rigid.link.ask({do: 'pause'}); rigid.link.ask({do: 'save'})")
    wait_for(tab, "rigid.saved")
    text = tab.evaluate("rigid.saved")
    tab.close()
    assert "set: {world.gravity:" in text


def test_texts_and_plots_are_written(browser: Any, tmp_path: Path) -> None:
    need_module()
    tab = open_page(browser, tmp_path / "page.html", ROOT / "scenes" / "figures" / "lever.yaml")
    wait_for(tab, "rigid.player.time > 0.5")
    texts, values = tab.evaluate(
        "(({notes, values}) => [notes.map(({text}) => text), [...values]])"
        "(rigid.player.source.moment)"
    )
    tab.close()
    assert [text.split(" ")[0] for text in texts[:3]] == ["set-point", "angle", "torque"]
    assert len(values) == 1
    assert 0.4 < values[0] < 1.1


def test_particles_that_came_on_the_way_to_a_time_are_there(browser: Any, tmp_path: Path) -> None:
    need_module()
    path = ROOT / "scenes" / "living" / "hop.yaml"
    tab = open_page(browser, tmp_path / "page.html", path, plays=False)
    tab.evaluate("rigid.link.ask({do: 'seek', time: 1})")
    wait_for(tab, "rigid.player.time === 1")
    ages = tab.evaluate(
        "() => { const {count, numbers} = rigid.player.source.moment.sparks;"
        " return Array.from({length: count}, (_, k) => [numbers[4 * k], numbers[4 * k + 3]]) }"
    )
    tab.close()
    of_first = [age for row, age in ages if row == 0]
    assert min(of_first) < 0.1
    assert max(of_first) > 0.9


def test_sheets_show_the_pictures_that_the_run_shows(browser: Any, tmp_path: Path) -> None:
    need_module()
    path = ROOT / "scenes" / "games" / "gem_run.yaml"
    tab = open_page(browser, tmp_path / "page.html", path, mute=True)
    tab.evaluate("rigid.link.ask({do: 'pause'}); rigid.link.ask({do: 'seek', time: 1.5})")
    wait_for(tab, "rigid.player.time === 1.5")
    found = tab.evaluate("[...rigid.player.source.moment.sprites]")
    tab.close()
    world = build(load(path))
    first = world.frame()
    world.step(round(1.5 / world.scene.world.dt))
    sprites = Stage(1, world.scene, first).sprites
    frame = world.frame()
    assert [tuple(each) for each in found] == [(k, s.picture(frame)) for k, s in sprites.items()]
    assert len({picture for _, picture in found}) > 1


TRAIL = """\
rigid: 1
world: {duration: 4, gravity: [0, 0], dt: =1/120}
bodies: {stone: {shape: {circle: 0.2}, position: [2, 0], velocity: [0, 6], trail: {length: 2}}}
joints: {string: {type: distance, bodies: [world, stone], anchor: [0, 0]}}
camera: {mode: region, rect: [[-3, -3], [3, 3]]}
"""


def test_trails_have_the_positions_of_steps_and_go_back_with_the_run(
    browser: Any, tmp_path: Path
) -> None:
    need_module()
    path = tmp_path / "trail.yaml"
    path.write_text(TRAIL, encoding="utf-8")
    tab = open_page(browser, tmp_path / "page.html", path, plays=False)
    kept = "rigid.player.source.walks.of.get(0)"
    for time in (3, 1):
        tab.evaluate(f"rigid.link.ask({{do: 'seek', time: {time}}})")
        wait_for(tab, f"rigid.player.time === {time}")
    found = tab.evaluate(kept)
    tab.close()
    scene = load(path)
    frames = run(scene, fps=30, watched=trail_readings(scene))
    stage = Stage(1, scene, build(scene).frame())
    walks, wanted = Walks(), list[Any]()
    for frame in frames:
        wanted += [place for _, place in walks.follow(frame, [("stone", 0)], stage.near)]
    wanted = [place for place in wanted if place[0] < 1.0]
    assert len(wanted) > 25
    assert np.array(found[: len(wanted)]) == pytest.approx(np.array(wanted), abs=1e-9)
    assert found[-1][0] <= 1.0


FORCES = """\
rigid: 1
world: {dt: 0.01, duration: 4}
bodies:
  ramp: {type: static, shape: {polygon: [[-4, 0], [4, 0], [-4, 2]]}}
  block: {shape: {box: [1, 0.52]}, position: [-1, 1.65], angle: -14, points: {nose: [0.5, 0]}}
  top: {shape: {box: [0.43, 0.4]}, position: [-0.9, 2.2], angle: -14, friction: 0.9}
  bob: {shape: {circle: 0.3}, position: [3, 3], velocity: [1, 0], points: {rim: [0.3, 0]}}
joints:
  rod: {type: distance, bodies: [world, bob], anchors: [[3, 4], [0, 0]], spring: {frequency: 2}}
actuators:
  jet: {type: thruster, body: block, force: [0.4, -0.3], at: [-0.5, 0]}
probes:
  eye: {ray: [[-0.5, 0], [-4, -3]], frame: bob}
  blind: {ray: [[0, 5], [=1 + bob.y, 6]]}
  zone: {shape: {polygon: [[0, 0], [1, 0.2], [0.3, 0.3], [0.2, 1]]}, at: [2.5, 2.5], angle: 20}
  rim: {velocity_of: bob, at: [0.3, 0]}
annotations:
  - {free_body: block, show: both, components: block}
  - {free_body: block, at: [-3, 4], show: name}
  - {free_body: bob, show: value, scale: 40}
  - {vector: bob.velocity, show: both, components: 0}
  - {vector: bob.points.rim.velocity, label: "rim {bob.omega:.2f}"}
  - {vector: bob.acceleration, show: value}
  - {vector: bob.net_force, show: both}
  - {vector: bob.momentum, label: p}
  - {vector: rod.force, show: both}
  - {vector: rod.on(world).force, show: name}
  - {vector: block.contact.with(ramp).normal_force, show: both}
  - {vector: block.contact.with(ramp).friction_force, show: both}
  - {vector: block.contact.with(top).force, show: both}
  - {vector: block.normal_force, show: value}
  - {vector: block.contact_force, show: value}
  - {vector: block.force, show: value}
  - {vector: top.friction_force, show: value, components: 30}
  - {vector: [=bob.vx, 0.5], follow: bob, label: two}
  - {scale_bar: force, corner: bottom_right}
  - {text: "{block.sliding:d} {world.total_energy:.2f}", follow: block.points.nose}
  - {dimension: [[0, 4], bob], offset: 0.2}
camera: {mode: region, rect: [[-4, -1], [6, 6]]}
"""


def test_annotations_are_as_they_are_elsewhere(browser: Any, tmp_path: Path) -> None:
    need_module()
    path = tmp_path / "forces.yaml"
    path.write_text(FORCES, encoding="utf-8")
    tab = open_page(browser, tmp_path / "page.html", path, plays=False)
    tab.evaluate("rigid.link.ask({do: 'seek', time: 0.6})")
    wait_for(tab, "Math.abs(rigid.player.source.moment.time - 0.6) < 1e-9")
    found = tab.evaluate(
        "rigid.player.source.moment.notes.map(({look, text, places}) =>"
        " [rigid.player.source.data.notes.indexOf(look.of ?? look), text, [...places], look.tone])"
    )
    sights = tab.evaluate("[...rigid.player.source.moment.sights]")
    told = tab.evaluate("document.querySelector('#told').textContent")
    tab.close()
    assert "not drawn" not in told
    scene = load(path)
    frames = [*run(scene, steps=60, times=[0.0, 0.59, 0.6], want_contacts=True)]
    assert sights == pytest.approx(sight_numbers(frames[-1].sights), abs=1e-5)
    stage = Stage(1, scene, frames[0])
    for frame in frames:
        moment = stage.moment(frame)
    wanted = json.loads(moment[moment.index(b"[[0, ") :])
    assert [[row, text, tone] for row, text, _, tone in found] == [
        [row, text, tone] for row, text, _, tone, _ in wanted
    ]
    for (_, _, places, _), (_, _, others, _, _) in zip(found, wanted, strict=True):
        assert places == pytest.approx(others, abs=1e-6)


def test_the_mouse_pulls_a_body(ragdoll: Any) -> None:
    wait_for(ragdoll, "rigid.player.time > 0.1")
    ragdoll.evaluate("rigid.link.ask({do: 'pause'})")
    wait_for(ragdoll, "!rigid.player.playing")
    box = ragdoll.locator("#picture").bounding_box()
    x, y = ragdoll.evaluate(
        "() => { const {source: {data, moment}, picture: {lastView}} = rigid.player;"
        " const i = data.bodies.findIndex(({kind}) => kind === 'dynamic');"
        " return [lastView.x(moment.pose[3 * i]), lastView.y(moment.pose[3 * i + 1])] }"
    )
    ragdoll.mouse.move(box["x"] + x, box["y"] + y)
    ragdoll.mouse.down()
    ragdoll.mouse.move(box["x"] + x + 40, box["y"] + y - 40, steps=4)
    ragdoll.evaluate("rigid.link.ask({do: 'step'})")
    wait_for(ragdoll, "rigid.player.source.moment.hands?.length === 1")
    ragdoll.mouse.up()
    wait_for(ragdoll, "rigid.link.latest.played")


def test_a_page_may_do_nothing_but_run_its_own_program(tmp_path: Path) -> None:
    need_module()
    text = page_of(PYRAMID)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    parts = dict(part.strip().partition(" ")[::2] for part in policy[1].split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["connect-src"] == "'none'"
    assert parts["worker-src"] == "blob:"
    words = parts["script-src"].split()
    assert [word for word in words if not word.startswith("'sha256-")] == ["'wasm-unsafe-eval'"]
    linked = page_of(PYRAMID, link=True)
    assert "connect-src 'self'" in linked
    assert len(linked) < len(text) / 2


def test_a_missing_engine_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module_of, "WASM", tmp_path / "librigid.wasm")
    with pytest.raises(UsageError, match="make web"):
        page_of(PYRAMID)


def test_an_engine_of_other_sources_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "librigid.wasm"
    file.write_bytes(b"\0asm\1\0\0\0")
    monkeypatch.setattr(module_of, "WASM", file)
    with pytest.raises(UsageError, match=r"from other sources.*make web"):
        page_of(PYRAMID)


def test_a_scene_that_only_python_runs_is_refused_by_name() -> None:
    need_module()
    with pytest.raises(UsageError, match=r"need Python: the textbook solver pgs_matrix"):
        page_of(ROOT / "scenes" / "solvers" / "four_piles.yaml")
