# SPDX-License-Identifier: MIT
"""The placement of copies of a prototype: moved, turned, scaled and mirrored."""
