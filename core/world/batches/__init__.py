# SPDX-License-Identifier: MIT
"""Many worlds of one scene, stepped side by side."""
