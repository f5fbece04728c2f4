// SPDX-License-Identifier: MIT
// The row of tools above the picture, what belongs to the chosen one, and the line of what it waits for.

class ToolBar {
  constructor(editor) {
    this.editor = editor;
    this.buttons = new Map(TOOLS.map(([id, label, key]) => [id, this.button(id, `${label} (${key})`, label, () => editor.choose(id))]));
    this.undo = this.button("undo", "Undo (Ctrl z)", "Undo", () => editor.undo());
    this.redo = this.button("redo", "Redo (Ctrl y)", "Redo", () => editor.redo());
    this.grid = this.button("grid", "Snap to the grid and to others (x)", "Snap to the grid", () => this.toggleGrid());
    this.pose = this.button("pose", "Take this pose: objects begin where they are now in the run (Shift p)", "Take this pose", () => editor.takePose());
    this.menu = element("button", {type: "button", class: "plain small", id: "files-open", "aria-haspopup": "menu", click: (event) => editor.files.open(event)}, "File");
    this.row = element("div", {class: "tools", role: "toolbar", id: "tools", "aria-label": "Tools", hidden: true, keydown: (event) => this.along(event)},
      this.menu, this.gap(), ...this.buttons.values(), this.gap(), this.undo, this.redo, this.gap(), this.grid, this.gridSettings(), this.pose);
    this.options = element("div", {class: "tool-options", role: "group", "aria-label": "Options of the tool", hidden: true});
    this.status = element("p", {class: "tool-status", id: "tool-status", role: "status", hidden: true});
    const stage = find("picture").parentElement;
    stage.before(this.row, this.options);
    stage.after(this.status);
  }

  gap() { return element("span", {class: "gap", "aria-hidden": "true"}); }

  button(name, title, label, click) {
    const made = element("button", {type: "button", class: "icon", title, "aria-label": label, "data-tool": name, click});
    made.append(icon(name));
    return made;
  }

  // Left and right go from tool to tool.
  along(event) {
    const way = {ArrowRight: 1, ArrowLeft: -1}[event.key], all = [...this.row.querySelectorAll("button:not(:disabled)")], at = all.indexOf(document.activeElement);
    if (!way || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    all[(at + way + all.length) % all.length].focus();
  }

  gridSettings() {
    const {grid} = this.editor, panel = element("div", {class: "popover", hidden: true, id: "grid-settings", role: "group", "aria-label": "Grid"});
    const number = (label, value, put, title) => {
      const input = element("input", {type: "text", inputmode: "decimal", size: "6", value, title, change: () => { put(input.value.trim()); this.editor.changed(true); }});
      return element("label", {class: "option"}, element("span", {}, label), input);
    };
    const box = (label, name) => {
      const input = element("input", {type: "checkbox", change: () => { grid[name] = input.checked; this.editor.changed(true); }});
      input.checked = grid[name];
      return element("label", {class: "option"}, input, label);
    };
    panel.append(number("Step", "auto", (text) => { grid.step = Number(text) > 0 ? Number(text) : 0; }, "A length, or auto: by the zoom"),
      number("Origin x", "0", (text) => { grid.origin[0] = Number(text) || 0; }), number("Origin y", "0", (text) => { grid.origin[1] = Number(text) || 0; }),
      box("Corners and centres of others", "others"), box("Ruler", "ruler"), box("Overview", "overview"));
    const opener = element("button", {type: "button", class: "plain small", id: "grid-open", "aria-expanded": "false", "aria-controls": "grid-settings", title: "Step and origin of the grid, ruler, overview", click: () => {
      panel.hidden = !panel.hidden;
      opener.setAttribute("aria-expanded", String(!panel.hidden));
    }}, "Grid");
    panel.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); opener.click(); opener.focus(); } });
    return element("span", {class: "holder"}, opener, panel);
  }

  toggleGrid() {
    this.editor.grid.on = !this.editor.grid.on;
    this.editor.changed(true);
  }

  show() {
    const {editor} = this, {desk} = editor;
    if (!editor.isOpen) return;
    for (const [id, button] of this.buttons) button.setAttribute("aria-pressed", String(editor.toolId === id));
    this.grid.setAttribute("aria-pressed", String(editor.grid.on));
    this.undo.disabled = !desk?.undo;
    this.redo.disabled = !desk?.redo;
    this.undo.title = desk?.undo ? `Undo: ${desk.undo} (Ctrl z)` : "Undo (Ctrl z)";
    this.redo.title = desk?.redo ? `Redo: ${desk.redo} (Ctrl y)` : "Redo (Ctrl y)";
    this.pose.disabled = editor.player.time <= 1e-12;
    const shape = `${editor.toolId} ${editor.inside?.instance} ${editor.paths().join(" ")} ${editor.desk?.version} ${editor.tool.type ?? ""} ${editor.tool.splits ?? ""} ${Boolean(editor.tool.outlines)} ${Boolean(editor.files.traced)}`;
    if (shape !== this.shape) {
      this.shape = shape;
      const inside = this.options.contains(document.activeElement);
      this.options.replaceChildren(...(editor.inside?.options() ?? []), ...editor.tool.options());
      if (inside) find("picture").focus({preventScroll: true});
    }
    this.tellStatus();
  }

  tellStatus() {
    const {editor} = this, text = editor.player.playing ? "It plays: the mouse pulls, the scene's keys are the scene's. Space: pause. Shift p: take this pose."
      : !editor.atStart ? "Here objects are where the run brought them. “Take this pose” keeps them; a press in the picture goes back to the start."
        : editor.said && (!editor.tool.isBusy || editor.saidBusy) ? editor.said : editor.tool.says();
    if (this.status.textContent !== text) this.status.textContent = text;
    const isRun = editor.player.time > 1e-12;
    if (this.pose.disabled === isRun) this.pose.disabled = !isRun;
  }
}

// The panels beside the picture while the tools are open.
class EditPanels {
  constructor(editor) {
    this.editor = editor;
    this.names = [["form", "Form", editor.form], ["objects", "Objects", editor.objects], ["blocks", "Scene", editor.blocks]];
    const list = find("tabs"), first = list.firstElementChild;
    this.tabs = this.names.map(([id, label, panel]) => {
      const tab = element("button", {type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `${id}-panel`, "aria-selected": "false", tabindex: "-1", hidden: true}, label);
      const box = element("div", {role: "tabpanel", id: `${id}-panel`, "aria-labelledby": `tab-${id}`, class: "edit-panel", hidden: true}, panel.box);
      first.before(tab);
      find("values").before(box);
      return tab;
    });
    editor.player.chooseTab = tabs(list);
    const {values} = editor.player, {select, plot} = values.hooks;
    values.hooks.plot = () => {
      plot();
      if (editor.isOpen) find("plots").scrollIntoView({block: "nearest"});
    };
    values.hooks.select = (chosen) => (editor.isOpen ? editor.select(chosen ? [{kind: chosen.kind, name: titleOf(editor.source, chosen)}] : []) : select(chosen));
    list.addEventListener("chosen", ({detail}) => {
      this.chosen = detail.replace("tab-", "");
      this.show();
    });
  }

  choose(id) { this.editor.player.chooseTab(`tab-${id}`); }

  open() {
    const {bar} = this.editor;
    for (const each of [bar.row, bar.options, bar.status, ...this.tabs]) each.hidden = false;
    find("tab-about").hidden = true;
    this.editor.text.open();
    this.editor.blocks.line.serve();
    this.choose("form");
  }

  close() {
    const {bar} = this.editor;
    this.editor.text.close();
    this.editor.player.joints.serve(null);
    find("tab-about").hidden = false;
    this.choose("values");
    for (const each of [bar.row, bar.options, bar.status, ...this.tabs]) each.hidden = true;
  }

  // Something else is selected: its form, or its text where that is looked at.
  selected() {
    const {selection} = this.editor, stays = this.chosen === "blocks" && selection.every(({kind}) => kind === "entry");
    if (selection.length && !stays && !["text", "objects", "values", "form"].includes(this.chosen)) this.choose("form");
    this.show();
  }

  show() {
    if (!this.editor.isOpen) return;
    const {editor} = this;
    if (this.chosen === "form") editor.form.show();
    else if (this.chosen === "objects") editor.objects.show();
    else if (this.chosen === "blocks") editor.blocks.show();
    else if (this.chosen === "text") editor.text.light();
  }
}
