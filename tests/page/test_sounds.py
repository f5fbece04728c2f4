# SPDX-License-Identifier: MIT
"""Sounds of a run: in pages, which are silent until asked, and as the track of a movie."""

from __future__ import annotations

import io
import subprocess
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import SceneError, load, loads
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.record import Recorder
from rigid2d.core.render.sounds import BLIPS, RATE, Heard, encoded, heard, track
from rigid2d.core.world import run

from tests.rows import every_row

LONE = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\n"
SCENE = """\
rigid: 1
world: {duration: 0.6}
render: {size: [64, 48]}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 0.6]}
events:
  - {when: collision, min_impulse: 0.1, do: [{sound: {name: knock, volume: =$impulse/10}}]}
  - {when: time, at: 0.3, do: [{sound: bell.wav}, {sound: {name: hum, volume: =0 - ball.x}}]}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with wave.open(str(tmp_path / "bell.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes((20000 * np.sin(np.arange(800))).astype("<i2").tobytes())
    scene = tmp_path / "scene.yaml"
    scene.write_text(SCENE, encoding="utf-8")
    return scene


def sounds_of(path: Path) -> list[Heard]:
    scene = load(path)
    recorder = Recorder(scene)
    for _ in run(scene, times=[0.6], recorder=recorder):
        pass
    return heard(recorder.events)


def test_collisions_are_as_loud_as_they_are_hard(path: Path) -> None:
    blow, bell = sounds_of(path)  # what has no volume is not heard
    assert (blow.name, bell.name, bell.volume) == ("knock", "bell.wav", 1.0)
    speed = (2 * 9.81 * 0.1) ** 0.5
    assert blow.volume == pytest.approx(np.pi * 0.25 * speed / 10, rel=0.2)


def test_a_sound_file_is_one_of_the_files_of_a_scene(path: Path) -> None:
    assert str(path.with_name("bell.wav").resolve()) in load(path).files
    assert encoded("bell.wav", load(path)) == path.with_name("bell.wav").read_bytes()


@every_row("name", BLIPS)
def test_a_blip_is_a_short_sound_that_ends(name: str) -> None:
    with wave.open(io.BytesIO(encoded(name, loads(LONE)))) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(int)
        assert 0.02 < len(samples) / file.getframerate() < 2
    assert 3000 < np.abs(samples).max() <= 32767
    assert np.abs(samples[-20:]).max() < 1500


def test_an_unknown_name_is_heard_too() -> None:
    scene = loads(LONE)
    assert encoded("whatever", scene) == encoded("blip", scene)


@pytest.mark.parametrize(
    ("sound", "words"),
    [
        ("gone.wav", "there is no file `gone.wav`"),
        ("bell.mp3", "sounds are files of .wav or .ogg"),
        ("sub/bell.og", "sounds are files of .wav or .ogg"),
        ("../bell.wav", "leads out of the scene's folder"),
        ("words.ogg", "`words.ogg` is no sound of .ogg"),
        ("{name: ding, volume: 2}", "must be above 0 and at most 1"),
        ("{name: ding, loud: 1}", "it is `volume`"),
        ("{volume: 1}", "name"),
    ],
)
def test_what_is_no_sound_is_told(path: Path, sound: str, words: str) -> None:
    path.with_name("words.ogg").write_text("words", encoding="utf-8")
    path.write_text(SCENE.replace("{sound: bell.wav}", f"{{sound: {sound}}}"), encoding="utf-8")
    with pytest.raises(SceneError) as caught:
        load(path)
    assert words in str(caught.value)
    assert caught.value.problems[0].line == 9


def test_a_movie_has_its_sounds_when_they_happen(path: Path) -> None:
    """At half the speed a sound at 0.3 s is heard after 0.6 s."""
    scene = load(path)
    times = [k / 60 for k in range(36)]
    made = track([Heard(18, "click", 0.5)], scene, times, 30, "")
    assert made is not None
    assert len(made) == round(1.2 * RATE)
    assert np.flatnonzero(made)[0] == pytest.approx(0.6 * RATE, abs=20)
    assert track([], scene, times, 30, "") is None
    assert track([Heard(100, "click", 1.0)], scene, times, 30, "") is None


def test_the_track_is_in_the_file_unless_it_is_mute(path: Path, tmp_path: Path) -> None:
    import imageio_ffmpeg

    program = imageio_ffmpeg.get_ffmpeg_exe()
    said = []
    for name, look in (("loud.mp4", Look()), ("mute.mp4", Look(mute=True))):
        produce(load(path), [Target("mp4", tmp_path / name)], look=look)
        command = [program, "-hide_banner", "-i", str(tmp_path / name)]
        said.append(subprocess.run(command, capture_output=True, check=False).stderr.decode())
    assert ["Audio: aac" in each for each in said] == [True, False]
    assert all("Video: h264" in each for each in said)


def test_a_page_is_silent_until_it_is_asked_and_plays_what_it_has(
    path: Path, tmp_path: Path, show: Callable[..., Any]
) -> None:
    produce(load(path), [Target("html", tmp_path / "run.html")])
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    tab = show(text)
    assert tab.get_attribute("#sound", "aria-pressed") == "false"
    tab.evaluate("() => { const {player} = rigid; player.loop = false; player.play(); }")
    tab.wait_for_function("() => !rigid.player.playing")
    assert tab.evaluate("rigid.player.sounds.played") == 0
    tab.click("#sound")
    tab.evaluate("() => rigid.player.play()")
    tab.wait_for_function("() => !rigid.player.playing && rigid.player.sounds.played === 2")
    produce(load(path), [Target("html", tmp_path / "mute.html")], look=Look(mute=True))
    tab = show((tmp_path / "mute.html").read_text(encoding="utf-8"))
    assert tab.locator("#sound").is_hidden()
