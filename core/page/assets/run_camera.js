// SPDX-License-Identifier: MIT
// The camera of a live page: the views of core/view/camera.py, by its plan. Rows are those of the scene's bodies.

const AREA = 1e300;  // places farther away are nowhere

class Camera {
  constructor(plan) {
    Object.assign(this, plan);
    this.now = this.first;
    this.last = null;  // where several bodies were last
  }

  view(time, poses, alive) {
    const view = this.steady(time, poses, alive), [dx, dy] = this.shaken(time);
    return {scale: view.scale, x: view.x + dx * view.scale, y: view.y + dy * this.way * view.scale};
  }

  steady(time, poses, alive) {
    const aim = this.aim(time, poses, alive);
    if (aim) this.now = this.bounded(this.centred(...aim));
    else if (this.adrift) this.now = this.falling(poses);
    else if (this.kept.length) this.now = this.bounded(this.pulled(poses, alive));
    else if (this.row >= 0) {
      const place = this.place(this.row, poses);
      if (place) this.now = this.bounded(this.centred(...place, this.now.scale));
    }
    return this.now;
  }

  place(row, poses) {
    const x = poses[3 * row + 3], y = poses[3 * row + 4];
    return Math.abs(x) < AREA && Math.abs(y) < AREA ? [x, y] : null;
  }

  // The middle of the picture and its scale, where keys or several bodies say it.
  aim(time, poses, alive) {
    if (this.keys) return this.byKeys(time, poses);
    if (this.middle) {
      const places = this.middle.rows.filter((row) => alive[row + 1]).map((row) => this.place(row, poses)).filter(Boolean);
      const mean = (k) => places.reduce((sum, place) => sum + place[k], 0) / places.length;
      return places.length ? [mean(0), mean(1), this.middle.scale] : null;
    }
    return this.several && !this.kept.length ? this.bySeveral(poses, alive) : null;
  }

  byKeys(time, poses) {
    const look = ({point, row, scale}) => [...(point ?? this.place(row, poses) ?? this.start), scale];
    const {keys} = this, after = keys.filter(({at}) => at <= time).length;
    if (after === 0) return look(keys[0]);
    const last = look(keys[after - 1]);
    if (after === keys.length) return last;
    const to = look(keys[after]), part = (time - keys[after - 1].at) / (keys[after].at - keys[after - 1].at), {ease} = keys[after];
    const come = ease === "hold" ? Number(part >= 1) : ease === "linear" ? part : part * part * (3 - 2 * part);
    return [last[0] + come * (to[0] - last[0]), last[1] + come * (to[1] - last[1]), 1 / (1 / last[2] + come * (1 / to[2] - 1 / last[2]))];
  }

  // The box round bodies that are there; null round none.
  boxOf(rows, poses, alive) {
    const boxes = rows.filter((row) => alive[row + 1] && this.place(row, poses)).map((row) => boxOf(poses, row + 1, this.outlines[row]));
    if (!boxes.length) return null;
    return [0, 1, 2, 3].map((k) => (k < 2 ? Math.min : Math.max)(...boxes.map((box) => box[k])));
  }

  bySeveral(poses, alive) {
    const {rows, zoom, nearest, farthest} = this.several, box = this.boxOf(rows, poses, alive);
    if (!box) return this.last;
    this.last = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, zoom ?? clampTo(this.needed(box) ?? nearest, farthest, nearest)];
    return this.last;
  }

  // The scale at which the picture holds a box.
  needed([x0, y0, x1, y1]) {
    const {margin, room} = this.several, edge = 2 * (margin ?? 0), sides = [x1 - x0 + edge, y1 - y0 + edge];
    const scales = sides.map((side, k) => ((margin === null ? room : 1) * this.size[k]) / side).filter(Number.isFinite);
    return scales.length ? Math.min(...scales) : null;
  }

  centred(x, y, scale) { return {scale, x: this.size[0] / 2 - x * scale, y: this.size[1] / 2 - y * this.way * scale}; }

  // The first view, carried along with what falls.
  falling(poses) {
    const {middle: [x0, y0], own} = this.adrift;
    let [x, y] = [0, 0];
    for (let row = 0; row < own; row++) [x, y] = [x + poses[3 * row + 3] / own, y + poses[3 * row + 4] / own];
    if (!(Math.abs(x) < AREA && Math.abs(y) < AREA)) return this.now;
    const {scale} = this.first;
    return {scale, x: this.first.x - (x - x0) * scale, y: this.first.y - (y - y0) * this.way * scale};
  }

  // The view moved as little as brings the targets back inside the border.
  pulled(poses, alive) {
    let view = this.now;
    if (this.several) {
      const {scale} = view, middle = [(this.size[0] / 2 - view.x) / scale, (this.size[1] / 2 - view.y) / (scale * this.way)];
      view = this.centred(...middle, this.bySeveral(poses, alive)?.[2] ?? scale);
    }
    const box = this.boxOf(this.kept, poses, alive);
    if (!box) return view;
    const ends = [[box[0], box[2]].map((x) => x * view.scale + view.x), [box[1], box[3]].map((y) => y * this.way * view.scale + view.y)];
    const [dx, dy] = ends.map((each, k) => {
      const [low, high] = [Math.min(...each), Math.max(...each)], length = this.size[k];
      const border = Math.min(this.margin === null ? this.keepIn * length : this.margin * view.scale, length / 2), far = length - border;
      return high - low > far - border ? (border + far - low - high) / 2 : Math.max(border - low, 0) - Math.max(high - far, 0);
    });
    return {scale: view.scale, x: view.x + dx, y: view.y + dy};
  }

  // Inside the bounds of the scene's camera; in their middle where they are smaller.
  bounded(view) {
    if (!this.bounds) return view;
    const [[x0, y0], [x1, y1]] = this.bounds, {scale} = view, inside = (a, b, length) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      if (high - low < length) return 0.5 * length - 0.5 * (low + high);
      return low > 0 ? Math.min(-low, 0) : Math.max(length - high, 0);
    };
    return {
      scale, x: view.x + inside(x0 * scale + view.x, x1 * scale + view.x, this.size[0]),
      y: view.y + inside(y0 * this.way * scale + view.y, y1 * this.way * scale + view.y, this.size[1]),
    };
  }

  // How far it is off its aim, as lengths.
  shaken(time) {
    let [x, y] = [0, 0];
    for (const [at, amplitude, duration, frequency] of this.shakes) {
      const since = time - at, left = 1 - since / duration, turn = 2 * Math.PI * frequency * since * this.seconds;
      if (!(0 <= since && since < duration)) continue;
      x += amplitude * left * left * Math.sin(turn);
      y += amplitude * left * left * Math.sin(1.31 * turn + 1);
    }
    return [x, y];
  }
}

const clampTo = (value, least, most) => Math.min(Math.max(value, least), most);
