// SPDX-License-Identifier: MIT
// A run that is in the page: its frames, and moments between two of them.

class Film {
  constructor(data, arrays) {
    this.data = data;
    this.sketch = new Sketch(data, arrays);
    const get = (name) => arrays.get(name);
    this.times = get("times").data;
    this.moments = arrays.has("moment.time") ? get("moment.time").data : this.times;  // frames, and others between them
    this.rows = Array.from(this.times, (time) => lowest(this.moments, 0, this.moments.length, time));
    this.steps = get("steps").data;
    [this.begin, this.end] = [this.times[0], this.times[this.times.length - 1]];
    this.place = get("place");
    this.angle = get("angle");
    this.velocity = get("velocity");
    this.omega = get("omega");
    this.state = get("state").data;
    this.whole = get("joint.whole").data;
    this.force = get("joint.force").data;
    this.acting = get("acting").data;
    this.energy = get("energy").data;
    this.shifts = data.pools ? get("pool.shift").data : [];
    this.views = ["scale", "x", "y"].map((name) => get(`view.${name}`).data);
    const center = get("center").data, n = data.bodies.length;
    this.centers = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      this.centers[2 * i] = center[i];
      this.centers[2 * i + 1] = center[n + i];
    }
    if (data.contacts) this.readContacts(get);
    if (data.probes) this.readSights(get);
    if (data.channels.length) this.channels = get("channels").data;
    if (data.channels.length) this.channelSpans = [get("channel.least").data, get("channel.most").data];
    if (data.energySpans) this.energySpans = [get("energy.least").data, get("energy.most").data];
    if (data.loads) this.loadSpans = [get("joint.least").data, get("joint.most").data];
    this.spriteItems = get("sprite.item").data;
    this.spriteShown = get("sprite.shown").data;
    this.noteText = get("note.text").data;
    this.notePlace = get("note.place").data;
    this.noteValue = get("note.value");
    if (data.notes.some(({kind}) => kind === "plot")) this.peaks = ["count", "time", "value"].map((name) => get(`peak.${name}`));
    if (data.emitters.length) this.readSparks(get);
    this.walks = new Walks();
    const rows = get("trail.row").data, times = get("trail.time").data, places = get("trail.place").data;
    rows.forEach((row, i) => this.walks.add(row, times[i], places[i], places[rows.length + i]));
    this.marks = data.marks;
    this.sounds = data.sounds;
    this.moment = {
      pose: new Float64Array(3 * n), velocity: new Float64Array(3 * n), state: new Uint8Array(n),
      whole: new Uint8Array(data.joints.length), force: new Float64Array(3 * data.joints.length),
      acting: new Uint8Array(data.actuators.length), energy: [0, 0], contacts: null, sights: [], view: {}, sprites: new Map(),
      shifts: new Float64Array(2 * data.pools),
    };
  }

  get frames() { return this.times.length; }

  readContacts(get) {
    const counts = get("contact.count").data, bodies = get("contact.bodies").data;
    const place = get("contact.place"), normal = get("contact.normal"), force = get("contact.force").data;
    const total = place.rows;
    this.contactStarts = new Int32Array(counts.length + 1);
    counts.forEach((count, i) => { this.contactStarts[i + 1] = this.contactStarts[i] + count; });
    const woven = (kind, data, step) => {
      const list = new kind(2 * total);
      for (let i = 0; i < total; i++) {
        list[2 * i] = data[i] * step;
        list[2 * i + 1] = data[total + i] * step;
      }
      return list;
    };
    this.contacts = {
      bodies: woven(Int32Array, bodies, 1), places: woven(Float64Array, place.data, place.step),
      normals: woven(Float32Array, normal.data, normal.step), forces: woven(Float32Array, force, 1),
      separations: get("contact.separation").data,
    };
  }

  readSights(get) {
    const counts = get("sight.count").data;
    this.sights = get("sight.number").data;
    this.sightStarts = new Int32Array(counts.length + 1);
    counts.forEach((count, i) => { this.sightStarts[i + 1] = this.sightStarts[i] + count; });
  }

  // The last frame that begins at a time or before, the next one, and how far on the time is towards it.
  locate(time, times = this.times) {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time) low = middle; else high = middle - 1;
    }
    const next = Math.min(low + 1, times.length - 1);
    const part = next > low ? clamp((time - times[low]) / (times[next] - times[low]), 0, 1) : 0;
    return [low, next, part];
  }

  // The same, with a time that is all but the next frame's taken for that.
  near(time, times) {
    const [row, next, part] = this.locate(time, times);
    return part > 1 - 1e-6 ? [next, next, 0] : [row, next, part];
  }

  at(time) {
    const [row, next, part] = this.near(time), between = this.near(time, this.moments);
    const {moment, frames, data} = this, n = data.bodies.length, m = this.moments.length;
    moment.time = time;
    moment.step = this.steps[row];
    const place = this.place.data, angle = this.angle.data, vel = this.velocity.data, omega = this.omega.data;
    const stays = [this.rows[row], this.rows[row], 0];
    for (let i = 0, k = 0; i < n; i++, k += 3) {
      const a = i * frames + row, y = a + n * frames;
      // What is not there in one of the two frames does not move between them.
      const [from, to, move] = this.state[a] & this.state[a + next - row] & THERE ? between : stays;
      const x = i * m, high = x + n * m;
      moment.pose[k] = (place[x + from] + move * (place[x + to] - place[x + from])) * this.place.step;
      moment.pose[k + 1] = (place[high + from] + move * (place[high + to] - place[high + from])) * this.place.step;
      moment.pose[k + 2] = (angle[x + from] + move * (angle[x + to] - angle[x + from])) * this.angle.step;
      moment.velocity[k] = vel[a] * this.velocity.step;
      moment.velocity[k + 1] = vel[y] * this.velocity.step;
      moment.velocity[k + 2] = omega[a] * this.omega.step;
      moment.state[i] = this.state[a];
    }
    for (let i = 0; i < moment.whole.length; i++) moment.whole[i] = this.whole[i * frames + row];
    for (let i = 0; i < moment.force.length; i++) moment.force[i] = this.force[i * frames + row];
    for (let i = 0; i < moment.acting.length; i++) moment.acting[i] = this.acting[i * frames + row];
    moment.energy[0] = this.energy[row];
    moment.energy[1] = this.energy[frames + row];
    for (let i = 0; i < moment.shifts.length; i++) {
      const now = this.shifts[i * frames + row];
      moment.shifts[i] = now + part * (this.shifts[i * frames + next] - now);
    }
    this.setView(moment, ...between);
    this.spriteItems.forEach((item, i) => moment.sprites.set(item, this.spriteShown[i * frames + row]));
    if (data.notes.length) moment.notes = this.notesAt(row, next, between);
    if (this.sparks) moment.sparks = this.sparksAt(time);
    if (this.sights) moment.sights = this.sights.subarray(this.sightStarts[row], this.sightStarts[row + 1]);
    if (this.contacts) {
      const [from, to] = [this.contactStarts[row], this.contactStarts[row + 1]], {bodies, places, normals, forces, separations} = this.contacts;
      moment.contacts = {
        count: to - from, bodies: bodies.subarray(2 * from, 2 * to), places: places.subarray(2 * from, 2 * to),
        normals: normals.subarray(2 * from, 2 * to), forces: forces.subarray(2 * from, 2 * to),
        separations: separations.subarray(from, to),
      };
    }
    return moment;
  }

  notesAt(row, next, [from, to, part]) {
    const {frames, noteText, notePlace, data} = this, m = this.moments.length, found = [];
    data.notes.forEach((look, i) => {
      const number = noteText[i * frames + row], places = [];
      if (number === 0) return;
      const moves = noteText[i * frames + next] > 0 ? part : 0, first = moves ? from : this.rows[row];
      const between = (list, k) => {
        const at = list[k * m + first], then = list[k * m + to];
        return Number.isFinite(then) ? at + moves * (then - at) : at;
      };
      for (let k = 8 * i; k < 8 * i + 8; k++) if (Number.isFinite(notePlace[k * m + first])) places.push(between(notePlace, k));
      found.push({look, text: data.texts[number - 1], places});
    });
    return found;
  }

  // ---------------------------------------------------------------- particles, and plots in the picture

  readSparks(get) {
    const counts = get("spark.count").data, number = get("spark.number").data, place = get("spark.place"), velocity = get("spark.velocity");
    const total = number.length;
    let first = 0;
    this.sparks = this.data.emitters.map((emitter, i) => {
      const range = {...emitter, first, end: first + counts[i]};
      first = range.end;
      return range;
    });
    Object.assign(this.sparks, {number, total, place, velocity, found: new Float64Array(256)});
  }

  // Those that are there at a time: the burst k of an emitter came at k / rate, and its particles fly straight on.
  sparksAt(time) {
    const {number, total, place, velocity} = this.sparks;
    let count = 0;
    this.sparks.forEach(({rate, count: many, life, first, end}, row) => {
      const oldest = Math.floor((time - life) * rate + 1e-6) + 1, newest = Math.floor(time * rate + 1e-6);
      for (let i = lowest(number, first, end, many * oldest); i < end && number[i] < many * (newest + 1); i++, count++) {
        if (4 * count === this.sparks.found.length) this.sparks.found = longer(this.sparks.found);
        const far = Math.max(0, time - Math.floor(number[i] / many) / rate), at = 4 * count, {found} = this.sparks;
        found[at] = row;
        found[at + 1] = place.data[i] * place.step + far * velocity.data[i] * velocity.step;
        found[at + 2] = place.data[total + i] * place.step + far * velocity.data[total + i] * velocity.step;
        found[at + 3] = Math.min(1, far / life);
      }
    });
    return {count, numbers: this.sparks.found};
  }

  plotted(look, time) {
    const [until] = this.locate(time);
    this.samples ??= this.samplesOfPlots();
    return plottedOf(look, (i) => this.samples[i], until);
  }

  samplesOfPlots() {
    const [counts, times, values] = this.peaks;
    const rowOf = ({rows, columns, data}, row) => Array.from({length: columns}, (_, column) => data[column * rows + row]);
    let peak = 0;
    return boundsOf(Array.from(this.times, (time, row) => {
      const peaks = Array.from({length: counts.data[row]}, () => ({time: times.data[peak], values: rowOf(values, peak++)}));
      return {time, values: rowOf(this.noteValue, row), peaks};
    }));
  }

  setView(moment, row, next, part) {
    const rests = this.views[0].length === 1;
    ["scale", "x", "y"].forEach((name, i) => {
      const list = this.views[i];
      moment.view[name] = rests ? list[0] : list[row] + part * (list[next] - list[row]);
    });
  }

  step(time, count) {
    const [row, , part] = this.locate(time + 1e-9 * (this.end - this.begin));
    const target = count < 0 && part > 1e-6 ? row + 1 + count : row + count;
    return this.times[clamp(target, 0, this.frames - 1)];
  }

  // Frames go by evenly, so that slow motion of the scene is slow motion here.
  advance(time, seconds) {
    const [row, , part] = this.locate(time), place = row + part + seconds * this.data.fps;
    if (place >= this.frames - 1) return this.end;
    const low = Math.floor(place);
    return this.times[low] + (place - low) * (this.times[low + 1] - this.times[low]);
  }

  trail(body, from, to) {
    const {pose, state} = this.moment, now = [to, pose[3 * body], pose[3 * body + 1]];
    const there = state[body] & THERE ? [now] : [];
    if (this.walks.of.has(body)) return evenPoints(this.walks.between(body, from, to, there));
    const places = [], {data, step} = this.place, {moments, frames} = this, m = moments.length, column = body * m;
    const other = (this.data.bodies.length + body) * m, [first] = this.locate(from, moments), [last] = this.locate(to, moments);
    for (let row = Math.max(first, last - 600), frame = this.locate(moments[row])[0]; row <= last; row++) {
      while (this.rows[frame + 1] <= row) frame++;
      if (moments[row] >= from && this.state[body * frames + frame] & THERE) places.push([moments[row], data[column + row] * step, data[other + row] * step]);
    }
    return evenPoints([...places, ...there]);
  }

  // ---------------------------------------------------------------- what can be plotted

  quantities() {
    const {bodies, joints, channels, known} = this.data, found = [];
    if (known.energy) found.push({owner: "world", kind: "world", names: ["kinetic", "potential", "energy"]});
    for (const {name} of bodies) found.push({owner: name, kind: "body", names: ["x", "y", "angle", "vx", "vy", "speed", "omega"]});
    for (const {name} of known.forces ? joints : []) found.push({owner: name, kind: "joint", names: ["force", "torque"]});
    const recorded = new Map();
    for (const channel of channels) {
      const dot = channel.lastIndexOf("."), owner = channel.slice(0, dot);
      if (!recorded.has(owner)) recorded.set(owner, []);
      recorded.get(owner).push(channel.slice(dot + 1));
    }
    for (const [owner, names] of recorded) found.push({owner: `recorded ${owner}`, label: `${owner} (recorded)`, kind: "recorded", names});
    return found;
  }

  series(owner, quantity) {
    const {frames, data} = this;
    let values, spans = null;
    const fill = (value) => { values = Float64Array.from({length: frames}, (_, row) => value(row)); };
    const span = (lists, column) => { spans = lists.map((list) => list.subarray(column * frames, (column + 1) * frames)); };
    if (owner === "world") {
      const kinetic = (row) => this.energy[row], potential = (row) => this.energy[frames + row];
      fill({kinetic, potential, energy: (row) => kinetic(row) + potential(row)}[quantity]);
      if (data.energySpans) span(this.energySpans, ["kinetic", "potential", "energy"].indexOf(quantity));
    } else if (owner.startsWith("recorded ")) {
      const column = data.channels.indexOf(`${owner.slice(9)}.${quantity}`);
      fill((row) => this.channels[column * frames + row]);
      span(this.channelSpans, column);
    } else {
      const body = data.bodies.findIndex(({name}) => name === owner), joint = data.joints.findIndex(({name}) => name === owner);
      fill(body >= 0 ? this.ofBody(body, quantity) : this.ofJoint(joint, quantity));
      if (joint >= 0 && joint < data.loads) span(this.loadSpans, 2 * joint + (quantity === "torque"));
    }
    return spans ? this.spread(values, ...spans) : {times: this.times, values};
  }

  // Three points a frame: between it and the one before the least and the greatest value there, in the
  // order in which the line reaches them, where they lie beyond it.
  spread(values, least, most) {
    const times = new Float64Array(3 * this.frames), found = new Float64Array(3 * this.frames);
    values.forEach((now, row) => {
      const last = row ? values[row - 1] : now, time = this.times[row], before = row ? this.times[row - 1] : time;
      const low = Math.min(now, last), high = Math.max(now, last), step = (time - before) / 3;
      const lowest = least[row] < low ? least[row] : null, highest = most[row] > high ? most[row] : null;
      const between = now >= last ? [lowest, highest] : [highest, lowest];
      between.forEach((value, k) => {
        times[3 * row + k] = before + (k + 1) * step;
        found[3 * row + k] = value ?? last + (k + 1) / 3 * (now - last);
      });
      [times[3 * row + 2], found[3 * row + 2]] = [time, now];
    });
    return {times, values: found};
  }

  ofBody(body, quantity) {
    const {frames} = this, at = body * frames, y = (this.data.bodies.length + body) * frames;
    const {place, angle, velocity, omega, rows} = this, m = this.moments.length, x = body * m, high = x + this.data.bodies.length * m;
    const vx = (row) => velocity.data[at + row] * velocity.step, vy = (row) => velocity.data[y + row] * velocity.step;
    const value = {
      x: (row) => place.data[x + rows[row]] * place.step, y: (row) => place.data[high + rows[row]] * place.step,
      angle: (row) => angle.data[x + rows[row]] * angle.step, vx, vy,
      speed: (row) => Math.hypot(vx(row), vy(row)), omega: (row) => omega.data[at + row] * omega.step,
    }[quantity];
    return (row) => (this.state[at + row] & THERE ? value(row) : NaN);
  }

  ofJoint(joint, quantity) {
    const {frames, force} = this, part = (k, row) => force[(3 * joint + k) * frames + row];
    const value = quantity === "torque" ? (row) => part(2, row) : (row) => Math.hypot(part(0, row), part(1, row));
    return (row) => (this.whole[joint * frames + row] ? value(row) : NaN);
  }
}

async function begin() {
  const data = JSON.parse(find("rigid-data").textContent);
  const bytes = await inflate(find("rigid-film").textContent);
  const player = new Player(new Film(data, new Arrays(data.arrays, bytes)));
  if (data.variants) await showVariants(player);
  const first = data.bodies.find(({kind}) => kind === "dynamic") ?? data.bodies[0];
  if (data.variants) addFarthest(player);
  else if (data.known.energy) player.plots.add("world", ["kinetic", "potential", "energy"]);
  else player.plots.add(first.name, ["x", "y"]);
  listenToKeys(player);
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches && !location.hash.includes("still")) player.play();
  window.rigid = {player};
}

begin().catch((error) => {
  const note = find("note");
  note.hidden = false;
  note.textContent = `The run cannot be shown: ${error.message}`;
  throw error;
});
