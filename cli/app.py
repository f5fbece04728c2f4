# SPDX-License-Identifier: MIT
"""The table of verbs, and a command group that loads a verb's module only when it is used."""

from __future__ import annotations

import importlib
import os
from functools import cache
from itertools import takewhile
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from . import exit_codes

VERBS: dict[str, str] = {
    "run": "Simulate scenes; write pictures, videos, traces and snapshots.",
    "play": "Play a scene in the browser: keys, dragging, sliders, rewinding.",
    "edit": "Build a scene in the browser with the mouse; the file follows.",
    "watch": "Rewrite pictures of a scene whenever one of its files changes.",
    "show": "Play a scene in the terminal.",
    "validate": "Report every error of every scene file, with line and column.",
    "test": "Run scenes and check their expect: blocks and stored snapshots.",
    "snapshot": "Record, check and compare snapshots of exact states.",
    "gallery": "Render a folder of scenes into pictures and an index.html.",
    "sprites": "Make a sprite sheet of a scene's animations, with a JSON index for game engines.",
    "info": "Show what a scene holds: counts, masses, extents, units, materials.",
    "plot": "Plot recorded quantities of scenes, over time or over each other.",
    "peaks": "Report each joint's highest force and torque, and when.",
    "explain": "Show the inner numbers of one step of a solver.",
    "compare": "Run a scene with several solvers: a table, plots and pictures side by side.",
    "study": "Run a scene many times with varied values: a table, plots and a page.",
    "dataset": "Run a scene many times and store pictures, masks and numbers for learning.",
    "expand": "Print a scene with its generators, expressions and includes expanded.",
    "compile": "Write a scene as a file that pages and JavaScript run, without Python.",
    "schema": "Print the JSON Schema of scene files, for editors.",
    "upgrade": "Rewrite scenes of older versions of the format for the newest.",
    "new": "Write a commented scene to start from.",
    "import": "Convert a scene of another program into a scene file.",
    "bench": "Time the engine on built-in scenes.",
}
"""Verb -> the line that `rigid --help` shows. The verb is also its module's name."""

MODULES = {"import": "importing"}
"""The modules of verbs that are words of Python."""

COMPLETION_VARIABLE = "_RIGID_COMPLETE"
PROGRAM = "rigid"

EPILOG = "`rigid VERB --help` explains a verb. Start with `rigid new hello.yaml`."


_AS_JSON = "rigid.json"  # in the context: whether --json is among the program's own options


class Verbs(TyperGroup):
    """Verbs by name; imports one when it is called or its help is requested."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = list(takewhile(lambda word: word.startswith("-"), args))
        ctx.meta[_AS_JSON] = "--json" in own  # known before any option is handled
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        if cmd_name not in self.commands:
            module = importlib.import_module(
                f".verbs.{MODULES.get(cmd_name, cmd_name)}", __package__
            )
            loaded = typer.main.get_command(module.app)
            loaded.name = cmd_name
            self.commands[cmd_name] = loaded
        return self.commands[cmd_name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            ctx.fail(f"there is no verb '{args[0]}'{_nearest(args)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _nearest(arguments: list[str]) -> str:
    from difflib import get_close_matches
    from shlex import join

    from rigid2d.core.scene.values.foreign_words import foreign_verbs, look_up

    name = arguments[0]
    if name.endswith((".yaml", ".yml")) or os.path.sep in name or os.path.exists(name):  # noqa: PTH110
        return f"; did you mean `{PROGRAM} run {join(arguments)}`?"
    right = look_up(name, foreign_verbs())
    if right:
        return f"; it is `{PROGRAM} {right}`"
    matches = get_close_matches(name, VERBS, n=1)
    return f"; did you mean '{matches[0]}'?" if matches else "; `rigid --help` lists them"


def _show_version(context: typer.Context, wanted: bool) -> None:
    if not wanted:
        return
    from .version import version_fields, version_text

    if context.meta[_AS_JSON]:
        from .console import print_json

        print_json({"ok": True, **version_fields()})
    else:
        typer.echo(version_text())
    raise typer.Exit(exit_codes.DONE)


def _refuse_json(wanted: bool) -> None:
    if wanted:
        raise typer.BadParameter(
            "it goes with --version, or behind a verb, as in `rigid run --json`"
        )


application = typer.Typer(
    name=PROGRAM,
    cls=Verbs,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    subcommand_metavar="VERB [ARGS]...",
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@application.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Print the version, commit, engine hash and lanes.",
        ),
    ] = False,
    json: Annotated[
        bool,
        typer.Option("--json", callback=_refuse_json, help="With --version: print it as JSON."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback when something goes wrong.")
    ] = False,
) -> None:
    """Rigid bodies in two dimensions, from a YAML scene file to pictures, traces and checks."""


@cache
def program() -> Any:
    """The command group, made when the first command line is run."""
    return typer.main.get_command(application)


def invoke(arguments: list[str]) -> int:
    """Run a command line and return the verb's exit code; whatever goes wrong is raised."""
    group = program()
    if os.environ.get(COMPLETION_VARIABLE):
        group.main(arguments, prog_name=PROGRAM, complete_var=COMPLETION_VARIABLE)
    try:
        with group.make_context(PROGRAM, arguments) as context:
            code = group.invoke(context)
    except typer.Exit as end:
        code = end.exit_code
    return code if isinstance(code, int) else exit_codes.DONE
