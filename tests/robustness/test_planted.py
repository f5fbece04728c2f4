# SPDX-License-Identifier: MIT
"""The list of planted faults fits the sources; `make planted` tries whether tests find them."""

from __future__ import annotations

import pytest

from tests.robustness.planted import ROOT, Fault, faults, sources
from tests.rows import every_row

FAULTS = faults()


def test_there_are_more_than_twenty_of_many_subjects() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) > 20
    assert len({fault.subject for fault in FAULTS}) >= 12


@every_row("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_has_one_place_and_tests_that_are_there(fault: Fault) -> None:
    assert fault.old != fault.new
    assert fault.file.suffix in (".py", ".h", ".cpp")
    assert [name for name in fault.tests if not (ROOT / name).exists()] == []


def test_a_text_that_is_nowhere_or_in_several_places_is_none() -> None:
    several = next(text for _, text in sources())[:20]
    for old in (several, "nowhere in any of the " + "sources"):
        with pytest.raises(ValueError, match="must be in the sources once"):
            _ = Fault("a", "b", old, "", ()).file
