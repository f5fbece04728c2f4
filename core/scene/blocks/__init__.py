# SPDX-License-Identifier: MIT
"""The blocks of a scene: the input models of each, and their builders."""
