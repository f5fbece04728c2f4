# SPDX-License-Identifier: MIT
"""The basis of drawing: the display list, colours, themes, text and textures."""
