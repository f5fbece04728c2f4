// SPDX-License-Identifier: MIT
// Plays compiled scenes at random: node played.mjs CASES.json, rows of [scene, seed, acts, places of sliders].
// Keys are pressed, bodies are pulled, sliders are moved, the run goes back and on. Prints JSON: of each the recorded inputs, the hash, the steps.
import {readFileSync} from "node:fs";
import {load} from "../../core/web/rigid.js";

function drawing(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const draw = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
  const below = (n) => Math.floor(draw() * n);
  return {draw, below, of: (list) => list[below(list.length)]};
}

function play(world, {draw, below, of}, acts, places) {
  const states = [world.save()], held = new Set();
  let hand = null;
  const act = {
    key: () => {
      if (!world.keys.length) return;
      const key = of(world.keys);
      if (held.delete(key)) world.release(key);
      else {
        held.add(key);
        world.press(key);
      }
    },
    hand: () => {
      if (hand) {
        hand.drop();
        hand = null;
        return;
      }
      const {poses, alive, bodyCount} = world, i = 1 + below(bodyCount - 1);
      if (alive[i]) hand = world.grab([poses[3 * i] + 0.1 * draw(), poses[3 * i + 1]], {reach: 0.5});
    },
    choose: () => { if (places.length) world.choose(...of(places)); },
    move: () => hand?.move([4 * draw() - 2, 3 * draw()]),
    save: () => states.push(world.save()),
    back: () => {
      hand?.drop();
      hand = null;
      for (const key of held) world.release(key);
      held.clear();
      const last = world.lastStep;
      world.restore(of(states));
      // What was played is done again, up to where it is dropped.
      world.step(below(last - world.stepCount + 1));
      if (draw() < 0.7) world.takeOver();
      states.length = 1;
    },
  };
  for (let i = 0; i < acts && !world.outcome; i++) {
    act[of(["key", "key", "key", "hand", "move", "move", "save", "choose", draw() < 0.3 ? "back" : "move"])]();
    world.step(below(9));
  }
  world.step(Math.max(0, world.lastStep - world.stepCount) + 20);
}

const found = [];
for (const [file, seed, acts, places] of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const world = await load(readFileSync(file));
  let stopped = "";
  try {
    play(world, drawing(seed), acts, places);
  } catch (error) {
    if (!/ran away|no finite number/.test(error.message)) throw error;
    stopped = error.message;
  }
  const {hash, state, outcome, stepCount: steps} = world;
  found.push({text: world.inputs(), hash, steps, state: Object.values(state), outcome, stopped});
  world.close();
}
console.log(JSON.stringify(found));
