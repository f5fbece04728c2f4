// SPDX-License-Identifier: MIT
// Boxes, outlines and places of the picture that tools hold on to.

const known = new WeakMap();  // from sketches to the items of each body

// The drawn parts of a body.
function partsOf(sketch, body) {
  let byBody = known.get(sketch);
  if (!byBody) {
    byBody = new Map();
    for (const item of sketch.items) {
      if (item.joint >= 0 || item.body < 0) continue;
      if (!byBody.has(item.body)) byBody.set(item.body, []);
      byBody.get(item.body).push(item);
    }
    known.set(sketch, byBody);
  }
  return byBody.get(body) ?? [];
}

// How far a drawn part reaches beyond its points, in the scene's lengths.
const reachOf = (sketch, item, view) => (item.kind === "circle" || item.kind === "path" ? sketch.size(item.radius, view) / view.scale : 0);

// The box round a body in its own coordinates: [left, low, right, high]. The ground below a chain is no part of it.
function ownBox(sketch, view, body) {
  const parts = partsOf(sketch, body).filter((item) => item.single && item.kind !== "half_plane"), whole = boxOfParts(sketch, view, parts);
  const lines = parts.filter(({kind}) => kind === "path" || kind === "loop");
  if (!lines.length || lines.length === parts.length) return whole;
  const narrow = boxOfParts(sketch, view, lines), size = ([x0, y0, x1, y1]) => Math.max(x1 - x0, y1 - y0);
  return size(whole) > 20 * size(narrow) ? narrow : whole;
}

function boxOfParts(sketch, view, parts) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const item of parts) {
    const reach = reachOf(sketch, item, view);
    for (const [x, y] of pairs(item.local)) {
      box[0] = Math.min(box[0], x - reach);
      box[1] = Math.min(box[1], y - reach);
      box[2] = Math.max(box[2], x + reach);
      box[3] = Math.max(box[3], y + reach);
    }
  }
  return box[0] <= box[2] ? box : [0, 0, 0, 0];
}

const cornersOf = ([x0, y0, x1, y1]) => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];

// The box round bodies in the scene, along its axes; null for none.
function worldBox(sketch, moment, view, bodies) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const body of bodies) {
    for (const corner of cornersOf(ownBox(sketch, view, body))) {
      const [x, y] = placed(moment, body, ...corner);
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }
  return box[0] <= box[2] ? box : null;
}

// Corners, middles of edges and the middle of a body, in the scene.
function holdsOf(sketch, moment, view, body) {
  const places = [placed(moment, body, 0, 0)];
  const parts = partsOf(sketch, body), isRound = parts.some(({kind}) => kind === "circle");  // whose line only shows how it is turned
  let count = 0;
  for (const item of parts) {
    if (item.kind !== "polygon" && item.kind !== "loop" && (item.kind !== "path" || isRound) || !item.single || (count += 1) > 8) continue;
    const points = pairs(item.local), closed = item.kind !== "path";
    if (points.length > 60) continue;
    points.forEach(([x, y], i) => {
      places.push(placed(moment, body, x, y));
      const next = points[i + 1] ?? (closed ? points[0] : null);
      if (next) places.push(placed(moment, body, 0.5 * (x + next[0]), 0.5 * (y + next[1])));
    });
  }
  return places;
}

// All bodies under a point of the picture, the topmost first.
function bodiesUnder(source, moment, view, x, y, isFree = () => true) {
  const {sketch} = source, found = [];
  for (let i = sketch.items.length - 1; i >= 0; i--) {
    const item = sketch.items[i];
    if (item.joint >= 0 || item.body < 0 || found.includes(item.body) || !isFree(item.body)) continue;
    if (sketch.isShown(item, moment) && holds(sketch, item, moment, view, x, y)) found.push(item.body);
  }
  return found;
}

// A vector whose parts are no finer than so many digits of its length.
function evenly(vector, digits) {
  const size = Math.hypot(...vector);
  return size > 0 ? vector.map((part) => Number(toNearest(part, 10 ** (Math.floor(Math.log10(size)) + 1 - digits)).toPrecision(6)) || 0) : vector;
}

// A number of the form 1, 2 or 5 times a power of ten that is not below another one.
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9));
}

// A number without the noise of its last digits.
const clean = (value) => Number(value.toPrecision(12)) || 0;

const toNearest = (value, step, origin = 0) => clean(origin + step * Math.round((value - origin) / step));

const minus = ([ax, ay], [bx, by]) => [ax - bx, ay - by];
const plus = ([ax, ay], [bx, by]) => [ax + bx, ay + by];
const apartOf = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

function turned([x, y], angle, [cx, cy] = [0, 0]) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy)];
}

// A point of the scene in the coordinates of a body.
function inBody(moment, body, [x, y]) {
  const {pose} = moment, k = 3 * body;
  return turned([x - pose[k], y - pose[k + 1]], -pose[k + 2]);
}

// Whether two lines between points cross each other, not counting a shared end.
function crosses([a, b], [c, d]) {
  const side = ([px, py], [qx, qy], [rx, ry]) => Math.sign((qx - px) * (ry - py) - (qy - py) * (rx - px));
  const same = (p, q) => p[0] === q[0] && p[1] === q[1];
  if (same(a, c) || same(a, d) || same(b, c) || same(b, d)) return false;
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

// Whether a new edge of a row of points crosses an earlier one.
const crossesRow = (points, edge) => points.slice(1).some((point, i) => crosses([points[i], point], edge));

// Whether a point is inside a box of pixels.
const isIn = ([x0, y0, x1, y1], x, y) => x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);
