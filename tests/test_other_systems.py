# SPDX-License-Identifier: MIT
"""rigid without what is POSIX alone, as on Windows: in one process, which imports everything."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCENE = """\
rigid: 1
vars: {height: 2}
bodies:
  ground: {type: static, shape: {box: [10, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.4}, position: [0, =height]}
world: {duration: 0.2}
study: {vary: {vars.height: [1, 2]}, collect: {y: =ball.y}}
expect:
  - {at: end, that: "=ball.y < 2.1"}
"""


RUN = ["run", "ball.yaml", "--gif", "ball.gif", "--csv", "ball.csv", "--npz", "ball.npz"]
COMMANDS = {
    "run": RUN,
    "snapshot": ["snapshot", "record", "ball.yaml"],
    "test": ["test", "ball.yaml", "--update"],
    "new": ["new", "mine.yaml"],
    "new again": ["new", "mine.yaml"],
    "study": ["study", "ball.yaml", "-o", "study"],
    "a folder": ["run", "folder.yaml"],
    "show": ["show", "ball.yaml"],
}
PROGRAM = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}]
from tests.as_windows import strip; strip()
import contextlib, io, json
from rigid2d.cli.main import main
from rigid2d.core.edit import Document
from rigid2d.core.play import listening, server

if __name__ == "__main__":  # not in the processes of the study
    ended = {{}}
    for name, words in json.loads(sys.argv[1]).items():
        told = io.StringIO()
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
            ended[name] = main(words), told.getvalue()
    moved = {{"edit": "set", "path": "bodies.ball.position", "value": [1, 2]}}
    assert Document("moved.yaml").do(moved)["done"]
    listening.listening_socket(0).close()
    print(json.dumps(ended))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scene, and with what the commands and an edit made there."""
    made = tmp_path_factory.mktemp("windows")
    (made / "folder.yaml").mkdir()
    (made / "program.py").write_text(PROGRAM, encoding="utf-8")
    for name in ("ball", "moved"):
        (made / f"{name}.yaml").write_text(SCENE, encoding="utf-8")
        (made / f"{name}.yaml").chmod(0o600)
    done = subprocess.run(
        [sys.executable, "program.py", json.dumps(COMMANDS)],
        cwd=made,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    (made / "ended.json").write_text(done.stdout, encoding="utf-8")
    return made


@pytest.fixture
def ended(folder: Path) -> dict[str, Any]:
    """The exit code of each command and its words on standard error."""
    found: dict[str, Any] = json.loads((folder / "ended.json").read_text(encoding="utf-8"))
    assert {*found} == {*COMMANDS}
    return found


def test_scenes_are_run_tested_made_and_studied(folder: Path, ended: dict[str, Any]) -> None:
    for name in ("run", "snapshot", "test", "new", "study"):
        assert ended[name][0] == 0, ended[name]
    assert (folder / "ball.gif").read_bytes().startswith(b"GIF8")
    assert (folder / "ball.snapshot").is_file()
    assert "rigid: 1" in (folder / "mine.yaml").read_text(encoding="utf-8")
    assert (folder / "study" / "results.parquet").is_file()


@pytest.mark.parametrize(
    ("name", "words"), [("new again", "exists"), ("a folder", "folder"), ("show", "rigid play")]
)
def test_what_cannot_be_done_is_told(ended: dict[str, Any], name: str, words: str) -> None:
    code, told = ended[name]
    assert (code, words in told, "Traceback" in told) == (2, True, False), told


def test_a_scene_is_edited(folder: Path) -> None:
    scene = folder / "moved.yaml"
    assert "position: [1, 2]}" in scene.read_text(encoding="utf-8")
    assert scene.stat().st_mode & 0o777 == 0o600
