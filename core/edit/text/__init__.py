# SPDX-License-Identifier: MIT
"""Texts of scenes with the places of their values, and their smallest changes."""
