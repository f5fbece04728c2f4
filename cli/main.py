# SPDX-License-Identifier: MIT
"""The entry point: run the command line, and turn every way to end into an exit code.

Only light modules are imported up here: `rigid --help` has to answer at once, and a Ctrl-C during
the other imports must end as quietly as one later.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any, NoReturn

from . import exit_codes
from .signals import ENDING, as_exceptions, end_soon, leave
from .streams import prepare, silence

OBJECTS_BETWEEN_COLLECTIONS = 200_000


def program() -> NoReturn:
    """The command as a process of its own."""
    # Imported modules and loaded data stay: to look for garbage among them as often as Python does
    # takes a twelfth of `rigid validate`.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    # Pydantic would read the metadata of every package that is installed, to see if it is a plugin.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _defer_metadata()
    prepare()
    end_soon(as_json="--json" in _options(sys.argv[1:]))
    try:
        code = main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else exit_codes.BAD_INPUT
        leave(code)
    gc.freeze()  # nor is there anything to find for the search at the end, which takes a sixth
    for number in ENDING:  # all is done; signals while the interpreter ends come too late
        signal.signal(number, signal.SIG_IGN)
    if threading.active_count() == 1 and "rigid2d.core._native" not in sys.modules:
        # Nothing but Python's own objects is left, and to take them apart one by one takes a
        # twelfth of `rigid validate`.
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _defer_metadata() -> None:
    """Have ``importlib.metadata`` imported when it is used.

    It takes a twelfth of `rigid validate`, with the modules for mail and sockets that it imports;
    and pydantic, which takes ``entry_points`` from it, has no use for them without plugins.
    """
    name = "importlib.metadata"
    if name in sys.modules:
        return
    stand_in = sys.modules[name] = ModuleType(name)

    def used(attribute: str) -> Any:
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]
        return getattr(importlib.import_module(name), attribute)

    vars(stand_in).update(
        __getattr__=used,
        __path__=[f"{folder}/metadata" for folder in importlib.__path__],
        entry_points=lambda **chosen: used("entry_points")(**chosen),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (without the program's name) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = _options(arguments)
    with as_exceptions():
        try:
            return _flushed(_run(arguments, "--debug" in options, "--json" in options))
        except BrokenPipeError:
            silence(sys.stdout)
            silence(sys.stderr)
            return exit_codes.BROKEN_PIPE


def _options(arguments: list[str]) -> list[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _run(arguments: list[str], debug: bool, as_json: bool) -> int:
    try:
        from .app import invoke

        return invoke(arguments or ["--help"])
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        from .console import note, of_output
        from .failure import report

        if debug:
            import traceback

            note(traceback.format_exc().rstrip())
        code = report(of_output(error), as_json=as_json)
        leave(code)
        return code


def _flushed(code: int) -> int:
    """The exit code, once standard output has taken everything; or that of one that has not."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        from .console import OutputError
        from .failure import report

        return report(OutputError(error), as_json=False)
    return code


if __name__ == "__main__":
    program()
