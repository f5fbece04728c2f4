# SPDX-License-Identifier: MIT
"""Studies: many runs of one scene, with varied values and collected results."""
