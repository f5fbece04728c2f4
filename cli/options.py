# SPDX-License-Identifier: MIT
"""Options that several verbs share, so that they read the same everywhere."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rigid.core.errors import UsageError
from typer.core import TyperCommand

from . import defaults


class Verb(TyperCommand):
    """A verb that refuses an option given twice, of which only the last would count.

    A switch may be repeated as long as it says the same, `--no-schema` after `--schema` does not.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given = args[: args.index("--")] if "--" in args else args
        values, _, order = self.make_parser(ctx).parse_args(args=list(args))
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
        named: dict[str, Any] = {
            max(each.opts, key=len).lstrip("-"): each
            for each in self.params
            if each.param_type_name == "option" and not each.is_eager
        }
        own = defaults.of_verb(_verb(ctx), named, whole=_is_verb(ctx))
        paths = own.pop("paths", None)
        if paths is not None and not values.get("scenes") and not {"-h", "--help"} & set(args):
            args = [*args, *(() if "--" in args else ("--",)), *defaults.paths_of(paths)]
        added = {named[key].name: key for key in own if named[key].name not in seen}
        try:
            return super().parse_args(ctx, [*_as_given(named, own, added, ctx), *args])
        except UsageError:
            raise
        except Exception as error:  # the option parser's own, which know the option
            key = added.get(getattr(getattr(error, "param", None), "name", None))
            if key is None:
                raise
            message = getattr(error, "message", "") or str(error)
            raise defaults.wrong(_verb(ctx), key, message) from None


def _verb(ctx: Any) -> str:
    """The verb that a command is, or belongs to."""
    return str((ctx if _is_verb(ctx) else ctx.parent).info_name)


def _is_verb(ctx: Any) -> bool:
    return ctx.parent is None or ctx.parent.parent is None


def _as_given(
    named: dict[str, Any], own: dict[str, Any], added: dict[Any, str], ctx: Any
) -> list[str]:
    """A project's options in the form of the command line."""
    given: list[str] = []
    for key in added.values():
        try:
            given += _words(named[key], own[key])
        except UsageError as error:
            raise defaults.wrong(_verb(ctx), key, str(error)) from None
    return given


def _words(option: Any, value: Any) -> list[str]:
    """An option with a value of TOML.

    Raises UsageError for a value of another kind than it takes.
    """
    name = max(option.opts, key=len)
    if option.is_flag:
        if not isinstance(value, bool):
            raise UsageError(f"must be true or false, not {value!r}")
        return [name] if value else list(option.secondary_opts[:1])
    if option.multiple:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise UsageError(f"must be a list of texts, not {value!r}")
        return [part for each in value for part in (name, each)]
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise UsageError(f"must be a number or a text, not {value!r}")
    return [name, str(value)]


Scenes = Annotated[
    list[str],
    typer.Argument(
        metavar="SCENE",
        help="Scene files, folders of scenes, or globs; `-` reads a scene from standard input.",
        show_default=False,
    ),
]
OnlyScenes = Annotated[
    bool,
    typer.Option(
        "--only-scenes", help="Skip files without a top-level `rigid:` key, even if they are named."
    ),
]
OneScene = Annotated[
    str,
    typer.Argument(
        metavar="SCENE", help="Scene file; `-` reads standard input.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print results and errors as JSON.")]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Print errors only: no progress bar, no messages."),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback on errors.")]
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
    typer.Option(
        "--seconds", metavar="S", help="Seconds of scene time to run.", show_default=False, min=0.0
    ),
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
        help="Recorded inputs, a YAML list, in place of the scene's own.",
        show_default=False,
    ),
]
Threads = Annotated[
    int,
    typer.Option("--threads", min=1, max=256, metavar="N", help="Number of threads of the engine."),
]
Lanes = Annotated[
    int,
    typer.Option(
        "--lanes",
        min=0,
        metavar="W",
        help="Number of contacts solved side by side; 0 for the widest.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=0, metavar="N", help="Scenes to run at a time; 0 for one per core."
    ),
]
# Of the verbs that run one scene many times.
SceneOrStudy = Annotated[
    str,
    typer.Argument(
        metavar="SCENE",
        help="Scene file, or study file that names its scene; `-` reads a scene from standard "
        "input.",
        show_default=False,
    ),
]
RunJobs = Annotated[
    int,
    typer.Option("--jobs", "-j", min=0, metavar="N", help="Runs at a time; 0 for one per core."),
]
