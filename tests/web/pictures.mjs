// SPDX-License-Identifier: MIT
// What the worker of a live page works out for its picture: node pictures.mjs CASES.json, {texts: rows of [number, format],
// cameras: rows of {plan, moments: [[time, poses, alive], ...]}}; numbers that JSON lacks are texts. Prints JSON of both.
import {readFileSync} from "node:fs";

const assets = ["run_notes.js", "run_camera.js"].map((name) => readFileSync(new URL(`../../core/page/assets/${name}`, import.meta.url), "utf8"));
const {writtenAs, Camera} = new Function(`${assets.join("\n")}\nreturn {writtenAs, Camera};`)();
const {texts, cameras} = JSON.parse(readFileSync(process.argv[2], "utf8"));
const views = cameras.map(({plan, moments}) => {
  const camera = new Camera(plan);
  return moments.map(([time, poses, alive]) => {
    const {scale, x, y} = camera.view(time, Float64Array.from(poses), alive);
    return [scale, x, y];
  });
});
console.log(JSON.stringify({texts: texts.map(([value, spec]) => writtenAs(Number(value), spec)), views}));
