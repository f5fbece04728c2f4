// SPDX-License-Identifier: MIT
// Templates, files of other programs dropped on the page, and the scene kept in other forms.

class FilesMenu {
  constructor(editor) {
    this.editor = editor;
    this.menu = element("div", {class: "menu", role: "menu", hidden: true, keydown: (event) => this.along(event)});
    document.querySelector("main").append(this.menu);
    document.addEventListener("pointerdown", (event) => { if (!this.menu.hidden && !this.menu.contains(event.target)) this.close(); }, true);
    const stage = find("picture").parentElement;
    stage.addEventListener("dragover", (event) => { if (editor.isOpen) event.preventDefault(); });
    stage.addEventListener("drop", (event) => this.drop(event));
    this.input = element("input", {type: "file", hidden: true, accept: ".svg,.json,.tmj,.tmx,.xml,.rube", "aria-label": "File of another program", change: () => this.take([...this.input.files])});
    document.body.append(this.input);
    this.traceInput = element("input", {type: "file", hidden: true, accept: "image/*", "aria-label": "Picture to trace", change: () => this.trace(this.traceInput.files[0])});
    document.body.append(this.traceInput);
    this.start = element("section", {class: "start", id: "start", "aria-label": "Start with", hidden: true});
    stage.append(this.start);
  }

  // A menu of [label, what it does] at an event or below its button.
  list(event, rows) {
    this.before = document.activeElement;
    this.menu.replaceChildren(...rows.map(([label, act]) => element("button", {type: "button", role: "menuitem", tabindex: "-1", click: () => { this.close(); act(); }}, label)));
    this.menu.hidden = false;
    const button = event.currentTarget instanceof HTMLButtonElement ? event.currentTarget.getBoundingClientRect() : null;
    const [x, y] = button ? [button.left, button.bottom + 4] : [event.clientX, event.clientY];
    this.menu.style.left = `${Math.min(x, innerWidth - this.menu.offsetWidth - 8)}px`;
    this.menu.style.top = `${Math.min(y, innerHeight - this.menu.offsetHeight - 8)}px`;
    this.menu.firstElementChild?.focus();
  }

  along(event) {
    const all = [...this.menu.children], at = all.indexOf(document.activeElement), way = {ArrowDown: 1, ArrowUp: -1}[event.key];
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") this.close();
    else if (way) {
      event.preventDefault();
      all[(at + way + all.length) % all.length].focus();
    }
  }

  close() {
    if (this.menu.hidden) return false;
    this.menu.hidden = true;
    this.before?.focus?.();
    return true;
  }

  open(event) {
    const {editor} = this, keep = (form) => () => this.keep(form);
    this.list(event, [
      ["New from a template…", () => this.showStart(true)],
      ["Recent files…", () => this.showRecent()],
      ["Import a file of another program…", () => this.input.click()],
      ["Keep a copy of the text", () => this.save(editor.desk.file, new Blob([editor.desk.text], {type: "text/yaml"}))],
      ["Keep this picture (PNG)", keep("png")], ["Keep a movie (GIF)", keep("gif")], ["Keep a movie (MP4)", keep("mp4")], ["Keep a page that plays it (HTML)", keep("html")],
      ...(Object.keys(editor.desk.tree.animations ?? {}).length ? [["Keep its animations as sprites (PNG, JSON)…", () => this.keepSprites()]] : []),
      [this.traced ? "Remove the picture to trace" : "Trace a picture…", () => (this.traced ? this.trace(null) : this.traceInput.click())],
      ["One minute's tour: build a car", () => editor.tour()],
    ]);
  }

  // The files that were edited lately; each opens in a page of its own.
  async showRecent() {
    const {files = []} = await this.editor.ask({ask: "recent"});
    if (!files.length) return this.editor.say("No other file was edited lately.");
    this.list({currentTarget: find("files-open")}, files.map((each) => [`${each.name} in ${each.folder}`, () => this.openRecent(each)]));
  }

  async openRecent({name, path}) {
    const {address, error} = await this.editor.ask({ask: "open", path});
    if (error) return note(error, 8000);
    if (!window.open(address)) note(`${name} is at ${address}: the browser opens no page without being asked.`, 20000);
  }

  async keep(form) {
    this.editor.say(`Making the ${form.toUpperCase()}…`);
    const answer = await this.editor.ask({ask: "export", form});
    if (answer.error) return note(answer.error, 8000);
    this.saveAll(answer);
  }

  async keepSprites() {
    const made = await new SpritesDialog(this.editor).ask();
    if (made) this.saveAll(made, made.beside);
  }

  // Files of names and bytes in base64.
  saveAll(...files) {
    for (const {name, data} of files) this.save(name, new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
    this.editor.say(`${files.map(({name}) => name).join(" and ")} ${files.length > 1 ? "are" : "is"} among the downloads`);
  }

  save(name, blob) {
    const link = element("a", {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // A picture behind all, to draw after; it is this page's alone, and no part of the file.
  async trace(file) {
    const {editor} = this;
    this.traceInput.value = "";
    this.traced = null;
    if (file) {
      const image = await createImageBitmap(file).catch(() => null);
      if (!image) return note(`${file.name} is no picture that can be shown.`, 6000);
      const {view} = editor, [width, height] = editor.player.picture.size, scale = 0.7 * Math.min(width / image.width, height / image.height) / view.scale, [x, y] = view.back(0.5 * width, 0.5 * height);
      const size = [image.width * scale, image.height * scale];
      this.traced = {image, grid: [1, 1], frame: 0, box: [[x - 0.5 * size[0], y - 0.5 * size[1]], [x + 0.5 * size[0], y + 0.5 * size[1]]]};
      editor.choose("select");
      editor.say("With Select, a corner of the picture sizes it, and its middle moves it. It is no part of the file.");
    }
    editor.changed(true);
  }

  drawTraced({context, view}) {
    if (!this.traced) return;
    const {image, box: [a, b]} = this.traced, xs = [view.x(a[0]), view.x(b[0])], ys = [view.y(a[1]), view.y(b[1])];
    const [columns, rows] = this.traced.grid, [wide, high] = [image.width / columns, image.height / rows], {frame} = this.traced;
    context.globalAlpha = 0.45;
    context.drawImage(image, (frame % columns) * wide, Math.floor(frame / columns) * high, wide, high, Math.min(...xs), Math.min(...ys), Math.abs(xs[1] - xs[0]), Math.abs(ys[1] - ys[0]));
    context.globalAlpha = 1;
  }

  // Which frame of a picture to trace is seen, where that is a sheet of them.
  tracedOptions() {
    const {traced, editor} = this;
    if (!traced) return [];
    const number = (label, value, put) => {
      const input = element("input", {type: "number", min: "0", size: "3", value: String(value), "aria-label": `${label} of the traced picture`, change: () => {
        const [[x0, y0], [x1, y1]] = traced.box, was = [...traced.grid];
        put(Math.max(0, Math.round(Number(input.value)) || 0));
        traced.frame = clamp(traced.frame, 0, traced.grid[0] * traced.grid[1] - 1);
        traced.box = [[x0, y0], [x0 + (x1 - x0) * was[0] / traced.grid[0], y0 + (y1 - y0) * was[1] / traced.grid[1]]];
        input.value = String({Columns: traced.grid[0], Rows: traced.grid[1], Frame: traced.frame}[label]);
        editor.changed();
      }});
      return element("label", {class: "option"}, element("span", {}, label), input);
    };
    return [element("span", {class: "quiet"}, "Traced picture"), number("Columns", traced.grid[0], (count) => { traced.grid[0] = clamp(count, 1, 64); }), number("Rows", traced.grid[1], (count) => { traced.grid[1] = clamp(count, 1, 64); }),
      number("Frame", traced.frame, (frame) => { traced.frame = frame; })];
  }

  // ---------------------------------------------------------------- import

  drop(event) {
    if (!this.editor.isOpen || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    const box = find("picture").getBoundingClientRect();
    this.take([...event.dataTransfer.files], this.editor.grid.snapped(this.editor.view.back(event.clientX - box.left, event.clientY - box.top)));
  }

  async take(files, at = this.editor.view.back(0.5 * this.editor.player.picture.size[0], 0.5 * this.editor.player.picture.size[1])) {
    const {editor} = this;
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      let letters = "";
      for (let i = 0; i < bytes.length; i += 8192) letters += String.fromCharCode(...bytes.subarray(i, i + 8192));
      const answer = await editor.ask({ask: "import", name: file.name, data: btoa(letters), at: at.map((part) => toNearest(part, editor.grid.pixel))});
      const why = answer.error ?? answer.refused;
      if (why) note(why.startsWith(file.name) ? why : `${file.name}: ${why}`, 8000);
      else {
        [editor.wanted, editor.wantedOf] = [answer.names ?? [], answer.version];
        note([`${file.name} is in the scene.`, ...(answer.notes ?? [])].join(" "), 8000);
      }
    }
    this.input.value = "";
  }

  // ---------------------------------------------------------------- templates

  // Whether it was shown. It is in the way of a tool, of a changed scene and of a run.
  hideStart() {
    const isShown = !this.start.hidden;
    this.start.hidden = true;
    return isShown;
  }

  // A scene with nothing but the ground offers what to start with.
  showStart(asked = false) {
    const {editor} = this, {tree} = editor.desk ?? {};
    if (!tree || !editor.templates?.length) return;
    const bodies = Object.values(tree.bodies ?? {}), isEmpty = bodies.length < 2 && bodies.every((body) => body?.type === "static") && !tree.instances;
    this.start.hidden = !(isEmpty || asked);
    if (this.start.hidden) return;
    this.start.replaceChildren(element("h2", {}, "Start with"), element("div", {class: "row wrap"},
      action("The ground alone", "Draw everything else yourself", () => { this.start.hidden = true; find("picture").focus(); }),
      ...editor.templates.map((name) => action(name, `The template ${name}`, async () => {
        if (!isEmpty && !await editor.dialogs.confirm("Replace the scene?", `The text of ${editor.desk.file} becomes that of the template. Ctrl z undoes it.`, "Replace")) return;
        this.start.hidden = true;
        const answer = await editor.ask({ask: "template", name});
        if (answer.error ?? answer.refused) note(answer.error ?? answer.refused, 8000);
      })), action("The tour: a car in a minute", "Builds a car step by step", () => { this.start.hidden = true; editor.tour(); })));
    editor.ask({ask: "recent"}).then(({files = []}) => {
      if (files.length) this.start.append(element("h2", {}, "Edited lately"), element("div", {class: "row wrap"}, ...files.slice(0, 5).map((each) => action(each.name, each.path, () => this.openRecent(each)))));
    });
  }
}
