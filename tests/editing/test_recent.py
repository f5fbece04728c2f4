# SPDX-License-Identifier: MIT
"""The files that were edited lately, and the pages that open them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from rigid2d.core.editing.desk import SceneDesk
from rigid2d.core.editing.recent import MOST, RecentFiles, state_folder
from rigid2d.core.errors import UsageError
from rigid2d.core.play.session import Session

from tests.rows import every_row

SCENE = "rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\n"


def files(folder: Path, count: int) -> list[Path]:
    made = [folder / f"scene_{i}.yaml" for i in range(count)]
    for each in made:
        each.write_text(SCENE, encoding="utf-8")
    return made


def test_the_last_one_is_the_first_and_each_is_there_once(tmp_path: Path) -> None:
    made, recent = files(tmp_path, MOST + 3), RecentFiles(tmp_path / "state" / "rigid")
    for each in [*made, made[5]]:
        recent.remember(each)
    assert (
        recent.paths()
        == [made[5], *(each for each in reversed(made[3:]) if each != made[5])][:MOST]
    )
    made[5].unlink()
    assert made[5] not in recent.paths()


@every_row(
    "damage",
    [b"", b"{", b'{"a": 1}', b"\xff\xfe", b'[3, null, "rel.yaml", "/a\\u0000b"]', b"[" * 9999],
)
def test_a_damaged_list_is_none_and_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "recent.json").write_bytes(damage)
    recent, (made,) = RecentFiles(tmp_path), files(tmp_path, 1)
    assert recent.paths() == []
    recent.remember(made)
    assert recent.paths() == [made]


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path) -> None:
    (made,) = files(tmp_path, 1)
    for folder in (None, made / "inside"):  # a file is no folder
        recent = RecentFiles(folder)
        recent.remember(made)
        assert recent.paths() == []


@every_row(
    "platform, name, said, expected",
    [
        ("linux", "XDG_STATE_HOME", "/states", "/states/rigid"),
        ("linux", "XDG_STATE_HOME", "relative", ".local/state/rigid"),
        ("linux", "HOME", "", ".local/state/rigid"),
        ("darwin", "XDG_STATE_HOME", "/states", "Library/Application Support/rigid"),
        ("win32", "LOCALAPPDATA", "/local", "/local/rigid"),
    ],
)
def test_the_folder_is_that_of_the_platform(
    platform: str, name: str, said: str, expected: str
) -> None:
    assert state_folder({name: said}, platform) == Path.home() / expected


def test_pages_open_what_was_edited_lately_and_nothing_else(tmp_path: Path) -> None:
    own, other, secret = files(tmp_path, 3)
    recent, opened = RecentFiles(tmp_path / "state"), []
    recent.remember(other)

    def opens(path: Path) -> str:
        opened.append(path)
        return "http://127.0.0.1:1/"

    desk = SceneDesk(Session(own), recent=recent, opens=opens)
    desk.answer({"ask": "edit", "edit": {"edit": "set", "path": "bodies.ball.angle", "value": 9}})
    assert recent.paths() == [own, other]
    (found,) = desk.answer({"ask": "recent"})["files"]
    assert found == {"path": str(other), "name": other.name, "folder": str(tmp_path)}
    assert desk.answer({"ask": "open", "path": str(other)}) == {"address": "http://127.0.0.1:1/"}
    for path in (secret, tmp_path / "none.yaml", ""):
        with pytest.raises(UsageError, match="none of the files"):
            desk.answer({"ask": "open", "path": str(path)})
    assert opened == [other]


def test_a_desk_knows_the_names_that_the_file_does_not_say(tmp_path: Path) -> None:
    parts = "prototypes: {gem: {bodies: {disc: {shape: {circle: 1}, tags: [gem]}}}}\n"
    (tmp_path / "parts.yaml").write_text(parts, encoding="utf-8")
    file = tmp_path / "scene.yaml"
    file.write_text(
        SCENE + "include: [parts.yaml]\ninstances: {one: {use: gem, at: [9, 0]}}\n",
        encoding="utf-8",
    )
    desk = SceneDesk(Session(file))
    found = desk.answer({"ask": "names"})
    assert found["tags"] == {"gem": ["one.disc"]}
    assert found["included"] == ["gem"]
    assert found["categories"]["ball"] == "default"
    assert desk.answer({"ask": "picture", "prototype": "gem"})["picture"]


def test_a_page_sees_images_of_the_folder_alone(tmp_path: Path) -> None:
    (file,) = files(tmp_path, 1)
    Image.new("RGB", (30, 20)).save(tmp_path / "coin.png")
    (tmp_path / "bad.png").write_bytes(b"none")
    desk = SceneDesk(Session(file))
    assert desk.answer({"ask": "image", "name": "coin.png"})["size"] == [30, 20]
    for name in ("bad.png", "../coin.png", "scene_0.yaml", str(tmp_path / "coin.png")):
        with pytest.raises(UsageError, match="no image"):
            desk.answer({"ask": "image", "name": name})
