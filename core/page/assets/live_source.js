// SPDX-License-Identifier: MIT
// A run that is played elsewhere: the stage that the server told, and the moments that came since.
// The bytes of a moment are those of core/play/wire.py.

const HEAD = 96, NO_CONTACTS = 0xffffffff;
const KEPT_BYTES = 96 * 1024 * 1024;  // of moments, for plots and trails; then every other one goes

class LiveSource {
  static traces = [];  // the names of forces that the server counts, by their numbers

  constructor(stage, arrays) {
    Object.assign(this, {data: {...stage.data, channels: [], marks: [], known: {energy: true, forces: true}}, number: stage.number, world: stage.world});
    this.sketch = new Sketch(this.data, arrays);
    this.marks = [];
    this.grows = true;
    this.begin = 0;
    this.end = 0;
    this.past = [];
    this.bytes = 0;
    const {bodies, joints, actuators} = this.data;
    this.moment = {
      time: 0, step: 0, pose: new Float64Array(3 * bodies.length), velocity: new Float32Array(3 * bodies.length),
      state: new Uint8Array(bodies.length), whole: new Uint8Array(joints.length), force: new Float32Array(3 * joints.length),
      acting: new Uint8Array(actuators.length), energy: [0, 0], contacts: null, sights: [], targets: [], loads: [], traces: [],
      view: {scale: this.data.scale, x: 0, y: 0}, sprites: new Map(), shifts: new Float64Array(2 * this.data.pools),
    };
    this.centers = new Float64Array(2 * bodies.length);
    this.walks = new Walks();
  }

  // A moment as it came, or null where it is of another stage.
  read(buffer) {
    const doubles = new Float64Array(buffer, 0, 6), numbers = new Uint32Array(buffer, 48, 12);
    const [time, scale, x, y, kinetic, potential] = doubles;
    const [number, step, bodies, joints, actuators, contacts, sprites, sparks, values, targets, loads, traces] = numbers;
    if (number !== this.number) return null;
    let at = HEAD;
    const take = (kind, count) => {
      const found = new kind(buffer, at, count);
      at += count * kind.BYTES_PER_ELEMENT;
      return found;
    };
    const moment = {
      time, step, view: {scale, x, y}, energy: [kinetic, potential], contacts: null, sights: [],
      pose: take(Float64Array, 3 * bodies), targets: take(Float64Array, 3 * targets), values: take(Float64Array, values),
      shifts: take(Float64Array, 2 * this.data.pools), traces: take(Float64Array, 4 * traces),
      trails: take(Float64Array, 4 * take(Float64Array, 1)[0]),
      velocity: take(Float32Array, 3 * bodies), force: take(Float32Array, 3 * joints), loads: take(Float32Array, 4 * loads),
    };
    if (contacts !== NO_CONTACTS) {
      const [places, normals, forces] = [0, 1, 2].map(() => take(Float32Array, 2 * contacts));
      const separations = take(Float32Array, contacts);
      moment.contacts = {count: contacts, places, normals, forces, separations, bodies: take(Int32Array, 2 * contacts)};
    }
    const shown = take(Int32Array, 2 * sprites);
    moment.sprites = new Map(Array.from({length: sprites}, (_, i) => [shown[2 * i], shown[2 * i + 1]]));
    moment.sparks = {count: sparks, numbers: take(Float32Array, 4 * sparks)};
    if (this.data.probes) moment.sights = take(Float32Array, take(Uint32Array, 1)[0]);
    moment.state = take(Uint8Array, bodies);
    moment.whole = take(Uint8Array, joints);
    moment.acting = take(Uint8Array, actuators);
    moment.notes = at === buffer.byteLength ? [] : JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, at))).map(
      ([row, text, places, tone, thin]) => ({look: this.lookOf(row, tone, thin), text, places}));
    moment.size = buffer.byteLength;
    [moment.values, moment.peaks] = this.plottedOf(moment.values);
    return moment;
  }

  // How a part of an annotation looks; plots are told apart by their looks.
  lookOf(row, tone, thin) {
    const look = this.data.notes[row];
    return look.kind === "plot" ? look : {...look, tone, thin, of: look};
  }

  // The lines of all plots now, and then, with its time before, of each peak since the moment before.
  plottedOf(numbers) {
    const lines = this.data.notes.reduce((sum, {lines}) => sum + (lines ?? 0), 0), peaks = [];
    for (let at = lines; at < numbers.length; at += 1 + lines) {
      peaks.push({time: numbers[at], values: numbers.slice(at + 1, at + 1 + lines)});
    }
    return [numbers.slice(0, lines), peaks];
  }

  // The moment that is now; what was later on another way is forgotten.
  add(moment) {
    this.moment = moment;
    while (this.past.length && this.past.at(-1).time >= moment.time) this.bytes -= this.past.pop().size;
    Object.assign(moment, boundsWith(this.past.at(-1), moment));
    this.walks.take(moment);
    this.past.push(moment);
    this.bytes += moment.size;
    if (this.bytes > KEPT_BYTES) {
      this.past = this.past.filter((_, i) => i % 2 === 0 || i > this.past.length - 120);
      this.bytes = this.past.reduce((sum, each) => sum + each.size, 0);
    }
  }

  // Take over what came before the same bodies got other rows behind them. In another world it was otherwise.
  follow(other) {
    if (other.world !== this.world) [other.past, other.bytes] = [[], 0];
    const same = (a, b) => a.every((each, i) => each.name === b[i]?.name);
    if (!same(other.data.bodies, this.data.bodies) || !same(other.data.joints, this.data.joints)) return;
    [this.past, this.bytes, this.moment, this.end] = [other.past, other.bytes, other.at(), other.end];
    if (other.world === this.world) this.walks = other.walks;
    const grown = (list, count, kind) => {
      const longer = new kind(count);
      longer.set(list.subarray(0, count));
      return longer;
    };
    const n = this.data.bodies.length, m = this.data.joints.length, {moment} = this;
    this.moment = {...moment, pose: grown(moment.pose, 3 * n, Float64Array), velocity: grown(moment.velocity, 3 * n, Float32Array),
      state: grown(moment.state, n, Uint8Array), whole: grown(moment.whole, m, Uint8Array), force: grown(moment.force, 3 * m, Float32Array),
      acting: grown(moment.acting, this.data.actuators.length, Uint8Array), contacts: null};
  }

  // The moment, with what the tools hold elsewhere ({row: [x, y, angle]}) and what they hide.
  at() {
    if (!this.posed && !this.veiled?.size) return this.moment;
    const pose = this.moment.pose.slice(), state = this.moment.state.slice();
    for (const [row, place] of this.posed ?? []) pose.set(place, 3 * row);
    for (const row of this.veiled ?? []) state[row] |= UNSEEN;
    if (!this.veiled?.size) return {...this.moment, pose, state};
    const whole = this.moment.whole.slice();
    this.data.joints.forEach(({a, b}, i) => { if (this.veiled.has(a) || this.veiled.has(b)) whole[i] = 0; });
    return {...this.moment, pose, state, whole};
  }

  step(time, count) { return time + count * this.data.units.second / this.data.fps; }

  advance(time) { return time; }

  first(time) {
    let low = 0, high = this.past.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.past[middle].time < time) low = middle + 1; else high = middle;
    }
    return low;
  }

  trail(body, from, to) {
    const {pose, state, time} = this.moment, now = [time, pose[3 * body], pose[3 * body + 1]];
    const there = state[body] & THERE ? [now] : [];
    if (this.walks.of.has(body)) return evenPoints(this.walks.between(body, from, to, there));
    const places = [];
    for (let i = Math.max(this.first(from), this.past.length - 600); i < this.past.length && this.past[i].time <= to; i++) {
      const {pose: before, state: was, time: when} = this.past[i];
      if (was[body] & THERE) places.push([when, before[3 * body], before[3 * body + 1]]);
    }
    return evenPoints(places);
  }

  plotted(look, time) {
    const until = Math.min(this.first(time + 1e-12), this.past.length - 1);
    return plottedOf(look, (i) => this.past[i], until);
  }

  quantities() {
    const {bodies, joints, actuators, traced} = this.data, own = (name) => (traced[name] ? [traced[name]] : []);
    const forces = (kind) => (kind === "dynamic" ? ["contact_force", "net_force"] : ["contact_force"]);
    return [{owner: "world", kind: "world", names: ["kinetic", "potential", "energy"]},
      ...bodies.map(({name, kind}) => ({owner: name, kind: "body", names: ["x", "y", "angle", "vx", "vy", "speed", "omega", ...forces(kind)]})),
      ...joints.map(({name}) => ({owner: name, kind: "joint", names: ["force", "torque", ...own(name)]})),
      ...actuators.filter(({name}) => traced[name]).map(({name}) => ({owner: name, kind: "actuator", names: own(name)}))];
  }

  // Whether the server counts a quantity step by step where it is asked to, by its name.
  isTraced(owner, quantity) {
    return owner === "world" || this.data.traced[owner] === quantity || quantity === "contact_force" || quantity === "net_force";
  }

  // What it is, the least and the largest of it since the moment before; null where that is not known.
  traceOf({traces}, number) {
    for (let at = 0; at < traces.length; at += 4) if (traces[at] === number) return [traces[at + 1], traces[at + 2], traces[at + 3]];
    return null;
  }

  // The least and the largest load of a joint between two moments are inserted before the second.
  series(owner, quantity) {
    const read = this.reader(owner, quantity), ends = this.ends(owner, quantity);
    if (!ends) return {times: this.past.map((each) => each.time), values: this.past.map(read)};
    const times = [], values = [];
    this.past.forEach((moment, i) => {
      const {time} = moment, before = this.past[i - 1]?.time ?? time, [least, largest] = ends(moment), now = read(moment);
      if (largest > least && time > before && Number.isFinite(now)) {
        times.push(time - (time - before) * 2 / 3, time - (time - before) / 3);
        values.push(least, largest);
      }
      times.push(time);
      values.push(now);
    });
    return {times, values};
  }

  // Whether a plot of it needs what comes between moments, which the server then counts.
  ends(owner, quantity) {
    if (this.isTraced(owner, quantity)) return (moment) => this.traceOf(moment, LiveSource.traces.indexOf(`${owner}.${quantity}`))?.slice(1) ?? [0, 0];
    const joint = this.data.joints.findIndex(({name}) => name === owner), at = 4 * joint + (quantity === "torque" ? 2 : 0);
    return joint < 0 ? null : ({loads}) => (at + 1 < loads.length ? [loads[at], loads[at + 1]] : [0, 0]);
  }

  reader(owner, quantity) {
    if (owner !== "world" && this.isTraced(owner, quantity)) {
      return (moment) => this.traceOf(moment, LiveSource.traces.indexOf(`${owner}.${quantity}`))?.[0] ?? NaN;
    }
    if (owner === "world") {
      return {kinetic: ({energy}) => energy[0], potential: ({energy}) => energy[1], energy: ({energy}) => energy[0] + energy[1]}[quantity];
    }
    const body = this.data.bodies.findIndex(({name}) => name === owner), k = 3 * body;
    if (body >= 0) {
      const value = {
        x: ({pose}) => pose[k], y: ({pose}) => pose[k + 1], angle: ({pose}) => pose[k + 2],
        vx: ({velocity}) => velocity[k], vy: ({velocity}) => velocity[k + 1], omega: ({velocity}) => velocity[k + 2],
        speed: ({velocity}) => Math.hypot(velocity[k], velocity[k + 1]),
      }[quantity];
      return (moment) => (moment.state[body] & THERE ? value(moment) : NaN);
    }
    const joint = this.data.joints.findIndex(({name}) => name === owner), j = 3 * joint;
    const value = quantity === "torque" ? ({force}) => force[j + 2] : ({force}) => Math.hypot(force[j], force[j + 1]);
    return (moment) => (moment.whole[joint] ? value(moment) : NaN);
  }
}
