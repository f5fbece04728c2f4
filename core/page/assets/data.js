// SPDX-License-Identifier: MIT
// What all files of a page's program share, and the numbers of a packed run.
//
// The files are put one behind the other into one function (core/page/document.py), in the order
//   data colors items stamps corners notes mechanics sights overlays picture pick plots timebar panels keys sounds player
// and behind them comes the one that begins: replay.js for a run in the page, or another one for a
// run that comes from elsewhere. Everything before knows a run only as a SOURCE:
//
//   source.data          what the page knows of the scene, see `described` in core/page/replay.py
//   source.sketch        a Sketch (items.js): how bodies and joints look
//   source.begin, .end   scene times between which there are moments; may grow
//   source.at(time)      the MOMENT at a scene time
//   source.step(time, n) the scene time of the frame n further on (n may be below 0)
//   source.advance(time, seconds)   the scene time that is shown so many seconds later at speed 1
//   source.trail(body, from, to)    places [[x, y], ...] of a body between two times, evenly
//   source.series(owner, quantity)  {times, values} for a plot
//   source.quantities()  [{owner, kind, names}], what can be plotted
//   source.plotted(look, time)      what a plot in the picture shows, see `plottedOf` in notes.js
//   source.sounds        optional, {files: {name: letters of base64}, plays: [[time, name, volume], ...]}
//   source.marks         [{time, kind, text}], kind: event, held, failed
//
// and a moment, which is good until the next call, is
//
//   {time, step, pose: [x, y, angle, ...], velocity: [vx, vy, omega, ...] of all bodies,
//    state: bits of each body, THERE, AWAKE and UNSEEN, whole: of each joint, force: [x, y, torque, ...] of
//    each joint, acting: of each actuator, energy: [kinetic, potential],
//    contacts: {count, bodies, places, normals, forces, separations} or null,
//    view: {scale, x, y}, where the scene's camera looks, in a picture of data.size,
//    sprites: Map from items to the number of the picture that they show,
//    notes: optional, what annotations show, [{look, text, places: [x, y, ...]}],
//    shifts: [x, y, ...], how far the surface of each pool has moved,
//    sights: what probes find, the numbers of core/page/sights.py,
//    sparks: optional, {count, numbers: [emitter, x, y, age in lives, ...]} of particles,
//    bodies: optional, how many of the bodies there are rows for; later ones are not there}
//
// Rows are those of data.bodies, data.joints and data.actuators. All numbers are in scene units.
// What a scene says reaches the screen by textContent and by the canvas alone, never as markup.

const THERE = 1, AWAKE = 2, UNSEEN = 4;

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

// An element with attributes (those that are functions listen), and children or text.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const find = (id) => document.getElementById(id);

// The first place from `first` on, before `end`, of a number of an ascending list that is not below `least`.
function lowest(list, first, end, least) {
  let [low, high] = [first, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < least) low = middle + 1; else high = middle;
  }
  return low;
}

// The same numbers with room for as many more.
function longer(list) {
  const grown = new list.constructor(2 * list.length);
  grown.set(list);
  return grown;
}

async function inflate(letters) {
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The arrays that core/page/codes.py packed. Column c of row r is at `c * rows + r`.
class Arrays {
  constructor(table, bytes) {
    this.bytes = bytes;
    this.entries = new Map();
    let at = 0;
    for (const entry of table) {
      this.entries.set(entry.name, {...entry, at});
      at += entry.rows * entry.columns * entry.planes;
    }
  }

  has(name) { return this.entries.has(name); }

  // {rows, columns, step, data}; whole numbers are to be multiplied with the step.
  get(name) {
    const {rows, columns, planes, coding, step, at} = this.entries.get(name);
    const size = rows * columns;
    if (coding === "float" || coding === "exact") {
      const raw = new Uint8Array(size * planes);
      for (let p = 0; p < planes; p++) {
        for (let i = 0, from = at + p * size; i < size; i++) raw[i * planes + p] = this.bytes[from + i];
      }
      const data = coding === "float" ? new Float32Array(raw.buffer) : new Float64Array(raw.buffer);
      return {rows, columns, step, data};
    }
    const data = new Int32Array(size);
    for (let p = 0; p < planes; p++) {
      for (let i = 0, from = at + p * size, shift = 8 * p; i < size; i++) {
        data[i] |= this.bytes[from + i] << shift;
      }
    }
    for (let i = 0; i < size; i++) data[i] = (data[i] >>> 1) ^ -(data[i] & 1);
    const times = {plain: 0, delta: 1, line: 2}[coding];
    for (let k = 0; k < times; k++) {
      for (let c = 0; c < columns; c++) {
        for (let i = c * rows + 1, end = (c + 1) * rows; i < end; i++) data[i] += data[i - 1];
      }
    }
    return {rows, columns, step, data};
  }
}
