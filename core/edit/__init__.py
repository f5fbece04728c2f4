# SPDX-License-Identifier: MIT
"""Edits of scenes as the smallest changes of their texts."""
