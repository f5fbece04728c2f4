// SPDX-License-Identifier: MIT
// How bodies and joints look: the display list of core/page/sketch.py, drawn with a canvas.
//
// An item is a row of what the rasterizer draws (core/native/raster/display_list.h). Each of its
// numbers follows the zoom as {least, most, growth}: pixels, and pixels for each length unit.

const KINDS = ["polygon", "circle", "path", "loop", "fade", "arrow", "arc", "coil", "rope", "hatch",
  "picture", "quad", "half_plane"];
const TURN = 2 * Math.PI;
const SPECK = 2;  // pixels: what reaches less far from its middle is drawn as a dot

// From the scene's coordinates to pixels of the page: x * scale + x0, y * scale * way + y0.
class View {
  constructor(scale, x0, y0, way, unit) { Object.assign(this, {scale, x0, y0, way, unit}); }
  x(x) { return x * this.scale + this.x0; }
  y(y) { return y * this.scale * this.way + this.y0; }
  back(px, py) { return [(px - this.x0) / this.scale, (py - this.y0) / (this.scale * this.way)]; }
}

// A point of a body in scene coordinates; body -1 is the world, those below are the surfaces of pools.
// It is turned by `turn`, or as its body is.
function placed(moment, body, x, y, turn = null) {
  if (body < -1) return [x + (moment.shifts[-2 * body - 4] ?? 0), y + (moment.shifts[-2 * body - 3] ?? 0)];
  if (body < 0) return [x, y];
  const {pose} = moment, k = 3 * body, angle = turn ?? pose[k + 2], c = Math.cos(angle), s = Math.sin(angle);
  return [pose[k] + c * x - s * y, pose[k + 1] + s * x + c * y];
}

// How a picture is turned that lies along two bodies, if both are there; null for others.
function aimOf({aim}, {pose, state}) {
  if (!aim || !aim.every((body) => state[body] & THERE)) return null;
  const [first, second] = aim.map((body) => 3 * body);
  return Math.atan2(pose[second + 1] - pose[first + 1], pose[second] - pose[first]);
}

const isThere = (moment, body) => body < 0 || (moment.state[body] & THERE) !== 0;
const isSeen = (moment, body) => (moment.state[body] & (THERE | UNSEEN)) === THERE;

class Sketch {
  // data: as of the page; arrays: an Arrays with what core/page/sketch.py packed.
  constructor(data, arrays) {
    this.data = data;
    this.images = data.images.map((address) => {
      const image = new Image();
      image.src = address;
      return image;
    });
    this.tinted = new Map();
    const kind = arrays.get("items.kind").data, count = arrays.get("items.count").data;
    const who = arrays.get("items.who").data, color = arrays.get("items.color").data;
    const length = arrays.get("items.length").data, from = arrays.get("items.from").data;
    const lengths = arrays.get("lengths"), owner = arrays.get("points.owner").data;
    const place = arrays.get("points.place").data;
    const n = kind.length, points = owner.length, rows = lengths.rows;
    const number = (i, column) => {
      const k = length[column * n + i];
      return {least: lengths.data[k], most: lengths.data[rows + k], growth: lengths.data[2 * rows + k]};
    };
    // Of an image on a body 1, and of what is seen without it -1; only pages that edit have both.
    const images = arrays.has("items.image") ? arrays.get("items.image").data : null;
    this.isBare = false;
    this.items = [];
    for (let i = 0, at = 0; i < n; at += count[i], i++) {
      const local = new Float64Array(2 * count[i]), owners = owner.slice(at, at + count[i]);
      let reach = 0;
      for (let k = 0; k < count[i]; k++) {
        local[2 * k] = place[at + k];
        local[2 * k + 1] = place[points + at + k];
        reach = Math.max(reach, Math.hypot(local[2 * k], local[2 * k + 1]));
      }
      const item = {
        kind: KINDS[kind[i]], local, owners, reach, index: i, color: color[i], from: from[i],
        body: who[i], other: who[n + i], joint: who[2 * n + i], sleeper: who[3 * n + i],
        radius: number(i, 0), outline: number(i, 1), a: number(i, 2), b: number(i, 3), c: number(i, 4),
        aim: data.aims[i], image: images ? images[i] : 0,
        single: owners.every((each) => each === owners[0]) && owners[0] >= 0,
      };
      this.items.push(item);
    }
    this.paths = new Paths();
  }

  // Pixels of one of an item's lengths.
  size(value, view) {
    const k = view.unit / this.data.unit;
    return clamp(value.growth * view.scale, value.least * k, value.most * k);
  }

  // Colours of a theme, awake and asleep.
  styles(theme) {
    if (this.theme !== theme) {
      this.theme = theme;
      const {paper, sleep_share: share} = this.data.themes[theme];
      const pairs = this.data.colors[theme];
      this.awake = pairs.map((pair) => pair.map((color) => css(rgba(color))));
      this.asleep = pairs.map((pair) => pair.map((color) => mixed(color, paper, share)));
    }
  }

  isShown(item, moment) {
    if (item.image !== 0 && (item.image < 0) !== this.isBare) return false;
    if (item.joint < 0 && item.body >= 0) return isSeen(moment, item.body);
    return isThere(moment, item.body) && isThere(moment, item.other) &&
      (item.joint < 0 || moment.whole[item.joint] !== 0);
  }

  // `paths` are those of who draws it at one zoom, while others draw it at another one.
  draw(context, moment, view, theme, size, ratio, paths = this.paths) {
    this.styles(theme);
    paths.prepare(view, theme, ratio);
    const brush = new Brush(context, ratio);
    const stamps = this.items.length > MANY ? this.stamps ??= new Stamps(this) : null;
    for (let i = 0; i < this.items.length; i++) {
      const item = this.items[i], group = stamps?.groups.get(i);
      if (!this.isShown(item, moment)) continue;
      if (group && stamps.draw(brush, group, moment, view, size, paths, item.sleeper >= 0 && !(moment.state[item.sleeper] & AWAKE))) {
        i += group.items.length - 1;
        continue;
      }
      stamps?.flush(brush);
      const asleep = item.sleeper >= 0 && !(moment.state[item.sleeper] & AWAKE);
      const [fill, stroke] = (asleep ? this.asleep : this.awake)[item.color];
      if (item.single && item.kind in WITH_BODY) this.drawWithBody(brush, item, moment, view, size, fill, stroke, paths);
      else this.drawFree(brush, item, moment, view, size, fill, stroke);
    }
    stamps?.end(brush);
    brush.reset();
  }

  // What is made of the points of one body: a path in its coordinates, kept until the zoom changes.
  drawWithBody(brush, item, moment, view, size, fill, stroke, paths) {
    const {pose} = moment, k = 3 * item.owners[0], {scale, way} = view;
    const px = view.x(pose[k]), py = view.y(pose[k + 1]);
    const reach = item.reach * scale + this.size(item.radius, view) + 2;
    if (!(px + reach >= 0 && px - reach <= size[0] && py + reach >= 0 && py - reach <= size[1])) return;
    if (item.from > 0 && apart(item.local) * scale < item.from) return;
    const half = this.size(item.radius, view) + item.reach * scale;
    if (half < SPECK && item.kind !== "loop") return brush.speck(px, py, half * (item.kind === "path" ? 0.5 : 0.9), fill);
    const c = Math.cos(pose[k + 2]) * scale, s = Math.sin(pose[k + 2]) * scale;
    const {context, ratio} = brush;
    brush.isPlain = false;
    context.setTransform(ratio * c, ratio * way * s, -ratio * s, ratio * way * c, ratio * px, ratio * py);
    const path = paths.made[item.index] ??= WITH_BODY[item.kind](this, item, view);
    path.draw(brush, fill, stroke);
  }

  drawFree(brush, item, moment, view, size, fill, stroke) {
    const count = item.owners.length, points = new Array(count), turn = aimOf(item, moment);
    for (let i = 0; i < count; i++) {
      const [x, y] = placed(moment, item.owners[i], item.local[2 * i], item.local[2 * i + 1], turn);
      points[i] = [view.x(x), view.y(y)];
      if (!(Math.abs(points[i][0]) < 1e7 && Math.abs(points[i][1]) < 1e7)) return;
    }
    brush.reset();
    if (item.kind === "quad") return this.drawImage(brush, item, points, moment, view, fill, stroke);
    const sizes = {};
    for (const name of ["radius", "outline", "a", "b", "c"]) sizes[name] = this.size(item[name], view);
    if (item.kind === "coil") {
      const a = item.a, turns = a.growth * view.scale * this.data.unit / view.unit;
      sizes.a = Math.round(clamp(turns, a.least, a.most));
    } else if (item.kind === "rope" || item.kind === "hatch") {
      [sizes.b, sizes.c] = [item.kind === "rope" ? item.b.most : sizes.b, item.c.most];
    }
    drawShape(brush, item.kind, points, sizes, fill, stroke, size);
  }

  drawImage(brush, item, points, moment, view, fill, tint) {
    const number = moment.sprites.get(item.sprite ?? item.index) ?? item.a.most;
    const image = this.tintedImage(number, tint);
    if (!image || !image.width) return;
    const [[x, y], right, below] = points, {context, ratio} = brush;
    const across = [(right[0] - x) / image.width, (right[1] - y) / image.width];
    const down = [(below[0] - x) / image.height, (below[1] - y) / image.height];
    const opacity = Number(fill.slice(fill.lastIndexOf(",") + 1, -1));
    context.save();
    context.globalAlpha = opacity;
    if (points.length === 3) {
      context.transform(...across, ...down, x, y);
      context.drawImage(image, 0, 0);
    } else {
      const pattern = context.createPattern(image, "repeat");
      pattern.setTransform(new DOMMatrix([...across, ...down, x, y]));
      const shape = points.slice(3), radius = this.size(item.radius, view);
      context.fillStyle = context.strokeStyle = pattern;
      context.lineWidth = 2 * radius;
      context.lineJoin = context.lineCap = "round";
      context.beginPath();
      if (shape.length === 1) context.arc(...shape[0], radius, 0, TURN);
      else trace(context, shape, shape.length > 2);
      if (shape.length !== 2) context.fill();
      if (radius > 0 && shape.length > 1) context.stroke();
    }
    context.restore();
  }

  // A picture whose colours are multiplied by a tint.
  tintedImage(number, tint) {
    const image = this.images[number];
    if (!image || !image.complete) return null;
    const [red, green, blue] = tint.match(/[\d.]+/g).map(Number);
    if (red === 255 && green === 255 && blue === 255) return image;
    const key = `${number} ${tint}`;
    if (!this.tinted.has(key)) {
      const canvas = element("canvas", {width: image.width, height: image.height});
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      context.globalCompositeOperation = "multiply";
      context.fillStyle = `rgb(${red},${green},${blue})`;
      context.fillRect(0, 0, image.width, image.height);
      context.globalCompositeOperation = "destination-in";
      context.drawImage(image, 0, 0);
      this.tinted.set(key, canvas);
    }
    return this.tinted.get(key);
  }
}

// Paths of items, kept as long as the zoom and the colours stay.
class Paths {
  constructor() { this.key = ""; }
  prepare(view, theme, ratio) {
    const key = `${view.scale} ${view.unit} ${theme} ${ratio}`;
    if (this.key !== key) [this.key, this.made, this.stamps] = [key, [], []];
  }
}

const apart = (local) => Math.hypot(local[2] - local[0], local[3] - local[1]);

// A context that remembers its styles: to set one costs more than to draw a small disc.
class Brush {
  constructor(context, ratio) {
    Object.assign(this, {context, ratio, fill: null, stroke: null, isPlain: false});
    context.lineCap = context.lineJoin = "round";
  }
  reset() {
    if (!this.isPlain) this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.isPlain = true;
  }
  // What is smaller than a few pixels: ten thousand of these are drawn in the time of a frame.
  speck(x, y, half, color) {
    this.reset();
    this.fillWith(color);
    this.context.fillRect(x - half, y - half, 2 * half, 2 * half);
  }
  fillWith(color) { if (this.fill !== color) this.context.fillStyle = this.fill = color; }
  strokeWith(color, width) {
    if (this.stroke !== color) this.context.strokeStyle = this.stroke = color;
    this.context.lineWidth = width;
  }
}

// A shape with an outline that lies inside its edge: a path through the middle of the outline.
class Outlined {
  constructor(path, width, sharp) { Object.assign(this, {path, width, sharp}); }
  draw(brush, fill, stroke) {
    brush.fillWith(fill);
    brush.context.fill(this.path);
    if (!(this.width > 0)) return;
    if (this.sharp) brush.context.lineJoin = "miter";
    brush.strokeWith(stroke, this.width);
    brush.context.stroke(this.path);
    if (this.sharp) brush.context.lineJoin = "round";
  }
}

// A thick line, and a thinner one on it where it has an outline.
class Thick {
  constructor(path, width, inner) { Object.assign(this, {path, width, inner}); }
  draw(brush, fill, stroke) {
    brush.strokeWith(this.inner < this.width ? stroke : fill, this.width);
    brush.context.stroke(this.path);
    if (this.inner < this.width && this.inner > 0) {
      brush.strokeWith(fill, this.inner);
      brush.context.stroke(this.path);
    }
  }
}

// Paths in a body's own coordinates, in which a pixel is 1 / scale.
const WITH_BODY = {
  circle(sketch, item, view) {
    const width = sketch.size(item.outline, view);
    const radius = Math.max(sketch.size(item.radius, view) - width / 2, 0) / view.scale;
    const path = new Path2D();
    path.arc(item.local[0], item.local[1], radius, 0, TURN);
    return new Outlined(path, width / view.scale, false);
  },
  polygon(sketch, item, view) {
    const width = sketch.size(item.outline, view) / view.scale;
    const radius = sketch.size(item.radius, view) / view.scale;
    const path = new Path2D();
    for (const [ring, way] of rings(pairs(item.local), sketch.size(item.c, view) > 0)) {
      trace(path, swollen(ring, way * (radius - width / 2), view.scale), true);
    }
    return new Outlined(path, width, !(radius > width / 2));
  },
  path(sketch, item, view) { return line(sketch, item, view, false); },
  loop(sketch, item, view) { return line(sketch, item, view, true); },
};

function line(sketch, item, view, closed) {
  const radius = sketch.size(item.radius, view) / view.scale;
  const width = sketch.size(item.outline, view) / view.scale;
  const path = new Path2D(), points = pairs(item.local);
  if (points.length === 1) points.push(points[0]);
  const on = sketch.size(item.a, view) / view.scale, off = sketch.size(item.b, view) / view.scale;
  if (on > 0) for (const piece of dashes(points, closed, on, off)) trace(path, piece, false);
  else trace(path, points, closed);
  return new Thick(path, 2 * radius, 2 * (radius - width));
}

function pairs(flat) {
  const points = [];
  for (let i = 0; i < flat.length; i += 2) points.push([flat[i], flat[i + 1]]);
  return points;
}

function trace(path, points, closed) {
  points.forEach(([x, y], i) => (i ? path.lineTo(x, y) : path.moveTo(x, y)));
  if (closed) path.closePath();
}

function* dashes(points, closed, on, off) {
  const ends = closed ? [...points, points[0]] : points;
  let travelled = 0;
  for (let i = 0; i + 1 < ends.length; i++) {
    const [a, b] = [ends[i], ends[i + 1]], length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const at = (s) => [a[0] + (b[0] - a[0]) * s / length, a[1] + (b[1] - a[1]) * s / length];
    for (let k = Math.floor(travelled / (on + off)), n = 0; n < 2000; k++, n++) {
      const from = Math.max(k * (on + off) - travelled, 0), to = Math.min(k * (on + off) + on - travelled, length);
      if (from >= length) break;
      if (to > from) yield [at(from), at(to)];
    }
    travelled += length;
  }
}

// The outline of a polygon, and those of its holes, which are in its points one after the other
// (core/native/raster/rings.h); 1 or -1: whether it grows outwards.
function rings(points, hasHoles) {
  if (!hasHoles) return [[points, 1]];
  const found = [];
  for (let first = 0; first < points.length;) {
    let end = first + 1;
    while (end < points.length && (points[end][0] !== points[first][0] || points[end][1] !== points[first][1])) end++;
    found.push([points.slice(first, end), found.length ? -1 : 1]);
    first = end + (found.length > 1 ? 2 : 1);
  }
  return found;
}

// A polygon's corners moved out by `by` (in, where it is below 0); rounded where it goes out.
function swollen(points, by, scale) {
  const n = points.length;
  let area = 0;
  for (let i = 0; i < n; i++) {
    const [ax, ay] = points[i], [bx, by_] = points[(i + 1) % n];
    area += ax * by_ - ay * bx;
  }
  const way = area < 0 ? -1 : 1;
  const normals = points.map(([ax, ay], i) => {
    const [bx, by_] = points[(i + 1) % n], length = Math.hypot(bx - ax, by_ - ay) || 1;
    return [way * (by_ - ay) / length, -way * (bx - ax) / length];
  });
  const moved = [];
  for (let i = 0; i < n; i++) {
    const [px, py] = points[i], [ax, ay] = normals[(i + n - 1) % n], [bx, by_] = normals[i];
    const dot = ax * bx + ay * by_, turn = way * (ax * by_ - ay * bx);
    if (by * scale > 0.5 && turn > 1e-9) {
      const from = Math.atan2(ay, ax), sweep = Math.atan2(ax * by_ - ay * bx, dot);
      const pieces = Math.ceil(Math.abs(sweep) * Math.sqrt(by * scale)) + 1;
      for (let k = 0; k <= pieces; k++) {
        const angle = from + sweep * k / pieces;
        moved.push([px + by * Math.cos(angle), py + by * Math.sin(angle)]);
      }
    } else {
      const share = by / Math.max(1 + dot, 0.25);
      moved.push([px + share * (ax + bx), py + share * (ay + by_)]);
    }
  }
  return moved;
}

// ---------------------------------------------------------------- shapes in pixels

function drawShape(brush, kind, points, sizes, fill, stroke, size) {
  const {context} = brush, {radius, outline, a, b, c} = sizes;
  if (kind === "coil") points = coil(points[0], points[1], a, b);
  if (kind === "rope") points = rope(points[0], points[1], a, [b, c]);
  if (kind === "half_plane") return drawShape(brush, "polygon", halfPlane(points, size), {...sizes, c: 0}, fill, stroke, size);
  if (kind === "circle" || kind === "polygon") {
    const path = new Path2D(), sharp = kind === "polygon" && !(radius > outline / 2);
    if (kind === "circle") path.arc(...points[0], Math.max(radius - outline / 2, 0), 0, TURN);
    else for (const [ring, way] of rings(points, c > 0)) trace(path, swollen(ring, way * (radius - outline / 2), 1), true);
    return new Outlined(path, outline, sharp).draw(brush, fill, stroke);
  }
  if (kind === "hatch") return drawHatch(brush, points, sizes, fill, size);
  if (kind === "fade") return drawFade(brush, points, radius, fill);
  if (kind === "arrow") return drawArrow(brush, points, sizes, fill);
  const path = new Path2D();
  if (kind === "arc") path.arc(...points[0], a, b, b + c, c < 0);
  else if (a > 0 && (kind === "path" || kind === "loop")) {
    for (const piece of dashes(points, kind === "loop", a, b)) trace(path, piece, false);
  } else trace(path, points.length === 1 ? [points[0], points[0]] : points, kind === "loop");
  new Thick(path, 2 * radius, 2 * (radius - outline)).draw(brush, fill, stroke);
  context.globalAlpha = 1;
}

// What is on the page of the half-plane on whose border a and b are, and in which c is.
function halfPlane([[ax, ay], [bx, by], [cx, cy]], [width, height]) {
  const size = Math.hypot(bx - ax, by - ay) || 1, ex = (bx - ax) / size, ey = (by - ay) / size;
  const way = ex * (cy - ay) - ey * (cx - ax) > 0 ? 1 : -1, nx = -way * ey, ny = way * ex;
  const mx = width / 2, my = height / 2, reach = 2 * (width + height);
  const deep = clamp((mx - ax) * nx + (my - ay) * ny, -reach, reach), x = mx - deep * nx, y = my - deep * ny;
  return [[-1, 0], [1, 0], [1, 2], [-1, 2]].map(([along, down]) =>
    [x + reach * (along * ex + down * nx), y + reach * (along * ey + down * ny)]);
}

function coil([ax, ay], [bx, by], turns, amplitude) {
  const waves = clamp(Math.trunc(turns), 1, 64), steps = 16, length = Math.hypot(bx - ax, by - ay);
  const side = length > 0 ? [-(by - ay) / length, (bx - ax) / length] : [0, 1], points = [[ax, ay]];
  for (let i = 0; i <= waves * steps; i++) {
    const turn = i / steps, part = 0.1 + 0.8 * turn / waves, lift = amplitude * Math.sin(TURN * turn);
    points.push([ax + part * (bx - ax) + lift * side[0], ay + part * (by - ay) + lift * side[1]]);
  }
  points.push([bx, by]);
  return points;
}

function rope([ax, ay], [bx, by], length, [dx, dy]) {
  const straight = Math.hypot(bx - ax, by - ay), slack = length - straight;
  if (!(slack > 0.01)) return [[ax, ay], [bx, by]];
  const sag = Math.sqrt(0.375 * straight * slack + 0.25 * slack * slack), points = [];
  for (let i = 0; i <= 24; i++) {
    const t = i / 24, drop = 4 * t * (1 - t) * sag;
    points.push([ax + t * (bx - ax) + drop * dx, ay + t * (by - ay) + drop * dy]);
  }
  return points;
}

function drawHatch(brush, points, {radius, a, b, c}, fill, size) {
  const {context} = brush, step = Math.max(a, 2), sign = c < 0 ? -1 : 1, path = new Path2D();
  let travelled = 0;
  for (let i = 0; i + 1 < points.length; i++) {
    const [ax, ay] = points[i], [bx, by] = points[i + 1], length = Math.hypot(bx - ax, by - ay);
    if (!(length > 0)) continue;
    const ex = (bx - ax) / length, ey = (by - ay) / length, half = Math.SQRT1_2;
    const slant = [half * (-sign * ey - ex), half * (sign * ex - ey)];
    const first = Math.ceil(travelled / step) * step - travelled;
    for (let s = first, n = 0; s < length && n < 4000; s += step, n++) {
      const x = ax + s * ex, y = ay + s * ey;
      if (x < -b || y < -b || x > size[0] + b || y > size[1] + b) continue;
      path.moveTo(x, y);
      path.lineTo(x + b * slant[0], y + b * slant[1]);
    }
    travelled += length;
  }
  brush.strokeWith(fill, 2 * radius);
  context.stroke(path);
}

function drawFade(brush, points, radius, color) {
  const {context} = brush, count = points.length - 1, pieces = Math.min(count, 24);
  brush.strokeWith(color, 2 * radius);
  context.lineCap = "butt";
  for (let k = 0; k < pieces; k++) {
    const from = Math.floor(k * count / pieces), to = Math.floor((k + 1) * count / pieces);
    context.globalAlpha = (k + 0.5) / pieces;
    context.beginPath();
    trace(context, points.slice(from, to + 1), false);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.lineCap = "round";
}

function drawArrow(brush, [[ax, ay], [bx, by]], {radius, a, b}, color) {
  const length = Math.hypot(bx - ax, by - ay);
  if (!(length > 0)) return;
  drawnArrows.push([[ax, ay], [bx, by]]);
  const ex = (bx - ax) / length, ey = (by - ay) / length, scale = length < a ? length / a : 1;
  const neck = length - a * scale, wide = b * scale, thin = Math.min(radius, wide);
  const at = (along, aside) => [ax + along * ex - aside * ey, ay + along * ey + aside * ex];
  const {context} = brush;
  brush.fillWith(color);
  context.beginPath();
  trace(context, [at(0, -thin), at(neck, -thin), at(neck, -wide), [bx, by], at(neck, wide), at(neck, thin),
    at(0, thin)], true);
  context.fill();
}
