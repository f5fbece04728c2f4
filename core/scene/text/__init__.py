# SPDX-License-Identifier: MIT
"""The texts of scenes: reading YAML, includes, overrides, places, problems; writing flow style."""
