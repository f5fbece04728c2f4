# SPDX-License-Identifier: MIT
"""rigid.cli: the ``rigid`` command. A module for each verb in ``verbs``."""
