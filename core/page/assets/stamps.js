// SPDX-License-Identifier: MIT
// Many small bodies that look alike: each look is drawn once for each angle that makes a difference of a
// pixel, and copied to where the bodies are. That takes two thirds of the time of their outlines, most of
// which goes into turning the canvas. Without a graphics processor the copies of long runs of bodies are
// blended into the pixels of the canvas here, in a third of the time that the canvas takes for them.

const MANY = 1500;   // items of a picture, from which on looks are copied
const ALIKE = 8;     // bodies that share a look
const LARGEST = 16;  // pixels from the middle of a body, up to which it is copied
const RUN = 400;     // bodies one after another, from which on their pixels are blended here
const PHASES = 4;    // places of a blended look between two pixels, in each direction
const FRESH = 400;   // looks between two pixels that are drawn in one frame, at most
const RUNS = 12;     // of one frame that are blended here, at most: each takes pixels from the canvas and back

class Stamps {
  constructor(sketch) {
    this.sketch = sketch;
    this.groups = new Map();  // by the place of their first item
    const {items} = sketch, counts = new Map();
    for (let i = 0; i < items.length;) {
      const first = items[i];
      let end = i + 1;
      if (this.isFit(first)) while (end < items.length && this.isFit(items[end]) && items[end].body === first.body && items[end].sleeper === first.sleeper) end++;
      if (this.isFit(first)) {
        const group = {items: items.slice(i, end), body: first.body, sleeper: first.sleeper, isInRun: false};
        group.reach = Math.max(...group.items.map(({reach}) => reach));
        group.key = JSON.stringify(group.items.map(({kind, local, radius, outline, a, b, c, color, from}) => [kind, [...local], radius, outline, a, b, c, color, from]));
        counts.set(group.key, (counts.get(group.key) ?? 0) + 1);
        this.groups.set(i, group);
      }
      i = end;
    }
    const numbers = sketch.looks ??= new Map();  // for good: others keep what they have drawn by them
    for (const key of counts.keys()) if (!numbers.has(key)) numbers.set(key, numbers.size);
    for (const [i, group] of this.groups) {
      if (counts.get(group.key) < ALIKE) this.groups.delete(i);
      group.key = numbers.get(group.key);
    }
    this.pixels = hasGraphics() ? null : new Pixels();
    this.findRuns();
  }

  isFit(item) { return item.single && item.kind in WITH_BODY && item.joint < 0 && item.body >= 0 && item.owners[0] === item.body; }

  findRuns() {
    let run = [], end = -1;
    const close = () => { if (run.length >= RUN) for (const group of run) group.isInRun = true; };
    for (const [i, group] of this.groups) {
      if (i !== end) {
        close();
        run = [];
      }
      run.push(group);
      end = i + group.items.length;
    }
    close();
  }

  // Draws a body; false where it is too large or too small to be copied.
  draw(brush, group, moment, view, size, paths, asleep) {
    const stamp = paths.stamps[2 * group.key + (asleep ? 1 : 0)] ??= this.make(group, view, brush.ratio, asleep), {half} = stamp;
    if (half > LARGEST || half < 2 * SPECK) return false;
    const {pose} = moment, k = 3 * group.body, px = view.x(pose[k]), py = view.y(pose[k + 1]);
    if (!(px + half >= 0 && px - half <= size[0] && py + half >= 0 && py - half <= size[1])) return true;
    const {context, ratio} = brush, {side, angles, columns} = stamp;
    const turn = Math.round(view.way * pose[k + 2] / TURN * angles) % angles, at = turn < 0 ? turn + angles : turn;
    if (this.pixels !== null && group.isInRun && paths === this.sketch.paths && this.pixels.put(stamp, at, ratio * px, ratio * py)) return true;
    this.flush(brush);
    if (stamp.canvas === null) this.unfold(stamp);
    const left = side * (at % columns), top = side * Math.floor(at / columns);
    if (!stamp.drawn[at]) {
      drawLook(stamp, stamp.brush, at, left + 0.5 * side, top + 0.5 * side);
      stamp.drawn[at] = 1;
    }
    brush.reset();
    context.drawImage(stamp.canvas, left, top, side, side, px - 0.5 * side / ratio, py - 0.5 * side / ratio, side / ratio, side / ratio);
    return true;
  }

  // Draws what is still to be blended, before something else is drawn over it.
  flush(brush) { if (this.pixels !== null && this.pixels.count > 0) this.pixels.flush(brush); }

  // The end of a frame.
  end(brush) {
    this.flush(brush);
    this.pixels?.renew();
  }

  make({items, reach}, view, ratio, asleep) {
    const {sketch} = this, edge = Math.max(...items.map((item) => sketch.size(item.radius, view))) + 2, half = reach * view.scale + edge;
    const shown = items.filter((item) => !(item.from > 0 && apart(item.local) * view.scale < item.from));
    const isRound = shown.every(({kind, reach: far}) => kind === "circle" && far === 0);
    const side = 2 * Math.ceil(half * ratio), angles = isRound ? 1 : Math.ceil(TURN * half), columns = Math.ceil(Math.sqrt(angles));
    const looks = shown.map((item) => [WITH_BODY[item.kind](sketch, item, view), ...(asleep ? sketch.asleep : sketch.awake)[item.color]]);
    return {half, side, angles, columns, looks, scale: ratio * view.scale, way: view.way, ratio, canvas: null, tiles: []};
  }

  // Makes the sheet of all angles of a look.
  unfold(stamp) {
    const {side, angles, columns, ratio} = stamp;
    stamp.canvas = element("canvas", {width: side * columns, height: side * Math.ceil(angles / columns)});
    stamp.brush = new Brush(stamp.canvas.getContext("2d"), ratio);
    stamp.drawn = new Uint8Array(angles);
  }
}

function drawLook({looks, angles, scale, way}, brush, at, x, y) {
  const angle = TURN * at / angles, c = scale * Math.cos(angle), s = scale * Math.sin(angle);
  brush.context.setTransform(c, s, -s * way, c * way, x, y);
  for (const [path, fill, stroke] of looks) path.draw(brush, fill, stroke);
}

// Looks as pixels, and those of a run, which are blended into the canvas at once. Colours are
// multiplied by their opacity; numbers hold red, green, blue and opacity from the lowest byte on.
class Pixels {
  constructor() {
    const most = 2 * Math.ceil(4 * LARGEST);  // for up to four pixels of the screen in one of the page
    this.context = element("canvas", {width: most, height: most}).getContext("2d", {willReadFrequently: true});
    this.most = most;
    [this.tiles, this.places] = [[], new Int32Array(2 * RUN)];
    this.renew();
  }

  renew() { [this.count, this.fresh, this.runs] = [0, 0, 0]; }

  // Notes that a look is to be drawn with its middle there, in pixels of the screen; false where it cannot be.
  put(stamp, at, x, y) {
    const {side, tiles} = stamp;
    if (side > this.most || this.runs >= RUNS) return false;
    const left = Math.round(PHASES * (x - 0.5 * side)), top = Math.round(PHASES * (y - 0.5 * side));
    const column = Math.floor(left / PHASES), row = Math.floor(top / PHASES);
    let number = PHASES * PHASES * at + PHASES * (top - PHASES * row) + left - PHASES * column;
    if (tiles[number] === undefined) {
      if (this.fresh++ >= FRESH) number = PHASES * PHASES * at;
      tiles[number] ??= this.make(stamp, number);
    }
    const {count} = this;
    if (2 * count >= this.places.length) this.places = longer(this.places);
    this.tiles[count] = tiles[number];
    this.places[2 * count] = column;
    this.places[2 * count + 1] = row;
    this.count = count + 1;
    return true;
  }

  // The pixels of a look at an angle and a part of a pixel, and in each row where they begin and end.
  make(stamp, number) {
    const {side, ratio} = stamp, {context} = this, phase = number % (PHASES * PHASES), at = (number - phase) / (PHASES * PHASES);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, side, side);
    drawLook(stamp, new Brush(context, ratio), at, 0.5 * side + (phase % PHASES) / PHASES, 0.5 * side + Math.floor(phase / PHASES) / PHASES);
    const {data} = context.getImageData(0, 0, side, side), colors = new Uint32Array(side * side), spans = new Uint16Array(2 * side);
    for (let row = 0, i = 0; row < side; row++) {
      let [first, last] = [side, 0];
      for (let column = 0; column < side; column++, i++) {
        const opacity = data[4 * i + 3];
        if (opacity === 0) continue;
        const [red, green, blue] = [0, 1, 2].map((part) => Math.round(data[4 * i + part] * opacity / 255));
        colors[i] = red | green << 8 | blue << 16 | opacity << 24;
        if (first === side) first = column;
        last = column + 1;
      }
      [spans[2 * row], spans[2 * row + 1]] = [Math.min(first, last), last];
    }
    return {side, colors, spans};
  }

  flush({context}) {
    const {tiles, places, count} = this, {width: wide, height: high} = context.canvas;
    let [left, top, right, bottom] = [wide, high, 0, 0];
    for (let i = 0; i < count; i++) {
      const x = places[2 * i], y = places[2 * i + 1], {side} = tiles[i];
      if (x < left) left = x;
      if (y < top) top = y;
      if (x + side > right) right = x + side;
      if (y + side > bottom) bottom = y + side;
    }
    this.count = 0;
    this.runs += 1;
    [left, top, right, bottom] = [Math.max(left, 0), Math.max(top, 0), Math.min(right, wide), Math.min(bottom, high)];
    if (!(right > left && bottom > top)) return;
    const image = context.getImageData(left, top, right - left, bottom - top), out = new Uint32Array(image.data.buffer);
    for (let i = 0; i < count; i++) blend(tiles[i], places[2 * i] - left, places[2 * i + 1] - top, out, right - left, bottom - top);
    context.putImageData(image, left, top);
  }
}

// Lays a look over pixels without opacity.
function blend({side, colors, spans}, x, y, out, width, height) {
  for (let row = Math.max(0, -y), end = Math.min(side, height - y); row < end; row++) {
    const first = Math.max(spans[2 * row], -x), last = Math.min(spans[2 * row + 1], width - x);
    for (let from = row * side + first, to = (y + row) * width + x + first, n = last - first; n > 0; n--, from++, to++) {
      const color = colors[from], opacity = color >>> 24;
      if (opacity === 255) out[to] = color;
      else if (opacity > 0) {
        const under = out[to], rest = 256 - opacity - (opacity >>> 7);
        const outer = (color & 0xff00ff) + (Math.imul(under & 0xff00ff, rest) >>> 8 & 0xff00ff);
        out[to] = 0xff000000 | outer | (color & 0xff00) + (Math.imul(under >>> 8 & 0xff, rest) & 0xff00);
      }
    }
  }
}

// Whether pages are drawn by a graphics processor, and not by a program that takes its place.
const hasGraphics = (() => {
  let found;
  return () => {
    if (found === undefined) {
      const context = element("canvas").getContext("webgl", {failIfMajorPerformanceCaveat: true});
      const names = context?.getExtension("WEBGL_debug_renderer_info");
      const name = context === null ? "software" : context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER);
      found = !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
      context?.getExtension("WEBGL_lose_context")?.loseContext();
    }
    return found;
  };
})();
