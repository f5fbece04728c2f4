# SPDX-License-Identifier: MIT
"""Reports of results and problems: as text, and in the formats of build servers."""
