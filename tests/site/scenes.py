# SPDX-License-Identifier: MIT
"""Pages of the example scenes, each with its film, its text, and a page that plays it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import groupby
from pathlib import Path, PurePosixPath

import rigid2d.core
from rigid2d.core.identity import engine_version
from rigid2d.core.live import find_module, program, unfit
from rigid2d.core.live.module import WASM
from rigid2d.core.page.document import program_digest
from rigid2d.core.scene.model import Scene

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes"
RENDERS = ROOT / "renders"
KEYS = "keys.json"
AT_ONCE = 8
"""Scenes that one process makes pages of."""
PAGE = """\
# {title} {{#top}}

{about}

{film}

{play}

```yaml title="{path}"
{text}
```
"""


def scenes() -> dict[str, Scene]:
    """All example scenes by their paths, such as ``scenes/basics/hello.yaml``."""
    found = {}
    for path in sorted(SCENES.rglob("*.yaml")):
        if any(line.startswith("rigid:") for line in path.read_text("utf-8").splitlines()):
            found[path.relative_to(ROOT).as_posix()] = rigid2d.core.load(path)
    return found


def scene_page(path: str, scene: Scene, played: bool) -> str:
    """The text of the page of one scene; ``played`` says whether there is a page that plays it."""
    name = PurePosixPath(path).relative_to("scenes").with_suffix("")
    up = "../" * len(name.parts)  # from the text of the page, to which src and href are relative
    files = {file.suffix: file.name for file in (RENDERS / name).parent.glob(f"{name.name}.*")}
    folder = f"{up}renders/{name.parent}/"
    film = ""
    title = scene.name.replace('"', "&quot;")
    if ".mp4" in files:
        film = (
            f'<video src="{folder}{files[".mp4"]}" poster="../{folder}{files.get(".png", "")}" '
            f'class="film" aria-label="{title}" controls loop muted playsinline></video>'
        )
    elif files:
        still = files.get(".gif", files.get(".webp", files.get(".png", "")))
        film = f'<img src="{folder}{still}" class="film" alt="{title}">'
    play = (
        f'<a class="md-button md-button--primary" href="{up}play/{name}.html">Play it here</a>'
        if played
        else ""
    )
    about = (scene.description or "").strip()
    text = scene.text.rstrip().replace("```", "` ` `")
    return PAGE.format(title=scene.name, about=about, film=film, play=play, path=path, text=text)


def play_pages(found: dict[str, Scene], folder: Path) -> list[str]:
    """Make pages that play scenes, those anew that changed; return the paths of failed ones.

    A page runs its scene itself where the engine for browsers is built and has all parts of the
    scene; the others replay a run.
    """
    built = WASM.exists()
    folder.mkdir(parents=True, exist_ok=True)
    record = folder.parent / KEYS
    old = json.loads(record.read_text("utf-8")) if record.exists() else {}
    made_of = _program(built)
    keys = {path: _key(scene, made_of) for path, scene in found.items()}
    live = {path for path, scene in found.items() if built and not unfit(scene)}
    targets = {path: _target(path, folder) for path in found}
    wanted = [p for p in found if old.get(p) != keys[p] or not targets[p].exists()]
    for path in wanted:
        targets[path].unlink(missing_ok=True)
    groups = [
        group[start : start + AT_ONCE]
        for _, each in groupby(wanted, key=lambda path: PurePosixPath(path).parent)
        for many in [[*each]]
        for group in ([p for p in many if p in live], [p for p in many if p not in live])
        for start in range(0, len(group), AT_ONCE)
    ]

    def make(paths: list[str]) -> None:
        place = targets[paths[0]].parent
        command = [sys.executable, "-m", "rigid2d", "run", *paths, "--html", f"{place}/", "--quiet"]
        command += ["--live", "--assets", "link"] if paths[0] in live else []
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(done.stderr, end="", file=sys.stderr)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(make, groups))
    failed = [path for path in wanted if not targets[path].exists()]
    done = {path: key for path, key in keys.items() if path not in failed}
    record.write_text(json.dumps({**old, **done}, indent=1), encoding="utf-8")
    print(f"{len(live)} of {len(found)} scenes run in their pages")
    return failed


def _target(path: str, folder: Path) -> Path:
    return folder / PurePosixPath(path).relative_to("scenes").with_suffix(".html")


def _program(live: bool) -> str:
    """A digest of what pages are made of, beside their scenes."""
    parts = [engine_version(), program_digest()]
    parts += [program(), sha256(find_module()).hexdigest()] if live else []
    return "\n".join(parts)


def _key(scene: Scene, made_of: str) -> str:
    whole = sha256(f"{made_of}\n{scene.text}".encode())
    for file in scene.files:
        whole.update(Path(file).read_bytes())
    return whole.hexdigest()


def chosen(found: dict[str, Scene], parts: Sequence[str]) -> dict[str, Scene]:
    """The scenes whose paths contain one of some words; all for no word, none for ``none``."""
    return {p: s for p, s in found.items() if not parts or any(part in p for part in parts)}
