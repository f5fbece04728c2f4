// SPDX-License-Identifier: MIT
// What a page that is played shows besides: what is wrong, sliders, keys, what was told. All of it
// reaches the screen as text.

// What is wrong with the files, with the line and a mark below it; or why the run stopped.
class TroublePanel {
  constructor(stage) {
    this.box = element("section", {id: "trouble", class: "trouble", role: "alert", "aria-label": "What is wrong", hidden: true});
    stage.append(this.box);
  }

  show(trouble) {
    this.box.hidden = !trouble;
    const said = trouble ? JSON.stringify(trouble) : "";
    if (said === this.said) return;
    this.said = said;
    this.box.replaceChildren(...(trouble ? this.rows(trouble) : []));
  }

  rows(trouble) {
    const head = {scene: "The file has mistakes", simulation: "The run stopped", usage: "This cannot be played"}[trouble.kind];
    const rows = trouble.problems.length ? trouble.problems.map((each) => this.problem(each)) : [element("p", {}, trouble.message)];
    const more = trouble.more ? [element("p", {class: "quiet"}, `and ${trouble.more} more`)] : [];
    const last = trouble.kind === "scene" && trouble.goes_on ? [element("p", {class: "quiet"}, "The last good scene goes on meanwhile.")] : [];
    return [element("h2", {}, head), ...rows, ...more, ...last];
  }

  problem({file, line, column, path, message, text}) {
    const place = [file.split("/").at(-1), ...(line ? [line, ...(column ? [column] : [])] : [])].join(":");
    const code = text ? [element("pre", {tabindex: "0"}, `${String(line).padStart(4)} | ${text}\n     | ${text.slice(0, Math.max(0, column - 1)).replace(/[^\t]/g, " ")}^`)] : [];
    return element("div", {class: "problem"}, element("strong", {}, place), path ? ` ${path}: ` : " ", message, ...code);
  }
}

// A number of at most six digits, as many as are written into the file.
const briefly = (value) => String(Number(value.toPrecision(6)));

// A slider for each var that has a range, and a button that writes it into the file. Moved, it goes
// by steps of a power of ten, about a thousand for the whole range.
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
      this.rows = new Map(vars.map((each) => [each.name, this.row(each)]));
      this.box.replaceChildren(...[...this.rows.values()].map(({row}) => row), this.how);
    }
    for (const {name, value, moved} of vars) {
      const {slider, output, write} = this.rows.get(name);
      if (document.activeElement !== slider || !this.moving) slider.value = String(value);
      output.textContent = briefly(Number(slider.value));
      write.disabled = !moved;
    }
  }

  row({name, low, high, value}) {
    const id = `var-${this.rows.size}-${name}`, output = element("output", {for: id});
    const grain = 10 ** Math.floor(Math.log10((high - low) / 500));
    const slider = element("input", {
      type: "range", id, min: String(low), max: String(high), step: "any", value: String(value),
      input: () => {
        this.moving = true;
        const moved = clamp(Number(briefly(Math.round(Number(slider.value) / grain) * grain)), low, high);
        output.textContent = briefly(moved);
        this.send({do: this.now.checked ? "now" : "var", name, value: moved});
      },
      change: () => { this.moving = false; },
    });
    const write = element("button", {type: "button", class: "plain", disabled: true, title: "Write this value into the file",
      "aria-label": `Write ${name} into the file`, click: () => this.ask({do: "write", name})}, "Write");
    return {slider, output, write, row: element("div", {class: "slider"}, element("label", {for: id}, name), slider, output, write)};
  }

  // No more than one change in a frame of the screen.
  send(request) {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.ask(this.request);
    });
    this.request = request;
  }
}

// The scene's keys as buttons, for fingers; which are held is seen.
class KeysPanel {
  constructor(hold) {
    this.hold = hold;
    this.box = element("section", {id: "scene-keys", class: "scene-keys", "aria-label": "Keys of the scene", hidden: true});
    this.buttons = new Map();
  }

  show(controls, held) {
    this.box.hidden = controls.length === 0;
    if (controls.join("\n") !== this.shape) {
      this.shape = controls.join("\n");
      this.buttons = new Map(controls.map((key) => [key, this.button(key)]));
      this.box.replaceChildren(...this.buttons.values());
    }
    for (const [key, button] of this.buttons) button.setAttribute("aria-pressed", String(held.includes(key)));
  }

  // Fingers leave the focus where it was; who has come by Tab holds it with Enter or Space.
  button(key) {
    const down = (event) => {
      event.preventDefault();
      this.hold(key, true);
    };
    const up = () => this.hold(key, false);
    const ifPress = (act) => (event) => { if (event.key === "Enter" || event.key === " ") act(event); };
    return element("button", {type: "button", class: "plain", "aria-pressed": "false", mousedown: (event) => event.preventDefault(),
      pointerdown: down, pointerup: up, pointercancel: up, pointerleave: up, keydown: ifPress(down), keyup: ifPress(up), blur: up}, key);
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
