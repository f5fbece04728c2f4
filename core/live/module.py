# SPDX-License-Identifier: MIT
"""The engine as WebAssembly and its JavaScript, as they are installed."""

from __future__ import annotations

import re
from pathlib import Path

from .. import _native
from ..errors import UsageError

WEB = Path(__file__).parents[1] / "web"
WASM = WEB / "librigid.wasm"
PROGRAM = ("exact.js", "player.js", "births.js", "rigid.js")
"""The files of the engine's JavaScript, in the order in which they build on each other."""


def find_module() -> bytes:
    """The bytes of the module. Raises UsageError where it was not built, or of other sources than
    the engine of Python, so that other bits may be in pages."""
    try:
        content = WASM.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            "the engine for browsers is not installed here: `make web` builds it from the sources "
            "of rigid (core/web/librigid.wasm)"
        ) from None
    if not content.endswith(_native.source_digest.encode()):
        raise UsageError(
            "the engine for browsers was built from other sources than the engine that runs here: "
            "`make web` builds it anew (core/web/librigid.wasm)"
        )
    return content


def module_name() -> str:
    """The name of the module's file beside pages that share it."""
    return WASM.name


def program() -> str:
    """The engine's JavaScript as a script that is no module: browsers start no module's worker for
    a page from a disk."""
    text = "\n".join((WEB / name).read_text(encoding="utf-8") for name in PROGRAM)
    text = re.sub(r"^import .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export default .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return text.replace("import.meta.url", "location.href")
