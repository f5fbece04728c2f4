# SPDX-License-Identifier: MIT
"""``rigid new``: a commented scene to start from."""

from __future__ import annotations

import json as json_text
import re
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options
from ..console import note, print_json, shown
from ..files import check_writable, write_text

app = typer.Typer(add_completion=False, rich_markup_mode=None)

TEMPLATES = Path(__file__).parent / "templates"
SCHEMA_FILE = "rigid.schema.json"


class SceneTemplate(str, Enum):
    """The scenes to choose from; each is a file in ``templates``."""

    hello = "hello"
    stack = "stack"
    joints = "joints"
    machine = "machine"
    terrain = "terrain"
    screen = "screen"


@app.command(cls=options.Verb)
def new(
    name: Annotated[
        str,
        options.argument(
            options.Files("written", ".yaml"),
            metavar="NAME",
            help="File to write; `.yaml` is added if there is no suffix, `-` prints the scene.",
        ),
    ],
    template: Annotated[
        SceneTemplate, options.setting("--template", "-t", help="Template to start from.")
    ] = SceneTemplate.hello,
    force: Annotated[bool, options.force("Replace existing files.")] = False,
    schema: Annotated[
        bool,
        options.setting(
            "--schema/--no-schema",
            help=f"Also write {SCHEMA_FILE} beside it, for completion and checks in editors.",
        ),
    ] = True,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Write a commented scene to start from."""
    text = (TEMPLATES / f"{template.value}.yaml").read_text(encoding="utf-8")
    if name == "-":
        write_text(text, None)
        return exit_codes.DONE
    path = _scene_path(name)
    if path.exists() and not force:
        raise UsageError(f"{path}: exists already; --force replaces it")
    check_writable(str(path))
    written = [str(path)]
    write_text(_titled(text, path.stem), str(path))
    schema_path = path.parent / SCHEMA_FILE
    if schema and (force or not schema_path.exists()):
        from .schema import schema_text

        write_text(schema_text(), str(schema_path))
        written.append(str(schema_path))
    if json:
        print_json({"ok": True, "template": template.value, "files": written})
    elif not quiet:
        note(shown(f"wrote {' and '.join(written)}; next: rigid run {path} --gif {path.stem}.gif"))
    return exit_codes.DONE


def _scene_path(name: str) -> Path:
    path = Path(name)
    if name.endswith(("/", "\\")) or path.is_dir() or not path.name:
        raise UsageError(f"{name}: is a folder; name the scene file to write in it")
    if path.suffix not in (".yaml", ".yml"):
        path = path.with_name(path.name + ".yaml")
    return path


def _titled(text: str, stem: str) -> str:
    """The template with its `name:` line made from the file's name."""
    stem = stem.encode("utf-8", "backslashreplace").decode()  # a file's name may be no text
    words = re.sub(r"[\s_-]+", " ", stem).strip() or stem
    title = words[:1].upper() + words[1:]
    plain = re.fullmatch(r"[A-Z][A-Za-z]*( [A-Za-z][A-Za-z0-9]*)*", title)
    value = title if plain else json_text.dumps(title, ensure_ascii=False)
    return re.sub(r"(?m)^name: .*$", lambda _match: f"name: {value}", text, count=1)
