# SPDX-License-Identifier: MIT
"""One test for many rows of data: all rows are tried, and all that fail are named."""

from __future__ import annotations

import functools
import inspect
import itertools
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

MOST_SHOWN = 20  # rows whose failures are written out
LINES = 12  # of one of them

only = ""  # a part of the names of the rows to try: pytest --row PART


def every_row(
    names: str | Iterable[str],
    rows: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[object] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As ``pytest.mark.parametrize``, in one test instead of one for each row.

    Worth it where a row takes milliseconds, of which a test of its own takes more than the row.
    Each row has a folder ``tmp_path`` and a ``monkeypatch`` of its own; other fixtures are shared.
    Several decorators above each other try each row with each.
    """
    arguments = [each.strip() for each in names.split(",")] if isinstance(names, str) else [*names]
    table = [_values(row, arguments) for row in rows]
    labels = _labels(table, ids)

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        inner: list[tuple[list[str], list[tuple[Any, ...]], list[str]]]
        inner = [*getattr(function, "tables", []), (arguments, table, labels)]
        real = getattr(function, "of_a_row", function)
        taken = {name for each, _, _ in inner for name in each}
        signature = inspect.signature(real)
        kept = [each for name, each in signature.parameters.items() if name not in taken]
        wants_folder = "tmp_path" in signature.parameters
        wants_patch = "monkeypatch" in signature.parameters

        @functools.wraps(real)
        def test(**fixtures: Any) -> None:
            failures: list[str] = []
            tried = skipped = 0
            for number, (label, values) in enumerate(_combined(inner)):
                if only not in label:
                    continue
                tried += 1
                given = fixtures | values
                if wants_folder:
                    given["tmp_path"] = _folder(fixtures["tmp_path"], number)
                try:
                    if wants_patch:
                        with fixtures["monkeypatch"].context() as patch:
                            real(**given | {"monkeypatch": patch})
                    else:
                        real(**given)
                except pytest.skip.Exception:
                    skipped += 1
                except (Exception, pytest.fail.Exception) as error:
                    failures.append(f"[{label}] {_shown(error)}")
            if failures:
                shown = "\n".join(failures[:MOST_SHOWN])
                pytest.fail(f"{len(failures)} of {tried} rows failed:\n{shown}", pytrace=False)
            if tried == skipped:
                pytest.skip("no row was tried")

        test.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        test.tables, test.of_a_row = inner, real  # type: ignore[attr-defined]
        return test

    return decorate


def _values(row: Any, arguments: list[str]) -> tuple[Any, ...]:
    values = (row,) if len(arguments) == 1 else tuple(row)
    if len(values) != len(arguments):
        raise ValueError(f"a row has {len(values)} values for {arguments}")
    return values


def _labels(
    table: list[tuple[Any, ...]], ids: Callable[[Any], object] | Iterable[object] | None
) -> list[str]:
    if ids is None:
        return ["-".join(map(_word, row)) for row in table]
    if callable(ids):
        return ["-".join(str(ids(value)) for value in row) for row in table]
    return [str(label) for label in ids]


def _word(value: Any) -> str:
    return getattr(value, "__name__", None) or str(value)[:80]


def _combined(
    tables: list[tuple[list[str], list[tuple[Any, ...]], list[str]]],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of several tables, each with each."""
    pairs = [[*zip(labels, table, strict=True)] for _, table, labels in tables]
    for combination in itertools.product(*pairs):
        values: dict[str, Any] = {}
        for (names, _, _), (_, row) in zip(tables, combination, strict=True):
            values |= dict(zip(names, row, strict=True))
        yield "-".join(label for label, _ in combination), values


def _folder(above: Path, number: int) -> Path:
    folder = above / f"row{number}"
    folder.mkdir()
    return folder


def _shown(error: BaseException) -> str:
    """The message of what failed, and the line of the test that it came from."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    inside = next((each for each in frames if "tests" in Path(each.filename).parts), None)
    place = f" (line {inside.lineno}: {inside.line})" if inside else ""
    lines = f"{type(error).__name__}: {error}".splitlines()
    more = ["..."] if len(lines) > LINES else []
    return "\n  ".join([lines[0] + place, *lines[1:LINES], *more])
