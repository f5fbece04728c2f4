# SPDX-License-Identifier: MIT
"""Makes the pages of the site: the repository's documents, and those that are made of code.

    python -m tests.site.made build/site [WORD...]

The site has the layout of the repository, so that links hold: ``docs/`` and ``scenes/`` with a page
for each document and scene, ``renders/`` with the gallery. ``play/`` has a page that plays each
scene whose path contains one of the words, or every scene if there are none. ``SITE_URL`` is the
address at which the site will be.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path, PurePosixPath
from posixpath import normpath

import rigid2d.core
from rigid2d.core.scene.model import Scene

from tests.public.interface import PACKAGES

from . import markdown, scenes
from .fields import fields_page

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
HEADS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
WITH_FORMULAS = ("docs/lessons/",)
NAMES = """\
# Python names

The public names, with their docstrings. [The page on Python](python-api.md) shows how they are
used, and [stability](stability.md) says how long they stay. `rigid2d` itself has those of
`rigid2d.core` too.
"""


class Site:
    """The pages of the site in a folder, which is filled anew."""

    def __init__(self, folder: Path, found: dict[str, Scene]) -> None:
        self.folder = folder
        self.scenes = found
        self.sources = {name: "index.md" if name == "README.md" else name for name in HEADS}
        for path in [*ROOT.glob("docs/**/*.md"), ROOT / "scenes/README.md"]:
            name = path.relative_to(ROOT).as_posix()
            self.sources[name] = name

    def fill(self) -> None:
        """Write all pages."""
        for kept in ("docs", "scenes", "renders"):
            shutil.copytree(
                ROOT / kept,
                self.folder / kept,
                ignore=shutil.ignore_patterns("*.md", "__pycache__"),
            )
        for source, target in self.sources.items():
            self.write(target, self.page(source))
        self.write("docs/fields.md", fields_page())
        self.write("docs/python-names.md", names_page())
        shutil.copy(HERE / "site.css", self.folder / "site.css")

    def fill_scenes(self, played: Sequence[str]) -> None:
        """Write the pages of scenes, and let the gallery lead to those that play."""
        gallery = self.folder / "renders/index.html"
        gallery.write_text(with_play(gallery.read_text("utf-8"), self.scenes, played), "utf-8")
        for path, scene in self.scenes.items():
            page = scenes.scene_page(path, scene, path in played)
            self.write(str(PurePosixPath(path).with_suffix(".md")), page)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def page(self, source: str) -> str:
        """The text of a document as a page."""
        text = (ROOT / source).read_text(encoding="utf-8")
        formulas = source.startswith(WITH_FORMULAS)
        return markdown.page(text, lambda link: self.address(link, source), formulas)

    def address(self, link: str, source: str) -> str:
        """The address on a page of what a document links to."""
        if re.match(r"[a-z]+:|#", link):
            return link
        path, mark, anchor = link.partition("#")
        name = normpath(str(PurePosixPath(source).parent / path))
        target = self.target(name)
        return markdown.relative(target, self.sources[source]) + mark + anchor

    def target(self, name: str) -> str:
        """The file of the site for a file or folder of the repository."""
        if name in self.sources:
            return self.sources[name]
        if name in self.scenes:
            return str(PurePosixPath(name).with_suffix(".md"))
        path = ROOT / name
        if path.is_dir():
            return self.sources.get(f"{name}/README.md") or self.listing(name)
        if not (self.folder / name).exists():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, self.folder / name)
        return name

    def listing(self, name: str) -> str:
        """The page that lists a folder of files."""
        files = sorted(path.name for path in (ROOT / name).iterdir() if path.is_file())
        rows = [f"- [{file}]({file})" for file in files if (self.folder / name / file).exists()]
        title = PurePosixPath(name).name.capitalize()
        self.write(f"{name}/index.md", "\n".join([f"# {title}", "", *rows, ""]))
        return f"{name}/index.md"


def with_play(gallery: str, found: Mapping[str, Scene], played: Sequence[str]) -> str:
    """The gallery with a way back to the site, and a link to the page of each scene that plays."""
    back = '<p class="lead"><a href="../">rigid, a 2D rigid body physics engine</a></p>'
    gallery = gallery.replace("<h1>", f"{back}\n<h1>", 1)
    for path in played:
        stem = PurePosixPath(path).relative_to("scenes").with_suffix("").as_posix()
        label = escape(f"Play with {found[path].name}")
        play = f'<a class="play" href="../play/{stem}.html" aria-label="{label}">Play with it</a>'
        card, mark, rest = gallery.partition(f'data-scene="{stem}"')
        gallery = card + mark + rest.replace('<p class="more">', f'<p class="more">{play} ', 1)
    return gallery


def names_page() -> str:
    """The page of the names in ``__all__``, whose docstrings the generator inserts."""
    parts = [NAMES, "## rigid2d.core"]
    parts += [f"::: rigid2d.core.{name}" for name in rigid2d.core.__all__]
    for package in PACKAGES:
        module = getattr(__import__(f"rigid2d.core.{package}").core, package)
        parts.append(f"## rigid2d.core.{package}")
        parts += [
            f"::: rigid2d.core.{package}.{name}"
            for name in module.__all__
            if name not in rigid2d.core.__all__
        ]
    return "\n\n".join(parts) + "\n"


def make(folder: Path, words: Sequence[str]) -> int:
    """Fill the folder of the site; return an exit code."""
    pages, packages = folder / "pages", folder / "packages" / "rigid2d"
    for old in (pages, packages.parent):
        shutil.rmtree(old, ignore_errors=True)
    packages.mkdir(parents=True)
    (packages / "core").symlink_to(ROOT / "core")
    (packages / "cli").symlink_to(ROOT / "cli")
    shutil.copy(ROOT / "core/native/package/__init__.py", packages)
    found = scenes.scenes()
    played = scenes.chosen(found, words)
    failed = scenes.play_pages(played, folder / "play")
    site = Site(pages, found)
    site.fill()
    site.fill_scenes([path for path in played if path not in failed])
    shutil.copytree(folder / "play", pages / "play", copy_function=os.link)
    config = (HERE / "zensical.toml").read_text(encoding="utf-8")
    address = os.environ.get("SITE_URL")
    if address:
        config = config.replace("[project]\n", f'[project]\nsite_url = "{address}"\n', 1)
    (folder / "zensical.toml").write_text(config, encoding="utf-8")
    print(f"{len(site.sources)} documents, {len(found)} scenes, {len(played)} of them to play")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(make(Path(sys.argv[1]), sys.argv[2:]))
