// SPDX-License-Identifier: MIT
// Runs compiled scenes: node hashes.mjs CASES.json, whose rows are [scene, steps, state or null, steps after it].
// Prints JSON: of each the hash after the steps, whether a restored state ends alike, and milliseconds.
import {readFileSync} from "node:fs";
import {load} from "../../core/web/rigid.js";

const found = [];
for (const [file, steps, state, before] of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  try {
    const bytes = readFileSync(file), world = await load(bytes), begun = performance.now();
    try {
      world.step(steps);
    } catch (error) {
      if (!/ran away/.test(error.message)) throw error;
    }
    const time = performance.now() - begun, {hash} = world;
    let restored = null;
    if (state) {
      world.restoreEngine(readFileSync(state));
      world.step(steps - before);
      restored = world.hash;
    }
    found.push({hash, restored, milliseconds: time, count: world.bodyCount});
    world.close();
  } catch (error) {
    found.push({error: error.message});
  }
}
console.log(JSON.stringify(found));
