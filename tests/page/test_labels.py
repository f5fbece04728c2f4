# SPDX-License-Identifier: MIT
"""Labels and names of pages: apart from each other, and not on arrows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.page.pages import page_of

Show = Callable[..., Any]
PASSING = """
rigid: 1
world: {duration: 4, gravity: [0, 0]}
bodies:
  left: {shape: {circle: 0.2}, position: [-2, 0.3], velocity: [1, 0]}
  right: {shape: {circle: 0.2}, position: [2, -0.3], velocity: [-1, 0]}
  post: {type: static, shape: {box: [1, 1]}, position: [0, -1.5]}
joints:
  cord: {type: distance, bodies: [world, left], anchors: [[-3, 2], [0, 0]], max_length: 9}
annotations: [{vector: left.velocity, show: both}, {vector: right.velocity, show: both},
  {vector: [0, -1], at: [0, -1.5], show: name, label: g}]
camera: {mode: region, rect: [[-4, -3], [4, 3]]}
render: {overlays: [names, joint_names]}
"""
WATCH = """() => {
  const {player} = rigid, {labels} = player.picture.overlays, found = [];
  const place = labels.draw.bind(labels);
  player.pause();
  labels.draw = (scene, all, taken) => {
    const boxes = {};
    for (const each of all) {
      const draw = each.draw;
      each.draw = (box, led) => { boxes[each.key] = box; draw(box, led); };
    }
    place(scene, all, taken);
    found.push(boxes);
  };
  for (let i = 0; i <= 80; i++) player.picture.draw(player.source.at(i / 20));
  return found;
}"""


def test_labels_lie_on_no_other_and_a_name_not_on_the_arrow_through_its_body(show: Show) -> None:
    tab = show(page_of(PASSING))
    found = tab.evaluate(WATCH)
    assert len(found) == 81
    assert {"body left", "body right", "body post", "joint 0 cord"} <= set(found[0])
    for boxes in found:
        flat = list(boxes.values())
        for i, a in enumerate(flat):
            for b in flat[:i]:
                wide = min(a[2], b[2]) - max(a[0], b[0])
                high = min(a[3], b[3]) - max(a[1], b[1])
                assert min(wide, high) < 0.01
    middle = tab.evaluate("rigid.player.picture.lastView.x(0)")
    left, _, right, _ = found[0]["body post"]
    assert not left < middle < right
