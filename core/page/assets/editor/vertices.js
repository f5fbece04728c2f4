// SPDX-License-Identifier: MIT
// Points of polygons and chains: moved, added, deleted, rounded; and a body split along a line.

class VerticesTool extends Tool {
  says() {
    if (this.splits) return this.line ? "Release where the cut shall end." : "Split: press beside the body and drag a line through it.";
    if (!this.outlines) return "Points: select a body with a polygon or a chain.";
    return this.chosen === null || this.chosen === undefined ? "Points: drag one. Press on an edge to add one there. Del deletes the chosen one. Esc: select."
      : "Drag it, or Del deletes it. Round: cuts its corner round.";
  }

  begin() {
    this.chosen = null;
    this.splits = false;
    this.read();
  }

  // The shapes of the selected body with points, in its coordinates, from the server.
  async read() {
    const {editor} = this, [row] = editor.rows(), paths = editor.paths();
    this.outlines = this.row = null;
    if (row === undefined || paths.length !== 1 || !paths[0].startsWith("bodies.")) return;
    const answer = await editor.ask({ask: "outlines", body: this.source.data.bodies[row].name});
    if (answer.error || !answer.outlines.length) return;
    Object.assign(this, {outlines: answer.outlines, row, path: paths[0]});
    if (this.chosen && !(this.chosen.index < (this.outlines.find(({shape}) => shape === this.chosen.shape)?.points.length ?? 0))) this.chosen = null;
    editor.changed(true);
  }

  renewed() { this.read(); }

  options() {
    const {editor} = this, found = [];
    if (this.outlines) {
      const round = element("input", {type: "text", inputmode: "decimal", size: "5", value: this.radius ?? written(4 * editor.grid.pixel), "aria-label": "Radius of round corners", change: () => { this.radius = round.value; }});
      found.push(element("label", {class: "option"}, element("span", {class: "quiet"}, "Radius"), round));
      found.push(action("Round", "Round the chosen corner, or all", () => this.change("round", {radius: Number(round.value), ...(this.chosen ? {index: this.chosen.index} : {})})));
      found.push(action("Simplify", "Fewer points, at most so far from the outline", () => this.change("simplify", {radius: Number(round.value)})));
    }
    found.push(action("Split", "Cut the body along a line", () => { this.splits = !this.splits; editor.changed(true); }, {"aria-pressed": String(Boolean(this.splits))}));
    return found;
  }

  change(what, more, shape = this.chosen?.shape ?? this.outlines[0].shape) {
    return this.editor.edit({edit: "vertices", what: [this.path], do: what, shape, ...more});
  }

  placeOf([x, y]) { return this.pixels(placed(this.moment, this.row, x, y)); }

  pointAt({x, y, isTouch}) {
    for (const {shape, points} of this.outlines ?? []) {
      const index = points.findIndex((point) => apartOf(this.placeOf(point), [x, y]) <= (isTouch ? 16 : 9));
      if (index >= 0) return {shape, index};
    }
    return null;
  }

  edgeAt({x, y}) {
    for (const {shape, points, closed} of this.outlines ?? []) {
      const count = closed ? points.length : points.length - 1;
      for (let i = 0; i < count; i++) {
        if (distance([this.placeOf(points[i]), this.placeOf(points[(i + 1) % points.length])], x, y) < 7) return {shape, index: i + 1};
      }
    }
    return null;
  }

  press(p) {
    if (this.splits) {
      if (this.line && p.isKey) return this.cut(p.raw);
      return void (this.line = [p.raw, p.raw]);
    }
    if (this.held && p.isKey) return this.drop();
    this.held = this.pointAt(p);
    this.chosen = this.held;
    if (this.held) return this.editor.changed(true);
    const edge = this.edgeAt(p);
    if (edge) this.held = {...edge, isNew: true, to: p.at};
    else {
      const object = this.editor.objectAt(p);
      this.editor.select(object ? [object] : []);
      this.read();
    }
  }

  hover(p) {
    if (p.isKey) this.drag(p);
  }

  drag(p) {
    if (this.line) this.line[1] = p.raw;
    if (this.held) [this.held.to, this.held.moved] = [p.at, true];
  }

  release(p) {
    if (p.isKey) return;
    if (this.line) return this.cut(p.raw);
    this.drop();
  }

  drop() {
    const {held} = this;
    this.held = null;
    if (!held || (!held.moved && !held.isNew)) return;
    this.chosen = {shape: held.shape, index: held.index};
    this.change(held.isNew ? "insert" : "move", {index: held.index, to: held.to.map(clean)}, held.shape);
  }

  cut(to) {
    const [from] = this.line;
    this.line = null;
    this.splits = false;
    if (apartOf(from, to) > 0) this.editor.edit({edit: "split", what: this.editor.paths(), line: [from, to]});
  }

  key(event) {
    if (event.key !== "Delete" && event.key !== "Backspace" || !this.chosen) return false;
    this.change("delete", {index: this.chosen.index});
    this.chosen = null;
    return true;
  }

  skips() { return new Set(this.row === null ? [] : [this.row]); }

  cancel() {
    const was = Boolean(this.held || this.line || this.splits);
    this.held = this.line = null;
    this.splits = false;
    return was;
  }

  draw({context}) {
    const {marks} = this.editor;
    for (const {shape, points, closed} of this.outlines ?? []) {
      const shown = points.map((point) => this.placeOf(point)), {held} = this;
      if (held?.to && held.shape === shape) shown.splice(held.index, held.isNew ? 0 : 1, this.pixels(held.to));
      marks.line(context, shown, HOLD, {closed});
      shown.forEach((place, i) => marks.dot(context, place, this.chosen?.shape === shape && this.chosen.index === i ? PIVOT : HOLD, HANDLE, false));
    }
    if (this.line) marks.line(context, this.line.map((point) => this.pixels(point)), PIVOT, {dash: [6, 4]});
  }
}
