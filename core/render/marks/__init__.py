# SPDX-License-Identifier: MIT
"""Marks over the scene: annotations, plots, names, forces and trails."""
