// SPDX-License-Identifier: MIT
// The time bar: a slider over the run with marks for what happened in it.

class TimeBar {
  // box: where it goes; hooks: {seek(time), begin(), end()}, the last two while it is dragged.
  constructor(box, source, hooks) {
    Object.assign(this, {box, hooks});
    this.fill = element("div", {class: "bar-fill"});
    this.knob = element("div", {class: "bar-knob"});
    this.track = element("div", {
      class: "bar-track", role: "slider", tabindex: "0", id: "time", "aria-label": "Time",
    }, this.fill, this.knob);
    this.marks = element("div", {class: "bar-marks"});
    box.append(this.track, this.marks);
    this.track.addEventListener("pointerdown", (event) => this.onDown(event));
    this.track.addEventListener("pointermove", (event) => {
      if (this.dragging) this.hooks.seek(this.timeAt(event));
    });
    for (const name of ["pointerup", "pointercancel"]) {
      this.track.addEventListener(name, () => {
        if (this.dragging) this.hooks.end();
        this.dragging = false;
      });
    }
    this.show(source);
  }

  show(source) {
    this.source = source;
    const {begin, end, data} = source, second = data.units.second;
    this.track.setAttribute("aria-valuemin", (begin / second).toFixed(2));
    this.track.setAttribute("aria-valuemax", (end / second).toFixed(2));
    const kinds = {event: "", held: "Held: ", failed: "Failed: "};
    this.marks.replaceChildren(...source.marks.map((mark) => element("button", {
      type: "button", class: `mark ${mark.kind}`, "data-time": String(mark.time),
      title: `${(mark.time / second).toFixed(2)} s  ${kinds[mark.kind]}${mark.text}`,
      "aria-label": `${(mark.time / second).toFixed(2)} seconds: ${kinds[mark.kind]}${mark.text}`,
      tabindex: mark.kind === "failed" ? "0" : "-1",
      click: () => this.hooks.seek(mark.time),
    })));
    [...this.marks.children].forEach((button, i) => {
      button.style.left = `${100 * this.part(source.marks[i].time)}%`;
    });
    if (this.time !== undefined) this.move(this.time);
  }

  part(time) {
    const {begin, end} = this.source;
    return end > begin ? clamp((time - begin) / (end - begin), 0, 1) : 0;
  }

  timeAt(event) {
    const box = this.track.getBoundingClientRect(), {begin, end} = this.source;
    return begin + clamp((event.clientX - box.left) / box.width, 0, 1) * (end - begin);
  }

  onDown(event) {
    event.preventDefault();
    this.track.focus({preventScroll: true});
    try { this.track.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone again */ }
    this.dragging = true;
    this.hooks.begin();
    this.hooks.seek(this.timeAt(event));
  }

  move(time) {
    this.time = time;
    const part = 100 * this.part(time), seconds = time / this.source.data.units.second;
    this.fill.style.width = `${part}%`;
    this.knob.style.left = `${part}%`;
    this.track.setAttribute("aria-valuenow", seconds.toFixed(2));
    this.track.setAttribute("aria-valuetext", `${seconds.toFixed(2)} seconds`);
  }

  // The next or the last mark as seen from a time.
  neighbour(time, way) {
    const slack = 1e-6 * (this.source.end - this.source.begin);
    const times = this.source.marks.map((mark) => mark.time).filter((each) => way * (each - time) > slack);
    if (times.length === 0) return null;
    return way > 0 ? Math.min(...times) : Math.max(...times);
  }
}
