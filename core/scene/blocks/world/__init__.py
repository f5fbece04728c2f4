# SPDX-License-Identifier: MIT
"""The world block: its solver and its surroundings."""
