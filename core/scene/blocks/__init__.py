# SPDX-License-Identifier: MIT
"""The blocks of a scene: what may be written in each, and what is built from it."""
