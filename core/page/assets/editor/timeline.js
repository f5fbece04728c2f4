// SPDX-License-Identifier: MIT
// Animations as a time line: keys of tracks, moved in time by the mouse or the arrows.

class TimeLine {
  constructor(editor, changed) { Object.assign(this, {editor, changed, at: 0, chosen: null, weightless: false}); }

  // The sliders below the picture: moved, what is animated gets a key at the time of the slider of times.
  serve() {
    const {editor} = this;
    editor.player.joints.serve({
      key: async (animation, track, value) => {
        const done = await editor.edit({edit: "keyframe", animation, track, do: "set", at: this.at, value});
        if (done?.done) editor.say(`${track} is ${written(value)} at ${this.at.toFixed(2)} of ${animation}. The slider of times is in Scene, Animations.`);
      },
      choose: async (path, animation) => {
        const {joints} = editor.player;
        await (animation ? this.endTrack(animation, path) : this.animate(path));
        joints.shape = null;  // the box is as the file says
        joints.show(joints.joints);
      },
    });
  }

  // A value is not animated any more; an animation without others goes.
  endTrack(name, track) {
    const isLast = Object.keys(this.editor.valueAt(`animations.${name}`)?.tracks ?? {}).length === 1;
    return this.editor.edit(isLast ? {edit: "delete", what: [`animations.${name}`]} : {edit: "unset", path: `animations.${name}.tracks.${track}`});
  }

  // One more value that an animation sets: of the only one, of one that is chosen, or of a new one.
  async animate(path) {
    const {editor} = this, names = Object.keys(editor.desk.tree.animations ?? {});
    if (!names.length) await this.add([path]);
    else {
      const which = choice("Animation", names, names[0], () => {});
      const name = names.length === 1 ? names[0] : await editor.dialogs.dialog(`Which one animates ${path}?`, [which], () => which.querySelector("select").value);
      const value = this.valueOf(path), tracks = name && editor.valueAt(`animations.${name}.tracks`);
      if (name) await editor.edit({edit: "set", path: `animations.${name}.tracks`, value: {...tracks, [path]: [[0, value], [1, value]]}});
    }
  }

  rows() {
    const {editor} = this, animations = editor.desk.tree.animations ?? {}, names = Object.keys(animations);
    const add = action("New animation", "Set-points over time of motors, forces and kinematic bodies", () => this.add());
    return [element("p", {class: "hint"}, "Times go from 0 to 1 of the duration. Drag a key in time; arrows move the focused one, Del deletes it. A new key takes the present value."),
      this.rehearsal(), ...(editor.files.traced ? [element("div", {class: "row wrap"}, ...editor.files.tracedOptions())] : []), ...names.map((name) => this.animation(name, animations[name] ?? {})), add];
  }

  // Plays from the start while what is selected stays in its place, so that a figure that is made does not fall.
  rehearsal() {
    const {editor} = this, box = element("input", {type: "checkbox", change: () => { this.weightless = box.checked; }});
    box.checked = this.weightless;
    return element("div", {class: "row wrap"}, action("Play, selection held", "Plays from the start; the selected bodies stay where they are", async () => {
      const {bodies} = editor.source.data, held = editor.rows().map((row) => bodies[row].name);
      const answer = await editor.ask({ask: "rehearse", held, weightless: this.weightless});
      if (answer.error) note(answer.error, 6000);
      else note(held.length ? `Held in their places: ${answer.held.join(", ")}.` : "Nothing is selected, so nothing is held.", 4000);
    }), element("label", {class: "option"}, box, "without gravity"));
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
    if (row >= 0 && path.endsWith(".position")) return [pose[3 * row], pose[3 * row + 1]].map((part) => toNearest(part, editor.grid.pixel));
    if (row >= 0 && path.endsWith(".angle")) return toNearest(pose[3 * row + 2] * DEGREES, 0.1);
    return path.endsWith(".enabled") ? true : 0;
  }

  async add(chosen = []) {
    const {editor} = this, paths = this.paths();
    if (!paths.length) return note("Nothing here can be animated yet: give a joint a motor, or make a body kinematic.", 6000);
    const name = element("input", {type: "text", value: this.freeName(), "aria-label": "Name", spellcheck: "false"});
    const type = choice("It plays", [["loop", "again and again"], ["once", "once"], ["manual", "while a key is held"]], "loop", () => {});
    const seconds = element("input", {type: "text", inputmode: "decimal", value: "2", size: "5", "aria-label": "Duration"}), boxes = this.boxesOf(paths);
    for (const {path, box} of boxes) box.checked = chosen.includes(path);
    const wanted = await editor.dialogs.dialog("A new animation", [element("label", {class: "choice"}, element("span", {}, "Name"), name), type,
      element("label", {class: "choice"}, element("span", {}, `Duration (${editor.source.data.units.time ?? "s"})`), seconds), element("fieldset", {}, element("legend", {}, "It sets"), ...boxes.map(({row}) => row))],
    () => ({name: name.value.trim(), type: type.querySelector("select").value, duration: Number(seconds.value), paths: boxes.filter(({box}) => box.checked).map(({path}) => path)}));
    if (!wanted?.name) return;
    if (!wanted.paths.length || !(wanted.duration > 0)) return note("An animation has a duration, and sets something: check one of the boxes.", 6000);
    const tracks = Object.fromEntries(wanted.paths.map((path) => { const value = this.valueOf(path); return [path, [[0, value], [1, value]]]; }));
    await editor.edit({edit: "set", path: `animations.${wanted.name}`, value: {type: wanted.type, duration: wanted.duration, tracks}});
  }

  // A key of each track at a time, with the present values.
  async keyAll(name, at) {
    const {editor} = this, gesture = `keys ${editor.gesture += 1}`;
    for (const track of Object.keys(editor.valueAt(`animations.${name}`)?.tracks ?? {})) await editor.edit({edit: "keyframe", animation: name, track, do: "set", at, value: this.valueOf(track), gesture});
  }

  freeName() {
    const taken = this.editor.desk.tree.animations ?? {};
    for (let i = 1; ; i++) if (!((i === 1 ? "motion" : `motion_${i}`) in taken)) return i === 1 ? "motion" : `motion_${i}`;
  }

  // A check box for each path that no animation sets yet; what comes first in importance is checked.
  boxesOf(paths) {
    const used = new Set(Object.values(this.editor.desk.tree.animations ?? {}).flatMap((each) => Object.keys(each?.tracks ?? {})));
    return paths.filter((path) => !used.has(path)).sort((a, b) => a.includes(".max_") - b.includes(".max_")).map((path) => {
      const box = element("input", {type: "checkbox", value: path});
      return {path, box, row: element("label", {class: "choice"}, box, element("span", {}, path))};
    });
  }

  async choosePaths() {
    const boxes = this.boxesOf(this.paths());
    if (!boxes.length) return void note("Everything that can be animated is animated already.", 6000);
    return this.editor.dialogs.dialog("What does it set?", boxes.map(({row}) => row), () => boxes.filter(({box}) => box.checked).map(({path}) => path));
  }

  animation(name, animation) {
    const {editor} = this, path = `animations.${name}`, tracks = animation.tracks ?? {};
    const object = editor.schemas.objectOf(editor.schemas.at(path)), own = Object.fromEntries(Object.entries(animation).filter(([key]) => key !== "tracks"));
    const position = element("input", {type: "range", min: "0", max: "1", step: "0.05", value: String(this.at), "aria-label": `Time for new keys of ${name}`, input: () => { at.textContent = Number(position.value).toFixed(2); this.goTo(Number(position.value), animation); }});
    const at = element("output", {}, this.at.toFixed(2));
    const head = element("div", {class: "row"}, element("h2", {}, name), element("span", {class: "quiet"}, `${animation.type ?? ""} ${flowOf(animation.duration)}`), element("span", {class: "space"}),
      element("button", {type: "button", class: "close", "aria-label": `Delete ${name}`, click: () => editor.edit({edit: "delete", what: [path]})}, "×"));
    const rows = Object.entries(tracks).map(([track, value]) => this.track(name, track, this.keysOf(value)));
    const more = element("details", {class: "nested"}, element("summary", {}, "Type, duration, easing"), new FieldList(editor, path, object, own, {skip: ["tracks"]}).box);
    const buttons = element("div", {class: "row wrap"}, ...(animation.type === "manual" ? this.handKeys(name) : []),
      action("Key all", "A key of each track at the time of the slider, with the present values; a right click on a line does it at the time there", () => this.keyAll(name, this.at)),
      action("Add a track", "Another value that it sets", async () => {
        const chosen = await this.choosePaths();
        if (!chosen?.length) return;
        const added = Object.fromEntries(chosen.map((each) => { const value = this.valueOf(each); return [each, [[0, value], [1, value]]]; }));
        await editor.edit({edit: "set", path: `${path}.tracks`, value: {...tracks, ...added}});
      }));
    return element("section", {class: "animation", "aria-label": `Animation ${name}`}, head, element("label", {class: "option"}, "Time ", position, at), ...rows, buttons, more);
  }

  // The run goes to a time of an animation that plays by itself.
  goTo(at, animation) {
    this.at = at;
    const {player} = this.editor, duration = Number(animation.duration);
    if (animation.type === "manual" || !(duration > 0) || player.playing) return;
    player.seek(Math.max(0, at - (Number(animation.start) || 0)) * duration);
  }

  // Buttons that play an animation by hand as its keys do, forward and back while they are pressed; or what gives it keys.
  handKeys(name) {
    const {editor} = this, {player} = editor, controls = editor.desk.tree.controls ?? {}, holds = (key) => [controls[key]?.hold ?? controls[key]].flat();
    const keyOf = (way) => Object.keys(controls).find((key) => holds(key).includes(`${name}.${way}`));
    const made = [["backward", "◀ Back"], ["forward", "Forward ▶"]].map(([way, label]) => {
      const key = keyOf(way);
      if (!key) return null;
      const button = action(label, `As the key ${key}, while it is pressed`, () => {});
      const press = () => { if (!player.playing) player.play(); player.link.ask({do: "press", key}); }, release = () => player.link.ask({do: "release", key});
      button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); press(); });
      for (const end of ["pointerup", "pointercancel", "blur"]) button.addEventListener(end, release);
      button.addEventListener("keydown", ({key: own, repeat}) => { if ((own === " " || own === "Enter") && !repeat) press(); });
      button.addEventListener("keyup", release);
      return button;
    }).filter(Boolean);
    return [...made, action(made.length ? "Other keys" : "Keys", "Keys of the scene that play it forward and back", () => this.giveKeys(name, keyOf, holds))];
  }

  async giveKeys(name, keyOf, holds) {
    const {editor} = this, inputs = {forward: "right", backward: "left"}, fields = {};
    const rows = Object.entries(inputs).map(([way, usual]) => {
      fields[way] = element("input", {type: "text", value: keyOf(way) ?? usual, size: "8", "aria-label": `Key ${way}`, spellcheck: "false"});
      return element("label", {class: "choice"}, element("span", {}, way), fields[way]);
    });
    const wanted = await editor.dialogs.dialog(`Keys of ${name}`, rows, () => Object.fromEntries(Object.entries(fields).map(([way, input]) => [way, input.value.trim()])));
    editor.gesture += 1;
    for (const [way, key] of Object.entries(wanted ?? {})) {
      const before = keyOf(way), gesture = `keys ${editor.gesture}`;
      if (!key || key === before) continue;
      if (before) await editor.edit(holds(before).length > 1 ? {edit: "set", path: `controls.${before}`, value: holds(before).filter((each) => each !== `${name}.${way}`), gesture} : {edit: "delete", what: [`controls.${before}`], gesture});
      const own = this.editor.desk.tree.controls?.[key], others = own === undefined ? [] : [own.hold ?? own].flat();
      await editor.edit({edit: "set", path: `controls.${key}${own?.hold ? ".hold" : ""}`, value: others.length ? [...others, `${name}.${way}`] : `${name}.${way}`, gesture});
    }
  }

  track(name, track, keys) {
    const {editor} = this, line = element("div", {class: "track", role: "group", "aria-label": `Keys of ${track}`, contextmenu: (event) => {
      const box = line.getBoundingClientRect();
      event.preventDefault();
      this.keyAll(name, toNearest(clamp((event.clientX - box.left) / box.width, 0, 1), 0.05));
    }});
    const send = (message) => editor.edit({edit: "keyframe", animation: name, track, ...message});
    keys.forEach((key, i) => {
      const [time, value] = Array.isArray(key) ? key : [key?.at, key?.value];
      if (!Number.isFinite(time)) return;
      const id = `${name} ${track} ${i}`;
      const button = element("button", {type: "button", class: "key", "data-path": id, "aria-label": `Key at ${time}: ${flowOf(value)}`, title: `${time}: ${flowOf(value)}`, "aria-pressed": String(this.chosen === id),
        click: () => { this.chosen = id; this.goTo(time, editor.valueAt(`animations.${name}`) ?? {}); this.changed(); },
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
      const dial = editor.player.status?.joints.find((each) => each.path === track), slider = dial && Number.isFinite(value) ? [element("input", {type: "range", min: String(Math.min(dial.low, value)), max: String(Math.max(dial.high, value)), step: "any", value: String(value), "aria-label": `Slider of the value at ${time}`,
        input: ({target}) => { input.value = Number(Number(target.value).toPrecision(3)); }, change: ({target}) => send({do: "set", at: time, value: Number(Number(target.value).toPrecision(3))})})] : [];
      rows.push(element("div", {class: "row wrap"}, element("label", {class: "option"}, `at ${time}: `, input), ...slider, action("Delete", "Delete this key", () => send({do: "delete", at: time}))));
    }
    return element("div", {class: "track-row"}, element("div", {class: "row"}, element("span", {class: "quiet"}, track), element("span", {class: "space"}),
      action("Key", "A key at the time of the slider, with the present value", () => send({do: "set", at: this.at, value: this.valueOf(track)})),
      element("button", {type: "button", class: "close", "aria-label": `Do not animate ${track}`, title: "Not animated: the whole track goes", click: () => this.endTrack(name, track)}, "×")), line, ...rows);
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
