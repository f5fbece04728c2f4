# SPDX-License-Identifier: MIT
"""Names that no file can have: every function that reads or writes one says so in its own error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rigid2d.core
from rigid2d.core.errors import RigidError, UsageError
from rigid2d.core.jobs.gallery import gallery
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.record import (
    CsvWriter,
    atomic_file,
    read_npz,
    read_snapshot,
    write_csv,
    write_npz,
    write_snapshot,
)
from rigid2d.core.render import KINDS, Output, open_encoder, render
from rigid2d.core.world import check_snapshot, take_snapshot

TEXT = "rigid: 1\nworld: {duration: 0.1}\nbodies: {ball: {shape: {circle: 1}}}\n"
NAMES = {
    "a long name": "x" * 300,
    "a long path": "/".join(["y" * 200] * 30),
    "in a file": "scene.yaml/inside",
}
LOOK = Look(size=(32, 32), fps=5)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scene.yaml").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def calls(name: str) -> dict[str, Callable[[], Any]]:
    scene = rigid2d.core.load("scene.yaml")
    trace, snapshot = rigid2d.core.simulate(scene), take_snapshot(scene)
    here = Path("scene.yaml")
    return {
        "load": lambda: rigid2d.core.load(name),
        "Trace.save": lambda: trace.save(name),
        "Trace.load": lambda: rigid2d.core.Trace.load(name),
        "write_npz": lambda: write_npz(name, trace),
        "read_npz": lambda: read_npz(name),
        "write_csv": lambda: write_csv(name, trace),
        "CsvWriter": lambda: CsvWriter(name, ["ball.x"]),
        "write_snapshot": lambda: write_snapshot(name, snapshot),
        "read_snapshot": lambda: read_snapshot(name),
        "check_snapshot": lambda: check_snapshot(scene, name),
        "Recorder": lambda: rigid2d.core.Recorder(scene, csv=name),
        "atomic_file": lambda: atomic_file(name).__enter__(),
        **{
            f"open_encoder {kind}": lambda kind=kind: open_encoder(name, kind, 5, (32, 32))
            for kind in KINDS
        },
        **{
            f"produce {kind}": lambda kind=kind: produce(
                scene, [Target(kind, Path(name))], look=LOOK
            )
            for kind in ("gif", "frames", "csv", "npz", "snapshot")
        },
        "render": lambda: render(
            scene, rigid2d.core.run(scene, fps=5), [Output(name, "png")], size=(32, 32)
        ),
        "gallery": lambda: [*gallery([here], Path(), Path(name), look=LOOK, jobs=1)],
    }


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_every_function_refuses_a_name_that_no_file_can_have(folder: Path, name: str) -> None:
    foreign = []
    for function, call in calls(name).items():
        try:
            call()
            foreign.append(f"{function}: was taken")
        except RigidError as error:
            if name not in str(error):
                foreign.append(f"{function}: does not name the file: {error}")
        except Exception as error:
            foreign.append(f"{function}: {type(error).__name__}")
    assert foreign == []
    assert [path.name for path in folder.iterdir()] == ["scene.yaml"]


def test_a_gallery_needs_a_folder(folder: Path) -> None:
    (folder / "file").write_text("")
    with pytest.raises(UsageError, match="file: is a file; a gallery needs a folder"):
        list(gallery([Path("scene.yaml")], Path(), Path("file"), look=LOOK, jobs=1))


def test_a_scene_of_a_gallery_may_be_no_file(folder: Path) -> None:
    out = folder / "out"
    (outcome,) = gallery([Path()], folder, out, look=LOOK, jobs=1)
    assert "this is a folder" in outcome.problems[0].message


def test_includes_cannot_be_set(folder: Path) -> None:
    (folder / "part.yaml").write_text("bodies: {box: {shape: {box: [1, 1]}}}\n")
    with pytest.raises(rigid2d.core.SceneError, match="`include` stands in the file") as caught:
        rigid2d.core.load("scene.yaml", ["include=[part.yaml]"])
    assert [problem.kind for problem in caught.value.problems] == ["override"]
