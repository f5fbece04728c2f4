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

  // Over the picture, but not over what is `taken` there: boxes [left, top, right, bottom].
  draw(scene, taken) {
    const {view, size, colors} = scene, {unit} = view, edge = 9 * unit;
    for (const {look, text, places} of scene.moment.notes) {
      this.family = look.font;
      const letters = look.size * unit, [lines, high] = this.lines(text, letters);
      const own = look.color && (this.source.data.backdrop ? look.color : readable(look.color, colors.paper));
      const color = own ?? {vector: look.force ? colors.push : colors.velocity}[look.kind] ?? colors.ink;
      const points = pairs(places).map(([x, y]) => [view.x(x), view.y(y)]);
      if (look.kind === "vector") this.drawVector(scene, points, text, color, letters);
      else if (look.kind === "dimension") this.drawDimension(scene, points, text, color, letters);
      else if (look.kind === "plot") this.plots.draw(scene, look, text, taken);
      else if (look.corner) {
        const wide = Math.max(...lines.map(([line]) => this.width(scene, line, letters)));
        const box = inCorner(look.corner, size, wide, high, edge, taken);
        const align = look.corner.endsWith("left") ? "left" : look.corner.endsWith("right") ? "right" : "center";
        const x = {left: box[0], right: box[2], center: 0.5 * (box[0] + box[2])}[align];
        for (const [line, below] of lines) this.write(scene, line, x, box[1] + below, color, letters, align);
        taken.push(box);
      } else {
        const [x, y] = points[0], top = look.above ? y - 7 * unit - high : y - 0.5 * high;
        for (const [line, below] of lines) this.label(scene, line, x, top + below, color, letters);
      }
    }
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

  write(scene, line, x, top, color, letters, align) {
    const {context} = scene, share = {left: 0, center: 0.5, right: 1}[align];
    x -= share * this.width(scene, line, letters);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillStyle = color;
    for (const part of this.parts(line)) {
      if (!part.path) {
        context.fillText(part, x, top + LINE * letters);
        x += context.measureText(part).width;
        continue;
      }
      context.save();
      context.translate(x, top + LINE * letters);
      context.scale(letters, letters);
      context.fill(part.shape ??= new Path2D(part.path));
      context.restore();
      x += part.wide * letters;
    }
  }

  // A line of text on a pale ground, to be read on any colour.
  label(scene, text, x, top, color, letters) {
    if (!text) return;
    const {context, ratio, colors} = scene, brush = new Brush(context, ratio), y = top + 0.62 * letters;
    const half = 0.5 * this.width(scene, text, letters), [up, down] = this.beyond(text, letters);
    brush.strokeWith(faded(colors.paper, 0.72), 1.24 * letters);
    context.beginPath();
    if (up || down) {
      const edge = 0.62 * letters;
      context.fillStyle = faded(colors.paper, 0.72);
      context.roundRect(x - half - edge, y - up - edge, 2 * (half + edge), up + down + 2 * edge, edge);
      context.fill();
    } else {
      trace(context, [[x - half, y], [x + half, y]], false);
      context.stroke();
    }
    this.write(scene, text, x, top, color, letters, "center");
  }

  drawVector(scene, [start, tip], text, color, letters) {
    const {context, ratio, view: {unit}} = scene, dx = tip[0] - start[0], dy = tip[1] - start[1];
    const length = Math.hypot(dx, dy);
    if (!(length >= 2)) return;
    drawArrow(new Brush(context, ratio), [start, tip], {radius: 1.2 * unit, a: 9 * unit, b: 4.2 * unit}, color);
    const aside = 0.6 * letters + 0.5 * this.width(scene, text, letters), [up, down] = this.beyond(text, letters);
    const y = tip[1] + dy / length * letters - 0.62 * letters + 0.5 * (up - down);
    this.label(scene, text, tip[0] + dx / length * aside, y, color, letters);
  }

  drawDimension(scene, [first, last, from, to], text, color, letters) {
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
    const [up, down] = this.beyond(text, letters);
    this.label(scene, text, middle[0], middle[1] - 0.62 * letters + 0.5 * (up - down), color, letters);
  }
}
