"""Options that several verbs share, so that they read the same everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

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
    bool, typer.Option("--quiet", "-q", help="Print nothing but errors; no progress bar.")
]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback when something goes wrong.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Replace a value of the scene, such as vars.n=7 or world.dt=0.01. Repeatable.",
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
