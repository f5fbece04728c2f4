// SPDX-License-Identifier: MIT
// Drawing new bodies: boxes, circles and capsules by two places, polygons and chains point by point or freely.

const FREELY = 12;  // pixels that a pressed mouse moves before a line is taken as drawn freely

class DrawTool extends Tool {
  constructor(editor, kind) {
    super(editor);
    Object.assign(this, {kind, type: kind === "chain" ? "static" : "dynamic"});
  }

  options() {
    return [choice("Type", ["dynamic", "static", "kinematic"], this.type, (type) => { this.type = type; })];
  }

  async send(points, more = {}) {
    if (this.kind === "chain" && points.at(-1)[0] < points[0][0]) points = [...points].reverse();  // its upper side is the solid one
    const message = {edit: "draw", kind: this.kind, points: points.map((point) => point.map(clean)), type: this.type, ...more};
    return this.editor.edit(message);
  }
}

// Two places: corner and corner of a box, middle and rim of a circle, the ends of a capsule.
class ShapeTool extends DrawTool {
  says() {
    const words = {box: ["a corner", "the opposite corner"], circle: ["the middle", "the rim"]}[this.kind] ?? ["one end", "the other end"];
    if (!this.from) return `New ${this.kind}: press at ${words[0]} and drag to ${words[1]}. Esc: select.`;
    const [w, h] = minus(this.to, this.from).map(Math.abs), {length} = this.source.data.units;
    return this.kind === "box" ? `${written(w)} by ${written(h)} ${length}` : `${written(Math.hypot(w, h))} ${length}`;
  }

  press({at}) {
    if (this.from) this.end(at);
    else [this.from, this.to] = [at, at];
  }

  hover(p) { this.drag(p); }

  drag({at, shift}) {
    if (!this.from) return;
    this.to = at;
    if (!shift) return;
    const [dx, dy] = minus(at, this.from);
    if (this.kind === "box") {
      const side = Math.max(Math.abs(dx), Math.abs(dy));
      this.to = plus(this.from, [side * Math.sign(dx || 1), side * Math.sign(dy || 1)]);
    } else if (this.kind !== "circle") this.to = plus(this.from, Math.abs(dx) > Math.abs(dy) ? [dx, 0] : [0, dy]);
  }

  release(p) {
    if (!this.from || apartOf(this.pixels(this.from), [p.x, p.y]) < 4) return;
    this.drag(p);
    this.end(this.to);
    this.from = this.to = null;
  }

  end(to) {
    const {from} = this, [dx, dy] = minus(to, from).map(Math.abs), long = Math.hypot(dx, dy);
    if (this.kind === "box" ? Math.min(dx, dy) <= 0 : long <= 0) return this.editor.say("That has no size: go further away from the first place.");
    this.from = this.to = null;
    if (this.kind === "box") this.send([from, to]);
    else if (this.kind === "circle") this.send([from, to]);
    else this.send([from, to], {radius: this.radiusOf(long)});
  }

  radiusOf(long) { return toNearest(0.2 * long, 2 * this.editor.grid.pixel) || this.editor.grid.pixel; }

  cancel() {
    const was = Boolean(this.from);
    this.from = this.to = null;
    return was;
  }

  draw({context}) {
    if (!this.from) return;
    const {marks} = this.editor, [a, b] = [this.pixels(this.from), this.pixels(this.to)];
    context.lineCap = "round";
    if (this.kind === "box") return marks.line(context, [a, [b[0], a[1]], b, [a[0], b[1]]], HOLD, {closed: true});
    const far = apartOf(a, b), radius = this.kind === "circle" ? far : this.radiusOf(apartOf(this.from, this.to)) * this.view.scale;
    if (this.kind === "circle") {
      marks.line(context, Array.from({length: 48}, (_, i) => [a[0] + radius * Math.cos(i * TURN / 48), a[1] + radius * Math.sin(i * TURN / 48)]), HOLD, {closed: true});
      return marks.line(context, [a, b], HOLD, {dash: [4, 3], width: 1.2});
    }
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]), rim = [];
    if (this.kind === "bar") {
      const [across, up] = [-radius * Math.sin(angle), radius * Math.cos(angle)];
      return marks.line(context, [[a[0] + across, a[1] + up], [b[0] + across, b[1] + up], [b[0] - across, b[1] - up], [a[0] - across, a[1] - up]], HOLD, {closed: true});
    }
    for (let i = 0; i <= 16; i++) rim.push([b[0] + radius * Math.cos(angle - 0.5 * Math.PI + i * Math.PI / 16), b[1] + radius * Math.sin(angle - 0.5 * Math.PI + i * Math.PI / 16)]);
    for (let i = 0; i <= 16; i++) rim.push([a[0] + radius * Math.cos(angle + 0.5 * Math.PI + i * Math.PI / 16), a[1] + radius * Math.sin(angle + 0.5 * Math.PI + i * Math.PI / 16)]);
    marks.line(context, rim, HOLD, {closed: true});
  }
}

// A bar of a bridge or a frame: from end to end, hinged to what is there. Bars do not collide with each other.
class BarTool extends ShapeTool {
  constructor(editor) {
    super(editor, "bar");
    this.joins = true;
  }

  options() {
    const input = element("input", {type: "checkbox", change: () => { this.joins = input.checked; }});
    input.checked = this.joins;
    return [element("label", {class: "option", title: "A hinge to the body below each end"}, input, "Hinges at its ends")];
  }

  radiusOf() { return toNearest(this.width() / 2, this.editor.grid.pixel / 10) || this.editor.grid.pixel / 10; }

  // As wide as the bars before, else half a step of the grid.
  width() {
    const known = Object.values(this.editor.desk.tree.bodies ?? {}).filter((body) => body?.category === "bar" && Number.isFinite(body.shape?.box?.[1])).at(-1);
    return known ? known.shape.box[1] : 0.5 * this.editor.grid.spacing;
  }

  async send([from, to], {radius}) {
    const {editor} = this, gesture = `bar ${editor.gesture += 1}`, {bodies} = this.source.data, ends = [from, to].map((end) => end.map((part) => toNearest(part, editor.grid.pixel)));
    const below = ends.map((at) => (this.joins ? bodiesUnder(this.source, this.moment, this.view, ...this.pixels(at), (row) => editor.isFree(bodies[row].name))[0] : undefined));
    const drawn = await editor.edit({edit: "draw", kind: "bar", points: ends, radius, type: "dynamic", fields: {category: "bar"}, gesture});
    if (!drawn?.done) return;
    const [bar] = drawn.names;
    for (const [i, at] of ends.entries()) {
      if (below[i] !== undefined) await editor.edit({edit: "join", type: "revolute", bodies: [bodies[below[i]].name, bar.replace(/^bodies\./, "")], at: [at], gesture});
    }
    if (editor.blocks.collides("bar", "bar")) await editor.edit({edit: "collide", a: "bar", b: "bar", value: false, gesture});
  }
}

// Points one by one, or a line that is drawn freely and made simpler.
class OutlineTool extends DrawTool {
  constructor(editor, kind) {
    super(editor, kind);
    this.points = [];
  }

  says() {
    const least = this.kind === "polygon" ? 3 : 2;
    if (!this.points.length) return `New ${this.kind}: click its points one by one, or draw it freely. Esc: select.`;
    if (this.points.length < least) return "Click the next point.";
    return this.kind === "polygon" ? "Click the next point; the first one again, a double click or Enter twice closes it. Backspace: one point less."
      : "Click the next point; a double click or Enter twice ends it. Backspace: one point less.";
  }

  press(p) {
    this.free = null;
    this.pressed = p;
    const {points} = this, first = points[0];
    if (this.kind === "polygon" && points.length > 2 && apartOf(this.pixels(first), [p.x, p.y]) < SNAP) return this.close();
    if (points.length && apartOf(this.pixels(points.at(-1)), [p.x, p.y]) < 4) return this.isAgain = true;
    if (points.length && crossesRow(points, [points.at(-1), p.at])) {
      this.editor.say("Not there: this edge would cross another one.");
      return;
    }
    points.push(p.at);
    this.hovered = p.at;
  }

  hover({at}) { this.hovered = at; }

  drag(p) {
    this.hovered = p.at;
    if (this.points.length > 1 && !this.free || !this.pressed) return;
    if (!this.free && Math.hypot(p.x - this.pressed.x, p.y - this.pressed.y) > FREELY) this.free = [this.pressed.raw];
    if (this.free && apartOf(this.pixels(this.free.at(-1)), [p.x, p.y]) > 3) this.free.push(p.raw);
  }

  release(p) {
    this.pressed = null;
    if (this.isAgain) {
      this.isAgain = false;
      if (p.isKey) this.finish();
      return;
    }
    const {free} = this;
    this.free = null;
    if (!free) return;
    this.points = [];
    if (free.length < 3) return;
    const edge = [free.at(-1), free[0]];
    if (free.some((point, i) => i > 1 && crossesRow(free.slice(0, i), [free[i - 1], point])) || (this.kind === "polygon" && crossesRow(free, edge))) {
      this.editor.say("Not drawn: the line crosses itself.");
      return;
    }
    this.send(free, {simplify: 2.5 / this.view.scale});
  }

  finish() {
    if (this.points.length >= (this.kind === "polygon" ? 3 : 2)) this.close();
  }

  close() {
    const {points} = this;
    if (this.kind === "polygon" && crossesRow(points, [points.at(-1), points[0]])) {
      this.editor.say("It cannot be closed: the last edge would cross another one. Backspace takes a point back.");
      return;
    }
    this.points = [];
    this.hovered = null;
    this.send(points);
  }

  key(event) {
    if (event.key !== "Backspace" || !this.points.length) return false;
    this.points.pop();
    return true;
  }

  cancel() {
    const was = this.points.length > 0;
    this.points = [];
    this.free = this.hovered = null;
    return was;
  }

  draw({context}) {
    const {marks} = this.editor;
    if (this.free) return marks.line(context, this.free.map((point) => this.pixels(point)), HOLD);
    const shown = this.points.map((point) => this.pixels(point));
    if (!shown.length) return;
    marks.line(context, shown, HOLD);
    if (this.hovered) {
      const wrong = crossesRow(this.points, [this.points.at(-1), this.hovered]);
      marks.line(context, [shown.at(-1), this.pixels(this.hovered)], wrong ? PIVOT : HOLD, {dash: [4, 3]});
    }
    shown.forEach((place, i) => marks.dot(context, place, HOLD, i ? 4 : 6));
  }
}
