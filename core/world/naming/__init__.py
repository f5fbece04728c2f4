# SPDX-License-Identifier: MIT
"""Objects of a running world by name: the roster, handles and settings."""
