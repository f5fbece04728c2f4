# SPDX-License-Identifier: MIT
"""Converts exceptions to messages and exit codes. No user's mistake ends in a traceback."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import typer
from rigid2d.core.errors import Problem, SceneError, SimulationError, UsageError

from . import exit_codes
from .console import OutputError, note, print_json, shown
from .signals import INTERRUPTED, note_said, takes_last_word, wait_until_said
from .words import refusal


def report(error: BaseException, *, as_json: bool) -> int:
    """Report an error to the user and return its exit code."""
    try:
        return _report(error, as_json=as_json)
    except OutputError as failure:  # which is then reported with the error
        note(f"rigid: {failure}")
        return exit_codes.BAD_INPUT


def _report(error: BaseException, *, as_json: bool) -> int:
    kind, message, code = _explain(error)
    if code != exit_codes.INTERRUPTED:
        return _tell(error, kind, message, code, as_json=as_json)
    if not takes_last_word():
        wait_until_said()
        return code
    try:
        return _tell(error, kind, message, code, as_json=as_json)
    finally:
        note_said()


def _tell(error: BaseException, kind: str, message: str, code: int, *, as_json: bool) -> int:
    if as_json and not isinstance(error, OutputError):
        print_json({"ok": False, "error": {"kind": kind, "message": message, **_details(error)}})
    elif isinstance(error, SceneError):
        from .reporting.diagnostics import as_text

        note(as_text(error.problems, sys.stderr))
    elif code == exit_codes.INTERRUPTED:
        note(message)
    else:
        note(f"rigid: {shown(message)}")
    return code


def _explain(error: BaseException) -> tuple[str, str, int]:
    """(kind, message, exit code) of an exception."""
    if isinstance(error, SceneError):
        return "scene", str(error), exit_codes.BAD_INPUT
    if isinstance(error, UsageError):
        return "usage", str(error), exit_codes.BAD_INPUT
    if isinstance(error, SimulationError):
        return "simulation", str(error), exit_codes.STOPPED
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return "interrupted", INTERRUPTED, exit_codes.INTERRUPTED
    if hasattr(error, "format_message"):  # the option parser's own errors
        return "usage", _parser_message(error), exit_codes.BAD_INPUT
    if isinstance(error, OSError):
        return "file", _file_message(error), exit_codes.BAD_INPUT
    if isinstance(error, MemoryError):
        return "memory", "out of memory", exit_codes.STOPPED
    text = f"internal error: {type(error).__name__}: {error} (--debug shows where)"
    return "internal", text, exit_codes.STOPPED


def _parser_message(error: Any) -> str:
    """The option parser's message, with the verb whose help explains more."""
    message, own = str(error.format_message()), str(error.message or "")
    message = message.replace(own, refusal(error)) if own else message
    message = message.rstrip(".").replace(": Value error, ", ": ")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "rigid"
    return f"{message[:1].lower()}{message[1:]} (see `{path} --help`)"


def _file_message(error: OSError) -> str:
    reason = os.strerror(error.errno) if error.errno else str(error)
    if error.errno == errno.ENOSPC:
        reason = "no space left on the disk"
    return f"{error.filename}: {reason}" if error.filename else reason


def _details(error: BaseException) -> dict[str, Any]:
    if isinstance(error, SceneError):
        return {"problems": [problem_fields(problem) for problem in error.problems]}
    if isinstance(error, SimulationError):
        return {"step": error.step, "body": error.body}
    return {}


def problem_fields(problem: Problem) -> dict[str, Any]:
    """A problem of a scene file as JSON data."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "path": problem.path,
        "message": problem.message,
        "kind": problem.kind,
    }
