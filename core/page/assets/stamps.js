// SPDX-License-Identifier: MIT
// Many small bodies that look alike: each look is drawn once for each angle that makes a difference of a
// pixel, and copied to where the bodies are. That takes two thirds of the time of their outlines, most of
// which goes into turning the canvas.

const MANY = 1500;   // items of a picture, from which on looks are copied
const ALIKE = 8;     // bodies that share a look
const LARGEST = 16;  // pixels from the middle of a body, up to which it is copied

class Stamps {
  constructor(sketch) {
    this.sketch = sketch;
    this.groups = new Map();  // by the place of their first item
    const {items} = sketch, counts = new Map();
    for (let i = 0; i < items.length;) {
      const first = items[i];
      let end = i + 1;
      if (this.isFit(first)) while (end < items.length && this.isFit(items[end]) && items[end].body === first.body && items[end].sleeper === first.sleeper) end++;
      if (this.isFit(first)) {
        const group = {items: items.slice(i, end), body: first.body, sleeper: first.sleeper};
        group.reach = Math.max(...group.items.map(({reach}) => reach));
        group.key = JSON.stringify(group.items.map(({kind, local, radius, outline, a, b, c, color, from}) => [kind, [...local], radius, outline, a, b, c, color, from]));
        counts.set(group.key, (counts.get(group.key) ?? 0) + 1);
        this.groups.set(i, group);
      }
      i = end;
    }
    const numbers = new Map([...counts.keys()].map((key, number) => [key, number]));
    for (const [i, group] of this.groups) {
      if (counts.get(group.key) < ALIKE) this.groups.delete(i);
      group.key = numbers.get(group.key);
    }
  }

  isFit(item) { return item.single && item.kind in WITH_BODY && item.joint < 0 && item.body >= 0 && item.owners[0] === item.body; }

  // Draws a body; false where it is too large or too small to be copied.
  draw(brush, group, moment, view, size, paths, asleep) {
    const {pose} = moment, k = 3 * group.body, {scale, way} = view, {context, ratio} = brush;
    const px = view.x(pose[k]), py = view.y(pose[k + 1]), half = group.reach * scale + this.edge(group, view);
    if (half > LARGEST || half < 2 * SPECK) return false;
    if (!(px + half >= 0 && px - half <= size[0] && py + half >= 0 && py - half <= size[1])) return true;
    const key = `${group.key} ${asleep} ${this.sketch.theme} ${ratio}`;
    let stamp = paths.stamps.get(key);
    if (!stamp) paths.stamps.set(key, stamp = this.make(group, view, ratio, half, asleep));
    const {side, angles, columns} = stamp, turn = Math.round(way * pose[k + 2] / TURN * angles) % angles, at = turn < 0 ? turn + angles : turn;
    const left = side * (at % columns), top = side * Math.floor(at / columns);
    if (!stamp.drawn[at]) this.turned(stamp, at, left, top, view, ratio);
    brush.reset();
    context.drawImage(stamp.canvas, left, top, side, side, px - 0.5 * side / ratio, py - 0.5 * side / ratio, side / ratio, side / ratio);
    return true;
  }

  edge(group, view) { return Math.max(...group.items.map((item) => this.sketch.size(item.radius, view))) + 2; }

  make({items}, view, ratio, half, asleep) {
    const {sketch} = this, shown = items.filter((item) => !(item.from > 0 && apart(item.local) * view.scale < item.from));
    const isRound = shown.every(({kind, reach}) => kind === "circle" && reach === 0);
    const side = 2 * Math.ceil(half * ratio), angles = isRound ? 1 : Math.ceil(TURN * half), columns = Math.ceil(Math.sqrt(angles));
    const looks = shown.map((item) => [WITH_BODY[item.kind](sketch, item, view), ...(asleep ? sketch.asleep : sketch.awake)[item.color]]);
    const canvas = element("canvas", {width: side * columns, height: side * Math.ceil(angles / columns)});
    const context = canvas.getContext("2d");
    return {side, angles, columns, looks, canvas, context, drawn: new Uint8Array(angles), brush: new Brush(context, ratio)};
  }

  turned({side, angles, context, looks, brush, drawn}, at, left, top, view, ratio) {
    const size = ratio * view.scale, angle = TURN * at / angles, c = size * Math.cos(angle), s = size * Math.sin(angle);
    context.setTransform(c, s, -s * view.way, c * view.way, left + 0.5 * side, top + 0.5 * side);
    for (const [path, fill, stroke] of looks) path.draw(brush, fill, stroke);
    drawn[at] = 1;
  }
}
