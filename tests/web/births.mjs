// SPDX-License-Identifier: MIT
// Runs compiled scenes in which bodies are born: node births.mjs CASES.json, rows of [scene, steps, half of them].
// Prints JSON: of each the names of the bodies that are there, after the steps, after a restore, of those of its births and pieces, and the outlines of pieces then.
import {readFileSync} from "node:fs";
import {load} from "../../core/web/rigid.js";

function there(world) {
  const {alive, names} = world;
  return names.bodies.filter((_, slot) => slot > 0 && alive[slot]);
}

const born = (world) => [...world.pieces.map(({name}) => name), ...world.births.flatMap((birth) => world.namesOf(birth).bodies.filter((_, k) => birth.bodies[k] >= 0))];

const found = [];
for (const [file, steps, half] of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const world = await load(readFileSync(file));
  world.step(half);
  const state = world.save(), then = there(world);
  world.step(steps - half);
  const ends = there(world), births = born(world);
  world.restore(state);
  const again = there(world), pieces = world.pieces.map(({name, origin, outlines}) => [name, origin, outlines]);
  world.step(steps - half);
  found.push({then, again, ends, after: there(world), births, pieces, hash: world.hash});
  world.close();
}
console.log(JSON.stringify(found));
