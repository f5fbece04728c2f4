# SPDX-License-Identifier: MIT
"""Prototypes, their instances, and defaults."""
