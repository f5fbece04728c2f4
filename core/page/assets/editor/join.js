// SPDX-License-Identifier: MIT
// Joints: a type, two bodies, and where they are joined.

const JOINTS = [["revolute", "hinge"], ["wheel", "wheel on a spring"], ["distance", "rod"], ["rope", "rope"], ["spring", "spring"],
  ["weld", "weld"], ["prismatic", "slide"], ["axial_motor", "motor along an axis"]];
const TWO_ENDS = ["distance", "rope", "spring"];  // that have a place on each body

class JoinTool extends Tool {
  constructor(editor) {
    super(editor);
    Object.assign(this, {type: "revolute", motor: "", isFreeWithShift: true});
  }

  says() {
    const two = TWO_ENDS.includes(this.type);
    if (!this.first) return `Join by a ${JOINTS.find(([type]) => type === this.type)[1]}, or another type above: click the first body${two ? ", where the joint holds it" : ""}. Esc: select.`;
    return two ? "Click the second body where the joint holds it, or an empty place for the world."
      : "Click the place of the joint on the second body, or an empty place for the world. Places snap to centres and corners; Shift: nowhere.";
  }

  options() {
    const found = [choice("Type", JOINTS, this.type, (type) => { this.type = type; this.motor = ""; this.editor.changed(true); })];
    if (["revolute", "wheel", "prismatic", "axial_motor"].includes(this.type)) found.push(choice("Motor", [...(this.type === "axial_motor" ? [] : [["", "none"]]), ...MOTORS[this.type]], this.motor, (kind) => { this.motor = kind; }));
    return found;
  }

  bodyAt(p, other = -1) {
    const {bodies} = this.source.data;
    return bodiesUnder(this.source, this.moment, this.view, p.x, p.y, (row) => row !== other && this.editor.isFree(bodies[row].name))[0] ?? -1;
  }

  press(p) {
    if (!this.first) {
      const body = this.bodyAt(p);
      this.first = {body, at: p.at};
      this.hovered = p;
      return;
    }
    const {first} = this, second = this.bodyAt(p, first.body);
    if (first.body < 0 && second < 0) return this.editor.say("One of the two has to be a body: click it.");
    this.first = null;
    this.send(first, {body: second, at: p.at});
  }

  hover(p) { this.hovered = p; }
  drag(p) { this.hovered = p; }

  release(p) {  // a drag from one body to another one joins them too
    if (this.first && !p.isKey && apartOf(this.pixels(this.first.at), [p.x, p.y]) > 12 && this.bodyAt(p, this.first.body) !== this.first.body) this.press(p);
  }

  nameOf(row) { return row < 0 ? "world" : this.source.data.bodies[row].name; }

  async send(first, second) {
    let {type} = this;
    const fields = {};
    if (type === "rope") [type, fields.rope] = ["distance", true];
    if (type === "spring") [type, fields.spring] = ["distance", {frequency: 2, damping_ratio: 0.2}];
    if (type === "wheel") fields.spring = {frequency: 4, damping_ratio: 0.7};
    if (type === "axial_motor" && !this.motor) this.motor = "speed";
    if (MOTORS[type]?.some(([kind]) => kind === this.motor)) fields.motor = motorOf(this.source.data, type, this.motor, second.body);
    const at = TWO_ENDS.includes(this.type) ? [first.at, second.at] : [second.at];
    const answer = await this.editor.edit({edit: "join", type, bodies: [this.nameOf(first.body), this.nameOf(second.body)], at: at.map((point) => point.map(clean)), fields});
    if (answer?.done) this.editor.say(`Done: ${answer.what}. Click the next first body; with Select (v), its ends, limits, motor and spring have handles.`);
  }

  cancel() {
    const was = Boolean(this.first);
    this.first = null;
    return was;
  }

  draw({context}) {
    const {marks} = this.editor, {hovered} = this;
    const lit = (row) => {
      if (row < 0) return;
      marks.line(context, cornersOf(ownBox(this.source.sketch, this.view, row)).map((corner) => this.pixels(placed(this.moment, row, ...corner))), GUIDE, {closed: true, dash: [3, 3]});
    };
    if (this.first) {
      lit(this.first.body);
      marks.dot(context, this.pixels(this.first.at), LOWER, 6);
      if (hovered) marks.line(context, [this.pixels(this.first.at), this.pixels(hovered.at)], HOLD, {dash: [5, 4]});
    }
    if (hovered) {
      lit(this.bodyAt(hovered, this.first?.body));
      marks.dot(context, this.pixels(hovered.at), UPPER, 5);
    }
  }
}
