// SPDX-License-Identifier: MIT
// The keyboard. A row of KEYS says which keys do what; the page's help is made from it.

const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4];
const speedName = (speed) => (speed < 1 ? `1/${Math.round(1 / speed)}` : String(speed));

const KEYS = [
  {keys: [" "], shown: "Space", does: "play or pause", act: (player) => player.toggle()},
  {keys: ["ArrowLeft", ","], shown: "← ,", does: "one frame back", act: (player) => player.step(-1)},
  {keys: ["ArrowRight", "."], shown: "→ .", does: "one frame on", act: (player) => player.step(1)},
  {keys: ["Shift+ArrowLeft"], shown: "Shift ←", does: "a second back", act: (player) => player.jump(-1)},
  {keys: ["Shift+ArrowRight"], shown: "Shift →", does: "a second on", act: (player) => player.jump(1)},
  {keys: ["Home"], shown: "Home", does: "to the start", act: (player) => player.seek(player.source.begin)},
  {keys: ["End"], shown: "End", does: "to the end", act: (player) => player.seek(player.source.end)},
  {keys: ["[", "PageUp"], shown: "[", does: "to the event before", act: (player) => player.mark(-1)},
  {keys: ["]", "PageDown"], shown: "]", does: "to the next event", act: (player) => player.mark(1)},
  {keys: ["<", "ArrowDown"], shown: "↓ <", does: "slower", act: (player) => player.faster(-1)},
  {keys: [">", "ArrowUp"], shown: "↑ >", does: "faster", act: (player) => player.faster(1)},
  {keys: ["l"], shown: "l", does: "loop", act: (player) => player.toggleLoop()},
  {keys: ["+", "="], shown: "+", does: "zoom in", act: (player) => player.picture.zoom(1.25)},
  {keys: ["-"], shown: "-", does: "zoom out", act: (player) => player.picture.zoom(0.8)},
  {keys: ["w", "a", "s", "d"], shown: "w a s d", does: "move the view", act: (player, key) => player.pan(key)},
  {keys: ["0", "h"], shown: "0 h", does: "the scene's own camera", act: (player) => player.picture.home()},
  {keys: ["Shift+M"], shown: "Shift m", does: "sound on or off", act: (player) => player.toggleSound()},
  {keys: ["Shift+F"], shown: "Shift f", does: "full screen", act: (player) => player.toggleFull()},
  {keys: ["o"], shown: "o", does: "follow the selected body", act: (player) => player.follow()},
  {keys: ["p"], shown: "p", does: "plot what is selected", act: (player) => player.plotSelected()},
  {keys: ["b"], shown: "b", does: "select the next body", act: (player) => player.selectNext(1)},
  {keys: ["Shift+B"], shown: "Shift b", does: "select the body before", act: (player) => player.selectNext(-1)},
  {keys: ["Escape"], shown: "Esc", does: "select nothing", act: (player) => player.select(null)},
  {keys: ["y"], shown: "y", does: "light or dark", act: (player) => player.nextTheme()},
  {keys: ["?"], shown: "?", does: "this help", act: (player) => player.help()},
];

// Keys go to `act` unless somebody types or a control has its own use for them. `first(event)` may
// take a key before (a live page hands keys to the scene); it returns whether it did.
function listenToKeys(player, first = () => false) {
  const table = new Map(KEYS.flatMap((row) => row.keys.map((key) => [key, row])));
  for (const [name, , key] of OVERLAYS) table.set(key, {act: () => player.toggleOverlay(name)});
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target instanceof Element ? event.target : document.body;
    if (at.matches("input:not([type=checkbox]), textarea, select, [contenteditable=true]") || find("help").open) return;
    if (first(event)) return;
    const isOwn = at.matches("button, input, summary, a") && (event.key === " " || event.key === "Enter");
    const scrolls = at.matches(".code-scroll") && /^(Arrow|Page|Home|End)/.test(event.key);
    if (isOwn || scrolls) return;
    const shift = event.shiftKey && /^(Arrow|[A-Z]$)/.test(event.key) ? "Shift+" : "";
    const row = table.get(shift + event.key);
    if (!row) return;
    event.preventDefault();
    row.act(player, event.key);
  });
}

const ARROWS = {"←": "ArrowLeft", "→": "ArrowRight", "↑": "ArrowUp", "↓": "ArrowDown"};

// `own` are [key, what it does] of a scene that is played; the keys that are taken are not told of.
function fillHelp(list, own = [], taken = () => false) {
  const all = [...KEYS, ...OVERLAYS.map(([, label, key]) => ({keys: [key], shown: key, does: `show: ${label.toLowerCase()}`}))];
  const free = (shown) => (shown.startsWith("Shift ") ? shown : shown.split(" ").filter((each) => !taken(ARROWS[each] ?? each)).join(" "));
  const left = all.filter(({keys}) => !keys.every((key) => taken(key.replace("Shift+", ""))));
  const rows = [...own, ...left.map(({shown, does}) => [free(shown), does])];
  list.replaceChildren(...rows.flatMap(([shown, does]) => [
    element("dt", {}, ...shown.split(" ").map((key) => element("kbd", {}, key))), element("dd", {}, does)]));
}
