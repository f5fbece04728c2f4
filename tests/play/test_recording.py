# SPDX-License-Identifier: MIT
"""The file that a session is written into: chosen when it is written, and nobody else's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.play.recording import Record
from rigid2d.core.play.session import Session

from tests.play.sessions import replayed, rewrite, run


@pytest.fixture
def session(path: Path) -> Session:
    made = Session(path)
    made.press("a", "up")
    run(made, 5)
    return made


def test_a_new_file_beside_the_scene_is_written_and_then_again(session: Session) -> None:
    record = Record(session)
    first = record.write()
    assert first == session.source.path.with_name("scene.inputs.yaml")
    state = run(session, 5)
    assert record.write() == first
    assert replayed(session.source.path, first, 10) == state
    assert Record(session).write().name == "scene.inputs-2.yaml"


def test_the_name_is_chosen_when_it_is_written(session: Session) -> None:
    record = Record(session)
    other = session.source.path.with_name("scene.inputs.yaml")
    other.write_text("mine")
    assert record.write().name == "scene.inputs-2.yaml"
    assert other.read_text() == "mine"


def edited(path: Path, away: Path) -> None:
    path.write_text("mine now")


def replaced(path: Path, away: Path) -> None:
    path.unlink()
    path.write_text("another one")


def turned_into_a_link(path: Path, away: Path) -> None:
    path.rename(away)
    path.symlink_to(away)


def turned_into_a_folder(path: Path, away: Path) -> None:
    path.unlink()
    path.mkdir()


def given_a_second_name(path: Path, away: Path) -> None:
    os.link(path, away)


@pytest.mark.parametrize(
    "change", [edited, replaced, turned_into_a_link, turned_into_a_folder, given_a_second_name]
)
def test_what_somebody_else_made_of_the_file_is_kept(
    session: Session, tmp_path: Path, change: Callable[[Path, Path], None]
) -> None:
    record, away = Record(session), tmp_path / "away"
    path = record.write()
    change(path, away)
    before = {each: each.read_bytes() for each in (path, away) if each.is_file()}
    assert record.write().name == "scene.inputs-2.yaml"
    assert {each: each.read_bytes() for each in before} == before


@pytest.mark.parametrize("leads_to", ["scene.yaml", "nothing.yaml", "."])
def test_nothing_is_written_through_a_link(session: Session, leads_to: str) -> None:
    scene = session.source.path
    link = scene.with_name("scene.inputs.yaml")
    link.symlink_to(leads_to)
    before = scene.read_bytes()
    assert Record(session).write().name == "scene.inputs-2.yaml"
    assert scene.read_bytes() == before
    assert not scene.with_name("nothing.yaml").exists()


def test_a_file_that_the_scene_came_to_include_is_not_written_over(
    session: Session, tmp_path: Path
) -> None:
    scene, part = session.source.path, tmp_path / "part.yaml"
    record = Record(session, part)
    record.write()
    part.write_text("annotations: []\n")
    rewrite(scene, scene.read_text().replace("rigid: 1", "rigid: 1\ninclude: [part.yaml]"))
    assert session.reload()
    with pytest.raises(UsageError, match="is read too"):
        record.write()
    assert part.read_text() == "annotations: []\n"


def test_where_no_link_can_be_made_a_new_file_is_written_all_the_same(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = Record(session).write()
    assert path.read_text().startswith("# 5 steps")
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "scene.inputs.yaml",
        "scene.yaml",
    ]
    with pytest.raises(UsageError, match="folder"):
        Record(session, path.parent / "no" / "file.yaml").write()
