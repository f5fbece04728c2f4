# SPDX-License-Identifier: MIT
"""Values that change while a scene runs: their paths, their axes, animations."""
