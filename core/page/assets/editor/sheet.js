// SPDX-License-Identifier: MIT
// Cuts an image into frames by a grid. A body shows one frame, or all of them in turn.

const SHEET_SIDE = 440;  // pixels of the larger side of the image in the dialog

class SheetDialog {
  constructor(editor) { this.editor = editor; }

  // The fields of a texture, or null.
  async ask(file, texture) {
    const {picture, size, error} = await this.editor.ask({ask: "image", name: file});
    if (error) return void note(error, 8000);
    const image = new Image();
    image.src = picture;
    await image.decode().catch(() => null);
    const [wide, high] = size, scale = Math.min(1, SHEET_SIDE / Math.max(wide, high)) * (Math.max(wide, high) < SHEET_SIDE / 2 ? Math.floor(SHEET_SIDE / Math.max(wide, high)) : 1);
    const guess = wide >= high ? [Math.max(1, Math.round(wide / high)), 1] : [1, Math.max(1, Math.round(high / wide))];
    const given = Array.isArray(texture?.grid) && texture.grid.every(Number.isFinite) ? texture.grid : guess, own = Number.isFinite(texture?.frame) ? texture.frame : null;
    const canvas = element("canvas", {class: "sheet", width: String(Math.round(wide * scale)), height: String(Math.round(high * scale)), "aria-hidden": "true"});
    const number = (label, value, title) => {
      const input = element("input", {type: "text", inputmode: "numeric", size: "4", value, "aria-label": label, title, input: () => draw()});
      return [element("label", {class: "option"}, element("span", {}, label), input), input];
    };
    const [columns, across] = number("Columns", String(given[0]), "Frames beside each other"), [rows, down] = number("Rows", String(given[1]), "Rows of frames");
    const [frames, frame] = number("Frame", own === null ? "" : String(own), "The number of the frame that is shown, from 0; empty: all, one after the other"), [rates, rate] = number("Frames a second", String(texture?.fps ?? 10), "How fast they follow each other");
    const grid = () => [across, down].map((input) => clamp(Math.round(Number(input.value)) || 1, 1, 64));
    const chosen = () => (frame.value.trim() === "" ? null : clamp(Math.round(Number(frame.value)) || 0, 0, grid()[0] * grid()[1] - 1));
    const told = element("p", {class: "quiet", role: "status"});
    const draw = () => {
      const context = canvas.getContext("2d"), [n, m] = grid(), [w, h] = [canvas.width / n, canvas.height / m], one = chosen();
      context.imageSmoothingEnabled = scale < 1;
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      context.strokeStyle = HOLD;
      context.lineWidth = 1;
      for (let i = 0; i < n * m; i++) context.strokeRect((i % n) * w + 0.5, Math.floor(i / n) * h + 0.5, w - 1, h - 1);
      if (one !== null) {
        context.lineWidth = 4;
        context.strokeStyle = UPPER;
        context.strokeRect((one % n) * w + 2, Math.floor(one / n) * h + 2, w - 4, h - 4);
      }
      rates.hidden = one !== null;
      told.textContent = `${wide} by ${high} pixels: ${n * m} frames of ${written(wide / n)} by ${written(high / m)}. ${one === null ? "All are shown, one after the other; a click chooses one." : `Frame ${one} is shown; a click on it shows all.`}`;
    };
    canvas.addEventListener("click", (event) => {
      const [n, m] = grid(), box = canvas.getBoundingClientRect(), at = Math.floor((event.clientY - box.top) / box.height * m) * n + Math.floor((event.clientX - box.left) / box.width * n);
      frame.value = chosen() === at ? "" : String(at);
      draw();
    });
    draw();
    return this.editor.dialogs.dialog(`Cut ${file} into frames`, [element("div", {class: "row wrap"}, columns, rows, frames, rates), element("div", {class: "scroller"}, canvas), told], () => {
      const [n, m] = grid(), one = chosen(), fps = Number(rate.value) > 0 ? Number(rate.value) : 10;
      if (n * m === 1) return {file};
      return {fields: {sheet: file, grid: [n, m], frame: one, fps: one === null && fps !== 10 ? fps : null, file: null}};
    }, "Cut");
  }
}

// The sprites of a scene's animations: what `rigid sprites` may be told, and the sheet that comes of it.
class SpritesDialog {
  constructor(editor) { this.editor = editor; }

  // Shows the sheet, anew after each change; the files to be kept, or null.
  async ask() {
    const {editor} = this, {tree} = editor.desk, names = Object.keys(tree.animations ?? {}), body = this.body();
    const field = (label, attributes, title) => {
      const input = element("input", {type: "text", size: "6", autocomplete: "off", "aria-label": label, title, change: () => make(), ...attributes});
      return [element("label", {class: "option", title}, element("span", {}, label), input), input];
    };
    const select = (label, options, value) => {
      const input = element("select", {"aria-label": label, change: () => make()}, ...options.map(([name, text]) => element("option", {value: name}, text)));
      input.value = value;
      return [element("label", {class: "option"}, element("span", {}, label), input), input];
    };
    const tick = (label, title) => {
      const input = element("input", {type: "checkbox", change: () => make()});
      return [element("label", {class: "option", title}, input, element("span", {}, label)), input];
    };
    const number = {inputmode: "decimal"};
    const [animations, animation] = select("Animation", [["", names.length > 1 ? "all, a row each" : names[0]], ...(names.length > 1 ? names.map((name) => [name, name]) : [])], "");
    const [counts, count] = field("Count", {...number, value: "8"}, "Pictures of each animation, at evenly spaced phases");
    const [ways, way] = select("Orientation", [["held", "held at the pivot"], ["ground", "stands on a flat floor"]], "held");
    const [figures, figure] = select("Figure", [["", "all bodies that move"], ...(body ? [[body, `${body}, and what joints hold to it`]] : [])], "");
    const [waits, steps] = field("Steps per frame", {...number, placeholder: "at rest"}, "Time steps between two poses; empty: each is taken when all is at rest");
    const [sizes, size] = field("Size", {placeholder: "auto", size: "8"}, "Pixels of each picture, such as 64x96; or pixels a length unit, such as 40");
    const [angles, angle] = field("Angle", {...number, value: "0"}, "Degrees by which the pictures are turned round the pivot, from +x towards +y");
    const [pivots, pivot] = field("Pivot", {placeholder: "auto", size: "9"}, "A point of the scene, such as 0, 1.5, which is at the same pixel of every picture; empty: the origin of the body that is held");
    const [rates, fps] = field("Frames a second", {...number, placeholder: "auto"}, "Empty: the row takes as long as the animation");
    const [shown, joints] = tick("Joints", "Draw joints too");
    const told = element("p", {class: "quiet", role: "status"}), image = element("img", {class: "sheet clear", alt: ""});
    const options = () => {
      const given = {count: Number(count.value), angle: Number(angle.value) || 0, ground: way.value === "ground", joints: joints.checked}, extent = size.value.trim(), at = pivot.value.trim();
      if (animation.value) given.animations = [animation.value];
      if (figure.value) given.body = figure.value;
      if (steps.value.trim()) given.steps = Number(steps.value);
      if (fps.value.trim()) given.fps = Number(fps.value);
      if (/^\d+\s*[x×]\s*\d+$/.test(extent)) given.size = extent.split(/[x×]/).map(Number); else if (extent) given.scale = Number(extent);
      if (at) given.pivot = at.replace(/[[\]]/g, "").split(/[,\s]+/).map(Number);
      return given;
    };
    let made = null, asked = 0;
    const make = async () => {
      const mine = asked += 1;
      told.textContent = "Making the sprites…";
      const answer = await editor.ask({ask: "export", form: "sprites", options: options()});
      if (mine !== asked) return;
      made = answer.error ? null : answer;
      image.hidden = !made;
      if (made) image.src = `data:image/png;base64,${made.data}`;
      const restless = made?.unsettled.length ? ` Not at rest after 10 s: ${made.unsettled.join(", ")}.` : "";
      told.textContent = made ? `${made.rows.length} × ${made.count} pictures of ${made.cell.join(" by ")} pixels; the pivot is at ${made.pivot.join(", ")} from the top left.${restless}` : answer.error;
    };
    make();
    const rows = [element("div", {class: "row wrap"}, animations, counts, ways, figures, waits, sizes, angles, pivots, rates, shown), element("div", {class: "scroller"}, image), told];
    return editor.dialogs.dialog("Sprites of the animations", rows, () => made ?? undefined, "Keep");
  }

  // The body that is selected, whose figure may be drawn alone.
  body() {
    const {editor} = this, [row] = editor.rows();
    return editor.selection.length === 1 && row !== undefined && editor.source.data.bodies[row].kind !== "static" ? editor.source.data.bodies[row].name : "";
  }
}
