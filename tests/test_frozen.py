# SPDX-License-Identifier: MIT
"""Plain data whose methods are made when they are called: it is as a frozen dataclass in all."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest
from rigid2d.core.frozen import copier, frozen


@frozen
class Weather:
    rain: float
    clouds: tuple[str, ...] = ()
    winds: Mapping[str, float] = field(default_factory=dict)
    hidden: int = field(default=0, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Usual:
    rain: float
    clouds: tuple[str, ...] = ()
    winds: Mapping[str, float] = field(default_factory=dict)
    hidden: int = field(default=0, repr=False, compare=False)


@frozen
class Named:
    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"


def test_it_reads_as_a_dataclass_does() -> None:
    made, usual = (kind(0.5, ("cirrus",), hidden=3) for kind in (Weather, Usual))
    assert repr(made) == repr(usual).replace("Usual", "Weather")


def test_what_it_says_itself_stays() -> None:
    assert repr(Named("storm")) == "<storm>"


def test_values_that_are_compared_make_objects_equal() -> None:
    assert Weather(1.0, hidden=1) == Weather(1.0, hidden=2)
    assert Weather(1.0) != Weather(2.0)
    assert Weather(1.0) != Usual(1.0)


def test_equal_objects_have_the_same_hash() -> None:
    assert hash(Named("storm")) == hash(Named("storm"))
    assert len({Named("storm"), Named("storm"), Named("calm")}) == 2


def test_each_has_defaults_of_its_own() -> None:
    assert Weather(0.0).winds is not Weather(0.0).winds


@pytest.mark.parametrize("name", ["rain", "other"])
def test_nothing_is_set_or_deleted(name: str) -> None:
    made = Weather(0.0)
    with pytest.raises(FrozenInstanceError):
        setattr(made, name, 1.0)
    with pytest.raises(FrozenInstanceError):
        delattr(made, name)


def test_a_field_too_many_is_told_of_as_a_dataclass_does() -> None:
    with pytest.raises(TypeError, match=r"Weather\.__init__\(\) got an unexpected .*'snow'"):
        Weather(0.0, snow=1.0)


def test_it_is_replaced_copied_and_pickled() -> None:
    made = Weather(0.5, ("cirrus",), {"north": 3.0}, 7)
    assert replace(made, rain=1.0) == Weather(1.0, ("cirrus",), {"north": 3.0})
    for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert (other, other.hidden) == (made, 7)


def test_it_takes_no_room_but_for_its_fields() -> None:
    assert not hasattr(Weather(0.0), "__dict__")
    assert [each.name for each in fields(Weather)] == ["rain", "clouds", "winds", "hidden"]


def test_a_copier_makes_objects_with_other_values_that_cannot_be_changed() -> None:
    storm = Weather(0.5, ("cirrus",), {"north": 3.0}, hidden=4)
    copied = copier(storm, ("clouds", "rain"))(("stratus",), 0.25)
    assert copied == replace(storm, clouds=("stratus",), rain=0.25)
    assert (type(copied), copied.hidden, copied.winds) == (Weather, 4, storm.winds)
    with pytest.raises(FrozenInstanceError):
        copied.rain = 1.0  # type: ignore[misc]
    assert (storm.rain, storm.clouds) == (0.5, ("cirrus",))
