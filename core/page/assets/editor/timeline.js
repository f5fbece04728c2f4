// SPDX-License-Identifier: MIT
// Animations as a time line: keys of tracks, moved in time by the mouse or the arrows.

class TimeLine {
  constructor(editor, changed) { Object.assign(this, {editor, changed, at: 0, chosen: null}); }

  rows() {
    const {editor} = this, animations = editor.desk.tree.animations ?? {}, names = Object.keys(animations);
    const add = action("New animation", "Set-points over time of a motor, a force or a kinematic body", () => this.add());
    return [element("p", {class: "hint"}, "Times go from 0 to 1 of the duration. Drag a key in time; arrows move the focused one, Del deletes it. A new key takes the present value."),
      ...names.map((name) => this.animation(name, animations[name] ?? {})), add];
  }

  keysOf(track) { return Array.isArray(track) ? track : track?.keys ?? []; }

  // Paths that an animation may set: motors, lengths and forces of joints, and kinematic bodies.
  paths() {
    const {editor} = this, {bodies} = editor.source.data, joints = editor.player.status?.joints ?? [];
    const actuators = Object.entries(editor.desk.tree.actuators ?? {}).map(([name]) => `${name}.enabled`);
    return [...joints.map(({path}) => path), ...bodies.filter(({kind}) => kind === "kinematic").flatMap(({name}) => [`${name}.position`, `${name}.angle`]), ...actuators];
  }

  // The value of a path now.
  valueOf(path) {
    const {editor} = this, joint = editor.player.status?.joints.find((each) => each.path === path);
    if (joint) return Number(joint.value.toPrecision(5));
    const dot = path.lastIndexOf("."), row = editor.rowOf(path.slice(0, dot)), {pose} = editor.source.moment;
    if (row >= 0 && path.endsWith(".position")) return [pose[3 * row], pose[3 * row + 1]].map((part) => toNearest(part, editor.step()));
    if (row >= 0 && path.endsWith(".angle")) return toNearest(pose[3 * row + 2] * DEGREES, 0.1);
    return path.endsWith(".enabled") ? true : 0;
  }

  async add() {
    const {editor} = this, name = await editor.dialogs.word("Name", "wave", "A new animation");
    const path = name && await this.choosePath();
    if (!path) return;
    const value = this.valueOf(path);
    await editor.edit({edit: "set", path: `animations.${name}`, value: {type: "loop", duration: 2, tracks: {[path]: [[0, value], [1, value]]}}});
  }

  choosePath() {
    const {editor} = this, paths = this.paths();
    if (!paths.length) {
      note("Nothing here can be animated yet: give a joint a motor, or make a body kinematic.", 6000);
      return null;
    }
    const select = element("select", {"aria-label": "What it sets"}, ...paths.map((value) => element("option", {value}, value)));
    return editor.dialogs.dialog("What does it set?", [select], () => select.value);
  }

  animation(name, animation) {
    const {editor} = this, path = `animations.${name}`, tracks = animation.tracks ?? {};
    const object = editor.schemas.objectOf(editor.schemas.at(path)), own = Object.fromEntries(Object.entries(animation).filter(([key]) => key !== "tracks"));
    const position = element("input", {type: "range", min: "0", max: "1", step: "0.05", value: String(this.at), "aria-label": `Time for new keys of ${name}`, input: () => { this.at = Number(position.value); at.textContent = this.at.toFixed(2); }});
    const at = element("output", {}, this.at.toFixed(2));
    const head = element("div", {class: "row"}, element("h3", {}, name), element("span", {class: "quiet"}, `${animation.type ?? ""} ${flowOf(animation.duration)}`), element("span", {class: "space"}),
      element("button", {type: "button", class: "close", "aria-label": `Delete ${name}`, click: () => editor.edit({edit: "delete", what: [path]})}, "×"));
    const rows = Object.entries(tracks).map(([track, value]) => this.track(name, track, this.keysOf(value), Array.isArray(value)));
    const more = element("details", {class: "nested"}, element("summary", {}, "Type, duration, easing"), new FieldList(editor, path, object, own, {skip: ["tracks"]}).box);
    return element("section", {class: "animation", "aria-label": `Animation ${name}`}, head, element("label", {class: "option"}, "Time ", position, at), ...rows,
      action("Add a track", "Another value that it sets", async () => {
        const chosen = await this.choosePath(), value = chosen && this.valueOf(chosen);
        if (chosen) await editor.edit({edit: "set", path: `${path}.tracks`, value: {...tracks, [chosen]: [[0, value], [1, value]]}});
      }), more);
  }

  track(name, track, keys) {
    const {editor} = this, line = element("div", {class: "track", role: "group", "aria-label": `Keys of ${track}`});
    const send = (message) => editor.edit({edit: "keyframe", animation: name, track, ...message});
    keys.forEach((key, i) => {
      const [time, value] = Array.isArray(key) ? key : [key?.at, key?.value];
      if (!Number.isFinite(time)) return;
      const id = `${name} ${track} ${i}`;
      const button = element("button", {type: "button", class: "key", "data-path": id, "aria-label": `Key at ${time}: ${flowOf(value)}`, title: `${time}: ${flowOf(value)}`, "aria-pressed": String(this.chosen === id),
        click: () => { this.chosen = id; this.changed(); },
        keydown: (event) => {
          const way = {ArrowLeft: -1, ArrowRight: 1}[event.key];
          if (way) send({do: "move", at: time, to: clamp(clean(time + 0.05 * way), 0, 1)});
          else if (event.key === "Delete" || event.key === "Backspace") send({do: "delete", at: time});
          else return;
          event.preventDefault();
          event.stopPropagation();
        }});
      button.style.left = `${100 * time}%`;
      this.hold(button, line, time, (to) => send({do: "move", at: time, to}));
      line.append(button);
    });
    const chosen = keys.findIndex((_, i) => this.chosen === `${name} ${track} ${i}`), rows = [];
    if (chosen >= 0) {
      const [time, value] = keys[chosen];
      const input = element("input", {type: "text", value: flowOf(value), "aria-label": `Value at ${time}`, size: "10", change: () => {
        const number = Number(input.value);
        send({do: "set", at: time, value: Number.isFinite(number) && input.value.trim() ? number : this.listOf(input.value)});
      }});
      rows.push(element("label", {class: "option"}, `at ${time}: `, input, action("Delete", "Delete this key", () => send({do: "delete", at: time}))));
    }
    return element("div", {class: "track-row"}, element("div", {class: "row"}, element("span", {class: "quiet"}, track), element("span", {class: "space"}),
      action("Key", "A key at the time of the slider, with the present value", () => send({do: "set", at: this.at, value: this.valueOf(track)}))), line, ...rows);
  }

  listOf(text) {
    const numbers = text.replace(/[[\]]/g, "").split(",").map(Number);
    return numbers.length > 1 && numbers.every(Number.isFinite) ? numbers : text;
  }

  // A key that is dragged along its line.
  hold(button, line, time, done) {
    button.addEventListener("pointerdown", (event) => {
      const start = event.clientX;
      let to = time;
      button.setPointerCapture(event.pointerId);
      const move = ({clientX}) => {
        const box = line.getBoundingClientRect();
        if (Math.abs(clientX - start) > 3) to = toNearest(clamp((clientX - box.left) / box.width, 0, 1), 0.05);
        button.style.left = `${100 * to}%`;
      };
      button.addEventListener("pointermove", move);
      button.addEventListener("pointerup", () => {
        button.removeEventListener("pointermove", move);
        if (to !== time) done(to);
      }, {once: true});
    });
  }
}
