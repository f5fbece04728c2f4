# SPDX-License-Identifier: MIT
"""What was played, as a file of inputs that replays it."""

from __future__ import annotations

from pathlib import Path

from ..errors import UsageError
from ..record.atomic import atomic_file
from ..scene.blocks.inputs import recorded_input
from ..scene.text.flow import flow
from .session import Session


def inputs_text(session: Session, name: str) -> str:
    """YAML of all that was done, with the command that replays a file of that name."""
    world, source = session.world, session.source
    if world is None:
        raise UsageError("nothing was played: there is no scene yet")
    settings = "".join(f" --set {setting}" for setting in source.overrides)
    lines = [
        f"# {world.step_count} steps; the state is {world.state_hash():016x} then:",
        f"# rigid run {source.path.name}{settings} --inputs {name} --steps {world.step_count}",
    ]
    entries = [f"- {flow(recorded_input(entry, world.scene))}" for entry in session.entries()]
    if not entries:
        return "\n".join([*lines, "inputs: []"]) + "\n"
    return "\n".join([*map(_shown, lines), *entries]) + "\n"


def _shown(line: str) -> str:
    """A comment on one line, whatever names are in it."""
    return line.encode("unicode_escape").decode("ascii") if not line.isprintable() else line


def write_inputs(session: Session, path: str | Path) -> None:
    """Write what was played into a file of inputs, whole or not at all."""
    with atomic_file(path) as file:
        file.write(inputs_text(session, Path(path).name).encode())
