// SPDX-License-Identifier: MIT
// The mechanics of a scene: limits and errors of joints, convex parts, depths of contacts and forces on bodies,
// as mechanics.py of core/render/marks draws them.

const LEAST = "#e8821e", MOST = "#8a4fc4", SECTOR = "#f2c230", ERROR = "#b0279f", PARTS = "#1d8f6a", START = "#2f6fb5", END = "#3d9a50";
const ARM = [22, 64], FORCE = 46, LONGEST = 150;

class Mechanics {
  constructor(source) { this.source = source; }

  drawBelow(scene) {
    if (scene.shown.has("parts")) this.drawParts(scene);
    if (scene.shown.has("limits")) this.drawLimits(scene);
  }

  drawAbove(scene) {
    const {shown} = scene;
    if (shown.has("errors")) this.drawErrors(scene);
    if (scene.moment.contacts && shown.has("depths")) this.drawDepths(scene);
    if (shown.has("body_forces")) this.drawBodyForces(scene);
  }

  line({context, ratio}, points, color, width, closed = false) {
    new Brush(context, ratio).strokeWith(color, width);
    context.beginPath();
    trace(context, points, closed);
    context.stroke();
  }

  dot({context, ratio}, [x, y], radius, color) { dot(new Brush(context, ratio), x, y, radius, color); }

  // ---------------------------------------------------------------- bodies and contacts

  drawParts(scene) {
    const {moment, view} = scene;
    this.source.data.bodies.forEach(({parts}, row) => {
      if (!parts || !isSeen(moment, row)) return;
      for (const part of parts) {
        const corners = pairs(part).map(([x, y]) => placed(moment, row, x, y)).map(([x, y]) => [view.x(x), view.y(y)]);
        this.line(scene, corners, PARTS, 1.4 * view.unit, true);
      }
    });
  }

  drawDepths(scene) {
    const {view} = scene, {count, places, normals, separations} = scene.moment.contacts;
    for (let i = 0; i < count; i++) {
      const [a, b] = [-0.5, 0.5].map((side) => [0, 1].map((k) => places[2 * i + k] + side * separations[i] * normals[2 * i + k]));
      const ends = [a, b].map(([x, y]) => [view.x(x), view.y(y)]);
      this.line(scene, ends, SECTOR, 2.2 * view.unit);
      ends.forEach((end, k) => this.dot(scene, end, 2 * view.unit, k ? END : START));
    }
  }

  drawBodyForces(scene) {
    const {moment, colors} = scene, {bodies} = this.source.data, {contacts} = moment;
    const moves = (row) => row >= 0 && bodies[row].kind === "dynamic" && isSeen(moment, row);
    bodies.forEach(({weight}, row) => {
      if (moves(row)) this.drawForce(scene, centerOf(this.source, moment, row), weight, colors.ink);
    });
    for (let i = 0; contacts && i < contacts.count; i++) {
      const at = [contacts.places[2 * i], contacts.places[2 * i + 1]];
      const nx = contacts.normals[2 * i], ny = contacts.normals[2 * i + 1], [push, rub] = [contacts.forces[2 * i], contacts.forces[2 * i + 1]];
      for (const [k, sign] of [[0, -1], [1, 1]]) {
        if (!moves(contacts.bodies[2 * i + k])) continue;
        this.drawForce(scene, at, [sign * push * nx, sign * push * ny], colors.contact);
        this.drawForce(scene, at, [sign * rub * ny, -sign * rub * nx], END);
      }
    }
  }

  drawForce({context, ratio, view}, [x, y], [fx, fy], color) {
    const {unit} = view, size = Math.hypot(fx, fy), long = Math.min(FORCE * unit * size / this.source.data.weight, LONGEST * unit);
    if (!(long >= 2)) return;
    const start = [view.x(x), view.y(y)], tip = [start[0] + fx / size * long, start[1] + view.way * fy / size * long];
    drawArrow(new Brush(context, ratio), [start, tip], {radius: unit, a: 7 * unit, b: 3.4 * unit}, color);
  }

  // ---------------------------------------------------------------- joints

  // The joints that hold, with their anchors in the world.
  *joints(moment) {
    const {joints} = this.source.data;
    for (let j = 0; j < joints.length; j++) {
      const joint = joints[j];
      if (!moment.whole[j] || !isThere(moment, joint.a) || !isThere(moment, joint.b)) continue;
      yield [j, joint, placed(moment, joint.a, ...joint.anchorA), placed(moment, joint.b, ...joint.anchorB)];
    }
  }

  drawLimits(scene) {
    for (const [, joint, first, last] of this.joints(scene.moment)) {
      if (joint.facts?.moves === "turn") this.drawSector(scene, joint, first);
      else if (joint.facts?.moves) this.drawRange(scene, joint, first, last);
    }
  }

  drawSector(scene, joint, [mx, my]) {
    const {moment, view, context} = scene, {unit} = view, {low, high} = joint.facts, {centers} = this.source;
    const angle = (body) => (body < 0 ? 0 : moment.pose[3 * body + 2]);
    const x = (joint.b < 0 ? 0 : centers[2 * joint.b]) - joint.anchorB[0], y = (joint.b < 0 ? 0 : centers[2 * joint.b + 1]) - joint.anchorB[1];
    const arm = Math.hypot(x, y) * view.scale, own = arm > 1 ? Math.atan2(y, x) : 0, long = clamp(arm, ARM[0] * unit, ARM[1] * unit);
    const start = angle(joint.a) + joint.reference + own, middle = [view.x(mx), view.y(my)];
    const tip = (turn) => [middle[0] + long * Math.cos(turn), middle[1] + view.way * long * Math.sin(turn)];
    if (low !== null && high !== null) {
      const span = Math.min(high - low, 2 * Math.PI), count = Math.max(Math.trunc(span * 30 / Math.PI) + 1, 2);
      const arc = Array.from({length: count + 1}, (_, i) => tip(start + low + span * i / count));
      new Brush(context, scene.ratio).fillWith(faded(SECTOR, 0.35));
      context.beginPath();
      trace(context, [middle, ...arc], true);
      context.fill();
    }
    this.line(scene, [middle, tip(angle(joint.b) + own)], END, 1.8 * unit);
    for (const [limit, color] of [[low, LEAST], [high, MOST]]) {
      if (limit !== null) this.line(scene, [middle, tip(start + limit)], color, 2.2 * unit);  // above the arm, which may rest there
    }
  }

  drawRange(scene, joint, first, last) {
    const {view} = scene, {unit} = view, {low, high} = joint.facts, [ux, uy] = this.direction(scene.moment, joint, first, last);
    const now = (last[0] - first[0]) * ux + (last[1] - first[1]) * uy, stop = 6 * unit;
    const far = [low ?? Math.min(now, high), high ?? Math.max(now, low), now];
    const [a, b, here] = far.map((each) => [view.x(first[0] + each * ux), view.y(first[1] + each * uy)]);
    this.line(scene, [a, b], faded(SECTOR, 0.9), 2.4 * unit);
    const nx = -uy * view.way * stop, ny = ux * stop;
    for (const [limit, [x, y], color] of [[low, a, LEAST], [high, b, MOST]]) {
      if (limit !== null) this.line(scene, [[x - nx, y - ny], [x + nx, y + ny]], color, 2.4 * unit);
    }
    this.dot(scene, here, 2.2 * unit, END);
  }

  drawErrors(scene) {
    const {view} = scene;
    for (const [, joint, first, last] of this.joints(scene.moment)) {
      const {holds, shortest, longest} = joint.facts ?? {};
      if (!holds) continue;
      let right = first;
      if (holds !== "point") {
        const [ux, uy] = this.direction(scene.moment, joint, first, last);
        let far = (last[0] - first[0]) * ux + (last[1] - first[1]) * uy;
        if (holds === "length") far = clamp(far, shortest, longest ?? Infinity);
        right = [first[0] + far * ux, first[1] + far * uy];
      }
      const ends = [right, last].map(([x, y]) => [view.x(x), view.y(y)]);
      this.line(scene, ends, ERROR, 2.2 * view.unit);
      this.dot(scene, ends[1], 1.7 * view.unit, ERROR);
    }
  }

  // The number and the name of each joint in the picture.
  *names(scene, labels) {
    const {view, colors, moment} = scene, look = {letters: Math.max(9.5 * view.unit, 11), family: this.source.data.font, color: colors.joint ?? colors.ink};
    let count = 0;
    for (const [j, joint, first, last] of this.joints(moment)) {
      const at = [view.x(0.5 * (first[0] + last[0])), view.y(0.5 * (first[1] + last[1]))];
      if (!labels.isIn(scene, at)) continue;
      yield labels.jointName(scene, `${j} ${joint.name}`, at, look);
      if (++count === MOST_NAMES) return;
    }
  }

  // The axis of a slide in the world, or the way from one end of a joint to the other.
  direction(moment, joint, first, last) {
    if (joint.facts.moves === "length" || joint.facts.holds === "length") {
      const x = last[0] - first[0], y = last[1] - first[1], long = Math.hypot(x, y);
      return long > 0 ? [x / long, y / long] : [1, 0];
    }
    const angle = joint.a < 0 ? 0 : moment.pose[3 * joint.a + 2], c = Math.cos(angle), s = Math.sin(angle);
    return [c * joint.axis[0] - s * joint.axis[1], s * joint.axis[0] + c * joint.axis[1]];
  }
}
