# SPDX-License-Identifier: MIT
"""Bodies, their shapes, materials, textures and groups, and who touches whom."""
