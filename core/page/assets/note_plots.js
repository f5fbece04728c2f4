// SPDX-License-Identifier: MIT
// Plots in the picture and in the strips beside it, as plots.py and plot_panels.py of core/render/marks
// and core/view/strips.py have them.

const PANEL = [190, 112], MOST_PEAKS = 6, MOST_SAMPLES = 4000, LEAST_UNIT = 0.8, STRIP_GAP = 4;
const TICKS = 8.5, NAMES = 9.5, ROW = 12, LETTER = 0.62, LEAST_INNER = 24, MOST_ENDS = 0.4, CUT = "…";
const STRIPS = ["above", "below", "left", "right"];

class NotePlots {
  constructor(source, notes) {
    Object.assign(this, {source, notes});
    this.places = [];  // those that share one place: the first, and those below it
    for (const look of source.data.notes) {
      if (look.kind === "plot" && look.share) this.places.at(-1).push(look);
      else if (look.kind === "plot") this.places.push([look]);
    }
  }

  // A plot in a corner, with those that share its place; `taken` comes to have its box.
  draw(scene, look, text, taken) {
    const {size, view: {unit}} = scene;
    if (look.share || look.strip) return;
    const looks = this.placeOf(look), plain = scaleOf(look, unit), whole = this.size(scene, looks, plain, unit);
    const k = plain * Math.min(1, 0.62 * size[0] / whole[0], 0.6 * size[1] / whole[1]);
    const [wide, high] = this.size(scene, looks, k, unit);
    const box = inCorner(look.corner ?? "top_right", size, wide, high, 9 * unit, taken);
    this.drawPanels(scene, looks, box, k);
    taken.push(box);
  }

  placeOf(look) { return this.places.find(([first]) => first === look); }

  textOf({moment}, look) { return moment.notes.find((note) => note.look === look)?.text ?? ""; }

  // Width and height of plots below each other where a pixel of them has the size k.
  size(scene, looks, k, unit) {
    return [sideOf(looks[0], 0, k, unit), looks.reduce((sum, look) => sum + this.height(scene, look, looks[0], k, unit), 0)];
  }

  height(scene, look, first, k, unit) {
    const rows = this.headerRows(scene, look, [], sideOf(look, 0, k, unit), k).length;
    return sideOf(look, 1, k, unit) + Math.max(rows - 1, 0) * ROW * k;
  }

  // ---------------------------------------------------------------- strips

  // How much strips take from the sides of a window, for a picture that is drawn at this `unit`.
  insets([width, height], unit) {
    const {insets, unit: own} = this.source.data, zoom = Math.max(unit, LEAST_UNIT) / Math.max(own, LEAST_UNIT);
    const [left, top, right, bottom] = insets.map((each) => each * zoom);
    const [across, down] = [Math.min(1, 0.6 * width / (left + right || 1)), Math.min(1, 0.6 * height / (top + bottom || 1))];
    return [left * across, top * down, right * across, bottom * down].map(Math.floor);
  }

  // The plots beside the picture; scene.size is that of the whole window.
  drawStrips(scene, [left, top, right, bottom]) {
    const [width, height] = scene.size, {unit} = scene.view, gap = STRIP_GAP * unit;
    const parts = {above: [0, 0, width, top], below: [0, height - bottom, width, height],
      left: [0, top, left, height - bottom], right: [width - right, top, width, height - bottom]};
    for (const side of STRIPS) {
      const part = parts[side], across = side === "above" || side === "below" ? 0 : 1;
      const members = this.places.filter(([{strip}]) => strip === side);
      const weights = members.map((looks) => across === 0 ? sideOf(looks[0], 0, scaleOf(looks[0], 1), 1)
        : looks.reduce((sum, look) => sum + sideOf(look, 1, scaleOf(look, 1), 1), 0));
      let start = part[across] + gap;
      const room = part[across + 2] - gap - start - gap * (members.length - 1), all = weights.reduce((sum, each) => sum + each, 0);
      members.forEach((looks, i) => {
        const box = [part[0] + gap, part[1] + gap, part[2] - gap, part[3] - gap];
        [box[across], box[across + 2]] = [start, start + room * weights[i] / all];
        if (scene.moment.notes?.some(({look}) => look === looks[0])) this.drawPanels(scene, looks, box, scaleOf(looks[0], unit));
        start = box[across + 2] + gap;
      });
    }
  }

  // ---------------------------------------------------------------- panels

  drawPanels(scene, looks, box, k) {
    const {colors} = scene, [x0, y0, x1, y1] = box, [first] = looks, {unit} = scene.view;
    this.drawPanel(scene, box, k);
    const heights = looks.map((look) => this.height(scene, look, first, k, unit)), all = heights.reduce((sum, each) => sum + each, 0);
    let top = y0;
    const panels = looks.map((look, i) => {
      this.notes.family = look.font;
      const own = (line) => (line === 0 && look.color) || colors.lines[line % colors.lines.length];
      const lines = Array.from({length: look.lines}, (_, line) => readable(own(line), colors.paper));
      const given = this.source.plotted(look, scene.moment.time), bottom = top + (y1 - y0) * heights[i] / all;
      const below = (i === looks.length - 1 ? 16 + (first.across ? ROW : 0) : 6) * k;
      const rows = this.headerRows(scene, look, lines, x1 - x0, k);
      const most = Math.max(Math.floor((bottom - top - below - (8 + LEAST_INNER) * k) / (ROW * k)), 1);
      rows.slice(0, most).forEach((row, place) => this.drawNames(scene, row, x0, top + (10 + ROW * place) * k, k));
      const inner = [x0, top + (8 + ROW * Math.min(rows.length, most)) * k, x1, bottom - below];
      top = bottom;
      const up = upwardsOf(look, given), marks = axisMarks(...up, inner[3] - inner[1], 20 * k);
      return {look, lines, given, inner, up, marks, ends: this.endsOf(scene, look, x1 - x0, k)};
    });
    const longest = Math.max(...panels.flatMap(({marks}) => marks.map(([, text]) => text.length)), 0);
    const left = x0 + Math.max(12 + TICKS * LETTER * longest, LEAST_INNER) * k;
    const right = x1 - Math.max(10 * k, ...panels.map(({ends: [wide]}) => wide));
    const across = acrossOf(first, panels[0].given);
    panels.forEach(({look, lines, given, inner: [, high, , low], up, marks, ends: [, names]}, i) => {
      const inner = [left, high, right, low];
      this.notes.family = look.font;
      this.drawUpwards(scene, inner, up, marks, k);
      this.drawAcross(scene, inner, box, first, across, i === panels.length - 1, k);
      const columns = look.phase ? [[1, 2]] : lines.map((_, line) => [0, line + 1]);
      columns.forEach((pair, line) => this.drawLine(scene, inner, across, up, given.samples, pair, lines[line], k));
      this.drawEnds(scene, inner, up, given.samples.at(-1), names, lines, k);
      if (!look.phase) this.drawPeaks(scene, inner, across, up, given.samples, lines, k);
    });
  }

  drawPanel({context, colors}, [x0, y0, x1, y1], k) {
    context.fillStyle = faded(colors.paper, 0.86);
    context.strokeStyle = colors.axis;
    context.lineWidth = 0.8 * k;
    context.beginPath();
    context.roundRect(x0 - 2.6 * k, y0 - 2.6 * k, x1 - x0 + 5.2 * k, y1 - y0 + 5.2 * k, 3 * k);
    context.fill();
    context.stroke();
  }

  // ---------------------------------------------------------------- names

  // The rows above the lines: texts, with the colours of the lines that they name.
  header(look, text, lines) {
    const {names, axisUnit, single, legend} = look, named = (name) => (axisUnit ? `${name} (${axisUnit})` : name);
    if (single) return [[named(text || names[0]), legend === "none" ? null : lines[0] ?? "none"]];
    const title = text ? named(text) : axisUnit, entries = title ? [[title, null]] : [];
    return legend === "top" ? [...entries, ...names.map((name, i) => [name, lines[i] ?? "none"])] : entries;
  }

  headerRows(scene, look, lines, wide, k) {
    this.notes.family = look.font;
    const rows = [[]], most = wide - 6 * k;
    let x = 8 * k;
    for (const [text, color] of this.header(look, this.textOf(scene, look), lines)) {
      const piece = color ? 14 * k : 0, long = piece + this.notes.width(scene, text, NAMES * k);
      if (rows.at(-1).length && x + long > most) [rows[rows.length], x] = [[], 8 * k];
      rows.at(-1).push([x, this.fitted(scene, text, most - x - piece, NAMES * k), color]);
      x += long + 10 * k;
    }
    return rows[0].length ? rows : [];
  }

  fitted(scene, text, wide, letters) {
    const width = (line) => this.notes.width(scene, line, letters);
    if (width(text) <= wide) return text;
    let cut = [...text];
    while (cut.length > 1 && width(cut.join("") + CUT) > wide) cut = cut.slice(0, -1);
    return cut.join("") + CUT;
  }

  drawNames(scene, row, left, y, k) {
    for (const [x, text, color] of row) {
      if (color) this.rule(scene.context, left + x, y, left + x + 10 * k, y, color, 2 * k);
      this.write(scene, text, left + x + (color ? 14 * k : 0), y - 6 * k, NAMES * k, "left");
    }
  }

  // The width of names at the ends of lines, and these names.
  endsOf(scene, look, wide, k) {
    if (look.legend !== "ends" || look.single) return [0, []];
    const names = look.names.map((name) => this.fitted(scene, name, MOST_ENDS * wide - 24 * k, NAMES * k));
    return [24 * k + Math.max(...names.map((name) => this.notes.width(scene, name, NAMES * k))), names];
  }

  drawEnds(scene, [, y0, x1, y1], [low, high], last, names, lines, k) {
    if (!last || !names.length) return;
    const places = names.map((_, i) => {
      const value = Number.isFinite(last[i + 1]) ? last[i + 1] : low;
      return [clamp(y1 - (y1 - y0) * (value - low) / (high - low), y0, y1), i];
    }).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (const [y, i] of spreadOut(places, y1, 0.9 * ROW * k)) {
      this.rule(scene.context, x1 + 6 * k, y, x1 + 14 * k, y, lines[i], 2 * k);
      this.write(scene, names[i], x1 + 17 * k, y - 6 * k, NAMES * k, "left");
    }
  }

  // ---------------------------------------------------------------- axes and lines

  drawUpwards(scene, [x0, y0, x1, y1], [low, high], marks, k) {
    const {context, colors} = scene;
    for (const [value, text] of marks) {
      const y = y1 - (y1 - y0) * (value - low) / (high - low);
      this.rule(context, x0 - 3 * k, y, x1, y, value === 0 ? colors.quiet : colors.axis, 0.8 * k);
      this.write(scene, text, x0 - 5 * k, y - 5.6 * k, TICKS * k, "right");
    }
    this.rule(context, x0, y0 - 2 * k, x0, y1, colors.quiet, k);
  }

  drawAcross(scene, [x0, , x1, y1], box, first, across, labelled, k) {
    const {context, colors} = scene, second = first.phase ? 1 : this.source.data.units.second;
    const [low, high] = across.map((each) => each / second), marks = axisMarks(low, high, x1 - x0, 32 * k, TICKS * k);
    this.rule(context, x0, y1, x1, y1, colors.quiet, k);
    marks.forEach(([value, number], i) => {
      const x = x0 + (x1 - x0) * (value - low) / (high - low), text = number + (i === marks.length - 1 && !first.across ? " s" : "");
      this.rule(context, x, y1, x, y1 + 3 * k, colors.quiet, 0.8 * k);
      if (!labelled) return;
      const half = 0.5 * this.notes.width(scene, text, TICKS * k);
      this.write(scene, text, Math.min(x, box[2] - half - 2 * k), y1 + 3.5 * k, TICKS * k, "center");
    });
    if (!labelled || !first.across) return;
    const text = this.fitted(scene, first.across, box[2] - x0 - 6 * k, NAMES * k), half = 0.5 * this.notes.width(scene, text, NAMES * k);
    this.write(scene, text, Math.min(0.5 * (x0 + x1), box[2] - half - 4 * k), y1 + 14 * k, NAMES * k, "center");
  }

  drawLine({context, ratio}, [x0, y0, x1, y1], across, up, samples, [right, high], color, k) {
    const wide = (x1 - x0) / (across[1] - across[0]), tall = (y1 - y0) / (up[1] - up[0]);
    const points = samples.filter((each) => Number.isFinite(each[right]) && Number.isFinite(each[high])).map(
      (each) => [held(x0 + wide * (each[right] - across[0]), x0, x1, 0.85 * k), held(y1 - tall * (each[high] - up[0]), y0, y1, 0.85 * k)]);
    if (points.length === 0) return;
    context.save();
    context.beginPath();
    context.rect(x0 - k, y0 - k, x1 - x0 + 2 * k, y1 - y0 + 2 * k);
    context.clip();
    context.strokeStyle = color;
    context.lineWidth = 1.7 * k;
    context.beginPath();
    trace(context, points, false);
    context.stroke();
    context.restore();
    const [x, y] = points.at(-1);
    if (y >= y0 && y <= y1 && x >= x0 && x <= x1) dot(new Brush(context, ratio), x, y, 2.2 * k, color);
  }

  // The values of peaks beyond the axis, at its ends; of those close together the farthest.
  drawPeaks(scene, [x0, y0, x1, y1], across, up, samples, lines, k) {
    const {context, colors} = scene, wide = (x1 - x0) / (across[1] - across[0]), taken = [];
    const found = lines.flatMap((color, i) => peaksBeyond(samples, i + 1, across, up).map((peak) => ({...peak, color})));
    found.sort((a, b) => b.far - a.far || a.time - b.time);
    for (const {time, value, color} of found) {
      const above = value > up[1], text = String(Number(value.toPrecision(3))), long = this.notes.width(scene, text, TICKS * k);
      const x = x0 + wide * (time - across[0]), tip = above ? y0 : y1, base = tip + (above ? 5 : -5) * k;
      const left = x + 5 * k + long <= x1 ? x + 5 * k : x - 5 * k - long, ends = [Math.min(left, x - 3 * k), Math.max(left + long, x + 3 * k)];
      if (taken.length === MOST_PEAKS || taken.some(([from, to, high]) => high === above && ends[0] < to && from < ends[1])) continue;
      taken.push([...ends, above]);
      context.fillStyle = color;
      context.beginPath();
      trace(context, [[x, tip], [x - 3 * k, base], [x + 3 * k, base]], true);
      context.fill();
      this.notes.write(scene, text, left, above ? y0 : y1 - 11 * k, colors.paper, TICKS * k, "left", 1.2 * k);
      this.write(scene, text, left, above ? y0 : y1 - 11 * k, TICKS * k, "left");
    }
  }

  write(scene, text, x, top, letters, align) { this.notes.write(scene, text, x, top, scene.colors.ink, letters, align); }

  rule(context, ax, ay, bx, by, color, width) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    context.stroke();
  }
}

// The size of a pixel of a plot, before it is fitted into a picture, and of its side 0 or 1.
const scaleOf = ({size}, unit) => Math.max(unit, LEAST_UNIT) * size / 13;
const sideOf = (look, side, k, unit) => (look.panel[side] === null ? PANEL[side] * k
  : look.panel[side] * Math.max(unit, LEAST_UNIT) * k / scaleOf(look, unit));

function acrossOf(look, given) {
  if (look.phase) return look.rangeAcross ?? spanOf(look, given, [0]);
  const long = look.window ?? 1, {now} = given;
  if (look.ofRun) return [0, Math.max(now, look.end ?? 0) || 1];
  return [Math.max(now - long, 0), Math.max(now, long)];
}

const upwardsOf = (look, given) => (Array.isArray(look.range) ? look.range
  : spanOf(look, given, look.phase ? [1] : Array.from({length: look.lines}, (_, i) => i)));

// The axis of some lines: of what is shown, or of the run as far as it is known, with a little room beyond.
function spanOf(look, given, which) {
  const known = which.flatMap((i) => (look.range === "shown" ? given.samples.map((each) => each[i + 1])
    : look.range === "typical" && look.bounds ? look.bounds[i]
      : [given.least[i], given.most[i], ...(look.bounds?.[i] ?? [])])).filter((each) => each !== null && Number.isFinite(each));
  const least = known.reduce((a, b) => Math.min(a, b), Infinity), most = known.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(least <= most)) return [0, 1];
  const [low, high] = least < most ? movedApart(least, most) : [least, most];
  const spare = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
  return [low - spare, high + (look.range === "typical" && look.bounds ? 5 : 1) * spare];
}

// The ends of an axis of different values, moved apart where they differ by less than noise.
function movedApart(low, high) {
  const least = Math.max(0.02 * Math.max(Math.abs(low), Math.abs(high)), 1e-6), room = 0.5 * Math.max(least - (high - low), 0);
  return [low - room, high + room];
}

// The round numbers of an axis and their labels, as axes.py has them.
function axisMarks(low, high, length, wanted, letters = 0) {
  const scale = length / (high - low);
  let [step, marks] = spacedMarks(low, high, scale, wanted);
  const widest = Math.max(...marks.map((mark) => roundLabel(mark * step).length), 0), beside = LETTER * letters * (widest + 2);
  if (letters && beside > step * scale) [step, marks] = spacedMarks(low, high, scale, beside);
  return marks.map((mark) => [mark * step, roundLabel(mark * step)]);
}

function spacedMarks(low, high, scale, wanted) {
  let step = gridStep(scale, wanted), marks = ticksOf(low, high, step);
  while (marks.length < 2 && wanted > 1) {
    wanted *= 0.5;
    step = gridStep(scale, wanted);
    marks = ticksOf(low, high, step);
  }
  return [step, marks];
}

// Of each stretch of a line beyond the axis, in the shown time, the farthest value.
function peaksBeyond(samples, row, across, [low, high]) {
  const found = [];
  let last = 0;
  for (const sample of samples) {
    const [time] = sample, value = sample[row], side = value > high ? 1 : value < low ? -1 : 0;
    const far = side * (value - (side > 0 ? high : low));
    if (side && time >= across[0] && side === last && far > found.at(-1).far) found[found.length - 1] = {time, value, far};
    else if (side && time >= across[0] && side !== last) found.push({time, value, far});
    last = side && time >= across[0] ? side : 0;
  }
  return found;
}

// A place beyond an end of an axis by less than a line's half width is on that end.
function held(place, low, high, edge) {
  const nearest = clamp(place, low, high);
  return Math.abs(place - nearest) <= edge ? nearest : place;
}

// Sorted places moved so that they are `apart` and, if they fit, not below `end`.
function spreadOut(places, end, apart) {
  const found = [];
  for (const [y, i] of places) found.push([found.length ? Math.max(y, found.at(-1)[0] + apart) : y, i]);
  for (const each of [...found].reverse()) {
    each[0] = Math.min(each[0], end);
    end = each[0] - apart;
  }
  return found;
}

// The data of a plot: of its values at moments the last ones before a time, and
// their bounds since the start. `row(i)` has {time, values, peaks, least, most} of the moment i, where
// peaks are those {time, values} since the moment before that were lower or higher than both.
function plottedOf({window: long, lines: count, first}, row, until) {
  const samples = [], {time: now, least, most} = row(until);
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
