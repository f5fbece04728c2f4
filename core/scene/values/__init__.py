# SPDX-License-Identifier: MIT
"""Values of scene fields: expressions, quantities with units, names, colours, points."""
