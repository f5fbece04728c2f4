// SPDX-License-Identifier: MIT
// Further panels of a page that is played: problems, sliders, notes. All of it
// reaches the screen as text.

// Problems of the files, with the line and a mark below it, or the reason why the run stopped. It can be
// closed; a badge opens it again, as does whatever else is wrong.
class TroublePanel {
  constructor(stage) {
    this.box = element("section", {id: "trouble", class: "trouble", role: "alert", "aria-label": "What is wrong", hidden: true});
    stage.append(this.box);
    this.badge = element("button", {type: "button", class: "badge failed", id: "trouble-open", title: "Show what is wrong", hidden: true,
      click: () => this.open(true)});
    find("theme").before(this.badge);
    this.box.addEventListener("keydown", (event) => { if (event.key === "Escape") this.open(false); });
    window.addEventListener("resize", () => this.revealAll());
  }

  remove() {
    this.box.remove();
    this.badge.remove();
  }

  show(trouble) {
    const said = trouble ? JSON.stringify(trouble) : "";
    if (said === this.said) return;
    this.said = said;
    const count = trouble ? trouble.problems.length + trouble.more : 0;
    this.badge.textContent = count > 1 ? `${count} mistakes` : trouble?.kind === "simulation" ? "stopped" : "1 mistake";
    this.box.replaceChildren(...(trouble ? this.rows(trouble) : []));
    this.open(true);
    this.revealAll();
  }

  revealAll() { for (const code of this.box.querySelectorAll("pre")) this.reveal(code); }

  open(isOpen) {
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = !this.said || !isOpen;
    this.badge.hidden = !this.said || isOpen;
    if (hadFocus && !this.badge.hidden) this.badge.focus();
  }

  // Long lines are scrolled until their mark is in sight.
  reveal(code) {
    const {left, right} = code.getBoundingClientRect(), mark = code.lastElementChild.getBoundingClientRect();
    if (mark.right > right - 24 || mark.left < left) code.scrollLeft += mark.right - left - 0.6 * (right - left);
  }

  rows(trouble) {
    const head = {scene: "The file has mistakes", simulation: "The run stopped", usage: "This cannot be played"}[trouble.kind];
    const rows = trouble.problems.length ? trouble.problems.map((each) => this.problem(each)) : [element("p", {}, trouble.message)];
    const more = trouble.more ? [element("p", {class: "quiet"}, `and ${trouble.more} more`)] : [];
    const last = trouble.kind === "scene" && trouble.goes_on ? [element("p", {class: "quiet"}, "The last good scene goes on meanwhile.")] : [];
    const close = element("button", {type: "button", class: "close", "aria-label": "Close what is wrong", title: "Close (Esc)", click: () => this.open(false)}, "×");
    return [element("div", {class: "row"}, element("h2", {}, head), element("span", {class: "space"}), close), ...rows, ...more, ...last];
  }

  problem({file, line, column, path, message, text, mark}) {
    const place = [file.split("/").at(-1), ...(line ? [line, ...(column ? [column] : [])] : [])].join(":");
    const code = text ? [element("pre", {tabindex: "0"}, `${String(line).padStart(4)} | ${text}\n     | ${text.slice(0, mark).replace(/[^\t]/g, " ")}`, element("span", {class: "caret"}, "^"))] : [];
    return element("div", {class: "problem"}, element("strong", {}, place), path ? ` ${path}: ` : " ", message, ...code);
  }
}

// A number of at most six digits, as many as are written into the file.
const briefly = (value) => String(Number(value.toPrecision(6)));

// A slider with its label and value. Moved, it goes by steps of a power of ten, about a thousand for
// the whole range, and asks for no more than one change in a frame of the screen.
class Slider {
  // ask(value) is called with what it is moved to; `unit` is shown behind the value. An endless one has
  // a last place beyond `high`, which is no limit: null as a value.
  constructor({id, label, low, high, value, unit = "", endless = false}, ask) {
    const last = endless ? high + (high - low) / 20 : high;
    Object.assign(this, {ask, unit, high, last, moving: false});
    const grain = 10 ** Math.floor(Math.log10((high - low) / 500));
    this.output = element("output", {for: id});
    this.input = element("input", {
      type: "range", id, min: String(low), max: String(last), step: "any", value: String(value ?? last),
      input: () => {
        this.moving = true;
        const to = Number(this.input.value);
        const moved = to > (high + last) / 2 ? last : clamp(Number(briefly(Math.round(to / grain) * grain)), low, high);
        this.tell(moved);
        this.send(moved);
      },
      change: () => { this.moving = false; },
    });
    this.row = element("div", {class: "slider"}, element("label", {for: id}, label), this.input, this.output);
  }

  tell(value) {
    const said = value > this.high ? "no limit" : `${briefly(value)}${this.unit ? ` ${this.unit}` : ""}`;
    if (this.output.textContent !== said) this.output.textContent = said;
  }

  // What it is now, unless somebody here moves it.
  show(value) {
    if (document.activeElement === this.input && this.moving) return;
    this.input.value = String(value ?? this.last);
    this.tell(Number(this.input.value));
  }

  send(value) {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.ask(this.wanted);
    });
    this.wanted = value;
  }
}

const writeButton = (name, ask) => element("button", {type: "button", class: "plain", disabled: true, title: "Write this value into the file",
  "aria-label": `Write ${name} into the file`, click: () => ask({do: "write", name})}, "Write");

// A slider for each var that has a range, and a button that writes it into the file.
class SlidersPanel {
  constructor(ask) {
    this.ask = ask;
    this.box = element("section", {id: "sliders", class: "sliders", "aria-label": "Variables", hidden: true});
    this.rows = new Map();
    this.now = element("input", {type: "checkbox", id: "at-once"});
    this.how = element("label", {for: "at-once", class: "at-once", title: "Else the run up to here is as if the value had been so from the start"},
      this.now, " Sliders count from now on");
  }

  show(vars) {
    this.box.hidden = vars.length === 0;
    const shape = vars.map(({name, low, high}) => `${name} ${low} ${high}`).join("\n");
    if (shape !== this.shape) {
      this.shape = shape;
      this.rows = new Map(vars.map((each, i) => [each.name, this.row(each, i)]));
      this.box.replaceChildren(...[...this.rows.values()].map(({slider}) => slider.row), this.how);
    }
    for (const {name, value, moved} of vars) {
      const {slider, write} = this.rows.get(name);
      slider.show(value);
      write.disabled = !moved;
    }
  }

  row({name, low, high, value}, i) {
    const slider = new Slider({id: `var-${i}-${name}`, label: name, low, high, value},
      (moved) => this.ask({do: this.now.checked ? "now" : "var", name, value: moved}));
    const write = writeButton(name, this.ask);
    slider.row.append(write);
    return {slider, write};
  }
}

// A slider for each number of a joint that may be set while the scene runs: motors, springs, lengths.
// Those of the joint that is selected are lit. What an animation sets is shown, and not moved; unless the
// page has tools, which give `animates`: {key(animation, path, value), choose(path, animation)}.
class JointsPanel {
  constructor(ask) {
    Object.assign(this, {ask, animates: null, joints: []});
    this.title = element("summary", {});
    this.list = element("div", {class: "joint-sliders"});
    this.box = element("details", {id: "joint-sliders", class: "sliders", hidden: true}, this.title, this.list);
    this.rows = new Map();
  }

  // Moves and animates values by the tools of the page, or no longer.
  serve(animates) {
    this.animates = animates;
    this.show(this.joints);
  }

  show(joints) {
    this.joints = joints;
    this.box.hidden = joints.length === 0;
    const shape = [Boolean(this.animates), ...joints.map(({path, low, high, animation}) => `${path} ${low} ${high} ${animation}`)].join("\n");
    if (shape !== this.shape) {
      this.shape = shape;
      this.title.textContent = `Motors and springs of joints (${joints.length})`;
      this.rows = new Map(joints.map((each, i) => [each.path, this.row(each, i)]));
      this.list.replaceChildren(...[...this.rows.values()].map(({row}) => row));
    }
    for (const {path, value, moved} of joints) {
      const slider = this.rows.get(path);
      slider.show(value);
      slider.write.disabled = !moved;
    }
  }

  row({path, joint, low, high, endless, value, unit, animation}, i) {
    const {animates} = this, slider = new Slider({id: `joint-${i}`, label: path, low, high, value, unit, endless},
      (moved) => { if (!animation) this.ask({do: "joint", name: path, value: moved}); });
    slider.write = writeButton(path, this.ask);
    slider.row.append(animation ? element("span", {class: "quiet", title: `The animation ${animation} sets this${animates ? "; moved, it gets a key at the time of the time line" : ""}`}, `by ${animation}`) : slider.write);
    slider.row.dataset.joint = joint;
    slider.input.disabled = Boolean(animation) && !animates;
    if (animates) {
      const box = element("input", {type: "checkbox", "aria-label": `${path} is animated`, change: () => animates.choose(path, animation)});
      box.checked = Boolean(animation);
      slider.row.append(element("label", {class: "option"}, box, "animated"));
      if (animation) slider.input.addEventListener("change", () => animates.key(animation, path, slider.wanted));
    }
    return slider;
  }

  select(joint) {
    let lit = null;
    for (const {row} of this.rows.values()) {
      row.classList.toggle("lit", row.dataset.joint === joint);
      if (row.dataset.joint === joint) lit ??= row;
    }
    if (!lit) return;
    this.box.open = true;
    this.list.scrollTop = lit.offsetTop - this.list.offsetTop;
  }
}

// A menu of recorded replays; the first is the scene's own.
class ReplaysMenu {
  constructor(ask) {
    this.choice = element("select", {id: "replays", change: () => ask({do: "replay", name: this.choice.value})});
    this.box = element("label", {class: "replays", title: "Plays recorded inputs from the start", hidden: true}, element("span", {class: "wide-only"}, "Replay "), this.choice);
  }

  show(names, chosen) {
    this.box.hidden = names.length === 0;
    const shape = JSON.stringify(names);
    if (shape !== this.shape) {
      this.shape = shape;
      this.choice.replaceChildren(element("option", {value: ""}, "the scene's own"), ...names.map((name) => element("option", {value: name}, name)));
    }
    if (this.choice.value !== chosen && document.activeElement !== this.choice) this.choice.value = chosen;
  }
}

// What the scene has told, newest first, and its state variables.
class ToldPanel {
  constructor() {
    this.state = element("dl", {class: "facts"});
    this.list = element("ol", {class: "told", "aria-label": "What happened"});
    this.box = element("section", {id: "told", "aria-label": "What happened", hidden: true}, this.state, this.list);
  }

  show(told, state, second) {
    const logs = told.filter(({kind}) => ["log", "end", "warning", "joint_broken"].includes(kind)).reverse();
    const facts = Object.entries(state);
    this.box.hidden = logs.length === 0 && facts.length === 0;
    const said = JSON.stringify([logs, facts]);
    if (said === this.said) return;
    this.said = said;
    this.state.replaceChildren(...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]));
    this.list.replaceChildren(...logs.map(({time, kind, text}) => element("li", {},
      element("span", {class: "quiet"}, `${(time / second).toFixed(2)} s `), kind === "log" ? text : `${kind.replace("_", " ")}: ${text}`)));
  }
}
