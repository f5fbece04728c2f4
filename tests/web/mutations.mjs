// SPDX-License-Identifier: MIT
// Loads compiled scenes that were changed: node mutations.mjs CASES.json, a list of files. Each is refused in words, or
// runs a few steps; an engine that traps ends the program with an error.
import {readFileSync} from "node:fs";
import {RigidError, load} from "../../core/web/rigid.js";

let taken = 0, refused = 0;
for (const file of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  try {
    const world = await load(readFileSync(file));
    world.step(3);
    world.close();
    taken++;
  } catch (error) {
    if (!(error instanceof RigidError) || !error.message) throw error;
    refused++;
  }
}
console.log(JSON.stringify({taken, refused}));
