// SPDX-License-Identifier: MIT
// The player: one time, and all that shows it. It draws when something has changed, once for each
// frame of the screen.

class Player {
  constructor(source) {
    this.source = source;
    this.time = source.begin;
    this.speed = 1;
    this.playing = false;
    this.loop = true;
    this.rate = {count: 0, since: 0, drawn: 0};
    const changed = () => this.changed();
    const seek = (time) => this.seek(time);
    this.picture = new Picture(find("picture"), source, {
      pick: (x, y) => this.pickAt(x, y), changed, grab: (...where) => this.grab?.(...where) ?? null,
      drawn: (scene) => this.drawn?.(scene), others: (scene) => this.others?.(scene),
    });
    this.values = new ValuesPanel(find("values"), source, {
      select: (selection) => this.select(selection), follow: () => this.follow(), plot: () => this.plotSelected(),
    });
    this.shownPanel = new ShownPanel(find("shown"), this.picture, {changed});
    this.textPanel = new TextPanel(find("text"), source);
    this.plots = new Plots(find("plots"), source, {seek, changed: () => this.want?.()});
    this.bar = new TimeBar(find("bar"), source, {seek, begin: () => { this.held = true; }, end: () => { this.held = false; }});
    this.sounds = new Sounds();
    this.chooseTab = tabs(find("tabs"));
    find("tabs").addEventListener("chosen", () => this.textPanel.light(this.picture.selection));
    this.connect();
    this.followReader(source.data);
    this.describe();
  }

  // Another source takes the place of this one, as after a scene was loaded again.
  show(source) {
    this.source = source;
    for (const part of [this.picture, this.values, this.textPanel, this.plots, this.bar]) part.show(source);
    this.select(null);
    this.describe();
    this.changed();
  }

  describe() {
    const {data, marks, sounds} = this.source;
    if (sounds) this.sounds.add(sounds.files);
    if (sounds?.plays.length) find("sound").hidden = false;
    document.title = data.name || "A run";
    find("name").textContent = data.name || "A run";
    find("description").textContent = (data.description || "").trim();
    find("picture").setAttribute("aria-label", `Picture of ${data.name || "the run"}: ${data.bodies.length} bodies, ${data.joints.length} joints`);
    find("left").hidden = !data.left?.length;
    find("left").textContent = `Left out of this page: ${(data.left ?? []).join("; ")}.`;
    const failed = marks.filter((mark) => mark.kind === "failed").length;
    const checks = marks.filter((mark) => mark.kind !== "event").length;
    const badge = find("checks");
    badge.hidden = checks === 0;
    badge.className = failed ? "badge failed" : "badge held";
    badge.textContent = failed ? `${failed} of ${checks} expectations failed` : `${checks} ${checks === 1 ? "expectation holds" : "expectations hold"}`;
    if (!data.probes) this.shownPanel.hide("probes");
    if (!data.contacts) for (const name of OF_CONTACTS) this.shownPanel.limit(name, "This run was kept without its contacts");
  }

  connect() {
    const on = (id, act) => find(id).addEventListener("click", act);
    on("play", () => this.toggle());
    on("back", () => this.step(-1));
    on("on", () => this.step(1));
    on("loop", () => this.toggleLoop());
    on("zoom-in", () => this.picture.zoom(1.25));
    on("zoom-out", () => this.picture.zoom(0.8));
    on("home", () => this.picture.home());
    on("sound", () => this.toggleSound());
    on("full", () => this.toggleFull());
    document.addEventListener("fullscreenchange", () => this.setFull(document.fullscreenElement !== null));
    on("theme", () => this.nextTheme());
    on("help-open", () => this.help());
    on("help-close", () => find("help").close());
    fillHelp(find("help-keys"));
    const speed = find("speed");
    speed.append(...SPEEDS.map((each) => element("option", {value: String(each)}, `${speedName(each)} ×`)));
    speed.value = "1";
    speed.addEventListener("change", () => this.setSpeed(Number(speed.value)));
  }

  // ---------------------------------------------------------------- time

  toggle() { if (this.playing) this.pause(); else this.play(); }

  play() {
    if (this.time >= this.source.end && !this.source.grows) this.time = this.source.begin;
    this.playing = true;
    this.tellPlaying();
    this.changed();
  }

  pause() {
    this.playing = false;
    this.tellPlaying();
    this.changed();
  }

  tellPlaying() {
    const button = find("play");
    button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    button.classList.toggle("playing", this.playing);
  }

  seek(time) {
    this.time = clamp(time, this.source.begin, this.source.end);
    this.changed();
  }

  step(count) {
    if (this.playing) this.pause();
    this.seek(this.source.step(this.time, count));
  }

  jump(seconds) { this.seek(this.time + seconds * this.source.data.units.second); }

  mark(way) {
    const time = this.bar.neighbour(this.time, way);
    if (time !== null) this.seek(time);
  }

  setSpeed(speed) {
    this.speed = speed;
    find("speed").value = String(speed);
  }

  faster(way) { this.setSpeed(SPEEDS[clamp(SPEEDS.indexOf(this.speed) + way, 0, SPEEDS.length - 1)]); }

  toggleLoop() {
    this.loop = !this.loop;
    find("loop").setAttribute("aria-pressed", String(this.loop));
  }

  // ---------------------------------------------------------------- what is selected and shown

  pickAt(x, y) {
    const {picture} = this;
    if (picture.moment) this.select(pick(this.source, picture.moment, picture.lastView, picture.shown, x, y));
  }

  select(selection) {
    this.picture.selection = selection;
    this.values.select(selection);
    this.textPanel.light(selection);
    if (selection) this.chooseTab("tab-values");
    this.changed();
  }

  selectNext(way) {
    const {selection} = this.picture, count = this.source.data.bodies.length;
    if (count === 0) return;
    const before = selection?.kind === "body" ? selection.index : way > 0 ? -1 : count;
    this.select({kind: "body", index: (before + way + count) % count});
  }

  // The object that is followed and plotted: the selection in the picture, or in the tools.
  get selection() { return this.picture.selection ?? this.values.selection; }

  follow() {
    const {selection} = this;
    if (selection?.kind === "body") this.picture.follow(selection.index);
  }

  plotSelected() {
    const {selection} = this;
    if (!selection || selection.kind === "contact") return;
    const owner = titleOf(this.source, selection);
    for (const names of selection.kind === "body" ? [["x", "y"], ["vx", "vy"]] : [["force"]]) {
      if (this.plots.known.has(owner)) this.plots.add(owner, names);
    }
  }

  toggleOverlay(name) { this.shownPanel.toggle(name); }

  pan(key) {
    const [x, y] = {w: [0, 1], a: [1, 0], s: [0, -1], d: [-1, 0]}[key];
    this.picture.pan(x * 0.1 * this.picture.size[0], y * 0.1 * this.picture.size[1]);
  }

  toggleSound() {
    if (find("sound").hidden) return;
    this.sounds.toggle();
    find("sound").setAttribute("aria-pressed", String(this.sounds.on));
  }

  // Plays the sounds between two times.
  hear(from, to) {
    const plays = this.source.sounds?.plays;
    if (!plays?.length || !this.sounds.on) return;
    const times = this.playTimes ??= plays.map(([time]) => time);
    for (let i = lowest(times, 0, times.length, from); i < times.length && times[i] < to; i++) this.sounds.play(...plays[i].slice(1));
  }

  // Where pages may not have the whole screen, they have the whole window.
  toggleFull() {
    const box = find("left-side");
    if (document.fullscreenElement) document.exitFullscreen();
    else if (box.classList.contains("full")) this.setFull(false);
    else if (box.requestFullscreen) box.requestFullscreen().catch(() => this.setFull(true));
    else this.setFull(true);
  }

  setFull(isFull) {
    find("left-side").classList.toggle("full", isFull);
    find("full").setAttribute("aria-pressed", String(isFull));
  }

  // The theme that the reader's system asks for, where the scene and its run chose none, until the
  // reader chooses one here. A picture with a background of its own keeps the colours that go with it.
  followReader({theme, own, keeps}) {
    const dark = matchMedia("(prefers-color-scheme: dark)"), follow = () => {
      const asked = own || !dark.matches ? theme : "dark";
      if (!this.chosen) this.setTheme(asked, keeps ? theme : asked);
    };
    if (!own) dark.addEventListener("change", follow);
    follow();
  }

  nextTheme() {
    this.chosen = true;
    const names = Object.keys(this.source.data.themes);
    this.setTheme(names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length]);
  }

  setTheme(name, ofPicture = name) {
    this.picture.theme = ofPicture;
    document.documentElement.dataset.theme = name;
    document.documentElement.style.setProperty("--paper", this.source.data.themes[ofPicture].paper);
    find("theme").setAttribute("aria-label", `Theme: ${name}`);
    this.plots.restyle();
    this.changed();
  }

  help() { find("help").showModal(); }

  // ---------------------------------------------------------------- drawing

  changed() {
    this.waiting ??= requestAnimationFrame((now) => {
      this.waiting = null;
      this.frame(now);
    });
  }

  frame(now) {
    const seconds = this.last === undefined ? 0 : clamp((now - this.last) / 1000, 0, 0.25);
    this.last = this.playing ? now : undefined;
    if (this.playing && !this.held) this.advance(seconds * this.speed);
    const moment = this.source.at(this.time);
    this.picture.draw(moment);
    this.values.update(moment, this.picture.followed);
    this.bar.move(this.time);
    this.plots.move(this.time);
    const second = this.source.data.units.second;
    find("clock").textContent = `${(this.time / second).toFixed(2)} / ${(this.source.end / second).toFixed(2)} s`;
    this.rate.drawn += 1;
    if (this.playing && !this.source.grows) this.changed();  // what grows has nothing new until it comes
  }

  advance(seconds) {
    const {source} = this;
    const before = this.time;
    this.time = source.advance(before, seconds);
    this.hear(before, this.time >= source.end ? Infinity : this.time);
    if (this.time < source.end) return;
    if (source.grows) this.time = source.end;
    else if (this.loop && source.end > source.begin) this.time = source.begin;
    else {
      this.time = source.end;
      this.pause();
    }
  }
}
