# SPDX-License-Identifier: MIT
"""Fonts: the outlines of letters, from the font that is shipped and from files of scenes."""
