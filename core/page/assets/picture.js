// SPDX-License-Identifier: MIT
// The picture: a canvas that shows moments, and where it looks. The wheel, two fingers and dragging
// move what it shows; a click asks what is there.

const FARTHEST = 400, NEAREST = 400;  // how much it zooms out and in, from the scene's own camera
const CLICK = 5;  // a press that moves by fewer pixels is a click

// The size of a scene's picture with the strips beside it.
const wholeSize = ({size: [width, height], insets: [left, top, right, bottom]}) => [width + left + right, height + top + bottom];

// A canvas of a size, in pixels of the screen; one that has it already keeps what it shows.
function fitted(canvas, size, ratio) {
  const [width, height] = size.map((side) => Math.round(side * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

class Picture {
  // canvas; source; hooks: {pick(x, y), changed(), grab(x, y, moment, view): a grip or null}. A grip
  // has move(x, y) and release(), with places in scene coordinates; then dragging does not pan.
  constructor(canvas, source, hooks) {
    Object.assign(this, {canvas, hooks, theme: source.data.theme, shown: new Set(source.data.overlays)});
    const isRead = source.sketch.items.length > MANY && !hasGraphics();  // by stamps.js
    this.context = canvas.getContext("2d", {alpha: false, willReadFrequently: isRead});
    this.selection = null;
    this.show(source);
    this.pointers = new Map();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
    canvas.addEventListener("wheel", (event) => this.onWheel(event), {passive: false});
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => this.onUp(event));
    }
    canvas.addEventListener("dblclick", () => this.home());
  }

  // Show another source, as after a scene was loaded again; keeps where it looks.
  show(source) {
    const motion = this.overlays?.labels.motion;
    this.source = source;
    this.overlays = new Overlays(source);
    if (motion) this.overlays.labels.motion = motion;
    loadFonts(source.data.fonts, () => this.hooks.changed());
    this.layers = source.data.layers.map((layer) => ({...layer, image: this.load(layer.image)}));
    this.backdrop = source.data.backdrop ? this.load(source.data.backdrop.image) : null;
    const [wide, high] = wholeSize(source.data);
    this.canvas.parentElement.style.setProperty("--ratio", String(wide / high));
    if (this.window) this.divide();
    const {classList} = this.canvas.parentElement.querySelector(".zoom"), isFull = (corner) => fillsCorner(source.data, corner);
    classList.toggle("low", isFull("top_right") && !isFull("bottom_right"));
    classList.toggle("aside", isFull("top_right") && isFull("bottom_right"));
    for (const image of source.sketch.images) {
      if (!image.complete) image.onload = () => this.hooks.changed();
    }
    this.free ??= null;    // {x, y, zoom}: what is in the middle, and how large; null: the scene's camera
    this.followed ??= -1;  // the body that stays in the middle
  }

  load(address) {
    const image = new Image();
    image.onload = () => this.hooks.changed();
    image.src = address;
    return image;
  }

  resize() {
    const {clientWidth, clientHeight} = this.canvas.parentElement;  // without its border
    this.ratio = window.devicePixelRatio || 1;
    this.window = [Math.max(clientWidth, 16), Math.max(clientHeight, 16)];
    this.divide();
    this.hooks.changed();
  }

  // The window is the picture and, if the scene has plots there, strips beside it on a canvas of their own.
  divide() {
    const [width, height] = this.window, {style} = this.canvas;
    this.insets = this.overlays.notes.plots.insets(this.window, this.unit());
    const [left, top, right, bottom] = this.insets, hasStrips = this.insets.some((each) => each > 0);
    this.size = [Math.max(width - left - right, 16), Math.max(height - top - bottom, 16)];
    [style.inset, style.width, style.height] = hasStrips
      ? [`${top}px auto auto ${left}px`, `${this.size[0]}px`, `${this.size[1]}px`] : ["", "", ""];
    fitted(this.canvas, this.size, this.ratio);
    const zoom = this.canvas.parentElement.querySelector(".zoom"), is = (place) => zoom.classList.contains(place);
    const at = (inset, counts) => (inset && counts ? `${inset + 4}px` : "");
    Object.assign(zoom.style, {right: right ? `${right + 8}px` : "", top: at(top, !is("low") && !is("aside")), bottom: at(bottom, is("low"))});
    if (!hasStrips) {
      this.strips?.remove();
      this.strips = null;
      return;
    }
    if (!this.strips) {
      this.strips = document.createElement("canvas");
      this.strips.className = "strips";
      this.canvas.before(this.strips);
    }
    fitted(this.strips, this.window, this.ratio);
  }

  drawStrips(scene) {
    const {ratio, window: size} = this, context = this.strips.getContext("2d", {alpha: false});
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = scene.colors.paper;
    context.fillRect(0, 0, ...size);
    context.lineCap = context.lineJoin = "round";
    this.overlays.notes.plots.drawStrips({...scene, context, size}, this.insets);
  }

  // The size of lines and letters in the window.
  unit() {
    const whole = wholeSize(this.source.data), zoom = Math.min(this.window[0] / whole[0], this.window[1] / whole[1]);
    return clamp(Math.min(...whole) * zoom / 480, 0.6, 12);
  }

  // The scene's own view holds its picture whole; where the window is longer, it shows more.
  ownView(moment) {
    const {size, units} = this.source.data, way = units.yDown ? 1 : -1, {view} = moment;
    const zoom = Math.min(this.size[0] / size[0], this.size[1] / size[1]);
    const unit = this.unit();
    const left = 0.5 * (this.size[0] - size[0] * zoom), top = 0.5 * (this.size[1] - size[1] * zoom);
    return new View(view.scale * zoom, view.x * zoom + left, view.y * zoom + top, way, unit);
  }

  view(moment) {
    const own = this.ownView(moment), [width, height] = this.size;
    if (!this.free && this.followed < 0) return own;
    const free = this.free ?? this.middle(own), scale = free.scale;
    let {x, y} = free;
    if (this.followed >= 0 && isThere(moment, this.followed)) {
      x = moment.pose[3 * this.followed];
      y = moment.pose[3 * this.followed + 1];
    }
    this.free = {x, y, scale};
    return new View(scale, 0.5 * width - x * scale, 0.5 * height - own.way * y * scale, own.way, own.unit);
  }

  middle(view) {
    const [x, y] = view.back(0.5 * this.size[0], 0.5 * this.size[1]);
    return {x, y, scale: view.scale};
  }

  // ---------------------------------------------------------------- drawing

  draw(moment) {
    const {context, ratio, source} = this, view = this.view(moment), colors = source.data.themes[this.theme];
    this.moment = moment;
    this.lastView = view;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = colors.paper;
    context.fillRect(0, 0, ...this.size);
    this.drawBackdrop(view, moment);
    context.lineCap = context.lineJoin = "round";
    const scene = {context, ratio, moment, view, size: this.size, colors, shown: this.shown, theme: this.theme};
    for (const layer of this.layers) if (layer.z < 0) this.drawLayer(layer, view);
    this.overlays.drawBelow(scene);
    source.sketch.draw(context, moment, view, this.theme, this.size, ratio);
    this.hooks.others?.(scene);
    for (const layer of this.layers) if (layer.z >= 0) this.drawLayer(layer, view);
    this.overlays.drawAbove(scene);
    if (this.selection) this.drawSelection(scene);
    if (this.strips) this.drawStrips(scene);
    this.hooks.drawn?.(scene);
  }

  drawBackdrop(view, moment) {
    const {backdrop: image, context} = this;
    if (!image || !image.complete || !image.naturalWidth) return;
    const {fit, box} = this.source.data.backdrop, {size} = this.source.data, own = this.ownView(moment);
    if (fit === "world") {
      const xs = [view.x(box[0]), view.x(box[2])], ys = [view.y(box[1]), view.y(box[3])];
      const top = Math.min(...ys);
      context.drawImage(image, xs[0], top, xs[1] - xs[0], Math.max(...ys) - top);
      return;
    }
    const zoom = own.scale / moment.view.scale, [width, height] = [size[0] * zoom, size[1] * zoom];
    let [wide, high] = [width, height];
    if (fit === "own") [wide, high] = this.source.data.backdrop.pixels.map((side) => side * zoom);
    else if (fit === "contain") {
      const scale = Math.min(width / image.naturalWidth, height / image.naturalHeight);
      [wide, high] = [image.naturalWidth * scale, image.naturalHeight * scale];
    }
    context.drawImage(image, 0.5 * (this.size[0] - wide), 0.5 * (this.size[1] - high), wide, high);
  }

  // An image that goes by more slowly than the world, as core/render/layers.py has it.
  drawLayer({image, at, size, parallax, repeat, opacity, start}, view) {
    if (!image.complete || !image.naturalWidth) return;
    const {context} = this, rest = 1 - parallax, {x: mx, y: my} = this.middle(view);
    const [wide, high] = [size[0] * view.scale, size[1] * view.scale];
    if (!(wide >= 1 && high >= 1)) return;
    let x = view.x(at[0] + rest * (mx - start[0])) - 0.5 * wide;
    let y = view.y(at[1] + rest * (my - start[1])) - 0.5 * high;
    let [across, down] = [1, 1];
    if (repeat === "x" || repeat === "both") [x, across] = [x - wide * Math.ceil(x / wide), Math.ceil(this.size[0] / wide) + 1];
    if (repeat === "y" || repeat === "both") [y, down] = [y - high * Math.ceil(y / high), Math.ceil(this.size[1] / high) + 1];
    context.globalAlpha = opacity;
    for (let i = 0; i < Math.min(across, 64); i++) {
      for (let j = 0; j < Math.min(down, 64); j++) context.drawImage(image, x + i * wide, y + j * high, wide + 0.5, high + 0.5);
    }
    context.globalAlpha = 1;
  }

  drawSelection({context, moment, view, colors}) {
    const {kind, index} = this.selection, {data, sketch} = this.source;
    context.strokeStyle = colors.ink;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    if (kind === "body" && isThere(moment, index)) {
      const [x0, y0, x1, y1] = boxOf(sketch, moment, view, index);
      context.roundRect(x0 - 5, y0 - 5, x1 - x0 + 10, y1 - y0 + 10, 6);
    } else if (kind === "joint" && moment.whole[index]) {
      const joint = data.joints[index];
      for (const [body, anchor] of [[joint.a, joint.anchorA], [joint.b, joint.anchorB]]) {
        const [x, y] = placed(moment, body, ...anchor);
        context.moveTo(view.x(x) + 9, view.y(y));
        context.arc(view.x(x), view.y(y), 9, 0, TURN);
      }
    } else if (kind === "contact" && this.selection.at) {
      const [x, y] = this.selection.at;
      context.arc(view.x(x), view.y(y), 9, 0, TURN);
    }
    context.stroke();
    context.setLineDash([]);
  }

  // ---------------------------------------------------------------- where it looks

  home() {
    this.free = null;
    this.followed = -1;
    this.hooks.changed();
  }

  follow(body) {
    this.followed = this.followed === body ? -1 : body;
    this.hooks.changed();
  }

  zoom(factor, x = 0.5 * this.size[0], y = 0.5 * this.size[1]) {
    if (!this.lastView) return;
    const view = this.lastView, own = this.ownView(this.moment).scale;
    const scale = clamp(view.scale * factor, own / FARTHEST, own * NEAREST), [sx, sy] = view.back(x, y);
    this.free = {
      x: sx - (x - 0.5 * this.size[0]) / scale,
      y: sy - (y - 0.5 * this.size[1]) / (scale * view.way),
      scale,
    };
    this.hooks.changed();
  }

  pan(dx, dy) {
    if (!this.lastView) return;
    const view = this.lastView, middle = this.free ?? this.middle(view);
    this.free = {
      x: middle.x - dx / view.scale,
      y: middle.y - dy / (view.scale * view.way),
      scale: view.scale,
    };
    this.followed = -1;
    this.hooks.changed();
  }

  // ---------------------------------------------------------------- wheel, mouse and fingers

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  onWheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.zoom(Math.exp(-clamp(event.deltaY * lines, -240, 240) * 0.0022), ...this.place(event));
  }

  onDown(event) {
    const at = this.place(event);
    try { this.canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone again */ }
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 1) {
      this.pressed = at;
      this.moved = false;
      this.grip = this.hooks.grab?.(...at, this.moment, this.lastView) ?? null;
    } else if (this.grip) {
      this.grip.release();
      this.grip = null;
    }
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const at = this.place(event);
    if (Math.hypot(at[0] - this.pressed[0], at[1] - this.pressed[1]) > CLICK) this.moved = true;
    if (this.grip) this.grip.move(...this.lastView.back(...at));
    else if (this.pointers.size === 1 && this.moved) this.pan(at[0] - before[0], at[1] - before[1]);
    else if (this.pointers.size === 2) this.pinch(event.pointerId, before, at);
    if (this.pointers.size > 1 || this.moved || this.grip) this.pointers.set(event.pointerId, at);
  }

  pinch(id, before, at) {
    const [other] = [...this.pointers].filter(([each]) => each !== id).map(([, place]) => place);
    const apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
    this.moved = true;
    this.pan(0.5 * (at[0] - before[0]), 0.5 * (at[1] - before[1]));
    this.lastView = this.view(this.moment);
    if (apart(before) > 1) this.zoom(apart(at) / apart(before), 0.5 * (at[0] + other[0]), 0.5 * (at[1] + other[1]));
    this.lastView = this.view(this.moment);
  }

  onUp(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.grip) {
      this.grip.release();
      this.grip = null;
    }
    if (!this.moved && event.type === "pointerup" && this.pointers.size === 0) this.hooks.pick(...this.place(event));
  }
}
