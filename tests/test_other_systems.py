# SPDX-License-Identifier: MIT
"""rigid without what is POSIX alone, as on Windows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def run(tmp_path: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    (tmp_path / "ball.yaml").write_text(SCENE, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys; sys.path[:0] = [{str(ROOT)!r}]\n{_PROGRAM}",
            *arguments,
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


_PROGRAM = (
    "from tests.as_windows import strip; strip()\nfrom rigid2d.cli.main import program\nprogram()"
)


def test_a_scene_is_run_tested_and_stored(tmp_path: Path) -> None:
    run(tmp_path, "run", "ball.yaml", "--gif", "ball.gif", "--csv", "ball.csv", "--npz", "ball.npz")
    assert (tmp_path / "ball.gif").read_bytes().startswith(b"GIF8")
    run(tmp_path, "test", "ball.yaml", "--update")


def test_a_new_scene_replaces_none(tmp_path: Path) -> None:
    run(tmp_path, "new", "mine.yaml")
    assert "rigid: 1" in (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    assert "exists" in run(tmp_path, "new", "mine.yaml", code=2).stderr


def test_runs_of_a_study_are_shared_among_processes(tmp_path: Path) -> None:
    run(tmp_path, "study", "ball.yaml", "-o", "study")


def test_a_folder_is_no_scene(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    assert "folder" in run(tmp_path, "run", "folder.yaml", code=2).stderr


def test_what_needs_a_terminal_of_posix_names_another_way(tmp_path: Path) -> None:
    assert "rigid play" in run(tmp_path, "show", "ball.yaml", code=2).stderr


EDITS = """
from tests.as_windows import strip; strip()
import sys
from rigid2d.core.edit import Document
document = Document(sys.argv[1])
assert document.do({"edit": "set", "path": "bodies.ball.position", "value": [1, 2]})["done"]
"""


def test_a_scene_is_edited(tmp_path: Path) -> None:
    scene = tmp_path / "ball.yaml"
    scene.write_text(SCENE, encoding="utf-8")
    scene.chmod(0o600)
    subprocess.run([sys.executable, "-c", EDITS, scene], cwd=ROOT, check=True)
    assert "position: [1, 2]}" in scene.read_text(encoding="utf-8")
    assert scene.stat().st_mode & 0o777 == 0o600


LISTENS = """
from tests.as_windows import strip; strip()
from rigid2d.core.play import listening, server
listening.listening_socket(0).close()
"""


def test_a_server_listens() -> None:
    subprocess.run([sys.executable, "-c", LISTENS], cwd=ROOT, check=True)
