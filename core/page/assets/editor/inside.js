// SPDX-License-Identifier: MIT
// A prototype that is edited alone: one of its instances is shown, its parts are objects of their own, and what is
// done to them is done to the prototype, so that all its instances follow.

class Inside {
  constructor(editor, instance) {
    const {use} = editor.valueAt(`instances.${instance.replace(/\[.*$/, "")}`);
    Object.assign(this, {editor, instance, prototype: use, head: `${instance}.`});
  }

  holds(name) { return name.startsWith(this.head); }

  // The path of a part in the scene; messages name parts so.
  pathOf(kind, name) { return `${SECTIONS[kind]}.${name}`; }

  // The entry of the file that says a path.
  entryOf(path) {
    const dot = path.indexOf("."), section = path.slice(0, dot), name = path.slice(dot + 1);
    if (!this.holds(name)) return null;
    const own = name.slice(this.head.length), entry = `prototypes.${this.prototype}.${section}.${own.replace(/\[[^\]]*\]$/, "")}`;
    return {entry, section, made: own.endsWith("]"), own};
  }

  // An edit as one of the prototype. New objects are in its own coordinates; null where these are not known.
  edit(message) {
    const choices = {instance: "prototype", ...message.choices};
    if (!["draw", "join", "add", "instance", "anchor", "joint", "vertices"].includes(message.edit)) return {...message, choices};
    const place = this.placed();
    if (!place) return null;
    const bare = (name) => (typeof name === "string" && this.holds(name) ? name.slice(this.head.length) : name), made = {...message, in_prototype: this.prototype};
    if (made.points) made.points = made.points.map(place);
    if (made.at) made.at = message.edit === "join" ? made.at.map(place) : place(made.at);
    if (made.to) made.to = place(made.to);
    if (made.axis) made.axis = minus(place(made.axis), place([0, 0]));
    if (made.what) made.what = made.what.map((path) => path.replace(this.head, ""));
    if (made.bodies) made.bodies = made.bodies.map(bare);
    if (made.near) made.near = bare(made.near);
    if (made.value?.body) made.value = {...made.value, body: bare(made.value.body)};
    return made;
  }

  // A place of the scene in the coordinates of the prototype; null where the file does not say plainly where the instance is.
  placed() {
    const {tree} = this.editor.desk, {at = [0, 0], angle = 0, scale = 1, mirror, pivot = [0, 0]} = tree.instances[this.instance] ?? {at: null};
    if (![at, pivot].every((each) => Array.isArray(each) && each.every(Number.isFinite)) || ![angle, scale].every(Number.isFinite)) return null;
    const turn = -angle / (tree.units?.angle === "rad" ? 1 : DEGREES);
    return (point) => {
      const [x, y] = turned(minus(point, at), turn).map((part) => part / scale);
      return plus([mirror === "x" ? -x : x, mirror === "y" ? -y : y], pivot).map(clean);
    };
  }

  options() {
    const {editor} = this, count = Object.values(editor.desk.tree.instances ?? {}).filter((each) => each?.use === this.prototype).length;
    return [element("span", {class: "inside"}, `Prototype ${this.prototype}${count > 1 ? `, used ${count} times` : ""}`), action("Back to the scene", "Leave the prototype (Esc)", () => editor.leaveInside())];
  }
}
