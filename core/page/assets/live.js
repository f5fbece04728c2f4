// SPDX-License-Identifier: MIT
// The page of `rigid play`: the same as a replay's, with the engine behind it.

// The keys of a keyboard by the names that scenes give their keys.
const SCENE_KEYS = {
  " ": "space", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", Shift: "shift",
  Control: "control", Tab: "tab", Backspace: "backspace",
};
const REACH = 10;  // pixels from a body at which it is still taken
const PLOTS_EVERY = 200;  // milliseconds

class LivePlayer extends Player {
  constructor(source, link) {
    super(source);
    Object.assign(this, {link, status: null, pressed: new Set(), plotted: 0});
    find("loop").hidden = true;
    find("sound").hidden = link.mute;
    this.extras();
    if (link.watches) this.onlyWatch();
    if (link.edits) this.editor = new Editor(this);
  }

  extras() {
    const {link} = this, add = (id, label, title, act) => find("more").append(
      element("button", {type: "button", class: "plain", id, title, click: act}, label));
    add("restart", "Restart", "Begin anew, without what was played (r)", () => this.restart());
    add("over", "Take over", "Drop what is recorded for later", () => link.ask({do: "over"}));
    add("save", "Save inputs", "Write what was played into a file that replays it", () => link.ask({do: "save"}));
    this.trouble = new TroublePanel(find("picture").parentElement);
    const ask = (request) => link.ask(request);
    this.replays = new ReplaysMenu(ask);
    find("more").append(this.replays.box);
    this.sliders = new SlidersPanel(ask);
    this.joints = new JointsPanel(ask);
    const holds = new Holds((key, down) => this.hold(key, down));
    this.keys = new KeysPanel(holds);
    if (!link.watches) this.pads = new Pads(holds, () => this.status?.controls ?? []);
    this.told = new ToldPanel();
    this.titles = new Titles();
    this.ending = new EndingPanel(find("picture").parentElement, link.watches ? null : () => this.restart());
    this.mode = element("span", {class: "badge", id: "mode", hidden: true});
    find("theme").before(this.mode);
    find("picture").parentElement.after(this.keys.box);
    find("plots").before(this.sliders.box, this.joints.box);
    find("values").append(this.told.box);
    for (const name of OF_CONTACTS) this.shownPanel.boxes.get(name).addEventListener("change", () => this.want());
  }

  // A page that only watches: removes all controls that would change the run.
  onlyWatch() {
    document.documentElement.dataset.watches = "true";
    for (const id of ["back", "play", "on", "speed"]) find(id).disabled = true;
    find("time").tabIndex = -1;
    for (const {box} of [this.sliders, this.joints]) box.inert = true;
    find("theme").before(element("span", {class: "badge", title: "Whoever has the other address plays"}, "watching"));
  }

  // ---------------------------------------------------------------- what the server tells

  tell(status) {
    const {hasPlayer} = this.source.data;
    this.status = status;
    LiveSource.traces = status.traces;
    this.source.end = Math.max(status.end, status.time);
    this.trouble.show(status.trouble);
    this.editor?.seeTrouble(status.trouble);
    this.sliders.show(status.vars);
    this.joints.show(status.joints);
    this.replays.show(status.replays, status.replay);
    this.keys.show(status.controls, status.held);
    this.told.show(status.told, status.state, this.source.data.units.second);
    this.titles.show(status.controls);
    if (!this.editor?.isOpen) this.shownPanel.reserve(new Set(["r", ...status.controls]));
    this.ending.show(this.editor?.isOpen ? "" : status.outcome, status.controls, hasPlayer);
    this.playing = status.mode === "playing";
    this.tellPlaying();
    const slow = status.mode === "playing" && status.real < 0.9;
    const words = outcomeWord(status.outcome, hasPlayer), signs = {won: "held", passed: "held", lost: "failed", failed: "failed"};
    this.mode.hidden = !(words || slow || status.mode === "seeking");
    this.mode.className = `badge ${signs[words] ?? ""}`;
    this.mode.textContent = words || (slow ? `${Math.round(100 * status.real)} % of the speed` : "on its way");
    find("over").disabled = status.end <= status.time;
    find("save").disabled = !status.played;
    const {speed} = status;
    this.speed = speed;
    if (!this.choosing) find("speed").value = String(SPEEDS.reduce((best, each) => (Math.abs(Math.log(each / speed)) < Math.abs(Math.log(best / speed)) ? each : best)));
    this.changed();
  }

  see(moment) {
    this.source.add(moment);
    this.source.end = Math.max(this.source.end, moment.time);
    if (!this.held) this.time = moment.time;
    const now = performance.now();
    if (this.plots.charts.length && now - this.plotted > PLOTS_EVERY) {
      this.plotted = now;
      this.plots.refresh();
    }
    this.changed();
  }

  // ---------------------------------------------------------------- what is asked of it

  play() {
    if (this.status?.outcome) note("The run has come to its end. Restart it, or go back by a click in the bar.", 4000);
    else this.link.ask({do: "play"});
  }

  pause() { this.link.ask({do: "pause"}); }

  // Restarts the run, and plays it if it has ended or was playing; keys that are held are pressed again.
  restart() {
    const plays = this.playing || Boolean(this.status?.outcome);
    this.releaseAll();
    this.link.ask({do: "restart"});
    if (plays) this.link.ask({do: "play"});
  }

  seek(time) {
    if (this.link?.watches) return;
    this.time = clamp(time, this.source.begin, this.source.end);
    this.link.ask({do: "seek", time: this.time});
    this.changed();
  }

  step(count) {
    if (count > 0 && this.time >= this.source.end - 1e-9) this.link.ask({do: "step"});
    else {
      if (this.playing) this.pause();
      this.seek(this.source.step(this.time, count));
    }
  }

  setSpeed(speed) {
    this.speed = speed;
    this.link?.ask({do: "speed", speed});
  }

  select(selection) {
    super.select(selection);
    this.joints?.select(selection?.kind === "joint" ? titleOf(this.source, selection) : null);
  }

  toggleLoop() {}

  toggleSound() {
    super.toggleSound();
    this.want();
  }

  advance() {}

  // Asks for what costs the server something: contacts, and loads of joints that are plotted.
  want() {
    if (!this.link) return;  // it is still being made
    const contacts = OF_CONTACTS.some((name) => this.picture.shown.has(name)) ? 1 : 0;
    const plotted = this.plots.charts.flatMap(({owner, names}) => names.map((name) => [owner, name]));
    const traced = plotted.filter(([owner, name]) => this.source.isTraced(owner, name));
    const loads = plotted.some(([owner, name]) => !this.source.isTraced(owner, name) && this.source.ends(owner, name));
    this.link.ask({do: "want", contacts, loads: loads ? 1 : 0, sounds: this.sounds.on ? 1 : 0, traces: traced.slice(0, 20).map((each) => each.join(".")).join("\n")});
  }

  toggleOverlay(name) {
    super.toggleOverlay(name);
    if (OF_CONTACTS.includes(name)) this.want();
  }

  // ---------------------------------------------------------------- keys and the hand

  hold(key, down) {
    if (down === this.pressed.has(key)) return;
    if (down) this.pressed.add(key); else this.pressed.delete(key);
    this.link.ask({do: down ? "press" : "release", key});
    if (down && this.waitsAtStart) this.link.ask({do: "play"});
  }

  // Whether a key of the scene starts the run.
  get waitsAtStart() {
    return this.status?.mode === "paused" && this.status.time === 0 && !this.status.outcome && !this.editor?.isOpen;
  }

  // The keys that there are now: those of the scene come before all others; there are no loop and no marks.
  help() {
    if (this.editor?.isOpen) return this.editor.help();
    const own = this.status?.controls ?? [], keyOf = (name) => Object.keys(SCENE_KEYS).find((key) => SCENE_KEYS[key] === name) ?? name;
    const taken = new Set([...own.map(keyOf), "r", "l", "[", "]", "PageUp", "PageDown"]);
    const rows = own.map((name) => [name, "the scene's"]);
    if (!own.includes("r")) rows.push(["r", "begin anew"]);
    fillHelp(find("help-keys"), rows, (key) => taken.has(key));
    super.help();
  }

  // The scene's key that an event is of, if there is one.
  keyOf(event) {
    const name = SCENE_KEYS[event.key] ?? event.key.toLowerCase();
    return this.status?.controls.includes(name) ? name : null;
  }

  takeKey(event) {
    if (this.link.watches) return event.key === "r";
    const key = this.keyOf(event);
    if (key === null) {
      if (event.key === "Escape" && !this.trouble.box.hidden) {
        this.trouble.open(false);
        return true;
      }
      if (event.key !== "r") return false;
      this.restart();
      return true;
    }
    event.preventDefault();
    this.hold(key, true);
    return true;
  }

  releaseAll() { for (const key of [...this.pressed]) this.hold(key, false); }

  // The drag line to a place that moves, and the drawings of the tools.
  drawn(scene) {
    const {context, moment, view, colors} = scene, {targets} = moment;
    this.editor?.draw(scene);
    for (let i = 0; i < targets.length; i += 3) {
      const joint = this.source.data.joints[targets[i]];
      if (!joint || !isThere(moment, joint.b)) continue;
      const [x, y] = placed(moment, joint.b, ...joint.anchorB);
      context.strokeStyle = context.fillStyle = colors.ink;
      context.lineWidth = 1.6;
      context.setLineDash([5, 4]);
      context.beginPath();
      context.moveTo(view.x(x), view.y(y));
      context.lineTo(view.x(targets[i + 1]), view.y(targets[i + 2]));
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      context.arc(view.x(targets[i + 1]), view.y(targets[i + 2]), 4, 0, TURN);
      context.fill();
    }
  }

  // A body that the mouse takes; null where there is nothing, which then moves the view.
  grab(x, y, moment, view) {
    if (!moment || !view || this.link.watches) return null;
    const body = pickBody(this.source, moment, view, x, y);
    if (this.source.data.bodies[body]?.kind !== "dynamic") return null;
    if (this.status?.solver) {
      note(`Bodies of the textbook solver ${this.status.solver} cannot be pulled at: it knows no mouse joints. Its keys and sliders work.`, 6000);
      return null;
    }
    const [worldX, worldY] = view.back(x, y), {link} = this;
    link.ask({do: "grab", x: worldX, y: worldY, reach: REACH / view.scale});
    return {
      move: (toX, toY) => link.ask({do: "drag", x: toX, y: toY}),
      release: () => link.ask({do: "drop"}),
    };
  }
}

function note(text, milliseconds = 0) {
  const box = find("note");
  box.hidden = false;
  box.classList.toggle("said", milliseconds > 0);
  box.textContent = text;
  clearTimeout(note.timer);
  if (milliseconds) note.timer = setTimeout(() => { box.hidden = true; }, milliseconds);
}

// A message that stays is over the picture: a click takes it away.
find("note").addEventListener("click", () => { find("note").hidden = true; });
