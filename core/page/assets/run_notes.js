// SPDX-License-Identifier: MIT
// The annotations of a live page: texts and plots, by what the engine reads. The worker makes them.

const SPEC = /^(?:([^{}]?)([<>=^]))?([-+ ]?)(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?([eEfFgGd%]?)$/;

// With so many decimals; what is exactly in the middle goes to the even digit.
function fixed(value, decimals) {
  const scale = 10 ** decimals, whole = Math.floor(value * scale), isMiddle = value * scale - whole === 0.5 && (whole + 0.5) / scale === value;
  if (value >= 1e21) return BigInt(value) + (decimals ? `.${"0".repeat(decimals)}` : "");
  return (isMiddle && whole % 2 === 0 ? whole / scale : value).toFixed(decimals);
}

// With an exponent of at least two digits.
const scientific = (value, decimals) => value.toExponential(decimals).replace(/e([+-])(\d)$/, "e$10$2");

function general(value, digits, keeps) {
  const most = Math.max(digits, 1), exponent = value === 0 ? 0 : Number(value.toExponential(most - 1).split("e")[1]);
  const plain = exponent >= -4 && exponent < most, text = plain ? fixed(value, most - 1 - exponent) : scientific(value, most - 1);
  if (keeps || !text.includes(".")) return text;
  return plain ? text.replace(/\.?0+$/, "") : text.replace(/\.?0+e/, "e");
}

// A number as a format of Python has it; a dash where there is none.
function writtenAs(value, spec) {
  if (Number.isNaN(value) || (/d$/.test(spec) && !(Math.abs(value) < 1e300))) return "–";
  const [, fill, align, sign, sharp, zero, width, group, precision, kind] = SPEC.exec(spec || "g") ?? SPEC.exec("g");
  const decimals = precision === undefined ? 6 : Number(precision), size = Math.abs(value), lower = kind.toLowerCase();
  let text = "inf";
  if (Number.isFinite(size)) {
    if (lower === "f") text = fixed(size, decimals);
    else if (lower === "e") text = scientific(size, decimals);
    else if (lower === "d") text = fixed(size, 0);
    else if (lower === "%") text = fixed(100 * size, decimals);
    else text = general(size, decimals, sharp !== "");
  }
  if (group) text = text.replace(/^\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, group));
  if (kind === "%") text += "%";
  if (kind !== lower) text = text.toUpperCase();
  const isNegative = lower === "d" ? value < 0 && text !== "0" : value < 0 || Object.is(value, -0), head = isNegative ? "-" : sign === "-" ? "" : sign;
  const room = Math.max(Number(width) - head.length - text.length, 0), way = align ?? (zero ? "=" : ">"), filling = fill || (zero ? "0" : " ");
  if (way === "=") return head + filling.repeat(room) + text;
  const left = way === "<" ? 0 : way === "^" ? Math.floor(room / 2) : room;
  return filling.repeat(left) + head + text + filling.repeat(room - left);
}

// A point of a body in the world.
function placedBy(poses, slot, [px, py]) {
  const [x, y, angle] = poses.subarray(3 * slot, 3 * slot + 3), c = Math.cos(angle), s = Math.sin(angle);
  return [x + c * px - s * py, y + s * px + c * py];
}

// The box [left, low, right, high] round corners with their radii.
function boxOf(poses, slot, outline) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const corner of outline.length ? outline : [[0, 0, 0]]) {
    const [x, y] = placedBy(poses, slot, corner), radius = corner[2];
    [box[0], box[1], box[2], box[3]] = [Math.min(box[0], x - radius), Math.min(box[1], y - radius), Math.max(box[2], x + radius), Math.max(box[3], y + radius)];
  }
  return box;
}

class Notes {
  constructor(given, vectors, down, length) { Object.assign(this, {given, vectors, down, length}); }

  // The parts of a moment: the values of plots, and rows of core/play/wire.py.
  at(moment) {
    const {time, readings, poses, alive} = moment, values = [], rows = [], value = (place) => (place < 0 ? NaN : readings[place]);
    this.vectors.see({...moment, value});
    for (const each of this.given) {
      if (each.kind === "plot") values.push(...each.lines.map(value));
      const isShown = each.shown && each.start <= time && time < (each.until ?? Infinity) && (each.condition < 0 || value(each.condition) > 0);
      const textOf = () => each.pieces.map((piece) => (typeof piece === "string" ? piece : writtenAs(value(piece[0]), piece[1]))).join("");
      if (isShown && each.arrows) for (const row of this.vectors.rows(each, textOf())) rows.push([each.row, ...row]);
      const place = isShown && !each.arrows && this.placesOf(each, poses, alive);
      if (!place || !place.every(Number.isFinite)) continue;
      let text = textOf();
      if (each.kind === "dimension" && !text) text = `${Math.hypot(place[2] - place[0], place[3] - place[1]).toFixed(2)} ${this.length}`;
      rows.push([each.row, text, place, "", false]);
    }
    return {values, rows};
  }

  // The places of a part, one after another; null where it has none.
  placesOf({kind, corner, at, follow, ends, offset}, poses, alive) {
    if (corner) return [];
    if (kind === "dimension") {
      if (!ends.every(({slot}) => alive[slot])) return null;
      const [[ax, ay], [bx, by]] = ends.map(({slot, point}) => placedBy(poses, slot, point)), long = Math.hypot(bx - ax, by - ay);
      const [nx, ny] = [-(by - ay) / long * offset, (bx - ax) / long * offset];
      return [ax, ay, bx, by, ax + nx, ay + ny, bx + nx, by + ny];
    }
    return at ?? this.top(follow, poses, alive);
  }

  // The upper end of a body, or a point of it; null where it is not there.
  top({slot, point, outline}, poses, alive) {
    if (!alive[slot]) return null;
    if (point) return placedBy(poses, slot, point);
    const [left, low, right, high] = boxOf(poses, slot, outline);
    return [(left + right) / 2, this.down > 0 ? low : high];
  }
}
