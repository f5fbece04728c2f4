// SPDX-License-Identifier: MIT
// Handles of a joint's limits, axis, lengths, motor and spring.
//
// A handle has {at: its pixels, value: the present one, read(p, value): the value at a place, words(value), message(value):
// the fields of the edit, draw(context, value)}. Values are those of the file; angles are in degrees.

const SECTOR_AT = 56;   // pixels from a hinge to the handles of its limits
const NEEDLE_AT = 78;   // to that of its motor's position
const ARC_AT = 36;      // to that of its motor's speed
const AXIS_AT = 96;     // along an axis
const BESIDE = 18;      // pixels from a rod to the line of its lengths
const COIL = [-44, 44]; // pixels from a joint to the handle of its spring
const DOUBLES = 24;     // pixels of a drag that doubles the stiffness of a spring
const SPEED_SHOWN = 4;  // degrees per second of a motor for each degree of its arc

class JointHandles {
  constructor(editor) { this.editor = editor; }

  get view() { return this.editor.view; }
  get moment() { return this.editor.moment; }
  pixels([x, y]) { return [this.view.x(x), this.view.y(y)]; }
  angleOf(row) { return row < 0 ? 0 : this.moment.pose[3 * row + 2]; }

  // The value of the file at keys of a joint; undefined where it is made by something else, or no number.
  said(joint, ...keys) {
    const path = this.editor.pathOf({kind: "joint", name: joint.name}), {entry, made} = this.editor.entryOf(path);
    const value = made || !entry.startsWith("joints.") ? undefined : keys.reduce((each, key) => each?.[key], this.editor.valueAt(entry));
    return typeof value === "number" ? value : undefined;
  }

  // Degrees of an angle as the file has it.
  get angleUnit() { return this.editor.desk?.tree.units?.angle === "rad" ? DEGREES : 1; }

  of(joint) {
    const ends = [[joint.a, joint.anchorA], [joint.b, joint.anchorB]].map(([body, anchor]) => this.pixels(placed(this.moment, body, ...anchor)));
    const path = this.pathOf(joint, ends[0]);
    return [...this.limits(joint, path), ...this.axis(joint, path), ...this.lengths(joint, ends), ...this.motor(joint, path, ends[0]), ...this.spring(joint, ends)];
  }

  // How a joint moves: along what a value of it is shown. Null for one that neither turns nor slides.
  pathOf(joint, at) {
    const {way, scale} = this.view, turns = joint.kind === "revolute";
    if (!turns && !["prismatic", "wheel", "axial_motor"].includes(joint.kind)) return null;
    if (turns) {
      const middle = this.pixels(placed(this.moment, joint.b, 0, 0)), aside = apartOf(middle, at) > 3;
      const zero = aside ? Math.atan2((middle[1] - at[1]) * way, middle[0] - at[0]) : this.angleOf(joint.b);
      return {turns, at, zero, unit: "°", place: (angle, far = SECTOR_AT) => [at[0] + far * Math.cos(zero + angle / DEGREES), at[1] + far * way * Math.sin(zero + angle / DEGREES)],
        read: ([x, y], near = 0) => near + DEGREES * nearestTurn(Math.atan2((y - at[1]) * way, x - at[0]) - zero - near / DEGREES)};
    }
    const angle = Math.atan2(joint.axis[1], joint.axis[0]) + this.angleOf(joint.a), [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    return {turns, at, angle, unit: ` ${this.editor.source.data.units.length}`, place: (far) => [at[0] + far * dx * scale, at[1] + far * dy * scale * way],
      along: (pixels) => [at[0] + pixels * dx, at[1] + pixels * dy * way], read: ([x, y]) => ((x - at[0]) * dx + (y - at[1]) * way * dy) / scale};
  }

  // To steps of 5 degrees or the grid, unless Alt is held.
  rounded(p, value, turns, step = 5) { return p.alt ? clean(Number(value.toPrecision(4))) : toNearest(value, turns ? step : this.editor.grid.spacing); }

  limitsOf(joint, path) {
    const {facts} = joint;
    if (!path || (facts?.moves !== "turn" && facts?.moves !== "slide")) return null;
    return [facts.low ?? -Infinity, facts.high ?? Infinity].map((each) => each * (path.turns ? DEGREES : 1));
  }

  limits(joint, path) {
    const limits = this.limitsOf(joint, path);
    return [0, 1].filter((end) => limits && Number.isFinite(limits[end])).map((end) => ({
      part: `limit ${end}`, at: path.place(limits[end]), value: limits[end],
      read: (p, before) => {
        const value = this.rounded(p, path.read([p.x, p.y], before), path.turns);
        return end ? Math.max(value, limits[0]) : Math.min(value, limits[1]);
      },
      words: (value) => `${end ? "Highest" : "Lowest"}: ${written(value)}${path.unit}`,
      message: (value) => ({limits: limits.map((each, i) => (i === end ? clean(value) : Number.isFinite(each) ? clean(each) : null))}),
      draw: (context, value, at) => this.editor.marks.dot(context, at, end ? UPPER : LOWER, HANDLE + 1),
      place: path.place,
    }));
  }

  axis(joint, path) {
    if (!path || path.turns || !joint.axis) return [];
    const value = path.angle * DEGREES, {way} = this.view, place = (angle) => [path.at[0] + AXIS_AT * Math.cos(angle / DEGREES), path.at[1] + AXIS_AT * way * Math.sin(angle / DEGREES)];
    return [{part: "axis", at: place(value), value, place,
      read: (p) => { const angle = DEGREES * Math.atan2((p.y - path.at[1]) * way, p.x - path.at[0]); return p.alt ? clean(angle) : toNearest(angle, 15); },
      words: (angle) => `Axis: ${written(angle)}°`,
      message: (angle) => ({axis: [Math.cos(angle / DEGREES), Math.sin(angle / DEGREES)].map((part) => Number(part.toFixed(4)) || 0)}),
      draw: (context, angle, at) => this.editor.marks.arrow(context, path.at, at, HOLD)}];
  }

  // Of a rod or a rope: its length, and the least and the greatest one, on a line beside it.
  lengths(joint, [a, b]) {
    if (joint.kind !== "distance") return [];
    const long = apartOf(a, b), way = long > 1 ? [(b[0] - a[0]) / long, (b[1] - a[1]) / long] : [1, 0], start = [a[0] - BESIDE * way[1], a[1] + BESIDE * way[0]], {scale} = this.view;
    const place = (value) => plus(start, [way[0] * value * scale, way[1] * value * scale]), {length} = this.editor.source.data.units;
    const handle = (key, value, color, said) => ({part: key, at: place(value), value, place,
      read: (p) => Math.max(this.rounded(p, ((p.x - start[0]) * way[0] + (p.y - start[1]) * way[1]) / scale, false), this.editor.grid.pixel),
      words: (now) => `${said}: ${written(now)} ${length}`,
      message: (now) => (key === "length" ? {length: now} : {set: key, value: now}),
      draw: (context, now, at) => { this.editor.marks.line(context, [place(0), at], color, {width: 1.2}); this.editor.marks.dot(context, at, color, HANDLE + 1); }});
    const known = [["min_length", LOWER, "Least length"], ["max_length", UPPER, "Greatest length"], ["length", HOLD, "Length"]].map(([key, color, words]) => [key, this.said(joint, key), color, words]);
    const found = known.filter(([, value]) => value !== undefined);
    if (!found.length) found.push(["length", long / scale, HOLD, "Length"]);
    return found.map(([key, value, color, words]) => handle(key, value, color, words));
  }

  motor(joint, path, at) {
    if (!path) return [];
    const speed = this.said(joint, "motor", "speed"), position = this.said(joint, "motor", "position"), turns = path.turns || joint.kind === "wheel", unit = turns ? this.angleUnit : 1;
    const {marks} = this.editor, {way} = this.view, second = `${turns ? "°" : path.unit}/${this.editor.source.data.units.time ?? "s"}`;
    if (position !== undefined && (path.turns || !turns)) {
      const place = (value) => (path.turns ? path.place(value, NEEDLE_AT) : path.place(value));
      return [{part: "motor", at: place(position * unit), value: position * unit, place, read: (p, before) => this.rounded(p, path.read([p.x, p.y], before), path.turns),
        words: (value) => `The motor goes to ${written(value)}${path.unit}`, message: (value) => ({motor: {position: clean(value / unit)}}),
        draw: (context, value, now) => { marks.line(context, [at, now], MOTOR, {width: 1.6}); marks.dot(context, now, MOTOR, HANDLE + 1); }}];
    }
    if (speed === undefined) return [];
    if (!turns) {
      const place = (value) => path.place(value);
      return [{part: "motor", at: place(speed), value: speed, place, read: (p) => this.rounded(p, path.read([p.x, p.y]), false), words: (value) => `Speed: ${written(value)}${second}`,
        message: (value) => ({motor: {speed: clean(value)}}), draw: (context, value, now) => marks.arrow(context, at, now, MOTOR)}];
    }
    const place = (value) => { const angle = Math.PI / 2 + value / SPEED_SHOWN / DEGREES; return [at[0] + ARC_AT * Math.cos(angle), at[1] + ARC_AT * way * Math.sin(angle)]; };
    return [{part: "motor", at: place(speed * unit), value: speed * unit, place,
      read: (p, before) => {
        const turn = nearestTurn(Math.atan2((p.y - at[1]) * way, p.x - at[0]) - Math.PI / 2 - before / SPEED_SHOWN / DEGREES);
        return this.rounded(p, before + turn * DEGREES * SPEED_SHOWN, true, 15);
      },
      words: (value) => `Speed: ${written(value)}${second}`, message: (value) => ({motor: {speed: clean(value / unit)}}),
      draw: (context, value, now) => { this.arc(context, at, value, place); marks.dot(context, now, MOTOR, HANDLE + 1); }}];
  }

  // The way that a motor turns, as an arc from above the joint; faster ones go round further.
  arc(context, at, value, place) {
    const points = Array.from({length: 33}, (_, i) => place(value * i / 32));
    this.editor.marks.line(context, points, MOTOR, {width: 2});
    const [x, y] = at.map((_, i) => points[32][i] - at[i]), way = Math.sign(value) * this.view.way, head = [[0.78, 0.22], [1.22, 0.22]];
    const wings = head.map(([far, back]) => [at[0] + far * x + way * back * y, at[1] + far * y - way * back * x]);
    if (Math.abs(value) > 1) this.editor.marks.line(context, [wings[0], points[32], wings[1]], MOTOR, {width: 2});
  }

  // A spring is a coil that is pulled for a stiffer one, and pushed for a softer one.
  spring(joint, ends) {
    const found = ["frequency", "stiffness"].map((key) => [key, this.said(joint, "spring", key)]).find(([, value]) => value > 0);
    if (!found) return [];
    const [key, value] = found, middle = [0.5 * (ends[0][0] + ends[1][0]), 0.5 * (ends[0][1] + ends[1][1])], long = Math.hypot(...COIL), way = COIL.map((part) => part / long);
    const place = (now) => plus(middle, way.map((part) => part * Math.max(14, long + DOUBLES * Math.log2(now / value))));
    return [{part: "spring", at: place(value), value, place,
      read: (p) => Number((value * 2 ** (((p.x - middle[0]) * way[0] + (p.y - middle[1]) * way[1] - long) / DOUBLES)).toPrecision(p.alt ? 4 : 2)),
      words: (now) => `Spring: ${key} ${written(now)}`, message: (now) => ({spring: {[key]: now}}),
      draw: (context, now, at) => this.coil(context, middle, at)}];
  }

  coil(context, from, to) {
    const along = minus(to, from), points = Array.from({length: 15}, (_, i) => {
      const side = i < 2 || i > 12 ? 0 : i % 2 ? 0.09 : -0.09, part = i / 14;
      return [from[0] + part * along[0] - side * along[1], from[1] + part * along[1] + side * along[0]];
    });
    this.editor.marks.line(context, points, REACHES, {width: 2});
    this.editor.marks.dot(context, to, REACHES, HANDLE + 1);
  }

  // All of a joint; that which is held has its new value.
  draw(context, joint, act) {
    const {marks} = this.editor, held = (handle) => (act?.part === handle.part && act.now !== undefined ? act.now : handle.value);
    const handles = this.of(joint), path = this.pathOf(joint, this.pixels(placed(this.moment, joint.a, ...joint.anchorA))), limits = this.limitsOf(joint, path);
    if (limits) this.sector(context, path, limits.map((each, end) => { const handle = handles.find(({part}) => part === `limit ${end}`); return handle ? held(handle) : each; }));
    for (const handle of handles) {
      const value = held(handle), at = value === handle.value ? handle.at : handle.place(value);
      handle.draw(context, value, at);
      if (act?.part === handle.part) marks.label(context, handle.words(value), [at[0] + 10, at[1] - 8], HOLD);
    }
  }

  sector(context, path, limits) {
    const {view} = this, {marks} = this.editor, whole = limits.map((each, i) => (Number.isFinite(each) ? each : (i ? 1 : -1) * (path.turns ? 180 : 200 / view.scale)));
    if (!path.turns) return marks.line(context, whole.map(path.place), REACHES, {width: 4});
    const angle = (value) => view.way * (path.zero + value / DEGREES);
    context.beginPath();
    context.moveTo(...path.at);
    context.arc(...path.at, SECTOR_AT, angle(whole[0]), angle(whole[1]), view.way < 0);
    context.closePath();
    context.globalAlpha = 0.35;
    context.fillStyle = REACHES;
    context.fill();
    context.globalAlpha = 1;
    limits.forEach((limit, i) => { if (Number.isFinite(limit)) marks.line(context, [path.at, path.place(limit)], i ? UPPER : LOWER); });
  }
}

// An angle without whole turns, from -pi to pi.
const nearestTurn = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));
