# SPDX-License-Identifier: MIT
"""Search for worlds that break a law: ``python -m tests.robustness.laws --worlds 3000 --seed 1``.

``--judge FILE ...`` judges scenes, ``--show 17`` prints the world of a number, ``--shrink`` makes
what is found small.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .corpus import save
from .hunting import Broken, hunt, text_of
from .judge import LAWS, judge
from .shrinking import shrink
from .tables import table


def main() -> int:
    """1 when a law is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness.laws", description=__doc__)
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first world")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--law", choices=LAWS, action="append", help="these laws alone")
    parser.add_argument("--out", type=Path, help="a folder for what is found")
    parser.add_argument("--shrink", type=int, default=0, metavar="N", help="N worst of each class")
    parser.add_argument("--list", type=int, default=15, metavar="N", help="tell N worst of a law")
    parser.add_argument("--judge", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--show", type=int, metavar="NUMBER")
    given = parser.parse_args()
    laws = given.law or LAWS
    if given.judge:
        return max([_judged(path) for path in given.judge])
    if given.show is not None:
        sys.stdout.write(text_of(given.seed, given.show).decode())
        return 0
    numbers = range(given.first, given.first + given.worlds)
    found = hunt(given.seed, numbers, given.workers)
    broken = [each for each in found.broken if each.law in laws]
    print(table(broken, found.classes))
    each_took = found.seconds / given.worlds * 1e3
    print(f"{given.worlds} worlds, {found.refused} refused, {each_took:.1f} ms each", flush=True)
    for law in laws:
        for each in sorted((b for b in broken if b.law == law), key=_worst)[: given.list]:
            print(
                f"  {law:9} {each.number:6} {each.share:9.3g}  {' '.join(each.kind)}  {each.said}"
            )
    if given.out:
        for each in broken:
            save(each, text_of(each.seed, each.number), given.out)
    if given.shrink:
        for each in _worst_of_classes(broken, given.shrink):
            text, finding = shrink(text_of(each.seed, each.number), each.law)
            path = save(each, text, (given.out or Path("build/laws")) / "shrunk", finding)
            print(f"  {path}: {finding.share:.3g} {finding.said}", flush=True)
    return int(bool(broken))


def _worst(each: Broken) -> float:
    return -each.share


def _worst_of_classes(broken: list[Broken], count: int) -> list[Broken]:
    kinds: dict[tuple[str, ...], list[Broken]] = {}
    for each in sorted(broken, key=_worst):
        kinds.setdefault((each.law, *each.kind), []).append(each)
    return [each for all_of_kind in kinds.values() for each in all_of_kind[:count]]


def _judged(path: Path) -> int:
    print(path)
    findings = judge(path.read_bytes())
    for each in findings:
        print(
            f"  {each.law:9} {each.share:9.3g}  {'BROKEN' if each.broken else 'kept'}  {each.said}"
        )
    return int(any(each.broken for each in findings))


if __name__ == "__main__":
    sys.exit(main())
