// SPDX-License-Identifier: MIT
// The worker of a live page: it steps the engine (rigid.js is before it) and tells the page each moment, as bytes of live_source.js.

const TICK = 1000 / 60, BUDGET = 45, TELL = 100, SEEK_BUDGET = 80;
const STATES_KEPT = 200, BYTES_KEPT = 256 * 2 ** 20, EVERY_STATE = 60;  // steps between saved states, at first
const SPARE_ROWS = 200;  // of bodies that are gone, besides as many as are there
const THERE_BIT = 1, AWAKE_BIT = 2, UNSEEN_BIT = 4, NO_POINTS = 0xffffffff, EVENTS_KEPT = 50, MOST_AT_ONCE = 16;  // sounds in one tick

// Saved states of the way up to now, the first of which is the beginning.
class History {
  constructor() { Object.assign(this, {states: [], every: EVERY_STATE}); }

  see(world) {
    const step = world.stepCount;
    if (this.states.length && step < this.states.at(-1).step + this.every) return;
    this.states.push({step, bytes: world.save()});
    while (this.isFull) {
      this.every *= 2;
      this.states = this.states.filter(({step: at}, i) => i === 0 || at % this.every === 0);
    }
  }

  // Whether there are too many states, or too many bytes of them; the first one stays.
  get isFull() {
    const size = this.states.reduce((sum, {bytes}) => sum + bytes.length, 0);
    return this.states.length > STATES_KEPT || (size > BYTES_KEPT && this.states.length > 1);
  }

  before(step) { return this.states.findLast(({step: at}) => at <= step); }

  forgetAfter(step) { this.states = this.states.filter(({step: at}) => at <= step); }
}

// The rows of the page: those of the scene's own bodies and joints, and one for each that was born and each piece.
class Cast {
  constructor(world, {bodies, joints, moulds, mouldOf, pieces, hidden}) {
    const own = Array.from({length: joints}, (_, slot) => slot);
    Object.assign(this, {world, moulds, mouldOf, pieceLooks: pieces, own: {bodies, joints: own}, slots: [...bodies], jointSlots: own, rowOf: new Map(), z: {}});
    this.known = new Map();  // births and pieces: the first row of a body and of a joint
    this.hidden = new Set(hidden);  // rows that are not seen before the script shows them
    this.mayChange = moulds.length > 0 || pieces.length > 0;
    this.count();
  }

  count() {
    this.rowOf = new Map(this.slots.map((slot, row) => [slot, row]));
    this.rowOf.delete(-1);
  }

  // Takes in what was born, broken and removed; what the page has to know of it, or null.
  follow() {
    const {births, pieces} = this.world, {slots, known} = this, there = births.reduce((sum, {bodies}) => sum + bodies.length, pieces.length);
    const rows = slots.length - this.own.bodies.length, fresh = rows > 2 * there + SPARE_ROWS;
    if (fresh) {
      known.clear();
      slots.length = this.own.bodies.length;
      this.jointSlots = [...this.own.joints];
      this.hidden = new Set([...this.hidden].filter((row) => row < slots.length));
    }
    slots.fill(-1, this.own.bodies.length);
    this.jointSlots.fill(-1, this.own.joints.length);
    const ids = this.moulds.length && births.length ? this.world.jointIds : [], added = [];
    for (const birth of births) this.take(birth, ids, added);
    for (const piece of pieces) this.takePiece(piece, added);
    this.count();
    return added.length || fresh ? {type: "rows", fresh, births: added} : null;
  }

  take(birth, ids, added) {
    const {slots, known} = this, number = this.mouldOf[birth.spawn], mould = this.moulds[number], key = `${birth.spawn} ${birth.count}`;
    let at = known.get(key);
    if (!at) {
      at = {body: slots.length, joint: this.jointSlots.length};
      known.set(key, at);
      const called = this.world.namesOf(birth);
      added.push({mould: number, names: called.bodies, joints: called.joints});
      called.bodies.forEach((name, k) => {
        this.z[name] = mould.z[k];
        if (mould.hidden[k]) this.hidden.add(at.body + k);
      });
    }
    birth.bodies.forEach((id, k) => { slots[at.body + k] = id < 0 ? -1 : id % 2 ** 32; });
    birth.joints.forEach((id, k) => { this.jointSlots[at.joint + k] = ids[id % 2 ** 32] === id ? id % 2 ** 32 : -1; });
  }

  // A piece has the number of its body; another one of its name, after other inputs, has another outline.
  takePiece(piece, added) {
    const key = piece.key ??= `${piece.name} ${piece.outlines.join(" ")}`, {slots, known} = this;
    let row = known.get(key);
    if (row === undefined) {
      row = slots.length;
      known.set(key, row);
      const {name, origin, outlines, pictures} = piece, root = name.replace(/(\.\d+)+$/, ""), number = this.pieceOf(root);
      added.push({piece: number, name, root, origin, outlines, pictures});
      this.z[name] = this.pieceLooks[number]?.z ?? 0;
      if (this.pieceLooks[number]?.hidden) this.hidden.add(row);
    }
    slots[row] = piece.id % 2 ** 32;
  }

  // The number of the look of a body's pieces.
  pieceOf(root) {
    return this.pieceLooks.findIndex(({name, spawn, part}) => {
      if (name !== undefined) return name === root;
      return root.startsWith(`${spawn}[`) && root.endsWith(`].${part}`) && /^\d+$/.test(root.slice(spawn.length + 1, -part.length - 2));
    });
  }

  // Rows that are not seen now.
  unseen() {
    const found = new Set(this.hidden);
    for (const [id, shown] of this.world.shown) {
      const row = this.rowOf.get(id % 2 ** 32);
      if (shown) found.delete(row);
      else found.add(row);
    }
    return found;
  }
}

class Run {
  constructor(world, page) {
    Object.assign(this, {world, page, playing: false, speed: 1, due: 0, goal: null, real: 1, wants: false, hears: false, plays: [], told: [...page.told], grab: null});
    Object.assign(this, {held: new Set(), last: performance.now(), toldAt: 0, waits: 0, played: false, trouble: null, said: ""});
    this.history = new History();
    this.history.see(world);
    this.cast = new Cast(world, page);
    this.particles = new Particles(page.particles);
    this.vectors = new Vectors(page.vectors);
    this.notes = new Notes(page.notes, this.vectors, world.about.yDown ? 1 : -1, world.about.length);
    this.sprites = new Sprites(page.sprites);
    this.probes = page.probes && new Probes(page.probes);
    this.trails = new Trails(page.trails);
    this.follow();
    this.camera = new Camera(page.camera);
  }

  // ------------------------------------------------------------ time

  get rate() { return (this.speed * this.world.about.second) / this.world.dt; }  // steps in a second

  step() {
    try {
      this.world.step();
    } catch (error) {
      this.playing = false;
      this.goal = null;
      this.trouble = {kind: "simulation", message: error.message, problems: [], more: 0, goes_on: false};
      return;
    }
    this.history.see(this.world);
    this.follow();
    for (const {step, kind, a, b, amount} of this.world.takeEvents()) {
      if (kind === "sound" && this.hears && this.goal === null) this.plays.push([a, amount]);
      this.told.push({time: step * this.world.dt, kind, text: a && b ? `${a}, ${b}` : a || b});
    }
    this.told = this.told.slice(-EVENTS_KEPT);
    if (this.world.outcome) this.playing = false;
  }

  // After each step; particles that fly by are seen at moments, and on the way to one at each step.
  follow() {
    this.vectors.follow(this.world);
    if (this.page.trails.rows.length) this.trails.follow(this.world.time, this.world, this.cast.slots);
    if (this.page.particles.length && this.goal !== null) this.particles.follow(this.flying());
  }

  // What particles come by.
  flying() {
    const {time, poses, velocities, alive} = this.world;
    return {time, poses, velocities, alive, acting: this.acting()};
  }

  // Whether each actuator acts.
  acting() {
    const {time, switched} = this.world;
    return this.page.forces.map(({name, start, until, enabled}) => (start <= time && time < until && (switched[name] ?? enabled) ? 1 : 0));
  }

  // Whether a player may do anything now.
  get mayAct() { return this.goal === null && !this.trouble && !this.world.outcome; }

  tick() {
    const now = performance.now(), seconds = Math.min((now - this.last) / 1000, 0.25), before = this.world.stepCount;
    this.last = now;
    if (this.goal !== null) this.goOn(now + SEEK_BUDGET);
    else if (this.playing) {
      this.due += seconds * this.rate;
      const wanted = this.due;
      while (this.due >= 1 && this.playing) {
        this.due -= 1;
        this.step();
        if (performance.now() - now > BUDGET) {
          this.due %= 1;
          break;
        }
      }
      if (wanted >= 1) this.real += 0.1 * ((this.world.stepCount - before) / Math.floor(wanted) - this.real);
    }
    if (this.world.stepCount !== before || this.trouble) this.tellMoment();
    this.tellSounds();
    if (now - this.toldAt > TELL) this.tellStatus();
  }

  seek(time) {
    const goal = Math.max(0, Math.round(time / this.world.dt)), state = this.history.before(goal);
    this.dropAll();
    if (goal < this.world.stepCount || state.step > this.world.stepCount) {
      this.world.restore(state.bytes);
      this.trouble = null;
      this.told = this.told.filter(({time: at}) => at <= state.step * this.world.dt);
    }
    this.goal = goal;
    this.goOn(performance.now() + SEEK_BUDGET);
    this.tellMoment();
    this.tellStatus();
  }

  goOn(latest) {
    while (this.goal !== null) {
      if (this.world.stepCount >= this.goal || this.trouble || this.world.outcome) {
        this.goal = null;
        this.due = 0;
        this.tellMoment();
      } else this.step();
      if (performance.now() > latest) break;
    }
  }

  // ------------------------------------------------------------ what is asked

  ask({do: what, ...given}) {
    const act = {
      play: () => { this.playing = !this.trouble && !this.world.outcome; this.due = 0; this.last = performance.now(); },
      pause: () => { this.playing = false; },
      step: () => { this.playing = false; if (this.mayAct) this.step(); this.tellMoment(); },
      speed: () => { this.speed = Math.min(Math.max(given.speed, 1 / 64), 64); },
      seek: () => this.seek(given.time),
      restart: () => {
        this.dropAll();
        this.world.restore(this.history.states[0].bytes);
        this.world.forget();
        Object.assign(this, {played: false, trouble: null, told: [...this.page.told], goal: null});
        this.history = new History();
        this.history.see(this.world);
        this.tellMoment();
      },
      over: () => {
        this.world.takeOver();
        this.begin();
      },
      want: () => { this.wants = Boolean(given.contacts); this.hears = Boolean(given.sounds); if (!this.playing) this.tellMoment(); },
      press: () => {
        if (!this.mayAct) return;
        this.begin();
        this.held.add(given.key);
        this.world.press(given.key);
      },
      release: () => { this.held.delete(given.key); this.world.release(given.key); },
      grab: () => {
        this.dropAll();
        if (!this.mayAct) return;
        const zOf = (name) => this.page.z[name] ?? this.cast.z[name] ?? 0;
        const front = (names) => names.reduce((best, name) => (zOf(name) > zOf(best) ? name : best));
        this.begin();
        this.grab = this.world.grab([given.x, given.y], {reach: given.reach, front});
      },
      drag: () => this.grab?.move([given.x, given.y]),
      drop: () => this.dropGrab(),
      save: () => postMessage({type: "file", name: this.page.inputs, text: this.world.inputs(...this.page.replayed)}),
      var: () => this.setVar(given),
      now: () => this.setVar(given),
      seen: () => { this.waits = 0; },
    }[what];
    if (!act) return void this.note(`A live page cannot do that: ${what}`);
    act();
    if (what !== "seen") this.tellStatus();
    postMessage({type: "answered"});
  }

  // New input: what was recorded for later is dropped.
  begin() {
    this.history.forgetAfter(this.world.stepCount);
    this.played = true;
  }

  // Has a slider go to the place that is nearest to a value.
  setVar({name, value}) {
    const {places} = this.page.vars.find((each) => each.name === name);
    if (!places.length) return void this.note(`${name} cannot be set while the page runs: make it again with --set ${name}=${value}`);
    if (!this.mayAct) return;
    const away = ([each]) => Math.abs(each - value), [, number, text] = places.reduce((best, place) => (away(place) < away(best) ? place : best));
    this.begin();
    this.world.choose(name, number, text);
  }

  // The sliders as they are now.
  get vars() {
    return this.page.vars.map(({places, ...each}) => {
      const text = places.length ? this.world.chosen(each.name) : null, place = text && places.find(([, , said]) => said === text);
      return place ? {...each, value: place[0]} : each;
    });
  }

  dropGrab() {
    this.grab?.drop();
    this.grab = null;
  }

  dropAll() {
    this.dropGrab();
    for (const key of this.held) this.world.release(key);
    this.held.clear();
  }

  // ------------------------------------------------------------ what is told

  note(text) { postMessage({type: "note", text}); }

  tellSounds() {
    if (this.plays.length) postMessage({type: "sounds", plays: this.plays.slice(-MOST_AT_ONCE)});
    this.plays = [];
  }

  tellStatus() {
    this.toldAt = performance.now();
    const {world} = this, seeking = this.goal !== null;
    const status = {
      type: "status", file: this.page.file, mode: seeking ? "seeking" : this.playing ? "playing" : "paused", time: world.time,
      goal: (this.goal ?? world.stepCount) * world.dt, end: world.lastStep * world.dt, speed: this.speed, real: Math.round(this.real * 20) / 20,
      outcome: world.outcome, played: this.played, watchers: 1, solver: "", controls: world.keys, held: [...this.held], state: world.state, vars: this.vars,
      joints: [], traces: [], told: this.told, trouble: this.trouble, replays: [], replay: "",
    };
    const said = JSON.stringify(status);
    if (said === this.said) return;
    this.said = said;
    postMessage(status);
  }

  // The bytes of live_source.js: doubles first, then narrower numbers.
  tellMoment() {
    if (this.waits > 2) return;  // the page is behind
    this.waits += 1;
    const {world, cast} = this, rows = cast.mayChange ? cast.follow() : null;
    if (rows) postMessage(rows);
    const {slots, jointSlots} = cast, n = slots.length, m = jointSlots.length, poses = world.poses, velocities = world.velocities, joints = world.joints;
    const alive = world.alive, awake = world.awake, {page} = this, {shifts, forces} = page;
    const contacts = this.wants ? world.contacts : null, count = contacts ? contacts.length / 9 : 0;
    const readings = page.notes.length || page.sprites.length || this.probes ? world.readings : [];
    const view = this.camera.view(world.time, poses, alive), acting = this.acting();
    const {values, rows: noted} = page.notes.length ? this.notes.at({
      time: world.time, readings, poses, velocities, alive, joints, acting, view, contacts: contacts ?? (page.vectors.contacts ? world.contacts : []),
    }) : {values: [], rows: []};
    const texts = noted.length ? new TextEncoder().encode(JSON.stringify(noted)) : [];
    const shown = this.sprites.at(world.time, readings);
    const sparks = page.particles.length ? this.particles.at(this.flying()) : [];
    const trails = this.trails.take(), doubles = 6 + 6 + 3 * n + values.length + shifts.length + 1 + trails.length, floats = 3 * n + 3 * m + (contacts ? 7 * count : 0), ints = contacts ? 2 * count : 0;
    const sights = this.probes?.at({poses, alive, value: (place) => readings[place]}) ?? [], probes = this.probes ? 1 + sights.length : 0;
    const buffer = new ArrayBuffer(8 * doubles + 4 * (floats + ints + shown.length + 4 * sparks.length + probes) + n + m + forces.length + texts.length);
    const wide = new Float64Array(buffer, 0, doubles), energy = world.energy;
    wide.set([world.time, view.scale, view.x, view.y, energy[0], energy[1]]);
    new Uint32Array(buffer, 48, 12).set([1, world.stepCount, n, m, forces.length, contacts ? count : NO_POINTS, shown.length / 2, sparks.length, values.length, 0, 0, 0]);
    let at = 12;
    for (let i = 0; i < n; i++, at += 3) {
      const slot = 3 * slots[i];
      for (let k = 0; k < 3; k++) wide[at + k] = Number.isFinite(poses[slot + k]) ? poses[slot + k] : 0;
    }
    wide.set(values, at);
    wide.set(shifts, at + values.length);
    wide.set([trails.length / 4, ...trails], at + values.length + shifts.length);
    at = 8 * doubles;
    const narrow = new Float32Array(buffer, at, floats);
    for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) narrow[3 * i + k] = velocities[3 * slots[i] + k] ?? 0;
    for (let i = 0; i < m; i++) for (let k = 0; k < 3; k++) narrow[3 * (n + i) + k] = joints[4 * jointSlots[i] + k] ?? 0;
    at += 4 * floats;
    if (contacts) this.putContacts(contacts, count, narrow, 3 * (n + m), new Int32Array(buffer, at, ints));
    at += 4 * ints;
    new Int32Array(buffer, at, shown.length).set(shown);
    at += 4 * shown.length;
    new Float32Array(buffer, at, 4 * sparks.length).set(sparks.flat());
    at += 16 * sparks.length;
    if (probes) {
      new Uint32Array(buffer, at, 1)[0] = sights.length;
      new Float32Array(buffer, at + 4, sights.length).set(sights);
    }
    at += 4 * probes;
    const bytes = new Uint8Array(buffer, at);
    for (let i = 0; i < n; i++) bytes[i] = alive[slots[i]] ? THERE_BIT | (awake[slots[i]] ? AWAKE_BIT : 0) : 0;
    if (page.hides) for (const row of cast.unseen()) bytes[row] |= UNSEEN_BIT;
    for (let i = 0; i < m; i++) bytes[n + i] = joints[4 * jointSlots[i] + 3] === 0 ? 1 : 0;
    bytes.set(acting, n + m);
    bytes.set(texts, n + m + forces.length);
    const hands = this.grab ? [[cast.rowOf.get(world.names.bodies.indexOf(this.grab.body)) ?? 0, ...this.grab.grab.point, ...this.grab.grab.targets.at(-1)]] : [];
    postMessage({type: "moment", buffer, hands}, [buffer]);
  }

  putContacts(contacts, count, narrow, from, bodies) {
    for (let i = 0; i < count; i++) {
      const [a, b, x, y, nx, ny, force, friction, separation] = contacts.subarray(9 * i, 9 * i + 9);
      narrow.set([x, y], from + 2 * i);
      narrow.set([nx, ny], from + 2 * (count + i));
      narrow.set([force, friction], from + 4 * count + 2 * i);
      narrow[from + 6 * count + i] = separation;
      bodies[2 * i] = this.cast.rowOf.get(a) ?? -1;
      bodies[2 * i + 1] = this.cast.rowOf.get(b) ?? -1;
    }
  }
}

let run = null;

addEventListener("message", async ({data}) => {
  try {
    if (data.do !== "load") return run?.ask(data);
    const begun = performance.now();
    const world = await load(data.scene, {wasm: data.wasm});
    run = new Run(world, data.page);
    run.tellMoment();
    run.tellStatus();
    postMessage({type: "ready", milliseconds: performance.now() - begun});
    setInterval(() => run.tick(), TICK);
  } catch (error) {
    postMessage({type: run ? "note" : "failed", text: error.message});
  }
});
