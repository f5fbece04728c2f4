// SPDX-License-Identifier: MIT
// The grid: places are snapped to its lines, and to corners, edges and middles of what is there.

class Grid {
  constructor(editor) {
    Object.assign(this, {editor, on: true, step: 0, origin: [0, 0], others: true, ruler: true, overview: true, hint: null});
  }

  // The distance of two lines: what the user gave, else what suits the zoom.
  get spacing() { return this.step || roundStep(GRID_LEAST / this.editor.view.scale); }

  // How fine lengths are written: to a pixel of the screen, which places of the grid and of others fit in.
  get pixel() { return 10 ** Math.floor(Math.log10(1 / this.editor.view.scale)); }

  // A place at the corner, edge or middle of something near, else at the grid.
  snapped(raw, {off = false, skip = new Set()} = {}) {
    this.hint = null;
    if (off) return raw;
    if (this.others) {
      const near = this.nearPlace(raw, skip);
      if (near) {
        this.hint = near;
        return near.map(clean);
      }
    }
    return this.on ? raw.map((part, i) => toNearest(part, this.spacing, this.origin[i])) : raw;
  }

  nearPlace([x, y], skip) {
    let best = null, nearest = SNAP / this.editor.view.scale;
    for (const [px, py, row] of this.places()) {
      if (skip.has(row)) continue;
      const away = Math.hypot(px - x, py - y);
      if (away < nearest) [best, nearest] = [[px, py], away];
    }
    return best;
  }

  // Places to snap to of all that is there, found once for a source.
  places() {
    const {source, view} = this.editor;
    if (this.found?.source === source && this.found.pose === source.moment.pose) return this.found.places;
    const {moment} = source, places = [];
    source.data.bodies.forEach((_, row) => {
      if (isThere(moment, row)) for (const [x, y] of holdsOf(source.sketch, moment, view, row)) places.push([x, y, row]);
    });
    for (const joint of source.data.joints) {
      const [x, y] = placed(moment, joint.b, ...joint.anchorB);
      places.push([x, y, joint.b]);
    }
    this.found = {source, pose: moment.pose, places};
    return places;
  }

  // By how much what is held is moved: to a place near, or so that the first origin is on the grid.
  move(act, p) {
    const {source, view} = this.editor, by = minus(p.raw, act.from.raw);
    this.hint = null;
    if (p.alt) return by;
    if (this.others && act.rows.size <= 20) {
      act.holds ??= [...act.rows].flatMap((row) => holdsOf(source.sketch, source.moment, view, row)).slice(0, 80);
      let best = null, nearest = SNAP / view.scale;
      for (const hold of act.holds) {
        const place = plus(hold, by), near = this.nearPlace(place, act.rows);
        if (near && apartOf(near, place) < nearest) [best, nearest] = [[near, minus(near, hold)], apartOf(near, place)];
      }
      if (best) {
        [this.hint] = best;
        return best[1];
      }
    }
    if (!this.on) return by;
    const row = this.editor.rowOf(act.object.name), [x, y] = act.poses.get(row) ?? [0, 0];
    return [x, y].map((part, i) => toNearest(part + by[i], this.spacing, this.origin[i]) - part);
  }
}
