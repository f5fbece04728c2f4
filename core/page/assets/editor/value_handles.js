// SPDX-License-Identifier: MIT
// Handles of actuators, and of the boxes and places of the camera, the minimap and the layers. They are as those of
// joint_handles.js; `path` is what they set.

// The force of an arrow of a length in pixels on a body, in the scene's units, and back.
function weightOf({mass, weight}) { return Math.hypot(...(weight ?? [0, 0])) || (mass ?? 1) * 9.81; }

const PUSH = 0.2;        // seconds in which an impulse is as much as the force of its arrow
const TURNS_AT = 30;     // pixels from a body's origin to the arc of what turns it

// The unit of a push: of a force, or of an impulse.
const unitOfPush = ({of, time}, kind) => `${of.force ?? ""}${kind === "impulse" && of.force ? `·${time ?? "s"}` : ""}`;

class ActuatorHandles {
  constructor(editor) { this.editor = editor; }

  get moment() { return this.editor.moment; }
  pixels([x, y]) { return [this.editor.view.x(x), this.editor.view.y(y)]; }

  // The arrow of an actuator on its first body: {from, to: pixels, ...}; null for one without.
  arrowOf({kind, force, direction, bodies, at, visible}) {
    const [row] = bodies, {data} = this.editor.source, brakes = kind === "axial_friction", arrow = brakes ? direction : force, perForce = kind === "impulse" ? 1 / PUSH : 1;
    if (visible === false || row === undefined || !isThere(this.moment, row) || !(Math.hypot(...arrow) > 0) || !["thruster", "force", "impulse", "axial_friction"].includes(kind)) return null;
    const angle = kind === "thruster" || brakes ? this.moment.pose[3 * row + 2] : 0, per = brakes ? WEIGHT_AT : perForce * WEIGHT_AT / weightOf(data.bodies[row]), {way} = this.editor.view;
    const from = this.pixels(placed(this.moment, row, ...(at ?? [0, 0]))), [fx, fy] = turned(arrow, angle);
    return {row, angle, per, brakes, from, to: [from[0] + fx * per, from[1] + fy * per * way]};
  }

  // The arc of a motor or a torque round the origin of its body, from above it on, where the file says it in a number.
  turnOf({name, kind, bodies: [row]}) {
    const {editor} = this, key = {rotary_motor: "speed", torque: "torque"}[kind], path = editor.pathOf({kind: "actuator", name}), value = key && editor.valueAt(`${editor.entryOf(path).entry}.${key}`);
    if (!Number.isFinite(value) || row === undefined || !isThere(this.moment, row)) return null;
    const joints = editor.tools.get("select").joints, {way} = editor.view, at = this.pixels(placed(this.moment, row, 0, 0));
    const per = key === "speed" ? joints.angleUnit / SPEED_SHOWN : 45 / this.turning(row);  // degrees of the arc
    const place = (now) => { const angle = Math.PI / 2 + now * per / DEGREES; return [at[0] + TURNS_AT * Math.cos(angle), at[1] + TURNS_AT * way * Math.sin(angle)]; };
    return {row, key, path, value, per, at, place, draw: (context, now) => joints.arc(context, at, now * per, (degrees) => place(degrees / per))};
  }

  // The torque that holds a body level at its side.
  turning(row) {
    const [x0, y0, x1, y1] = ownBox(this.editor.source.sketch, this.editor.view, row);
    return Number((0.25 * weightOf(this.editor.source.data.bodies[row]) * Math.hypot(x1 - x0, y1 - y0)).toPrecision(2)) || 1;
  }

  ofTurn({key, path, value, per, at, place, draw}) {
    const {editor} = this, {way} = editor.view, {of, length, time} = editor.source.data.units, {marks} = editor;
    const read = (p, before) => {
      const turn = nearestTurn(Math.atan2((p.y - at[1]) * way, p.x - at[0]) - Math.PI / 2 - before * per / DEGREES), now = before + turn * DEGREES / per;
      return key === "speed" && !p.alt ? toNearest(now, 15 / editor.tools.get("select").joints.angleUnit) : Number(now.toPrecision(p.alt ? 4 : 2));
    };
    return [{part: key, path: `${path}.${key}`, at: place(value), value, place, read, words: (now) => (key === "speed" ? `Speed: ${written(now)}${editor.tools.get("select").joints.angleUnit === 1 ? "°" : " rad"}/${time ?? "s"}` : `Torque: ${written(now)} ${of.force ?? ""}·${length}`),
      draw: (context, now, pixels) => { draw(context, now); marks.dot(context, pixels, MOTOR, HANDLE + 1); }}];
  }

  // The actuator whose arrow or arc is at a place.
  at({x, y}) {
    const {editor} = this, {bodies, actuators} = editor.source.data;
    const found = actuators.find((each) => {
      const arrow = this.arrowOf(each), turn = arrow ? null : this.turnOf(each), line = arrow ? [arrow.from, arrow.to] : turn && Array.from({length: 17}, (_, i) => turn.place(turn.value * i / 16));
      return line && editor.isFree(bodies[(arrow ?? turn).row].name) && (!editor.inside || editor.inside.holds(each.name)) && distance(line, x, y) < 6;
    });
    return found ? {kind: "actuator", name: found.name} : null;
  }

  of(name) {
    const {editor} = this, actuator = editor.source.data.actuators.find((each) => each.name === name), arrow = actuator && this.arrowOf(actuator), turn = actuator && !arrow && this.turnOf(actuator);
    if (turn) return this.ofTurn(turn);
    if (!arrow) return [];
    const path = editor.pathOf({kind: "actuator", name}), {marks, source, view} = editor, {row, angle, per, from, brakes} = arrow, {length} = source.data.units;
    const field = actuator.kind === "impulse" ? "impulse" : "force", unit = unitOfPush(source.data.units, actuator.kind);
    const tip = (force, base = from) => { const [fx, fy] = turned(force, angle); return [base[0] + fx * per, base[1] + fy * per * view.way]; };
    const aims = (p) => {  // a direction of length 1, in steps of 15 degrees in the body
      const [x, y] = turned([p.x - from[0], (p.y - from[1]) * view.way], -angle), turn = Math.atan2(y, x) * DEGREES, now = (p.alt ? turn : toNearest(turn, 15)) / DEGREES;
      return [Math.cos(now), Math.sin(now)].map((part) => Number(part.toFixed(4)) || 0);
    };
    return [
      brakes ? {part: "direction", path: `${path}.direction`, at: arrow.to, value: actuator.direction, place: tip, read: aims,
        words: ([x, y]) => `Brakes along ${written(Math.atan2(y, x) * DEGREES)}° of its body`, draw: (context, value, at) => { marks.arrow(context, from, at, LOWER); marks.dot(context, at, LOWER, HANDLE); }}
        : {part: "force", path: `${path}.${field}`, at: arrow.to, value: actuator.force, place: tip,
        read: (p) => evenly(turned([(p.x - from[0]) / per, (p.y - from[1]) * view.way / per], -angle), p.alt ? 4 : 2),
        words: (force) => `${written(Math.hypot(...force))} ${unit}`, draw: (context, force, at) => { marks.arrow(context, from, at, LOWER); marks.dot(context, at, LOWER, HANDLE); }},
      {part: "at", path: `${path}.at`, at: from, value: actuator.at ?? [0, 0], place: (at) => this.pixels(placed(this.moment, row, ...at)),
        read: (p) => inBody(this.moment, row, p.at).map((part) => toNearest(part, editor.grid.pixel)), words: ([x, y]) => `Acts at ${written(x)}, ${written(y)} ${length} of its body`,
        draw: (context, value, at) => marks.dot(context, at, UPPER, HANDLE)},
    ];
  }

  // Arrows and arcs of all of them, so that they are seen where they can be clicked.
  draw(context) {
    for (const each of this.editor.source.data.actuators.slice(0, 200)) {
      if (this.editor.inside && !this.editor.inside.holds(each.name)) continue;
      const arrow = this.arrowOf(each);
      if (arrow) this.editor.marks.arrow(context, arrow.from, arrow.to, GUIDE); else this.turnOf(each)?.draw(context, this.turnOf(each).value);
    }
  }
}

// The boxes and places of the block that is chosen beside the picture.
class FrameHandles {
  constructor(editor) { this.editor = editor; }

  pixels([x, y]) { return [this.editor.view.x(x), this.editor.view.y(y)]; }

  // [path, box or place, color, label] of the chosen block, as far as the file says them in numbers.
  shown() {
    const {editor} = this, {blocks, desk} = editor, tree = desk?.tree ?? {}, {camera = {}, minimap = {}, layers = []} = tree;
    if (editor.panels?.chosen !== "blocks" || editor.inside) return [];
    const isPlace = (place) => Array.isArray(place) && place.length === 2 && place.every(Number.isFinite), isBox = (box) => Array.isArray(box) && box.length === 2 && box.every(isPlace);
    const boxes = {camera: [["camera.bounds", camera?.bounds, "#808080", "bounds"], ["camera.rect", camera?.rect, LOWER, "camera"]], minimap: [["minimap.rect", minimap?.rect, UPPER, "minimap"]]}[blocks.chosen] ?? [];
    const places = blocks.chosen === "layers" && Array.isArray(layers) ? layers.map((layer, i) => [`layers[${i}].at`, layer?.at ?? (layer ? [0, 0] : null), UPPER, `${i + 1}: ${String(layer?.image ?? "").split("/").at(-1)}`]) : [];
    return [...boxes.filter(([, box]) => isBox(box)), ...places.filter(([, place]) => isPlace(place))];
  }

  of() { return [...this.ofTraced(), ...this.ofBlocks()]; }

  // The picture to trace, which keeps its proportions.
  ofTraced() {
    const {traced} = this.editor.files;
    if (!traced) return [];
    const [[x0, y0], [x1, y1]] = traced.box, long = Math.hypot(x1 - x0, y1 - y0);
    const put = (box) => { traced.box = box; }, middle = (box) => [0.5 * (box[0][0] + box[1][0]), 0.5 * (box[0][1] + box[1][1])];
    const common = {path: "picture", value: traced.box, put, words: ([a, b]) => `${written(Math.abs(b[0] - a[0]))} by ${written(Math.abs(b[1] - a[1]))}`, draw: (context, now, at) => { put(now); this.editor.marks.dot(context, at, PIVOT, HANDLE + 1); }};
    return [{...common, part: "picture corner", at: this.pixels([x1, y1]), place: (box) => this.pixels(box[1]),
      read: (p) => { const grown = Math.max(0.02, Math.hypot(p.raw[0] - x0, p.raw[1] - y0) / long); return [[x0, y0], [x0 + grown * (x1 - x0), y0 + grown * (y1 - y0)]]; }},
    {...common, part: "picture middle", at: this.pixels(middle(traced.box)), place: (box) => this.pixels(middle(box)),
      read: (p) => { const by = minus(p.at, middle([[x0, y0], [x1, y1]])); return [plus([x0, y0], by), plus([x1, y1], by)]; }}];
  }

  ofBlocks() { return this.shown().flatMap(([path, value, color, label]) => (Array.isArray(value[0]) ? this.ofBox(path, value, color, label) : [this.ofPlace(path, value, color, label)])); }

  ofPlace(path, value, color, label) {
    const {marks} = this.editor;
    return {part: path, path, at: this.pixels(value), value, place: (place) => this.pixels(place), read: (p) => p.at.map(clean), words: ([x, y]) => `${label} at ${written(x)}, ${written(y)}`,
      draw: (context, place, at) => { marks.dot(context, at, color, HANDLE + 1); marks.label(context, label, [at[0] + 10, at[1] - 8], color); }};
  }

  // A corner sizes a box, the middle moves it.
  ofBox(path, box, color, label) {
    const {marks} = this.editor, sorted = (all) => [0, 1].map((end) => [0, 1].map((axis) => clean(Math[end ? "max" : "min"](all[0][axis], all[1][axis]))));
    const draw = (context, now) => {
      const corners = cornersOf([...now[0], ...now[1]]).map((corner) => this.pixels(corner));
      marks.line(context, corners, color, {closed: true, dash: [8, 5]});
      marks.label(context, label, [corners[3][0] + 6, corners[3][1] - 6], color);
    };
    const handle = (part, at, read, first) => ({part: `${path} ${part}`, path, at: this.pixels(at(box)), value: box, place: (now) => this.pixels(at(now)), read: (p) => sorted(read(p)),
      words: ([a, b]) => `${label}: ${written(b[0] - a[0])} by ${written(b[1] - a[1])}`, draw: (context, now, pixels) => { if (first || now !== box) draw(context, now); marks.dot(context, pixels, color, HANDLE + 1, part !== "middle"); }});
    const corners = [[0, 0], [1, 0], [1, 1], [0, 1]], middle = (now) => [0, 1].map((axis) => 0.5 * (now[0][axis] + now[1][axis]));
    return [...corners.map(([i, k], number) => handle(`corner ${number}`, (now) => [now[i][0], now[k][1]], (p) => [p.at, [box[1 - i][0], box[1 - k][1]]], !number)),
      handle("middle", middle, (p) => { const by = minus(p.at, middle(box)); return box.map((corner) => plus(corner, by)); }, false)];
  }
}
