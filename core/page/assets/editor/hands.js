// SPDX-License-Identifier: MIT
// Mouse, pen, fingers and keyboard, as the tools are told of them.

const PALM = 500;  // milliseconds after a pen was near, in which a touch is that of the hand that holds it
const LONG = 550;  // milliseconds that a finger rests for the list of what lies there

class Hands {
  constructor(editor) {
    this.editor = editor;
    const canvas = find("picture"), stage = canvas.parentElement;
    Object.assign(this, {canvas, pressed: null, penned: -Infinity, palms: new Set()});
    const on = (name, act) => stage.addEventListener(name, (event) => {
      if (editor.isOpen && event.target === canvas && (this.isPalm(event) || act(event))) {
        event.stopPropagation();
        event.preventDefault();
      }
    }, true);
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.drop(event));
    on("dblclick", () => this.double());
    on("contextmenu", (event) => this.menu(event));
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  // A place for the tools; the keyboard's has no pixels of its own.
  place(event, isKey = false) {
    const {editor} = this, [x, y] = isKey ? [editor.view.x(editor.cross[0]), editor.view.y(editor.cross[1])] : editor.player.picture.place(event);
    const raw = editor.view.back(x, y), alt = Boolean(event.altKey);
    const skip = editor.tool.skips(), at = editor.grid.snapped(raw, {off: alt || (event.shiftKey && !isKey && editor.tool.isFreeWithShift), skip});
    editor.cursor = raw;
    return {x, y, raw, at, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey, alt, isKey, isTouch: event.pointerType === "touch"};
  }

  // While a pen draws, or hovers over the screen, touches are those of the hand that holds it.
  isPalm(event) {
    const {type, pointerType, pointerId, timeStamp} = event;
    if (pointerType === "pen") {
      this.penned = timeStamp;
      if (type === "pointerdown") this.dropTouches();
      return false;
    }
    if (pointerType !== "touch") return false;
    const byPen = this.pressed !== null && this.first.pointerType === "pen";
    if (type === "pointerdown" && (byPen || timeStamp - this.penned < PALM)) this.palms.add(pointerId);
    const isPalm = this.palms.has(pointerId);
    if (type === "pointerup" || type === "pointercancel") this.palms.delete(pointerId);
    return isPalm;
  }

  // A hand that came to rest before its pen has begun nothing.
  dropTouches() {
    const {picture} = this.editor.player;
    for (const id of picture.pointers.keys()) this.palms.add(id);
    picture.pointers.clear();
    if (this.pressed === null || this.first.pointerType !== "touch") return;
    clearTimeout(this.resting);
    this.palms.add(this.pressed);
    this.pressed = null;
    this.editor.tool.cancel();
  }

  // The middle button, a second finger, and a mouse while it plays are the page's: they move the view, or pull.
  down(event) {
    const {editor} = this;
    if (this.touches(event)) return true;
    if (event.button > 0 || editor.player.playing || this.space) return false;
    if (this.onMap(event)) return true;
    this.canvas.focus({preventScroll: true});
    if (!editor.atStart && editor.toolId !== "measure") {
      editor.backToStart();
      return true;
    }
    editor.cross = null;
    if (editor.saidBusy) editor.said = "";
    this.first = event;
    this.pressed = event.pointerId;
    try { this.canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone again */ }
    editor.tool.press(this.place(event));
    clearTimeout(this.resting);
    if (event.pointerType === "touch") this.resting = setTimeout(() => { if (this.pressed !== null) { editor.tool.cancel(); this.pressed = null; this.menu(event); } }, LONG);
    editor.changed(true);
    return true;
  }

  // Two fingers zoom and move the view: what the first one has begun is dropped.
  touches(event) {
    if (this.pressed === null || event.pointerId === this.pressed || event.pointerType !== "touch" || this.first.pointerType !== "touch") return false;
    this.editor.tool.cancel();
    clearTimeout(this.resting);
    const {picture} = this.editor.player;
    picture.onDown(this.first);
    picture.onDown(event);
    this.pressed = null;
    return true;
  }

  // A click in the small view of all moves the picture there.
  onMap(event) {
    const {editor} = this, {map} = editor.marks, [x, y] = editor.player.picture.place(event);
    if (!editor.grid.overview || !editor.atStart || !map || !isIn(map.box, x, y) || editor.tool.handleAt?.({x, y})) return false;
    const [mx, my] = map.back(x, y), {picture} = editor.player;
    picture.free = {x: mx, y: my, scale: editor.view.scale};
    editor.changed();
    return true;
  }

  move(event) {
    const {editor} = this;
    if (editor.player.playing || editor.player.picture.pointers.size) return false;
    const p = this.place(event);
    if (this.pressed === event.pointerId) {
      if (Math.hypot(event.clientX - this.first.clientX, event.clientY - this.first.clientY) > CLICK) clearTimeout(this.resting);
      editor.tool.drag(p);
    } else editor.tool.hover(p);
    this.canvas.style.cursor = editor.tool.cursor();
    editor.changed();
    return true;
  }

  up(event) {
    const {editor} = this;
    clearTimeout(this.resting);
    if (this.pressed !== event.pointerId) return false;
    this.pressed = null;
    editor.tool.release(this.place(event));
    editor.grid.hint = null;
    editor.changed(true);
    return true;
  }

  drop(event) {
    if (this.pressed !== event.pointerId) return false;
    this.pressed = null;
    this.editor.tool.cancel();
    return true;
  }

  double() {
    const {editor} = this, [path] = editor.paths();
    if (editor.toolId === "select" && path?.startsWith("instances.") && editor.atStart) editor.editPrototype(path.slice(10));
    else if (editor.toolId === "select") editor.panels.choose("form");
    else this.editor.tool.finish();
    return true;
  }

  // The list of what lies at a place, the smallest first, and what may be done with it.
  menu(event) {
    const {editor} = this, [x, y] = editor.player.picture.place(event), {bodies} = editor.source.data;
    if (editor.player.playing) return false;
    const size = (row) => { const box = ownBox(editor.source.sketch, editor.view, row); return (box[2] - box[0]) * (box[3] - box[1]); };
    const rows = bodiesUnder(editor.source, editor.moment, editor.view, x, y).sort((a, b) => size(a) - size(b));
    const object = editor.objectAt({x, y}), objects = [...(object?.kind === "joint" ? [object] : []), ...rows.map((row) => ({kind: "body", name: bodies[row].name}))];
    if (!objects.length) return true;
    editor.files.list(event, objects.map((each) => [`${each.kind} ${each.name}`, () => editor.select([each])]));
    return true;
  }

  // ---------------------------------------------------------------- keyboard

  key(event) {
    const {editor} = this;
    const at = event.target instanceof Element ? event.target : document.body;
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const types = at.matches("input:not([type=checkbox]), textarea, select, .cm-content");
    if (!editor.isOpen) {
      if (event.key === "E" && !types && !event.ctrlKey && !event.metaKey) this.take(event, () => editor.open());
      return;
    }
    if (event.key === "Escape" && at.closest(".cm-editor")) return;
    if (types) return;
    const isPlayed = editor.player.playing && editor.player.keyOf(event) !== null;
    if (isPlayed) return;
    const act = event.ctrlKey || event.metaKey ? this.withControl(event) : this.plain(event, at);
    if (act) this.take(event, act);
  }

  take(event, act) {
    event.preventDefault();
    event.stopPropagation();
    act();
    this.editor.changed(true);
  }

  withControl(event) {
    const {editor} = this, key = event.key.toLowerCase();
    if (key === "z") return () => (event.shiftKey ? editor.redo() : editor.undo());
    return {y: () => editor.redo(), d: () => editor.duplicate(), a: () => editor.selectAll(), g: () => editor.group()}[key] ?? null;
  }

  plain(event, at) {
    const {editor} = this, {key} = event, onButton = at.matches("button, summary, a, input, [role=tab]");
    if (onButton && (key === "Enter" || key === " " || key.startsWith("Arrow"))) return null;
    if (key === "Escape") return () => editor.escape();
    if (editor.tool.key(event)) return () => {};
    if (key === "Delete" || key === "Backspace") return () => editor.remove();
    if (key.startsWith("Arrow")) return () => this.arrow(event);
    if (key === "Enter" && editor.cross) return () => this.click(event);
    if (key === "PageDown" || key === "PageUp") return () => editor.selectNext(key === "PageDown" ? 1 : -1);
    if (key === "E") return () => editor.close();
    if (key === "P") return () => editor.takePose();
    if (key === "x") return () => editor.bar.toggleGrid();
    if (key === "?") return () => this.help();
    const tool = TOOLS.find(([, , own]) => own === key);
    return tool ? () => editor.choose(tool[0]) : null;
  }

  // Arrows nudge what is selected; with other tools they move a cross, at which Enter clicks.
  arrow(event) {
    const {editor} = this, [x, y] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (editor.toolId === "select") return editor.nudge(x, y, event.shiftKey);
    const step = (event.shiftKey ? 5 : 1) * editor.grid.spacing;
    if (!editor.cross) {
      const [mx, my] = editor.view.back(0.5 * editor.player.picture.size[0], 0.5 * editor.player.picture.size[1]);
      editor.cross = editor.grid.snapped([mx, my]);
    } else editor.cross = plus(editor.cross, [x * step, y * step * editor.view.way]).map(clean);
    editor.tool.hover(this.place(event, true));
  }

  click(event) {
    const {editor} = this;
    if (!editor.atStart) return editor.backToStart();
    const place = {...this.place(event, true), shift: false};
    if (event.shiftKey) return editor.tool.finish();
    editor.tool.press(place);
    editor.tool.release(place);
  }

  help() {
    const rows = [...TOOLS.map(([, label, key]) => [key, label.toLowerCase()]), ["Esc", "out of what is begun, of the tool, of the selection"], ["←", "nudge what is selected by the grid; with a tool: move the cross"],
      ["Shift ←", "nudge by a pixel; the cross by five"], ["Enter", "click at the cross; twice at one place, or Shift Enter: finish"], ["PageDown", "select the next object, PageUp the one before"], ["Ctrl z", "undo"], ["Ctrl y", "redo"],
      ["Ctrl d", "duplicate"], ["Ctrl a", "select all"], ["Ctrl g", "group"], ["Del", "delete"], ["x", "snap to the grid"], ["Shift p", "take this pose"], ["Shift e", "close the tools"]];
    const taken = new Set([...KEYS_OF_TOOLS, "Escape", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "[", "]", "PageUp", "PageDown", "Shift+ArrowLeft", "Shift+ArrowRight"]);
    fillHelp(find("help-keys"), rows, (key) => taken.has(key));
    find("help").showModal();
  }
}
