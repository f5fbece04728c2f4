// SPDX-License-Identifier: MIT
// The base class of tools. The methods of a tool receive a place as
//   {x, y: pixels of the picture, raw: [x, y] of the scene, at: the same, snapped, shift, ctrl, alt}
// A click is a press and a release at one place. With the keyboard a cross is moved by the arrows and
// Enter clicks, so that a tool that takes clicks needs no mouse; what is dragged with the mouse is
// there from one click to the next.

class Tool {
  constructor(editor) { Object.assign(this, {editor, isFreeWithShift: false}); }

  begin() {}
  leave() { this.cancel(); }
  cancel() { return false; }      // whether there was something to get out of
  hover() {}
  press() {}
  drag() {}
  release() {}
  finish() {}                     // a double click, or Shift Enter
  key() { return false; }         // whether the key was taken
  draw() {}
  says() { return ""; }
  cursor() { return "crosshair"; }
  options() { return []; }        // elements that stand beside the tools
  skips() { return new Set(); }   // rows of bodies that places are not snapped to

  get source() { return this.editor.source; }
  get view() { return this.editor.view; }
  get moment() { return this.editor.moment; }

  // Whether something is begun.
  get isBusy() { return Boolean(this.act || this.from || this.first || this.points?.length); }

  // A place of the scene in pixels.
  pixels([x, y]) { return [this.view.x(x), this.view.y(y)]; }
}

// A labelled choice for the row beside the tools.
function choice(label, options, value, change) {
  const acts = Array.isArray(options[0]) && options[0][1] === "…";  // one that does something shows no choice
  const select = element("select", {"aria-label": label, title: label, class: acts ? "acts" : null, change: () => change(select.value)},
    ...options.map((each) => { const [name, text] = Array.isArray(each) ? each : [each, each]; return element("option", {value: name}, acts && !name ? `${label}…` : text); }));
  select.value = value;
  if (acts) {
    select.style.width = `${label.length + 4}ch`;
    return select;
  }
  return element("label", {class: "option"}, element("span", {class: "quiet"}, label), select);
}

// A choice of a colour that begins with one of the file, also with the name of one.
function colorInput(label, value, change, without = "#888888") {
  const input = element("input", {type: "color", "aria-label": label, title: label, change: () => change(input.value)}), context = document.createElement("canvas").getContext("2d");
  context.fillStyle = without;
  if (typeof value === "string") context.fillStyle = value;
  input.value = /^#[0-9a-f]{6}$/.test(context.fillStyle) ? context.fillStyle : without;
  return input;
}

const action = (label, title, click, attributes = {}) => element("button", {type: "button", class: "plain small", title, click, ...attributes}, label);

// The ruler: the length and the angle between two places.
class MeasureTool extends Tool {
  says() { return this.to && !this.isOpen ? this.words() : "Measure: press at one place and drag to another one."; }

  words() {
    const [dx, dy] = minus(this.to, this.from), {length} = this.source.data.units;
    return `${written(Math.hypot(dx, dy))} ${length}; across ${written(dx)}, up or down ${written(dy)}; ${written(Math.atan2(dy, dx) * 180 / Math.PI)}°`;
  }

  press({at}) {
    if (this.isOpen) { this.to = at; this.isOpen = false; return; }
    [this.from, this.to, this.isOpen] = [at, at, true];
  }

  hover({at}) { if (this.isOpen) this.to = at; }
  drag({at}) { if (this.isOpen) this.to = at; }
  release({at}) { if (this.isOpen && apartOf(this.from, at) > 0) { this.to = at; this.isOpen = false; } }

  cancel() {
    const was = Boolean(this.from);
    this.from = this.to = null;
    this.isOpen = false;
    return was;
  }

  draw({context}) {
    if (!this.to) return;
    const ends = [this.pixels(this.from), this.pixels(this.to)];
    this.editor.marks.line(context, ends, GUIDE, {dash: [6, 4]});
    ends.forEach((end) => this.editor.marks.dot(context, end, GUIDE, 4));
    this.editor.marks.label(context, this.words(), [0.5 * (ends[0][0] + ends[1][0]) + 8, 0.5 * (ends[0][1] + ends[1][1]) - 8], GUIDE);
  }
}
