# SPDX-License-Identifier: MIT
"""Errors for users. Every mistake of a user ends in one of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from .frozen import frozen


class RigidError(Exception):
    """Base of all errors of this library."""


Kind = Literal[
    "file",
    "syntax",
    "duplicate-key",
    "unknown-key",
    "missing-key",
    "conflicting-keys",
    "wrong-type",
    "unknown-word",
    "wrong-unit",
    "out-of-range",
    "expression",
    "unknown-name",
    "invalid-name",
    "impossible-shape",
    "impossible-motion",
    "limit",
    "unsupported",
    "override",
    "missing-letter",
    "unknown-tag",
]
"""The kind of a mistake; docs/cli.md describes each."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@frozen
class Problem:
    """A problem of a scene file.

    Attributes:
        file: the file as the user named it, or ``<string>``.
        line: 1-based line of the value, 0 when no line is known.
        column: 1-based column of the value, 0 when no column is known.
        path: the path to the value, such as ``bodies.ball.shape.circle``; may be empty.
        message: the error and its correction.
        kind: the kind of mistake, one of ``KINDS``.
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    kind: Kind = "file"

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}"
            if self.column:
                place += f":{self.column}"
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"


@dataclass
class SceneError(RigidError):
    """A scene that cannot be loaded. Holds every problem found, in the order of the file."""

    problems: list[Problem] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class SimulationError(RigidError):
    """A run that cannot continue: a state that is not finite, or a body beyond the limits.

    Attributes:
        step: the step after which it was noticed, counted from 1.
        body: the name of the first body concerned, or an empty string.
    """

    def __init__(self, message: str, step: int = 0, body: str = "") -> None:
        super().__init__(message)
        self.step = step
        self.body = body


class OptionValue(str):
    """A value of an option of the command line; errors name that option."""

    __slots__ = ()
    option = "--set"


class VariedValue(OptionValue):
    """One of the values that ``--vary`` gives."""

    __slots__ = ()
    option = "--vary"


class UsageError(RigidError):
    """An invalid call, option or file name; the message contains the correction."""


class UnknownNameError(UsageError, KeyError):
    """A body, joint or channel that the scene does not have; also a KeyError."""

    def __str__(self) -> str:
        return str(self.args[0])


_NEAR = 0.62  # difflib's ratio of a name that may be meant: of `nope`, `hopper` is not


def unknown_name(what: str, name: object, known: Iterable[str]) -> UnknownNameError:
    """The error for a ``name`` that is not among the ``known`` ones, with the nearest of them."""
    from .nearest import nearest_name

    names = list(known)
    near = nearest_name(name, names, _NEAR) if isinstance(name, str) else None
    if near:
        hint = f"did you mean {near!r}?"
    elif names:
        hint = "known: " + ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    else:
        hint = "there are none"
    return UnknownNameError(f"no {what} named {name!r}; {hint}")
