// SPDX-License-Identifier: MIT
// Which pictures of sheets are shown, for run_worker.js; as core/render/canvas/sheets.py chooses them.

class Sprites {
  constructor(given) { this.given = given; }

  // Items and the numbers of their pictures, one after the other.
  at(time, readings) {
    return this.given.flatMap((each) => [each.item, this.picture(each, time, readings)]);
  }

  picture({pictures, chosen, mirrors, mirrored, frame, rate, loop}, time, readings) {
    const count = mirrors ? pictures.length / 2 : pictures.length, after = mirrored >= 0 && readings[mirrored] > 0 ? count : 0;
    const number = chosen >= 0 ? readings[chosen] : frame ?? time * rate;
    if (!(Math.abs(number) < 1e15)) return pictures[after];
    const place = Math.floor(number + 1e-9);  // a time just below a picture's beginning is that beginning
    return pictures[after + (loop ? ((place % count) + count) % count : Math.min(Math.max(place, 0), count - 1))];
  }
}
