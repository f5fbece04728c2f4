# SPDX-License-Identifier: MIT
"""rigid.cli: the ``rigid`` command. One module per verb, shared modules beside them."""
