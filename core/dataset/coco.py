# SPDX-License-Identifier: MIT
"""COCO annotations of a data set: the body at each pixel."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..record.atomic import atomic_file
from .plan import DatasetPlan
from .recipe import SPLITS

ANNOTATIONS = "annotations"


def write_annotations(path: Path, plan: DatasetPlan, facts: Sequence[dict[str, Any]]) -> None:
    """Write a file for each split, picture by picture: it is never in memory as a whole."""
    categories = sorted(
        {seen[0] for each in facts for picture in each.get("annotations", ()) for seen in picture}
    )
    numbers = {name: i for i, name in enumerate(categories, 1)}
    for split in SPLITS[: len(plan.recipe.splits)]:
        own = [each for each in facts if each["split"] == split and each["status"] == "ok"]
        with atomic_file(path / ANNOTATIONS / f"instances_{split}.json") as file:
            told = {
                "info": {"description": plan.study.scene.name, "version": "1.0"},
                "licenses": [],
                "categories": [
                    {"id": number, "name": name, "supercategory": "body"}
                    for name, number in numbers.items()
                ],
            }
            file.write(json.dumps(told, ensure_ascii=False)[:-1].encode())
            for key, entries in (("images", _images), ("annotations", _regions)):
                file.write(f', "{key}": ['.encode())
                comma = ""
                for entry in entries(plan, own, numbers):
                    file.write((comma + json.dumps(entry, ensure_ascii=False)).encode())
                    comma = ",\n"
                file.write(b"]")
            file.write(b"}\n")
            file.flush()
            os.fsync(file.fileno())


def _images(plan: DatasetPlan, facts: Sequence[dict[str, Any]], _: dict[str, int]) -> Any:
    width, height = plan.recipe.size or plan.study.scene.render.size
    number = 0
    for each in facts:
        for frame in range(len(each["annotations"])):
            number += 1
            name = f"{each['shard']}/{plan.key(each['run'])}/frame.{frame:05d}.png"
            yield {
                "id": number,
                "file_name": name,
                "width": width,
                "height": height,
                "run": each["run"],
                "frame": frame,
            }


def _regions(plan: DatasetPlan, facts: Sequence[dict[str, Any]], numbers: dict[str, int]) -> Any:
    width, height = plan.recipe.size or plan.study.scene.render.size
    image = number = 0
    for each in facts:
        for picture in each["annotations"]:
            image += 1
            for category, box, area, counts in picture:
                number += 1
                yield {
                    "id": number,
                    "image_id": image,
                    "category_id": numbers[category],
                    "bbox": box,
                    "area": area,
                    "iscrowd": 0,
                    "segmentation": {"size": [height, width], "counts": counts},
                }
