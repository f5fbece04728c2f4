# SPDX-License-Identifier: MIT
"""What all importers share: places in foreign files, drafts of scenes, and the text of these."""
