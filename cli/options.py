# SPDX-License-Identifier: MIT
"""Arguments and options of verbs: how they are declared, and those that several verbs share.

Every option is made by ``setting``, ``reads`` or ``writes``, which say whether it names a file; an
option of several verbs is made here, by a function where its help differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Annotated, Any, Literal, get_type_hints

import typer
from rigid2d.core.errors import OptionValue, UsageError
from typer.core import TyperCommand

from . import defaults
from .numbers import in_seconds
from .words import refusal


class Verb(TyperCommand):
    """A verb that refuses an option given twice, of which only the last would count.

    A switch may be repeated as long as it says the same, `--no-schema` after `--schema` does not.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given = args[: args.index("--")] if "--" in args else args
        try:
            values, _, order = self.make_parser(ctx).parse_args(args=list(args))
        except Exception as error:  # an error of the option parser, sometimes without the verb
            raise _told(error, self.params, given, ctx) from None
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
            raise defaults.wrong(_verb(ctx), key, refusal(error)) from None


def _told(error: Any, parameters: list[Any], given: list[str], ctx: Any) -> Any:
    """The option parser's error, or a better one for an option that is unknown or has no value."""
    name = getattr(error, "option_name", "")
    if getattr(error, "ctx", None) is None:
        error.ctx = ctx
    known = {word: each for each in parameters for word in each.opts}
    outputs = _outputs(parameters)
    seen = f"(see `{ctx.command_path} --help`)"
    if name in known and "requires" in str(getattr(error, "message", "")):
        key = next((key for key, each in outputs.items() if each is known[name]), None)
        what = "its value" if key is None else "the name of a file"
        example = f", such as `{name} picture{SUFFIXES[key][0]}`" if key in SUFFIXES else ""
        return UsageError(f"{name}: {what} is missing{example} {seen}")
    if name in ("-o", "--out", "--output") and name not in known:
        words = " ".join(given).replace("=", " ").split()
        value = next((after for word, after in pairwise(words) if word == name), "")
        for key, each in outputs.items():
            if value.lower().endswith(SUFFIXES.get(key, ())):
                right = f"{each.opts[0]} {value}"
                return UsageError(f"there is no option {name}; write `{right}` {seen}")
    return error


def _outputs(parameters: list[Any]) -> dict[str, Any]:
    """The options that name files that are written, by their names without dashes."""
    named = {max(each.opts, key=len).lstrip("-"): each for each in parameters}
    return {key: each for key, each in named.items() if key in SUFFIXES or key == "output"}


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


@dataclass(frozen=True, slots=True)
class Files:
    """Whether an argument or option names files, and of those that are written the ending.

    The ending of a folder is a file in it that is written, such as ``/index.html``.
    """

    role: Literal["none", "read", "written"] = "none"
    ending: str = ""


_FILES: dict[Any, Files] = {}
"""The use of each declared argument and option: a file that is read or written, or neither."""


def _declare(parameter: Any, files: Files) -> Any:
    _FILES[parameter] = files
    return parameter


def setting(*names: str, **given: Any) -> Any:
    """An option that names no file."""
    return _declare(typer.Option(*names, **given), Files())


def reads(*names: str, **given: Any) -> Any:
    """An option that names a file that is read."""
    return _declare(typer.Option(*names, **given), Files("read"))


def writes(*names: str, ending: str, **given: Any) -> Any:
    """An option that names a file that is written, or a folder."""
    return _declare(typer.Option(*names, **given), Files("written", ending))


def argument(files: Files | None = None, **given: Any) -> Any:
    """An argument, which names files that are read unless ``files`` says otherwise."""
    made = typer.Argument(show_default=False, **given)
    return _declare(made, Files("read") if files is None else files)


def files_of(verb: Callable[..., Any]) -> dict[str, Files]:
    """The kinds of files that arguments and options of a verb name, by its function's parameters.

    Raises KeyError for a parameter that was not declared here.
    """
    hints = get_type_hints(verb, include_extras=True)
    hints.pop("return", None)
    return {name: _FILES[hint.__metadata__[0]] for name, hint in hints.items()}


SUFFIXES: dict[str, tuple[str, ...]] = {
    "gif": (".gif",),
    "mp4": (".mp4",),
    "webp": (".webp",),
    "png": (".png",),
    "html": (".html", ".htm"),
    "csv": (".csv",),
    "npz": (".npz",),
    "snapshot": (".snapshot",),
    "save-state": (".state",),
}
"""Option -> what its file's name may end in; the first is what a name made from a scene gets."""

Paths = list[str] | None
"""Values of an output option, given once or several times."""


class Theme(str, Enum):
    """The themes of pictures."""

    light = "light"
    dark = "dark"
    blueprint = "blueprint"


# ------------------------------------------------------------ what is run

Scenes = Annotated[
    list[str],
    argument(
        metavar="SCENE",
        help="Scene files, folders of scenes, or globs; `-` reads a scene from standard input.",
    ),
]
OnlyScenes = Annotated[
    bool,
    setting(
        "--only-scenes", help="Skip files without a top-level `rigid:` key, even if they are named."
    ),
]
OneScene = Annotated[str, argument(metavar="SCENE", help="Scene file; `-` reads standard input.")]
SceneOrStudy = Annotated[
    str,
    argument(
        metavar="SCENE",
        help="Scene file, or study file that names its scene; `-` reads a scene from standard "
        "input.",
    ),
]
Overrides = Annotated[
    list[str] | None,
    setting(
        "--set",
        parser=OptionValue,
        metavar="PATH=VALUE",
        help="Replace a value of the scene, such as vars.n=7 or world.dt=0.01. Repeatable.",
    ),
]
Inputs = Annotated[
    str | None,
    reads(
        "--inputs", metavar="F", help="Recorded inputs, a YAML list, in place of the scene's own."
    ),
]


def vary(metavar: str, help: str) -> Any:
    """``--vary``, which gives a value of the scene several values."""
    return setting("--vary", metavar=metavar, help=help)


def _duration(text: str) -> float:
    """The seconds of ``3``, ``3 s`` or ``500 ms``."""
    found = in_seconds(text)
    if found is None:
        raise typer.BadParameter(f"should be seconds such as 2.5, or `500 ms`, not `{text}`")
    return found


def seconds() -> Any:
    """``--seconds``, which ends a run."""
    text = "Scene time to run: seconds, or `500 ms`."
    return setting("--seconds", metavar="S", parser=_duration, help=text)


def steps(help: str = "Number of steps to run.", **bounds: int) -> Any:
    """``--steps``, which ends a run."""
    return setting("--steps", metavar="N", help=help, **bounds)


Seconds = Annotated[float | None, seconds()]
Steps = Annotated[int | None, steps(min=1)]

# ------------------------------------------------------------ how it is run

Threads = Annotated[
    int, setting("--threads", min=1, max=256, metavar="N", help="Number of threads of the engine.")
]
Lanes = Annotated[
    int,
    setting(
        "--lanes",
        min=0,
        metavar="W",
        help="Number of contacts solved side by side; 0 for the widest.",
    ),
]


def jobs(help: str) -> Any:
    """``--jobs``, the number of processes."""
    return setting("--jobs", "-j", min=0, metavar="N", help=help)


Jobs = Annotated[int, jobs("Scenes to run at a time; 0 for one per core.")]
RunJobs = Annotated[int, jobs("Runs at a time; 0 for one per core.")]
Speed = Annotated[
    float,
    setting("--speed", min=1 / 64, max=64.0, metavar="X", help="Seconds of scene time per second."),
]
Paused = Annotated[bool, setting("--paused", help="Start paused.")]


RequireSnapshots = Annotated[
    bool,
    setting(
        "--require-snapshots",
        help="Fail for scenes without a snapshot beside them, and in folders for snapshots without "
        "a scene.",
    ),
]
Junit = Annotated[
    str | None,
    writes("--junit", metavar="F", ending=".xml", help="Also write a JUnit XML report."),
]


def tolerance(help: str) -> Any:
    """``--tolerance`` of a snapshot."""
    return setting("--tolerance", min=0.0, metavar="X", help=help)


# ------------------------------------------------------------ pictures


def size(help: str) -> Any:
    """``--size`` of a picture, which ``numbers.picture_size`` reads."""
    return setting("--size", metavar="WxH", help=help)


def fps(help: str) -> Any:
    """``--fps``, which ``numbers.frame_rate`` reads."""
    return setting("--fps", metavar="N", help=help)


def overlay(help: str) -> Any:
    """``--overlay``, which ``run.look_of`` reads."""
    return setting("--overlay", metavar="NAME", help=help)


def at(help: str, **given: Any) -> Any:
    """``--at``, a moment of the run, which ``numbers.moment`` reads."""
    return setting("--at", metavar="T", help=help, **given)


def title(help: str) -> Any:
    """``--title`` of a figure or picture."""
    return setting("--title", metavar="TEXT", help=help)


PictureTheme = Annotated[Theme | None, setting("--theme", help="Theme of the pictures.")]
Mute = Annotated[bool, setting("--mute", help="Leave out sounds.")]
FullColors = Annotated[
    bool,
    setting("--full-colors", help="MP4 with the colour of each pixel, not of two by two (4:4:4)."),
]

# ------------------------------------------------------------ what is printed and written

Json = Annotated[bool, setting("--json", help="Print results and errors as JSON.")]
Quiet = Annotated[
    bool, setting("--quiet", "-q", help="Print errors only: no progress bar, no messages.")
]
Debug = Annotated[bool, setting("--debug", help="Show a traceback on errors.")]


def format(help: str, **given: Any) -> Any:
    """``--format`` of the printed or written output."""
    return setting("--format", help=help, **given)


def force(help: str) -> Any:
    """``--force``, where something would be left as it is."""
    return setting("--force", "-f", help=help)


def picture(help: str) -> Any:
    """``--picture``, one PNG."""
    return writes("--picture", metavar="F", ending=".png", help=help)


def output(ending: str, help: str = "Write to a file instead of standard output.") -> Any:
    """``--output``, the one file that a verb writes."""
    return writes("--output", "-o", metavar="F", ending=ending, help=help)


def folder(metavar: str, file: str, help: str, **given: Any) -> Any:
    """``--out``, the folder that a verb writes; ``file`` is one in it."""
    return writes("--out", "-o", metavar=metavar, ending=f"/{file}", help=help, **given)


def product(kind: str, metavar: str, help: str) -> Any:
    """An option of a product of a run, such as ``--gif``; ``outputs`` has the endings of all."""
    return writes(f"--{kind}", metavar=metavar, ending=SUFFIXES[kind][0], help=help)
