# SPDX-License-Identifier: MIT
"""The page with a scene's text in colours, which the gallery's viewer shows in a frame."""

from __future__ import annotations

import os
from html import escape
from pathlib import PurePosixPath
from urllib.parse import quote

from ..page.document import digest
from .highlight import highlight
from .page import GalleryEntry, asset


def text_page(entry: GalleryEntry) -> str:
    """The whole page; its links are relative to its own folder."""
    depth = len(PurePosixPath(entry.stem).parts) - 1
    source = quote(os.fsencode("../" * depth + entry.source))
    style, script = f"\n{asset('colors.css')}{asset('text.css')}", f"\n{asset('text.js')}"
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {digest(style)}; script-src {digest(script)}"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<title>{escape(entry.name)}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<p><a href="{source}" target="_blank">{escape(PurePosixPath(entry.source).name)}</a>
<button hidden>Copy</button></p>
<pre tabindex="0"><code>{highlight(entry.text)}</code></pre>
<script>{script}</script>
</body>
</html>
"""
