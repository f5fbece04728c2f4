# SPDX-License-Identifier: MIT
"""Breaks a body into pieces."""

from .destroy import Moving, destroy_body, name_pieces
from .outlines import outline_of
from .pictures import seen_picture, texture_of_piece
from .pieces import solid_shapes

__all__ = [
    "Moving",
    "destroy_body",
    "name_pieces",
    "outline_of",
    "seen_picture",
    "solid_shapes",
    "texture_of_piece",
]
