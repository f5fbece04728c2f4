// SPDX-License-Identifier: MIT
// Bodies that are born or broken in a live page: rows of the source, drawn by the look of a mould (core/live/moulds.py).

// The sum of a name by which a body without a colour gets one.
function sumOf(name) {
  let sum = ~0;
  for (const byte of new TextEncoder().encode(name)) {
    sum ^= byte;
    for (let k = 0; k < 8; k++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

class Moulds {
  // Takes the moulds out of a source, which has then the scene's own bodies and joints.
  constructor(source, {bodies, joints, table, pieces, orders}) {
    Object.assign(this, {source, own: {bodies, joints}, table, pieces, cuts: orders.length});
    const {data, sketch} = source, isOfMould = (item) => item.joint >= joints || Math.max(item.body, item.other, ...item.owners) >= bodies;
    sketch.items.forEach((item) => { item.order = orders[item.index]; });
    this.items = sketch.items.filter(isOfMould);
    sketch.items = sketch.items.filter((item) => !isOfMould(item));
    this.mine = [...sketch.items];
    this.bodies = data.bodies.splice(bodies);
    this.joints = data.joints.splice(joints);
    this.fills = Object.fromEntries(Object.entries(data.themes).map(([name, theme]) => [name, theme.fillOf.splice(bodies)]));
    this.mapped = new Set(data.mapped.filter((row) => row >= bodies));
    data.mapped = data.mapped.filter((row) => row < bodies);
  }

  // Rows for copies, {mould, names, joints}, and for pieces, {piece, name, root, ...}; `fresh`: in place of those that there were.
  add(births, fresh) {
    const {source} = this, {data, sketch} = source, {bodies, joints} = this.own;
    if (fresh) {
      data.bodies.length = bodies;
      data.joints.length = joints;
      data.mapped = data.mapped.filter((row) => row < bodies);
      for (const theme of Object.values(data.themes)) theme.fillOf.length = bodies;
      sketch.items = [...this.mine];
      [source.past, source.bytes, source.walks] = [[], 0, new Walks()];
    }
    for (const each of births) {
      if (each.mould === undefined) this.cut(each);
      else this.copy(each.mould, each.names, each.joints);
    }
    sketch.items.sort(({order: [a, b]}, {order: [c, d]}) => a - c || b - d);
    sketch.stamps = null;  // which are found by the places of items
    const centers = new Float64Array(2 * data.bodies.length);
    centers.set(source.centers.subarray(0, centers.length));
    source.centers = centers;
  }

  copy(number, names, jointNames) {
    const {source: {data, sketch}, own} = this, mould = this.table[number];
    const toBody = data.bodies.length, toJoint = data.joints.length;
    names.forEach((name, part) => {
      const first = mould.body + mould.bodies * (sumOf(name) % mould.copies), moved = this.moved(mould, first, toBody, toJoint);
      const row = first + part;
      this.addBody(row, name);
      for (const item of this.items) if (item.joint < 0 && item.body === row) sketch.items.push(moved(item));
    });
    const moved = this.moved(mould, mould.body, toBody, toJoint);
    jointNames.forEach((name, part) => {
      const row = mould.joint + part, {a, b, ...look} = this.joints[row - own.joints];
      data.joints.push({...look, name, a: a < 0 ? a : a - mould.body + toBody, b: b < 0 ? b : b - mould.body + toBody});
      for (const item of this.items) if (item.joint === row) sketch.items.push(moved(item));
    });
  }

  // A row for a body that looks as one of a mould.
  addBody(row, name) {
    const {source: {data}, own} = this;
    if (this.mapped.has(row)) data.mapped.push(data.bodies.length);
    data.bodies.push({...this.bodies[row - own.bodies], name});
    for (const [theme, fills] of Object.entries(this.fills)) data.themes[theme].fillOf.push(fills[row - own.bodies]);
  }

  // A piece, which is drawn by its outlines, and by the parts of the picture on its body.
  cut({piece, name, root, origin, outlines, pictures}) {
    const {sketch, data} = this.source, {row: first, copies, seen} = this.pieces[piece], to = data.bodies.length, row = first + (sumOf(root) % copies);
    this.addBody(row, name);
    const body = (each) => (each === row ? to : each);
    for (const item of this.items) {
      if (item.joint >= 0 || item.body !== row) continue;
      const isPicture = item.kind === "quad", corners = isPicture ? item.local.slice(0, 6).map((each, k) => each + origin[k % 2]) : [];
      for (const polygon of isPicture && seen ? pictures : outlines) {
        const local = Float64Array.from([...corners, ...polygon]), reach = local.reduce((most, _, k) => Math.max(most, k % 2 ? 0 : Math.hypot(local[k], local[k + 1])), 0);
        sketch.items.push({...item, local, reach, owners: new Array(local.length / 2).fill(to), body: to, other: body(item.other), sleeper: body(item.sleeper),
          index: this.cuts++, sprite: item.index, order: [item.order[0], item.order[1] + to - row]});
      }
    }
  }

  // Gives items of a mould to other bodies and joints. They keep their number, by which their paths are kept.
  moved(mould, from, toBody, toJoint) {
    const body = (row) => (row < 0 ? row : row - from + toBody);
    return (item) => {
      const shift = item.joint >= 0 && item.order[0] >= 1e299 ? toJoint - mould.joint : toBody - from;
      return {...item, owners: item.owners.map(body), body: body(item.body), other: body(item.other), sleeper: body(item.sleeper),
        joint: item.joint < 0 ? item.joint : item.joint - mould.joint + toJoint, aim: item.aim?.map(body), order: [item.order[0], item.order[1] + shift]};
    };
  }
}
