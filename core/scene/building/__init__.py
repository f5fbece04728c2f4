# SPDX-License-Identifier: MIT
"""Building blocks: checks of a tree, scopes of expressions, generators, templates."""
