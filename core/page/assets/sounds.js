// SPDX-License-Identifier: MIT
// Sounds: off until somebody asks for them. They are in the page, or come with what is heard first.

class Sounds {
  constructor() { Object.assign(this, {on: false, files: new Map(), buffers: new Map(), context: null, played: 0}); }

  // files: the bytes of sounds, as letters, by their names; newer ones take the place of older ones.
  add(files) {
    for (const [name, letters] of Object.entries(files)) {
      this.files.set(name, letters);
      this.buffers.delete(name);
    }
  }

  // A browser makes sounds only from a click or a key on.
  toggle() {
    this.on = !this.on;
    this.context ??= new AudioContext();
    if (this.on) this.context.resume(); else this.context.suspend();
    if (this.on) for (const name of this.files.keys()) this.buffer(name);
  }

  buffer(name) {
    if (!this.buffers.has(name)) {
      const bytes = Uint8Array.from(atob(this.files.get(name)), (letter) => letter.charCodeAt(0));
      this.buffers.set(name, this.context.decodeAudioData(bytes.buffer).catch(() => null));  // of a kind that it does not know
    }
    return this.buffers.get(name);
  }

  async play(name, volume) {
    if (!this.on || !this.files.has(name)) return;
    const buffer = await this.buffer(name);
    if (!buffer || !this.on) return;
    const source = new AudioBufferSourceNode(this.context, {buffer}), gain = new GainNode(this.context, {gain: volume});
    source.connect(gain).connect(this.context.destination);
    source.start();
    this.played += 1;
  }
}
