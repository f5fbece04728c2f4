# SPDX-License-Identifier: MIT
"""SARIF logs: as the specification wants them, with a rule for each kind of mistake."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
from rigid2d.cli.reporting.diagnostics import RULES, as_sarif, file_uri
from rigid2d.core.errors import KINDS, Kind, Problem

from tests.rows import every_row

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def record(required: list[str], **properties: Any) -> dict[str, Any]:
    """An object of the specification, of which these properties are used here."""
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


# SARIF 2.1.0 (OASIS Standard, 27 March 2020), the parts that are used; the sections are its.
TEXT = {"type": "string"}
MESSAGE = record(["text"], text=TEXT)  # 3.11, 3.12
REGION = record(  # 3.30
    [],
    startLine={"type": "integer", "minimum": 1},
    startColumn={"type": "integer", "minimum": 1},
    endLine={"type": "integer", "minimum": 1},
    endColumn={"type": "integer", "minimum": 1},
)
ARTIFACT_LOCATION = record(  # 3.4
    [], uri={"type": "string", "format": "uri-reference"}, uriBaseId=TEXT
)
PHYSICAL_LOCATION = record([], artifactLocation=ARTIFACT_LOCATION, region=REGION)  # 3.29
LOCATION = record([], physicalLocation=PHYSICAL_LOCATION)  # 3.28
RESULT = record(  # 3.27
    ["message"],
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations={"type": "array", "items": LOCATION},
)
RULE = record(  # 3.49
    ["id"], id=TEXT, shortDescription=MESSAGE, help=MESSAGE, helpUri={"type": "string"}
)
DRIVER = record(  # 3.19
    ["name"],
    name=TEXT,
    version=TEXT,
    rules={"type": "array", "items": RULE, "uniqueItems": True},
)
RUN = record(  # 3.14
    ["tool"],
    tool=record(["driver"], driver=DRIVER),  # 3.18
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
)
LOG = record(  # 3.13
    ["version", "runs"],
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"enum": ["2.1.0"]},
    runs={"type": "array", "items": RUN},
)

# RFC 3986, appendix A: what the characters of a URI reference may be.
URI = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#]|%[0-9A-F]{2})*")


def check(log: Any) -> None:
    jsonschema.Draft7Validator.check_schema(LOG)
    jsonschema.Draft7Validator(LOG).validate(log)
    (run,) = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]  # 3.27.6
        for location in result["locations"]:
            assert URI.fullmatch(location["physicalLocation"]["artifactLocation"]["uri"])


def test_a_log_follows_the_schema(rigid, tmp_path):
    scene = tmp_path / "a scene, with \u00e4 % and #.yaml"
    scene.write_text(
        "rigid: 1\nworld: {dt: =1/0}\nbodies: {ball: {shap: {circle: -1}, colour: red}}\n",
        encoding="utf-8",
    )
    log = rigid("validate", scene, "--format", "sarif").json
    check(log)
    results = log["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == [
        "expression",
        "unknown-key",
        "out-of-range",
        "unknown-key",
    ]
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == scene.as_uri()
    assert place["artifactLocation"]["uri"].startswith("file:///")
    assert place["artifactLocation"]["uri"].endswith(
        "a%20scene%2C%20with%20%C3%A4%20%25%20and%20%23.yaml"
    )


def test_a_log_without_results_follows_the_schema():
    check(as_sarif([], "1.0"))


def test_the_log_names_line_and_column():
    log = as_sarif([Problem("s.yaml", 3, 4, "x", "wrong", "wrong-type")], "1.0")
    check(log)
    (result,) = log["runs"][0]["results"]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "s.yaml"
    assert location["region"] == {"startLine": 3, "startColumn": 4}
    assert result["message"]["text"] == "x: wrong"


@every_row(
    ("file", "uri"),
    [
        ("scenes/a.yaml", "scenes/a.yaml"),
        ("a b.yaml", "a%20b.yaml"),
        ("100%.yaml", "100%25.yaml"),
        ("a:b.yaml", "a%3Ab.yaml"),
        ("what?.yaml#1", "what%3F.yaml%231"),
        ("\u00fc.yaml", "%C3%BC.yaml"),
        ("\udcff.yaml", "%FF.yaml"),
        ("<stdin>", "%3Cstdin%3E"),
        ("--set vars.n=x", "--set%20vars.n%3Dx"),
    ],
)
def test_relative_names_are_encoded(file, uri):
    assert file_uri(file) == uri
    assert URI.fullmatch(uri)


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("{}/x/../a b.yaml", "file://{}/a%20b.yaml"),
        ("{}/x/./y/../../a.yaml", "file://{}/a.yaml"),
        ("/{}/a.yaml", "file://{}/a.yaml"),
        ("{}/link/../a.yaml", "file://{}/far/a.yaml"),
        ("{}/link/a.yaml", "file://{}/link/a.yaml"),
        ("x/../a.yaml", "a.yaml"),
        ("link/../a.yaml", "far/a.yaml"),
        ("../a.yaml", "../a.yaml"),
        ("x/../../a.yaml", "../a.yaml"),
        ("./a.yaml", "a.yaml"),
    ],
)
def test_a_name_goes_no_detours(tmp_path, monkeypatch, file, uri):
    here = tmp_path.resolve()
    (here / "x" / "y").mkdir(parents=True)
    (here / "far" / "deep").mkdir(parents=True)
    (here / "link").symlink_to(here / "far" / "deep")
    monkeypatch.chdir(here)
    assert file_uri(file.format(here)) == uri.format(here)


def test_each_kind_of_mistake_is_a_rule_that_the_page_documents():
    assert get_args(Kind) == KINDS == tuple(RULES)
    rows = re.findall(
        r"^\| `([a-z-]+)` \|", PAGE[PAGE.index("### Kinds of mistakes") :], re.MULTILINE
    )
    assert tuple(rows[: len(KINDS)]) == KINDS
