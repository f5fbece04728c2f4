# SPDX-License-Identifier: MIT
"""Files of a scene that several programs change: nothing is lost, and nothing is half."""

from __future__ import annotations

import os
import random
import re
import stat
import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core.edit import files
from rigid2d.core.edit.document import Document
from rigid2d.core.edit.exchange import _call as exchange_call

from tests.edit.edited import SCENE, document

MOVE = {"edit": "move", "what": ["bodies.crate"], "by": [0.5, 0]}


def test_ends_of_lines_mark_and_mode_stay(tmp_path: Path) -> None:
    edited = document(tmp_path, SCENE)
    data = b"\xef\xbb\xbf" + SCENE.replace("\n", "\r\n").encode()
    edited.path.write_bytes(data)
    edited.path.chmod(0o640)
    assert edited.do(MOVE)["done"]
    assert edited.path.read_bytes() == data.replace(b"0.10", b"0.60")
    assert edited.do({"edit": "add", "section": "bodies", "value": {"shape": {"circle": 1}}})
    text = edited.path.read_bytes()
    assert text.count(b"\r\n") == text.count(b"\n") == data.count(b"\n") + 1
    assert stat.S_IMODE(edited.path.stat().st_mode) == 0o640
    for _ in range(2):
        edited.do({"edit": "undo"})
    assert edited.path.read_bytes() == data


def test_an_edit_is_made_on_what_another_program_wrote(tmp_path: Path) -> None:
    edited = document(tmp_path)
    edited.do(MOVE)
    path = edited.path
    path.write_text("# mine\n" + path.read_text().replace("circle: 0.2", "circle: 0.25"))
    assert edited.do(MOVE)["done"]
    assert path.read_text() == "# mine\n" + SCENE.replace("0.10", "1.10").replace(
        "circle: 0.2}", "circle: 0.25}"
    )
    for _ in range(2):
        edited.do({"edit": "undo"})
    assert path.read_text() == "# mine\n" + SCENE.replace("circle: 0.2}", "circle: 0.25}")
    assert edited.do({"edit": "redo"})["done"]
    assert "0.60" in path.read_text()


def test_an_edit_is_not_undone_where_another_program_wrote(tmp_path: Path) -> None:
    edited = document(tmp_path)
    edited.do(MOVE)
    edited.path.write_text(edited.path.read_text().replace("0.60", "7"))
    answer = edited.do({"edit": "undo"})
    assert "changed at the same place" in answer["refused"]
    assert answer["differs"]
    assert "[7, 4]" in edited.path.read_text()


def test_what_was_seen_otherwise_is_refused_with_what_differs(tmp_path: Path) -> None:
    edited = document(tmp_path)
    seen = edited.version
    edited.do({"edit": "set", "path": "bodies.plain.angle", "value": 30})
    late = {"edit": "set", "path": "bodies.plain.angle", "value": 60, "version": seen}
    answer = edited.do(late)
    assert answer["differs"] == ["bodies.plain.angle is 30 now; it was not there"]
    assert edited.do({**MOVE, "version": seen})["done"]
    assert "no version 99" in edited.do({**MOVE, "version": 99})["refused"]


def test_a_text_that_is_wrong_by_hand_is_waited_for(tmp_path: Path) -> None:
    edited = document(tmp_path)
    edited.path.write_text(SCENE.replace("circle: 0.2", "circle: -0.2"))
    answer = edited.do(MOVE)
    assert "mend it first" in answer["refused"]
    assert (answer["at"]["line"], answer["at"]["path"]) == (17, "bodies.plain.shape.circle")
    edited.path.write_text(SCENE)
    assert edited.do(MOVE)["done"]


def test_a_text_of_the_pane_is_written_and_undone(tmp_path: Path) -> None:
    edited = document(tmp_path)
    wrong = {"edit": "text", "file": "scene.yaml", "text": "rigid: 1\nbodies: {"}
    assert edited.do({**wrong, "version": edited.version})["done"]
    assert "mend it first" in edited.do(MOVE)["refused"]
    edited.do({"edit": "undo"})
    assert edited.path.read_text() == SCENE
    assert "no file of this scene" in edited.do({**wrong, "file": "../x.yaml"})["refused"]
    edited.do(MOVE)
    late = edited.do({**wrong, "version": 1})
    assert late["differs"] == ["the text of scene.yaml"]


def test_links_and_read_only_files_are_not_written(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    target = document(inner).path
    (tmp_path / "link.yaml").symlink_to(target)
    linked = Document(tmp_path / "link.yaml")
    assert "is a link" in linked.do(MOVE)["refused"]
    target.chmod(0o444)
    if os.geteuid():
        assert "read-only" in Document(target).do(MOVE)["refused"]
    assert target.read_text() == SCENE
    assert [each.name for each in inner.iterdir()] == ["scene.yaml"]


def test_two_files_are_written_both_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = "bodies:\n  wall: {shape: {box: [1, 3]}, position: [4, 1]}\n"
    text = "rigid: 1\ninclude: [part.yaml]\nbodies:\n  ball: {shape: {circle: 1}}\n"
    edited = document(tmp_path, text, part=part)
    replace = Path.replace

    def fails(self: Path, to: Path) -> Path:
        if Path(to).name == "part.yaml" and ".part" in self.name and not fails.done:  # type: ignore[attr-defined]
            fails.done = True  # type: ignore[attr-defined]
            raise OSError(28, "No space left on device")
        return replace(self, to)

    fails.done = False  # type: ignore[attr-defined]
    monkeypatch.setattr(files, "exchange", lambda one, other: False)
    monkeypatch.setattr(Path, "replace", fails)
    both = {"edit": "move", "what": ["bodies.ball", "bodies.wall"], "by": [1, 0],
            "choices": {"included": "there"}}  # fmt: skip
    assert "No space left" in edited.do(both)["refused"]
    assert (edited.path.read_text(), (tmp_path / "part.yaml").read_text()) == (text, part)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["part.yaml", "scene.yaml"]
    assert edited.do(both)["done"]


def test_edits_of_one_gesture_are_undone_together(tmp_path: Path) -> None:
    edited = document(tmp_path)
    for _ in range(5):
        edited.do({**MOVE, "gesture": "arrows 1"})
    assert "2.60" in edited.path.read_text()
    edited.do({"edit": "undo"})
    assert edited.path.read_text() == SCENE
    assert edited.do({"edit": "undo"})["refused"] == "there is nothing to undo"
    edited.do({"edit": "redo"})
    assert "2.60" in edited.path.read_text()


def test_a_drag_in_a_large_scene_does_not_load_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = "".join(
        f"  b{i}: {{shape: {{box: [0.6, 0.6]}}, position: [{i}, {i % 7}.25]}}\n" for i in range(400)
    )
    edited = document(tmp_path, f"rigid: 1\nbodies:\n{bodies}")
    edited.scene()
    monkeypatch.setattr(edited, "_seconds", 1.0)
    monkeypatch.setattr(edited, "_load", lambda texts: pytest.fail("the scene is loaded"))
    for i in (3, 250, 3):
        message = {"edit": "move", "what": [f"bodies.b{i}"], "by": [0.5, 0]}
        assert edited.do(message)["done"]
    assert "b3: {shape: {box: [0.6, 0.6]}, position: [4, 3.25]}" in edited.path.read_text()


def test_two_editors_and_a_text_editor_lose_nothing(tmp_path: Path) -> None:
    """Each adds up moves of its own body; at the end all of them are in the file."""
    path = document(tmp_path).path
    moves = {"crate": 0, "plain": 0, "hull": 0}
    wrong: list[Any] = []

    def edits(name: str, seed: int) -> None:
        rng = random.Random(seed)
        mine = Document(path)
        for _ in range(25):
            by = rng.choice((1, 2, -1))
            answer = mine.do({"edit": "move", "what": [f"bodies.{name}"], "by": [by, 0]})
            if answer.get("done"):
                moves[name] += by
            else:
                wrong.append(answer)

    def writes() -> None:  # a text editor, that reads and replaces the file under the same lock
        other = Document(path)
        for _ in range(25):
            with other.files.locked():
                text = path.read_text()
                y = int(re.search(r"hull: .*position: \[5, (-?\d+)\]", text)[1])  # type: ignore[index]
                beside = path.with_suffix(".tmp")
                beside.write_text(text.replace(f"position: [5, {y}]", f"position: [5, {y + 1}]"))
                beside.replace(path)
            moves["hull"] += 1

    workers = [
        threading.Thread(target=edits, args=("crate", 1)),
        threading.Thread(target=edits, args=("plain", 2)),
        threading.Thread(target=writes),
    ]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert not wrong
    scene = Document(path).scene()
    assert scene.bodies["crate"].position[0] == pytest.approx(0.1 + moves["crate"])
    assert scene.bodies["plain"].position[0] == pytest.approx(moves["plain"])
    assert scene.bodies["hull"].position[1] == moves["hull"]
    assert [each.name for each in tmp_path.iterdir()] == ["scene.yaml"]


def test_the_first_edit_that_writes_an_included_file_is_undone_there_too(tmp_path: Path) -> None:
    part = "bodies:\n  wall: {shape: {circle: 1}}\n"
    (tmp_path / "part.yaml").write_text(part, encoding="utf-8")
    main = "rigid: 1\ninclude: [part.yaml]\nbodies:\n  ball: {shape: {circle: 1}}\n"
    (tmp_path / "scene.yaml").write_text(main, encoding="utf-8")
    edited = Document(tmp_path / "scene.yaml")  # whose scene was not read yet
    assert edited.do({"edit": "rename", "what": ["bodies.wall"], "to": "fence"})["done"]
    assert "fence" in (tmp_path / "part.yaml").read_text(encoding="utf-8")
    assert edited.do({"edit": "undo"})["done"]
    assert (tmp_path / "part.yaml").read_text(encoding="utf-8") == part


def test_an_edit_is_made_anew_on_what_another_program_writes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = document(tmp_path, SCENE)
    write = files._beside

    def while_written(path: Path, data: bytes) -> Path:
        monkeypatch.setattr(files, "_beside", write)
        path.write_text(SCENE + "# theirs\n", encoding="utf-8")
        return write(path, data)

    monkeypatch.setattr(files, "_beside", while_written)
    assert edited.do({"edit": "move", "what": ["bodies.plain"], "by": [3, 0]})["done"]
    text = edited.path.read_text(encoding="utf-8")
    assert text.endswith("# theirs\n")
    assert "plain: {shape: {circle: 0.2}, position: [3, 0]}" in text


@pytest.mark.skipif(exchange_call() is None, reason="names cannot be exchanged here")
def test_what_another_program_writes_in_the_moment_of_renaming_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other program renames a file once, and once has written a part of this one."""
    edited = document(tmp_path, SCENE)
    exchange = files.exchange
    begun: list[Any] = []
    calls = count()

    def meanwhile(one: Path, other: Path) -> bool:
        number = next(calls)
        if number == 0:
            beside = tmp_path / "theirs"
            beside.write_text(SCENE + "# theirs\n", encoding="utf-8")
            beside.replace(other)
        elif number == 2:
            text = other.read_text(encoding="utf-8") + "# more\n"
            begun.extend((other.open("w", encoding="utf-8"), text))
            begun[0].write(text[:200])
            begun[0].flush()
        elif number == 3:
            begun[0].write(begun[1][200:])
            begun[0].close()
        return exchange(one, other)

    monkeypatch.setattr(files, "exchange", meanwhile)
    assert edited.do({"edit": "move", "what": ["bodies.plain"], "by": [3, 0]})["done"]
    text = edited.path.read_text(encoding="utf-8")
    assert text.endswith("# theirs\n# more\n")
    assert "plain: {shape: {circle: 0.2}, position: [3, 0]}" in text
    assert [each.name for each in tmp_path.iterdir()] == ["scene.yaml"]


def test_a_file_that_cannot_be_read_for_a_while_is_waited_for(tmp_path: Path) -> None:
    edited = document(tmp_path)
    path = tmp_path / "scene.yaml"
    move = {"edit": "move", "what": ["bodies.crate"], "by": [1, 0]}
    path.unlink()
    assert edited.look() is None
    assert "cannot be read" in edited.do(move)["refused"]
    for _ in range(2):
        path.write_bytes(b"\xff\xfe\x00 not UTF-8")
        assert edited.look() is None
        assert "UTF-16" in edited.do(move)["refused"]
        assert path.read_bytes().startswith(b"\xff")
    path.write_text(SCENE, encoding="utf-8")
    assert edited.do(move)["done"]
