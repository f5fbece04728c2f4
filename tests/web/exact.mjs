// SPDX-License-Identifier: MIT
// Values of exact functions: node exact.mjs CASES.json, rows of a name and numbers. Prints JSON, the digits of each value.
import {readFileSync} from "node:fs";
import {exact} from "../../core/web/exact.js";

const text = (x) => (Object.is(x, -0) ? "-0" : String(x));
console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2], "utf8")).map(([name, ...numbers]) => text(exact[name](...numbers)))));
