# SPDX-License-Identifier: MIT
"""Writes a running world as a scene that begins at its present moment."""
