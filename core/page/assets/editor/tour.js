// SPDX-License-Identifier: MIT
// A tour of one minute: a car is built step by step, and drives.

// [what is said, the tool that does it, the edit]; names are those that the edits before have made.
const stepsOf = (x, y, up) => [
  ["A car in a minute. Each step is one action, as the mouse would do it; the text beside the picture follows, and Ctrl z takes it back. First the chassis: a box, from corner to corner.", "box",
    () => ({edit: "draw", kind: "box", name: "chassis", points: [[x, y + up * 0.5], [x + 3, y + up]], type: "dynamic"})],
  ["A wheel: a circle, from its middle to its rim.", "circle", () => ({edit: "draw", kind: "circle", name: "wheel", points: [[x + 0.5, y + up * 0.4]], radius: 0.4, type: "dynamic"})],
  ["And another one.", "circle", () => ({edit: "draw", kind: "circle", name: "wheel", points: [[x + 2.5, y + up * 0.4]], radius: 0.4, type: "dynamic"})],
  ["Join the first wheel to the chassis: click one, then the middle of the other. This one has a spring and a motor.", "join",
    ([chassis, wheel]) => ({edit: "join", type: "wheel", name: "drive", bodies: [chassis, wheel], at: [[x + 0.5, y + up * 0.4]], fields: {spring: {frequency: 4, damping_ratio: 0.7}, motor: {speed: -up * 360, max_torque: 20}}})],
  ["The other wheel rolls along.", "join",
    ([chassis, , wheel]) => ({edit: "join", type: "wheel", name: "roll", bodies: [chassis, wheel], at: [[x + 2.5, y + up * 0.4]], fields: {spring: {frequency: 4, damping_ratio: 0.7}}})],
];

class Tour {
  constructor(editor) {
    const {view, source} = editor, [left] = view.back(60, 0), [right] = view.back(editor.player.picture.size[0], 0);
    this.editor = editor;
    this.names = [];
    this.steps = stepsOf(toNearest(left + 0.3 * (right - left), 0.5), 0, source.data.units.yDown ? -1 : 1);
    this.at = 0;
    this.text = element("p", {});
    this.next = action("Do it", "The next step", () => this.go(), {});
    this.box = element("section", {class: "tour", "aria-label": "Tour"}, element("h2", {}, "Tour"), this.text, element("div", {class: "row"}, element("span", {class: "space"}), action("End the tour", "Close it", () => this.end()), this.next));
  }

  begin() {
    document.querySelector(".tour")?.remove();
    find("picture").parentElement.append(this.box);
    this.editor.goToStart();
    this.show();
    this.next.focus();
  }

  show() {
    const [text, tool] = this.steps[this.at] ?? ["Now it drives: press Play, or Space. The tools are yours.", "select"];
    this.text.textContent = text;
    this.editor.choose(tool);
    this.next.textContent = this.at < this.steps.length ? "Do it" : "Play";
  }

  async go() {
    if (this.at >= this.steps.length) {
      const {player} = this.editor;
      this.end();
      player.picture.followed = this.editor.rowOf(this.names[0]);
      return player.play();
    }
    this.next.disabled = true;
    const answer = await this.editor.edit(this.steps[this.at][2](this.names));
    this.next.disabled = false;
    if (!answer?.done) return this.end();
    this.names.push(...(answer.names ?? []).map((path) => path.split(".").slice(1).join(".")));
    this.at += 1;
    this.show();
    this.next.focus();
  }

  end() {
    this.box.remove();
    this.editor.choose("select");
    find("picture").focus({preventScroll: true});
  }
}
