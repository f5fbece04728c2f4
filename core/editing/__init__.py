# SPDX-License-Identifier: MIT
"""Editing a scene in the page of `rigid play`: what its tools ask for, and the answers."""
