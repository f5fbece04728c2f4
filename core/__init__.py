"""rigid.core: the library behind the ``rigid`` command."""
