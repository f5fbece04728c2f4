// SPDX-License-Identifier: MIT
// Runs compiled scenes: node hashes.mjs CASES.json, whose rows are [scene, steps, half of them, native state then or null].
// Prints JSON: of each the hash, outcome and variables after the steps, the hashes after both states were restored, milliseconds.
import {readFileSync} from "node:fs";
import {load} from "../../core/web/rigid.js";

function go(world, steps) {
  try {
    world.step(steps);
  } catch (error) {
    if (!/ran away/.test(error.message)) throw error;
  }
}

const found = [];
for (const [file, steps, half, state] of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  try {
    const world = await load(readFileSync(file)), begun = performance.now(), hashes = [];
    go(world, half);
    const own = world.save();
    go(world, steps - half);
    const milliseconds = performance.now() - begun, {hash, outcome, state: variables} = world;
    world.restore(own);
    go(world, steps - half);
    hashes.push(world.hash);
    if (state) {
      world.restoreEngine(readFileSync(state));
      go(world, steps - half);
      hashes.push(world.hash);
    }
    found.push({hash, outcome, variables: Object.values(variables), hashes, milliseconds});
    world.close();
  } catch (error) {
    found.push({error: error.message});
  }
}
console.log(JSON.stringify(found));
