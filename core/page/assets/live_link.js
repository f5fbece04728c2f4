// SPDX-License-Identifier: MIT
// The socket to the server, and what comes through it.
class Link {
  constructor() {
    this.player = null;
    const {watches, mute, edits, opens} = JSON.parse(find("rigid-data").textContent);
    Object.assign(this, {watches, mute, edits, opens});
    this.latest = null;
    this.trouble = null;
    this.socket = new WebSocket(`${location.href.replace(/^http/, "ws").replace(/[#?].*$/, "")}live`);
    this.socket.binaryType = "arraybuffer";
    this.order = Promise.resolve();  // a stage is unpacked before what comes after it is looked at
    this.socket.addEventListener("message", ({data}) => {
      this.order = this.order.then(() => this.receive(data)).catch((error) => note(`This cannot be shown: ${error.message}`));
    });
    this.socket.addEventListener("close", () => note("`rigid play` has ended. Start it again, and open the address that it prints."));
  }

  ask(request) {
    if (this.watches && request.do !== "want") return;  // which the server would refuse
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  async receive(data) {
    if (typeof data !== "string") return this.moment(data);
    const message = JSON.parse(data);
    if (message.type === "stage") await this.stage(message);
    else if (message.type === "status") this.tell(message);
    else if (message.type === "sounds") this.hear(message);
    else if (message.type === "desk") (this.player?.editor ?? this.mending)?.know(message);
    else if (message.type === "answer") (this.player?.editor ?? this.mending)?.hear(message);
    else note(message.text, 4000);
  }

  hear({files, plays}) {
    const sounds = this.player?.sounds;
    sounds?.add(files);
    for (const [name, volume] of plays) sounds?.play(name, volume);
  }

  async stage(message) {
    const source = new LiveSource(message, new Arrays(message.data.arrays, await inflate(message.arrays)));
    if (this.player) {
      source.follow(this.player.source);
      const {selection} = this.player.picture;
      this.player.show(source);
      if (selection && selection.kind !== "contact") this.player.select(selection);
      if (this.latest) this.player.tell(this.latest);
      this.player.editor?.renewed();
      return;
    }
    this.early?.remove();
    const player = this.player = new LivePlayer(source, this);
    listenToKeys(player, (event) => player.takeKey(event));
    document.addEventListener("keyup", (event) => {
      const key = player.keyOf(event);
      if (key !== null) player.hold(key, false);
    });
    window.addEventListener("blur", () => player.releaseAll());
    window.rigid = {player, link: this};
    player.want();
    if (this.latest) player.tell(this.latest);
    document.documentElement.dataset.ready = "true";
    if (this.mending) this.mending.handOver(player.editor);
    else if (this.opens && this.edits) player.editor.open();
    this.mending = null;
  }

  tell(status) {
    this.latest = status;
    if (this.player) this.player.tell(status);
    else {  // there was no good scene yet
      document.documentElement.dataset.theme ??= matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      this.early ??= new TroublePanel(find("picture").parentElement);
      this.early.show(status.trouble);
      if (this.opens && this.edits) {
        this.mending ??= new Mending(this);
        this.mending.tell(status.trouble);
      }
      find("name").textContent = status.file;
    }
  }

  moment(buffer) {
    const moment = this.player?.source.read(buffer);
    if (moment) this.player.see(moment);
  }
}

new Link();
