# SPDX-License-Identifier: MIT
"""Live pages that nobody sees, that slept, and that are made with settings."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import build, load
from rigid2d.core.live import live_page
from rigid2d.core.page.document import asset
from rigid2d.core.page.replay import Style
from rigid2d.core.play.replays import recorded_settings

from tests.web.engine import need_module, node

PATIENCE = 20_000
SCENE = """\
rigid: 1
vars: {speed: 2, many: {value: 1, range: [1, 3]}}
world: {duration: 60}
bodies:
  floor: {type: static, shape: {box: [30, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 1], velocity: [=speed, 0], restitution: 0.9}
actuators: {jet: {type: thruster, body: ball, force: [0, 5]}}
controls: {up: {hold: jet}}
"""
AWAY = (
    "away => { Object.defineProperty(document, 'hidden', {value: away, configurable: true});"
    " document.dispatchEvent(new Event('visibilitychange')) }"
)


@pytest.fixture
def tab(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The page of the scene in a file whose name has a space, made with other values."""
    need_module()
    path = tmp_path / "my scene.yaml"
    path.write_text(SCENE, encoding="utf-8")
    scene = load(path, ["vars.speed=3", "world.gravity=[0, -5]"])
    render = scene.render
    file = tmp_path / "page.html"
    page = live_page(scene, Style(render.size, (), render.theme, render.fps))
    file.write_text(page, encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1000, "height": 700})
    tab.goto(file.as_uri())
    tab.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
    yield tab
    tab.close()


def wait_for(tab: Any, condition: str) -> None:
    tab.wait_for_function(f"() => {condition}", timeout=PATIENCE)


def test_a_page_that_is_not_seen_waits(tab: Any) -> None:
    wait_for(tab, "rigid.player.time > 0.2")
    tab.evaluate(AWAY, True)
    wait_for(tab, "rigid.link.latest.mode === 'paused'")
    time = tab.evaluate("rigid.link.latest.time")
    tab.wait_for_timeout(300)
    assert tab.evaluate("rigid.player.time") == time
    tab.evaluate(AWAY, False)
    wait_for(tab, f"rigid.player.time > {time} + 0.2")
    tab.evaluate("rigid.link.ask({do: 'pause'})")
    wait_for(tab, "rigid.link.latest.mode === 'paused'")
    for away in (True, False):
        tab.evaluate(AWAY, away)
    tab.wait_for_timeout(300)
    assert tab.evaluate("rigid.link.latest.mode") == "paused"


def test_a_page_that_slept_goes_on(tab: Any) -> None:
    tab.clock.install()
    tab.reload()
    wait_for(tab, "window.rigid?.player.time > 0.2")
    tab.clock.fast_forward(60_000)  # as a closed lid does: no timer is heard meanwhile
    time = tab.evaluate("rigid.player.time")
    wait_for(tab, f"rigid.player.time > {time} + 0.3 || rigid.link.worker === null")
    assert tab.evaluate("rigid.link.worker !== null")


def test_the_command_of_saved_inputs_has_the_settings_of_the_page(tab: Any, tmp_path: Path) -> None:
    wait_for(tab, "rigid.player.time > 0.2")
    tab.keyboard.down("ArrowUp")
    wait_for(tab, "rigid.player.time > 0.6")
    tab.keyboard.up("ArrowUp")
    tab.evaluate("rigid.link.ask({do: 'pause'}); rigid.link.ask({do: 'save'})")
    wait_for(tab, "rigid.saved")
    text = tab.evaluate("rigid.saved")
    found = re.match(r"# (\d+) steps; the state is (\w+) then:\n# (.*)\n", text)
    assert found is not None
    steps, state, command = found.groups()
    assert command == (
        "rigid run 'my scene.yaml' --set vars.speed=3 --set 'world.gravity=[0, -5]'"
        f" --inputs 'my scene.inputs.yaml' --steps {steps}"
    )
    assert command in tab.locator("#note").inner_text()
    inputs = tmp_path / "my scene.inputs.yaml"
    inputs.write_text(text, encoding="utf-8")
    world = build(load(tmp_path / "my scene.yaml", recorded_settings(inputs), inputs=inputs))
    world.step(int(steps))
    assert f"{world.state_hash():016x}" == state


def test_the_help_names_no_key_twice(tab: Any) -> None:
    tab.keyboard.press("?")
    tab.wait_for_selector("#help[open]", timeout=PATIENCE)
    terms = "[...document.querySelectorAll('#help-keys dt')].map((term) => term.textContent)"
    keys = tab.evaluate(terms)
    assert len({*keys}) == len(keys) > 20, keys
    assert "r" in keys
    assert "show: errors" not in tab.locator("#help-keys").inner_text()
    assert tab.locator("label[for=show-errors] kbd").is_hidden()


@pytest.mark.parametrize(("size", "most"), [(1, 200), (32 << 20, 8)])
def test_the_kept_states_are_few_and_take_little_memory(size: int, most: int) -> None:
    program = node()
    if program is None:
        pytest.skip("node is not installed")
    history = asset("run_worker.js").split("// The rows of the page")[0]
    script = f"""{history}
    const history = new History(), world = {{stepCount: 0, save: () => ({{length: {size}}})}};
    let most = 0;
    for (; world.stepCount < 40000; world.stepCount++) {{
      history.see(world);
      most = Math.max(most, history.states.length);
    }}
    console.log(JSON.stringify([most, history.states.map(({{step}}) => step)]));"""
    done = subprocess.run([program, "-e", script], capture_output=True, text=True, check=True)
    found, steps = json.loads(done.stdout)
    assert found == most
    assert steps[0] == 0
    assert len(steps) > most / 3
    gaps = {b - a for a, b in pairwise(steps)}
    assert len(gaps) == 1
