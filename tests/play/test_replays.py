# SPDX-License-Identifier: MIT
"""The menu of recorded inputs: what is listed, and what is played when one is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core.errors import UnknownNameError, UsageError
from rigid2d.core.play.recording import Record, write_inputs
from rigid2d.core.play.replays import Replays
from rigid2d.core.play.session import Session

from tests.play.sessions import run, state


@pytest.fixture
def played(path: Path) -> tuple[Session, int]:
    """A session of which 40 steps are recorded, and the state at their end."""
    session = Session(path)
    session.set_var("g", 3.7)
    session.press("a", "up")
    run(session, 30)
    session.release("a", "up")
    end = run(session, 10)
    Record(session).write()
    return session, end


def test_recorded_files_beside_the_scene_are_listed_in_order(path: Path) -> None:
    for name in ("scene.inputs-10.yaml", "scene.inputs.yaml", "scene.inputs-2.yaml", "other.yaml"):
        path.with_name(name).write_text("inputs: []\n")
    path.with_name("scene.inputs-3.yaml").symlink_to(path)
    named = path.with_name("mine.yaml")
    replays = Replays(Session(path, inputs=path.with_name("scene.inputs-2.yaml")), named)
    assert list(replays.files()) == [
        "scene.inputs-2.yaml",
        "scene.inputs.yaml",
        "scene.inputs-10.yaml",
    ]
    named.write_text("inputs: []\n")
    assert list(replays.files())[:2] == ["scene.inputs-2.yaml", "mine.yaml"]
    assert replays.chosen == "scene.inputs-2.yaml"


def test_a_chosen_replay_begins_anew_with_its_inputs_and_vars(
    played: tuple[Session, int], path: Path
) -> None:
    session, end = Session(path), played[1]
    replays = Replays(session)
    run(session, 5)
    assert replays.choose("scene.inputs.yaml") == ()
    assert (session.step, session.mode, replays.chosen) == (0, "playing", "scene.inputs.yaml")
    assert session.var_values() == {"g": 3.7}
    assert run(session, 40) == end
    replays.choose("")
    assert (replays.chosen, session.step) == ("", 0)
    assert run(session, 40) != end
    assert session.var_values() == {"g": 9.81}


def test_settings_that_are_missing_are_told(path: Path) -> None:
    session = Session(path, overrides=["bodies.ship.position=[4, 2]"])
    write_inputs(session, path.with_name("scene.inputs.yaml"))
    assert Replays(Session(path)).choose("scene.inputs.yaml")[0].startswith("bodies.ship.position=")
    assert Replays(session).choose("scene.inputs.yaml") == ()


def test_a_file_that_cannot_be_replayed_changes_nothing(path: Path) -> None:
    path.with_name("scene.inputs.yaml").write_text("- {key: down, from: 0}\n")
    session = Session(path)
    before = run(session, 7)
    replays = Replays(session)
    with pytest.raises(UsageError, match=r"cannot be replayed: .*no control has the key `down`"):
        replays.choose("scene.inputs.yaml")
    with pytest.raises(UnknownNameError, match="recorded replay"):
        replays.choose("../secret.yaml")
    assert (state(session), replays.chosen, session.trouble) == (before, "", None)


def test_a_replay_that_was_taken_over_is_kept(played: tuple[Session, int], path: Path) -> None:
    session = Session(path)
    first = path.with_name("scene.inputs.yaml")
    before = first.read_bytes()
    record = Record(session, first)
    Replays(session).choose("scene.inputs.yaml")
    run(session, 10)
    session.press("a", "up")
    run(session, 10)
    assert record.write().name == "scene.inputs-2.yaml"
    assert first.read_bytes() == before
