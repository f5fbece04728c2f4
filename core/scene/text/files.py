# SPDX-License-Identifier: MIT
"""Files that a scene names: they stay inside its folder or the assets folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Folders:
    """The allowed folders of the files of a scene.

    Attributes:
        own: the scene's folder and the folder of assets; each file is in one of them.
        beside: the folders of the scene's source files, by the names of these in messages.
        inner: the scenes that bodies show.
        tables: those that were read, by the files that name them and the names: real path and
            content. Scenes with other values, also in other processes and on other machines, have
            the same tables.
        parsed: the tables in use by their real paths, and why there is none.
    """

    own: tuple[Path | None, ...]
    beside: dict[str, Path] = field(default_factory=dict)
    inner: Any = None
    tables: dict[tuple[str, str], tuple[str, bytes]] = field(default_factory=dict)
    parsed: dict[str, Any] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        return Folders, (self.own, self.beside, self.inner, self.tables)

    @property
    def table_paths(self) -> tuple[str, ...]:
        """The real paths of all tables that were read."""
        return tuple(dict.fromkeys(path for path, _ in self.tables.values()))

    def find(self, name: str, by: str = "") -> Path:
        """The existing file that the file ``by`` names: beside that, or else in the first of the
        scene's folders that has it. ValueError says why there is none."""
        allowed = [folder.resolve() for folder in self.own if folder is not None]
        base = self.beside.get(by)
        if base is not None and allowed and base != allowed[0]:
            for folder in allowed:
                if base.is_relative_to(folder):
                    candidate = real(base / name)
                    if candidate and candidate.is_relative_to(folder) and candidate.is_file():
                        return candidate
        return inside(name, *allowed)


def inside(name: str, *folders: Path | None) -> Path:
    """The existing file ``name`` in the first of the folders that has it.

    ValueError says why there is none: an absolute path, a way out of the folder (also by a
    symbolic link), no such file.
    """
    if "\x00" in name or not name.strip():
        raise ValueError("the name of a file is missing")
    known = [folder.resolve() for folder in folders if folder is not None]
    if not known:
        raise ValueError(f"`{name}` cannot be found: a scene read from a text has no folder")
    if Path(name).is_absolute() or "\\" in name or name.startswith("~"):
        raise ValueError(
            f"`{name}` must be a path relative to the scene's folder, with `/` between folders"
        )
    for folder in known:
        path = real(folder / name)
        outside = path is not None and not path.is_relative_to(folder)
        if path is not None and not outside and path.is_file():
            return path
        if outside:
            raise ValueError(
                f"`{name}` leads out of the scene's folder; files of a scene stay inside it or "
                "inside the folder given by --assets"
            )
    raise ValueError(
        f"there is no file `{name}` in the scene's folder"
        + (" or the folder given by --assets" if len(known) > 1 else "")
    )


def real(path: Path) -> Path | None:
    """A path without links; None where nothing can be: too long a name, links in a circle."""
    try:
        found = path.resolve()
        found.is_file()
    except (OSError, RuntimeError, ValueError):
        return None
    return found
