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
