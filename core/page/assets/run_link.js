// SPDX-License-Identifier: MIT
// The page of `rigid run --html --live`: the engine runs in a worker of the page itself, and nothing comes from elsewhere.

const LIST_EVERY = 500;  // milliseconds
const SLOW_ANSWER = 10, SLOW_LOAD = 30;  // seconds without an answer, after which the run is stopped

class RunPlayer extends LivePlayer {
  extras() {
    super.extras();
    find("restart").title = "Begin anew, without what was played (r)";
    find("save").title = "Save a file that replays what was played, with rigid run --inputs";
    this.replays.box.remove();
    this.joints.box.remove();
    this.sliders.how.hidden = true;  // they count from now on
    this.sliders.box.classList.add("unwritten");
  }

  // Rows of what is born; the lists beside the picture follow now and then.
  renew(moulds, {births, fresh}) {
    const {selection} = this.picture, rows = {body: moulds.own.bodies, joint: moulds.own.joints};
    moulds.add(births, fresh);
    if (fresh && selection?.index >= rows[selection.kind]) this.select(null);
    if (fresh && this.picture.followed >= rows.body) this.picture.followed = -1;
    this.listing ??= setTimeout(() => {
      this.listing = null;
      if (!this.values.choice.matches(":focus")) this.values.offer();
      if (!this.plots.owner.matches(":focus")) this.plots.offer();
    }, LIST_EVERY);
  }

  // The line of a drag, from the point of its body to the pointer.
  drawn({context, moment, view, colors}) {
    for (const [body, x, y, toX, toY] of moment.hands ?? []) {
      if (!isThere(moment, body)) continue;
      const [fromX, fromY] = placed(moment, body, x, y);
      context.strokeStyle = context.fillStyle = colors.ink;
      context.lineWidth = 1.6;
      context.setLineDash([5, 4]);
      context.beginPath();
      context.moveTo(view.x(fromX), view.y(fromY));
      context.lineTo(view.x(toX), view.y(toY));
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      context.arc(view.x(toX), view.y(toY), 4, 0, TURN);
      context.fill();
    }
  }
}

// The worker, in place of a server: what is asked of it, and what it tells.
class RunLink {
  constructor(given) {
    Object.assign(this, {given, watches: false, mute: !Object.keys(given.sounds).length, player: null, latest: null, asked: false, silent: 0, away: false});
    this.start().catch((error) => this.fail(error.message));
  }

  fail(message) {
    this.worker?.terminate();
    this.worker = null;
    note(message);
    document.documentElement.dataset.ready = "failed";
  }

  async start() {
    const begun = performance.now();
    const [stage, scene, wasm] = await Promise.all([
      inflate(find("rigid-stage").textContent), inflate(find("rigid-scene").textContent), this.module()]);
    // The engine is compiled while the page is made; what it says is heard after that.
    const program = new Blob([find("rigid-worker").textContent], {type: "text/javascript"});
    const address = URL.createObjectURL(program);
    this.worker = new Worker(address);
    this.worker.addEventListener("message", ({data}) => this.receive(data));
    this.worker.addEventListener("error", (event) => this.fail(`The engine stopped: ${event.message}`));
    this.ask({do: "load", scene, wasm, page: this.given.run});
    const message = {data: this.given.stage, number: 1, world: 1};
    const source = new LiveSource(message, new Arrays(message.data.arrays, stage));
    this.moulds = this.given.moulds.orders.length ? new Moulds(source, this.given.moulds) : null;
    const player = this.player = new RunPlayer(source, this);
    player.sounds.add(this.given.sounds);
    listenToKeys(player, (event) => player.takeKey(event));
    document.addEventListener("keyup", (event) => {
      const key = player.keyOf(event);
      if (key !== null) player.hold(key, false);
    });
    window.addEventListener("blur", () => player.releaseAll());
    document.addEventListener("visibilitychange", () => this.see(!document.hidden));
    window.rigid = {player, link: this, begun};
    this.watch();
  }

  // The engine: in the page, or in a file beside it.
  async module() {
    const {link} = this.given;
    if (!link) return inflate(find("rigid-wasm").textContent);
    try {
      const response = await fetch(link);
      if (!response.ok) throw new Error(response.statusText);
      return new Uint8Array(await response.arrayBuffer());
    } catch {
      throw new Error(`${link} has to lie beside this page, and a web server to send both: browsers read no files beside a page from a disk. A page made without --assets link needs neither.`);
    }
  }

  // A page that nobody sees waits, and goes on when it is seen again.
  see(seen) {
    if (!seen) this.player.releaseAll();
    if (!seen && this.latest?.mode === "playing") this.ask({do: "pause"});
    else if (!seen || !this.away) return;
    else this.ask({do: "play"});
    this.away = !seen;
  }

  // An engine that gives no answer for long is ended: the page goes on. Time in which the page itself slept does not count.
  watch() {
    setInterval(() => {
      this.silent = this.worker && (this.asked || this.latest?.mode === "playing") ? this.silent + 1 : 0;
      if (this.silent > SLOW_ANSWER && this.latest) this.fail("The run was stopped: a step took more than ten seconds.");
      else if (this.silent > SLOW_LOAD) this.fail("The run was stopped: its first step took more than thirty seconds.");
    }, 1000);
  }

  ask(request) {
    if (!this.worker) return;
    this.asked = true;
    this.worker.postMessage(request);
  }

  receive(message) {
    this.asked = false;
    this.silent = 0;
    if (message.type === "answered") return;
    if (message.type === "moment") this.moment(message);
    else if (message.type === "rows") this.player.renew(this.moulds, message);
    else if (message.type === "status") this.tell(message);
    else if (message.type === "sounds") for (const [name, volume] of message.plays) this.player.sounds.play(name, volume);
    else if (message.type === "file") this.keep(message);
    else if (message.type === "failed") this.fail(message.text);
    else if (message.type === "ready") this.isReady(message);
    else note(message.text, 4000);
  }

  isReady({milliseconds}) {
    window.rigid.firstStep = performance.now() - window.rigid.begun;
    window.rigid.loaded = milliseconds;
    document.documentElement.dataset.ready = "true";
    this.player.want();
    if (this.given.run.plays) this.ask({do: "play"});
  }

  tell(status) {
    this.latest = status;
    this.player.tell(status);
  }

  moment({buffer, hands}) {
    const moment = this.player.source.read(buffer);
    if (!moment) return;
    moment.hands = hands;
    this.player.see(moment);
    this.worker?.postMessage({do: "seen"});
  }

  // A file for whoever plays.
  keep({name, text}) {
    window.rigid.saved = text;
    const address = URL.createObjectURL(new Blob([text], {type: "text/yaml"}));
    const link = element("a", {href: address, download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    note(`${name}: replay it with \`${text.split("\n")[1].slice(2)}\``, 6000);
  }
}

new RunLink(JSON.parse(find("rigid-data").textContent));
