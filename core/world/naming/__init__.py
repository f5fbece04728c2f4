# SPDX-License-Identifier: MIT
"""Things of a running world by name: the roster, handles and settings."""
