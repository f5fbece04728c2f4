"""Work that grows faster than a file does is bounded, whatever the file is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid.core.errors import SceneError
from rigid.core.nearest import nearest_word, one_allowance
from rigid.core.scene import limits, loads

BODY = "{shape: {circle: 0.1}}"


def messages(text: str) -> list[str]:
    with pytest.raises(SceneError) as caught:
        loads("rigid: 1\n" + text)
    return [problem.message for problem in caught.value.problems]


def lines(count: int, line: Callable[[int], str]) -> str:
    return "\n".join(f"  {line(i)}" for i in range(count)) + "\n"


def test_thousands_of_misspelt_keys_of_the_top_level_are_counted() -> None:
    found = messages(f"bodies: {{a: {BODY}}}\n" + "".join(f"bodyes{i}: 1\n" for i in range(20_000)))
    assert found[0] == "unknown key `bodyes0`; did you mean `bodies`?"
    assert found[-1] == "and 19,900 more problems"


def test_bodies_with_a_merged_stray_key_are_counted() -> None:
    found = messages("x: &a {a: 1}\nbodies:\n" + lines(5000, lambda i: f"b{i}: {{<<: *a}}"))
    assert found[-1].endswith("more problems")


def test_expectations_of_what_is_not_there_are_counted() -> None:
    found = messages(
        "bodies: {a: {repeat: {i: 20000}, position: [=i, 0], shape: {circle: 0.1}}}\nexpect:\n"
        + lines(10_000, lambda i: f'- {{always: "=b{i}.x < 1"}}')
    )
    assert found[-1] == "and 9,900 more problems"


@pytest.mark.parametrize("end", ["=v0", "1"])
def test_vars_that_refer_to_each_other_endlessly_are_told_and_end(end: str) -> None:
    count = 5000
    found = messages(
        "vars:\n" + lines(count, lambda i: f"v{i}: " + (end if i == count - 1 else f"=v{i + 1}"))
    )
    assert any(
        each.startswith("vars refer to each other more than 50 levels deep") for each in found
    )


def test_the_expressions_of_a_scene_have_a_limit_together() -> None:
    long = "1+" * 290
    found = messages("vars:\n" + lines(1000, lambda i: f"v{i}: '={long}{i}'"))
    assert sum(f"more than {limits.EXPRESSION_SYMBOLS} symbols" in each for each in found) == 1


def test_an_expression_that_stands_many_times_counts_once() -> None:
    long = "1+" * 290
    text = "rigid: 1\nvars:\n" + lines(1000, lambda i: f"v{i}: '={long}0'")
    assert loads(text + f"bodies: {{a: {BODY}}}\n").vars["v999"] == 290.0


def test_a_word_that_was_searched_before_costs_nothing() -> None:
    with one_allowance():
        found = [nearest_word("shap", ("shape", "mass")) for _ in range(100_000)]
        other = nearest_word("mas", ("shape", "mass"))
    assert set(found) == {"shape"}
    assert other == "mass"
