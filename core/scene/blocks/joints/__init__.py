# SPDX-License-Identifier: MIT
"""Joints: their types, models, building and writing."""
