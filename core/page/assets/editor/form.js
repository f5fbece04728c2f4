// SPDX-License-Identifier: MIT
// Forms made from the JSON Schema: each field with its description, its default, its range and its
// choices. A value is sent as it is typed (a number, a text with a unit, an expression, a list) and
// checked by the server, whose errors stand below the field.

const COLORS = /^(color|outline|tint|color_key|background|outline_color|fill|text_color)$/;
const DEEPEST_FORM = 6;
const ONE = {bodies: "body", defaults: "defaults", expect: "expectation", vars: "variable"};

// A value as a file says it in flow style.
function flowOf(value) {
  if (value === undefined) return "";
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(flowOf).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([key, each]) => `${key}: ${flowOf(each)}`).join(", ")}}`;
  if (typeof value !== "string") return String(value);
  return /^[\w./%=+*()\- ]+$/.test(value) && !/^(true|false|null|~|\d[\d.e+-]*)$/.test(value) && value.trim() === value ? value : JSON.stringify(value);
}

class Schema {
  constructor(schema) { this.schema = schema; }

  // A node with its reference followed; descriptions beside the reference stay.
  whole(node) {
    if (!node) return {};
    if (!node.$ref) return node;
    return {...this.schema.$defs[node.$ref.split("/").at(-1)], ...node, $ref: undefined};
  }

  // The node of a path such as bodies.crate.shape.box.
  at(path) {
    let node = this.schema;
    for (const key of path.match(/[^.[\]]+/g) ?? []) {
      node = this.inside(this.whole(node), key);
      if (!node) return null;
    }
    return this.whole(node);
  }

  inside(node, key) {
    if (node.properties?.[key]) return node.properties[key];
    if (/^\d+$/.test(key) && node.items) return node.items;
    if (node.additionalProperties && typeof node.additionalProperties === "object") return node.additionalProperties;
    for (const each of node.anyOf ?? []) {
      const found = this.inside(this.whole(each), key);
      if (found) return found;
    }
    return null;
  }

  // The object among what a field may hold, if there is one with fields of its own.
  objectOf(node) {
    const whole = this.whole(node);
    if (whole.properties) return whole;
    return (whole.anyOf ?? []).map((each) => this.whole(each)).find(({properties}) => properties) ?? null;
  }

  choicesOf(node) {
    const {enum: own, anyOf, type} = node;
    if (own) return own.map(String);
    if (type === "boolean") return ["true", "false"];
    if (anyOf?.length && anyOf.every((each) => each.enum || each.type === "boolean" || each.pattern?.includes("=")) && anyOf.some((each) => each.type === "boolean")) return ["true", "false"];
    return null;
  }

  rangeOf({anyOf, ...node}) {
    const {minimum, maximum, exclusiveMinimum} = anyOf?.find(({type}) => type === "number" || type === "integer") ?? node;
    if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
    if (exclusiveMinimum !== undefined) return `above ${exclusiveMinimum}`;
    return minimum !== undefined ? `${minimum} or more` : "";
  }
}

// The fields of one object at a path.
class FieldList {
  // `choices` are answers to questions that its edits would have.
  constructor(editor, path, node, value, {skip = [], depth = 0, choices = {}} = {}) {
    Object.assign(this, {editor, path, node, value: value ?? {}, skip, depth, choices});
    const schema = editor.schemas, known = Object.keys(node.properties ?? {}).filter((key) => !skip.includes(key));
    const given = Object.keys(this.value).filter((key) => !skip.includes(key)), free = known.filter((key) => !given.includes(key));
    const rows = given.map((key) => this.row(key, schema.inside(node, key) ?? {}));
    const more = element("details", {class: "more-fields"}, element("summary", {}, given.length ? `More fields (${free.length})` : `Fields (${free.length})`));
    more.addEventListener("toggle", () => {
      if (more.open && more.childElementCount === 1) more.append(...free.map((key) => this.row(key, node.properties[key])));
    });
    if (free.length && !given.length && depth) more.open = true;
    this.box = element("div", {class: "fields"}, ...rows, ...(free.length ? [more] : []));
  }

  row(key, node) {
    const {editor} = this, whole = editor.schemas.whole(node), value = this.value[key], path = `${this.path}.${key}`;
    if (value && typeof value === "object") {
      const object = Array.isArray(value) ? null : editor.schemas.objectOf(node);
      if (object && this.depth < DEEPEST_FORM) return this.nested(key, object, value, path, whole.description, value !== undefined);
      if (Array.isArray(value) && value.some((each) => each && typeof each === "object" && !Array.isArray(each)) && this.depth < DEEPEST_FORM) return this.list(key, whole, value, path);
    }
    const object = value === undefined ? editor.schemas.objectOf(node) : null;
    if (object && this.depth < DEEPEST_FORM && !whole.anyOf) return this.nested(key, object, undefined, path, whole.description, false);
    return this.field(key, whole, value, path);
  }

  nested(key, object, value, path, description, isOpen) {
    const box = element("details", {class: "nested"}, element("summary", {title: description ?? ""}, key));
    const fill = () => {
      if (box.childElementCount === 1) box.append(...(value === undefined ? [] : [this.remover(path, key)]), ...(description ? [element("p", {class: "hint"}, description)] : []), new FieldList(this.editor, path, object, value, {depth: this.depth + 1, choices: this.choices}).box);
    };
    box.addEventListener("toggle", () => { if (box.open) fill(); });
    if (isOpen) { box.open = true; fill(); }
    return box;
  }

  remover(path, key) {
    return element("button", {type: "button", class: "close", "aria-label": `Remove ${key}`, title: "Remove: its default counts then", click: (event) => {
      event.preventDefault();
      this.editor.edit({edit: "unset", path, choices: this.choices});
    }}, "×");
  }

  list(key, whole, value, path) {
    const node = this.editor.schemas.whole(whole.items ?? {});
    const rows = value.map((each, i) => {
      const object = each && typeof each === "object" && !Array.isArray(each) ? this.editor.schemas.objectOf(node) : null;
      return object ? this.nested(`${key} ${i + 1}`, object, each, `${path}[${i}]`, "", value.length < 3) : this.field(`${i + 1}`, node, each, `${path}[${i}]`);
    });
    return element("fieldset", {class: "listed"}, element("legend", {}, key), ...rows);
  }

  field(key, node, value, path) {
    const {editor} = this, id = `field-${path.replace(/[^\w]/g, "-")}`, said = flowOf(value), choices = editor.schemas.choicesOf(node);
    const preset = /\(default:? ([^)]*)\)/.exec(node.description ?? "")?.[1] ?? "", range = editor.schemas.rangeOf(node);
    const example = (node.examples ?? []).find((each) => typeof each === "string" && / /.test(each));
    const hint = [node.description, range && !(node.description ?? "").includes(range) ? `(${range})` : "", example ? `For example ${example}.` : ""].filter(Boolean).join(" ");
    const error = element("p", {class: "field-error", role: "alert", hidden: true});
    let input;
    const send = async (text) => {
      if (text === said) return;
      const answer = await this.send(path, key, text);
      error.hidden = !answer?.refused;
      error.textContent = answer?.refused ?? "";
      input.setAttribute("aria-invalid", String(Boolean(answer?.refused)));
    };
    const common = {id, "data-path": path, "aria-describedby": `${id}-hint`};
    if (choices && (value === undefined || choices.includes(String(value)))) {
      input = element("select", {...common, change: () => send(input.value)}, element("option", {value: ""}, preset ? `default: ${preset}` : "default"), ...choices.map((each) => element("option", {value: each}, each)));
      input.value = said;
    } else input = element("input", {...common, type: "text", value: said, placeholder: preset, autocomplete: "off", spellcheck: "false", list: this.namesFor(key), change: () => send(input.value.trim())});
    const picker = COLORS.test(key) && (value === undefined || typeof value === "string") ? [colorInput(`Choose ${key}`, value, send)] : [];
    const remove = value === undefined ? [] : [this.remover(path, key)];
    return element("div", {class: "field"}, element("label", {for: id}, key), element("span", {class: "row"}, input, ...picker, ...remove),
      error, element("p", {class: "hint", id: `${id}-hint`}, hint));
  }

  // Lists of names that a field may hold.
  namesFor(key) {
    const {tree} = this.editor.desk ?? {}, section = {material: "materials", use: "prototypes", category: null, body: "bodies", track: "bodies", target: "bodies"}[key];
    if (!section) return null;
    const id = `names-${section}`;
    let list = find(id);
    if (!list) document.body.append(list = element("datalist", {id}));
    list.replaceChildren(...Object.keys(tree?.[section] ?? {}).map((value) => element("option", {value})));
    return id;
  }

  // Missing parents of a field are written with it.
  send(path, key, text) {
    const {editor, choices} = this, parent = this.path;
    if (text === "") return this.value[key] === undefined ? null : editor.edit({edit: "unset", path, choices}, {quiet: true});
    if (editor.valueAt(parent) === undefined && this.depth) return editor.edit({edit: "set", path: parent, text: `{${key}: ${text}}`, choices}, {quiet: true});
    return editor.edit({edit: "set", path, text, choices}, {quiet: true});
  }
}

// The form of what is selected.
class FormPanel {
  constructor(editor) {
    this.editor = editor;
    this.box = element("div", {class: "form"});
  }

  show() {
    const {editor} = this, {selection, desk} = editor;
    if (!desk || !editor.schema) return;
    editor.schemas ??= new Schema(editor.schema);
    const shape = `${editor.paths().join(" ")} ${desk.version} ${desk.text.length}`;
    if (shape === this.shape) return;
    this.shape = shape;
    const focus = this.box.contains(document.activeElement) ? document.activeElement.dataset.path : null;
    const paths = editor.paths();
    this.box.replaceChildren(...(paths.length === 0 ? this.ofScene() : paths.length === 1 ? this.ofOne(paths[0]) : this.ofMany(paths, selection)));
    if (focus) this.box.querySelector(`[data-path="${CSS.escape(focus)}"]`)?.focus();
  }

  ofScene() {
    const {editor} = this, {tree} = editor.desk, node = {properties: Object.fromEntries(["name", "description", "tags"].map((key) => [key, editor.schema.properties[key]]))};
    const count = (section, one) => { const number = Object.keys(tree[section] ?? {}).length; return `${number} ${number === 1 ? one : section}`; };
    const scene = Object.fromEntries(["name", "description", "tags"].filter((key) => tree[key] !== undefined).map((key) => [key, tree[key]]));
    const list = new FieldList(editor, "", node, scene);
    for (const input of list.box.querySelectorAll("[data-path]")) input.dataset.path = input.dataset.path.replace(/^\./, "");
    return [element("h2", {}, editor.desk.file), element("p", {class: "quiet"}, `${count("bodies", "body")}, ${count("joints", "joint")}, ${count("prototypes", "prototype")} in the file. Select something, or draw.`), this.sceneFields(scene)];
  }

  sceneFields(scene) {
    const {editor} = this, rows = ["name", "description"].map((key) => {
      const input = element(key === "name" ? "input" : "textarea", {id: `scene-${key}`, ...(key === "name" ? {type: "text"} : {rows: "4"}), "data-path": key, spellcheck: "false", change: () => (
        input.value.trim() ? editor.edit({edit: "set", path: key, value: input.value}) : editor.edit({edit: "unset", path: key}))});
      input.value = scene[key] ?? "";
      return element("div", {class: "field"}, element("label", {for: `scene-${key}`}, key), input);
    });
    return element("div", {class: "fields"}, ...rows);
  }

  ofOne(path) {
    const {editor} = this, {entry, section, made, own} = editor.entryOf(path), value = editor.valueAt(entry), node = editor.schemas.at(entry);
    const name = own ?? entry.slice(section.length + 1);
    const rename = element("input", {type: "text", value: name, "aria-label": "Name", class: "title", spellcheck: "false", "data-path": `${entry} name`, change: async () => {
      const answer = await editor.edit({edit: "rename", what: [entry], to: rename.value.trim()});
      if (!answer?.done) rename.value = name;
    }});
    const isNamed = !editor.inside && !Array.isArray(editor.desk.tree[section]) && typeof editor.desk.tree[section] === "object" && name && !/[.[]/.test(name);
    const head = [element("div", {class: "row"}, isNamed ? rename : element("h2", {}, entry), element("span", {class: "quiet"}, ONE[section] ?? section.replace(/s$/, "")))];
    if (made) head.push(element("p", {class: "quiet"}, `${path} is made by ${entry}, as all that it repeats.`));
    if (section === "instances" && value?.use) head.push(this.toPrototype(value.use));
    if (value === undefined) return [...head, element("p", {class: "quiet"}, "An included file says it, or something else in this one makes it. It is moved and changed all the same; the answer says where.")];
    if (typeof value !== "object" || value === null || !node) return [...head, new FieldList(editor, section, {properties: {[name]: node ?? {}}}, {[name]: value}).box];
    return [...head, ...(made && !editor.inside ? this.ofCopy(path, node, value) : []), new FieldList(editor, entry, node, value).box];
  }

  // The fields of one copy of a generator alone, which are in its `overrides`.
  ofCopy(path, node, {overrides}) {
    const index = /\[([^\]]*)\]$/.exec(path)[1], own = Object.entries(overrides ?? {}).find(([key]) => key.replace(/\s/g, "") === index)?.[1];
    const box = element("details", {class: "nested", open: own !== undefined}, element("summary", {}, `${path.slice(path.indexOf(".") + 1)} alone`), element("p", {class: "hint"}, "Fields of this copy, in place of those of all."),
      new FieldList(this.editor, path, node, own, {skip: ["repeat", "when", "overrides"], choices: {generated: "copy"}}).box);
    return [box];
  }

  toPrototype(name) {
    return element("p", {}, "Comes of the prototype ", element("button", {type: "button", class: "plain small", click: () => this.editor.select([{kind: "entry", name: `prototypes.${name}`, path: `prototypes.${name}`}])}, name));
  }

  // Several objects: fields that all of them may have.
  ofMany(paths) {
    const {editor} = this, sections = new Set(paths.map((path) => path.split(".")[0]));
    const head = [element("h2", {}, `${paths.length} objects`), element("p", {class: "quiet"}, paths.slice(0, 12).map((path) => path.split(".").slice(1).join(".")).join(", ") + (paths.length > 12 ? ", …" : ""))];
    if (sections.size > 1 || !sections.has("bodies")) return head;
    const rows = ["type", "color", "material", "density", "friction", "restitution", "category"].map((key) => {
      const values = paths.map((path) => flowOf(editor.valueAt(`${editor.entryOf(path).entry}.${key}`))), same = values.every((each) => each === values[0]);
      const input = element("input", {type: "text", id: `many-${key}`, value: same ? values[0] : "", placeholder: same ? "" : "different", spellcheck: "false", change: async () => {
        editor.gesture += 1;
        for (const path of paths) {
          const edit = input.value.trim() ? {edit: "set", path: `${path}.${key}`, text: input.value.trim()} : {edit: "unset", path: `${path}.${key}`};
          const answer = await editor.edit({...edit, gesture: `many ${editor.gesture}`});
          if (!answer?.done) break;
        }
      }});
      return element("div", {class: "field"}, element("label", {for: `many-${key}`}, key), input);
    });
    return [...head, element("div", {class: "fields"}, ...rows)];
  }
}
