// SPDX-License-Identifier: MIT
// The copies of prototypes that a run has put into its world, by which the places of bodies and joints get their names.

const slotOf = (id) => id % 2 ** 32;

export class Births {
  // `spawns` are those of the scene: {name, bodies, joints}, the last two the names of a copy's parts.
  constructor(spawns, names) {
    Object.assign(this, {spawns, names, own: {bodies: names.bodies.length, joints: names.joints.length}});
    this.clear();
  }

  clear() {
    this.there = new Map();  // by the ids of their bodies
    this.pieces = new Map();  // of what broke, by their ids
    for (const kind of ["bodies", "joints"]) this.names[kind].length = this.own[kind];
  }

  // Adds copies, as the engine tells them one after another; returns how many numbers of it they took.
  add(numbers, at = 0) {
    const [spawn, count, bodies, joints] = numbers.subarray(at, at + 4), first = at + 4;
    const birth = {spawn, count, bodies: [...numbers.subarray(first, first + bodies)], joints: [...numbers.subarray(first + bodies, first + bodies + joints)]};
    this.put(birth);
    return 4 + bodies + joints;
  }

  put(birth) {
    for (const [kind, names] of Object.entries(this.namesOf(birth))) {
      birth[kind].forEach((id, k) => { if (id >= 0) this.names[kind][slotOf(id)] = names[k]; });
    }
    for (const id of birth.bodies) if (id >= 0) this.there.set(id, birth);
  }

  // The names of the bodies and joints of a copy.
  namesOf({spawn, count}) {
    const {name, bodies, joints} = this.spawns[spawn], called = (part) => `${name}[${count}].${part}`;
    return {bodies: bodies.map(called), joints: joints.map(called)};
  }

  // Takes notice of a removed body, whose place has no name from now on.
  remove(id) {
    const birth = this.there.get(id);
    if (!birth) return;
    birth.bodies[birth.bodies.indexOf(id)] = -1;
    this.there.delete(id);
    this.names.bodies[slotOf(id)] = "";
  }

  // Takes notice of the pieces that are there; `read(id)` reads one, which is null for another body.
  keep(ids, read) {
    const {pieces, names: {bodies}} = this, there = new Set(ids);
    for (const [id, {name}] of pieces) {
      if (there.has(id)) continue;
      pieces.delete(id);
      if (bodies[slotOf(id)] === name) bodies[slotOf(id)] = "";
    }
    for (const id of ids) {
      const piece = pieces.has(id) || this.there.has(id) ? null : read(id);
      if (!piece) continue;
      pieces.set(id, piece);
      bodies[slotOf(id)] = piece.name;
    }
  }

  // The copies of which any body is there, in the order of their births.
  list() { return [...new Set(this.there.values())]; }

  // As text of a saved state.
  text() { return JSON.stringify(this.list().map(({spawn, count, bodies, joints}) => [spawn, count, bodies, joints])); }

  // What such a text says; null for another one.
  read(text) {
    const isWhole = (value) => Number.isSafeInteger(value) && value >= -1;
    const isId = (id) => isWhole(id) && slotOf(id) < 2 ** 24, are = (list, parts) => Array.isArray(list) && list.length === parts.length && list.every(isId);
    try {
      const found = JSON.parse(text).map(([spawn, count, bodies, joints]) => ({spawn, count, bodies, joints}));
      const fits = ({spawn, count, bodies, joints}) => isWhole(count) && this.spawns[spawn] && are(bodies, this.spawns[spawn].bodies) && are(joints, this.spawns[spawn].joints);
      return found.every(fits) ? found : null;
    } catch {
      return null;
    }
  }
}
