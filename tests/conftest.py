"""The same examples on every run: a suite that is green once stays so until something changes."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
