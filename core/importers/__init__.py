# SPDX-License-Identifier: MIT
"""Scenes of other programs, read into scene files: one importer a module, one result for all.

An importer reads the foreign file, fills a ``Draft`` with bodies, joints and actuators, and notes
what it could not say. What becomes of a draft is the same for all: it is written as readable YAML,
which is then loaded, so that no import ends in a scene with errors.
"""

from __future__ import annotations

from .drafts.result import Import, Loss
from .formats import FORMATS, import_data, import_file
from .pymunk import from_pymunk

__all__ = ["FORMATS", "Import", "Loss", "from_pymunk", "import_data", "import_file"]
