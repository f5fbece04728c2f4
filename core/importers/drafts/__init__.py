# SPDX-License-Identifier: MIT
"""Shared parts of importers: places in foreign files, drafts of scenes, and the text of these."""
