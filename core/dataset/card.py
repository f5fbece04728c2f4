# SPDX-License-Identifier: MIT
"""The card of a data set: a README for its users."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .plan import DatasetPlan

CARD = "README.md"
_READ = {
    "folder": """from PIL import Image
import json, numpy
run = "{first}/{key}"
told = json.load(open(f"{{run}}/run.json"))
arrays = numpy.load(f"{{run}}/arrays.npz")
""",
    "webdataset": """import webdataset
for sample in webdataset.WebDataset("{first}", shardshuffle=False).decode("pil"):
    print(sample["__key__"], sorted(sample))
""",
    "parquet": """import pyarrow.parquet
table = pyarrow.parquet.read_table("{first}")
print(table.schema)
""",
}


def card(plan: DatasetPlan, facts: Sequence[dict[str, Any]], description: dict[str, Any]) -> str:
    """The text of the card."""
    scene, recipe = plan.study.scene, plan.recipe
    good = [each for each in facts if each["status"] == "ok"]
    width, height = description["size"]
    described = description["splits"]
    first = next((split["shards"][0] for split in described.values() if split["shards"]), "")
    key = plan.key(good[0]["run"]) if good else plan.key(0)
    rows = {name: (split["runs"], len(split["shards"])) for name, split in described.items()}
    splits = "\n".join(
        f"| {name} | {runs:,} | {shards:,} |" for name, (runs, shards) in rows.items()
    )
    arrays = "\n".join(
        f"| `{name}` | {each['type']} | {' x '.join(map(str, each['shape']))} | {each['unit']} "
        f"| {each['about']} |"
        for name, each in description["arrays"].items()
    )
    varied = "\n".join(f"- `{axis.path}`: {_told(axis)}" for axis in plan.study.study.axes)
    failures = len(facts) - len(good)
    failed = f"\n{failures:,} more failed; `runs.jsonl` says why." if failures else ""
    frames, fps = sum(each["frames"] for each in good), description["fps"]
    name = json.dumps(scene.name or "A data set", ensure_ascii=False)
    return f"""---
license: {json.dumps(recipe.license or "unknown", ensure_ascii=False)}
pretty_name: {name}
tags: [physics, simulation, rigid-bodies]
---

# {scene.name or "A data set"}

{scene.description.strip() or "Runs of one scene."}

{len(good):,} runs, {frames:,} frames of {width}x{height} pixels, {fps:g} a second of scene time,
simulated by rigid {description["rigid"]}. Each holds {", ".join(recipe.what)}.{failed}

| split | runs | shards |
|---|---|---|
{splits}

What differs from run to run:

{varied}

## What is in it

`dataset.json` describes it. `runs.jsonl` has a line for each run: its parameters, its vars, its
split and shard, how many frames it has, a hash of its last state. These are the files of a run:

| file | what |
|---|---|
| `run.json` | parameters, vars, events, joints, bodies with numbers in masks, shapes, masses |
| `arrays.npz` | the arrays below |
| `frame.00000.png`, ... | pictures; with video, all of them are in `frames.mp4` |
| `mask.00000.png`, ... | 16 bits: the number of the body that a pixel shows, 0 for none |

In a tar archive the run's name comes first, `{key}.run.json`. In a Parquet file a run is a row, and
arrays are columns.

| array | type | shape | unit | what |
|---|---|---|---|---|
{arrays}

## Reading it

```python
{_READ[recipe.format].format(first=first, key=key).strip()}
```

or `rigid2d.core.dataset.open(".")`, which gives all formats alike.

## The scene

```yaml
{scene.text.strip()}
```
"""


def _told(axis: Any) -> str:
    if axis.path == "world.seed":
        return "another for each run, on which all random functions of the scene depend"
    if axis.values:
        few = ", ".join(map(str, axis.values[:8]))
        return f"{few}, ... ({len(axis.values)} values)" if len(axis.values) > 8 else few
    low, high = axis.numbers
    return f"{axis.kind} ({low:g}, {high:g})"
