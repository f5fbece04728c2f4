// SPDX-License-Identifier: MIT
// Selecting, moving, turning, scaling and the pivot; handles of joints.

const KNOB = 26;       // pixels from a box to the knob that turns it
const DEGREES = 180 / Math.PI;

// Kinds of motors of each type of joints.
const MOTORS = {
  revolute: [["speed", "turns"], ["position", "holds an angle"]], wheel: [["speed", "turns"]], ratchet: [["speed", "turns"]],
  prismatic: [["speed", "slides"], ["position", "holds a place"]], axial_motor: [["speed", "slides"], ["position", "holds a place"]], distance: [["speed", "lengthens"], ["position", "holds a length"]],
};

// A motor that is strong enough to lift the body it moves.
function motorOf({bodies, units}, type, kind, row) {
  const turns = ["revolute", "wheel", "ratchet"].includes(type), weight = Math.hypot(...(bodies[row]?.weight ?? [0, 0])) || 10, strength = Number((10 * weight).toPrecision(1));
  return {[kind]: kind === "position" ? 0 : turns ? (units.yDown ? 360 : -360) : 1, [turns ? "max_torque" : "max_force"]: strength};
}

class SelectTool extends Tool {
  constructor(editor) {
    super(editor);
    this.joints = new JointHandles(editor);
    this.actuators = new ActuatorHandles(editor);
    this.frames = new FrameHandles(editor);
    this.copies = 1;
  }

  says() {
    const {selection} = this.editor;
    if (this.act?.says) return this.act.says;
    if (selection.length === 1 && selection[0].kind === "actuator") return "Drag the tip of the arrow for another force, its start for another place. Alt: any value.";
    if (!selection.length) return "Select: click something, or drag a box around several objects. Drag moves what is selected.";
    if (selection.length === 1 && selection[0].kind === "joint") return "Drag an end of the joint to another place, or a handle: limits, axis, length, motor, spring. Alt: any value.";
    return "Drag: move (Ctrl: copy, Shift: along an axis, Alt: off the grid). Squares: scale. Knob: turn. Ctrl and a square: pivot.";
  }

  cursor() { return this.over ?? "default"; }

  options() {
    const {editor} = this, {selection} = editor, paths = editor.paths();
    if (!selection.length) return editor.files.tracedOptions();
    if (selection.length === 1 && selection[0].kind === "joint") return this.ofJoint(selection[0].name);
    if (selection.every(({kind}) => kind === "entry")) return [action("Delete", "Delete (Del)", () => editor.remove())];
    const edit = (message) => () => editor.edit({what: editor.paths(), ...message});
    const count = element("input", {type: "text", inputmode: "numeric", size: "2", value: String(this.copies), title: "How many a Ctrl drag makes in a row", "aria-label": "Number of copies", change: () => { this.copies = clamp(Math.round(Number(count.value)) || 1, 1, 200); count.value = this.copies; }});
    const found = [action("Duplicate", "Duplicate (Ctrl d, or Ctrl and drag)", () => editor.duplicate(this.copies)), element("label", {class: "option"}, "×", count), action("Delete", "Delete (Del)", () => editor.remove())];
    if (!editor.inside && selection.some(({kind}) => kind === "body") && !paths.some((path) => path.startsWith("instances."))) {
      found.push(action("Make prototype", "A prototype of what is selected, and an instance in its place", () => editor.makePrototype()));
    }
    found.push(choice("Mirror", [["", "…"], ["x", "left and right"], ["y", "up and down"]], "", (axis) => axis && edit({edit: "mirror", axis})()));
    if (paths.length > 1) {
      const sides = ["left", "center", "right", "top", "middle", "bottom"];
      found.push(choice("Align", [["", "…"], ...sides], "", (to) => to && edit({edit: "align", to})()));
      found.push(choice("Distribute", [["", "…"], ["x", "across"], ["y", "up and down"]], "", (along) => along && edit({edit: "distribute", along})()));
      found.push(action("Group", "Name these together (Ctrl g)", () => editor.group()));
    }
    if (paths.length === 2 && selection.every(({kind}) => kind === "body")) {
      found.push(choice("Combine", [["", "…"], "union", "difference", "intersection"], "", (how) => how && edit({edit: "combine", how})()));
    }
    if (paths.length === 1 && paths[0].startsWith("instances.")) found.push(action("Edit prototype", "Its parts alone (double click)", () => editor.editPrototype(paths[0].slice(10))));
    if (paths.length === 1 && (paths[0].startsWith("instances.") || paths[0].endsWith("]"))) found.push(action("Unroll", "Its objects one by one in the file", edit({edit: "unroll"})));
    return found;
  }

  ofJoint(name) {
    const {editor} = this, joint = this.jointOf(name), path = editor.pathOf({kind: "joint", name}), value = editor.valueAt(path) ?? {}, {type} = value, found = [];
    const toggle = (field, label, given, title) => found.push(action(label, title, () => editor.edit(value[field] === undefined
      ? {edit: "set", path: `${path}.${field}`, value: given} : {edit: "unset", path: `${path}.${field}`}), {"aria-pressed": String(value[field] !== undefined)}));
    const has = (...types) => types.includes(type);
    if (has("revolute", "prismatic", "wheel")) toggle("limits", "Limits", type === "revolute" ? [-45, 45] : [-0.5, 0.5], "How far it may turn or slide");
    if (MOTORS[type]) {
      const now = value.motor?.position !== undefined ? "position" : value.motor !== undefined ? "speed" : "";
      found.push(choice("Motor", [...(type === "axial_motor" ? [] : [["", "none"]]), ...MOTORS[type]], now, (kind) => editor.edit(kind
        ? {edit: "set", path: `${path}.motor`, value: motorOf(this.source.data, type, kind, joint.b)} : {edit: "unset", path: `${path}.motor`})));
    }
    if (has("revolute", "distance", "weld", "prismatic", "wheel")) toggle("spring", "Spring", {frequency: 3, damping_ratio: 0.5}, "A spring");
    if (has("distance")) toggle("rope", "Rope", true, "Only pulls");
    found.push(action("Delete", "Delete (Del)", () => editor.remove()));
    return found;
  }

  cancel() {
    if (!this.act) return false;
    this.act = null;
    this.editor.preview(null);
    return true;
  }

  skips() { return this.act?.rows ?? new Set(); }

  // ---------------------------------------------------------------- handles

  // [{kind, at: pixels, ...}] of what is selected.
  handles() { return [...this.frames.of().map((each) => ({...each, kind: "value"})), ...this.ownHandles()]; }

  ownHandles() {
    const {editor} = this, rows = editor.rows(), {selection} = editor;
    if (selection.length === 1 && selection[0].kind === "actuator") return this.actuators.of(selection[0].name).map((each) => ({...each, kind: "value"}));
    if (selection.length === 1 && selection[0].kind === "joint") return this.jointHandles(selection[0].name);
    if (!rows.length) return [];
    const {sketch} = this.source, one = rows.length === 1 && editor.paths()[0].startsWith("bodies.");
    const local = one ? ownBox(sketch, this.view, rows[0]) : worldBox(sketch, this.moment, this.view, rows);
    if (!local) return [];
    const [x0, y0, x1, y1] = local, [mx, my] = [0.5 * (x0 + x1), 0.5 * (y0 + y1)];
    const place = one ? (point) => placed(this.moment, rows[0], ...point) : (point) => point;
    const round = one && partsOf(sketch, rows[0]).every(({kind}) => kind !== "polygon");
    const corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], edges = [[mx, y0], [x1, my], [mx, y1], [x0, my]];
    const found = corners.map((point, i) => ({kind: "scale", point, fixed: corners[(i + 2) % 4], axes: one && !round ? [1, 1] : [2, 2]}));
    const sides = corners.map(place).map((each) => this.pixels(each)), isSmall = Math.min(apartOf(sides[0], sides[1]), apartOf(sides[1], sides[2])) < 40;
    if (one && !round && !isSmall) edges.forEach((point, i) => found.push({kind: "scale", point, fixed: edges[(i + 2) % 4], axes: i % 2 ? [1, 0] : [0, 1]}));
    for (const each of found) Object.assign(each, {place, at: this.pixels(place(each.point)), one});
    const middle = this.pixels(place([mx, my])), up = found.slice(0, 4).map(({at}) => at).reduce((best, at) => (at[1] < best[1] ? at : best));
    const head = one ? this.headOf(found.slice(0, 4).map(({at}) => at), middle) : [middle[0], up[1]];
    const way = [head[0] - middle[0], head[1] - middle[1]], long = Math.hypot(...way) || 1;
    const pivot = one ? placed(this.moment, rows[0], 0, 0) : this.pivotOf(editor.paths()), about = pivot ?? place([mx, my]);
    found.push({kind: "turn", at: [head[0] + KNOB * (way[0] || 0) / long, head[1] + KNOB * (way[1] || -1) / long], from: head, about, own: pivot !== null});
    return found;
  }

  // The pivot of an instance, where the file says it in numbers.
  pivotOf(paths) {
    const {editor} = this, at = paths.length === 1 && paths[0].startsWith("instances.") && !editor.inside ? editor.valueAt(`${paths[0]}.at`) ?? [0, 0] : null;
    return Array.isArray(at) && at.length === 2 && at.every(Number.isFinite) ? at : null;
  }

  // The middle of that edge of a turned box that is highest on the screen.
  headOf(corners, middle) {
    const edges = corners.map((corner, i) => [0.5 * (corner[0] + corners[(i + 1) % 4][0]), 0.5 * (corner[1] + corners[(i + 1) % 4][1])]);
    const best = edges.reduce((a, b) => (b[1] < a[1] ? b : a));
    return apartOf(best, middle) < 1 ? [middle[0], middle[1] - 12] : best;
  }

  jointOf(name) { return this.source.data.joints.find((each) => each.name === name); }

  jointHandles(name) {
    const joint = this.jointOf(name);
    if (!joint) return [];
    const ends = [placed(this.moment, joint.a, ...joint.anchorA), placed(this.moment, joint.b, ...joint.anchorB)];
    const at = ends.map((end) => this.pixels(end)), both = apartOf(at[0], at[1]) < 3, found = [];
    for (const i of both ? [1] : [0, 1]) found.push({kind: "anchor", at: at[i], end: both ? null : i, name, world: ends[i]});
    return [...found, ...this.joints.of(joint).map((each) => ({...each, kind: "value", name}))];
  }

  handleAt({x, y}, reach = 9) {
    const found = this.handles().filter(({at}) => apartOf(at, [x, y]) <= reach);
    return found.sort((a, b) => apartOf(a.at, [x, y]) - apartOf(b.at, [x, y]))[0] ?? null;
  }

  // ---------------------------------------------------------------- mouse

  hover(p) {
    const handle = this.handleAt(p, p.isTouch ? 18 : 9);
    this.over = handle ? {scale: "nwse-resize", turn: "grab", anchor: "move", value: "move"}[handle.kind] : this.editor.objectAt(p) ? "pointer" : "default";
  }

  press(p) {
    const {editor} = this, handle = this.handleAt(p, p.isTouch ? 18 : 9);
    if (handle) {
      if (handle.kind === "scale" && p.ctrl && editor.paths().length === 1) return void editor.edit({edit: "pivot", what: editor.paths(), at: handle.place(handle.point).map(clean)});
      // Shift turns objects that can only be scaled evenly.
      const turns = handle.kind === "scale" && p.shift && handle.axes[0] === 2 ? this.handles().find(({kind}) => kind === "turn") : null;
      this.act = {...(turns ?? handle), rows: new Set(editor.rows()), poses: editor.poses(), from: p};
      return;
    }
    const object = editor.objectAt(p);
    if (!object) {
      this.act = {kind: "box", from: p, add: p.shift};
      if (!p.shift) editor.select([]);
      return;
    }
    const isIn = editor.isSelected(object), adds = p.shift && !p.isKey, isOff = isIn && adds;
    if (!isIn) editor.select(adds ? [...editor.selection, object] : [object]);
    else if (isOff && object.kind !== "body") this.drop(object);
    if (object.kind !== "body") return;
    this.act = {kind: "move", copies: p.ctrl, from: p, rows: new Set(editor.rows()), poses: editor.poses(), object, isOff, only: isIn && !p.shift && editor.selection.length > 1};
  }

  drop(object) { this.editor.select(this.editor.selection.filter((each) => !this.editor.isSame(each, object))); }

  drag(p) {
    const {act} = this;
    if (!act) return;
    act.to = p;
    if (!act.moved && Math.hypot(p.x - act.from.x, p.y - act.from.y) < 4) return;
    act.moved = true;
    this[`${act.kind}By`]?.(act, p);
  }

  moveBy(act, p) {
    let by = this.editor.grid.move(act, p);
    if (p.shift) by = Math.abs(by[0]) > Math.abs(by[1]) ? [by[0], 0] : [0, by[1]];
    act.by = by;
    act.says = `${act.copies ? (this.copies > 1 ? `${this.copies} copies, each further` : "Copied") : "Moved"} by ${written(by[0])}, ${written(by[1])} ${this.source.data.units.length}`;
    this.editor.preview(new Map([...act.poses].map(([row, [x, y, angle]]) => [row, [x + by[0], y + by[1], angle]])));
  }

  turnBy(act, p) {
    const angleAt = ([x, y]) => Math.atan2(y - act.about[1], x - act.about[0]);
    let by = (angleAt(p.raw) - angleAt(act.from.raw)) * DEGREES;
    if (this.editor.grid.on && !p.alt) {
      const own = act.own && act.rows.size === 1 ? [...act.poses.values()][0][2] * DEGREES : 0;
      by = toNearest(own + by, 15) - own;
    }
    act.by = by > 180 ? by - 360 : by < -180 ? by + 360 : by;
    act.says = `Turned by ${written(act.by)}°`;
    this.editor.preview(new Map([...act.poses].map(([row, [x, y, angle]]) => [row, [...turned([x, y], by / DEGREES, act.about), angle + by / DEGREES]])));
  }

  scaleBy(act, p) {
    const {one, point, fixed, axes} = act, [row] = act.rows;
    const local = one ? inBody(this.moment, row, p.at) : p.at;
    const part = (i) => (Math.abs(point[i] - fixed[i]) < 1e-12 ? 1 : Math.max((local[i] - fixed[i]) / (point[i] - fixed[i]), 0.02));
    let by = [axes[0] ? part(0) : 1, axes[1] ? part(1) : 1];
    if (axes[0] === 2 || (p.shift && axes[0] && axes[1])) by = [Math.max(...by), Math.max(...by)];
    act.by = by;
    act.says = `Scaled by ${written(by[0])}${by[0] === by[1] ? "" : ` and ${written(by[1])}`}`;
  }

  anchorBy(act, p) {
    act.to = p;
    act.says = `${act.name} goes to ${written(p.at[0])}, ${written(p.at[1])}`;
  }

  valueBy(act, p) {
    act.now = act.read(p, act.now ?? act.value);
    act.says = act.words(act.now);
  }

  async release(p) {
    const {act, editor} = this;
    this.act = null;
    if (!act) return;
    if (!act.moved) {
      const below = act.point || act.from && act.kind === "turn" ? editor.objectAt(p) : null;  // a click on a handle is one on what is below it
      if (act.isOff) this.drop(act.object);  // what is selected is moved along an axis, too
      else if (act.only) editor.select([act.object]);
      else if (below && !editor.isSelected(below)) editor.select([below]);
      return;
    }
    const what = editor.paths();
    if (act.kind === "box") return this.boxed(act, p);
    if (act.kind === "anchor") return void await editor.edit({edit: "anchor", what, end: act.end, to: act.to.at});
    if (act.kind === "value") {
      if (act.put) return void act.put(act.now);
      if (act.path) return void await editor.edit({edit: "set", path: act.path, value: act.now});
      const {set, value, ...fields} = act.message(act.now);
      return void await editor.edit(set ? {edit: "set", path: `${what[0]}.${set}`, value} : {edit: "joint", what, ...fields});
    }
    if (!act.by) return;
    if (act.kind === "move" && act.copies) {
      this.editor.preview(null);
      await editor.edit({edit: "duplicate", what, by: act.by.map(clean), count: this.copies});
    } else if (act.kind === "move") await editor.edit({edit: "move", what, by: act.by.map(clean)});
    if (act.kind === "turn") await editor.edit({edit: "turn", what, by: clean(act.by), about: act.own ? null : act.about});
    if (act.kind === "scale") {
      const fixed = act.place(act.fixed);
      await editor.edit({edit: "scale", what, by: act.by.map(clean), about: fixed});
    }
  }

  boxed(act, p) {
    const {editor} = this, box = [act.from.x, act.from.y, p.x, p.y], {bodies, joints} = this.source.data, objects = [];
    bodies.forEach(({name}, row) => {
      if (!isThere(this.moment, row) || !editor.isFree(name)) return;
      const corners = cornersOf(ownBox(this.source.sketch, this.view, row)).map((corner) => this.pixels(placed(this.moment, row, ...corner)));
      if (corners.every(([x, y]) => isIn(box, x, y))) objects.push({kind: "body", name});
    });
    if (!objects.length) joints.forEach((joint) => {
      if (isIn(box, ...this.pixels(placed(this.moment, joint.b, ...joint.anchorB)))) objects.push({kind: "joint", name: joint.name});
    });
    editor.select(act.add ? [...editor.selection, ...objects.filter((each) => !editor.isSelected(each))] : objects);
  }

  // ---------------------------------------------------------------- drawing

  draw({context}) {
    const {act, editor} = this, {marks} = editor;
    if (act?.kind === "box" && act.to) {
      const [a, b] = [act.from, act.to];
      marks.line(context, [[a.x, a.y], [b.x, a.y], [b.x, b.y], [a.x, b.y]], HOLD, {dash: [4, 3], closed: true});
      return;
    }
    if (act?.kind === "scale" && act.by) this.drawScaled(context, act);
    if (act?.kind === "anchor" && act.to) marks.dot(context, this.pixels(act.to.at), HOLD, 7);
    const joint = editor.selection.length === 1 && editor.selection[0].kind === "joint" ? this.jointOf(editor.selection[0].name) : null;
    if (joint) this.joints.draw(context, joint, act);
    else this.actuators.draw(context);
    for (const handle of this.handles()) {
      if (handle.kind === "value" && handle.path) {
        const now = act?.part === handle.part && act.now !== undefined ? act.now : handle.value, at = now === handle.value ? handle.at : handle.place(now);
        handle.draw(context, now, at);
        if (now !== handle.value) marks.label(context, handle.words(now), [at[0] + 10, at[1] - 8], HOLD);
      } else if (handle.kind === "turn") {
        marks.line(context, [handle.from, handle.at], HOLD, {width: 1.2});
        marks.dot(context, handle.at, HOLD, HANDLE + 1);
        if (handle.own) marks.cross(context, this.pixels(handle.about), PIVOT, 5);
      } else if (handle.kind === "scale") marks.dot(context, handle.at, HOLD, HANDLE, false);
    }
  }

  // The outlines of what is scaled, as it will be.
  drawScaled(context, {one, rows, by, fixed, place}) {
    const {marks} = this.editor, grown = ([x, y]) => place([fixed[0] + by[0] * (x - fixed[0]), fixed[1] + by[1] * (y - fixed[1])]);
    for (const row of rows) {
      const outline = one ? (point) => point : (point) => placed(this.moment, row, ...point);
      for (const item of partsOf(this.source.sketch, row)) {
        if (!item.single || !["polygon", "loop", "path", "circle"].includes(item.kind)) continue;
        let points = pairs(item.local);
        if (item.kind === "circle") {
          const radius = reachOf(this.source.sketch, item, this.view);
          points = Array.from({length: 32}, (_, i) => [points[0][0] + radius * Math.cos(i * TURN / 32), points[0][1] + radius * Math.sin(i * TURN / 32)]);
        }
        marks.line(context, points.map((point) => this.pixels(grown(outline(point)))), GUIDE, {closed: item.kind !== "path", dash: [5, 3]});
      }
    }
  }
}
