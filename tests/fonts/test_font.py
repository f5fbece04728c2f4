# SPDX-License-Identifier: MIT
"""The font that is shipped, and fonts of TTF and OTF files."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from rigid2d.core.fonts.font import SHIPPED, Font, composed, missing, shipped
from rigid2d.core.fonts.kerning import read_kerning
from rigid2d.core.fonts.tables import Bytes, FontError, Outline, read_tables

from tests.fonts.subset import RANGES
from tests.rows import every_row

pytest.importorskip("fontTools")

LETTERS = "Übung Kräfte café ñ ß ½ √ → λ φ v₀ – Привет ∑∂∇±≤∞°µ²³⁻¹ⁿᵢ ℏ Å Ł ő ş ğ ế €„“‚‘«»…●★"


def area(outline: Outline) -> float:
    """The signed area of an outline, negative for a clockwise one."""
    found = 0.0
    for contour in outline:
        points = [contour[0]]
        for each in contour[1:]:
            ends = [points[-1], *zip(each[0::2], each[1::2], strict=True)]
            for i in range(1, 41):
                way = ends
                while len(way) > 1:
                    way = [
                        (a[0] + i / 40 * (b[0] - a[0]), a[1] + i / 40 * (b[1] - a[1]))
                        for a, b in pairwise(way)
                    ]
                points.append(way[0])
        pairs = zip(points, [*points[1:], points[0]], strict=True)
        found += sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs) / 2
    return found


@cache
def otf() -> bytes:
    """An OTF font of some letters, with subroutines and all kinds of curves."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.misc.psCharStrings import T2CharString

    programs = {
        ".notdef": [0, 0, "rmoveto", 100, 0, 0, 100, -100, 0, "rlineto", "endchar"],
        "A": [10, 20, "rmoveto", 100, 200, -100, "hlineto", "endchar"],
        "B": [
            50,
            60,
            0,
            10,
            "hstemhm",
            5,
            6,
            "hintmask",
            b"\x80",
            100,
            "hmoveto",
            50,
            20,
            60,
            40,
            "hvcurveto",
            -50,
            -20,
            -60,
            -40,
            "vhcurveto",
            "endchar",
        ],
        "C": [
            0,
            "vmoveto",
            10,
            20,
            30,
            40,
            50,
            60,
            70,
            80,
            "rcurveline",
            -107,
            "callsubr",
            "endchar",
        ],
        "D": [10, 10, "rmoveto", -107, "callgsubr", 0, 60, 10, "vlineto", "endchar"],
        "E": [
            10,
            10,
            "rmoveto",
            10,
            5,
            10,
            5,
            10,
            0,
            10,
            0,
            10,
            -5,
            10,
            -5,
            50,
            "flex",
            -20,
            -20,
            -40,
            30,
            "rlineto",
            10,
            20,
            30,
            20,
            "hhcurveto",
            10,
            20,
            30,
            20,
            "vvcurveto",
            10,
            10,
            10,
            20,
            30,
            40,
            50,
            60,
            "rlinecurve",
            "endchar",
        ],
        "F": [
            0,
            0,
            "rmoveto",
            10,
            20,
            5,
            30,
            20,
            10,
            10,
            "hflex",
            10,
            20,
            30,
            5,
            10,
            10,
            20,
            -30,
            10,
            "hflex1",
            10,
            20,
            10,
            10,
            20,
            -50,
            5,
            -10,
            20,
            -5,
            60,
            "flex1",
            "endchar",
        ],
    }
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(list(programs))
    builder.setupCharacterMap({ord(name): name for name in programs if len(name) == 1})
    builder.setupCFF(
        "Test", {}, {name: T2CharString(program=list(each)) for name, each in programs.items()}, {}
    )
    top = builder.font["CFF "].cff.topDictIndex[0]
    curve = [5, 10, -40, 20, 5, 60, "rrcurveto", "return"]
    from fontTools.cffLib import SubrsIndex

    top.Private.Subrs = SubrsIndex()
    top.Private.Subrs.append(T2CharString(program=list(curve)))
    top.GlobalSubrs.append(T2CharString(program=list(curve)))
    for program in top.CharStrings.charStrings.values():
        program.private, program.globalSubrs = top.Private, top.GlobalSubrs
    builder.setupHorizontalMetrics(dict.fromkeys(programs, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupPost()
    builder.setupMaxp()
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


def drawn_by_others(data: bytes, name: str) -> tuple[float, float]:
    """The area and the width of a glyph as fontTools has them, in parts of the em."""
    from fontTools.pens.areaPen import AreaPen
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data))
    glyphs, em = font.getGlyphSet(), font["head"].unitsPerEm
    pen = AreaPen(glyphs)
    glyphs[name].draw(pen)
    return pen.value / em**2, font["hmtx"][name][0] / em


@every_row("letter", list("ABCDEF"))
def test_outlines_of_an_otf_font_are_those_that_others_read(letter: str) -> None:
    font = Font(otf())
    glyph = font.glyph(letter)
    wanted, wide = drawn_by_others(otf(), letter)
    assert area(font.outline(glyph)) == pytest.approx(wanted, rel=1e-3, abs=1e-7)
    assert abs(wanted) > 1e-4
    assert font.advance(glyph) == wide


@pytest.mark.parametrize("letters", ["AgÜñßЖ½√→λ₀ế"])
def test_outlines_of_a_ttf_font_are_those_that_others_read(letters: str) -> None:
    from fontTools.ttLib import TTFont

    names = TTFont(SHIPPED).getBestCmap()
    for letter in letters:
        glyph = shipped().glyph(letter)
        wanted, wide = drawn_by_others(SHIPPED.read_bytes(), names[ord(letter)])
        assert area(shipped().outline(glyph)) == pytest.approx(wanted, rel=1e-3)
        assert shipped().advance(glyph) == wide


def test_the_shipped_font_has_the_letters_of_europe_and_of_mathematics() -> None:
    assert missing(LETTERS) == []
    assert missing("a \u4e00\u4e00 b") == ["\u4e00"]
    assert SHIPPED.stat().st_size < 400_000


def test_the_shipped_font_has_what_its_script_says() -> None:
    known = sum(shipped().has(chr(code)) for a, b in RANGES for code in range(a, b + 1))
    outside = [code for code in range(0x3000) if shipped().has(chr(code))]
    assert known > 2500
    assert all(any(a <= code <= b for a, b in RANGES) for code in outside)


def test_letters_with_accents_are_composed() -> None:
    assert composed("e\u0301") == "é"
    assert missing("x\u0302") == []


def test_neighbours_that_leave_a_gap_are_closer() -> None:
    font = shipped()
    assert font.kerning(font.glyph("A"), font.glyph("V")) < 0 == font.kerning(5, 5)


PAIRS = {
    "glyphs": "pos A V -100; pos A T -50; pos B A 30;",
    "classes": "@a = [A]; @v = [V T]; pos @a @v -100; pos [B D] [A V] <10 0 30 0>;",
    "extended": "pos A V -100; subtable; pos [A B] [T V] -60;",
}


def kerned(pairs: str) -> bytes:
    """Letters of the shipped font with other kerning, in the newer table."""
    from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
    from fontTools.ttLib import TTFont

    font = TTFont(SHIPPED)
    del font["kern"]
    names = font.getBestCmap()
    for letter in "ABDTV":
        pairs = pairs.replace(f" {letter} ", f" {names[ord(letter)]} ")
    for letter in "ABDTV":
        for before, after in (("[", "]"), ("[", " "), (" ", "]")):
            pairs = pairs.replace(before + letter + after, before + names[ord(letter)] + after)
    addOpenTypeFeaturesFromString(font, f"feature kern {{ {pairs} }} kern;")
    made = BytesIO()
    font.save(made)
    return made.getvalue()


@pytest.mark.parametrize(
    ("pairs", "wanted"),
    [
        ("glyphs", {"AV": -100, "AT": -50, "BA": 30, "BV": 0, "VA": 0}),
        ("classes", {"AV": -100, "AT": -100, "BA": 30, "DV": 30, "DT": 0, "VA": 0}),
        ("extended", {"AV": -100, "AT": -60, "BV": -60, "BA": 0}),
    ],
)
def test_pairs_of_the_newer_table_are_kerned(pairs: str, wanted: dict[str, int]) -> None:
    font = Font(kerned(PAIRS[pairs]))
    found = {
        pair: round(2048 * font.kerning(*(font.glyph(letter) for letter in pair)))
        for pair in wanted
    }
    assert found == wanted


def with_bytes(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 12)):
        changed[rng.randrange(len(changed))] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
    return bytes(changed) if rng.random() < 0.8 else bytes(changed[: rng.randrange(len(changed))])


@cache
def small_ttf() -> bytes:
    """A few letters of the shipped font, so that changed bytes matter."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(SHIPPED)
    subsetter = Subsetter(Options(legacy_kern=True))
    subsetter.populate(text="AVéñx")
    subsetter.subset(font)
    made = BytesIO()
    font.save(made)
    return made.getvalue()


@pytest.mark.parametrize("made", [small_ttf, otf])
def test_a_damaged_font_is_an_error_and_nothing_else(made: Callable[[], bytes]) -> None:
    data, refused = made(), 0
    for seed in range(300):
        try:
            font = Font(with_bytes(data, random.Random(seed)))
            for letter in "AVBCDEFéx":
                font.outline(font.glyph(letter))
        except FontError:
            refused += 1
    assert 30 < refused < 300


@pytest.mark.parametrize("pairs", list(PAIRS))
def test_damaged_kerning_is_an_error_or_a_number(pairs: str) -> None:
    table = read_tables(kerned(PAIRS[pairs]))["GPOS"].data
    known = [shipped().glyph(letter) for letter in "ABDTV"]
    for seed in range(300):
        damaged = {"GPOS": Bytes(with_bytes(table, random.Random(seed)))}
        try:
            kerning = read_kerning(damaged)
        except FontError:
            continue
        assert all(abs(kerning(a, b)) < 2**17 for a in known for b in known)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "damaged|no font"),
        (b"GIF89a" + bytes(100), "no font"),
        (b"wOF2" + bytes(100), "WOFF"),
        (b"\0\1\0\0" + bytes(100), "no table"),
    ],
)
def test_what_is_no_font_says_so(data: bytes, words: str) -> None:
    with pytest.raises(FontError, match=words):
        Font(data)


def test_the_stored_font_is_a_subset_of_the_one_it_is_made_from() -> None:
    matplotlib: Any = pytest.importorskip("matplotlib")
    from pathlib import Path

    whole = Font((Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf").read_bytes())
    for letter in "Qü₀→":
        ours, theirs = (each.outline(each.glyph(letter)) for each in (shipped(), whole))
        assert ours == theirs
