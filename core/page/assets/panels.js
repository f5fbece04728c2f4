// SPDX-License-Identifier: MIT
// What stands beside the picture: values of what is selected, what is shown, the scene's text.

class ValuesPanel {
  // hooks: {select(selection), follow(body), plot(owner, names)}
  constructor(box, source, hooks) {
    Object.assign(this, {box, hooks});
    this.choice = element("select", {id: "who", "aria-label": "Select a body or joint", change: () => this.onChoice()});
    this.title = element("h2", {}, "Nothing selected");
    this.list = element("dl", {class: "facts"});
    this.follow = element("button", {type: "button", class: "plain", "aria-pressed": "false", click: () => hooks.follow()}, "Follow");
    this.plot = element("button", {type: "button", class: "plain", click: () => hooks.plot()}, "Plot");
    this.hint = element("p", {class: "quiet"}, "Click a body, a joint or a contact in the picture, or choose one here.");
    this.buttons = element("div", {class: "row"}, this.follow, this.plot);
    box.append(this.choice, this.title, this.hint, this.list, this.buttons);
    this.show(source);
  }

  show(source) {
    this.source = source;
    this.offer();
    this.select(null);
  }

  // Fills the list of all that there is to select.
  offer() {
    const {source} = this;
    const options = (kind, list) => list.slice(0, 2000).map((each, index) => element("option", {value: `${kind} ${index}`}, each.name));
    const groups = [["Bodies", "body", source.data.bodies], ["Joints", "joint", source.data.joints]];
    this.choice.replaceChildren(element("option", {value: ""}, "Choose…"), ...groups.filter(([, , list]) => list.length).map(
      ([label, kind, list]) => element("optgroup", {label}, ...options(kind, list))));
    this.mark();
  }

  mark() {
    const {selection} = this;
    this.choice.value = selection && selection.kind !== "contact" ? `${selection.kind} ${selection.index}` : "";
  }

  onChoice() {
    const [kind, index] = this.choice.value.split(" ");
    this.hooks.select(kind ? {kind, index: Number(index)} : null);
  }

  select(selection) {
    this.selection = selection;
    this.mark();
    this.title.textContent = selection ? titleOf(this.source, selection) : "Nothing selected";
    this.hint.hidden = selection !== null;
    this.follow.hidden = selection?.kind !== "body";
    this.plot.hidden = !selection || selection.kind === "contact";
    this.list.replaceChildren();
    this.cells = null;
  }

  update(moment, followed) {
    if (!this.selection) return;
    const lines = facts(this.source, moment, this.selection), shape = lines.map(([label]) => label).join(" ");
    if (this.cells?.shape !== shape) {
      const values = lines.map(() => element("span", {}));
      this.list.replaceChildren(...lines.flatMap(([label, , unit], i) => [
        element("dt", {}, label), element("dd", {}, values[i], ...(unit ? [element("i", {}, ` ${unit}`)] : []))]));
      this.cells = {shape, values};
    }
    lines.forEach(([, value], i) => {
      if (this.cells.values[i].textContent !== value) this.cells.values[i].textContent = value;
    });
    this.follow.setAttribute("aria-pressed", String(followed === this.selection.index));
  }
}

class ShownPanel {
  // Switches for what is laid over the picture.
  constructor(box, picture, hooks) {
    this.boxes = new Map();
    const grid = element("div", {class: "switches"});
    for (const [name, label, key] of OVERLAYS) {
      const input = element("input", {type: "checkbox", id: `show-${name}`, change: () => {
        if (input.checked) picture.shown.add(name); else picture.shown.delete(name);
        hooks.changed();
      }});
      input.checked = picture.shown.has(name);
      this.boxes.set(name, input);
      grid.append(element("label", {for: `show-${name}`}, input, element("span", {}, label), element("kbd", {}, key)));
    }
    box.append(grid);
  }

  toggle(name) { this.boxes.get(name)?.click(); }

  // Keys that mean something else now are not told.
  reserve(keys) {
    for (const input of this.boxes.values()) {
      const key = input.parentElement.querySelector("kbd");
      key.hidden = keys.has(key.textContent);
    }
  }

  hide(name) { this.boxes.get(name).parentElement.hidden = true; }

  limit(name, why) {
    const input = this.boxes.get(name);
    input.disabled = true;
    input.checked = false;
    input.parentElement.title = why;
  }
}

class TextPanel {
  // The scene's YAML with numbers of lines; the part of what is selected is lit.
  constructor(box, source) {
    this.box = box;
    this.code = element("ol", {class: "code"});
    this.scroll = element("div", {class: "code-scroll", tabindex: "0", role: "region", "aria-label": "The scene's text"}, this.code);
    this.copy = element("button", {type: "button", class: "plain copy", click: () => this.onCopy()}, "Copy");
    box.append(this.copy, this.scroll);
    this.show(source);
  }

  show(source) {
    this.source = source;
    this.lines = source.data.text.replace(/\n$/, "").split("\n").map((line) => {
      const item = element("li", {});
      item.append(...colored(line));
      return item;
    });
    this.code.replaceChildren(...this.lines);
  }

  async onCopy() {
    try {
      await navigator.clipboard.writeText(this.source.data.text);
      this.copy.textContent = "Copied";
    } catch {
      this.copy.textContent = "Not allowed here";
    }
    setTimeout(() => { this.copy.textContent = "Copy"; }, 1500);
  }

  // Lines [first, last] of what is selected, or null where they are not in this text.
  rangeOf(selection) {
    if (!selection || selection.kind === "contact") return null;
    const {lines} = this.source.data, name = titleOf(this.source, selection);
    const blocks = selection.kind === "joint" ? ["joints", "instances", "bodies"] : ["bodies", "instances"];
    const heads = [name, name.replace(/\[[^\]]*\]$/, ""), ...name.split(/[.[]/, 1)];
    for (const head of heads) {
      for (const block of blocks) {
        const range = Object.hasOwn(lines, block) && Object.hasOwn(lines[block], head) ? lines[block][head] : null;
        if (range) return range;
      }
    }
    return null;
  }

  light(selection) {
    const range = this.rangeOf(selection);
    this.lines.forEach((line, i) => line.classList.toggle("lit", Boolean(range) && i >= range[0] && i <= range[1]));
    if (range && this.scroll.offsetParent) {
      const line = this.lines[range[0]];
      this.scroll.scrollTop = line.offsetTop - this.scroll.clientHeight / 3;
    }
  }
}

// A line of YAML in pieces, coloured; text nodes only.
function colored(line) {
  const pieces = [], rule = /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(^\s*(?:- )?[\w.-]+(?=:)|[\w.-]+(?=:\s))|(=[^,\]}]+)|(-?\b\d[\d.e+-]*\b)/g;
  let at = 0;
  for (const found of line.matchAll(rule)) {
    if (found[1] && found.index > 0 && !/\s/.test(line[found.index - 1])) continue;
    if (found.index > at) pieces.push(line.slice(at, found.index));
    const kind = ["c", "s", "k", "f", "n"][found.slice(1).findIndex((part) => part !== undefined)];
    pieces.push(element("span", {class: kind}, found[0]));
    at = found.index + found[0].length;
  }
  pieces.push(line.slice(at) || (pieces.length ? "" : " "));
  return pieces;
}

// Tabs: one panel at a time. Arrow keys go from tab to tab.
function tabs(list) {
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const choose = (button, focus = false) => {
    for (const each of buttons) {
      const on = each === button;
      each.setAttribute("aria-selected", String(on));
      each.tabIndex = on ? 0 : -1;
      find(each.getAttribute("aria-controls")).hidden = !on;
    }
    if (focus) button.focus();
    list.dispatchEvent(new CustomEvent("chosen", {detail: button.id}));
  };
  buttons.forEach((button, i) => {
    button.addEventListener("click", () => choose(button));
    button.addEventListener("keydown", (event) => {
      const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!way) return;
      event.stopPropagation();
      event.preventDefault();
      choose(buttons[(i + way + buttons.length) % buttons.length], true);
    });
  });
  return (id) => choose(find(id));
}
