# SPDX-License-Identifier: MIT
"""The gallery's page: one HTML file that needs only the pictures beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from ..page.document import digest
from .guide import GalleryTheme
from .highlight import highlight

ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True, slots=True)
class GalleryEntry:
    """One scene of the gallery.

    Attributes:
        name, description, tags: the scene's own.
        group: its folder, relative to the gallery's scenes; may be empty.
        theme: its theme in the folder's guide; without one its folder is used.
        source: the scene file, relative to the page.
        text: the scene file's text.
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
    group: str
    source: str
    text: str
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


def page(entries: Sequence[GalleryEntry], title: str) -> str:
    """The whole index.html, entries by theme or else by folder, in the order given."""
    themes: dict[GalleryTheme, list[GalleryEntry]] = {}
    for entry in entries:
        themes.setdefault(entry.theme or _of_folder(entry.group), []).append(entry)
    sections = "\n".join(_section(theme, members) for theme, members in themes.items())
    tags = sorted({tag for entry in entries for tag in entry.tags})
    count = f"{len(entries)} scene{'' if len(entries) == 1 else 's'}"
    style, script = f"\n{_asset('gallery.css')}", f"\n{_asset('gallery.js')}"
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' data:; "
        f"media-src 'self'; style-src {digest(style)}; style-src-attr 'unsafe-inline'; "
        f"script-src {digest(script)}"
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
<h1>{escape(title)}</h1>
<p class="lead">{count}. Each is one YAML file, and each checks its own physics.</p>
{_filters(tags)}
</header>
<main>
{sections}
<p class="none" hidden>Nothing matches.</p>
</main>
<footer><p>Made by <code>rigid gallery</code>. To make one of these yourself:
<code>rigid run scene.yaml --gif scene.gif</code></p></footer>
<dialog id="viewer" aria-label="Scene"><button class="close" aria-label="Close">&times;</button>
<div class="stage"></div></dialog>
<script>{script}</script>
</body>
</html>
"""


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _filters(tags: Sequence[str]) -> str:
    chips = "".join(
        f'<button class="chip" data-tag="{escape(tag)}" aria-pressed="false">{escape(tag)}</button>'
        for tag in tags
    )
    return f"""<div class="filters" hidden>
<input type="search" placeholder="Search" aria-label="Search the scenes">
<div class="chips">{chips}</div>
</div>"""


def _of_folder(group: str) -> GalleryTheme:
    title = group.replace("_", " ").replace("/", " / ")
    return GalleryTheme(title[:1].upper() + title[1:])


def _section(theme: GalleryTheme, entries: Sequence[GalleryEntry]) -> str:
    heading = f"<h2>{escape(theme.title)}</h2>\n" if theme.title else ""
    lead = f'<p class="about">{escape(theme.lead)}</p>\n' if theme.lead else ""
    cards = "\n".join(_card(entry) for entry in entries)
    return f'<section>\n{heading}{lead}<div class="grid">\n{cards}\n</div>\n</section>'


def _card(entry: GalleryEntry) -> str:
    tags = "".join(f"<li>{escape(tag)}</li>" for tag in entry.tags)
    paragraphs = "".join(
        f"<p>{escape(' '.join(part.split()))}</p>"
        for part in entry.description.split("\n\n")
        if part.strip()
    )
    theme = "" if entry.theme is None else entry.theme.title
    words = " ".join([entry.name, entry.description, *entry.tags, entry.group, theme]).lower()
    return f"""<article class="card" data-tags="{escape("|".join(entry.tags))}" \
data-words="{escape(" ".join(words.split()))}">
{_media(entry)}
<div class="text">
<h3>{escape(entry.name)}</h3>
{paragraphs}
<ul class="tags">{tags}</ul>
<p class="facts">{_facts(entry)}</p>{_play(entry)}
</div>
<details><summary>{escape(Path(entry.source).name)}</summary>
<div class="code"><button class="copy" hidden>Copy</button>\
<pre tabindex="0"><code>{highlight(entry.text)}</code></pre></div>
<p class="source"><a href="{_url(entry.source)}">{escape(entry.source)}</a></p>
</details>
</article>"""


def _media(entry: GalleryEntry) -> str:
    width, height = entry.size
    fit = "wide" if 3 * width >= 4 * height else "tall"
    shape = f'class="{fit}" width="{width}" height="{height}"'
    poster, movie, label = _url(entry.poster), _url(entry.movie), escape(entry.name)
    if entry.movie.endswith(".mp4"):
        inner = (
            f'<video {shape} poster="{poster}" src="{movie}" preload="none" muted loop '
            f'playsinline aria-label="{label}"></video>'
        )
    else:
        inner = (
            f'<img {shape} src="{poster}" data-movie="{movie}" data-poster="{poster}" '
            f'loading="lazy" alt="{label}">'
        )
    plain = f'<noscript><p class="plain"><a href="{movie}">Play</a></p></noscript>'
    paper = f'style="--paper: {escape(entry.paper)}"'
    button = f'tabindex="0" role="button" aria-label="Show {label} larger"'
    return f'<div class="media" {paper} {button}>{inner}</div>{plain}'


def _play(entry: GalleryEntry) -> str:
    if not entry.play:
        return ""
    address, label = _url(entry.play), escape(f"Play with {entry.name}")
    return f'\n<p><a class="play" href="{address}" aria-label="{label}">Play with it</a></p>'


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
    return " <i></i> ".join(facts)


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def _url(path: str) -> str:
    return quote(os.fsencode(path))  # a name may be no text at all
