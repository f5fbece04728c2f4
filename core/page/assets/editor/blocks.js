// SPDX-License-Identifier: MIT
// Blocks of the whole scene: world, the collision matrix, camera, layers, events, animations, keys and so on.

const BLOCKS = [["world", "World"], ["collision", "Collisions"], ["camera", "Camera"], ["layers", "Layers"], ["events", "Events"], ["animations", "Animations"],
  ["controls", "Keys of the scene"], ["spawners", "Spawners"], ["state", "State"], ["outcome", "Outcome"], ["materials", "Materials"], ["vars", "Variables"], ["defaults", "Defaults"], ["render", "Look"], ["minimap", "Minimap"],
  ["particles", "Particles"], ["annotations", "Annotations"], ["record", "Record"], ["expect", "Expectations"]];
// The first value of a new entry of a block; entries with names ask for one.
const FIRST = {
  layers: {image: "image.png", z: -1}, events: {when: "time", at: 1, do: [{log: "a second"}]}, controls: {hold: []}, spawners: null, state: 0, materials: {density: 1, friction: 0.6}, vars: 1,
  annotations: {text: "a text", at: [0, 0]}, expect: {at: "end", that: "=1 > 0"}, particles: null,
};

class BlocksPanel {
  constructor(editor) {
    this.editor = editor;
    this.chosen = "world";
    this.choice = element("select", {"aria-label": "Block of the scene", id: "block", change: () => { this.chosen = this.choice.value; this.shape = null; this.show(); this.editor.changed(); }},
      ...BLOCKS.map(([value, label]) => element("option", {value}, label)));
    this.body = element("div", {class: "block"});
    this.box = element("div", {}, this.choice, this.body);
    this.line = new TimeLine(editor, () => { this.shape = null; this.show(); });
  }

  show() {
    const {editor} = this, {desk} = editor;
    if (!desk || !editor.schema) return;
    editor.schemas ??= new Schema(editor.schema);
    const shape = `${this.chosen} ${desk.version}`;
    if (shape === this.shape) return;
    this.shape = shape;
    const focus = this.body.contains(document.activeElement) ? document.activeElement.dataset.path : null;
    const special = {collision: () => this.matrix(), camera: () => this.camera(), events: () => this.events(), animations: () => this.line.rows(), layers: () => this.entries("layers", true)}[this.chosen];
    this.body.replaceChildren(...(special ? special() : this.plain(this.chosen)));
    if (focus) this.body.querySelector(`[data-path="${CSS.escape(focus)}"]`)?.focus();
  }

  plain(block) {
    const {editor} = this, value = editor.desk.tree[block], node = editor.schemas.at(block), object = editor.schemas.objectOf(node);
    const hint = element("p", {class: "hint"}, node.description ?? "");
    if (object && !node.items) return [hint, new FieldList(editor, block, object, value, {depth: 1}).box];
    return [hint, ...this.entries(block)];
  }

  // Entries by name or by number, each with its form.
  entries(block, ordered = false) {
    const {editor} = this, {tree} = editor.desk, own = tree[block] ?? {}, isList = Array.isArray(own) || editor.schemas.at(block).type === "array";
    const all = Array.isArray(own) ? own.map((value, i) => [`${block}[${i}]`, `${i + 1}`, value]) : Object.entries(own).map(([name, value]) => [`${block}.${name}`, name, value]);
    const rows = all.map(([path, label, value], i) => this.entry(block, path, label, value, ordered ? [i, all.length] : null));
    const add = FIRST[block] === null || FIRST[block] === undefined ? [] : [action("Add", `A new entry of ${block}`, () => this.add(block, isList))];
    return [...rows, ...add];
  }

  async add(block, isList) {
    const {editor} = this, start = FIRST[block];
    if (block === "controls") {
      const key = await editor.dialogs.word("Key", "up", "Which key?");
      const does = key && await editor.dialogs.word("Actuator, or animation.forward", Object.keys(editor.desk.tree.actuators ?? {})[0] ?? "", "Active while it is held");
      if (does) await editor.edit({edit: "set", path: `controls.${key}`, text: does});
      return;
    }
    if (block === "layers") {
      const image = await editor.dialogs.word("Image, a file in the folder of the scene", "image.png", "A new layer");
      if (image) await editor.edit({edit: "add", section: "layers", value: {...start, image}});
      return;
    }
    if (isList) return void await editor.edit({edit: "add", section: block, value: start});
    const name = await editor.dialogs.word("Name", block.replace(/s$/, ""));
    if (name) await editor.edit({edit: "set", path: `${block}.${name}`, value: start});
  }

  entry(block, path, label, value, order) {
    const {editor} = this, node = editor.schemas.at(path), object = node && value && typeof value === "object" && !Array.isArray(value) ? editor.schemas.objectOf(node) : null;
    const remove = element("button", {type: "button", class: "close", "aria-label": `Delete ${path}`, title: "Delete", click: (event) => { event.preventDefault(); editor.edit({edit: "delete", what: [path]}); }}, "×");
    const moves = order ? [["↑", order[0] - 1], ["↓", order[0] + 1]].filter(([, to]) => to >= 0 && to < order[1]).map(([sign, to]) => element("button", {type: "button", class: "close",
      "aria-label": `${sign === "↑" ? "Earlier" : "Later"}: ${path}`, title: "The order, in which they are drawn", click: (event) => { event.preventDefault(); editor.edit({edit: "reorder", what: [path], to}); }}, sign)) : [];
    if (!object) return new FieldList(editor, path.slice(0, path.lastIndexOf(".")), {properties: {[label]: node ?? {}}}, {[label]: value}).box;
    const short = Object.values(value).filter((each) => typeof each !== "object").slice(0, 2).join(" ");
    const box = element("details", {class: "nested"}, element("summary", {}, `${label} `, element("i", {class: "quiet"}, short)));
    box.addEventListener("toggle", () => { if (box.open && box.childElementCount === 1) box.append(element("span", {class: "beside"}, ...moves, remove), new FieldList(editor, path, object, value).box); if (box.open) this.opened = path; });
    if (this.opened === path) box.open = true;
    return box;
  }

  // ---------------------------------------------------------------- collisions

  categories() {
    const {tree} = this.editor.desk, found = new Set(["default", ...(tree.collision?.categories ?? [])]);
    const look = (value) => {
      if (!value || typeof value !== "object") return;
      if (typeof value.category === "string" && !value.category.startsWith("=")) found.add(value.category);
      Object.values(value).forEach(look);
    };
    look(tree.bodies);
    look(tree.prototypes);
    look(tree.defaults);
    return [...found];
  }

  collides(a, b) {
    const {collide, ignore} = this.editor.desk.tree.collision ?? {}, has = (list) => list.some((pair) => Array.isArray(pair) && ((pair[0] === a && pair[1] === b) || (pair[0] === b && pair[1] === a)));
    return Array.isArray(collide) ? has(collide) : !has(Array.isArray(ignore) ? ignore : []);
  }

  hueOf(i, count) { return `hsl(${Math.round(i * 360 / count)} 55% 50%)`; }

  // While the matrix is looked at, bodies have the colours of their categories.
  async learnCategories() {
    const {version} = this.editor.desk, {categories} = await this.editor.ask({ask: "names"});
    this.known = {version, categories: categories ?? {}};
    this.editor.changed();
  }

  drawCategories({context, view, moment}) {
    const {editor} = this;
    if (this.chosen !== "collision" || editor.panels.chosen !== "blocks" || !editor.atStart) return;
    if (this.known?.version !== editor.desk.version && this.learns !== editor.desk.version) {
      this.learns = editor.desk.version;
      this.learnCategories();
    }
    const names = this.categories(), {sketch, data} = editor.source;
    data.bodies.forEach(({name}, row) => {
      const at = names.indexOf(this.known?.categories[name]);
      if (at < 0 || !isSeen(moment, row)) return;
      context.fillStyle = context.strokeStyle = this.hueOf(at, names.length);
      context.globalAlpha = 0.75;
      context.lineWidth = 4;
      for (const item of partsOf(sketch, row)) {
        if (!item.single || !["polygon", "loop", "path", "circle"].includes(item.kind)) continue;
        const points = pairs(item.local).map((point) => placed(moment, row, ...point)).map(([x, y]) => [view.x(x), view.y(y)]);
        context.beginPath();
        if (item.kind === "circle") context.arc(...points[0], reachOf(sketch, item, view) * view.scale, 0, TURN);
        else points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
        if (item.kind === "path") context.stroke(); else context.fill();
      }
      context.globalAlpha = 1;
    });
  }

  // The name of a category, which is renamed wherever it is named.
  renamer(name) {
    const {editor} = this;
    if (name === "default") return name;
    return element("button", {type: "button", class: "plain small", title: `Rename the category ${name} wherever it is named`, click: async () => {
      const to = await editor.dialogs.word("Name", name, `Rename the category ${name}`);
      if (to && to !== name) editor.edit({edit: "rename", what: [`categories.${name}`], to});
    }}, name);
  }

  matrix() {
    const {editor} = this, names = this.categories(), hue = (i) => this.hueOf(i, names.length);
    const dot = (i) => {
      const canvas = element("canvas", {width: "12", height: "12", "aria-hidden": "true", class: "dot"}), context = canvas.getContext("2d");
      context.fillStyle = hue(i);
      context.beginPath();
      context.arc(6, 6, 6, 0, TURN);
      context.fill();
      return canvas;
    };
    const head = element("tr", {}, element("td", {}), ...names.map((name, i) => element("th", {scope: "col"}, dot(i), element("span", {}, name))));
    const rows = names.map((a, i) => element("tr", {}, element("th", {scope: "row"}, dot(i), this.renamer(a)), ...names.map((b, k) => {
      if (k > i) return element("td", {});
      const box = element("input", {type: "checkbox", "aria-label": `${a} and ${b} collide`, "data-path": `${a} ${b}`, change: () => editor.edit({edit: "collide", a, b, value: box.checked})});
      box.checked = this.collides(a, b);
      return element("td", {}, box);
    })));
    const object = editor.schemas.objectOf(editor.schemas.at("collision"));
    return [element("p", {class: "hint"}, "Checked: bodies of these two categories collide. A body's category is in its form."),
      element("div", {class: "scroller", tabindex: "0", role: "region", "aria-label": "Collision matrix"}, element("table", {class: "matrix"}, head, ...rows)),
      action("New category", "A name that bodies may have as their category", async () => {
        const name = await editor.dialogs.word("Name of the category", "ground");
        if (name) editor.edit({edit: "set", path: "collision.categories", value: [...names.filter((each) => each !== name), name]});
      }), new FieldList(editor, "collision", object, editor.desk.tree.collision, {depth: 1}).box];
  }

  // ---------------------------------------------------------------- camera

  camera() {
    const {editor} = this, object = editor.schemas.objectOf(editor.schemas.at("camera")), seen = () => {
      const [x0, y0] = editor.view.back(0, 0), [x1, y1] = editor.view.back(...editor.player.picture.size), digits = (part) => toNearest(part, editor.grid.pixel);
      return [[Math.min(x0, x1), Math.min(y0, y1)].map(digits), [Math.max(x0, x1), Math.max(y0, y1)].map(digits)];
    };
    const body = editor.selection.find(({kind}) => kind === "body")?.name, {mode, bounds} = editor.desk.tree.camera ?? {}, moves = ["follow", "keys"].includes(mode);
    const buttons = element("div", {class: "row wrap"},
      action("Show this part", "The camera shows what the picture shows now", () => editor.edit({edit: "set", path: "camera", value: {mode: "region", rect: seen()}})),
      action(body ? `Follow ${body}` : "Follow the selected body", "The camera follows it", () => {
        const now = editor.selection.find(({kind}) => kind === "body")?.name;
        if (now) editor.edit({edit: "set", path: "camera", value: {mode: "follow", target: now, zoom: Number(editor.source.moment.view.scale.toPrecision(3)), ...(bounds === undefined ? {} : {bounds})}}); else editor.say("Select the body that it shall follow.");
      }),
      action("Bounds are this part", moves ? "The view never leaves what the picture shows now" : "Only a camera that follows a body, or has keys, moves to bounds", () => editor.edit({edit: "set", path: "camera.bounds", value: seen()}), {disabled: !moves}));
    return [element("p", {class: "hint"}, "The dashed orange box in the picture is the region, the grey one the bounds: with Select, their corners size them, their middles move them."), buttons, new FieldList(editor, "camera", object, editor.desk.tree.camera, {depth: 1}).box];
  }

  // ---------------------------------------------------------------- events

  events() {
    const {editor} = this, list = editor.desk.tree.events ?? [], {bodies, joints} = editor.source.data;
    const names = element("datalist", {id: "names-objects"}, ...[...bodies, ...joints].slice(0, 500).map(({name}) => element("option", {value: name})));
    const whens = element("datalist", {id: "names-when"}, ...(editor.schemas.at("events[0].when").anyOf?.find((each) => each.enum)?.enum ?? []).map((value) => element("option", {value})));
    const rows = (Array.isArray(list) ? list : []).map((event, i) => this.event(event ?? {}, i));
    const table = element("table", {class: "events"}, element("tr", {}, ...["When", "Who", "Does"].map((text) => element("th", {scope: "col"}, text)), element("td", {})), ...rows);
    return [names, whens, element("p", {class: "hint"}, "When: a word or an expression. Who: bodies, tags or a joint; “Pick” takes what is selected. Does: a list of actions, such as [{delete: $a}, {add: {score: 1}}]."),
      element("div", {class: "scroller", tabindex: "0", role: "region", "aria-label": "Events"}, table),
      action("Add an event", "A new row", () => editor.edit({edit: "add", section: "events", value: FIRST.events})), ...this.entries("events", true).slice(0, -1)];
  }

  // Another kind of event; what belongs to the old one alone is left out.
  async setWhen(event, path, when) {
    const {editor} = this, rest = {...event};
    let answer = await editor.edit({edit: "set", path: `${path}.when`, value: when}, {quiet: true});
    for (let key; (key = /`(\w+)` belongs to/.exec(answer?.refused ?? "")?.[1]) && key in rest;) {
      delete rest[key];
      answer = await editor.edit({edit: "set", path, value: {...rest, when}}, {quiet: true});
    }
    if (answer?.refused) note(answer.refused, 8000);
  }

  event(event, i) {
    const {editor} = this, path = `events[${i}]`, who = ["bodies", "body", "tags", "joint", "actuator"].find((key) => event[key] !== undefined) ?? (event.when === "joint_broken" ? "joint" : event.when === "leave" ? "body" : "bodies");
    const cell = (key, label, list) => {
      const input = element("input", {type: "text", value: flowOf(event[key]), list, "aria-label": `${label} of event ${i + 1}`, "data-path": `${path}.${key}`, spellcheck: "false",
        change: () => (key === "when" ? this.setWhen(event, path, input.value.trim()) : input.value.trim() ? editor.edit({edit: "set", path: `${path}.${key}`, text: input.value.trim()}) : editor.edit({edit: "unset", path: `${path}.${key}`}))});
      return input;
    };
    const pick = action("Pick", "Takes what is selected in the picture", () => {
      const objects = editor.selection.map(({name}) => name);
      if (!objects.length) return editor.say("Select in the picture who it is about, then press Pick.");
      const isJoint = editor.selection[0].kind === "joint";
      editor.edit({edit: "set", path: `${path}.${isJoint ? "joint" : who === "body" ? "body" : "bodies"}`, value: isJoint || who === "body" ? objects[0] : objects.slice(0, 2)});
    });
    const remove = element("button", {type: "button", class: "close", "aria-label": `Delete event ${i + 1}`, click: () => editor.edit({edit: "delete", what: [path]})}, "×");
    return element("tr", {}, element("td", {}, cell("when", "When", "names-when")), element("td", {}, cell(who, who, "names-objects"), pick), element("td", {}, cell("do", "Actions")), element("td", {}, remove));
  }
}
