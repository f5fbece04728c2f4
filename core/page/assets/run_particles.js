// SPDX-License-Identifier: MIT
// Particles of a live page, as core/render/objects/particles.py has them; their directions are drawn by a shorter sum.

const SAME = 1e-6;

// A number from 0 to 1 that follows from two whole numbers.
function drawnOf(emitter, call) {
  let mixed = Math.imul(emitter + 1, 0x9e3779b1) ^ Math.imul(call + 1, 0x85ebca6b);
  for (const [shift, factor] of [[16, 0x7feb352d], [15, 0x846ca68b]]) mixed = Math.imul(mixed ^ (mixed >>> shift), factor);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

const between = ([ax, ay], [bx, by], part) => [ax + part * (bx - ax), ay + part * (by - ay)];

class Emitting {
  constructor(given, number) {
    Object.assign(this, given, {number, last: null, time: -1, there: []});
    this.first = Math.ceil(given.start * given.rate - SAME);
    this.next = this.first;  // the burst that comes next
  }

  // Lets those come whose time is since the last moment, and those go whose life is over.
  follow(moment) {
    const now = this.placeNow(moment), {time} = moment;
    if (time < this.time) [this.last, this.next, this.there] = [null, this.first, []];
    const {last} = this, oldest = Math.floor((time - this.life) * this.rate + SAME) + 1, behind = Math.floor(time * this.rate + SAME) + 1;
    [this.before, this.last, this.time] = [this.time, now, time];
    this.there = this.there.filter(({number}) => Math.floor(number / this.count) >= oldest);
    for (let burst = Math.max(oldest, this.next); now && burst < behind; burst++) {
      if (this.once && burst > this.first) break;
      const place = this.placeAt(burst / this.rate, last, now);
      for (let k = 0; place.acts && k < this.count; k++) this.there.push(this.shoot(burst * this.count + k, place));
    }
    this.next = Math.max(behind, this.first);
  }

  placeNow({poses, velocities, alive, acting}) {
    if (!this.owners.every(({slot}) => alive[slot])) return null;
    const ends = [], moving = [];
    for (const {slot, point, center} of this.owners) {
      const [x, y, angle] = poses.subarray(3 * slot, 3 * slot + 3), [vx, vy, omega] = velocities.subarray(3 * slot, 3 * slot + 3);
      const c = Math.cos(angle), s = Math.sin(angle), [px, py] = point ?? center, [cx, cy] = [px - center[0], py - center[1]];
      ends.push([x + c * px - s * py, y + s * px + c * py]);
      moving.push([vx - omega * (s * cx + c * cy), vy + omega * (c * cx - s * cy)]);
    }
    return {ends, moving, acts: this.gate < 0 || acting[this.gate] !== 0};
  }

  // Between two moments it acts as at the first of them; before all it moved as it does now.
  placeAt(time, last, now) {
    if (!last) return {...now, ends: now.ends.map(([x, y], k) => between([x, y], [x - now.moving[k][0], y - now.moving[k][1]], this.time - time))};
    const part = (time - this.before) / (this.time - this.before), all = (a, b) => a.map((each, k) => between(each, b[k], part));
    return {ends: all(last.ends, now.ends), moving: all(last.moving, now.moving), acts: last.acts};
  }

  shoot(number, {ends, moving}) {
    const draw = (k) => drawnOf(this.number, 3 * number + k), share = draw(0), speed = this.speed * (0.6 + 0.4 * draw(1));
    const [a, b] = [ends[0], ends.at(-1)], long = Math.hypot(b[0] - a[0], b[1] - a[1]), isLine = long > 0;
    const [x, y] = isLine ? [-(b[1] - a[1]) / long, (b[0] - a[0]) / long] : [1, 0];
    const turn = (2 * draw(2) - 1) * (isLine ? this.spread : Math.PI), c = Math.cos(turn), s = Math.sin(turn);
    const [vx, vy] = between(moving[0], moving.at(-1), share);
    return {number, start: between(a, b, share), velocity: [vx + speed * (c * x - s * y), vy + speed * (s * x + c * y)]};
  }

  // Of each the row of its look, its place and its age in lives.
  *places(time) {
    for (const {number, start: [x, y], velocity: [vx, vy]} of this.there) {
      const far = Math.max(0, time - Math.floor(number / this.count) / this.rate);
      yield [this.number, x + far * vx, y + far * vy, Math.min(1, far / this.life)];
    }
  }
}

class Particles {
  constructor(given) { this.emitting = given.map((each, number) => new Emitting(each, number)); }

  follow(moment) { for (const each of this.emitting) each.follow(moment); }

  at(moment) {
    this.follow(moment);
    return this.emitting.flatMap((each) => [...each.places(moment.time)]);
  }
}
