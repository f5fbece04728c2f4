# SPDX-License-Identifier: MIT
"""rigid watch: pictures that follow their files."""

from __future__ import annotations

import pytest
from rigid2d.cli.verbs.watch import keep_making
from rigid2d.core.errors import SceneError
from rigid2d.core.play.source import SceneSource

SCENE = "rigid: 1\nworld: {duration: 0.1}\nbodies: {ball: {shape: {circle: 0.5}}}\n"


class Enough(Exception):  # noqa: N818 - it ends a test
    pass


def follow(path, *changes):
    """The scenes that were made while the files went through some changes, one at each wait."""
    made, waiting = [], [*changes]

    def wait(seconds):
        if not waiting:
            raise Enough
        waiting.pop(0)()

    with pytest.raises(Enough):
        keep_making(SceneSource(path), made.append, wait)
    return made


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE, encoding="utf-8")
    return file


def test_a_scene_is_made_at_once_and_again_at_each_change(path):
    made = follow(path, lambda: path.write_text(SCENE.replace("0.5", "0.25"), encoding="utf-8"))
    assert [scene.bodies["ball"].shapes[0].radius for scene in made] == [0.5, 0.25]


def test_nothing_is_made_while_nothing_changes(path):
    assert len(follow(path, lambda: None, lambda: None)) == 1


def test_a_file_that_is_included_counts_too(path):
    other = path.with_name("more.yaml")
    other.write_text("materials: {ice: {friction: 0}}\n", encoding="utf-8")
    path.write_text(SCENE + "include: [more.yaml]\n", encoding="utf-8")
    change = lambda: other.write_text("materials: {ice: {friction: 0.1}}\n", encoding="utf-8")  # noqa: E731
    made = follow(path, change)
    assert [scene.materials["ice"].friction for scene in made] == [0.0, 0.1]


def test_mistakes_are_told_once_and_what_was_made_stays(path, capsys):
    made = follow(
        path,
        lambda: path.write_text(SCENE.replace("circle", "circel"), encoding="utf-8"),
        lambda: None,
        lambda: path.write_text(SCENE, encoding="utf-8"),
    )
    assert len(made) == 2
    assert capsys.readouterr().err.count("did you mean `circle`?") == 1


def test_what_is_wrong_from_the_beginning_is_an_error(path):
    path.write_text("rigid: 2\n", encoding="utf-8")
    with pytest.raises(SceneError):
        follow(path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scene.yaml"], "what is to be written?"),
        (["-", "--gif", "a.gif"], "what is watched is a file"),
        (["scene.yaml", "--gif", "-"], "again and again is a file"),
        (["scene.yaml", "--gif", "a.png"], "did you mean --png?"),
        (["none.yaml", "--gif", "a.gif"], "no such file"),
    ],
)
def test_what_cannot_be_watched_is_told(rigid, path, monkeypatch, arguments, words):
    monkeypatch.chdir(path.parent)
    result = rigid("watch", *arguments)
    assert result.code == 2
    assert words in result.err


def test_pictures_are_written_and_the_end_is_quiet(rigid, path, monkeypatch):
    from rigid2d.cli.verbs import watch

    def wait(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(watch.time, "sleep", wait)
    out = path.with_name("out.gif")
    result = rigid("watch", path, "--gif", out, "--size", "64x48")
    assert result.code == 130
    assert "wrote" in result.out
    assert out.read_bytes().startswith(b"GIF89a")
