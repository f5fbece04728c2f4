"""The entry point: run the command line, and turn every way to end into an exit code.

Only light modules are imported up here: `rigid --help` has to answer at once, and a Ctrl-C during
the other imports must end as quietly as one later.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from . import exit_codes


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (without the program's name) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    previous = signal.signal(signal.SIGTERM, _terminate)
    try:
        code = _run(arguments, debug="--debug" in options, as_json="--json" in options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _discard_output()
        return exit_codes.BROKEN_PIPE
    finally:
        signal.signal(signal.SIGTERM, previous)


def _run(arguments: list[str], *, debug: bool, as_json: bool) -> int:
    try:
        from .app import invoke

        return invoke(arguments or ["--help"])
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if debug:
            import traceback

            traceback.print_exc()
        from .failure import report

        return report(error, as_json=as_json)


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End as on Ctrl-C, through every ``finally``, so that no half-written file stays behind."""
    raise SystemExit(exit_codes.TERMINATED)


def _discard_output() -> None:
    """Point both streams at nothing, so that the interpreter's last flush has nowhere to fail."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nothing, stream.fileno())
        except (OSError, ValueError):
            continue
    os.close(nothing)


if __name__ == "__main__":
    sys.exit(main())
