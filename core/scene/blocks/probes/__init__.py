# SPDX-License-Identifier: MIT
"""Probes: what expressions of the run ask of the world."""
