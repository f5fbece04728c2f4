# SPDX-License-Identifier: MIT
"""Imports of scenes of other programs as scene files: one importer a module, one result for all.

An importer reads the foreign file, fills a ``Draft`` with bodies, joints and actuators, and records
losses. All drafts are treated alike: they are written as readable YAML, which is then loaded, so
that an imported scene never has errors.
"""

from __future__ import annotations

from .drafts.result import Import, Loss
from .formats import FORMATS, import_data, import_file
from .pymunk import from_pymunk

__all__ = ["FORMATS", "Import", "Loss", "from_pymunk", "import_data", "import_file"]
