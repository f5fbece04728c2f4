# SPDX-License-Identifier: MIT
"""Makes the pictures, plots and notebooks of the pages in docs/lessons, for `make docs`.

A page prints the commands by which its pictures are made, so that a reader gets the same. A
notebook has the text of its page; the commands, and the scene in full, are its cells.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from rigid2d.core import load

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "docs" / "lessons"
NOTEBOOKS = LESSONS / "notebooks"
PAGES = sorted(page for page in LESSONS.glob("*.md") if page.with_suffix(".yaml").exists())
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"^!\[.*\]\(pictures/.*\)\n\n?", re.MULTILINE)
OUTPUTS = ("--png", "-o")
COLORS = 256  # of a stored picture, which is a third of the size of one with all of them


def commands(page: Path) -> list[list[str]]:
    """The commands in the blocks of a page, as words."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    shell = "".join(text for language, text in blocks if language == "sh")
    return [shlex.split(line) for line in shell.splitlines()]


def output(words: list[str]) -> str | None:
    """The picture that a command writes."""
    return next((words[words.index(each) + 1] for each in OUTPUTS if each in words), None)


def notebook(page: Path) -> str:
    """A page as a notebook without outputs, in nbformat 4."""
    cells: list[dict[str, Any]] = []
    # The pieces are a text, the language and the content of a block, the next text, and so on.
    pieces = BLOCK.split(page.read_text(encoding="utf-8"))
    for at in range(0, len(pieces), 3):
        text = _short(PICTURE.sub("", pieces[at])).strip()
        if text:
            cells.append(_cell("markdown", text, len(cells)))
        for code in _codes(page, pieces[at + 1], pieces[at + 2]) if at + 2 < len(pieces) else ():
            cells.append(_cell("code", code, len(cells)))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _codes(page: Path, language: str, block: str) -> list[str]:
    """The cells for a block: the scene in place of a part of it, and commands."""
    path = page.with_suffix(".yaml")
    if language == "yaml":
        text = path.read_text(encoding="utf-8")
        return [
            "import sys\nfrom pathlib import Path\n\n"
            "import rigid2d.core\nfrom IPython.display import Image\n\n"
            f'SCENE = r"""{text}"""\n'
            f'Path("{path.name}").write_text(SCENE, encoding="utf-8")\n'
            "scene = rigid2d.core.loads(SCENE)\nscene",
            "rigid2d.core.simulate(scene)",
        ]
    found = []
    for line in block.splitlines():
        words = shlex.split(line)
        if words[1] == "play":
            scene = load(path)
            values = ", ".join(f'"vars.{name}={scene.vars[name]:g}"' for name in scene.ranges)
            found.append(
                "# Change a value and run this cell again.\n"
                f"rigid2d.core.simulate(rigid2d.core.loads(SCENE, overrides=[{values}]))"
            )
        else:
            picture = Path(output(words) or "").name
            command = _short(line).replace("rigid ", '!"{sys.executable}" -m rigid2d.cli ', 1)
            found.append(f'{command} --quiet\nImage("{picture}")')
    return found


def _short(text: str) -> str:
    """A text with paths for the folder in which the notebook runs."""
    return text.replace("docs/lessons/pictures/", "").replace("docs/lessons/", "")


def _cell(kind: str, text: str, number: int) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"c{number}", "metadata": {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": text.splitlines(keepends=True)}


def main() -> None:
    NOTEBOOKS.mkdir(exist_ok=True)
    for page in PAGES:
        for words in commands(page):
            if name := output(words):
                quiet = [*words[1:], "--quiet"]
                subprocess.run([sys.executable, "-m", "rigid2d.cli", *quiet], cwd=ROOT, check=True)
                with Image.open(ROOT / name) as picture:
                    few = picture.convert("RGB").quantize(COLORS)
                few.save(ROOT / name, optimize=True)
        (NOTEBOOKS / f"{page.stem}.ipynb").write_text(notebook(page), encoding="utf-8")
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
