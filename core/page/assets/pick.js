// SPDX-License-Identifier: MIT
// What is under a point of the picture, and what there is to say of it.

const NEAR = 10;  // pixels

// {kind: body, joint or contact, index} or null. Pins of joints go before bodies, contacts before all.
function pick(source, moment, view, shown, px, py) {
  const contact = pickContact(moment, view, shown, px, py);
  if (contact) return contact;
  const {data, sketch} = source;
  let best = null, nearest = NEAR;
  data.joints.forEach((joint, index) => {
    if (!moment.whole[index] || !isThere(moment, joint.a) || !isThere(moment, joint.b)) return;
    for (const [body, anchor] of [[joint.a, joint.anchorA], [joint.b, joint.anchorB]]) {
      const [x, y] = placed(moment, body, ...anchor), away = Math.hypot(view.x(x) - px, view.y(y) - py);
      if (away < nearest) [best, nearest] = [{kind: "joint", index}, away];
    }
  });
  if (best) return best;
  const item = sketch.items.findLast((each) => isAt(sketch, each, moment, view, px, py));
  if (!item) return null;
  return item.joint >= 0 ? {kind: "joint", index: item.joint} : {kind: "body", index: item.body};
}

// The index of the topmost body, also below joints; -1 for none.
function pickBody({sketch}, moment, view, px, py) {
  const item = sketch.items.findLast((each) => !(each.joint >= 0) && isAt(sketch, each, moment, view, px, py));
  return item ? item.body : -1;
}

function isAt(sketch, item, moment, view, px, py) {
  return sketch.isShown(item, moment) && holds(sketch, item, moment, view, px, py);
}

function pickContact(moment, view, shown, px, py) {
  const {contacts} = moment;
  if (!contacts || !["contacts", "normals", "forces", "depths", "body_forces"].some((name) => shown.has(name))) return null;
  let best = null, nearest = NEAR;
  for (let i = 0; i < contacts.count; i++) {
    const at = [contacts.places[2 * i], contacts.places[2 * i + 1]];
    const away = Math.hypot(view.x(at[0]) - px, view.y(at[1]) - py);
    if (away < nearest) {
      const bodies = [contacts.bodies[2 * i], contacts.bodies[2 * i + 1]];
      [best, nearest] = [{kind: "contact", index: i, bodies, at}, away];
    }
  }
  return best;
}

function pixelsOf(item, moment, view) {
  return pairs(item.local).map(([x, y], i) => {
    const [sx, sy] = placed(moment, item.owners[i], x, y);
    return [view.x(sx), view.y(sy)];
  });
}

function holds(sketch, item, moment, view, px, py) {
  if (item.single && item.kind !== "half_plane") {
    const k = 3 * item.owners[0], reach = item.reach * view.scale + sketch.size(item.radius, view) + NEAR;
    const away = Math.max(Math.abs(view.x(moment.pose[k]) - px), Math.abs(view.y(moment.pose[k + 1]) - py));
    if (!(away <= reach)) return false;
  }
  const points = pixelsOf(item, moment, view), radius = sketch.size(item.radius, view);
  if (item.kind === "half_plane") return holdsHalf(points, px, py);
  if (item.kind === "quad") return holdsQuad(points, px, py);
  if (item.kind === "polygon" && isInside(points, px, py)) return true;
  const least = item.kind === "polygon" || item.kind === "circle" ? 2 : 5;
  const ends = item.kind === "polygon" || item.kind === "loop" ? [...points, points[0]] : points;
  return distance(ends, px, py) <= Math.max(radius, least);
}

function holdsHalf([[ax, ay], [bx, by], [cx, cy]], px, py) {
  const side = (x, y) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  return side(px, py) * side(cx, cy) >= 0;
}

function holdsQuad([[x, y], [rx, ry], [bx, by]], px, py) {
  const part = (ex, ey) => ((px - x) * ex + (py - y) * ey) / (ex * ex + ey * ey);
  const across = part(rx - x, ry - y), down = part(bx - x, by - y);
  return across >= 0 && across <= 1 && down >= 0 && down <= 1;
}

function isInside(points, px, py) {
  let inside = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[i], [bx, by] = points[j];
    if ((ay > py) !== (by > py) && px < ax + (bx - ax) * (py - ay) / (by - ay)) inside = !inside;
  }
  return inside;
}

function distance(points, px, py) {
  let least = Infinity;
  points.forEach(([bx, by], i) => {
    const [ax, ay] = points[Math.max(i - 1, 0)], square = (bx - ax) ** 2 + (by - ay) ** 2;
    const t = square > 0 ? clamp(((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / square, 0, 1) : 0;
    least = Math.min(least, Math.hypot(ax + t * (bx - ax) - px, ay + t * (by - ay) - py));
  });
  return least;
}

// The box round a body in pixels.
function boxOf(sketch, moment, view, body) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const item of sketch.items) {
    if (item.joint >= 0 || item.body !== body) continue;
    const radius = sketch.size(item.radius, view);
    for (const [x, y] of pixelsOf(item, moment, view)) {
      box[0] = Math.min(box[0], x - radius);
      box[1] = Math.min(box[1], y - radius);
      box[2] = Math.max(box[2], x + radius);
      box[3] = Math.max(box[3], y + radius);
    }
  }
  if (box[0] <= box[2]) return box.map((edge) => clamp(edge, -1e4, 1e5));
  const x = view.x(moment.pose[3 * body]), y = view.y(moment.pose[3 * body + 1]);
  return [x - 5, y - 5, x + 5, y + 5];
}

// ---------------------------------------------------------------- what there is to say

const written = (value) => {
  if (!Number.isFinite(value)) return "–";
  if (value === 0 || Math.abs(value) < 1e-9) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
};

const nameOf = (source, body) => (body < 0 ? "world" : source.data.bodies[body]?.name ?? "?");

// [label, value, unit] for each line of the panel.
function facts(source, moment, selection) {
  const {kind, index} = selection, {data} = source, {length, time} = data.units, newton = data.units.of.force;
  if (kind === "body") {
    const body = data.bodies[index], k = 3 * index, {pose, velocity, state} = moment;
    if (!isThere(moment, index)) return [["kind", body.kind, ""], ["state", "not there now", ""]];
    const speed = Math.hypot(velocity[k], velocity[k + 1]);
    const lines = [
      ["kind", body.kind, ""],
      ["x", written(pose[k]), length], ["y", written(pose[k + 1]), length],
      ["angle", written(pose[k + 2] * 180 / Math.PI), "°"],
    ];
    if (body.kind === "static") return lines;
    lines.push(
      ["vx", written(velocity[k]), `${length}/${time}`], ["vy", written(velocity[k + 1]), `${length}/${time}`],
      ["speed", written(speed), `${length}/${time}`], ["omega", written(velocity[k + 2]), `rad/${time}`]);
    if (body.mass !== undefined) lines.push(["mass", written(body.mass), "kg"]);
    if (body.kind === "dynamic") lines.push(["state", state[index] & AWAKE ? "awake" : "asleep", ""]);
    return lines;
  }
  if (kind === "joint") {
    const joint = data.joints[index], k = 3 * index;
    const lines = [
      ["kind", joint.kind, ""],
      ["between", `${nameOf(source, joint.a)} and ${nameOf(source, joint.b)}`, ""],
    ];
    if (!moment.whole[index]) return [...lines, ["state", "not there now", ""]];
    if (data.known?.forces === false) return lines;
    const [fx, fy, torque] = [moment.force[k], moment.force[k + 1], moment.force[k + 2]];
    return [...lines, ["force", written(Math.hypot(fx, fy)), newton], ["force x", written(fx), newton],
      ["force y", written(fy), newton], ["torque", written(torque), data.units.of.torque]];
  }
  const contact = contactNow(moment, selection);
  const lines = [["between", selection.bodies.map((body) => nameOf(source, body)).join(" and "), ""]];
  if (contact < 0) return [...lines, ["state", "they do not touch now", ""]];
  const {places, normals, forces} = moment.contacts;
  selection.at = [places[2 * contact], places[2 * contact + 1]];
  return [...lines,
    ["x", written(places[2 * contact]), length], ["y", written(places[2 * contact + 1]), length],
    ["normal", `${written(normals[2 * contact])}, ${written(normals[2 * contact + 1])}`, ""],
    ["normal force", written(forces[2 * contact]), newton], ["friction", written(forces[2 * contact + 1]), newton]];
}

// A contact is known again by its bodies and by lying nearest to where it was.
function contactNow(moment, {bodies, at}) {
  let best = -1, nearest = Infinity;
  for (let i = 0; moment.contacts && i < moment.contacts.count; i++) {
    const {bodies: both, places} = moment.contacts;
    if (both[2 * i] !== bodies[0] || both[2 * i + 1] !== bodies[1]) continue;
    const away = Math.hypot(places[2 * i] - at[0], places[2 * i + 1] - at[1]);
    if (away < nearest) [best, nearest] = [i, away];
  }
  return best;
}

function titleOf(source, {kind, index, bodies}) {
  if (kind === "body") return source.data.bodies[index].name;
  if (kind === "joint") return source.data.joints[index].name;
  return "Contact";
}
