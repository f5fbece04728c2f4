// SPDX-License-Identifier: MIT
// The engine of rigid in JavaScript: compiled scenes that run in a browser, a worker or node.
//
//   const world = await rigid.load(bytes);
//   world.step(60);
//   world.poses;  // x, y and angle of each body
//
// docs/anywhere.md describes all of it. Runs of equal scenes with equal inputs have equal bits here and natively.

import {Births} from "./births.js";
import {exact} from "./exact.js";
import {Player} from "./player.js";

const DRAG_DIGITS = 7;
const STRENGTH = 100, EARTH = 9.81, MOST_FORCE = 1e15;
const MAGIC = "rigid web state 5\n";
const EVENTS = ["left_bounds", "joint_broken", "contact_begin", "contact_end", "sensor_begin", "sensor_end", "not_finite", "runaway", "crowded"];
const SAID = 1 << 16, DEEDS = {5: "log", 6: "sound", 7: "end"};  // what the actions of a script say
const BORN = SAID + 64, BODY_REMOVED = SAID + 65, BODY_LOST = SAID + 66, BROKE = SAID + 68;  // news of what the script put in and took out
const VARIABLE = -1;  // in place of the code of a channel

// Errors of the engine and of callers.
export class RigidError extends Error {
  constructor(message) {
    super(message);
    this.name = "RigidError";
  }
}

const rounded = (number) => Number(number.toPrecision(DRAG_DIGITS));

// ---------------------------------------------------------------- the module

let standard = null;

// Imports that the module's C library asks for; it has no files, no arguments and no clock but this one.
function importsOf(module, memory) {
  const view = () => new DataView(memory().buffer);
  const known = {
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    clock_time_get(id, precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    proc_exit(code) { throw new RigidError(`the engine ended with ${code}`); },
  };
  known.exact = (name, at, count) => {
    const all = new Uint8Array(memory().buffer), word = new TextDecoder().decode(all.slice(name, all.indexOf(0, name)));
    return exact[word]?.(...new Float64Array(memory().buffer, at, count)) ?? NaN;
  };
  const imports = {};
  for (const each of WebAssembly.Module.imports(module)) {
    (imports[each.module] ??= {})[each.name] = known[each.name] ?? (() => 8);  // there is no such file
  }
  return imports;
}

async function compiled(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  // Bundlers find the file by this expression, and do not look for what only node has.
  const address = wasm === undefined ? new URL("librigid.wasm", import.meta.url) : new URL(wasm, globalThis.document?.baseURI ?? import.meta.url);
  if (address.protocol === "file:" && typeof process !== "undefined" && process.versions?.node) {
    const files = "node:fs/promises", {readFile} = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return WebAssembly.compile(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new RigidError(`${address}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

// A module that could not be had is asked for again by the next scene.
function again(error) {
  standard = null;
  throw error;
}

// The engine's functions over a memory of their own.
class Engine {
  static async make(module) {
    const engine = new Engine();
    const instance = await WebAssembly.instantiate(module, importsOf(module, () => engine.memory));
    engine.call = instance.exports;
    engine.memory = instance.exports.memory;
    engine.call._initialize?.();
    return engine;
  }

  // Copies bytes into the memory while `use(pointer, size)` runs.
  lend(bytes, use) {
    const size = bytes.byteLength, pointer = this.call.rigid_allocate(Math.max(size, 8));
    if (!pointer) throw new RigidError("there is not enough memory");
    try {
      new Uint8Array(this.memory.buffer).set(bytes, pointer);
      return use(pointer, size);
    } finally {
      this.call.rigid_free(pointer);
    }
  }

  view(kind, pointer, count) { return new kind(this.memory.buffer, pointer, count); }

  bytes(pointer, size) { return new Uint8Array(this.memory.buffer, pointer, size).slice(); }

  // The last message of the engine.
  get said() {
    const at = this.call.rigid_message(), all = new Uint8Array(this.memory.buffer);
    return new TextDecoder().decode(all.slice(at, all.indexOf(0, at)));
  }

  // An error with what the engine said.
  refused() { return new RigidError(this.said); }
}

/** Loads a compiled scene (`rigid compile scene.yaml -o scene.rigid`).
 * `options.wasm`: the module, its bytes or its address; by default librigid.wasm beside this file.
 * `options.lanes`: constraints in a vector, 1 or 4; the bits are the same. */
export async function load(bytes, options = {}) {
  const data = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!ArrayBuffer.isView(data)) throw new RigidError("a scene is an ArrayBuffer or a Uint8Array");
  const {wasm} = options;
  const module = await (wasm === undefined ? (standard ??= compiled().catch(again)) : compiled(wasm));
  const engine = await Engine.make(module);
  const pointer = engine.lend(data, (at, size) => engine.call.rigid_load(at, size, options.lanes ?? 4));
  if (!pointer) throw engine.refused();
  return new World(engine, pointer, sectionsOf(data));
}

// The sections of a file that the engine has checked.
export function sectionsOf(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength), sections = new Map();
  for (let i = 0, at = 24; i < view.getUint32(16, true); i++, at += 40) {
    const name = new TextDecoder().decode(data.subarray(at, at + 24)).replace(/\0+$/, "");
    const offset = Number(view.getBigUint64(at + 24, true)), size = Number(view.getBigUint64(at + 32, true));
    sections.set(name, data.subarray(offset, offset + size));
  }
  sections.digest = view.getBigUint64(data.byteLength - 8, true);
  return sections;
}

function jsonOf(sections, name) {
  const bytes = sections.get(name);
  if (!bytes) return null;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new RigidError(`the compiled scene is damaged: ${name}`);
  }
}

// ---------------------------------------------------------------- the world

/** A running scene. Quantities are in the scene's units, angles in radians. */
export class World {
  #engine;
  #pointer;
  #scripted;
  #played = false;  // whether inputs were given since the beginning
  #last;  // the last step that was ever reached on this way
  #births;
  #told = [];  // events that nobody has taken

  constructor(engine, pointer, sections) {
    this.#engine = engine;
    this.#pointer = pointer;
    this.sections = sections;
    this.about = jsonOf(sections, "about");
    this.names = jsonOf(sections, "names");
    this.channels = jsonOf(sections, "channels");
    this.dt = this.about.dt;
    this.#scripted = sections.has("script");
    this.#births = new Births(jsonOf(sections, "births") ?? [], this.names);
    this.player = new Player(this.dt, jsonOf(sections, "inputs") ?? []);
    this.#last = 0;
    this.#tellInputs();
  }

  get #call() {
    if (!this.#pointer) throw new RigidError("this world was closed");
    return this.#engine.call;
  }

  /** Frees the engine's memory of it. */
  close() {
    if (this.#pointer) this.#engine.call.rigid_unload(this.#pointer);
    this.#pointer = 0;
  }

  // ------------------------------------------------------------ time

  /** Number of steps done. */
  get stepCount() { return this.#call.rigid_step_count(this.#pointer); }

  /** Scene time. */
  get time() { return this.stepCount * this.dt; }

  /** Advances by so many steps, with what is recorded for them. Throws RigidError where the engine cannot go on. */
  step(count = 1) {
    if (!Number.isInteger(count) || count < 0) throw new RigidError("step: a whole number of steps, 0 or more");
    const end = this.stepCount + count;
    for (let now = this.stepCount; now < end;) {
      this.#act(now);
      const until = this.player.stop(now, end);
      const done = this.#call.rigid_step(this.#pointer, until - now), refused = done < 0 ? this.#engine.refused() : null;
      if (this.#scripted) this.#hear();
      if (refused) throw refused;
      if (done < until - now) throw this.#stopped();
      now = until;
    }
    this.#last = Math.max(this.#last, end);
    return this;
  }

  #stopped() {
    const body = this.#call.rigid_stopped_by(this.#pointer);
    return new RigidError(`body ${JSON.stringify(this.names.bodies[body] ?? String(body))} ran away or has a position that is no number (step ${this.stepCount})`);
  }

  #act(step) {
    for (const grab of this.player.grabs) {
      const {number, start, until, steps} = grab, target = this.player.target(grab, step);
      if (step === until) this.#call.rigid_drop(this.#pointer, number);
      if (!(start <= step && step < until)) continue;
      const body = this.names.bodies.indexOf(grab.body);
      if (step === start && body > 0) this.#call.rigid_grab(this.#pointer, number, body, ...grab.point, ...target, grab.force ?? Infinity);
      else if (steps.includes(step)) this.#call.rigid_drag(this.#pointer, number, ...target);
    }
  }

  // Gives the script its inputs.
  #tellInputs() {
    if (!this.#scripted) return;
    const rows = Float64Array.from(this.player.timeline(this.names.keys).flat());
    const failed = this.#engine.lend(new Uint8Array(rows.buffer), (at) => this.#call.rigid_inputs(this.#pointer, at, rows.length / 3));
    if (failed) throw this.#engine.refused();
  }

  // ------------------------------------------------------------ readings

  #array(kind, name, count) {
    const pointer = this.#call[name](this.#pointer);
    return this.#engine.view(kind, pointer, count);
  }

  get bodyCount() { return this.#call.rigid_body_count(this.#pointer); }

  /** x, y and angle of each body, in the order of `names.bodies`; the first is the world itself. The place of a removed
   * body may get another one. */
  get poses() {
    const n = this.bodyCount, poses = new Float64Array(3 * n);
    ["rigid_x", "rigid_y", "rigid_angle"].forEach((name, k) => {
      const values = this.#array(Float64Array, name, n);
      for (let i = 0; i < n; i++) poses[3 * i + k] = values[i];
    });
    return poses;
  }

  /** vx, vy (of the centre of mass) and omega of each body. */
  get velocities() { return this.#array(Float64Array, "rigid_velocities", 3 * this.bodyCount).slice(); }

  /** Whether each body is there. */
  get alive() { return this.#array(Uint8Array, "rigid_alive", this.bodyCount).slice(); }

  /** Whether each body is awake. */
  get awake() { return this.#array(Uint8Array, "rigid_awake", this.bodyCount).slice(); }

  get masses() { return this.#array(Float32Array, "rigid_masses", this.bodyCount).slice(); }

  /** The state of one body by its name. */
  body(name) {
    const i = this.names.bodies.indexOf(name);
    if (i < 0) throw new RigidError(`there is no body ${JSON.stringify(name)}`);
    const [x, y, angle] = this.poses.subarray(3 * i), [vx, vy, omega] = this.velocities.subarray(3 * i);
    return {x, y, angle, vx, vy, omega, mass: this.masses[i], alive: this.alive[i] !== 0, awake: this.awake[i] !== 0};
  }

  /** The force and the torque on body B of each joint, and whether it is broken: four numbers each. */
  get joints() { return this.#array(Float64Array, "rigid_joints", 4 * this.#call.rigid_joint_count(this.#pointer)).slice(); }

  /** The ids of the joints that are there. */
  get jointIds() { return this.#array(Float64Array, "rigid_joint_ids", this.#call.rigid_joint_count(this.#pointer)).slice(); }

  /** The copies that were born and are there: the place of their spawn, their number, the ids of their bodies (-1 for one
   * that is gone) and joints. An id is a place and, in its upper 32 bits, which of those there it is. */
  get births() { return this.#births.list(); }

  /** The names of the bodies and joints of a birth. */
  namesOf(birth) { return this.#births.namesOf(birth); }

  /** The pieces of broken bodies that are there: the id and the name of each, and, in its coordinates, the origin of the body
   * that it is a piece of, its outlines, and the parts of the picture on it, as lists of x and y. */
  get pieces() { return [...this.#births.pieces.values()]; }

  #findPieces() {
    const count = this.#call.rigid_breakable(this.#pointer);
    this.#births.keep([...this.#engine.view(Float64Array, this.#call.rigid_numbers(), count)], (id) => this.#pieceOf(id));
  }

  #pieceOf(id) {
    const size = this.#call.rigid_piece(this.#pointer, id), name = this.#engine.said;
    if (size < 0 || !/\.\d+$/.test(name)) return null;
    const [x, y, outlines, ...rest] = this.#engine.view(Float64Array, this.#call.rigid_numbers(), size), polygons = [];
    for (let at = 1; at < rest.length; at += 1 + 2 * rest[at]) polygons.push(rest.slice(at + 1, at + 1 + 2 * rest[at]));
    return {id, name, origin: [x, y], outlines: polygons.slice(0, outlines), pictures: polygons.slice(outlines)};
  }

  /** The bodies that were shown or hidden by the script, by their ids. */
  get shown() {
    const count = this.#call.rigid_shown(this.#pointer), pairs = this.#engine.view(Float64Array, this.#call.rigid_numbers(), 2 * count);
    return new Map(Array.from({length: count}, (_, i) => [pairs[2 * i], pairs[2 * i + 1] !== 0]));
  }

  /** The values by which a page draws texts and plots; not a number where there is none. */
  get readings() {
    const count = this.#call.rigid_read(this.#pointer);
    if (count < 0) throw this.#engine.refused();
    return this.#engine.view(Float64Array, this.#call.rigid_numbers(), count).slice();
  }

  /** Kinetic energy, and the potential one of weight and springs. */
  get energy() {
    const [kinetic, potential] = this.#array(Float64Array, "rigid_energy", 2), [springs] = this.#sample([[this.about.springs, 0]]);
    return [kinetic, potential + springs];
  }

  /** The touching points: bodies a and b, x, y, normal x and y, normal force, friction, separation: nine numbers each. */
  get contacts() {
    const count = this.#call.rigid_contacts(this.#pointer);
    return this.#engine.view(Float64Array, this.#call.rigid_numbers(), 9 * count).slice();
  }

  /** Events since the last reading: step, kind, and the bodies (or the joint). */
  takeEvents() {
    this.#hear();
    const told = this.#told;
    this.#told = [];
    return told;
  }

  // Takes in what has happened: names come and go with bodies.
  #hear() {
    const size = this.#call.rigid_births(this.#pointer), births = this.#engine.view(Float64Array, this.#call.rigid_numbers(), size).slice();
    const count = this.#call.rigid_take_events(this.#pointer);
    const rows = this.#engine.view(Float64Array, this.#call.rigid_numbers(), 5 * count).slice(), {bodies, joints, texts} = this.names;
    const slot = (id) => id % 2 ** 32;
    let breaks = false;
    for (let i = 0, at = 0; i < count; i++) {
      const [step, kind, a, b, amount] = rows.subarray(5 * i, 5 * i + 5), word = EVENTS[kind] ?? DEEDS[kind - SAID];
      if (kind === BORN) at += this.#births.add(births, at);
      else if (kind === BODY_REMOVED || kind === BODY_LOST) this.#births.remove(a);
      breaks ||= kind === BROKE || this.#births.pieces.has(a);
      if (!word || word.startsWith("contact_")) continue;  // of which only the script asks
      if (kind >= SAID) {
        this.#told.push({step, kind: word, a: texts[a] ?? "", b: "", amount});
        continue;
      }
      const first = word === "joint_broken" ? joints[slot(a)] : bodies[slot(a)];
      this.#told.push({step, kind: word, a: first ?? "", b: b < 0 ? "" : bodies[slot(b)] ?? "", amount});
    }
    if (breaks) this.#findPieces();
  }

  /** The state variables of the script, by name. */
  get state() {
    const {state} = this.names;
    if (!this.#scripted || !state.length) return {};
    const values = this.#array(Float64Array, "rigid_variables", state.length);
    return Object.fromEntries(state.map((name, i) => [name, values[i]]));
  }

  /** The outcome of the run, `win` or `lose` or a word of the scene; empty until the end. */
  get outcome() { return this.names.texts?.[this.#call.rigid_outcome(this.#pointer)] ?? ""; }

  /** Whether the actuators of a script are enabled, by name. */
  get switched() {
    const count = this.#call.rigid_actuators(this.#pointer), values = this.#engine.view(Float64Array, this.#call.rigid_numbers(), count);
    return Object.fromEntries((this.names.switched ?? []).map((name, i) => [name, values[i] !== 0]));
  }

  /** The recorded channels of the scene, by name. */
  record() {
    const {names, codes} = this.channels;
    const sampled = this.#sample(codes.map(([code, owner]) => (code === VARIABLE ? [this.about.springs, 0] : [code, owner])));
    const state = Object.values(this.state), values = codes.map(([code, owner], i) => (code === VARIABLE ? state[owner] : sampled[i]));
    return Object.fromEntries(names.map((name, i) => [name, values[i]]));
  }

  // The values of channels, pairs of a code and an owner.
  #sample(codes) {
    if (!codes.length) return [];
    const flat = new Uint8Array(Int32Array.from(codes.flat()).buffer);
    const at = this.#engine.lend(flat, (pointer) => this.#call.rigid_sample(this.#pointer, pointer, codes.length));
    if (!at) throw this.#engine.refused();
    return Array.from(this.#engine.view(Float64Array, at, codes.length));
  }

  /** 16 digits that change with any bit of any body's position, angle or velocity. */
  get hash() { return BigInt.asUintN(64, this.#call.rigid_hash(this.#pointer)).toString(16).padStart(16, "0"); }

  // ------------------------------------------------------------ the hand and the keys

  /** The names of the scene's keys. */
  get keys() { return this.names.keys ?? []; }

  /** Pulls the dynamic body at a point of the world, or at most `reach` from it; null where there is none.
   * `front(names)` picks one of several bodies. */
  grab([x, y], {reach = 0, front = (names) => names[0]} = {}) {
    let count = this.#call.rigid_find(this.#pointer, x, y, 0);
    if (count === 0 && reach > 0) count = this.#call.rigid_find(this.#pointer, x, y, reach);
    if (count < 0) throw this.#engine.refused();
    if (count === 0) return null;
    const found = Array.from(this.#engine.view(Int32Array, this.#call.rigid_found(), count));
    const name = front(found.map((slot) => this.names.bodies[slot])), slot = this.names.bodies.indexOf(name);
    const [px, py, angle] = this.poses.subarray(3 * slot), c = Math.cos(angle), s = Math.sin(angle);
    const point = [rounded(c * (x - px) + s * (y - py)), rounded(c * (y - py) - s * (x - px))];
    const {gravity, lengthUnit, second} = this.about;
    const weight = this.masses[slot] * Math.max(Math.hypot(...gravity), (EARTH * lengthUnit) / second ** 2);
    this.#begin();
    const force = rounded(Math.min(STRENGTH * weight, MOST_FORCE));
    return new Grab(this, this.player.grab(name, point, [rounded(x), rounded(y)], force, this.stepCount));
  }

  /** Holds a key of the scene from the next step on. */
  press(key) {
    this.#known(key);
    this.#begin();
    this.player.press(key, this.stepCount);
    this.#tellInputs();
  }

  /** Releases a key. */
  release(key) {
    this.#known(key);
    this.player.release(key, this.stepCount);
    this.#tellInputs();
  }

  #known(key) {
    if (!this.keys.includes(key)) throw new RigidError(`the scene has no key ${JSON.stringify(key)}`);
  }

  /** Sets what is at a place of the scene's timed settings, for a slider of a page; its earlier ones in this step are replaced. */
  choose(slider, place, text) {
    this.#begin();
    this.player.set(slider, place, text, this.stepCount);
    this.#tellInputs();
  }

  /** The text that a slider has set last before now; null for none. */
  chosen(slider) { return this.player.settings.findLast(({owner, step}) => owner === slider && step <= this.stepCount)?.text ?? null; }

  // New input drops what was recorded for later.
  #begin() {
    const now = this.stepCount;
    if (this.#last > now || (!this.#played && this.player.hasMore(now))) {
      this.player.cut(now);
      this.#tellInputs();
    }
    this.#played = true;
    this.#last = now;
  }

  /** Drops all that was played: the recorded inputs are those of the scene. */
  forget() {
    this.player.reset();
    this.#played = false;
    this.#last = this.stepCount;
    this.#tellInputs();
  }

  /** Drops what is recorded for later. */
  takeOver() { this.#begin(); }

  /** The last step that was reached: after a restore, how far what is recorded goes on. */
  get lastStep() { return this.#last; }

  /** The recorded inputs, as a file that `rigid run --inputs` replays to the same hash; `file` is the scene, as words of that
   * command, and `name` the file of inputs. */
  inputs(file = "scene.yaml", name = "inputs.yaml") {
    const steps = this.stepCount, lines = this.player.lines();
    const head = [`# ${steps} steps; the state is ${this.hash} then:`, `# rigid run ${file} --inputs ${name} --steps ${steps}`];
    return `${[...head, ...(lines.length ? lines : ["inputs: []"])].join("\n")}\n`;
  }

  // ------------------------------------------------------------ states

  /** The state that decides all later steps, to be restored in a world of the same scene. */
  save() {
    const size = this.#call.rigid_save(this.#pointer);
    if (!size) throw this.#engine.refused();
    const state = this.#engine.bytes(this.#call.rigid_saved(), size);
    const head = new TextEncoder().encode(`${MAGIC}${this.sections.digest.toString(16)}\n${this.#births.text()}\n`);
    const bytes = new Uint8Array(head.length + size);
    bytes.set(head);
    bytes.set(state, head.length);
    return bytes;
  }

  /** Returns to a saved state. Throws RigidError for other bytes; the world is then as it was. */
  restore(bytes) {
    const line = (from) => bytes.indexOf(10, from), first = MAGIC.length - 1, second = line(first + 1), third = line(second + 1);
    const words = (a, b) => new TextDecoder().decode(bytes.subarray(a, b)), births = this.#births.read(words(second + 1, third));
    if (words(0, first + 1) !== MAGIC || second < 0 || third < 0) throw new RigidError("these are not the bytes of a saved world");
    if (words(first + 1, second) !== this.sections.digest.toString(16)) throw new RigidError("the state is not of this scene");
    if (births === null) throw new RigidError("the saved state is damaged");
    this.#restore("rigid_restore", bytes.subarray(third + 1));
    for (const birth of births) this.#births.put(birth);
    this.#findPieces();
  }

  /** Returns to a state of the engine alone, as Python's `World.native.save()` writes it. */
  restoreEngine(bytes) { this.#restore("rigid_restore_engine", bytes); }

  #restore(name, bytes) {
    const failed = this.#engine.lend(bytes, (at, size) => this.#call[name](this.#pointer, at, size));
    if (failed) throw this.#engine.refused();
    this.#told = [];
    this.#births.clear();
    this.#tellInputs();
  }
}

/** A body that is pulled. */
export class Grab {
  constructor(world, grab) {
    this.world = world;
    this.grab = grab;
  }

  get body() { return this.grab.body; }

  move([x, y]) { this.world.player.move(this.grab, this.world.stepCount, [rounded(x), rounded(y)]); }

  drop() { this.world.player.drop(this.grab, this.world.stepCount); }
}

export default {load, sectionsOf, RigidError, World, Grab};
