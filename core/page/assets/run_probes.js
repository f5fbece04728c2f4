// SPDX-License-Identifier: MIT
// The findings of probes for run_worker.js, as numbers of core/page/sights.py, by what the engine reads.

class Probes {
  constructor(given) { this.given = given; }

  at({poses, alive, value}) {
    return this.given.filter(({frame, body}) => alive[frame] && alive[body]).flatMap((each) => this.sight(each, poses, value));
  }

  sight({kind, at, to, angle, frame, read, pieces, radius}, poses, value) {
    const now = (part) => (typeof part === "number" ? part : value(part.place)), found = read.map(value), start = placedBy(poses, frame, at.map(now));
    if (kind === "velocity") return [2, 1, ...found];
    const isHit = found[0] > 0;
    if (kind === "ray") return [0, isHit ? 1 : 0, ...start, ...placedBy(poses, frame, to.map(now)), ...(isHit ? found.slice(1) : [0, 0, 0, 0])];
    const turn = poses[3 * frame + 2] + now(angle), c = Math.cos(turn), s = Math.sin(turn);
    return [1, isHit ? 1 : 0, pieces.length, ...pieces.flatMap((piece) => [piece.length, radius, ...piece.flatMap(([x, y]) => [start[0] + c * x - s * y, start[1] + s * x + c * y])])];
  }
}
