# SPDX-License-Identifier: MIT
"""Bodies, their shapes, materials, textures, groups and collision filters."""
