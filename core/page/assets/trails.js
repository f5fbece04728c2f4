// SPDX-License-Identifier: MIT
// Trails: the positions that core/render/marks/trails.py keeps, and the lines through them.

const MOST_KEPT = 4000, FADES = 120;

class Walks {
  constructor() { this.of = new Map(); }

  add(row, time, x, y) {
    if (!this.of.has(row)) this.of.set(row, []);
    const places = this.of.get(row);
    while (places.length && places.at(-1)[0] >= time) places.pop();
    places.push([time, x, y]);
  }

  // The new positions of a moment; later ones were on another way.
  take({time, trails}) {
    for (const places of this.of.values()) {
      while (places.length && places.at(-1)[0] > time) places.pop();
      if (places.length > MOST_KEPT) places.splice(0, places.length - MOST_KEPT);
    }
    for (let i = 0; i < trails.length; i += 4) this.add(...trails.subarray(i, i + 4));
  }

  // The positions of a body between two times, the first one between two of them if need be.
  between(row, from, to, now) {
    const places = this.of.get(row);
    let low = 0, high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle][0] <= from) low = middle + 1; else high = middle;
    }
    const found = [];
    for (let i = Math.max(low - 1, 0); i < places.length && places[i][0] < to; i++) found.push(places[i]);
    found.push(...now);
    if (found.length > 1 && found[0][0] < from) found[0] = onWay(found[0], found[1], from);
    return found.length && found[0][0] < from ? [] : found;
  }
}

const onWay = ([t, x, y], [later, right, up], time) => {
  const part = (time - t) / (later - t);
  return [time, x + part * (right - x), y + part * (up - y)];
};

// Points for a line that fades from one to the next: about as many in any equal time.
function evenPoints(places) {
  if (places.length === 0) return [];
  const piece = (places.at(-1)[0] - places[0][0]) / FADES, points = [places[0].slice(1)];
  for (let i = 1; i < places.length; i++) {
    const [a, b] = [places[i - 1], places[i]], long = b[0] - a[0];
    const count = piece > 0 ? Math.floor(long / piece + 0.5) : 1;
    for (let k = 1; k < count; k++) points.push(onWay(a, b, a[0] + long * k / count).slice(1));
    points.push(b.slice(1));
  }
  return points;
}
