# SPDX-License-Identifier: MIT
"""rigid.cli: the ``rigid`` command. One module per verb; what they share lies beside them."""
