# SPDX-License-Identifier: MIT
"""Edits of scenes as the smallest changes of their texts.

    from rigid2d.core.edit import Document

    document = Document("scene.yaml")
    document.do({"edit": "move", "what": ["bodies.crate"], "by": [0.3, 0]})

`messages` has all edits and answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .document import Document as Document

__all__ = ["Document"]


def __getattr__(name: str) -> Any:
    if name != "Document":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .document import Document  # which takes longer to load than what `play` needs of this

    return Document
