// SPDX-License-Identifier: MIT
// Drawings of the tools over the picture: handles, guides, the grid, the ruler and the small view of all.

const HANDLE = 5;      // pixels, half of a handle's side
const SNAP = 9;        // pixels within which a place is snapped to another one
const GRID_LEAST = 9;  // pixels between two lines of the grid
const HOLD = "#2f6fb5", PIVOT = "#d6402f", GUIDE = "#c03a9b", LOWER = "#e8821e", UPPER = "#8a4fc4", REACHES = "#f2c230", MOTOR = "#2a8c57";

class Marks {
  constructor(editor) { this.editor = editor; }

  // Lines and dots in pixels of the picture, with a pale edge so that they are seen on any colour.
  line(context, points, color, {width = 1.6, dash = [], closed = false} = {}) {
    if (points.length < 2) return;
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    if (closed) context.closePath();
    context.setLineDash([]);
    context.lineWidth = width + 2;
    context.strokeStyle = "rgba(255,255,255,.75)";
    context.stroke();
    context.setLineDash(dash);
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
    context.setLineDash([]);
  }

  dot(context, [x, y], color, radius = HANDLE, isRound = true) {
    context.beginPath();
    if (isRound) context.arc(x, y, radius, 0, TURN); else context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    context.fillStyle = "#ffffff";
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = color;
    context.stroke();
  }

  cross(context, [x, y], color, size = 7) {
    this.line(context, [[x - size, y], [x + size, y]], color);
    this.line(context, [[x, y - size], [x, y + size]], color);
  }

  arrow(context, from, to, color) {
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (long < 2) return;
    const [dx, dy] = [(to[0] - from[0]) / long, (to[1] - from[1]) / long], head = Math.min(12, 0.5 * long);
    this.line(context, [from, to], color, {width: 2.6});
    this.line(context, [[to[0] - head * (dx - 0.5 * dy), to[1] - head * (dy + 0.5 * dx)], to, [to[0] - head * (dx + 0.5 * dy), to[1] - head * (dy - 0.5 * dx)]], color, {width: 2.6});
  }

  label(context, text, [x, y], color) {
    context.font = "600 12px system-ui, sans-serif";
    const wide = context.measureText(text).width;
    context.fillStyle = "rgba(255,255,255,.88)";
    context.beginPath();
    context.roundRect(x - 4, y - 13, wide + 8, 18, 5);
    context.fill();
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  // The grid that places are snapped to; the axes are darker.
  grid({context, view, size, colors}) {
    const {grid} = this.editor, step = this.editor.grid.spacing;
    const [ox, oy] = grid.origin, [left, top] = view.back(0, 0), [right, bottom] = view.back(...size);
    if (Math.abs(right - left) / step > 400) return;
    const rows = [[0, left, right, ox], [1, Math.min(top, bottom), Math.max(top, bottom), oy]];
    for (const [axis, from, to, origin] of rows) {
      for (let i = Math.ceil((from - origin) / step); origin + i * step <= to; i++) {
        const at = origin + i * step, place = axis ? view.y(at) : view.x(at);
        context.globalAlpha = i === 0 ? 0.5 : i % 5 ? 0.1 : 0.22;
        context.strokeStyle = colors.ink;
        context.lineWidth = 1;
        context.beginPath();
        if (axis) { context.moveTo(0, place); context.lineTo(size[0], place); } else { context.moveTo(place, 0); context.lineTo(place, size[1]); }
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  // Lengths along the upper and the left edge, and where the mouse is.
  ruler({context, view, size, colors}) {
    const step = roundStep(64 / view.scale), [width, height] = size;
    context.save();
    context.fillStyle = colors.paper;
    context.globalAlpha = 0.86;
    context.fillRect(0, 0, width, 18);
    context.fillRect(0, 0, 34, height);
    context.globalAlpha = 1;
    context.fillStyle = context.strokeStyle = colors.ink;
    context.lineWidth = 1;
    context.font = "10px system-ui, sans-serif";
    const [left, top] = view.back(0, 0), [right, bottom] = view.back(width, height), names = (value) => written(clean(value));
    for (let i = Math.ceil(left / step); i * step <= right; i++) {
      const x = view.x(i * step);
      context.fillRect(x, 13, 1, 5);
      if (x > 40) context.fillText(names(i * step), x + 3, 11);
    }
    for (let i = Math.ceil(Math.min(top, bottom) / step); i * step <= Math.max(top, bottom); i++) {
      const y = view.y(i * step);
      context.fillRect(29, y, 5, 1);
      if (y > 26) context.fillText(names(i * step), 3, y - 3);
    }
    const {cursor} = this.editor;
    if (cursor) {
      context.fillStyle = PIVOT;
      context.fillRect(view.x(cursor[0]), 0, 1, 18);
      context.fillRect(0, view.y(cursor[1]), 34, 1);
    }
    context.restore();
  }

  // All bodies as dots of their boxes in the upper right corner, and the part that is seen.
  // A corner of the picture without the scene's own minimap and notes, and without the buttons.
  overviewAt([width, height], wide, high) {
    const places = {top_right: [width - wide - 8, 26], top_left: [34, 26], bottom_left: [34, height - high - 8]};
    return places[Object.keys(places).find((corner) => !fillsCorner(this.editor.source.data, corner)) ?? "top_right"];
  }

  overview({context, view, moment, size, colors}) {
    const {source} = this.editor, {bodies} = source.data, there = bodies.map((_, i) => i).filter((i) => isThere(moment, i));
    if (!there.length || size[0] < 420) return;
    const {all: bounds} = this.frame(source, moment, view, there), all = this.withView(bounds, view, size), [wide, high] = [132, 88], [x0, y0] = this.overviewAt(size, wide, high);
    const scale = Math.min((wide - 10) / Math.max(all[2] - all[0], 1e-9), (high - 10) / Math.max(all[3] - all[1], 1e-9));
    const middle = [0.5 * (all[0] + all[2]), 0.5 * (all[1] + all[3])];
    const place = (x, y) => [x0 + 0.5 * wide + (x - middle[0]) * scale, y0 + 0.5 * high + (y - middle[1]) * scale * view.way];
    context.save();
    context.beginPath();
    context.roundRect(x0, y0, wide, high, 8);
    context.fillStyle = colors.paper;
    context.globalAlpha = 0.9;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1;
    context.strokeStyle = colors.ink;
    context.stroke();
    context.clip();
    context.fillStyle = context.strokeStyle = colors.ink;
    context.globalAlpha = 0.5;
    for (const body of there.slice(0, 4000)) this.small(context, body, scale, (point) => place(...placed(moment, body, ...point)));
    context.globalAlpha = 1;
    const [left, top] = view.back(0, 0), [right, bottom] = view.back(...size);
    const [a, b] = [place(left, top), place(right, bottom)];
    context.strokeStyle = LOWER;
    context.lineWidth = 1.5;
    context.strokeRect(a[0], a[1], b[0] - a[0], b[1] - a[1]);
    context.restore();
    this.map = {box: [x0, y0, x0 + wide, y0 + high], back: (px, py) => [middle[0] + (px - x0 - 0.5 * wide) / scale, middle[1] + (py - y0 - 0.5 * high) / (scale * view.way)]};
  }

  // A body in the small view: its outlines, or a dot where these would be no more.
  small(context, body, scale, place) {
    const {source: {sketch}, view} = this.editor, [x0, y0, x1, y1] = ownBox(sketch, view, body);
    if (Math.max(x1 - x0, y1 - y0) * scale < 4) {
      const [px, py] = place([0.5 * (x0 + x1), 0.5 * (y0 + y1)]), half = 0.5 * Math.max(2, (x1 - x0) * scale, (y1 - y0) * scale);
      return context.fillRect(px - half, py - half, 2 * half, 2 * half);
    }
    const far = x1 - x0 + y1 - y0, isDeep = ([, y]) => y < y0 - far || y > y1 + far;  // as the ground below a chain
    for (const item of partsOf(sketch, body)) {
      if (item.kind === "polygon" && pairs(item.local).some(isDeep)) continue;
      if (!item.single || item.image > 0 || !["circle", "polygon", "path", "loop"].includes(item.kind)) continue;
      const points = pairs(item.local).map(place), reach = reachOf(sketch, item, view) * scale;
      context.beginPath();
      if (item.kind === "circle") context.arc(...points[0], Math.max(reach, 1), 0, TURN); else trace(context, points, item.kind !== "path");
      if (item.kind === "circle" || item.kind === "polygon") context.fill();
      else {
        context.lineWidth = Math.max(1, 2 * reach);
        context.stroke();
      }
    }
  }

  // A box with what is seen in it, as long as that is not much larger.
  withView(box, view, size) {
    const [ax, ay] = view.back(0, 0), [bx, by] = view.back(...size);
    if (Math.abs(bx - ax) > 5 * Math.max(box[2] - box[0], box[3] - box[1], 1e-9)) return box;
    return [Math.min(box[0], ax, bx), Math.min(box[1], ay, by), Math.max(box[2], ax, bx), Math.max(box[3], ay, by)];
  }

  // The box of all bodies, found once for a source.
  frame(source, moment, view, there) {
    if (this.framed?.source !== source) this.framed = {source, all: worldBox(source.sketch, moment, view, there)};
    return this.framed;
  }

  // The selection: dashed boxes with handles around it.
  selection({context, moment, view}) {
    const {editor} = this, {sketch, data} = editor.source;
    for (const {kind, name} of editor.selection) {
      if (kind === "body") {
        const body = editor.rowOf(name);
        if (body < 0 || !isThere(moment, body)) continue;
        const path = editor.pathOf({kind, name}), whole = path.startsWith("instances.") ? worldBox(sketch, moment, view, editor.rowsAt(path)) : null;
        const corners = (whole ? cornersOf(whole) : cornersOf(ownBox(sketch, view, body)).map((corner) => placed(moment, body, ...corner))).map(([x, y]) => [view.x(x), view.y(y)]);
        this.line(context, corners, HOLD, {dash: [5, 4], closed: true, width: 1.4});
      } else if (kind === "joint") {
        const joint = data.joints.find((each) => each.name === name);
        if (joint) this.joint(context, moment, view, joint);
      } else if (kind === "actuator") {
        const actuator = data.actuators.find((each) => each.name === name);
        for (const body of actuator?.bodies ?? []) this.cross(context, this.pixels(view, placed(moment, body, ...(actuator.at ?? [0, 0]))), HOLD);
      }
    }
  }

  pixels(view, [x, y]) { return [view.x(x), view.y(y)]; }

  joint(context, moment, view, joint) {
    const ends = [[joint.a, joint.anchorA, LOWER], [joint.b, joint.anchorB, UPPER]];
    const at = ends.map(([body, anchor]) => this.pixels(view, placed(moment, body, ...anchor)));
    ends.forEach(([body], i) => {  // lever arms
      if (body >= 0 && isThere(moment, body)) this.line(context, [this.pixels(view, placed(moment, body, 0, 0)), at[i]], ends[i][2], {dash: [2, 3], width: 1.2});
    });
    if (apartOf(at[0], at[1]) > 2) this.line(context, at, HOLD, {dash: [5, 4]});
    ends.forEach(([, , color], i) => this.dot(context, at[i], color, HANDLE + 1));
  }
}
