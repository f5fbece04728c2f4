// SPDX-License-Identifier: MIT
// The scene's annotations: texts, vectors and dimensions, as annotation_kinds.py of core/render/marks
// has them; its plots are in note_plots.js.

const OF_FORMULAS = 0x100000;  // the first sign that stands for a formula, see canvas/formulas.py
const PIECES = /[\u{100000}-\u{10ffff}]|[^\u{100000}-\u{10ffff}]+/gu;

class Notes {
  constructor(source) {
    this.source = source;
    this.plots = new NotePlots(source, this);
  }

  // Over the picture, but not over what is `taken` there: boxes [left, top, right, bottom], to which it
  // adds what it takes. Returns the labels that are yet to be placed and drawn.
  draw(scene, taken) {
    const {view, size, colors} = scene, {unit} = view, edge = 9 * unit;
    const labels = [];
    for (const {look, text, places} of scene.moment.notes) {
      this.family = look.font;
      let letters = look.size * unit * (look.thin ? 0.85 : 1);
      const own = look.color ?? (look.tone?.startsWith("#") ? look.tone : null);
      const color = own && !this.source.data.backdrop ? readable(own, colors.paper) : own ?? colors[look.tone] ?? colors.ink;
      const points = pairs(places).map(([x, y]) => [view.x(x), view.y(y)]);
      if (look.kind === "plot") this.plots.draw(scene, look, text, taken);
      else if (look.kind === "scale_bar") taken.push(this.drawScale(scene, look, text, color, letters, taken));
      else if (look.corner) {
        const wideOf = (size) => Math.max(...this.lines(text, size)[0].map(([line]) => this.width(scene, line, size)));
        letters *= Math.min(1, (size[0] - 2 * edge) / wideOf(letters));
        const wide = wideOf(letters), [lines, high] = this.lines(text, letters);
        const box = inCorner(look.corner, size, wide, high, edge, taken);
        const align = look.corner.endsWith("left") ? "left" : look.corner.endsWith("right") ? "right" : "center";
        const x = {left: box[0], right: box[2], center: 0.5 * (box[0] + box[2])}[align];
        for (const [line, below] of lines) this.writeRimmed(scene, line, x, box[1] + below, color, letters, align);
        taken.push(box);
      } else {
        const named = this.drawPart(scene, look, points, color);
        if (text && named) labels.push(this.label(scene, {look, text, points, color, letters}, named));
      }
    }
    const counts = new Map();
    for (const label of labels) {
      const count = counts.get(label.key) ?? 0;
      counts.set(label.key, count + 1);
      label.key += ` ${count}`;
    }
    return labels;
  }

  // A label that is to be placed beside what it names.
  label(scene, {look, text, points, color, letters}, [anchor, way, along]) {
    this.family = look.font;
    const {size: [width, height], view: {unit}} = scene, [lines, high] = this.lines(text, letters);
    const size = [Math.max(...lines.map(([line]) => this.width(scene, line, letters))), high];
    const isSeen = points.some(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height);
    const draw = (box, led) => this.drawLabel(scene, {look, lines, color, letters, anchor}, box, led);
    return {key: `note ${this.source.data.notes.indexOf(look.of ?? look)} ${look.tone} ${look.thin}`, size, anchor, base: points[0], isSeen, draw, places: labelPlaces(way, along, size, unit)};
  }

  // A part without its label; the anchor of that, on which side it may be, and a direction; or null.
  drawPart(scene, {kind, thin, above}, points, color) {
    const {context, ratio, view: {unit}} = scene, brush = new Brush(context, ratio);
    if (kind === "text") return [points[0], above ? "above" : "on", [0, -1]];
    if (kind === "dimension") return this.drawDimension(scene, points, color);
    if (points.length === 1) return dot(brush, ...points[0], 3 * unit, color), null;
    const [start, , after] = points, tip = points.at(-1), isCut = points.length === 4;
    if (!(Math.hypot(tip[0] - start[0], tip[1] - start[1]) >= 2)) return null;
    const [wide, head] = thin ? [0.7, 6] : [1.2, 9], sizes = {radius: wide * unit, a: head * unit, b: 0.47 * head * unit};
    const tone = thin ? faded(color, 0.8) : color;
    if (isCut) this.drawGap(scene, points, wide, tone);
    drawArrow(brush, [isCut ? after : start, tip], sizes, tone);
    const long = Math.hypot(tip[0] - start[0], tip[1] - start[1]);
    return [tip, "tip", [(tip[0] - start[0]) / long, (tip[1] - start[1]) / long]];
  }

  // The first half of an arrow that is cut, and a stroke at each side of its gap.
  drawGap({context, ratio, view: {unit}}, [start, before, after, tip], wide, color) {
    const brush = new Brush(context, ratio), dx = tip[0] - start[0], dy = tip[1] - start[1];
    const share = 4.5 * unit / Math.hypot(dx, dy), [x, y] = [share * (0.5 * dx - dy), share * (dx + 0.5 * dy)];
    const strokes = [before, after].map((at) => [[at[0] - x, at[1] - y], [at[0] + x, at[1] + y]]);
    for (const [ends, width] of [[[start, before], 2 * wide], ...strokes.map((ends) => [ends, 1.4])]) {
      brush.strokeWith(color, width * unit);
      context.beginPath();
      trace(context, ends, false);
      context.stroke();
    }
  }

  // In its box, with a pale rim, and a thin line where it is away.
  drawLabel(scene, {look, lines, color, letters, anchor}, box, led) {
    const {context, ratio, view: {unit}} = scene;
    this.family = look.font;
    if (led) {
      new Brush(context, ratio).strokeWith(faded(color, 0.7), 0.9 * unit);
      context.beginPath();
      trace(context, [anchor, [clamp(anchor[0], box[0], box[2]), clamp(anchor[1], box[1], box[3])]], false);
      context.stroke();
    }
    for (const [line, below] of lines) this.writeRimmed(scene, line, (box[0] + box[2]) / 2, box[1] + below, color, letters);
  }

  drawScale(scene, look, text, color, letters, taken) {
    const {context, ratio, view, size} = scene, {unit} = view, space = text.indexOf(" "), pixels = view.scale * Number(text.slice(0, space));
    const step = gridStep(pixels, look.long * unit), long = step * pixels;
    const said = `${look.name} ${roundLabel(step)} ${text.slice(space + 1)}`, corner = look.corner ?? "bottom_left";
    const wide = Math.max(long, this.width(scene, said, letters));
    const box = inCorner(corner, size, wide, 1.3 * letters + 9 * unit, 9 * unit, taken), right = corner.endsWith("right");
    const x = right ? box[2] - long : box[0], y = box[3] - 4.5 * unit;
    drawArrow(new Brush(context, ratio), [[x, y], [x + long, y]], {radius: 1.2 * unit, a: 9 * unit, b: 4.2 * unit}, color);
    this.writeRimmed(scene, said, right ? box[2] : box[0], box[1], color, letters, right ? "right" : "left");
    return box;
  }

  // A line as texts and formulas.
  parts(line) {
    const {formulas} = this.source.data;
    return (line.match(PIECES) ?? []).map((part) => formulas[part.codePointAt(0) - OF_FORMULAS] ?? part);
  }

  width({context}, line, letters) {
    context.font = fontOf(letters, this.family);
    return this.parts(line).reduce((sum, part) => sum + (part.path ? part.wide * letters : context.measureText(part).width), 0);
  }

  // How far formulas reach above and below a usual line.
  beyond(line, letters) {
    return this.parts(line).reduce(([up, down], part) => part.path
      ? [Math.max(up, part.up * letters), Math.max(down, part.down * letters)] : [up, down], [0, 0]);
  }

  // The lines of a text, each with how far it is below the top, and the height of all.
  lines(text, letters) {
    let high = 0;
    const placed = text.split("\n").map((line) => {
      const [up, down] = this.beyond(line, letters), below = high + up;
      high = below + 1.3 * letters + down;
      return [line, below];
    });
    return [placed, high];
  }

  write(scene, line, x, top, color, letters, align, rim = 0) {
    const {context} = scene, share = {left: 0, center: 0.5, right: 1}[align];
    x -= share * this.width(scene, line, letters);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context[rim ? "strokeStyle" : "fillStyle"] = color;
    context.lineJoin = "round";
    context.lineWidth = 2 * rim;
    for (const part of this.parts(line)) {
      if (!part.path) {
        if (rim) context.strokeText(part, x, top + LINE * letters); else context.fillText(part, x, top + LINE * letters);
        x += context.measureText(part).width;
        continue;
      }
      context.save();
      context.translate(x, top + LINE * letters);
      context.scale(letters, letters);
      context.lineWidth = 2 * rim / letters;
      part.shape ??= new Path2D(part.path);
      if (rim) context.stroke(part.shape); else context.fill(part.shape);
      context.restore();
      x += part.wide * letters;
    }
  }

  // A line of text with a pale rim, to be read on any colour.
  writeRimmed(scene, text, x, top, color, letters, align = "center") {
    if (!text) return;
    this.write(scene, text, x, top, scene.colors.paper, letters, align, Math.max(0.12 * letters, 1));
    this.write(scene, text, x, top, color, letters, align);
  }

  drawDimension(scene, [first, last, from, to], color) {
    const {context, ratio, view: {unit}} = scene, brush = new Brush(context, ratio);
    for (const [end, line] of [[first, from], [last, to]]) {
      if (Math.hypot(end[0] - line[0], end[1] - line[1]) < 0.5) continue;
      brush.strokeWith(faded(color, 0.5), 0.8 * unit);
      context.beginPath();
      trace(context, [end, line], false);
      context.stroke();
    }
    const middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    for (const end of [from, to]) drawArrow(brush, [middle, end], {radius: 0.5 * unit, a: 6 * unit, b: 2.4 * unit}, color);
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    return [middle, "line", long > 0 ? [(to[0] - from[0]) / long, (to[1] - from[1]) / long] : [1, 0]];
  }
}
