// SPDX-License-Identifier: MIT
// What stands in a corner of the picture, where it may, and the minimap.

// A box in a corner, below or above what is there already, as core/render/axes.py has it.
function inCorner(corner, [width, height], wide, high, edge, taken) {
  const x = corner.endsWith("left") ? edge : corner.endsWith("right") ? width - edge - wide : 0.5 * (width - wide);
  let y = corner === "center" ? 0.5 * (height - high) : corner.startsWith("top") ? edge : height - edge - high;
  const isHit = ([x0, y0, x1, y1]) => x0 < x + wide && x < x1 && y0 < y + high && y < y1, left = [...taken];
  for (let i = left.findIndex(isHit); i >= 0; i = left.findIndex(isHit)) {
    const [[, y0, , y1]] = left.splice(i, 1);
    y = corner.startsWith("bottom") ? y0 - 0.5 * edge - high : y1 + 0.5 * edge;
  }
  return [x, y, x + wide, y + high];
}

// Whether a scene has something in the corner of the picture where the buttons are.
const fillsCorner = ({minimap, notes}, corner) => [minimap, ...notes].some((each) => each?.corner === corner);

// Everything at once, small, and where the picture looks, as core/render/minimap.py has it.
class Minimap {
  constructor(source) {
    this.source = source;
    this.paths = new Paths();
  }

  box({size, view}, taken) {
    const {minimap: {corner, size: given}, size: [width, height]} = this.source.data;
    const zoom = Math.min(size[0] / width, size[1] / height);
    const [wide, high] = given.map((side) => side * zoom);
    const [x, y] = inCorner(corner, size, wide, high, 9 * view.unit, taken).map(Math.trunc);
    const [left, top] = [clamp(x, 0, Math.max(size[0] - wide, 0)), clamp(y, 0, Math.max(size[1] - high, 0))];
    return [left, top, left + wide, top + high];
  }

  draw(scene, taken) {
    const {context, moment, view, size, colors, ratio, theme} = scene, {minimap} = this.source.data;
    const [left, top, right, bottom] = this.box(scene, taken), [wide, high] = [right - left, bottom - top];
    const zoom = wide / minimap.size[0], {scale, x, y} = minimap.view;
    const small = new View(scale * zoom, x * zoom + left, y * zoom + top, view.way, 0.5 * view.unit);
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.beginPath();
    context.rect(left, top, wide, high);
    context.clip();
    context.fillStyle = colors.paper;
    context.fillRect(left, top, wide, high);
    this.source.sketch.draw(context, this.mapped(moment), small, theme, size, ratio, this.paths);
    const [x0, y0] = view.back(0, 0), [x1, y1] = view.back(...size);
    this.frame(context, small.x(x0), small.y(y0), small.x(x1), small.y(y1), colors.contact, 1.2 * view.unit);
    this.frame(context, left, top, right, bottom, faded(colors.ink, 0.6), 2 * view.unit);
    context.restore();
  }

  // The moment with those seen that are on the map only.
  mapped(moment) {
    const {mapped} = this.source.data;
    if (!mapped.length) return moment;
    const state = moment.state.slice();
    for (const row of mapped) state[row] &= ~UNSEEN;
    return {...moment, state};
  }

  frame(context, x0, y0, x1, y1, color, width) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }
}
