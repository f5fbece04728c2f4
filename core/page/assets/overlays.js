// SPDX-License-Identifier: MIT
// What can be laid over a picture, drawn anew for each moment from its numbers. How long arrows are
// is as in overlays.py and thrust.py of core/render/marks.

const OVERLAYS = [
  ["contacts", "Contacts", "c"], ["joints", "Joints", "j"], ["velocities", "Velocities", "v"],
  ["forces", "Forces", "f"], ["trails", "Trails", "t"], ["names", "Names", "n"], ["grid", "Grid", "g"],
  ["time", "Clock", "k"], ["depths", "Depths", "e"], ["limits", "Limits", "i"], ["errors", "Errors", "r"],
  ["joint_names", "Labels", "m"], ["parts", "Parts", "u"], ["body_forces", "Loads", "x"], ["probes", "Probes", "q"],
];
const OF_CONTACTS = ["contacts", "depths", "body_forces"];  // those that need the contacts of a moment
const VELOCITY_SECONDS = 0.2, TRAIL_SECONDS = 1;
const SHADES = 64;  // of a particle's colours during its life
// The font of pictures, as core/render/canvas/text.py has it, and those that look like it.
const FONT = "'DejaVu Sans', 'Bitstream Vera Sans', Verdana, 'Noto Sans', system-ui, sans-serif";
const EM = 0.92, LINE = 0.93;
const fontOf = (letters, family) => `${EM * letters}px ${family ? `"${family}", ` : ""}${FONT}`;

const loadedFonts = new Set();

// Have the scene's own fonts; each is there some moments later.
function loadFonts(fonts, changed) {
  for (const [family, text] of Object.entries(fonts)) {
    if (loadedFonts.has(family)) continue;
    loadedFonts.add(family);
    const face = new FontFace(family, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    face.load().then(() => { document.fonts.add(face); changed(); }, () => {});
  }
}

class Overlays {
  constructor(source) {
    this.source = source;
    this.notes = new Notes(source);
    this.labels = new Labels(source);
    this.mechanics = new Mechanics(source);
    this.minimap = source.data.minimap ? new Minimap(source) : null;
  }

  // Where in the picture something is already: the clock, and the minimap.
  taken(scene, whole = true) {
    const {unit} = scene.view, boxes = [];
    if (scene.shown.has("time")) boxes.push([0, 0, 89 * unit, 22.5 * unit]);
    if (whole && this.minimap) boxes.push(this.minimap.box(scene, boxes));
    return boxes;
  }

  // scene: {context, ratio, moment, view, size, colors, shown: Set, time}
  drawBelow(scene) {
    if (scene.shown.has("grid")) this.drawGrid(scene);
    this.drawTrails(scene);
    this.drawFlames(scene);
    if (scene.moment.sparks) this.drawSparks(scene);
  }

  drawAbove(scene) {
    const {shown} = scene;
    drawnArrows.length = 0;
    this.mechanics.drawBelow(scene);
    if (shown.has("joints")) this.drawJoints(scene);
    this.mechanics.drawAbove(scene);
    if (shown.has("velocities")) this.drawVelocities(scene);
    if (scene.moment.contacts && (shown.has("contacts") || shown.has("normals"))) this.drawContacts(scene);
    if (shown.has("forces")) this.drawForces(scene);
    if (shown.has("probes")) drawSights(scene, this.source.data.units.second);
    if (shown.has("time")) this.drawClock(scene);
    const taken = this.taken(scene), labels = scene.moment.notes?.length ? this.notes.draw(scene, taken) : [];
    if (shown.has("names")) labels.push(...this.names(scene));
    if (shown.has("joint_names")) labels.push(...this.mechanics.names(scene, this.labels));
    if (labels.length) this.labels.draw(scene, labels, taken);
    if (this.minimap) this.minimap.draw(scene, this.taken(scene, false));
  }

  drawGrid({context, view, size, colors}) {
    const step = gridStep(view.scale, 64 * view.unit), letters = 9.5 * view.unit;
    const [x0, ya] = view.back(0, 0), [x1, yb] = view.back(...size);
    const [y0, y1] = [Math.min(ya, yb), Math.max(ya, yb)];
    const lines = (low, high) => ticksOf(low, high, step), label = (k) => roundLabel(k * step);
    context.font = fontOf(letters, this.source.data.font);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
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
      context.fillText(label(k), view.x(k * step) + 3 * view.unit, size[1] - (1.5 - LINE) * letters);
    }
    for (const k of lines(y0, y1)) {
      const y = view.y(k * step) + 2 * view.unit;
      if (y < size[1] - 3 * letters) context.fillText(label(k), 3 * view.unit, y + LINE * letters);
    }
  }

  drawTrails({context, moment, view, colors, shown, ratio}) {
    const {bodies, units} = this.source.data, brush = new Brush(context, ratio), all = shown.has("trails");
    bodies.forEach((body, row) => {
      if (body.trail === undefined && !(all && body.kind === "dynamic")) return;
      const length = body.trail ?? TRAIL_SECONDS * units.second;
      const points = this.source.trail(row, moment.time - length, moment.time).map(([x, y]) => [view.x(x), view.y(y)]);
      if (points.length > 1) drawFade(brush, points, 1.4 * view.unit, colorOf(body, row, colors, this.source.data.backdrop));
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
      if (body.kind === "static" || !isSeen(moment, row)) return;
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
        if (!isThere(moment, body) || this.source.veiled?.has(body)) continue;
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

  // Particles, smaller and clearer with age, as core/render/particles.py has them.
  drawSparks({context, moment, view, size, ratio}) {
    const brush = new Brush(context, ratio), {emitters} = this.source.data, {count, numbers} = moment.sparks;
    for (let i = 0; i < 4 * count; i += 4) {
      const emitter = emitters[numbers[i]], x = view.x(numbers[i + 1]), y = view.y(numbers[i + 2]), age = numbers[i + 3];
      const radius = Math.max(0.5, (1 - 0.7 * age) * emitter.size * view.scale);
      if (!(x + radius >= 0 && x - radius <= size[0] && y + radius >= 0 && y - radius <= size[1])) continue;
      const color = (emitter.shades ??= this.shadesOf(emitter))[Math.round(age * SHADES)];
      if (radius < 1) brush.speck(x, y, 0.9 * radius, color);
      else dot(brush, x, y, radius, color);
    }
  }

  // An emitter's colours by age, as core/render/particles.py mixes them.
  shadesOf({colors}) {
    return Array.from({length: SHADES + 1}, (_, i) => {
      const age = i / SHADES, place = age * (colors.length - 1), first = Math.min(Math.trunc(place), colors.length - 1);
      const from = rgba(colors[first]), to = rgba(colors[Math.min(first + 1, colors.length - 1)]);
      const [r, g, b, a] = from.map((part, k) => part + (to[k] - part) * (place - first));
      return css([Math.round(r), Math.round(g), Math.round(b), a * (1 - age * age)]);
    });
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

  // The names of bodies, of those that move first.
  names(scene) {
    const {bodies, font} = this.source.data, look = {letters: Math.max(10.5 * scene.view.unit, 10), family: font, color: scene.colors.ink};
    const rows = bodies.map((_, row) => row).filter((row) => isSeen(scene.moment, row));
    const found = [];
    for (const isStatic of [false, true]) {
      for (const row of rows) {
        if ((bodies[row].kind === "static") !== isStatic || found.length >= 2 * MOST_NAMES) continue;
        const label = this.labels.nameOf(scene, row, bodies[row].name, look);
        if (label) found.push(label);
      }
    }
    return found;
  }

  drawClock({context, moment, view, colors}) {
    context.font = fontOf(13 * view.unit, this.source.data.font);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillStyle = colors.quiet;
    const seconds = moment.time / this.source.data.units.second;
    context.fillText(`${seconds.toFixed(2)} s`, 9 * view.unit, (9 + 13 * LINE) * view.unit);
  }
}

function gridStep(scale, wanted) {
  let step = 1;
  while (step * scale > wanted && step > 1e-12) step /= 10;
  while (step * scale * 10 <= wanted && step < 1e12) step *= 10;
  for (const factor of [1, 2, 5]) if (factor * step * scale >= wanted) return factor * step;
  return 10 * step;
}

// The multiples of a step between two numbers, at most 400.
function ticksOf(low, high, step) {
  const first = Math.ceil(low / step), count = clamp(Math.floor(high / step) - first + 1, 0, 400);
  return Array.from({length: count || 0}, (_, k) => first + k);
}

const roundLabel = (value) => String(Number(value.toPrecision(6)));

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

const colorOf = (body, row, colors, behind) => (body.trailColor && !behind ? readable(body.trailColor, colors.paper) : body.trailColor) ?? colors.fills[colors.fillOf[row]] ?? colors.quiet;
