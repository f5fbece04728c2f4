# SPDX-License-Identifier: MIT
"""Files: damaged ones are refused in words, and what stands in the way of one is not harmed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import rigid2d.core
from PIL import Image
from rigid2d.cli.states import read_state
from rigid2d.core import Trace
from rigid2d.core.errors import RigidError
from rigid2d.core.jobs.gallery import gallery
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.reading import read_bytes
from rigid2d.core.record import read_snapshot, write_snapshot
from rigid2d.core.render import open_encoder
from rigid2d.core.world import check_snapshot, take_snapshot

from .scene_check import said

SCENE = """\
rigid: 1
world: {steps: 4}
bodies: {ball: {shape: {circle: 0.5}, position: [0, 2]}, box: {shape: {box: [1, 1]}}}
render: {size: [24, 16], fps: 60}
"""
KINDS = {"gif": ".gif", "png": ".png", "csv": ".csv", "npz": ".npz", "snapshot": ".snapshot"}
OBSTACLES = ["folder", "link", "loop", "dangling", "fifo", "device", "full", "long", "missing"]
LOOK = Look(size=(24, 16), fps=30)


@cache
def samples() -> dict[str, bytes]:
    """A good file of each kind that is read."""
    scene = rigid2d.core.loads(SCENE)
    made = Path("sample")
    write_snapshot(made, take_snapshot(scene))
    found = {"snapshot": made.read_bytes()}
    world = rigid2d.core.build(scene)
    world.step(5)
    found["state"], found["engine"] = world.save(), world.native.save()
    rigid2d.core.simulate(scene).save("sample.npz")
    found["npz"] = Path("sample.npz").read_bytes()
    pixels = (np.arange(24 * 16 * 3, dtype=np.uint32) * 7 % 256).astype(np.uint8)
    for kind in ("png", "gif", "jpeg", "webp"):
        stream = io.BytesIO()
        Image.fromarray(pixels.reshape(16, 24, 3)).save(stream, kind)
        found[kind] = stream.getvalue()
    _gallery()
    found["gallery"] = Path("out/gallery.json").read_bytes()
    found["scene"] = SCENE.encode()
    return found


def attack(choose: random.Random) -> bytes:
    """A kind of file and what is done to it, a change a line as JSON."""
    if choose.random() < 0.25:
        kind, obstacle = choose.choice([*KINDS]), choose.choice(OBSTACLES)
        return json.dumps(["write", kind, obstacle]).encode()
    kind = choose.choice(["snapshot", "state", "engine", "npz", "png", "gif", "jpeg", "webp"])
    kind = choose.choice([kind, kind, kind, "gallery", "scene"])
    lines: list[list[Any]] = [["read", kind, choose.choice(["file"] * 9 + OBSTACLES)]]
    for _ in range(choose.choice([1, 1, 2, 5])):
        place, length = choose.random(), choose.choice([0, 1, 1, 2, 8, 100])
        new = choose.choice([[0], [255], [choose.randrange(256)], [0] * 8, [*b"-1"], [*b"9" * 30]])
        how = choose.choice(["put", "put", "put", "cut", "end", "twice", "number"])
        lines.append([how, place, length, new])
    return "\n".join(map(json.dumps, lines)).encode()


def check_attack(case: bytes) -> None:
    """Read the damaged file, or write where something else is."""
    from ..frame import empty_folder

    known = samples_somewhere()
    lines = [json.loads(line) for line in case.decode().splitlines()]
    if not lines or len(lines[0]) != 3:
        return
    what, kind, obstacle = lines[0]
    with empty_folder():
        if what == "write":
            _write(kind, obstacle)
            return
        data = known[kind]
        for change in lines[1:]:
            data = changed(data, *change)
        path = _lay(data, obstacle, KINDS.get(kind, ""))
        try:
            READERS[kind](path)
        except RigidError as error:
            said(error)


def samples_somewhere() -> dict[str, bytes]:
    """The samples, made in a folder that is not kept."""
    from ..frame import empty_folder

    with empty_folder():
        return samples()


def changed(data: bytes, how: str, place: float, length: int, new: list[int]) -> bytes:
    at = int(place * len(data))
    if how == "put":
        return data[:at] + bytes(new) + data[at + len(new) :]
    if how == "cut":
        return data[:at] + data[at + length :]
    if how == "end":
        return data[:at]
    if how == "twice":
        return data[: at + length] + data[at:]
    found = [i for i in range(at, len(data)) if data[i : i + 1].isdigit()][:1]
    return data[: found[0]] + bytes(new) + data[found[0] + 1 :] if found else data


# ---------------------------------------------------------------- what is read


def _read_gallery(path: str) -> None:
    Path("out").mkdir()
    Path("out/mine.txt").write_text("mine")
    with contextlib.suppress(OSError):  # a name that cannot be
        Path(path).rename("out/gallery.json")
    _gallery()
    assert Path("out/mine.txt").read_text() == "mine", "a file of others was changed"


def _gallery() -> None:
    Path("scenes").mkdir(exist_ok=True)
    Path("scenes/a.yaml").write_text(SCENE)
    scene, home = Path("scenes/a.yaml"), Path("scenes")
    (outcome,) = gallery([scene], home, Path("out"), look=LOOK, jobs=1)
    assert outcome.rendered or outcome.error, "neither a picture nor a reason"


def _read_image(path: str) -> None:
    Path("s.yaml").write_text(SCENE.replace("fps: 60", f"background: {{image: '{path}'}}"))
    scene = rigid2d.core.load("s.yaml")
    produce(scene, [Target("png", Path("made.png"))], look=LOOK)


def _read_snapshot(path: str) -> None:
    read_snapshot(path)
    check_snapshot(rigid2d.core.loads(SCENE), path)


def _read_trace(path: str) -> None:
    trace = Trace.load(path)
    assert trace.values.shape == (len(trace.t), len(trace.channels)), "a table of another size"
    trace.save("again.npz")


def _read_state(path: str) -> None:
    world = rigid2d.core.build(rigid2d.core.loads(SCENE))
    state = read_state(path, [world.scene])
    assert state is not None, "a file that is given is read"
    world.restore(state)
    world.step(5)


def _read_engine_state(path: str) -> None:
    """What the engine makes of bytes without the digest that guards them."""
    world = rigid2d.core.build(rigid2d.core.loads(SCENE))
    before = world.native.save()
    try:
        world.native.restore(read_bytes(path, 1 << 24))
    except OSError:
        return
    except ValueError:
        assert world.native.save() == before, "a state that was refused left something"
        return
    world.native.step(5)


READERS: dict[str, Callable[[str], Any]] = {
    "snapshot": _read_snapshot,
    "npz": _read_trace,
    "state": _read_state,
    "engine": _read_engine_state,
    "gallery": _read_gallery,
    "scene": rigid2d.core.load,
    **dict.fromkeys(("png", "gif", "jpeg", "webp"), _read_image),
}


# ---------------------------------------------------------------- what is in the way


def _lay(data: bytes, obstacle: str, suffix: str) -> str:
    """A file, or what should be one; its name."""
    name = f"file{suffix}"
    path = Path(name)
    if obstacle == "file":
        path.write_bytes(data)
    elif obstacle == "folder":
        path.mkdir()
    elif obstacle == "link":
        Path("target").write_bytes(data)
        path.symlink_to("target")
    elif obstacle in ("loop", "dangling"):
        path.symlink_to(name if obstacle == "loop" else "nowhere")
    elif obstacle == "fifo":
        os.mkfifo(name)
    elif obstacle in ("device", "full"):
        path.symlink_to("/dev/null" if obstacle == "device" else "/dev/full")
    elif obstacle == "long":
        return "a" * 300 + suffix
    else:
        return f"missing/{name}"
    return name


def _write(kind: str, obstacle: str) -> None:
    """A run that writes to such a name; afterwards the obstacle is still what it was."""
    name = _lay(b"old", obstacle, KINDS[kind])
    before = os.lstat(name).st_mode if os.path.lexists(name) else None
    reader = os.open(name, os.O_RDONLY | os.O_NONBLOCK) if obstacle == "fifo" else -1
    scene = rigid2d.core.loads(SCENE)
    try:
        if kind == "gif" and obstacle in ("folder", "loop"):
            open_encoder(name, "gif", 30, (24, 16)).abort()
        produce(scene, [Target(kind, Path(name))], look=LOOK)  # type: ignore[arg-type]
    except RigidError as error:
        said(error)
    finally:
        if reader >= 0:
            os.close(reader)
    after = os.lstat(name).st_mode if os.path.lexists(name) else None
    assert before is None or before == after, f"{obstacle} became another file"
    left = [path.name for path in Path().glob(".rigid-*")]
    assert not left, f"left behind: {left}"
