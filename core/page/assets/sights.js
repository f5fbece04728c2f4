// SPDX-License-Identifier: MIT
// The findings of probes, as probes.py of core/render/marks draws them, from the numbers of
// core/page/sights.py.

const RAY = 0, SHAPE = 1;
const NORMAL_LENGTH = 14;  // of the surface that a ray meets, in units of lines

function drawSights(scene, second) {
  const {sights} = scene.moment;
  for (let at = 0; at < sights.length;) {
    const kind = sights[at], found = sights[at + 1] !== 0;
    at += 2;
    if (kind === RAY) {
      drawRay(scene, sights.subarray(at, at + 8), found);
      at += 8;
    } else if (kind === SHAPE) {
      const pieces = sights[at++];
      for (let k = 0; k < pieces; k++) {
        const corners = sights[at], radius = sights[at + 1];
        at += 2;
        drawPiece(scene, sights.subarray(at, at + 2 * corners), radius, found);
        at += 2 * corners;
      }
    } else {
      drawProbeVelocity(scene, sights.subarray(at, at + 4), second);
      at += 4;
    }
  }
}

function drawRay({context, view, ratio, colors}, [sx, sy, ex, ey, hx, hy, nx, ny], found) {
  const brush = new Brush(context, ratio), {unit} = view, faint = faded(colors.quiet, 0.7);
  const start = [view.x(sx), view.y(sy)], end = [view.x(ex), view.y(ey)], point = [view.x(hx), view.y(hy)];
  const line = (from, to, color, width) => {
    brush.strokeWith(color, width);
    context.beginPath();
    trace(context, [from, to], false);
    context.stroke();
  };
  dot(brush, ...start, 1.6 * unit, found ? colors.contact : faint);
  if (!found) return line(start, end, faint, unit);
  line(start, point, colors.contact, 1.2 * unit);
  line(point, end, faded(colors.quiet, 0.28), unit);
  const tip = [point[0] + NORMAL_LENGTH * unit * nx, point[1] + view.way * NORMAL_LENGTH * unit * ny];
  drawProbeArrow(brush, point, tip, colors.normal, unit);
  dot(brush, ...point, 2.4 * unit, colors.paper);
  dot(brush, ...point, 1.6 * unit, colors.contact);
}

// The outline of one convex piece, as far out as its radius.
function drawPiece({context, view, ratio, colors}, numbers, radius, found) {
  const brush = new Brush(context, ratio), wide = radius * view.scale, points = [];
  for (let i = 0; i < numbers.length; i += 2) points.push([view.x(numbers[i]), view.y(numbers[i + 1])]);
  brush.reset();
  brush.strokeWith(found ? colors.contact : faded(colors.quiet, 0.7), view.unit);
  context.beginPath();
  if (points.length === 1) context.arc(...points[0], wide, 0, TURN);
  else if (wide > 0) traceRounded(context, points, wide);
  else trace(context, points, points.length > 2);
  context.stroke();
}

// The outline around convex points at a distance: an arc at each, and lines between the arcs.
function traceRounded(context, points, wide) {
  const area = points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  const ring = area < 0 ? [...points].reverse() : points, n = ring.length;
  const outward = (i) => {
    const [ax, ay] = ring[(i + n) % n], [bx, by] = ring[(i + n + 1) % n];
    return Math.atan2(ax - bx, by - ay);
  };
  ring.forEach(([x, y], i) => context.arc(x, y, wide, outward(i - 1), outward(i)));
  context.closePath();
}

function drawProbeVelocity({context, view, ratio, colors}, [x, y, vx, vy], second) {
  const brush = new Brush(context, ratio), {unit} = view, seconds = VELOCITY_SECONDS * second;
  const start = [view.x(x), view.y(y)], tip = [view.x(x + seconds * vx), view.y(y + seconds * vy)];
  dot(brush, ...start, 2.2 * unit, colors.velocity);
  drawProbeArrow(brush, start, tip, colors.velocity, unit);
}

function drawProbeArrow(brush, start, tip, color, unit) {
  if (Math.hypot(tip[0] - start[0], tip[1] - start[1]) < 2) return;
  drawArrow(brush, [start, tip], {radius: 0.8 * unit, a: 7 * unit, b: 3.2 * unit}, color);
}
