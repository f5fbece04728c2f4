// What can be laid over a picture, drawn anew for each moment from its numbers. How long arrows are
// is as in core/render/overlays.py and thrust.py.

const OVERLAYS = [
  ["contacts", "Contacts", "c"], ["joints", "Joints", "j"], ["velocities", "Velocities", "v"],
  ["forces", "Forces", "f"], ["trails", "Trails", "t"], ["names", "Names", "n"], ["grid", "Grid", "g"],
  ["time", "Clock", "k"],
];
const VELOCITY_SECONDS = 0.2, TRAIL_SECONDS = 1;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

class Overlays {
  constructor(source) { this.source = source; }

  // scene: {context, ratio, moment, view, size, colors, shown: Set, time}
  drawBelow(scene) {
    if (scene.shown.has("grid")) this.drawGrid(scene);
    this.drawTrails(scene);
    this.drawFlames(scene);
  }

  drawAbove(scene) {
    const {shown} = scene;
    if (shown.has("joints")) this.drawJoints(scene);
    if (shown.has("velocities")) this.drawVelocities(scene);
    if (scene.moment.contacts && (shown.has("contacts") || shown.has("normals"))) this.drawContacts(scene);
    if (shown.has("forces")) this.drawForces(scene);
    if (shown.has("names")) this.drawNames(scene);
    if (shown.has("time")) this.drawClock(scene);
    if (scene.moment.notes?.length) this.drawNotes(scene);
  }

  drawGrid({context, view, size, colors}) {
    const step = gridStep(view.scale, 64 * view.unit), letters = 9.5 * view.unit;
    const [x0, ya] = view.back(0, 0), [x1, yb] = view.back(...size);
    const [y0, y1] = [Math.min(ya, yb), Math.max(ya, yb)];
    const lines = (low, high) => {
      const first = Math.ceil(low / step), count = clamp(Math.floor(high / step) - first + 1, 0, 400);
      return Array.from({length: count}, (_, k) => first + k);
    };
    const label = (k) => String(Number((k * step).toPrecision(6)));
    context.font = `${letters}px ${FONT}`;
    context.textAlign = "left";
    context.textBaseline = "top";
    const rule = (k, ax, ay, bx, by) => {
      context.strokeStyle = k === 0 ? colors.axis : colors.grid;
      context.lineWidth = (k === 0 ? 1.8 : 1) * view.unit;
      context.beginPath();
      context.moveTo(ax, ay);
      context.lineTo(bx, by);
      context.stroke();
    };
    for (const k of lines(x0, x1)) rule(k, view.x(k * step), 0, view.x(k * step), size[1]);
    for (const k of lines(y0, y1)) rule(k, 0, view.y(k * step), size[0], view.y(k * step));
    context.fillStyle = colors.quiet;
    for (const k of lines(x0, x1)) {
      context.fillText(label(k), view.x(k * step) + 3 * view.unit, size[1] - 1.5 * letters);
    }
    for (const k of lines(y0, y1)) {
      const y = view.y(k * step) + 2 * view.unit;
      if (y < size[1] - 3 * letters) context.fillText(label(k), 3 * view.unit, y);
    }
  }

  drawTrails({context, moment, view, colors, shown, ratio}) {
    const {bodies, units} = this.source.data, brush = new Brush(context, ratio), all = shown.has("trails");
    bodies.forEach((body, row) => {
      if (body.trail === undefined && !(all && body.kind === "dynamic")) return;
      const length = body.trail ?? TRAIL_SECONDS * units.second;
      const places = this.source.trail(row, moment.time - length, moment.time), points = [];
      for (let i = 0; i < places.length; i += 2) points.push([view.x(places[i]), view.y(places[i + 1])]);
      if (points.length > 1) drawFade(brush, points, 1.4 * view.unit, colorOf(body, row, colors));
    });
  }

  drawJoints({context, moment, view, colors, ratio}) {
    const {data} = this.source, brush = new Brush(context, ratio), {unit} = view;
    data.joints.forEach((joint, j) => {
      if (!moment.whole[j]) return;
      const tips = [[joint.a, joint.anchorA], [joint.b, joint.anchorB]].map(([body, anchor]) => {
        const [x, y] = placed(moment, body, ...anchor), tip = [view.x(x), view.y(y)];
        if (body >= 0 && data.bodies[body].kind !== "static") {
          const [mx, my] = centerOf(this.source, moment, body);
          brush.strokeWith(faded(colors.pull, 0.8), 1.2 * unit);
          context.beginPath();
          trace(context, [[view.x(mx), view.y(my)], tip], false);
          context.stroke();
        }
        return tip;
      });
      for (const [x, y] of tips) dot(brush, x, y, 2.2 * unit, colors.pull);
      const fx = moment.force[3 * j], fy = moment.force[3 * j + 1], force = Math.hypot(fx, fy);
      if (force > 0) {
        const long = Math.min(14 * unit * Math.sqrt(force / data.weight), 70 * unit) / force;
        this.drawArrow(brush, tips[1], fx * long, view.way * fy * long, colors.push, unit);
      }
    });
  }

  drawVelocities({context, moment, view, colors, size, ratio}) {
    const brush = new Brush(context, ratio), {data} = this.source;
    const long = VELOCITY_SECONDS * data.units.second * view.scale, most = 0.25 * Math.max(...size);
    data.bodies.forEach((body, row) => {
      if (body.hidden || body.kind === "static" || !isThere(moment, row)) return;
      const [x, y] = centerOf(this.source, moment, row);
      const vx = moment.velocity[3 * row] * long, vy = moment.velocity[3 * row + 1] * long * view.way;
      const share = Math.min(1, most / Math.hypot(vx, vy));
      this.drawArrow(brush, [view.x(x), view.y(y)], vx * share, vy * share, colors.velocity, view.unit);
    });
  }

  drawContacts({context, moment, view, colors, shown, ratio}) {
    const brush = new Brush(context, ratio), {unit} = view, {count, places, normals, forces} = moment.contacts;
    for (let i = 0; i < count; i++) {
      const x = view.x(places[2 * i]), y = view.y(places[2 * i + 1]);
      const nx = normals[2 * i], ny = normals[2 * i + 1] * view.way;
      if (shown.has("normals")) this.drawArrow(brush, [x, y], 20 * unit * nx, 20 * unit * ny, colors.normal, unit);
      if (!shown.has("contacts")) continue;
      const force = Math.abs(forces[2 * i]) / this.source.data.weight;
      const long = Math.min(14 * unit * Math.sqrt(force), 70 * unit);
      if (long >= 1) {
        brush.strokeWith(colors.contact, 1.4 * unit);
        context.beginPath();
        trace(context, [[x - nx * long, y - ny * long], [x + nx * long, y + ny * long]], false);
        context.stroke();
      }
      dot(brush, x, y, 2.4 * unit, colors.paper);
      dot(brush, x, y, 1.6 * unit, colors.contact);
    }
  }

  // Where each force of an actuator acts, and along what, in pixels.
  *forces(moment, view, kinds) {
    const {data} = this.source;
    for (let a = 0; a < data.actuators.length; a++) {
      const {kind, visible, force, bodies, at} = data.actuators[a], size = Math.hypot(...force);
      if (!visible || !kinds.includes(kind) || !moment.acting[a] || !(size > 0)) continue;
      const long = 14 * view.unit * Math.sqrt(size / data.weight) / size;
      for (const body of bodies) {
        if (!isThere(moment, body)) continue;
        const [x, y] = at ? placed(moment, body, ...at) : centerOf(this.source, moment, body);
        let [fx, fy] = force;
        if (kind === "thruster") {
          const turn = moment.pose[3 * body + 2], c = Math.cos(turn), s = Math.sin(turn);
          [fx, fy] = [c * fx - s * fy, s * fx + c * fy];
        }
        yield [[view.x(x), view.y(y)], fx * long, view.way * fy * long];
      }
    }
  }

  drawFlames({context, moment, view, ratio}) {
    const brush = new Brush(context, ratio);
    for (const [[sx, sy], dx, dy] of this.forces(moment, view, ["thruster"])) {
      const size = Math.hypot(dx, dy), x = -dx / size, y = -dy / size;
      const long = clamp(1.3 * size, 7 * view.unit, 80 * view.unit);
      for (const [part, color] of [[1, "#f0862f"], [0.55, "#ffdc7a"]]) {
        const wide = 0.2 * part * long;
        brush.fillWith(color);
        context.beginPath();
        trace(context, [[sx - wide * y + 0.3 * wide * x, sy + wide * x + 0.3 * wide * y], [sx, sy],
          [sx + wide * y + 0.3 * wide * x, sy - wide * x + 0.3 * wide * y],
          [sx + part * long * x, sy + part * long * y]], true);
        context.fill();
      }
    }
  }

  drawForces({context, moment, view, colors, ratio}) {
    const brush = new Brush(context, ratio), {unit} = view;
    for (const [start, dx, dy] of this.forces(moment, view, ["thruster", "force"])) {
      const share = Math.min(1, 80 * unit / Math.hypot(dx, dy));
      this.drawArrow(brush, start, dx * share, dy * share, colors.push, unit);
    }
    // What contacts press with, on the first body from the second.
    const {contacts} = moment;
    for (let i = 0; contacts && i < contacts.count; i++) {
      const force = Math.abs(contacts.forces[2 * i]) / this.source.data.weight;
      const long = Math.min(14 * unit * Math.sqrt(force), 70 * unit);
      const x = view.x(contacts.places[2 * i]), y = view.y(contacts.places[2 * i + 1]);
      const nx = contacts.normals[2 * i] * long, ny = contacts.normals[2 * i + 1] * view.way * long;
      this.drawArrow(brush, [x, y], nx, ny, colors.push, unit);
      this.drawArrow(brush, [x, y], -nx, -ny, colors.push, unit);
    }
  }

  drawArrow(brush, [x, y], dx, dy, color, unit) {
    if (!(Math.hypot(dx, dy) >= 2)) return;
    drawArrow(brush, [[x, y], [x + dx, y + dy]], {radius: 0.8 * unit, a: 7 * unit, b: 3.2 * unit}, color);
  }

  drawNames({context, moment, view, colors, size}) {
    context.font = `${Math.max(11 * view.unit, 11)}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3 * view.unit;
    context.strokeStyle = colors.paper;
    context.fillStyle = colors.ink;
    let left = 400;
    this.source.data.bodies.forEach((body, row) => {
      if (body.hidden || !isThere(moment, row) || left <= 0) return;
      const x = view.x(moment.pose[3 * row]), y = view.y(moment.pose[3 * row + 1]);
      if (!(x > 0 && x < size[0] && y > 0 && y < size[1])) return;
      left--;
      context.strokeText(body.name, x, y);
      context.fillText(body.name, x, y);
    });
  }

  drawClock({context, moment, view, colors}) {
    context.font = `${13 * view.unit}px ${FONT}`;
    context.textAlign = "left";
    context.textBaseline = "top";
    context.fillStyle = colors.quiet;
    const seconds = moment.time / this.source.data.units.second;
    context.fillText(`${seconds.toFixed(2)} s`, 9 * view.unit, 9 * view.unit);
  }

  // ---------------------------------------------------------------- the scene's annotations

  // As core/render/annotations.py has them; plots in the picture are left to the plots below it.
  drawNotes(scene) {
    const {view, size, shown, colors} = scene, {unit} = view, rows = new Map();
    if (shown.has("time")) rows.set("top_left", 22 * unit);
    for (const {look, text, places} of scene.moment.notes) {
      const letters = look.size * unit, lines = text.split("\n"), high = 1.3 * letters * lines.length;
      const color = look.color ?? {vector: look.force ? colors.push : colors.velocity}[look.kind] ?? colors.ink;
      const points = pairs(places).map(([x, y]) => [view.x(x), view.y(y)]);
      if (look.kind === "vector") this.drawVector(scene, points, text, color, letters);
      else if (look.kind === "dimension") this.drawDimension(scene, points, text, color, letters);
      else if (look.corner) {
        const used = rows.get(look.corner) ?? 0, {corner} = look, edge = 9 * unit;
        const y = corner.startsWith("top") ? edge + used : corner === "center" ? 0.5 * (size[1] - high) + used : size[1] - edge - high - used;
        const align = corner.endsWith("left") ? "left" : corner.endsWith("right") ? "right" : "center";
        const x = {left: edge, right: size[0] - edge, center: 0.5 * size[0]}[align];
        lines.forEach((line, i) => this.write(scene, line, x, y + i * 1.3 * letters, color, letters, align));
        rows.set(corner, used + high + 0.5 * edge);
      } else {
        const [x, y] = points[0], top = look.above ? y - 7 * unit - high : y - 0.5 * high;
        lines.forEach((line, i) => this.label(scene, line, x, top + i * 1.3 * letters, color, letters));
      }
    }
  }

  write({context}, text, x, top, color, letters, align) {
    context.font = `${Math.round(letters)}px ${FONT}`;
    context.textAlign = align;
    context.textBaseline = "top";
    context.fillStyle = color;
    context.fillText(text, x, top);
  }

  // A line of text on a pale ground, to be read on any colour.
  label(scene, text, x, top, color, letters) {
    if (!text) return;
    const {context, ratio, colors} = scene, brush = new Brush(context, ratio), y = top + 0.62 * letters;
    context.font = `${Math.round(letters)}px ${FONT}`;
    const half = 0.5 * context.measureText(text).width;
    brush.strokeWith(faded(colors.paper, 0.72), 1.24 * letters);
    context.beginPath();
    trace(context, [[x - half, y], [x + half, y]], false);
    context.stroke();
    this.write(scene, text, x, top, color, letters, "center");
  }

  drawVector(scene, [start, tip], text, color, letters) {
    const {context, ratio, view: {unit}} = scene, dx = tip[0] - start[0], dy = tip[1] - start[1];
    const length = Math.hypot(dx, dy);
    if (!(length >= 2)) return;
    drawArrow(new Brush(context, ratio), [start, tip], {radius: 1.2 * unit, a: 9 * unit, b: 4.2 * unit}, color);
    context.font = `${Math.round(letters)}px ${FONT}`;
    const aside = 0.6 * letters + 0.5 * context.measureText(text).width;
    const y = tip[1] + dy / length * letters - 0.62 * letters;
    this.label(scene, text, tip[0] + dx / length * aside, y, color, letters);
  }

  drawDimension(scene, [first, last, from, to], text, color, letters) {
    const {context, ratio, view: {unit}} = scene, brush = new Brush(context, ratio);
    for (const [end, line] of [[first, from], [last, to]]) {
      if (Math.hypot(end[0] - line[0], end[1] - line[1]) < 0.5) continue;
      brush.strokeWith(faded(color, 0.5), 0.8 * unit);
      context.beginPath();
      trace(context, [end, line], false);
      context.stroke();
    }
    const middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    for (const end of [from, to]) drawArrow(brush, [middle, end], {radius: 0.5 * unit, a: 6 * unit, b: 2.4 * unit}, color);
    this.label(scene, text, middle[0], middle[1] - 0.62 * letters, color, letters);
  }
}

function gridStep(scale, wanted) {
  let step = 1;
  while (step * scale > wanted && step > 1e-12) step /= 10;
  while (step * scale * 10 <= wanted && step < 1e12) step *= 10;
  for (const factor of [1, 2, 5]) if (factor * step * scale >= wanted) return factor * step;
  return 10 * step;
}

function dot(brush, x, y, radius, color) {
  brush.fillWith(color);
  brush.context.beginPath();
  brush.context.arc(x, y, radius, 0, TURN);
  brush.context.fill();
}

function centerOf(source, moment, body) {
  const {centers} = source;
  return placed(moment, body, centers[2 * body], centers[2 * body + 1]);
}

const colorOf = (body, row, colors) => body.trailColor ?? colors.fills[colors.fillOf[row]] ?? colors.quiet;
