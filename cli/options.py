"""Options that several verbs share, so that they read the same everywhere."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rigid.core.errors import UsageError
from typer.core import TyperCommand


class Verb(TyperCommand):
    """A verb that refuses an option given twice, of which only the last would count.

    A switch may be repeated as long as it says the same, `--no-schema` after `--schema` does not.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given = args[: args.index("--")] if "--" in args else args
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        seen: set[str] = set()
        for parameter in order:
            option: Any = parameter
            if option.param_type_name != "option" or option.multiple:
                continue
            said = sorted({*option.opts, *option.secondary_opts} & set(given))
            switch = option.is_flag and not (option.secondary_opts and len(said) > 1)
            if option.name in seen and not switch:
                name = " and ".join(said) if option.is_flag else max(option.opts, key=len)
                raise UsageError(f"{name}: given twice; give it once (see `{ctx.command_path} -h`)")
            seen.add(option.name)
        return super().parse_args(ctx, args)


Scenes = Annotated[
    list[str],
    typer.Argument(
        metavar="SCENE",
        help="Scene files, folders of them, or globs; `-` reads a scene from standard input.",
        show_default=False,
    ),
]
OneScene = Annotated[
    str,
    typer.Argument(
        metavar="SCENE", help="A scene file; `-` reads standard input.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print machine-readable results, errors too.")]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No progress bar and no messages but errors."),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback when something goes wrong.")]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="F",
        help="Write to a file instead of standard output.",
        show_default=False,
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Run this long.", show_default=False, min=0.0),
]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Replace a value of the scene, such as vars.n=7 or world.dt=0.01. Repeatable.",
        show_default=False,
    ),
]
Inputs = Annotated[
    str | None,
    typer.Option(
        "--inputs",
        metavar="F",
        help="Another recorded player than the scene's own: a YAML list of inputs.",
        show_default=False,
    ),
]
Threads = Annotated[
    int,
    typer.Option("--threads", min=1, max=256, metavar="N", help="Threads of the engine."),
]
Lanes = Annotated[
    int,
    typer.Option(
        "--lanes", min=0, metavar="W", help="Contacts solved side by side; 0 takes the widest."
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=0, metavar="N", help="Scenes at a time; 0 takes one per core."
    ),
]
