# SPDX-License-Identifier: MIT
"""Maps of the editor Tiled, as XML (`.tmx`) or JSON (`.tmj`), with their tilesets and templates.

XML is read into the same values as JSON. Objects are bodies; layers of tiles are pictures, and
the shapes of their tiles outlines without seams.
"""
