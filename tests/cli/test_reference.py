# SPDX-License-Identifier: MIT
"""docs/cli.md says everything that the command can do."""

from __future__ import annotations

import re
from pathlib import Path

import typer
from rigid2d.cli.app import VERBS, application
from rigid2d.cli.verbs.bench import BUILT_IN
from rigid2d.cli.verbs.new import SceneTemplate

from tests.rows import every_row

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def section(verb: str) -> str:
    """The part of the page about a verb, with what holds for all of them."""
    start = PAGE.index(f"## rigid {verb}\n")
    end = PAGE.find("\n## ", start + 1)
    return PAGE[PAGE.index("## Habits") : PAGE.index("## rigid run")] + PAGE[start:end]


def options(verb: str) -> set[str]:
    """All option names of a verb, and of the verbs below it."""
    group = typer.main.get_command(application)
    found: set[str] = set()
    commands = [group.get_command(None, verb)]
    while commands:
        command = commands.pop()
        commands += getattr(command, "commands", {}).values()
        for parameter in command.params:
            if parameter.param_type_name == "option":
                found.update(parameter.opts + parameter.secondary_opts)
    return found


def test_the_table_lists_the_verbs_in_their_order() -> None:
    listed = re.findall(r"^\| \[`(\w+)`\]\(#rigid-(\w+)\)", PAGE, re.MULTILINE)
    assert listed == [(verb, verb) for verb in VERBS]


@every_row("verb", VERBS)
def test_every_option_of_a_verb_is_in_its_section(verb):
    text = section(verb)
    missing = [o for o in options(verb) if not re.search(rf"{re.escape(o)}(?![\w-])", text)]
    assert missing == []


def test_the_page_names_no_option_that_does_not_exist():
    known = {"--help", "--version", "--install-completion", "--show-completion"}
    known.update(*map(options, VERBS))
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", PAGE)) <= known


def test_the_page_names_every_template_and_benchmark():
    for name in [*SceneTemplate.__members__, *BUILT_IN]:
        assert f"`{name}`" in PAGE


def test_the_page_names_every_exit_code():
    from rigid2d.cli import exit_codes

    codes = [value for name, value in vars(exit_codes).items() if name.isupper()]
    assert len(codes) >= 5
    for code in codes:
        assert f"\n| {code} |" in PAGE
