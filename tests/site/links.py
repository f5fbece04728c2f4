# SPDX-License-Identifier: MIT
"""Checks every link and picture of the built site, without a network.

    python -m tests.site.links build/site/html

Every link of every page leads to a file of the site and, where it names one, to a place in it. No
page loads anything from elsewhere. Links of people to other sites are listed, and not followed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "link": "href", "video": "src", "source": "src"}
LOADED |= {"iframe": "src", "audio": "src"}
PLAIN = {"canonical", "alternate", "next", "prev"}
"""Kinds of ``<link>`` of which a browser loads nothing."""


class Page(HTMLParser):
    """The names of places in a page, its links, and the addresses that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag in ("a", "area") and "href" in given:
            self.links.append(given["href"])
        address = given.get(LOADED.get(tag, ""), "")
        if address and not (tag == "link" and given.get("rel") in PLAIN):
            self.loaded.append(address)
        if given.get("poster"):
            self.loaded.append(given["poster"])


def broken(folder: Path) -> tuple[list[str], list[str]]:
    """What is wrong, a line each, and the addresses of other sites that pages link to."""
    pages = {
        path.resolve(): Page(path.read_text(encoding="utf-8", errors="replace"))
        for path in sorted(folder.rglob("*.html"))
    }
    faults: list[str] = []
    elsewhere: set[str] = set()

    @cache
    def place(path: Path) -> Path:
        return path / "index.html" if path.is_dir() else path

    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        outside = [each for each in page.loaded if is_elsewhere(each)]
        faults += [f"{name}: loads {each}" for each in outside]
        elsewhere.update(each for each in page.links if is_elsewhere(each))
        for link in dict.fromkeys([*page.links, *page.loaded]):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("//"):
                continue
            start = folder.resolve() if parts.path.startswith("/") else path.parent
            relative = unquote(parts.path).lstrip("/")
            target = place((start / relative).resolve()) if parts.path else path
            if path.name == "404.html" and parts.path.startswith("/"):
                continue  # its addresses are those of the place where the site will be
            anchor = unquote(parts.fragment)
            if not target.exists() or folder.resolve() not in target.parents:
                faults.append(f"{name}: {link} leads nowhere")
            elif anchor and target in pages and anchor not in pages[target].names:
                faults.append(f"{name}: {link} names no place in its page")
    return faults, sorted(elsewhere)


def is_elsewhere(address: str) -> bool:
    """Whether an address is of another site."""
    return address.startswith(("http:", "https:", "//"))


def report(faults: Iterable[str], elsewhere: Iterable[str], pages: int) -> int:
    """Print what was found; return an exit code."""
    found = [*faults]
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"{pages} pages, {len(found)} faults, {len([*elsewhere])} addresses of other sites")
    return 1 if found else 0


if __name__ == "__main__":
    root = Path(sys.argv[1])
    sys.exit(report(*broken(root), pages=len([*root.rglob("*.html")])))
