# SPDX-License-Identifier: MIT
"""The verbs of the command, a module for each."""
