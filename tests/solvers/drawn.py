# SPDX-License-Identifier: MIT
"""What the pictures of docs/solvers.md are drawn from: scenes and options, as `make solvers` says.

`make solvers` writes it down as docs/solvers/drawn.txt, when it has drawn them.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_VARIABLE = re.compile(r"^([A-Z]+) := (.*)$", re.MULTILINE)
_RECIPE = re.compile(
    r"^\t\$\((?:COMPARE|EXPLAIN)\) (\S+) (.*) --(?:picture|plot) (\S+)(?: >/dev/null)?$",
    re.MULTILINE,
)


def drawn() -> dict[str, tuple[str, str]]:
    """The scene and the options of each picture, by the paths in the Makefile."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name, value in _VARIABLE.findall(text):
        if name in ("LESSONS", "PILES"):
            text = text.replace(f"$({name})", value)
    return {picture: (scene, options) for scene, options, picture in _RECIPE.findall(text)}


def account() -> str:
    """A line for each picture: its name, options, scene and what stands in that."""
    lines = []
    for picture, (scene, options) in drawn().items():
        digest = hashlib.sha256((ROOT / scene).read_bytes()).hexdigest()[:16]
        lines.append(f"{picture} {scene} {digest} {options}\n")
    return "".join(lines)


if __name__ == "__main__":
    print(account(), end="")
