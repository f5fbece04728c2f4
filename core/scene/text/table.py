# SPDX-License-Identifier: MIT
"""Tables: CSV files with a row of names, then rows of numbers and words."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from errno import EFBIG
from itertools import islice
from typing import Any

from ...errors import Kind
from ...reading import read_bytes
from .. import limits
from ..values.context import Wrong
from ..values.functions import RESERVED
from ..values.kinds import show
from ..values.words import Place, Word

_TRUTHS = {"true": True, "false": False}
_OTHER_CODES = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"PK\x03\x04", "a workbook"))
_SHOWN = 20  # rows of another length that are reported


class Table:
    """The values of a table, read once.

    Attributes:
        file: its name in messages.
        data: the bytes of the file.
        names: those of its columns.
        rows: the values by name of each row: numbers, booleans and words.
    """

    def __init__(self, file: str, text: str, data: bytes) -> None:
        self.file = file
        self.data = data
        self._text = text
        header, cells = self._cells()
        self.names = self._checked(header)
        columns = [self._values(i, column) for i, column in enumerate(zip(*cells, strict=True))]
        self.rows = [dict(zip(self.names, row, strict=True)) for row in zip(*columns, strict=True)]

    def wrong(self, kind: Any, message: str, row: int = -1, column: int = 0) -> Wrong:
        """The problem of a cell; the row before the first one is that of the names."""
        return Wrong(kind, message, place=self.place(row, column))

    def place(self, row: int, column: int) -> Place:
        start = next(islice(self._lines(), row + 1, None), (1, []))[0]
        lines = io.StringIO(self._text, newline="")
        line, at, left, quoted = start, 0, column, False
        for text in islice(lines, start - 1, None):
            at = 0
            for at, character in enumerate(text):
                if left == 0 and character not in " \t":
                    return self.file, line, at + 1
                quoted ^= character == '"'
                left -= character == "," and not quoted
            if not quoted:
                break
            line += 1
        return self.file, line, at + 1

    def strange(self, column: int) -> tuple[int, str]:
        for row, (_, cells) in enumerate(islice(self._lines(), 1, None)):
            if _number(cells[column]) is None:
                return row, cells[column].strip()
        return 0, ""

    def _lines(self) -> Iterator[tuple[int, list[str]]]:
        """The rows that are not empty, and the lines in which they begin."""
        reader = csv.reader(io.StringIO(self._text, newline=""), strict=True, skipinitialspace=True)
        line = 1
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The names, and the cells row by row."""
        reader = csv.reader(io.StringIO(self._text, newline=""), strict=True, skipinitialspace=True)
        rows: list[list[str]] = []
        try:
            for row in filter(None, reader):
                rows.append(row)
                if len(rows) > limits.TABLE_ROWS + 1:
                    message = f"the table has more than {limits.TABLE_ROWS} rows; that is the limit"
                    raise Wrong("limit", message, place=(self.file, reader.line_num, 1))
        except csv.Error as error:
            raise self._damaged(str(error), reader.line_num) from None
        if not rows:
            message = (
                "the table is empty; its first row has the names of the columns, such as `x,y`"
            )
            raise Wrong("missing-key", message, place=(self.file, 1, 1))
        header, cells = rows[0], rows[1:]
        width = len(header)
        if width > limits.TABLE_COLUMNS:
            message = f"the table has {width} columns; the limit is {limits.TABLE_COLUMNS}"
            raise self.wrong("limit", message)
        if len(cells) * width > limits.TABLE_CELLS:
            message = f"the table has more than {limits.TABLE_CELLS} cells; that is the limit"
            raise self.wrong("limit", message)
        odd = [i for i, row in enumerate(cells) if len(row) != width]
        wrong = Wrong()
        for i in odd[:_SHOWN]:
            said = f"{len(cells[i])} {'cells' if len(cells[i]) != 1 else 'cell'}"
            hint = "; a cell that holds a comma is quoted" if len(cells[i]) > width else ""
            message = f"this row has {said}, but the table has {width} columns{hint}"
            last = min(len(cells[i]), width + 1) - 1
            wrong.findings += self.wrong("wrong-type", message, i, last).findings
        if odd:
            raise wrong
        return header, cells

    def _damaged(self, reason: str, line: int) -> Wrong:
        message = "the quotes of this cell are wrong; a quote inside a quoted cell is doubled"
        if "field larger" in reason:
            message = "a cell is too long; perhaps a quote is not closed"
        elif "unexpected end" in reason:
            message = 'a cell that begins with `"` has no `"` at its end'
        elif "NUL" in reason:
            message = "the file has characters that no text has; save it as CSV in UTF-8"
        return Wrong("syntax", message, place=(self.file, max(line, 1), 1))

    def _checked(self, header: Sequence[str]) -> tuple[str, ...]:
        names = tuple(name.strip() for name in header)
        wrong = Wrong()
        for i, name in enumerate(names):
            message = _name_problem(name)
            if not message and name in names[:i]:
                message = f"there are two columns `{name}`; each needs a name of its own"
            if message:
                wrong.findings += self.wrong("invalid-name", message, -1, i).findings
        if wrong.findings:
            raise wrong
        return names

    def _values(self, column: int, cells: Sequence[str]) -> Sequence[Any]:
        """The values of a column: numbers, booleans, or else words."""
        text = "".join(cells)
        if text.isascii() and "_" not in text:
            try:
                numbers = list(map(float, cells))
                if all(map(math.isfinite, numbers)):
                    return numbers
            except ValueError:
                pass
        words: dict[str, Any] = {}
        for row, cell in enumerate(cells):
            if cell not in words:
                words[cell] = Word(cell.strip(), self, row, column)
        if all(word.text in _TRUTHS for word in words.values()):
            words = {cell: _TRUTHS[word.text] for cell, word in words.items()}
        return [words[cell] for cell in cells]


def _number(cell: str) -> float | None:
    """The number in a cell, in the form of Python without underscores; None for anything else."""
    try:
        number = float(cell) if cell.isascii() and "_" not in cell else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _name_problem(name: str) -> str:
    """The reason why a text cannot be the name of a column; empty for a valid name."""
    if name in RESERVED:
        return f"`{name}` is a word of expressions and cannot be the name of a column; rename it"
    if len(name) > limits.NAME_LENGTH:
        return f"a name of {len(name)} characters; the limit is {limits.NAME_LENGTH}"
    if name.isidentifier():
        return ""
    if not name:
        return "this column has no name; the first row has the names of the columns, such as `x,y`"
    if ";" in name or "\t" in name:
        return f"{show(name)}: the columns of a table are separated by commas"
    if _number(name) is not None:
        return f"{show(name)} is no name; the first row has the names of the columns, such as `x,y`"
    better = re.sub(r"\W+", "_", name).strip("_")
    hint = f", such as `{better}`" if better.isidentifier() and better not in RESERVED else ""
    return f"{show(name)} cannot be the name of a column; use letters, digits and _{hint}"


def content(path: str) -> bytes:
    """The bytes of a table; Wrong says why there are none."""
    try:
        return read_bytes(path, limits.TABLE_BYTES)
    except OSError as error:
        kind: Kind = "limit" if error.errno == EFBIG else "file"
        raise Wrong(kind, f"the table cannot be read: {error.strerror}") from None


def decoded(data: bytes, file: str) -> str:
    """The text of a table; ``file`` is its name in messages. Wrong says why there is none."""
    for code, what in _OTHER_CODES:
        if data.startswith(code):
            message = f"this is {what}; save the table as CSV in UTF-8"
            raise Wrong("file", message, place=(file, 1, 1))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"the table is not UTF-8 text (byte 0x{data[error.start]:02x} here); save it so"
        raise Wrong("file", message, place=(file, line, column)) from None
