# SPDX-License-Identifier: MIT
"""Make the font that is shipped: the letters of DejaVu Sans that scenes write, without hints.

``make font`` runs it. It needs fontTools, and takes the font from matplotlib, which has it.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FONT = ROOT / "core/fonts/data/DejaVuSans.ttf"
LICENCE = ROOT / "LICENSES/DejaVu.txt"

RANGES = (
    (0x0020, 0x007E),  # Latin
    (0x00A0, 0x024F),
    (0x02B0, 0x036F),  # accents, alone and combining
    (0x0370, 0x03FF),  # Greek
    (0x0400, 0x04FF),  # Cyrillic
    (0x1D2C, 0x1D6A),  # raised and lowered letters
    (0x1E00, 0x1EFF),  # Vietnamese
    (0x1F00, 0x1FFF),  # Greek with accents
    (0x2010, 0x205E),  # punctuation
    (0x2070, 0x20BF),  # raised and lowered digits, currencies
    (0x2100, 0x218F),  # units and fractions
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematics
    (0x2300, 0x232B),
    (0x25A0, 0x25FF),  # shapes
    (0x2600, 0x263C),
    (0x2660, 0x266F),  # cards and notes
    (0x2713, 0x2718),  # check marks
    (0x27C0, 0x27FF),
    (0x2900, 0x297F),
    (0x2A00, 0x2AFF),
    (0x2C60, 0x2C7F),
    (0xFFFD, 0xFFFD),
)
TABLES = ("kern", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name")


def make() -> bytes:
    """The font's bytes, the same on every day."""
    from io import BytesIO

    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(_source() / "DejaVuSans.ttf", recalcTimestamp=False)
    options = Options()
    options.hinting = False
    options.legacy_kern = True
    options.layout_features = []
    options.glyph_names = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 4, 5]  # whose it is, and its name
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for a, b in RANGES for code in range(a, b + 1)])
    subsetter.subset(font)
    for table in set(font.keys()) - {*TABLES, "GlyphOrder"}:
        del font[table]
    made = BytesIO()
    font.save(made)
    return made.getvalue()


def _source() -> Path:
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts/ttf"


if __name__ == "__main__":
    FONT.write_bytes(make())
    LICENCE.write_bytes((_source() / "LICENSE_DEJAVU").read_bytes())
    print(f"{FONT.relative_to(ROOT)}: {FONT.stat().st_size} bytes")
