// SPDX-License-Identifier: MIT
// Places of labels: what arrows and dimensions say, and the names of bodies and joints. Each is beside
// what it names, where it covers the least: other labels least of all, then arrows and rods, then bodies.
// It stays there from picture to picture until another place is clearly better for a while, slides there
// then, round others. Numbers are those of label_places.py, label_motion.py and labels.py of core/render/marks.

const LABEL_GAP = 3, LABEL_HEAD = 3, LABEL_FAR = [22, 44], LABEL_MARGIN = 2, LABEL_EDGE = 2, APART = 3, LEAST_APART = 2;
const ON_LABELS = 12, ON_ARROWS = 1.6, ON_BODIES = 0.5, RANK = 0.6, LINE_COST = 0.5, OUTSIDE = 1, KEPT_COST = 0.7;
const ROUND = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];
const PATIENCE = 0.35, SLIDE = 0.08, QUICK = 500, ABSENCE = 1, LONGEST_GAP = 0.5, TOUCH = 1e-6, MOST_NEAR = 8;
const NAME_FAR = [5, 16, 32], NAME_ROOM = 0.4, MOST_COVERED = 0.35, MOST_NAMES = 200, MOST_OBSTACLES = 1000, MOST_RODS = 200;
const NAME_INNER = [[-0.25, 0], [0.25, 0], [0, 0.25], [0, -0.25]], NAME_LARGE = 2.5, SHORT_ARROW = 12, ON_POINTS = 24;

const drawnArrows = [];  // [start, tip] of those of the picture that is being drawn; drawArrow adds them

const areaOf = ([x0, y0, x1, y1]) => Math.max((x1 - x0) * (y1 - y0), 1);
const around = ([x, y], [wide, high]) => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
const inflated = ([x0, y0, x1, y1], far) => [x0 - far, y0 - far, x1 + far, y1 + far];

// The area that two boxes have in common.
function common(a, b) {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0]), high = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return wide > 0 && high > 0 ? wide * high : 0;
}

// The middle of a box of this half size that touches the origin, in a direction.
function beside([x, y], [wide, high]) {
  const far = Math.min(Math.abs(x) > 1e-9 ? wide / Math.abs(x) : Infinity, Math.abs(y) > 1e-9 ? high / Math.abs(y) : Infinity);
  return Number.isFinite(far) ? [x * far, y * far] : [0, 0];
}

// The shortest way by which a box leaves others; of ways about as short, the one that is like that before.
function makeWay(box, others, before) {
  const lies = ([x0, y0, x1, y1], [x, y]) => others.some((each) => each[0] < x1 + x - TOUCH && x0 + x + TOUCH < each[2] && each[1] < y1 + y - TOUCH && y0 + y + TOUCH < each[3]);
  if (!lies(box, [0, 0])) return [0, 0];
  const [x0, y0, x1, y1] = box, wide = x1 - x0, high = y1 - y0, wider = [x0 - wide, y0 - high, x1 + wide, y1 + high];
  const near = others.filter((each) => common(wider, each) > 0).slice(0, MOST_NEAR);
  const xs = [0, ...near.flatMap((each) => [each[0] - x1, each[2] - x0])], ys = [0, ...near.flatMap((each) => [each[1] - y1, each[3] - y0])];
  let best = [0, 0], least = Infinity;
  for (const y of ys) {
    for (const x of xs) {
      const long = Math.abs(x) + Math.abs(y) + 0.5 * (Math.abs(x - before[0]) + Math.abs(y - before[1]));
      if (long < least && !lies(box, [x, y])) [best, least] = [[x, y], long];
    }
  }
  return best;
}

// Keeps labels at their places from picture to picture. Times are those of whoever looks on.
class LabelMotion {
  constructor() { Object.assign(this, {kept: new Map(), left: new Map(), time: 0, moment: 0, wall: 0}); }

  begin(moment, second, unit) {
    const wall = performance.now() / 1000, passed = (moment - this.moment) / second;
    if (!(passed >= 0 && passed <= LONGEST_GAP)) [this.kept, this.left] = [new Map(), new Map()];
    this.time += Math.min(wall - this.wall, 0.1);
    Object.assign(this, {moment, wall, unit});
    for (const [key, {time}] of this.kept) if (this.time - time > LONGEST_GAP) this.kept.delete(key);
    for (const [key, since] of this.left) if (this.time - since > ABSENCE) this.left.delete(key);
  }

  // A label without a place is tried again after a while, not all at once.
  leave(key) {
    this.kept.delete(key);
    if (!this.left.has(key)) this.left.set(key, this.time - ABSENCE * (this.left.size % 16) / 32);
  }

  // Whether a label is to leave its place, which is now worse than another.
  isDue(key, isWorse) {
    const kept = this.kept.get(key), passed = this.time - kept.time;
    kept.worse = Math.max(kept.worse + (isWorse ? passed : -passed), 0);
    return isWorse && kept.worse > PATIENCE;
  }

  // Returns the place of a label that moves to `shift` from its target, where it covers `box`.
  move(key, number, shift, box, shown) {
    let kept = this.kept.get(key);
    const far = APART * this.unit, way = makeWay(box, shown.map((each) => inflated(each, far)), kept?.way ?? [0, 0]);
    const goal = [shift[0] + way[0], shift[1] + way[1]];
    if (!kept) this.kept.set(key, kept = {number, time: this.time, place: shift, shift: goal, worse: 0, aside: [0, 0]});
    const passed = this.time - kept.time, dx = shift[0] - kept.place[0], dy = shift[1] - kept.place[1];
    if (kept.number !== number) Object.assign(kept, {number, worse: 0});
    else if (Math.max(Math.abs(dx), Math.abs(dy)) <= QUICK * this.unit * passed) kept.shift = [kept.shift[0] + dx, kept.shift[1] + dy];
    const part = passed > 0 ? passed / (passed + SLIDE) : 0;
    kept.shift = kept.shift.map((each, k) => each + part * (goal[k] - each));
    const [right, down] = [kept.shift[0] - shift[0], kept.shift[1] - shift[1]];
    kept.aside = makeWay([box[0] + right, box[1] + down, box[2] + right, box[3] + down], shown.map((each) => inflated(each, LEAST_APART * this.unit)), kept.aside);
    Object.assign(kept, {time: this.time, place: shift, way});
    return [kept.shift[0] + kept.aside[0], kept.shift[1] + kept.aside[1]];
  }
}

// The labels of one picture. Each has a key, its size, the anchor that it names, the base of that, which
// moves steadily, places: [[right, down], needs a line, its box is inside of a body], and draw(box, led).
// Names (`isName`) without a good place are left out.
class Labels {
  constructor(source) {
    this.source = source;
    this.motion = new LabelMotion();
    this.extents = new Map();
  }

  // Places and draws labels, in their order, outside of the boxes `taken`.
  draw(scene, labels, taken) {
    const {moment, size, view: {unit}} = scene, {motion} = this;
    motion.begin(moment.time, this.source.data.units.second, unit);
    const points = this.points(scene), bodies = this.boxes(scene), boxes = new Map(), shown = [...taken], edge = [LABEL_EDGE * unit, size];
    for (const label of labels) {
      const found = new Array(label.places.length);
      label.candidate = (k) => (found[k] ??= this.candidate(label, label.places[k], k, edge));
      const kept = motion.kept.get(label.key);
      if (kept && kept.number < found.length) boxes.set(label.key, label.candidate(kept.number).box);
      else motion.kept.delete(label.key);
    }
    let written = 0;
    for (const label of labels) {
      boxes.delete(label.key);
      const number = this.choose(label, [...taken, ...boxes.values()], points, bodies, unit);
      if (number === null || (label.isName && written === MOST_NAMES)) {
        motion.leave(label.key);
        continue;
      }
      const {shift, led, box} = label.candidate(number), away = [label.anchor[0] - label.base[0], label.anchor[1] - label.base[1]];
      boxes.set(label.key, box);
      const [x, y] = motion.move(label.key, number, [shift[0] + away[0], shift[1] + away[1]], box, shown);
      const now = this.inside(label, [x - away[0], y - away[1]], edge).box;
      shown.push(now);
      if (label.isName) written += 1;
      label.draw(now, led);
    }
  }

  // A place brought into the picture, its cost of its own, and how far it was outside.
  candidate(label, [shift, led, isOn], number, edge) {
    const placed = this.inside(label, shift, edge), cost = RANK * number / label.places.length + LINE_COST * (led ? 1 : 0) + OUTSIDE * placed.moved / label.size[1];
    return {...placed, led, isOn, cost: label.isName && placed.moved > 0 && !isOn ? Infinity : cost};
  }

  inside(label, [x, y], [edge, [width, height]]) {
    const box = around([label.anchor[0] + x, label.anchor[1] + y], label.size);
    let dx = Math.max(edge - box[0], 0) || Math.min(width - edge - box[2], 0);
    const dy = Math.max(edge - box[1], 0) || Math.min(height - edge - box[3], 0);
    if (box[2] - box[0] > width - 2 * edge) dx = (width - box[0] - box[2]) / 2;
    if (label.isSeen === false || !(dx || dy)) return {shift: [x, y], box, moved: 0};
    return {shift: [x + dx, y + dy], box: [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy], moved: Math.hypot(dx, dy)};
  }

  // The number of a label's place; null for a name without one.
  choose(label, boxes, points, bodies, unit) {
    const {motion} = this, last = motion.kept.get(label.key)?.number ?? null;
    if (last === null && label.isName && motion.left.has(label.key)) return null;
    const near = (reach) => ({
      boxes: boxes.filter((each) => common(each, reach) > 0), bodies: bodies.filter(({box}) => common(box, reach) > 0),
      points: points.filter(([x, y]) => x > reach[0] && x < reach[2] && y > reach[1] && y < reach[3]),
    });
    const margin = (LABEL_MARGIN + APART) * unit, costOf = (place, far, others) => place.cost + this.cost(label, place, inflated(place.box, far), others, unit);
    let least = Infinity, best = null, keptCost = 0;
    if (last !== null) {
      const kept = label.candidate(last);
      keptCost = costOf(kept, label.isName ? 0 : APART * unit, near(inflated(kept.box, margin)));
      if (label.isName && keptCost < KEPT_COST) {
        motion.isDue(label.key, false);
        return last;
      }
    }
    const places = label.places.map((_, k) => label.candidate(k));
    const reach = places.reduce((all, {box}) => [Math.min(all[0], box[0]), Math.min(all[1], box[1]), Math.max(all[2], box[2]), Math.max(all[3], box[3])], [Infinity, Infinity, -Infinity, -Infinity]);
    const others = near(inflated(reach, margin));
    places.forEach((place, k) => {
      const cost = place.cost < least ? costOf(place, 0, others) : Infinity;
      if (cost < least) [least, best] = [cost, k];
    });
    if (last === null) return best ?? (label.isName ? null : 0);
    const isWorse = best === null || keptCost - (label.isName ? KEPT_COST / 2 : KEPT_COST) > least;
    return motion.isDue(label.key, isWorse) ? best : last;
  }

  // Returns the cost of the area that a label covers; of other labels, by the box `room` around it.
  cost(label, {box, isOn}, room, {boxes, bodies, points}, unit) {
    const area = areaOf(box), margin = LABEL_MARGIN * unit;
    let cost = 0, over = 0, covered = 0;
    for (const each of boxes) {
      const shared = common(room, each);
      if (shared > 0) cost += label.isName ? Infinity : ON_LABELS * (0.1 + shared / area);
    }
    if (cost === Infinity) return cost;
    const hits = points.reduce((sum, [x, y]) => sum + (x > box[0] - margin && x < box[2] + margin && y > box[1] - margin && y < box[3] + margin ? 1 : 0), 0);
    cost += ON_ARROWS * Math.min(hits / 4, 1);
    for (const each of bodies) {
      if (isOn && each.row === label.body) continue;
      const shared = common(box, each.box);
      over += shared;
      covered += shared / areaOf(each.box);
    }
    if (label.isName && !isOn && covered > MOST_COVERED) return Infinity;
    return cost + ON_BODIES * Math.min(over / area, 1) + (label.isName ? covered : 0);
  }

  // Points on arrows, and on rods, ropes and springs, some pixels apart.
  points({moment, view}) {
    const {joints} = this.source.data, lines = drawnArrows.filter(([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]) >= SHORT_ARROW * view.unit);
    const rods = joints.length > 4 * MOST_RODS ? [] : joints.flatMap((joint, j) => {
      if (!["distance", "custom"].includes(joint.kind) || !moment.whole[j] || !isThere(moment, joint.a) || !isThere(moment, joint.b)) return [];
      return [[[joint.a, joint.anchorA], [joint.b, joint.anchorB]].map(([body, anchor]) => placed(moment, body, ...anchor)).map(([x, y]) => [view.x(x), view.y(y)])];
    });
    const all = [...(lines.length > MOST_RODS ? [] : lines), ...(rods.length > MOST_RODS ? [] : rods)];
    return all.flatMap(([[ax, ay], [bx, by]]) => Array.from({length: ON_POINTS + 1}, (_, k) => [ax + (bx - ax) * k / ON_POINTS, ay + (by - ay) * k / ON_POINTS]));
  }

  // The boxes of all bodies in the picture, unless they are many.
  boxes(scene) {
    const found = [], {moment, size} = scene;
    for (let row = 0; row < this.source.data.bodies.length; row++) {
      if (!isSeen(moment, row)) continue;
      const box = this.boxOf(scene, row);
      if (box && box[0] <= size[0] && box[2] >= 0 && box[1] <= size[1] && box[3] >= 0) found.push({row, box});
      if (found.length > MOST_OBSTACLES) return [];
    }
    return found;
  }

  // The box round a body in pixels; null for one without an outline.
  boxOf({moment, view}, row) {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const {local, radius} of this.extent(row)) {
      for (let k = 0; k < local.length; k += 2) {
        const [sx, sy] = placed(moment, row, local[k], local[k + 1]), x = view.x(sx), y = view.y(sy), far = this.source.sketch.size(radius, view);
        [box[0], box[1], box[2], box[3]] = [Math.min(box[0], x - far), Math.min(box[1], y - far), Math.max(box[2], x + far), Math.max(box[3], y + far)];
      }
    }
    return box[0] <= box[2] ? box : null;
  }

  // The outlines of a body, in its coordinates.
  extent(row) {
    const {sketch} = this.source;
    if (this.sketch !== sketch) {
      this.sketch = sketch;
      this.extents = new Map();
      for (const item of sketch.items) {
        if (item.joint >= 0 || item.body < 0 || !item.single || !["polygon", "circle", "path", "loop"].includes(item.kind)) continue;
        if (!this.extents.has(item.body)) this.extents.set(item.body, []);
        this.extents.get(item.body).push(item);
      }
    }
    return this.extents.get(row) ?? [];
  }

  // ---------------------------------------------------------------- names

  // The label of a body's name, with its places: on the body, if it has room, or beside it.
  nameOf(scene, row, text, look) {
    const {moment, view} = scene, [x, y] = centerOf(this.source, moment, row), anchor = [view.x(x), view.y(y)];
    if (!this.isIn(scene, anchor)) return null;
    const box = this.boxOf(scene, row) ?? around(anchor, [4 * view.unit, 4 * view.unit]);
    const label = this.nameAt(scene, `body ${text}`, text, anchor, box, look), {size} = label;
    const isInside = anchor[0] >= box[0] && anchor[0] <= box[2] && anchor[1] >= box[1] && anchor[1] <= box[3];
    if (isInside && common(around(anchor, size), box) / areaOf(box) <= NAME_ROOM) {
      const inner = box[2] - box[0] >= NAME_LARGE * size[0] || box[3] - box[1] >= NAME_LARGE * size[1] ? this.innerPlaces(scene, row, box, anchor, size) : [];
      label.places.unshift([[0, 0], false, true], ...inner);
    }
    const rings = () => this.rings(scene, row);
    label.body = row;
    label.draw = (now, led) => {
      if (led) this.point(scene, now, nearestOn(rings(), now), look.color);
      this.write(scene, text, now, look);
    };
    return label;
  }

  // That of a joint.
  jointName(scene, text, anchor, look) {
    const {unit} = scene.view, label = this.nameAt(scene, `joint ${text}`, text, anchor, around(anchor, [4 * unit, 4 * unit]), look);
    label.places.forEach((place, k) => { place[1] = k >= ROUND.length; });
    label.draw = (now, led) => {
      if (led) this.point(scene, now, anchor, look.color);
      this.write(scene, text, now, look);
    };
    return label;
  }

  isIn({size}, [x, y]) { return x >= 0 && x <= size[0] && y >= 0 && y <= size[1]; }

  nameAt({context, view: {unit}}, key, text, anchor, box, {letters, family}) {
    const size = [this.widthOf(context, text, letters, family) + 0.8 * letters, 1.4 * letters], middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const places = NAME_FAR.flatMap((far) => ROUND.map((way) => {
      const gap = far * unit * (way[0] && way[1] ? 0.7 : 1);
      return [[0, 1].map((k) => middle[k] - anchor[k] + way[k] * ((box[k + 2] - box[k]) / 2 + gap + size[k] / 2)), true, false];
    }));
    return {key, size, anchor, base: anchor, places, isName: true};
  }

  // The width of a text, which is measured once.
  widthOf(context, text, letters, family) {
    const font = fontOf(letters, family), isNew = font !== this.font || this.loaded !== document.fonts.size;
    if (isNew) Object.assign(this, {font, loaded: document.fonts.size, widths: new Map()});
    if (!this.widths.has(text)) {
      context.font = font;
      this.widths.set(text, context.measureText(text).width);
    }
    return this.widths.get(text);
  }

  // Other places on a large body, which a polygon of it holds whole.
  innerPlaces(scene, row, box, anchor, size) {
    const rings = this.rings(scene, row).filter(({kind}) => kind === "polygon");
    return NAME_INNER.flatMap(([right, down]) => {
      const middle = [(0.5 + right) * box[2] + (0.5 - right) * box[0], (0.5 + down) * box[3] + (0.5 - down) * box[1]], [x0, y0, x1, y1] = around(middle, size);
      const isWhole = rings.some(({points}) => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].every(([x, y]) => isInside(points, x, y)));
      return isWhole ? [[[middle[0] - anchor[0], middle[1] - anchor[1]], false, true]] : [];
    });
  }

  // The outlines of a body in pixels.
  rings({moment, view}, row) {
    return this.extent(row).map(({kind, local, radius}) => ({
      kind, radius: this.source.sketch.size(radius, view),
      points: pairs(local).map(([x, y]) => placed(moment, row, x, y)).map(([x, y]) => [view.x(x), view.y(y)]),
    }));
  }

  // A thin line from a label to what it names.
  point({context, ratio, view}, box, end, color) {
    if (!end) return;
    new Brush(context, ratio).strokeWith(faded(color, 0.6), 0.9 * view.unit);
    context.beginPath();
    trace(context, [[clamp(end[0], box[0], box[2]), clamp(end[1], box[1], box[3])], end], false);
    context.stroke();
  }

  // A name with a pale rim, to be read on any colour.
  write({context, colors}, text, [x0, y0, x1, y1], {letters, family, color}) {
    context.font = fontOf(letters, family);
    Object.assign(context, {textAlign: "center", textBaseline: "middle", lineJoin: "round", strokeStyle: colors.paper, lineWidth: Math.max(0.24 * letters, 2), fillStyle: color});
    context.strokeText(text, (x0 + x1) / 2, (y0 + y1) / 2);
    context.fillText(text, (x0 + x1) / 2, (y0 + y1) / 2);
  }
}

// The point of outlines that is nearest to a box.
function nearestOn(rings, box) {
  let best = null, least = Infinity;
  const px = (box[0] + box[2]) / 2, py = (box[1] + box[3]) / 2;
  for (const {kind, points, radius} of rings) {
    points.forEach(([bx, by], i) => {
      if (i === 0 && kind === "path" && points.length > 1) return;
      const [ax, ay] = points[(i || points.length) - 1], square = (bx - ax) ** 2 + (by - ay) ** 2;
      const t = square > 0 ? clamp(((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / square, 0, 1) : 0;
      const x = ax + t * (bx - ax), y = ay + t * (by - ay), away = Math.hypot(px - x, py - y), part = away > 0 ? Math.min(radius / away, 1) : 0;
      if (away - radius < least) [best, least] = [[x + part * (px - x), y + part * (py - y)], away - radius];
    });
  }
  return best;
}

// The possible places of the label of an annotation: of the `tip` of an arrow, of a `line`, `above` a
// point or `on` it; `along` is the direction of the arrow or the line.
function labelPlaces(way, [ux, uy], [wide, high], unit) {
  const gap = LABEL_GAP * unit, half = [wide / 2 + gap, high / 2 + gap], head = half.map((each) => each + LABEL_HEAD * unit), d = Math.SQRT1_2, found = [];
  if (way === "on" || way === "line") found.push([[0, 0], false]);
  if (way === "on") return found;
  if (way === "tip") {
    found.push([beside([ux, uy], half), false]);
    for (const each of [[d * (ux - uy), d * (ux + uy)], [d * (ux + uy), d * (uy - ux)], [-uy, ux], [uy, -ux]]) found.push([beside(each, head), false]);
  } else if (way === "line") {
    for (const each of [[-uy, ux], [uy, -ux], [ux, uy], [-ux, -uy]]) found.push([beside(each, half), false]);
  } else {
    for (const [x, y] of [[0, -1], [1, 0], [-1, 0], [0, 1], [1, -1], [-1, -1]]) found.push([[x * half[0], y * half[1]], false]);
  }
  for (const far of LABEL_FAR) {
    for (const [x, y] of ROUND) {
      const more = far * unit * (x && y ? d : 1);
      found.push([[x * (half[0] + more), y * (half[1] + more)], true]);
    }
  }
  return found;
}
