// SPDX-License-Identifier: MIT
// Vectors of mechanics, free-body diagrams and scale bars of a live page, as annotation_vectors.py,
// side_by_side.py and annotation_places.py of core/render/marks have them. The worker finds them.

const SIGNS = ["∥", "⊥"], ALIGNED = 2e-3, GAP_SHARES = [0.48, 0.51], BORDER = 0.03, LEAST_SHARE = 0.5 / 8;
const SIDE_BY_SIDE = 8, PARALLEL = 0.06, TINY = 1e-300;
const ACROSS = {normal: [1, 0], friction: [0, 1], both: [1, 1]};

// A magnitude with about three digits, and its unit.
function measured(size, unit) {
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const number = (size >= 0.0995 && size < 1e6) || size === 0 ? fixed(size, digits) : general(size, 2, false);
  return `${number} ${unit}`.trimEnd();
}

// given: the vectors, free bodies and scale bars of core/live/vectors.py.
class Vectors {
  constructor({watched, way, size, unit}) {
    Object.assign(this, {way, size, unit, speeds: new Map(watched.map((slot) => [slot, null])), step: -1, dt: 1});
  }

  // After each step: how the velocities of those that accelerations need have changed in it.
  follow(world) {
    if (!this.speeds.size) return;
    const {velocities, stepCount: step} = world, passed = step - this.step;
    this.dt = world.dt;
    for (const [slot, before] of this.speeds) {
      const now = [velocities[3 * slot], velocities[3 * slot + 1]], knows = before && passed > 0;
      const change = knows ? now.map((each, k) => (each - before.now[k]) / (passed * this.dt)) : passed === 0 ? before?.change ?? null : null;
      this.speeds.set(slot, {now, change});
    }
    this.step = step;
  }

  // `moment` has poses, velocities, alive, joints, contacts, acting, view and value(place).
  see(moment) {
    const {view} = moment, [wide, high] = this.size, corners = [[0, 0], [wide, high]].map(([px, py]) => [(px - view.x) / view.scale, (py - view.y) / (view.scale * this.way)]);
    const box = [0, 1].map((k) => [Math.min(corners[0][k], corners[1][k]), Math.max(corners[0][k], corners[1][k])]);
    const side = Math.min(...box.map(([low, high]) => high - low));
    Object.assign(this, {moment, inner: box.map(([low, high]) => [low + BORDER * side, high - BORDER * side]), least: LEAST_SHARE * side, pixel: this.unit / view.scale});
  }

  // The rows [text, places, tone, thin] of an annotation.
  rows(each, text) {
    if (each.kind === "scale_bar") return [[`${each.scale} ${each.look.unit}`, [], "ink", false]];
    const arrows = each.kind === "free_body" ? this.freeBody(each) : this.vector(each, text);
    return arrows.filter(({places}) => places.every(Number.isFinite)).map(({text: said, places, tone, thin}) => [said, places, tone, thin]);
  }

  vector(each, text) {
    const found = this.found(each);
    if (!found) return [];
    const name = each.show ? text || each.look.symbol : text, [first, ...others] = this.arrow(each, ...found, each.look, name);
    return [each.show ? first : {...first, text}, ...others];
  }

  freeBody(each) {
    const {body, center, at, weight, joints, pushes} = each, {alive, poses, value, acting} = this.moment, found = [];
    if (!alive[body]) return [];
    const add = (place, vector, look, name) => { if (Math.hypot(...vector) > 0) found.push(...this.arrow(each, at ?? place, vector, look, name)); };
    const middle = placedBy(poses, body, center);
    add(middle, weight.map((part) => part * value(each.weighs)), each.looks.weight, "W");
    const pressing = this.pressing(body), several = pressing.size > 1;
    const named = [...pressing].map(([slot, sums]) => [each.names[slot] ?? "", sums]).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [other, {place, push, rub}] of named) {
      add(place, push, each.looks.normal, several ? `N ${other}` : "N");
      add(place, rub, each.looks.friction, several ? `f ${other}` : "f");
    }
    for (const joint of joints) {
      const acts = this.ofJoint(joint);
      if (acts) add(...acts, each.looks.joint, joint.name);
    }
    for (const {name, actuator, force, point, turns} of pushes) {
      if (!acting[actuator]) continue;
      const angle = turns ? poses[3 * body + 2] : 0, c = Math.cos(angle), s = Math.sin(angle);
      add(point ? placedBy(poses, body, point) : middle, [c * force[0] - s * force[1], s * force[0] + c * force[1]], {...each.looks.joint, tone: "pull"}, name);
    }
    const beside = sideBySide(found, SIDE_BY_SIDE * this.pixel);
    return at ? [...beside, {text: "", places: at, tone: "ink", thin: false}] : beside;
  }

  // An arrow with its text, and then its components.
  *arrow(each, start, vector, look, name) {
    const scale = each.scale ?? look.scale, size = Math.hypot(...vector);
    const part = ([x, y], text, thin) => ({places: this.within(start, [scale * x, scale * y], look.unit), text, tone: look.tone, thin});
    yield part(vector, this.shown(each, name, size, look), false);
    if (each.components === null) return;
    const angle = each.components.slot === undefined ? each.components.angle : this.moment.poses[3 * each.components.slot + 2];
    const ways = [[Math.cos(angle), Math.sin(angle)], [-Math.sin(angle), Math.cos(angle)]];
    for (const [k, [ex, ey]] of ways.entries()) {
      const along = vector[0] * ex + vector[1] * ey, share = size > 0 ? Math.abs(along) / size : 0;
      if (!(share > ALIGNED && share < 1 - 0.5 * ALIGNED * ALIGNED)) continue;
      yield part([along * ex, along * ey], this.shown(each, name ? name + SIGNS[k] : "", Math.abs(along), look), true);
    }
  }

  shown({show, kind}, name, size, {unit}) {
    const what = show || (kind === "free_body" ? "name" : ""), value = measured(size, unit);
    return what === "both" ? (name ? `${name} = ${value}` : value) : {name, value}[what] ?? "";
  }

  // The ends of an arrow; of one that would leave the picture, and those of its gap. One without a unit is as long as it is.
  within(start, way, unit) {
    const share = unit ? this.shareInside(start, way) : 1, at = (part) => start.map((each, k) => each + part * way[k]);
    return share < 1 ? [...start, ...GAP_SHARES.flatMap((part) => at(part * share)), ...at(share)] : [...start, ...at(1)];
  }

  shareInside(start, way) {
    let share = 1;
    for (const [k, [low, high]] of this.inner.entries()) {
      if (!(start[k] >= low && start[k] <= high)) return 1;
      if (way[k]) share = Math.min(share, ((way[k] > 0 ? high : low) - start[k]) / way[k]);
    }
    return Math.min(Math.max(share, this.least / Math.max(Math.hypot(...way), TINY)), 1);
  }

  // Returns the origin and the value of a vector; null if its body does not exist.
  found(each) {
    const {poses, alive, value} = this.moment, {what, body, center, point} = each;
    if (what === "expressions") {
      const start = each.at ?? (alive[each.follow.slot] ? placedBy(poses, each.follow.slot, each.follow.point ?? [0, 0]) : null);
      return start && [start, each.lines.map(value)];
    }
    if (what === "joint") return this.ofJoint(each.joint);
    if (!alive[body]) return null;
    const middle = placedBy(poses, body, center), start = point ? placedBy(poses, body, point) : middle;
    if (what === "pressed") return this.pressed(each, middle);
    if (what === "weight") return [start, each.weight.map((part) => part * value(each.weighs))];
    const vector = what === "motion" ? this.speeds.get(body)?.change : this.velocity(body, center, point), mass = each.mass < 0 ? 1 : value(each.mass);
    return vector ? [start, vector.map((part) => mass * part)] : null;
  }

  // The velocity of the centre of mass of a body, or of a point of it.
  velocity(body, center, point) {
    const {velocities, poses} = this.moment, [vx, vy, omega] = velocities.subarray(3 * body, 3 * body + 3);
    if (!point) return [vx, vy];
    const [cx, cy] = placedBy(poses, body, center), [px, py] = placedBy(poses, body, point);
    return [vx - omega * (py - cy), vy + omega * (px - cx)];
  }

  // The force of a joint on one of its bodies, at its anchor there; null where it is broken.
  ofJoint({row, body, anchor, isFirst}) {
    const {joints, poses, alive} = this.moment, sign = isFirst ? -1 : 1;
    if (joints[4 * row + 3] !== 0 || !alive[body]) return null;
    return [placedBy(poses, body, anchor), [sign * joints[4 * row], sign * joints[4 * row + 1]]];
  }

  // By the bodies that a body touches: the middle of the touching points, by their forces, and the sums of these.
  pressing(body) {
    const {contacts} = this.moment, by = new Map();
    for (let i = 0; i < contacts.length; i += 9) {
      const [a, b, x, y, nx, ny, force, friction] = contacts.subarray(i, i + 9);
      if (a !== body && b !== body) continue;
      const other = b === body ? a : b, sign = b === body ? 1 : -1, sums = by.get(other) ?? {points: [], push: [0, 0], rub: [0, 0]};
      by.set(other, sums);
      sums.points.push([x, y, Math.abs(force)]);
      sums.push = [sums.push[0] + sign * force * nx, sums.push[1] + sign * force * ny];
      sums.rub = [sums.rub[0] + sign * friction * ny, sums.rub[1] - sign * friction * nx];
    }
    for (const sums of by.values()) {
      const all = sums.points.reduce((sum, [, , share]) => sum + share, 0), shareOf = (share) => (all > 0 ? share / all : 1 / sums.points.length);
      sums.place = [0, 1].map((k) => sums.points.reduce((sum, point) => sum + shareOf(point[2]) * point[k], 0));
    }
    return by;
  }

  // The sum of the forces of touching points, of all or of those with one body.
  pressed({body, other, parts, isWhole}, middle) {
    const pressing = this.pressing(body);
    if (other !== null && !pressing.has(other)) return null;
    const found = other !== null ? [pressing.get(other)] : [...pressing.values()], [push, rub] = ACROSS[parts];
    const sum = [0, 1].map((k) => found.reduce((all, each) => all + push * each.push[k] + rub * each.rub[k], 0));
    if (isWhole || !found.length) return [middle, sum];
    const sizes = found.map((each) => Math.hypot(...each.push) + TINY), total = sizes.reduce((all, each) => all + each, 0);
    return [[0, 1].map((k) => found.reduce((all, each, i) => all + sizes[i] * each.place[k], 0) / total), sum];
  }
}

// Arrows of one diagram at least `apart` from those that are parallel and would lie on each other.
function sideBySide(parts, apart) {
  const arrows = [];
  let way = [0, 0];
  return parts.map((part) => {
    if (part.places.length > 2 && !part.thin) {
      const ends = [part.places.slice(0, 2), part.places.slice(-2)];
      way = wayAside(ends, arrows, apart);
      arrows.push(ends.map(([x, y]) => [x + way[0], y + way[1]]));
    }
    return part.places.length > 2 ? {...part, places: part.places.map((each, k) => each + way[k % 2])} : part;
  });
}

// The shortest way across an arrow that takes it off others.
function wayAside([start, tip], arrows, apart) {
  const direction = ([[ax, ay], [bx, by]]) => [(bx - ax) / Math.max(Math.hypot(bx - ax, by - ay), TINY), (by - ay) / Math.max(Math.hypot(bx - ax, by - ay), TINY), Math.hypot(bx - ax, by - ay)];
  const [ux, uy, long] = direction([start, tip]), taken = [];
  if (!(long > 0)) return [0, 0];
  for (const other of arrows) {
    const [vx, vy, reach] = direction(other);
    if (!(reach > 0) || Math.abs(ux * vy - uy * vx) > PARALLEL) continue;
    const places = other.map(([x, y]) => [(x - start[0]) * ux + (y - start[1]) * uy, ux * (y - start[1]) - uy * (x - start[0])]);
    const [first, last] = [Math.min(places[0][0], places[1][0]), Math.max(places[0][0], places[1][0])];
    if (Math.min(last, long) - Math.max(first, 0) > 0.5 * apart) taken.push(0.5 * (places[0][1] + places[1][1]));
  }
  const rank = (side) => Math.abs(side) - (side < 0 ? 0.5 * apart : 0);
  const sides = [0, ...taken.flatMap((place) => [place + apart, place - apart])].sort((a, b) => rank(a) - rank(b) || a - b);
  const side = sides.find((each) => taken.every((place) => Math.abs(each - place) > 0.999 * apart)) ?? 0;
  return [-uy * side, ux * side];
}
