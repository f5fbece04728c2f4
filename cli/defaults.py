# SPDX-License-Identifier: MIT
"""Default options of a project, from `[tool.rigid]` of a `pyproject.toml`.

    [tool.rigid]
    paths = ["scenes"]      # for test and validate, where no scene is named
    threads = 2             # for every verb that has the option

    [tool.rigid.test]       # options of one verb, by their names
    tolerance = 1e-9

The command line takes precedence, then a verb's own table, then the common one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from rigid2d.core.errors import UsageError

FILE = "pyproject.toml"
COMMON = ("paths", "threads", "lanes", "jobs", "quiet")
"""Keys allowed in the table itself."""
WITH_PATHS = ("test", "validate")
_LARGEST = 8 << 20


def root() -> Path:
    """The project's folder: that of the nearest ``pyproject.toml``, or the working folder."""
    here = Path(os.path.realpath(Path.cwd()))
    return next((each for each in (here, *here.parents) if (each / FILE).is_file()), here)


def project_file() -> Path:
    """The nearest ``pyproject.toml``, or where it would be."""
    return root() / FILE


def of_verb(verb: str, options: Collection[str], *, whole: bool = True) -> dict[str, Any]:
    """The values for a verb, by the long names of its options, and ``paths``.

    ``whole``: the options are all that the verb has; otherwise its table may hold others.

    Raises:
        UsageError: for invalid TOML or an unknown option.
    """
    table = _table()
    if not table:
        return {}
    known = [*COMMON, *_verbs()]
    for key, value in table.items():
        if key not in known:
            raise _unknown(key, known, key)
        if key not in COMMON and not isinstance(value, dict):
            raise UsageError(f"{_place(key)}: must be a table of options, not {value!r}")
    own = table.get(verb, {})
    allowed = [*options, *(["paths"] if verb in WITH_PATHS else [])]
    for key in own if whole else ():
        if key not in allowed:
            raise _unknown(f"{verb}.{key}", allowed, key)
    both = {key: value for key, value in table.items() if key in COMMON} | own
    return {key: value for key, value in both.items() if key in allowed}


def _verbs() -> dict[str, str]:
    from .app import VERBS

    return VERBS


def paths_of(value: Any) -> list[str]:
    """The scenes of ``paths``, as named from the working folder."""
    if isinstance(value, str) or not isinstance(value, list) or not value:
        raise UsageError(f"{_place('paths')}: must be a list of files and folders, not {value!r}")
    for each in value:
        if not isinstance(each, str) or not each:
            raise UsageError(f"{_place('paths')}: must be names of files, not {each!r}")
    return [os.path.relpath(root() / each) for each in value]


def _place(key: str) -> str:
    return f"{os.path.relpath(root() / FILE)}: tool.rigid.{key}"


def wrong(verb: str, key: str, message: str) -> UsageError:
    """The error of a value that an option does not take."""
    own = key in _table().get(verb, {})
    return UsageError(f"{_place(f'{verb}.{key}' if own else key)}: {message}")


def _unknown(path: str, known: Collection[str], word: str) -> UsageError:
    from rigid2d.core.nearest import nearest_name

    near = nearest_name(word, known)
    advice = f"did you mean `{near}`?" if near else f"there are {', '.join(known)}"
    return UsageError(f"{_place(path)}: there is no such option; {advice}")


def _table() -> dict[str, Any]:
    """The table; empty where there is none."""
    path = root() / FILE
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return {}
        data = path.read_bytes()
    except OSError:
        return {}
    if b"rigid" not in data:  # most projects do not speak of it, and need not be read
        return {}
    found = _parsed(data, path)
    tool = found.get("tool", {})
    table = tool.get("rigid", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UsageError(f"{os.path.relpath(path)}: tool.rigid: must be a table, not {table!r}")
    return table


def _parsed(data: bytes, path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        parsed: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{os.path.relpath(path)}: not TOML: {error}") from None
    return parsed
