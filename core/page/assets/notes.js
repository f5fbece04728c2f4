// SPDX-License-Identifier: MIT
// The scene's annotations: texts, vectors, dimensions and plots, as annotation_kinds.py and
// plots.py of core/render/marks have them.

const PANEL = [190, 112], MOST_SAMPLES = 4000;

const OF_FORMULAS = 0x100000;  // the first sign that stands for a formula, see canvas/formulas.py
const PIECES = /[\u{100000}-\u{10ffff}]|[^\u{100000}-\u{10ffff}]+/gu;

class Notes {
  constructor(source) { this.source = source; }

  // Over the picture, but not over what is `taken` there: boxes [left, top, right, bottom].
  draw(scene, taken) {
    const {view, size, colors} = scene, {unit} = view, edge = 9 * unit;
    const labels = [];
    for (const {look, text, places, label} of scene.moment.notes) {
      this.family = look.font;
      let letters = look.size * unit * (look.thin ? 0.85 : 1);
      const color = look.color ?? colors[look.tone] ?? (look.tone || colors.ink);
      const points = pairs(places).map(([x, y]) => [view.x(x), view.y(y)]);
      if (look.kind === "plot") taken.push(this.drawPlot(scene, look, taken));
      else if (look.kind === "scale_bar") taken.push(this.drawScale(scene, look, text, color, letters, taken));
      else if (look.corner) {
        const wideOf = (size) => Math.max(...this.lines(text, size)[0].map(([line]) => this.width(scene, line, size)));
        letters *= Math.min(1, (size[0] - 2 * edge) / wideOf(letters));
        const wide = wideOf(letters), [lines, high] = this.lines(text, letters);
        const box = inCorner(look.corner, size, wide, high, edge, taken);
        const align = look.corner.endsWith("left") ? "left" : look.corner.endsWith("right") ? "right" : "center";
        const x = {left: box[0], right: box[2], center: 0.5 * (box[0] + box[2])}[align];
        for (const [line, below] of lines) this.write(scene, line, x, box[1] + below, color, letters, align);
        taken.push(box);
      } else {
        const anchor = this.drawPart(scene, look, points, color);
        if (text && label && anchor) labels.push({look, text, label, anchor, color, letters});
      }
    }
    for (const each of labels) this.drawLabel(scene, each);
  }

  // A part without its label; where that is.
  drawPart(scene, {kind, thin}, points, color) {
    const {context, ratio, view: {unit}} = scene, brush = new Brush(context, ratio);
    if (kind === "text") return points[0];
    if (kind === "dimension") return this.drawDimension(scene, points, color);
    if (points.length === 1) return dot(brush, ...points[0], 3 * unit, color), null;
    const [start, tip] = points;
    if (!(Math.hypot(tip[0] - start[0], tip[1] - start[1]) >= 2)) return null;
    const [wide, head] = thin ? [0.7, 6] : [1.2, 9], sizes = {radius: wide * unit, a: head * unit, b: 0.47 * head * unit};
    drawArrow(brush, [start, tip], sizes, thin ? faded(color, 0.8) : color);
    return tip;
  }

  // At the place that was found for it in a picture of data.size, with a pale rim.
  drawLabel(scene, {look, text, label: [right, down, led], anchor, color, letters}) {
    const {context, ratio, view: {unit}} = scene;
    this.family = look.font;
    const [lines, high] = this.lines(text, letters), x = anchor[0] + right * unit, y = anchor[1] + down * unit;
    if (led) {
      const half = Math.max(...lines.map(([line]) => this.width(scene, line, letters))) / 2;
      const end = [clamp(anchor[0], x - half, x + half), clamp(anchor[1], y - high / 2, y + high / 2)];
      new Brush(context, ratio).strokeWith(faded(color, 0.7), 0.9 * unit);
      context.beginPath();
      trace(context, [anchor, end], false);
      context.stroke();
    }
    for (const [line, below] of lines) this.label(scene, line, x, y - high / 2 + below, color, letters);
  }

  drawScale({context, ratio, view, size}, look, text, color, letters, taken) {
    const {unit} = view, space = text.indexOf(" "), pixels = view.scale * Number(text.slice(0, space));
    const step = gridStep(pixels, look.long * unit), long = step * pixels;
    const said = `${look.name} ${roundLabel(step)} ${text.slice(space + 1)}`, corner = look.corner ?? "bottom_left";
    const wide = Math.max(long, this.width({context}, said, letters));
    const box = inCorner(corner, size, wide, 1.3 * letters + 9 * unit, 9 * unit, taken), right = corner.endsWith("right");
    const x = right ? box[2] - long : box[0], y = box[3] - 4.5 * unit;
    drawArrow(new Brush(context, ratio), [[x, y], [x + long, y]], {radius: 1.2 * unit, a: 9 * unit, b: 4.2 * unit}, color);
    this.write({context}, said, right ? box[2] : box[0], box[1], color, letters, right ? "right" : "left");
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
  label(scene, text, x, top, color, letters) {
    if (!text) return;
    this.write(scene, text, x, top, scene.colors.paper, letters, "center", Math.max(0.12 * letters, 1));
    this.write(scene, text, x, top, color, letters, "center");
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
    return middle;
  }

  // ---------------------------------------------------------------- plots in the picture

  drawPlot(scene, look, taken) {
    const {view: {unit}, size, moment, colors} = scene;
    const [wide, high] = PANEL.map((length) => length * unit);
    const box = inCorner(look.corner ?? "top_right", size, wide, high, 9 * unit, taken);
    const given = this.source.plotted(look, moment.time), inner = [box[0] + 34 * unit, box[1] + 20 * unit, box[2] - 10 * unit, box[3] - 16 * unit];
    const lines = look.names.map((_, i) => (i === 0 && look.color) || colors.lines[i % colors.lines.length]);
    const every = (which) => look.range ?? spanOf(which.map((i) => given.least[i]), which.map((i) => given.most[i]));
    const [across, up] = look.phase ? [spanOf([given.least[0]], [given.most[0]]), every([1])]
      : [this.times(look, given.now), every(look.names.map((_, i) => i))];
    this.drawPanel(scene, box);
    this.drawUpwards(scene, inner, up);
    this.drawAcross(scene, inner, across, look.phase);
    this.drawNames(scene, box, look.phase ? [`${look.names[1]}  against  ${look.names[0]}`] : look.names, lines);
    const columns = look.phase ? [[1, 2]] : look.names.map((_, i) => [0, i + 1]);
    columns.forEach((pair, i) => this.drawLine(scene, inner, across, up, given.samples, pair, lines[i]));
    return box;
  }

  times({window: long}, now) { return [Math.max(now - (long ?? 1), 0), Math.max(now, long ?? 1)]; }

  drawPanel({context, colors, view: {unit}}, [x0, y0, x1, y1]) {
    context.fillStyle = faded(colors.paper, 0.86);
    context.strokeStyle = colors.axis;
    context.lineWidth = 0.8 * unit;
    context.beginPath();
    context.roundRect(x0 - 2.6 * unit, y0 - 2.6 * unit, x1 - x0 + 5.2 * unit, y1 - y0 + 5.2 * unit, 3 * unit);
    context.fill();
    context.stroke();
  }

  drawUpwards({context, colors, view: {unit}}, [x0, y0, x1, y1], [low, high]) {
    const step = gridStep((y1 - y0) / (high - low), 20 * unit);
    context.font = fontOf(8.5 * unit, this.family);
    [context.textAlign, context.textBaseline] = ["right", "middle"];
    for (const mark of ticksOf(low, high, step)) {
      const y = y1 - (y1 - y0) * (mark * step - low) / (high - low);
      this.rule(context, x0 - 3 * unit, y, x1, y, mark === 0 ? colors.quiet : colors.axis, 0.8 * unit);
      context.fillStyle = colors.ink;
      context.fillText(roundLabel(mark * step), x0 - 5 * unit, y);
    }
    this.rule(context, x0, y0 - 2 * unit, x0, y1, colors.quiet, unit);
  }

  drawAcross({context, colors, view: {unit}}, [x0, , x1, y1], across, phase) {
    const second = phase ? 1 : this.source.data.units.second, [low, high] = across.map((each) => each / second);
    const step = gridStep((x1 - x0) / (high - low), 32 * unit), marks = ticksOf(low, high, step);
    this.rule(context, x0, y1, x1, y1, colors.quiet, unit);
    context.font = fontOf(8.5 * unit, this.family);
    [context.textAlign, context.textBaseline] = ["center", "top"];
    for (const mark of marks) {
      const x = x0 + (x1 - x0) * (mark * step - low) / (high - low);
      this.rule(context, x, y1, x, y1 + 3 * unit, colors.quiet, 0.8 * unit);
      context.fillStyle = colors.ink;
      context.fillText(roundLabel(mark * step) + (mark === marks.at(-1) && !phase ? " s" : ""), x, y1 + 3.5 * unit);
    }
  }

  drawNames({context, colors, view: {unit}}, [x0, y0, x1], names, lines) {
    let x = x0 + 8 * unit;
    const y = y0 + 10 * unit;
    context.font = fontOf(9.5 * unit, this.family);
    [context.textAlign, context.textBaseline] = ["left", "middle"];
    names.forEach((name, i) => {
      if (x + 24.5 * unit > x1) return;
      this.rule(context, x, y, x + 10 * unit, y, lines[i], 2 * unit);
      context.fillStyle = colors.ink;
      context.fillText(name, x + 14 * unit, y);
      x += 24 * unit + context.measureText(name).width;
    });
  }

  drawLine({context, view: {unit}, ratio}, [x0, y0, x1, y1], across, up, samples, [right, high], color) {
    const wide = (x1 - x0) / (across[1] - across[0]), tall = (y1 - y0) / (up[1] - up[0]);
    const points = samples.filter((each) => Number.isFinite(each[right]) && Number.isFinite(each[high])).map(
      (each) => [x0 + wide * (each[right] - across[0]), y1 - tall * (each[high] - up[0])]);
    if (points.length === 0) return;
    context.save();
    context.beginPath();
    context.rect(x0 - 2 * unit, y0, x1 - x0 + 4 * unit, y1 - y0);
    context.clip();
    context.strokeStyle = color;
    context.lineWidth = 1.7 * unit;
    context.beginPath();
    trace(context, points, false);
    context.stroke();
    context.restore();
    const [x, y] = points.at(-1);
    if (y >= y0 && y <= y1) dot(new Brush(context, ratio), x, y, 2.2 * unit, color);
  }

  rule(context, ax, ay, bx, by, color, width) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    context.stroke();
  }
}

// The axis of lines of these least and greatest values, with a little room beyond.
function spanOf(least, most) {
  const low = Math.min(...least), high = Math.max(...most);
  if (!(low <= high)) return [0, 1];
  const spare = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
  return [low - spare, high + spare];
}

// What a plot of a source is made from: of its values at moments the last ones before a time, and
// their bounds since the start. `row(i)` has {time, values, peaks, least, most} of the moment i, where
// peaks are those {time, values} since the moment before that were lower or higher than both.
function plottedOf({window: long, names, first}, row, until) {
  const samples = [], count = names.length, {time: now, least, most} = row(until);
  const take = ({time, values}) => samples.push([time, ...values.slice(first, first + count)]);
  let from = until;
  while (from > 0 && (long === null || row(from - 1).time >= now - long)) from--;
  const every = Math.max(1, Math.ceil((until - from + 1) / MOST_SAMPLES));
  for (let i = until; i >= from; i -= every) {
    take(row(i));
    for (let k = i; k > i - every && k > from; k--) [...row(k).peaks].reverse().forEach(take);
  }
  return {now, samples: samples.reverse(), least: least.slice(first, first + count), most: most.slice(first, first + count)};
}

// The least and the greatest of values so far, from those of the moment before.
function boundsWith(before, {values, peaks}) {
  const bound = (old, keep) => Array.from(values, (value, i) => {
    const known = [...(old ? [old[i]] : []), value, ...peaks.map((peak) => peak.values[i])].filter(Number.isFinite);
    return keep(...known);
  });
  return {least: bound(before?.least, Math.min), most: bound(before?.most, Math.max)};
}

function boundsOf(rows) {
  let before = null;
  return rows.map((row) => { before = {...row, ...boundsWith(before, row)}; return before; });
}
