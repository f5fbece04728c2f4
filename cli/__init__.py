# SPDX-License-Identifier: MIT
"""rigid2d.cli: the ``rigid`` command. A module for each verb in ``verbs``."""
