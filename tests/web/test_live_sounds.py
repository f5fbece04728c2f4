# SPDX-License-Identifier: MIT
"""The sounds that a live page has: those of the scene's own actions."""

from __future__ import annotations

from rigid2d.core.live.live_page import sounds_of

from tests.scenes import ROOT, loaded


def test_a_page_has_the_sounds_of_all_actions() -> None:
    scene = loaded(ROOT / "scenes/games/gem_run.yaml")
    assert set(sounds_of(scene)) == {"boing", "ding", "crash", "fanfare"}


def test_a_scene_in_a_picture_is_not_heard() -> None:
    assert sounds_of(loaded(ROOT / "scenes/games/pong_in_a_box.yaml")) == {}
    assert "pong" in sounds_of(loaded(ROOT / "scenes/games/pong.yaml"))
