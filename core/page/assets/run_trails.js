// SPDX-License-Identifier: MIT
// Positions of bodies with trails at all steps, for run_worker.js, of which core/render/marks/trails.py says which are kept.

class Path {
  constructor() { this.begin(null); }

  begin(place) { Object.assign(this, {start: place, last: place, free: [-Infinity, Infinity, -Infinity, Infinity]}); }

  // Takes the next position; the one that is kept because of it, or null.
  add(place, near) {
    const [time, x, y] = place;
    if (!this.start || time <= this.last[0]) {  // the first, or the run was rewound
      this.begin(place);
      return place;
    }
    const {last, start} = this, isKept = start !== last && !this.reaches(place);
    if (isKept) this.begin(last);
    const [t, sx, sy] = this.start, part = 1 / (time - t), [left, right, low, high] = this.free;
    this.free = [Math.max(left, (x - sx - near) * part), Math.min(right, (x - sx + near) * part),
      Math.max(low, (y - sy - near) * part), Math.min(high, (y - sy + near) * part)];
    this.last = place;
    return isKept ? last : null;
  }

  reaches([time, x, y]) {
    const [t, sx, sy] = this.start, vx = (x - sx) / (time - t), vy = (y - sy) / (time - t), [left, right, low, high] = this.free;
    return left <= vx && vx <= right && low <= vy && vy <= high;
  }
}

class Trails {
  constructor({rows, near}) { Object.assign(this, {rows, near, paths: rows.map(() => new Path()), found: []}); }

  // After a step; slots are those of the rows.
  follow(time, {poses, alive}, slots) {
    this.rows.forEach((row, i) => {
      const slot = slots[row];
      if (!alive[slot]) return;
      const kept = this.paths[i].add([time, poses[3 * slot], poses[3 * slot + 1]], this.near);
      if (kept) this.found.push(row, ...kept);
    });
  }

  // The newly kept positions: row, time, x and y of each.
  take() {
    const {found} = this;
    this.found = [];
    return found;
  }
}
