// SPDX-License-Identifier: MIT
// All objects of the file as a tree, with search, hiding and locking; and the palette of prototypes.

const TREE = ["bodies", "instances", "joints", "actuators", "groups", "prototypes", "materials", "vars", "animations", "controls", "state", "events", "spawners", "probes",
  "layers", "particles", "annotations", "expect"];
const MOST_ROWS = 400;

class ObjectsPanel {
  constructor(editor) {
    this.editor = editor;
    this.pictures = new Map();
    this.search = element("input", {type: "search", placeholder: "Search", "aria-label": "Search objects by name", input: () => { this.shape = null; this.show(); }});
    this.palette = element("div", {class: "palette", role: "group", "aria-label": "Palette of prototypes"});
    this.tree = element("div", {class: "tree"});
    this.tags = {};
    this.included = [];
    this.folded = new Set(["materials", "vars", "expect", "annotations"]);
    this.box = element("div", {}, element("h2", {}, "Palette"), this.palette, this.search, this.tree);
  }

  show() {
    const {editor} = this, {desk} = editor;
    if (!desk) return;
    const shape = `${desk.version} ${this.search.value} ${[...this.folded].join(" ")} ${editor.hidden.size} ${editor.locked.size} ${editor.paths().join(" ")}`;
    if (shape === this.shape) return;
    this.shape = shape;
    const focus = this.tree.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.showPalette(desk);
    this.learn();
    const wanted = this.search.value.trim().toLowerCase();
    const sections = TREE.filter((section) => desk.tree[section] && typeof desk.tree[section] === "object").map((section) => this.section(section, desk.tree[section], wanted));
    if (Object.keys(this.tags).length) sections.push(this.section("tags", this.tags, wanted));
    this.tree.replaceChildren(...sections.filter(Boolean));
    if (focus) this.tree.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  // Names that the tree of the file does not have: tags with their bodies, and prototypes of included files.
  async learn() {
    const {editor} = this, {source} = editor;
    if (this.learnedOf === source) return;
    this.learnedOf = source;
    const {tags = {}, included = []} = await editor.ask({ask: "names"});
    if (this.learnedOf !== source || JSON.stringify([tags, included]) === JSON.stringify([this.tags, this.included])) return;
    Object.assign(this, {tags, included, shape: null, paletteShape: null});
    if (editor.panels.chosen === "objects") this.show();
  }

  section(section, own, wanted) {
    const isList = Array.isArray(own) && section !== "tags", entries = (isList ? own.map((each, i) => [i, each]) : Object.entries(own))
      .map(([key, value]) => ({path: isList ? `${section}[${key}]` : `${section}.${key}`, label: isList ? this.labelOf(section, value, key) : key, note: this.noteOf(section, value)}))
      .filter(({label, note}) => !wanted || `${label} ${note}`.toLowerCase().includes(wanted));
    if (wanted && !entries.length) return null;
    const box = element("details", {class: "branch"}, element("summary", {"data-key": section}, `${section} (${entries.length})`));
    box.open = wanted !== "" || !this.folded.has(section);
    box.addEventListener("toggle", () => { if (box.open) this.folded.delete(section); else if (!wanted) this.folded.add(section); });
    const shown = entries.slice(0, MOST_ROWS).map((each) => this.row(section, each));
    const more = entries.length > MOST_ROWS ? [element("li", {class: "quiet"}, `and ${entries.length - MOST_ROWS} more: search`)] : [];
    box.append(element("ul", {}, ...shown, ...more));
    return box;
  }

  labelOf(section, value, key) {
    const first = value && typeof value === "object" ? Object.entries(value)[0] : null;
    return `${key + 1}: ${first ? `${first[0]} ${flowOf(first[1]).slice(0, 40)}` : flowOf(value).slice(0, 40)}`;
  }

  noteOf(section, value) {
    if (section === "tags") return value.length === 1 ? "1 body" : `${value.length} bodies`;
    if (!value || typeof value !== "object") return flowOf(value).slice(0, 24);
    if (value.repeat) return "repeated";
    return value.use ?? value.type ?? (value.shape ? Object.keys(value.shape)[0] : "");
  }

  row(section, {path, label, note}) {
    const {editor} = this, isOn = editor.paths().some((each) => editor.entryOf(each).entry === path);
    const name = element("button", {type: "button", class: "object", "data-key": path, "aria-pressed": String(isOn), click: (event) => this.pick(path, event.shiftKey || event.ctrlKey)}, element("span", {}, label), element("i", {}, note));
    const switches = ["bodies", "instances"].includes(section) ? [this.toggle(path, editor.hidden, "hide", "Hide"), this.toggle(path, editor.locked, "lock", "Lock", ": it is not selected in the picture")] : section === "tags" ? [this.renamer(label)] : [];
    return element("li", {}, name, ...switches);
  }

  toggle(path, set, key, label, more = "") {
    return element("button", {type: "button", class: "icon switch", "data-key": `${key} ${path}`, "aria-label": `${label} ${path.split(".").slice(1).join(".")}`, title: `${label}${more}`, "aria-pressed": String(set.has(path)), click: () => {
      if (set.has(path)) set.delete(path); else set.add(path);
      this.editor.showHidden();
      this.show();
    }}, icon(key));
  }

  renamer(tag) {
    const {editor} = this;
    return element("button", {type: "button", class: "plain small", "data-key": `rename tags.${tag}`, "aria-label": `Rename the tag ${tag}`, title: "Rename it wherever it is named", click: async () => {
      const to = await editor.dialogs.word("Name", tag, `Rename the tag ${tag}`);
      if (to && to !== tag) editor.edit({edit: "rename", what: [`tags.${tag}`], to});
    }}, "Rename");
  }

  pick(path, add) {
    const {editor} = this;
    if (path.startsWith("tags.")) return editor.select((this.tags[path.slice(5)] ?? []).map((name) => ({kind: "body", name})));
    const object = editor.objectNamed(path) ?? {kind: "entry", name: path, path};
    editor.select(add ? [...editor.selection, object] : [object]);
    if (object.kind === "entry") editor.panels.choose("form");
  }

  // ---------------------------------------------------------------- palette

  showPalette(desk) {
    const names = [...Object.keys(desk.tree.prototypes ?? {}), ...this.included], shape = `${names.join(" ")} ${desk.version}`;
    if (shape === this.paletteShape) return;
    this.paletteShape = shape;
    if (!names.length) return this.palette.replaceChildren(element("p", {class: "quiet"}, "No prototypes yet: select something and choose “Make prototype”, or drop a file of another program on the picture."));
    this.palette.replaceChildren(...names.map((name) => this.card(name)));
  }

  card(name) {
    const image = element("img", {alt: "", width: "64", height: "64", draggable: "false"});
    this.draw(name, image);
    const card = element("button", {type: "button", class: "card", title: `Drag ${name} into the picture, or press and then click a place${this.included.includes(name) ? "; it is of an included file" : ""}`, "data-prototype": name,
      click: () => this.place(name), pointerdown: (event) => this.drag(event, name, card)}, image, element("span", {}, name));
    return card;
  }

  async draw(name, image) {
    const text = JSON.stringify(this.editor.valueAt(`prototypes.${name}`) ?? this.included), known = this.pictures.get(name);
    if (known?.text === text) return void (known.picture && (image.src = known.picture));
    if (known?.picture) image.src = known.picture;
    const answer = await this.editor.ask({ask: "picture", prototype: name});
    this.pictures.set(name, {text, picture: answer.picture, middle: answer.middle});
    if (answer.picture) image.src = answer.picture;
  }

  // Where an instance is so that its middle is at a place.
  originFor(name, at) {
    const middle = this.pictures.get(name)?.middle ?? [0, 0];
    return at.map((part, i) => toNearest(part - middle[i], this.editor.grid.pixel));
  }

  // The next click in the picture places it; more clicks place more of them.
  place(name) {
    if (this.wasDragged) return void (this.wasDragged = false);
    const tool = new PlaceTool(this.editor, name);
    this.editor.tool.leave();
    [this.editor.tool, this.editor.toolId] = [tool, "place"];
    this.editor.changed(true);
    find("picture").focus({preventScroll: true});
  }

  drag(event, name, card) {
    const {editor} = this, from = [event.clientX, event.clientY];
    const ghost = element("div", {class: "ghost", "aria-hidden": "true"}, name);
    card.setPointerCapture(event.pointerId);
    const move = (moved) => {
      if (!ghost.isConnected && apartOf(from, [moved.clientX, moved.clientY]) < 6) return;
      if (!ghost.isConnected) document.body.append(ghost);
      ghost.style.transform = `translate(${moved.clientX + 8}px, ${moved.clientY + 8}px)`;
    };
    const up = (moved) => {
      card.removeEventListener("pointermove", move);
      if (!ghost.isConnected) return;
      ghost.remove();
      this.wasDragged = true;
      setTimeout(() => { this.wasDragged = false; }, 50);
      const box = find("picture").getBoundingClientRect(), [x, y] = [moved.clientX - box.left, moved.clientY - box.top];
      if (x < 0 || y < 0 || x > box.width || y > box.height) return;
      editor.edit({edit: "instance", use: name, at: this.originFor(name, editor.grid.snapped(editor.view.back(x, y)))});
    };
    card.addEventListener("pointermove", move);
    card.addEventListener("pointerup", up, {once: true});
  }
}

// Instances of a prototype, one at each click.
class PlaceTool extends Tool {
  constructor(editor, name) {
    super(editor);
    this.name = name;
  }

  says() { return `Click where ${this.name} shall be; again for more of them. Esc: select.`; }
  hover({at}) { this.at = at; }
  press({at}) { this.editor.edit({edit: "instance", use: this.name, at: this.editor.objects.originFor(this.name, at)}); }

  draw({context}) {
    if (!this.at) return;
    this.editor.marks.cross(context, this.pixels(this.at), HOLD, 10);
    const [x, y] = this.pixels(this.at);
    this.editor.marks.label(context, this.name, [x + 12, y - 8], HOLD);
  }
}
