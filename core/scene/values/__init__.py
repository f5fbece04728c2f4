# SPDX-License-Identifier: MIT
"""What a field of a scene may hold: expressions, quantities with units, names, colours, points."""
