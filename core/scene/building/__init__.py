# SPDX-License-Identifier: MIT
"""What all blocks are built with: checking a tree, scopes of expressions, generators, templates."""
