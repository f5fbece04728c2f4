// SPDX-License-Identifier: MIT
// Inputs of players by steps: the record of a run, which is replayed after a restore.

const NEVER = 2 ** 53, SAME_STEP = 1e-9;

// A value as YAML: numbers are written so that they are read to the same bits.
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "number") return Number.isFinite(value) ? numberText(value) : ".inf";
  return JSON.stringify(value);
}

// As YAML reads a number: an exponent has a point before it.
function numberText(value) {
  const text = String(value);
  return /^-?\d+e/.test(text) ? text.replace("e", ".0e") : text;
}

// Sorted spans, merged where they overlap or adjoin, without those that have no step.
function joined(spans) {
  const found = [];
  for (const [start, until] of [...spans].sort(([a, b], [c, d]) => a - c || b - d)) {
    const last = found.at(-1);
    if (start >= until) continue;
    if (last && start <= last[1]) last[1] = Math.max(last[1], until);
    else found.push([start, until]);
  }
  return found;
}

// Inputs by steps, as a scene's `inputs` have them; recorded ones are done again after a restore.
export class Player {
  // `recorded` are the inputs of the scene: keys, drags, and settings, whose actions have a place in its script.
  constructor(dt, recorded = []) {
    Object.assign(this, {dt, recorded});
    this.reset();
  }

  // Drops all that was played.
  reset() {
    const copies = structuredClone(this.recorded);
    this.next = copies.length;
    this.grabs = copies.filter(({body}) => body !== undefined);
    this.keys = copies.filter(({key}) => key !== undefined);
    this.settings = copies.filter(({line}) => line !== undefined);
  }

  grab(body, point, target, force, step) {
    const grab = {number: this.next++, body, point, force, start: step, until: NEVER, steps: [step], targets: [target]};
    this.grabs.push(grab);
    return grab;
  }

  move(grab, step, target) {
    const last = grab.targets.at(-1);
    if (grab.steps.at(-1) === step) grab.targets[grab.targets.length - 1] = target;
    else if (last[0] !== target[0] || last[1] !== target[1]) {
      grab.steps.push(step);
      grab.targets.push(target);
    }
  }

  // The target of a drag in a step.
  target({steps, targets}, step) { return targets[Math.max(0, steps.findLastIndex((at) => at <= step))]; }

  drop(grab, step) { grab.until = Math.min(grab.until, Math.max(step, grab.start + 1)); }

  // Inputs recorded after the beginning of a step.
  hasMore(step) {
    const later = ({start, until}) => start >= step || (step < until && until < NEVER);
    return this.grabs.some(later) || this.keys.some(later) || this.settings.some(({step: at}) => at >= step);
  }

  // Forgets later inputs; what is held is released before the step.
  cut(step) {
    for (const name of ["grabs", "keys"]) {
      this[name] = this[name].filter(({start}) => start < step);
      for (const each of this[name]) each.until = Math.min(each.until, step);
    }
    this.settings = this.settings.filter(({step: at}) => at < step);
    for (const grab of this.grabs) {
      const kept = Math.max(1, grab.steps.filter((at) => at < step).length);
      grab.steps.length = grab.targets.length = kept;
    }
  }

  press(key, step) {
    const again = this.keys.findLast((held) => held.key === key && held.start <= step && step <= held.until);
    if (again) again.until = NEVER;
    else this.keys.push({number: this.next++, key, start: step, until: NEVER});
  }

  release(key, step) {
    for (const held of this.keys) if (held.key === key && held.until === NEVER) held.until = Math.max(step, held.start + 1);
  }

  // Sets what is at a place of the table of settings, `text` as YAML, in place of what the owner set in this step.
  set(owner, place, text, step) {
    this.settings = this.settings.filter((each) => each.owner !== owner || each.step !== step);
    this.settings.push({number: this.next++, owner, step, asked: null, set: place, text});
  }

  // The step before which a drag changes next, at most `end`.
  stop(step, end) {
    for (const {start, until, steps} of this.grabs) {
      for (const at of [start, until, ...steps]) if (step < at && at < end) end = at;
    }
    return end;
  }

  // Keys that are pressed (0) and released (1), actions (2) and values (3) of settings, by their places: [step, kind, place], by steps.
  timeline(keys) {
    const held = new Map(), acts = [];
    for (const {key, start, until} of this.keys) held.set(key, [...(held.get(key) ?? []), [start, until]]);
    for (const {step, asked, set} of this.settings) {
      if (set !== null) acts.push([step, 3, set]);
      if (asked !== null) acts.push([step, 2, asked]);
    }
    for (const [key, spans] of held) {
      const place = keys.indexOf(key);
      for (const [start, until] of place < 0 ? [] : joined(spans)) acts.push([start, 0, place], [until, 1, place]);
    }
    const order = [1, 0, 3, 2];  // what is released first may be pressed again
    return acts.sort((a, b) => a[0] - b[0] || order[a[1]] - order[b[1]]);
  }

  // A short time that is before this step and after the one before it.
  timeOf(step) {
    if (step >= NEVER) return Infinity;
    const exact = step * this.dt;
    for (let digits = 4; digits < 16; digits++) {
      const scale = 10 ** digits, time = Math.floor(exact * scale) / scale;
      if (Math.ceil(Math.min(time / this.dt, 1e15) - SAME_STEP) === step) return time;
    }
    return exact;
  }

  // The span of a held input; one that is held for no step keeps its place among the others.
  timesOf({start, until}) {
    if (start < until) return [this.timeOf(start), this.timeOf(until)];
    if (start > 0) return [(start - 0.5) * this.dt, this.timeOf(start)];
    return [0, 0.5 * SAME_STEP * this.dt];
  }

  // Lines of YAML, as `rigid run --inputs` reads them.
  lines() {
    const found = this.grabs.map((grab) => {
      const [start, until] = this.timesOf(grab);
      const path = grab.steps.map((step, i) => [this.timeOf(step), ...grab.targets[i]]);
      const to = Number.isFinite(until) ? `, to: ${written(until)}` : "";
      return [grab.number, `- {drag: ${written(grab.body)}, from: ${written(start)}${to}, point: ${written(grab.point)}${grab.force === null ? "" : `, max_force: ${written(grab.force)}`}, path: ${written(path)}}`];
    });
    for (const held of this.keys) {
      const [start, until] = this.timesOf(held), to = Number.isFinite(until) ? `, to: ${written(until)}` : "";
      found.push([held.number, `- {key: ${written(held.key)}, from: ${written(start)}${to}}`]);
    }
    for (const {number, line, step, text} of this.settings) found.push([number, line ?? `- {at: ${written(this.timeOf(step))}, set: ${text}}`]);
    return found.sort(([a], [b]) => a - b).map(([, line]) => line);
  }
}
