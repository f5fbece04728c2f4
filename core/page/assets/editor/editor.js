// SPDX-License-Identifier: MIT
// The tools of the page: which one is chosen, what is selected, and what is asked of the server.
// Every action is a message of core/edit/messages.py; the file on disk is the only state.

const TOOLS = [  // id, label, key, its class
  ["select", "Select and move", "v", (editor) => new SelectTool(editor)],
  ["box", "Box", "b", (editor) => new ShapeTool(editor, "box")],
  ["circle", "Circle", "c", (editor) => new ShapeTool(editor, "circle")],
  ["capsule", "Capsule", "k", (editor) => new ShapeTool(editor, "capsule")],
  ["bar", "Bar, hinged at its ends", "r", (editor) => new BarTool(editor)],
  ["polygon", "Polygon", "p", (editor) => new OutlineTool(editor, "polygon")],
  ["chain", "Chain, for ground", "l", (editor) => new OutlineTool(editor, "chain")],
  ["vertices", "Points and splitting", "e", (editor) => new VerticesTool(editor)],
  ["join", "Join", "j", (editor) => new JoinTool(editor)],
  ["forces", "Forces and motors", "f", (editor) => new ForcesTool(editor)],
  ["texture", "Texture", "t", (editor) => new TextureTool(editor)],
  ["measure", "Measure", "m", (editor) => new MeasureTool(editor)],
];
const KEYS_OF_TOOLS = new Set([...TOOLS.map(([, , key]) => key), "x"]);  // of the letters
const SECTIONS = {body: "bodies", joint: "joints", actuator: "actuators"};

class Editor {
  constructor(player) {
    Object.assign(this, {player, selection: [], desk: null, isOpen: false, waiting: new Map(), asked: 0, problems: [], remembered: {}, gesture: 0, picks: 0});
    this.grid = new Grid(this);
    this.images = true;
    this.hidden = new Set();
    this.locked = new Set();
    this.marks = new Marks(this);
    this.tools = new Map(TOOLS.map(([id, , , make]) => [id, make(this)]));
    this.tool = this.tools.get("select");
    this.dialogs = new Dialogs();
    this.hands = new Hands(this);
    this.bar = new ToolBar(this);
    this.form = new FormPanel(this);
    this.objects = new ObjectsPanel(this);
    this.blocks = new BlocksPanel(this);
    this.text = new TextPane(this);
    this.files = new FilesMenu(this);
    this.panels = new EditPanels(this);
    player.picture.home = () => {
      [this.kept, this.wasHome] = [null, true];
      Picture.prototype.home.call(player.picture);
    };
    this.opener = element("button", {type: "button", class: "icon", id: "edit-open", "aria-label": "Edit", "aria-pressed": "false", title: "Tools that change the file (Shift e)", click: () => this.toggle()});
    this.opener.append(document.importNode(icon("vertices"), true));
    find("theme").before(this.opener);
  }

  get source() { return this.player.source; }
  get view() { return this.player.picture.lastView; }
  get moment() { return this.source.at(this.player.time); }

  // ---------------------------------------------------------------- open and closed

  toggle() { if (this.isOpen) this.close(); else this.open(); }

  async open() {
    this.isOpen = true;
    document.documentElement.dataset.edits = "true";
    this.opener.setAttribute("aria-pressed", "true");
    this.player.select(null);
    this.goToStart();
    this.panels.open();
    this.player.shownPanel.reserve(KEYS_OF_TOOLS);
    this.choose("select");
    this.player.picture.resize();
    const answer = await this.ask({ask: "hello"});
    if (answer.error) return note(answer.error, 6000);
    this.schema = answer.schema;
    this.templates = answer.templates;
    this.start();
    this.renewed();
  }

  // Offers templates for a new scene, once the server has sent its text.
  start() {
    if (this.started || !this.desk || !this.templates) return;
    this.started = true;
    this.files.showStart();
  }

  close() {
    this.tool.leave();
    this.inside = null;
    this.isOpen = false;
    delete document.documentElement.dataset.edits;
    this.opener.setAttribute("aria-pressed", "false");
    this.panels.close();
    this.player.shownPanel.reserve(new Set());
    this.showHidden();
    this.select([]);
    this.player.picture.resize();
    this.changed();
  }

  goToStart() {
    if (this.player.playing) this.player.pause();
    if (this.player.time > 0) this.player.seek(0);
  }

  // Whether the picture shows the start, which is what the file says.
  get atStart() { return this.player.time <= 1e-12 && !this.player.playing; }

  choose(id) {
    if (id !== "select") this.files.hideStart();
    this.tool.leave();
    [this.tool, this.toolId] = [this.tools.get(id), id];
    this.said = "";
    this.tool.begin();
    this.changed(true);
  }

  // The prototype of an instance alone.
  editPrototype(instance) {
    this.inside = new Inside(this, instance);
    this.choose("select");
    this.showHidden();
    this.select([]);
    this.say(`The prototype ${this.inside.prototype} alone: what is changed here changes all its instances. Esc, with nothing selected, leads back.`);
  }

  leaveInside() {
    const {instance} = this.inside;
    this.inside = null;
    this.showHidden();
    this.select([this.objectNamed(`instances.${instance.replace(/\[.*$/, "")}`)].filter(Boolean));
  }

  // Esc: out of what is begun, then out of the tool, then out of the selection.
  escape() {
    if (this.files.close() || this.files.hideStart() || this.tool.cancel()) this.changed(true);
    else if (this.toolId !== "select") this.choose("select");
    else if (this.inside && !this.selection.length) this.leaveInside();
    else this.select([]);
  }

  // ---------------------------------------------------------------- the server

  ask(request) {
    const id = this.asked += 1;
    this.player.link.ask({do: "desk", id, ...request});
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  hear(answer) {
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
  }

  // One edit; asks what has to be known first. The answer, or null where it was not made.
  async edit(asked, {quiet = false} = {}) {
    const message = this.inside ? this.inside.edit(asked) : asked;
    if (!message) {
      this.say("The file does not say plainly where this instance is: draw in one at a plain place.");
      return null;
    }
    const edit = {step: this.grid.pixel, ...message, choices: {...this.remembered, ...message.choices}};
    if (!this.canEdit(edit)) {
      this.preview(null);
      return null;
    }
    const {picks} = this, begun = performance.now(), answer = await this.ask({ask: "edit", edit});
    this.took = performance.now() - begun;
    if (answer.ask) {
      const choices = await this.dialogs.questions(answer.ask);
      if (!choices) {
        this.preview(null);
        this.say("Nothing was changed.");
        return null;
      }
      if (choices.remember) Object.assign(this.remembered, choices.values);
      return this.edit({...asked, choices: {...asked.choices, ...choices.values}}, {quiet});
    }
    if (answer.refused || answer.error) {
      this.preview(null);
      const why = [answer.refused ?? answer.error, ...(answer.differs ?? [])].join("; ");
      if (!quiet) note(why, 8000);  // one that is quiet is said where it was asked for
      this.say("Nothing was changed.");
      return {...answer, refused: why};
    }
    if (answer.names?.length && picks === this.picks) {  // nothing else was selected meanwhile
      [this.wanted, this.wantedOf] = [answer.names, answer.version];
      this.takeWanted();  // where the picture has them already
    }
    this.say([`${["undo", "redo"].includes(edit.edit) ? "" : "Done: "}${answer.what}`, ...(answer.notes ?? [])].join(". "));
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.preview(null), 15000);  // the picture of the new text is there before
    return answer;
  }

  // The mouse waits while the text is wrong by hand.
  canEdit({edit}) {
    const wrong = this.player.status?.trouble;
    if (!wrong || wrong.kind === "simulation" || ["text", "undo", "redo"].includes(edit)) return true;
    const [first] = wrong.problems;
    note(`The file has a mistake${first ? ` in line ${first.line}` : ""}: mend it, then the tools go on.`, 6000);
    return false;
  }

  async undo() { await this.edit({edit: "undo"}); }
  async redo() { await this.edit({edit: "redo"}); }

  // The state of the files, as the server tells it.
  know(desk) {
    if (this.desk?.text !== desk.text) this.files.hideStart();
    this.desk = desk;
    this.start();
    this.text.show(desk);
    this.takeWanted();
    this.bar.show();
    if (this.isOpen) this.panels.show();
    this.changed(true);
  }

  // New objects of an edit are selected as soon as the picture has them.
  takeWanted() {
    if (!this.wanted) return;
    const objects = this.wanted.map((path) => this.objectNamed(path)).filter(Boolean);
    const isKnown = this.desk?.version >= this.wantedOf && this.source.data.text === this.desk.text;
    if (!objects.length || (objects.length < this.wanted.length && !isKnown)) return;
    this.wanted = null;
    this.select(objects);
  }

  // There is another source, as after each edit.
  renewed() {
    this.takeWanted();
    this.selection = this.selection.filter((each) => each.kind === "entry" || this.isThereAny(each));
    if (this.inside && this.valueAt(`instances.${this.inside.instance.replace(/\[.*$/, "")}`)?.use !== this.inside.prototype) this.inside = null;
    this.showHidden();
    this.tool.renewed?.();
    if (this.isOpen) {
      this.showValues();
      this.panels.show();
    }
    this.changed(true);
  }

  // ---------------------------------------------------------------- objects and their paths

  valueAt(path) {
    const keys = path.match(/[^.[\]]+/g) ?? [];
    return keys.reduce((value, key) => (value === null || typeof value !== "object" ? undefined : value[key]), this.desk?.tree);
  }

  // The path by which messages name an object of the picture: that of its instance where it comes of one.
  pathOf({kind, name, path}) {
    if (kind === "entry") return path;
    if (this.inside?.holds(name)) return this.inside.pathOf(kind, name);
    const head = name.split(".")[0], instance = head.replace(/\[.*$/, "");
    if (name.includes(".") && this.desk?.tree?.instances?.[instance] !== undefined) return `instances.${head}`;
    return `${SECTIONS[kind]}.${name}`;
  }

  // The entry of the file that says a path, and whether many objects come of it.
  entryOf(path) {
    const inner = this.inside?.entryOf(path);
    if (inner) return inner;
    const [section] = path.split(/[.[]/), own = this.desk?.tree?.[section];
    if (Array.isArray(own) || own === undefined) return {entry: path, section, made: false};
    const entry = path.replace(/\[[^\]]*\]$/, "");
    return {entry, section, made: entry !== path};
  }

  objectNamed(path) {
    if (this.inside) path = path.replace(new RegExp(`^prototypes\\.${this.inside.prototype}\\.(bodies|joints|actuators)\\.`), `$1.${this.inside.head}`)
      .replace(/^(bodies|joints|actuators)\.(.*)$/, (all, section, name) => (this.inside.holds(name) ? all : `${section}.${this.inside.head}${name}`));
    const [section, ...rest] = path.split("."), name = rest.join("."), {bodies, joints, actuators} = this.source.data;
    const has = (list) => list.some((each) => each.name === name || each.name.startsWith(`${name}[`));
    if (section === "bodies") return has(bodies) ? {kind: "body", name: bodies.find((each) => each.name === name || each.name.startsWith(`${name}[`)).name} : null;
    if (section === "joints") return has(joints) ? {kind: "joint", name} : null;
    if (section === "actuators") return has(actuators) ? {kind: "actuator", name} : null;
    if (section === "instances") {
      const first = bodies.find((each) => each.name.startsWith(`${name}.`) || each.name.startsWith(`${name}[`));
      return first ? {kind: "body", name: first.name} : null;
    }
    return this.valueAt(path) === undefined ? null : {kind: "entry", name: path, path};
  }

  isThereAny({kind, name}) {
    const {bodies, joints, actuators} = this.source.data;
    return {body: bodies, joint: joints, actuator: actuators}[kind].some((each) => each.name === name);
  }

  paths() { return [...new Set(this.selection.map((each) => this.pathOf(each)))]; }

  // Objects are the same that have one path: all parts of an instance are one object.
  isSame(one, other) { return this.pathOf(one) === this.pathOf(other); }

  isSelected(object) { return this.selection.some((each) => this.isSame(each, object)); }

  rowOf(name) {
    if (this.rowsOf?.source !== this.source) this.rowsOf = {source: this.source, rows: new Map(this.source.data.bodies.map((each, row) => [each.name, row]))};
    return this.rowsOf.rows.get(name) ?? -1;
  }

  // Rows of the bodies of a path: all parts of an instance.
  rowsAt(path) {
    const head = `${path.slice(path.indexOf(".") + 1)}.`;
    if (path.startsWith("instances.")) return this.source.data.bodies.flatMap(({name}, row) => (name.startsWith(head) ? [row] : []));
    const row = path.startsWith("bodies.") ? this.rowOf(path.slice(7)) : -1;
    return row < 0 ? [] : [row];
  }

  // Rows of the bodies that are selected.
  rows() { return [...new Set(this.paths().flatMap((path) => this.rowsAt(path)))].filter((row) => isThere(this.moment, row)); }

  poses() {
    const {pose} = this.source.moment;
    return new Map(this.rows().map((row) => [row, [pose[3 * row], pose[3 * row + 1], pose[3 * row + 2]]]));
  }

  isFree(name) {
    if (this.inside) return this.inside.holds(name);
    const path = this.pathOf({kind: "body", name});
    return !this.hidden.has(path) && !this.locked.has(path);
  }

  // The objects at a place, without hidden and locked ones.
  objectAt({x, y}) {
    const {joints, bodies, actuators} = this.source.data, {view, moment} = this;
    const smallest = (row) => { const [x0, y0, x1, y1] = row < 0 ? [0, 0, Infinity, Infinity] : ownBox(this.source.sketch, view, row); return Math.min(x1 - x0, y1 - y0) * view.scale; };
    let best = null, nearest = NEAR;
    joints.forEach((joint) => {
      if (this.inside && !this.inside.holds(joint.name)) return;
      for (const [body, anchor] of [[joint.a, joint.anchorA], [joint.b, joint.anchorB]]) {
        if (!isThere(moment, body)) continue;
        const [px, py] = placed(moment, body, ...anchor), away = Math.hypot(view.x(px) - x, view.y(py) - y);
        if (away < nearest && away < Math.max(4, 0.25 * smallest(body))) [best, nearest] = [{kind: "joint", name: joint.name}, away];  // round it a small body is left to be clicked
      }
    });
    best ??= this.tools.get("select").actuators.at({x, y});
    if (best) return best;
    const [row] = bodiesUnder(this.source, moment, view, x, y, (each) => this.isFree(bodies[each].name));
    if (row !== undefined) return {kind: "body", name: bodies[row].name};
    const line = joints.find((joint) => joint.kind === "distance" && (!this.inside || this.inside.holds(joint.name)) && isThere(moment, joint.a) && isThere(moment, joint.b)
      && distance([[joint.a, joint.anchorA], [joint.b, joint.anchorB]].map(([body, anchor]) => placed(moment, body, ...anchor)).map(([px, py]) => [view.x(px), view.y(py)]), x, y) < 5);
    return line ? {kind: "joint", name: line.name} : null;
  }

  select(objects) {
    this.wanted = null;
    this.picks += 1;
    this.selection = objects;
    this.showValues();
    if (this.isOpen) {
      this.panels.selected();
      this.tool.renewed?.();
    }
    this.changed(true);
  }

  // The values of what is selected, beside the picture.
  showValues() {
    const [first] = this.selection, row = first?.kind === "body" ? this.rowOf(first.name) : this.source.data.joints.findIndex(({name}) => name === first?.name);
    this.player.values.select(["body", "joint"].includes(first?.kind) && row >= 0 ? {kind: first.kind, index: row} : null);
  }

  selectAll() {
    const {bodies} = this.source.data;
    this.select(bodies.map(({name}) => ({kind: "body", name})).filter(({name}) => this.isFree(name)));
  }

  selectNext(way) {
    const {bodies, joints} = this.source.data;
    const all = [...bodies.map(({name}) => ({kind: "body", name})), ...joints.map(({name}) => ({kind: "joint", name}))].filter((each) => (each.kind === "joint" && !this.inside) || this.isFree(each.name));
    if (!all.length) return;
    const at = all.findIndex((each) => this.selection.length && each.kind === this.selection.at(-1).kind && each.name === this.selection.at(-1).name);
    this.select([all[(at + way + all.length) % all.length] ?? all[0]]);
  }

  // ---------------------------------------------------------------- what is done with the selection

  async duplicate(count = 1) { if (this.paths().length) await this.edit({edit: "duplicate", count, what: this.paths(), by: [1, -1].map((part, i) => part * this.grid.spacing * (i && this.source.data.units.yDown ? -1 : 1))}); }

  async remove() {
    const what = this.paths();
    if (!what.length) return this.say("Nothing is selected.");
    const done = await this.edit({edit: "delete", what});
    if (done?.done) this.select([]);
  }

  async group() {
    const name = await this.dialogs.word("Name of the group", "group");
    if (name) await this.edit({edit: "group", what: this.paths(), name});
  }

  async makePrototype() {
    const name = await this.dialogs.word("Name of the prototype", "part");
    if (name) await this.edit({edit: "prototype", what: this.paths(), name});
  }

  async takePose() {
    const {bodies} = this.source.data, {pose, state} = this.source.moment, poses = {};
    bodies.forEach(({name, kind}, row) => {
      if (kind === "dynamic" && state[row] & THERE) poses[name] = [pose[3 * row], pose[3 * row + 1], pose[3 * row + 2] * DEGREES];
    });
    this.player.pause();
    const done = await this.edit({edit: "take_pose", poses});
    if (done?.done) this.player.link.ask({do: "restart"});
  }

  nudge(x, y, fine) {
    const what = this.paths(), step = fine ? 1 / this.view.scale : this.grid.spacing;
    if (!what.length) return;
    if (!this.atStart) return this.backToStart();
    this.edit({edit: "move", what, by: [x * step, y * step * this.view.way].map(clean), gesture: `nudge ${what.join(" ")} ${this.gesture}`, ...(fine ? {step: step / 2} : {})});
  }

  backToStart() {
    this.goToStart();
    this.say("Back at the start: the file says where objects begin. “Take this pose” keeps where they are in the run.");
  }

  // Bodies that are hidden in the tree are not drawn; in the run they are there.
  showHidden() {
    const {bodies} = this.source.data, rows = bodies.map(({name}, row) => ((this.inside ? !this.inside.holds(name) : this.hidden.has(this.pathOf({kind: "body", name})) || this.hidden.has(`bodies.${name.replace(/\[.*$/, "")}`)) ? row : -1));
    this.source.veiled = new Set(rows.filter((row) => row >= 0));
    this.source.sketch.isBare = this.isOpen && !this.images;
    this.changed();
  }

  showImages(shown) {
    this.images = shown;
    this.showHidden();
  }

  seeTrouble(trouble) {
    const said = JSON.stringify(this.problems = trouble?.problems ?? []);
    if (said === this.troubleSaid || !this.text.pane) return;
    this.troubleSaid = said;
    this.text.diagnose(this.problems);
  }

  tour() { new Tour(this).begin(); }

  // ---------------------------------------------------------------- showing

  preview(poses) {
    if (!poses) clearTimeout(this.fading);
    this.source.posed = poses;
    this.changed();
  }

  say(text) {
    [this.said, this.saidBusy] = [text, this.tool.isBusy];  // what is said of something begun stays until the next press
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => { this.said = ""; this.bar.tellStatus(); }, 6000);
    this.bar.tellStatus();
  }

  // Draw again; with the row of options too where these may be others.
  changed(all = false) {
    if (all) this.bar.show();
    this.player.changed();
  }

  // The view stays while objects are changed, whatever the scene's camera would show of the new run, and
  // in the run; there a camera that the file has moved or placed shows what it would in the game.
  holdView({view}) {
    const {picture} = this.player, same = (one, other) => one && other && ["x", "y", "scale"].every((key) => Math.abs(one[key] - other[key]) <= 1e-9 * (1 + Math.abs(other[key])));
    if (!this.source.past.length) return;  // no moment has come yet
    if (this.atStart) {
      if (!picture.free && !this.kept && !this.wasHome) {
        picture.free = this.wholeView(view);
        this.player.changed();
      }
      picture.free ??= this.kept ?? picture.middle(view);
      this.kept = picture.free;
    } else if (!this.files.hideStart() && same(picture.free, this.kept) && this.player.playing && !["fit", undefined].includes(this.desk?.tree.camera?.mode)) picture.free = null;
  }

  // The camera's view, and what is beside it, as far as that is not much more.
  wholeView(view) {
    const {picture} = this.player, {bodies} = this.source.data, box = worldBox(this.source.sketch, this.moment, view, bodies.map((_, i) => i).filter((i) => isThere(this.moment, i)));
    if (!box) return picture.middle(view);
    const [ax, ay] = view.back(0, 0), [bx, by] = view.back(...picture.size), whole = [Math.min(box[0], ax, bx), Math.min(box[1], ay, by), Math.max(box[2], ax, bx), Math.max(box[3], ay, by)];
    const scale = 0.95 * Math.min(picture.size[0] / (whole[2] - whole[0]), picture.size[1] / (whole[3] - whole[1]));
    if (scale > 0.9 * view.scale || scale < view.scale / 30) return picture.middle(view);
    return {x: 0.5 * (whole[0] + whole[2]), y: 0.5 * (whole[1] + whole[3]), scale};
  }

  draw(scene) {
    if (!this.isOpen) return;
    this.holdView(scene);
    if (this.grid.on && this.atStart) this.marks.grid(scene);
    this.files.drawTraced(scene);
    this.blocks.drawCategories(scene);
    if (this.atStart) {
      if (this.grid.overview) this.marks.overview(scene);
      this.marks.selection(scene);
      this.tool.draw(scene);
      if (this.grid.hint && (this.tool.act || this.toolId !== "select")) this.marks.cross(scene.context, [scene.view.x(this.grid.hint[0]), scene.view.y(this.grid.hint[1])], GUIDE);
      if (this.cross) this.marks.cross(scene.context, [scene.view.x(this.cross[0]), scene.view.y(this.cross[1])], PIVOT, 10);
    }
    if (this.grid.ruler && this.atStart) this.marks.ruler(scene);  // the run shows the game's own picture alone
    this.bar.tellStatus();
  }
}
