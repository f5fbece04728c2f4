# SPDX-License-Identifier: MIT
"""Sounds of a run: built-in ones, those of files, and the track of a movie.

An event ``sound`` has a name. One that ends in .wav or .ogg is a file beside the scene, one of
``BLIPS`` is built in, and any other one is heard as ``blip``.
"""

from __future__ import annotations

import io
import os
import subprocess
import wave
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..record.recorder import Event
from ..scene.model import Scene
from ..scene.text.sounds import is_file, sound_bytes
from ..scene.values.portable_math import exp, sin
from ..scene.values.row_program import over_rows

Float64 = NDArray[np.float64]
Samples = NDArray[np.int16]

RATE = 22050
"""Samples in a second of built-in sounds, and of tracks."""
LOUDEST = 32767
HEADROOM = 0.7
"""Amplitude of one sound at full volume, as a share of the loudest: others may sound with it."""
MOST_AT_ONCE = 16
"""So many begin in a thirtieth of a second, the loudest of them; more is only noise."""
MOMENT = 1 / 30
ATTACK = 0.003
FADES = 5.0
"""A part is as loud as this power of 1/e of its start after its length."""


@dataclass(frozen=True, slots=True)
class Tone:
    """A tone that glides from a pitch to another one, or noise below a pitch for ``to`` of 0."""

    pitch: float
    to: float
    loud: float
    seconds: float
    delay: float = 0.0


def _noise(pitch: float, loud: float, seconds: float, delay: float = 0.0) -> Tone:
    return Tone(pitch, 0.0, loud, seconds, delay)


BLIPS: dict[str, tuple[Tone, ...]] = {
    "blip": (Tone(880, 880, 0.7, 0.12),),
    "ding": (Tone(1319, 1319, 0.5, 0.9), Tone(2638, 2638, 0.25, 0.5), Tone(3957, 3957, 0.1, 0.3)),
    "click": (_noise(7000, 0.8, 0.03),),
    "pop": (Tone(300, 900, 0.8, 0.09),),
    "knock": (Tone(230, 150, 0.8, 0.1), _noise(1500, 0.5, 0.04)),
    "thud": (Tone(95, 50, 1.0, 0.25), _noise(400, 0.5, 0.08)),
    "crack": (_noise(6000, 0.8, 0.07), _noise(2000, 0.5, 0.14, 0.03)),
    "crash": (_noise(5000, 0.7, 0.5), _noise(900, 0.7, 0.7)),
    "bang": (_noise(1500, 0.9, 0.6), Tone(75, 40, 0.9, 0.5)),
    "splash": (_noise(4000, 0.5, 0.6), _noise(700, 0.5, 0.8, 0.05)),
    "whoosh": (_noise(1500, 0.35, 0.35, 0.0), _noise(900, 0.5, 0.6, 0.08)),
    "pew": (Tone(1500, 220, 0.5, 0.22),),
    "boing": (Tone(140, 420, 0.7, 0.4), Tone(280, 840, 0.2, 0.3)),
    "buzz": tuple(Tone(110 * k, 110 * k, 0.5 / k, 0.4) for k in (1, 3, 5, 7)),
    "fanfare": tuple(
        Tone(pitch, pitch, 0.45, length, 0.14 * k)
        for k, (pitch, length) in enumerate([(523, 0.3), (659, 0.3), (784, 0.3), (1047, 0.9)])
    ),
}
"""The built-in sounds."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A sound of a run: its step, its name, and how loud it is, above 0 and at most 1."""

    step: int
    name: str
    volume: float


def heard(events: Sequence[Event]) -> list[Heard]:
    """The sounds among events."""
    return [
        Heard(event.step, event.a, float(event.b or 1.0))
        for event in events
        if event.kind == "sound"
    ]


def file_of(name: str, scene: Scene) -> Path | None:
    """The file of a sound; None for a built-in one."""
    if not is_file(name):
        return None
    folder = os.path.dirname(scene.path) or "."  # noqa: PTH120 - the path may be no file
    return Path(os.path.realpath(folder)) / name


def encoded(name: str, scene: Scene) -> bytes:
    """A sound as a page takes it: the bytes of its file, or a WAV of a built-in one."""
    path = file_of(name, scene)
    if path is not None:
        return _bytes(path)
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(_whole(_blip(name if name in BLIPS else "blip")).tobytes())
    return made.getvalue()


def track(
    sounds: Sequence[Heard], scene: Scene, times: Sequence[float], fps: float, ffmpeg: str
) -> Samples | None:
    """The sound track of a movie that shows moments at a rate; None where nothing is heard.

    ``ffmpeg`` decodes files of Ogg.
    """
    dt, first = scene.world.dt, times[0]
    last = 2.0 * times[-1] - times[-2] if len(times) > 1 else first
    known = [each for each in sounds if first <= each.step * dt <= last]
    if not known:
        return None
    begins = np.interp([each.step * dt for each in known], times, np.arange(len(times)) / fps)
    mixed = np.zeros(round(len(times) / fps * RATE))
    waves: dict[str, Float64] = {}
    for each in known:
        if each.name not in waves:
            waves[each.name] = _decoded(each.name, scene, ffmpeg)
    for k in _audible(begins, known):
        sound, at = waves[known[k].name], round(begins[k] * RATE)
        piece = sound[: max(0, len(mixed) - at)]
        mixed[at : at + len(piece)] += known[k].volume * piece
    if np.abs(mixed).max(initial=0.0) > 1.0:
        mixed = 1.0 - 2.0 / (over_rows(exp, 2.0 * mixed) + 1.0)  # its hyperbolic tangent
    return _whole(mixed)


def _audible(begins: Float64, known: Sequence[Heard]) -> list[int]:
    """The loudest of each moment."""
    moments: dict[int, list[int]] = {}
    for k, begin in enumerate(begins):
        moments.setdefault(int(begin / MOMENT), []).append(k)
    return [
        k
        for there in moments.values()
        for k in sorted(there, key=lambda k: -known[k].volume)[:MOST_AT_ONCE]
    ]


def _decoded(name: str, scene: Scene, ffmpeg: str) -> Float64:
    path = file_of(name, scene)
    if path is None:
        return _blip(name if name in BLIPS else "blip")
    command = [
        *(ffmpeg, "-hide_banner", "-loglevel", "error", "-i", "-"),
        *("-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"),
    ]
    done = subprocess.run(command, input=_bytes(path), capture_output=True, check=False)
    if done.returncode != 0 or not done.stdout:
        raise UsageError(f"{name}: this sound cannot be decoded")
    even = done.stdout[: len(done.stdout) // 2 * 2]
    return HEADROOM * np.frombuffer(even, "<i2").astype(np.float64) / LOUDEST


def _bytes(path: Path) -> bytes:
    try:
        return sound_bytes(str(path))
    except ValueError as error:
        raise UsageError(f"{path.name}: {error}") from None


# ---------------------------------------------------------------- built-in ones


@lru_cache(maxsize=len(BLIPS))
def _blip(name: str) -> Float64:
    parts = BLIPS[name]
    sound = np.zeros(max(round((part.delay + part.seconds) * RATE) for part in parts))
    for part in parts:
        made, at = _part(part), round(part.delay * RATE)
        sound[at : at + len(made)] += made[: len(sound) - at]
    return HEADROOM * sound / max(1.0, float(np.abs(sound).max()))


def _part(part: Tone) -> Float64:
    t = np.arange(round(part.seconds * RATE)) / RATE
    shape = np.minimum(t / ATTACK, 1.0) * over_rows(exp, -FADES * t / part.seconds)
    if part.to:
        pitch = part.pitch + (part.to - part.pitch) * t / part.seconds
        return np.asarray(part.loud * shape * over_rows(sin, 2.0 * np.pi * np.cumsum(pitch) / RATE))
    wide = max(1, round(RATE / (2.0 * part.pitch)))
    grains = _grains(len(t) + wide - 1)
    smooth = np.convolve(grains, np.full(wide, 1.0 / wide), "valid") * np.sqrt(wide)
    return np.asarray(part.loud * shape * smooth)


def _grains(count: int) -> Float64:
    """Noise from -1 to 1 that is the same everywhere: whole numbers, stirred."""
    x = np.arange(1, count + 1, dtype=np.uint32) * np.uint32(2654435761)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        x = (x ^ (x >> np.uint32(shift))) * np.uint32(factor)
    return x / float(1 << 31) - 1.0


def _whole(sound: Float64) -> Samples:
    return np.asarray(np.round(LOUDEST * np.clip(sound, -1.0, 1.0)), "<i2")


Track = Callable[[str], Samples | None]
"""Makes the sound track of a movie when its pictures are there; it takes a program that decodes."""
