# SPDX-License-Identifier: MIT
"""Writing text to a file or to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rigid2d.core.errors import UsageError

from .console import OutputError
from .words import either

if TYPE_CHECKING:
    from rigid2d.core.scene.model import Scene


def check_writable(path: str) -> None:
    """Check, before any work is done, that a file can be written at ``path``.

    Raises:
        UsageError: when it is a folder, its folder is missing, or the place is read-only.
    """
    from rigid2d.core.record.atomic import check_place

    folder = Path(path).parent
    if not folder.exists():
        raise UsageError(f"{path}: the folder {folder} does not exist")
    check_place(path)


def check_figures(wanted: Mapping[str, str | None], missing: str) -> None:
    """Make sure, before any work is done, that matplotlib is there and can write these figures, and
    pages with some; ``wanted`` has their files by the options.

    Raises:
        UsageError: when one could not be written; ``missing`` when there is no matplotlib.
    """
    from rigid2d.core.jobs.plotting import ENDINGS, need_matplotlib
    from rigid2d.core.record.atomic import check_place

    found = {option: path for option, path in wanted.items() if path is not None}
    for option, path in found.items():
        endings = (".html",) if option == "--report" else ENDINGS
        if Path(path).suffix.lower() not in endings:
            raise UsageError(f"{option}: {path}: the name should end in {either(endings)}")
        check_place(path)
    if found:
        need_matplotlib(missing)


def refuse_inputs(outputs: Iterable[str], inputs: Iterable[str | Path]) -> None:
    """Make sure that no file that is read would be written, by whatever name or link.

    The project's `pyproject.toml` is read by every verb.

    Raises:
        UsageError: when one would be.
    """
    from rigid2d.core.record.inputs import refuse_inputs

    from .defaults import project_file

    refuse_inputs(outputs, [project_file(), *inputs])


def local_places(out: str) -> list[str]:
    """The folder of an output, unless it is an address in object storage."""
    from rigid2d.core.storage import is_address

    return [] if is_address(out) else [out]


def refuse_repeats(outputs: Mapping[str, str | None]) -> None:
    """Make sure that no two options write one file; ``outputs`` has their files by their names.

    Raises:
        UsageError: when two do.
    """
    written: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None or path == "-":
            continue
        other = written.setdefault(os.path.realpath(path), option)
        if other != option:
            raise UsageError(f"{path} would be written twice (by {other} and {option})")


def inputs_of(scene: Scene) -> list[str]:
    """The files that a loaded scene was read from, as far as they are files."""
    return [scene.path, *scene.files]


def write_text(text: str, path: str | None) -> None:
    """Write ``text`` to ``path``, whole or not at all; to standard output for None and `-`."""
    if path is None or path == "-":
        print_bytes(text.encode())
        return
    check_writable(path)
    from rigid2d.core.record import atomic_file

    with atomic_file(path) as file:
        file.write(text.encode())


def copy_beside(path: str, files: Mapping[str, str]) -> list[str]:
    """Copy files, by their relative names, beside the file ``path``; the names of those that were
    not there yet.

    Raises:
        UsageError: when another file has one of the names, before anything is copied.
    """
    folder = Path(path).parent
    wanted: dict[str, bytes] = {}
    for name, file in files.items():
        place, data = folder / name, Path(file).read_bytes()
        if place.exists() and place.read_bytes() != data:
            raise UsageError(
                f"{path}: the scene names {name}, and {place} is another file; name another folder"
            )
        if not place.exists():
            wanted[name] = data
    from rigid2d.core.record import atomic_file

    for name, data in wanted.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(place) as out:
            out.write(data)
    return list(wanted)


def print_bytes(data: bytes) -> None:
    """Write all of ``data`` to standard output.

    An unbuffered stream may take a part only, and report a closed reader only at the
    next attempt. Raises OutputError when it cannot be written.
    """
    rest = memoryview(data)
    try:
        sys.stdout.flush()
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error) from None
