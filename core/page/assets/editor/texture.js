// SPDX-License-Identifier: MIT
// The image on a body: its middle moves it, its edges size it, its corners turn it, Shift with a corner scales it.

class TextureTool extends Tool {
  says() {
    const rect = this.rect();
    if (!rect) return this.row() < 0 ? "Texture: select a body." : "This body has no texture: type the file of an image in the folder of the scene, and press Enter.";
    return this.act ? this.act.says ?? "" : "Drag the middle: move. Edges: size. Corners: turn; with Shift: scale. Esc: select.";
  }

  row() {
    const {editor} = this, [row] = editor.rows();
    return editor.paths().length === 1 && row !== undefined ? row : -1;
  }

  path() { return this.editor.paths()[0]; }

  // The corners of the image in the coordinates of the body, as the picture draws it.
  rect() {
    const row = this.row(), {sketch} = this.source;
    const item = row < 0 ? null : partsOf(sketch, row).find(({kind}) => kind === "quad");
    if (!item) return null;
    const [a, right, down] = pairs(item.local), far = [right[0] + down[0] - a[0], right[1] + down[1] - a[1]];
    return {row, corners: [a, right, far, down], middle: [0.5 * (a[0] + far[0]), 0.5 * (a[1] + far[1])]};
  }

  options() { return [this.shown(), ...this.ofBody()]; }

  // Whether images are seen; without them, the shapes below are.
  shown() {
    const {editor} = this, input = element("input", {type: "checkbox", change: () => editor.showImages(input.checked)});
    input.checked = editor.images;
    return element("label", {class: "option", title: "Off: the shapes of bodies are seen instead of their images, in this page"}, input, "Show images");
  }

  ofBody() {
    const {editor} = this, row = this.row();
    if (row < 0) return [];
    const path = this.path(), texture = editor.valueAt(`${editor.entryOf(path).entry}.texture`), file = typeof texture === "string" ? texture : texture?.file ?? texture?.sheet ?? "";
    const input = element("input", {type: "text", value: file, placeholder: "image.png", "aria-label": "File of the image", size: "16", spellcheck: "false", list: this.images(), autocomplete: "off",
      change: () => (input.value.trim() ? editor.edit({edit: "texture", what: [path], file: input.value.trim()}) : editor.edit({edit: "unset", path: `${path}.texture`}))});
    const found = [input];
    if (!file) return found;
    found.push(choice("Flip", [["", "…"], ["x", "left and right"], ["y", "up and down"], ["90", "by 90°"]], "", (way) => way && editor.edit({edit: "texture", what: [path], ...(way === "90" ? {turn: 90} : {mirror: way})})));
    found.push(action("Cut…", "A sheet of frames: choose one of them, or play all", async () => {
      const cut = await new SheetDialog(editor).ask(file, typeof texture === "object" ? texture : null);
      if (cut) editor.edit({edit: "texture", what: [path], ...cut});
    }));
    const more = typeof texture === "object" ? texture : {};
    const tile = element("input", {type: "checkbox", change: () => set({tile: tile.checked})});
    tile.checked = more.tile === true;
    const set = (fields) => editor.edit({edit: "texture", what: [path], fields});
    const tint = colorInput("Tint", more.tint, (color) => set({tint: color}), "#ffffff");
    const z = element("input", {type: "text", inputmode: "decimal", size: "3", value: flowOf(more.z), placeholder: "0", "aria-label": "z: higher ones are drawn later", change: () => (z.value.trim() ? set({z: Number(z.value)}) : editor.edit({edit: "unset", path: `${path}.texture.z`}))});
    found.push(element("label", {class: "option"}, tile, "Tile"), element("label", {class: "option"}, "Tint", tint), ...this.colorKey(more.color_key, set), element("label", {class: "option"}, "z", z));
    found.push(action("Remove", "No image", () => editor.edit({edit: "unset", path: `${path}.texture`})));
    return found;
  }

  // Which colour of the image is see-through.
  colorKey(key, set) {
    const kind = key === undefined ? "" : key === "first_pixel" ? key : "color";
    const chosen = element("select", {"aria-label": "Colour key", title: "Colour key: which colour of the image is see-through", change: () => set({color_key: chosen.value === "color" ? "#ffffff" : chosen.value || null})},
      ...[["", "No colour key"], ["first_pixel", "Key: first pixel"], ["color", "Key: a colour"]].map(([value, text]) => element("option", {value}, text)));
    chosen.value = kind;
    return kind === "color" ? [chosen, colorInput("Colour that is see-through", key, (color) => set({color_key: color}))] : [chosen];
  }

  // The images of the scene's folder, to choose from.
  images() {
    const id = "names-images";
    if (!find(id)) document.body.append(element("datalist", {id}));
    this.editor.ask({ask: "images"}).then(({images = []}) => find(id).replaceChildren(...images.map((value) => element("option", {value}))));
    return id;
  }

  handleAt({x, y}) {
    const rect = this.rect();
    if (!rect) return null;
    const place = (point) => this.pixels(placed(this.moment, rect.row, ...point)), corners = rect.corners.map(place);
    const corner = corners.findIndex((each) => apartOf(each, [x, y]) < 11);
    if (corner >= 0) return {...rect, kind: "corner", index: corner};
    const edge = corners.findIndex((each, i) => apartOf([0.5 * (each[0] + corners[(i + 1) % 4][0]), 0.5 * (each[1] + corners[(i + 1) % 4][1])], [x, y]) < 11);
    if (edge >= 0) return {...rect, kind: "edge", index: edge};
    return isInside(corners, x, y) ? {...rect, kind: "middle"} : null;
  }

  press(p) {
    const handle = this.handleAt(p);
    if (handle) this.act = {...handle, from: p};
    else {
      const {sketch, data} = this.source, size = (row) => { const [x0, y0, x1, y1] = ownBox(sketch, this.view, row); return (x1 - x0) * (y1 - y0); };
      const rows = bodiesUnder(this.source, this.moment, this.view, p.x, p.y, (row) => this.editor.isFree(data.bodies[row].name)).sort((a, b) => size(a) - size(b));
      this.editor.select(rows.length ? [{kind: "body", name: data.bodies[rows[0]].name}] : []);
    }
  }

  drag(p) {
    const {act} = this;
    if (!act) return;
    const middle = placed(this.moment, act.row, ...act.middle), before = minus(act.from.raw, middle), now = minus(p.raw, middle);
    if (act.kind === "middle") {
      act.message = {move: minus(p.raw, act.from.raw).map(clean)};
      act.says = `Moved by ${act.message.move.map(written).join(", ")}`;
    } else if (act.kind === "corner" && !p.shift) {
      const turn = (Math.atan2(now[1], now[0]) - Math.atan2(before[1], before[0])) * DEGREES;
      act.message = {turn: clean(p.alt ? turn : toNearest(turn, 15))};
      act.says = `Turned by ${written(act.message.turn)}°`;
    } else {
      const factor = Math.max(0.02, Math.hypot(...now) / (Math.hypot(...before) || 1)), scale = act.kind === "corner" ? [factor, factor] : act.index % 2 ? [factor, 1] : [1, factor];
      act.message = {scale: scale.map((part) => Number(part.toPrecision(4)))};
      act.says = `Scaled by ${act.message.scale.map(written).join(", ")}`;
    }
  }

  release() {
    const {act} = this;
    this.act = null;
    if (act?.message) this.editor.edit({edit: "texture", what: this.editor.paths(), ...act.message});
  }

  cancel() {
    const was = Boolean(this.act);
    this.act = null;
    return was;
  }

  draw({context}) {
    const rect = this.rect();
    if (!rect) return;
    const {marks} = this.editor, {act} = this;
    const shaped = (point) => {
      const {move = [0, 0], turn = 0, scale = [1, 1]} = act?.message ?? {}, local = minus(point, rect.middle), along = minus(rect.corners[1], rect.corners[0]);
      const angle = Math.atan2(along[1], along[0]), own = turned(local, -angle), grown = turned([own[0] * scale[0], own[1] * scale[1]], angle + turn / DEGREES);
      return plus(placed(this.moment, rect.row, ...plus(rect.middle, grown)), move);
    };
    const corners = rect.corners.map((point) => this.pixels(shaped(point)));
    marks.line(context, corners, GUIDE, {closed: true, dash: act ? [5, 3] : []});
    corners.forEach((corner, i) => {
      marks.dot(context, corner, GUIDE, HANDLE);
      const next = corners[(i + 1) % 4];
      marks.dot(context, [0.5 * (corner[0] + next[0]), 0.5 * (corner[1] + next[1])], GUIDE, HANDLE, false);
    });
  }
}
