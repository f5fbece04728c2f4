// SPDX-License-Identifier: MIT
"use strict";
const button = document.querySelector("button"), code = document.querySelector("code");
async function copy() {
  try {
    await navigator.clipboard.writeText(`${code.textContent}\n`);
    return "Copied";
  } catch { // a page from disk has no clipboard: mark the text, and ask the browser for its command
    getSelection().selectAllChildren(code);
    return document.execCommand("copy") ? "Copied" : "Selected";
  }
}
button.addEventListener("click", async () => {
  button.textContent = await copy();
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});
button.hidden = false;
addEventListener("keydown", (event) => { // which the viewer around this page does not see
  if (event.key === "Escape" && parent !== window) parent.postMessage("close", "*");
});
