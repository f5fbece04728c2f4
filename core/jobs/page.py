# SPDX-License-Identifier: MIT
"""The gallery's page: one HTML file that needs only the pictures beside it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from ..page.document import digest
from ..scene.text.vocabulary import TAGS, kind_of
from .guide import GalleryTheme

ASSETS = Path(__file__).parent / "assets"
NARROWEST, WIDEST = 4 / 3, 8 / 3
"""The shapes of pictures on cards, width by height; others have the page's colour beside them."""


@dataclass(frozen=True, slots=True)
class GalleryEntry:
    """One scene of the gallery.

    Attributes:
        name, description, tags: the scene's own.
        stem: the scene in addresses, its path without a suffix.
        group: its folder, relative to the gallery's scenes; may be empty.
        theme: its theme in the folder's guide; without one its folder is used.
        source: the scene file, relative to the page.
        text: the scene file's text.
        text_page: the page with it, relative to the page.
        movie, poster: the pictures, relative to the page; ``movie`` is a GIF or an MP4.
        size: the size of the pictures in pixels.
        paper: the pictures' background colour, as ``#rrggbb``.
        bodies, joints: their numbers.
        seconds: the duration of the movie.
        bytes: the size of the movie.
        checks: (passed expectations, all expectations).
        play: the page that plays it, relative to the page; empty for none.
    """

    name: str
    description: str
    tags: tuple[str, ...]
    stem: str
    group: str
    source: str
    text: str
    text_page: str
    movie: str
    poster: str
    size: tuple[int, int]
    paper: str
    bodies: int
    joints: int
    seconds: float
    bytes: int
    checks: tuple[int, int]
    play: str = ""
    theme: GalleryTheme | None = None


def page(entries: Sequence[GalleryEntry], title: str, cover: str = "") -> str:
    """The whole index.html, entries by theme or else by folder, in the order given.

    ``cover`` is the stem of the scene that is shown large above all others, if there is such a one.
    """
    themes: dict[GalleryTheme, list[GalleryEntry]] = {}
    for entry in entries:
        themes.setdefault(_theme(entry), []).append(entry)
    ids = _ids(themes)
    sections = "\n".join(_section(theme, ids[theme], them) for theme, them in themes.items())
    count = f"{len(entries)} scene{'' if len(entries) == 1 else 's'}"
    front = next((_cover(entry) for entry in entries if entry.stem == cover), "")
    style = f"\n{asset('colors.css')}{asset('gallery.css')}"
    script = f"\n{asset('gallery.js')}"
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' data:; "
        f"media-src 'self'; frame-src 'self'; style-src {digest(style)}; "
        f"style-src-attr 'unsafe-inline'; script-src {digest(script)}"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<header>
<div class="about-all">
<h1>{escape(title)}</h1>
<p class="lead">{count}. Each is one YAML file, and each checks its own physics.</p>
{_filters(entries)}
{_contents(themes, ids)}
</div>
{front}
</header>
<main>
<p class="found" role="status" hidden></p>
{sections}
</main>
<footer><p>Made by <code>rigid gallery</code>. To make one of these yourself:
<code>rigid run scene.yaml --gif scene.gif</code></p></footer>
<dialog id="viewer" aria-label="Scene"><div class="bar">
<button data-step="-1" aria-label="Previous scene">&larr;</button>
<button data-step="1" aria-label="Next scene">&rarr;</button>
<button class="close" aria-label="Close">&times;</button></div>
<div class="stage"></div></dialog>
<script>{script}</script>
</body>
</html>
"""


def asset(name: str) -> str:
    """The text of a file for pages."""
    return (ASSETS / name).read_text(encoding="utf-8")


def _filters(entries: Sequence[GalleryEntry]) -> str:
    """The search, and the tags by kind, those outside the vocabulary last."""
    counts = Counter(tag for entry in entries for tag in dict.fromkeys(entry.tags))
    kinds: dict[str, list[str]] = {kind: [] for kind in TAGS}
    for tag in sorted(counts):
        kinds.setdefault(kind_of(tag), []).append(tag)
    rows = "\n".join(
        f'<div class="kind"><b>{escape(kind)}</b>{"".join(_chip(tag, counts[tag]) for tag in tags)}'
        "</div>"
        for kind, tags in kinds.items()
        if tags
    )
    drawer = f'<details class="drawer"><summary>Tags</summary>\n{rows}\n</details>' if rows else ""
    return f"""<div class="filters" hidden>
<input type="search" placeholder="Search" aria-label="Search the scenes">
{drawer}
</div>"""


def _chip(tag: str, count: int) -> str:
    name = escape(tag)
    attributes = f'class="chip" data-tag="{name}" aria-pressed="false"'
    return f"<button {attributes}>{name} <i>{count}</i></button>"


def _contents(themes: dict[GalleryTheme, list[GalleryEntry]], ids: dict[GalleryTheme, str]) -> str:
    named = {theme: len(entries) for theme, entries in themes.items() if theme.title}
    if len(named) < 2:
        return ""
    links = "\n".join(
        f'<a href="#{ids[theme]}">{escape(theme.title)} <i>{count}</i></a>'
        for theme, count in named.items()
    )
    return f'<nav class="contents" aria-label="Contents">\n{links}\n</nav>'


def _theme(entry: GalleryEntry) -> GalleryTheme:
    return entry.theme or _of_folder(entry.group)


def _of_folder(group: str) -> GalleryTheme:
    title = group.replace("_", " ").replace("/", " / ")
    return GalleryTheme(title[:1].upper() + title[1:])


def _ids(themes: Iterable[GalleryTheme]) -> dict[GalleryTheme, str]:
    """An id for each theme, its title in small letters, which addresses name."""
    ids: dict[GalleryTheme, str] = {}
    for theme in themes:
        base = name = re.sub(r"[^a-z0-9]+", "-", theme.title.lower()).strip("-") or "scenes"
        number = 1
        while name in (*ids.values(), "viewer"):
            number += 1
            name = f"{base}-{number}"
        ids[theme] = name
    return ids


def _section(theme: GalleryTheme, id: str, entries: Sequence[GalleryEntry]) -> str:
    heading = f"<h2>{escape(theme.title)}</h2>\n" if theme.title else ""
    lead = f'<p class="about">{escape(theme.lead)}</p>\n' if theme.lead else ""
    cards = "\n".join(_card(entry) for entry in entries)
    return f'<section id="{id}">\n{heading}{lead}<div class="grid">\n{cards}\n</div>\n</section>'


def _cover(entry: GalleryEntry) -> str:
    words = escape(" ".join(_paragraphs(entry)[:1]))
    return f"""<div class="cover" data-scene="{escape(entry.stem)}">
{_media(entry)}
<p><b>{escape(entry.name)}.</b> {words}</p>
<p>{_play(entry)}</p>
</div>"""


def _card(entry: GalleryEntry) -> str:
    tags = "".join(f"<li>{escape(tag)}</li>" for tag in entry.tags)
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in _paragraphs(entry))
    return f"""<article class="card" data-scene="{escape(entry.stem)}">
{_media(entry)}
<div class="text">
<h3>{escape(entry.name)}</h3>
{paragraphs}
<ul class="tags">{tags}</ul>
<p class="facts">{_facts(entry)}</p>
<p class="more">{_play(entry)}<a class="yaml" href="{_url(entry.text_page)}">YAML</a></p>
</div>
</article>"""


def _paragraphs(entry: GalleryEntry) -> list[str]:
    return [" ".join(part.split()) for part in entry.description.split("\n\n") if part.strip()]


def _media(entry: GalleryEntry) -> str:
    """The poster, loaded when it comes into sight, and the movie behind it, loaded to be played."""
    width, height = entry.size
    shape = min(max(width / height, NARROWEST), WIDEST)
    fit = "wide" if width / height >= shape else "tall"
    poster, label = _url(entry.poster), escape(entry.name)
    attributes = f'class="{fit}" width="{width}" height="{height}" alt="{label}"'
    return (
        f'<a class="media" href="{_url(entry.movie)}" '
        f'style="--paper: {escape(entry.paper)}; --shape: {shape:.3g}">'
        f'<img {attributes} data-poster="{poster}">'
        f'<noscript><img src="{poster}" alt=""></noscript></a>'
    )


def _play(entry: GalleryEntry) -> str:
    if not entry.play:
        return ""
    label = escape(f"Play with {entry.name}")
    return f'<a class="play" href="{_url(entry.play)}" aria-label="{label}">Play with it</a> '


def _facts(entry: GalleryEntry) -> str:
    kind = Path(entry.movie).suffix[1:].upper()
    facts = [f"{entry.bodies:,} {'body' if entry.bodies == 1 else 'bodies'}"]
    if entry.joints:
        facts.append(f"{entry.joints:,} {'joint' if entry.joints == 1 else 'joints'}")
    facts += [f"{entry.seconds:g} s", f"{kind} {_size(entry.bytes)}"]
    passed, total = entry.checks
    if total:
        state = "held" if passed == total else "missed"
        mark = "✓" if passed == total else "✗"
        noun = "check" if total == 1 else "checks"
        facts.append(f'<span class="{state}">{mark} {passed}/{total} {noun}</span>')
    return " · ".join(facts)


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def _url(path: str) -> str:
    return quote(os.fsencode(path))  # a name may be no text at all
