// SPDX-License-Identifier: MIT
// The scene's keys for thumbs and for gamepads.

const SIGNS = {up: "↑", down: "↓", left: "←", right: "→"};
const CROSSES = [["up", "down", "left", "right"], ["w", "s", "a", "d"]];  // of the left and the right hand
const BUTTONS = [0, 1, 2, 3, 5, 4, 7, 6, 9, 8];  // of a gamepad, those first that thumbs are on
const TILT = 0.45;  // of a stick, from which on it counts

// The crosses of directions of a scene, in its order, and its other keys.
function crossesOf(controls) {
  const crosses = CROSSES.filter((keys) => keys.filter((key) => controls.includes(key)).length > 1)
    .sort((a, b) => Math.min(...a.map((key) => controls.indexOf(key) >>> 0)) - Math.min(...b.map((key) => controls.indexOf(key) >>> 0)));
  return [crosses, controls.filter((key) => !crosses.some((keys) => keys.includes(key)))];
}

// Which keys are under the left thumb, and which under the right one: a cross for each player; or else
// left and right on the left, and what makes it go on the right.
function sidesOf(controls) {
  const [crosses, others] = crossesOf(controls), has = (key) => controls.includes(key);
  const of = (keys) => keys.filter(has);
  if (crosses.length === 2) return [of(CROSSES[1]), [...others, ...of(CROSSES[0])]];
  if (!crosses.length) return [others.slice(0, others.length >> 1), others.slice(others.length >> 1)];
  const [up, down, left, right] = crosses[0], aside = of([left, right]), along = of([up, down]);
  if (!aside.length) return [of([down, up]), others];
  return along.length === 2 && others.length ? [of([left, up, down, right]), others] : [aside, [...others, ...along]];
}

// Holders of each key: fingers, the keyboard's Enter, buttons of gamepads, each by an id.
class Holds {
  constructor(hold) { Object.assign(this, {hold, held: new Map()}); }

  set(id, key) {
    const before = this.held.get(id) ?? null;
    if (before === key) return;
    if (key === null) this.held.delete(id); else this.held.set(id, key);
    if (before !== null && ![...this.held.values()].includes(before)) this.hold(before, false);
    if (key !== null) this.hold(key, true);
  }

  clear() { for (const id of [...this.held.keys()]) this.set(id, null); }
}

// The keys as large buttons below the picture; which are held is seen. Several fingers press several,
// and one that slides on to another button presses that one.
class KeysPanel {
  static sidesOf = sidesOf;

  constructor(holds) {
    this.holds = holds;
    this.fingers = new Set();
    this.box = element("section", {id: "scene-keys", class: "scene-keys", "aria-label": "Keys of the scene", hidden: true,
      mousedown: (event) => event.preventDefault(), contextmenu: (event) => event.preventDefault(),
      pointerdown: (event) => this.down(event), pointermove: (event) => this.move(event),
      pointerup: (event) => this.up(event), pointercancel: (event) => this.up(event)});
    this.buttons = new Map();
  }

  show(controls, held) {
    this.box.hidden = controls.length === 0;
    if (controls.join("\n") !== this.shape) {
      this.shape = controls.join("\n");
      this.holds.clear();
      this.buttons = new Map(controls.map((key) => [key, this.button(key)]));
      const sides = sidesOf(controls).map((keys) => element("div", {class: "thumb"}, ...keys.map((key) => this.buttons.get(key))));
      this.box.replaceChildren(...sides);
    }
    for (const [key, button] of this.buttons) button.setAttribute("aria-pressed", String(held.includes(key)));
  }

  // With the keyboard focus, Enter or Space holds the key.
  button(key) {
    const ifPress = (held) => (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.holds.set("enter", held);
    };
    return element("button", {type: "button", class: "plain", "aria-pressed": "false", "aria-label": key, "data-key": key,
      keydown: ifPress(key), keyup: ifPress(null), blur: () => this.holds.set("enter", null)}, SIGNS[key] ?? key);
  }

  // Fingers leave the focus where it was.
  down(event) {
    event.preventDefault();
    try { this.box.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone again */ }
    this.fingers.add(event.pointerId);
    this.move(event);
  }

  move({pointerId, clientX, clientY}) {
    if (!this.fingers.has(pointerId)) return;
    const under = document.elementFromPoint(clientX, clientY)?.closest("#scene-keys button");
    this.holds.set(`finger ${pointerId}`, under?.dataset.key ?? null);
  }

  up({pointerId}) {
    if (this.fingers.delete(pointerId)) this.holds.set(`finger ${pointerId}`, null);
  }
}

// Gamepads: the cross and the left stick are the directions, buttons the other keys, in the order of
// BUTTONS. A second cross of a scene is the second pad's, or the right stick's where there is one pad.
class Pads {
  constructor(holds, controls) {
    Object.assign(this, {holds, controls, known: new Set()});
    window.addEventListener("gamepadconnected", () => this.watch());
    this.watch();
  }

  // Pads are asked in every frame of the screen while there is one.
  watch() {
    if (this.watching) return;
    const look = () => {
      this.watching = this.read() ? requestAnimationFrame(look) : 0;
    };
    look();
  }

  read() {
    const pads = [...(navigator.getGamepads?.() ?? [])].filter((pad) => pad?.connected), controls = this.controls(), held = new Set();
    pads.forEach((pad, i) => {
      const keys = this.keysOf(i, pads.length, controls);
      for (const [key, isHeld] of keys) if (isHeld(pad)) held.add(`pad ${i} ${key}`);
      if (controls.length && !this.known.has(pad.index)) {
        this.known.add(pad.index);
        note(`A gamepad plays: ${keys.map(([key, , place]) => `${key}: ${place}`).join(", ")}`, 6000);
      }
    });
    for (const id of this.holds.held.keys()) if (typeof id === "string" && id.startsWith("pad ") && !held.has(id)) this.holds.set(id, null);
    for (const id of held) this.holds.set(id, id.split(" ").slice(2).join(" "));
    return pads.length > 0;
  }

  // [key, whether a pad holds it, where it is] of the pad i.
  keysOf(i, count, controls) {
    const [crosses, others] = crossesOf(controls), found = [], first = (key) => ["space", "enter"].indexOf(key) >>> 0;
    const sorted = [...others].sort((a, b) => first(a) - first(b));
    const own = crosses.length < 2 || count < 2 ? crosses : [crosses[Math.min(i, 1)]];
    own.forEach((keys, k) => keys.forEach((key, d) => {
      if (!controls.includes(key)) return;
      const axis = 2 * k + (d < 2 ? 1 : 0), way = d % 2 ? 1 : -1;
      const isHeld = ({axes, buttons}) => way * (axes[axis] ?? 0) > TILT || (k === 0 && Boolean(buttons[12 + d]?.pressed));
      found.push([key, isHeld, k ? "right stick" : "cross or stick"]);
    }));
    sorted.slice(0, BUTTONS.length).forEach((key, k) => {
      found.push([key, ({buttons}) => Boolean(buttons[BUTTONS[k]]?.pressed), `button ${BUTTONS[k] + 1}`]);
    });
    return found;
  }
}

// The titles of buttons name no keys that belong to the scene: another key of the same use, or none.
class Titles {
  constructor() { this.written = new Map([...document.querySelectorAll("button[title], select[title]")].map((each) => [each, each.title])); }

  show(controls) {
    if (controls.join("\n") === this.shape) return;
    this.shape = controls.join("\n");
    const nameOf = (key) => ({Space: "space", Esc: "escape"}[key] ?? Object.keys(SIGNS).find((name) => SIGNS[name] === key) ?? key.split(" ").at(-1));
    const isFree = (key) => !controls.includes(nameOf(key));
    const keysOf = (text) => (text.startsWith("Shift ") ? [text] : text.split(" "));
    const other = (key) => (KEYS.map(({shown}) => keysOf(shown)).find((keys) => keys.includes(key)) ?? [key]).find(isFree);
    for (const [control, title] of this.written) {
      control.title = title.replace(/ \(([^()]+)\)$/, (_, text) => {
        const left = keysOf(text).map((key) => (isFree(key) ? key : other(key))).filter(Boolean);
        return left.length ? ` (${left.join(" ")})` : "";
      });
    }
  }
}

// The word for how a run ended: a game is won or lost, a scene without a player just ends.
function outcomeWord(outcome, hasPlayer) {
  const ends = hasPlayer ? {win: "won", lose: "lost"} : {win: "ended", lose: "ended"};
  return {...ends, pass: "passed", fail: "failed"}[outcome] ?? "";
}

// The end of a game, over the picture, and how it begins anew. Scenes without a player have none.
class EndingPanel {
  constructor(stage, again) {
    this.again = again;
    this.box = element("div", {class: "ending", id: "ending", role: "status"});
    stage.append(this.box);
  }

  show(outcome, controls, hasPlayer) {
    const words = (hasPlayer && {win: "Won", lose: "Lost"}[outcome]) || "";
    if (words === this.words) return;
    this.words = words;
    this.box.className = `ending ${outcome === "win" ? "held" : "failed"}`;
    this.box.replaceChildren();
    if (!words) return;
    this.box.append(element("strong", {}, words));
    if (this.again) this.box.append(element("button", {type: "button", class: "plain", id: "again", click: () => {
      find("picture").focus();
      this.again();
    }}, controls.includes("r") ? "Play again" : "Play again (r)"));
  }
}
