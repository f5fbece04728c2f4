// SPDX-License-Identifier: MIT
// Actuators by an arrow: thrusters, forces of the world, friction along an axis; and motors by a click.

const ACTS = [["thruster", "thruster"], ["force", "force"], ["impulse", "impulse"], ["axial_friction", "friction along an axis"], ["rotary_motor", "motor"], ["torque", "torque"], ["field", "field that pulls to a place"]];
const WEIGHT_AT = 60;  // pixels of an arrow that is as strong as the weight of its body

class ForcesTool extends Tool {
  constructor(editor) {
    super(editor);
    this.type = "thruster";
  }

  says() {
    if (this.type === "field" && !this.from) return "Field: select the bodies that it pulls, press at its middle, and drag to where it pulls as hard as their weight.";
    if (!this.from) return this.isArrow() ? "Force: press on a body and drag the arrow. Esc: select." : "Click the body that it turns. Esc: select.";
    const force = this.forceOf();
    if (this.type === "field") return `Pulls with the weight of a body at ${written(apartOf(this.from, this.to))} ${this.source.data.units.length}`;
    return this.type === "axial_friction" ? "Release: motion along this arrow is braked." : `${written((this.type === "impulse" ? PUSH : 1) * Math.hypot(...force))} ${unitOfPush(this.source.data.units, this.type)}`;
  }

  isArrow() { return !["rotary_motor", "torque"].includes(this.type); }

  options() { return [choice("Type", ACTS, this.type, (type) => { this.type = type; this.editor.changed(true); })]; }

  bodyAt(p) { return bodiesUnder(this.source, this.moment, this.view, p.x, p.y, (row) => this.editor.isFree(this.source.data.bodies[row].name))[0] ?? -1; }

  // The force of the arrow, in the scene's axes.
  forceOf() {
    const [dx, dy] = minus(this.to, this.from), long = Math.hypot(dx, dy) || 1, body = this.source.data.bodies[this.row];
    const size = Number((weightOf(body) * long * this.view.scale / WEIGHT_AT).toPrecision(2));
    return evenly([dx, dy].map((part) => part / long * size), 3);
  }

  press(p) {
    if (this.from && p.isKey) return this.end(p.at);
    if (this.type === "field") {
      [this.row] = this.editor.rows();
      if (this.row === undefined) return this.editor.say("Select the bodies first that it pulls.");
      this.names = this.editor.rows().map((each) => this.source.data.bodies[each].name);
      return void ([this.from, this.to] = [p.at, p.at]);
    }
    const row = this.bodyAt(p);
    if (row < 0) return this.editor.say("Press on a body.");
    const {bodies} = this.source.data, {actuators} = this.editor.tools.get("select");
    if (bodies[row].kind !== "dynamic") return this.editor.say("Forces move dynamic bodies only: this one is fixed or goes its own way.");
    this.row = row;
    if (!this.isArrow()) return this.add(this.type === "torque" ? {torque: 2 * actuators.turning(row)} : {speed: 180, max_torque: Number((10 * weightOf(bodies[row])).toPrecision(1))});
    [this.from, this.to] = [p.at, p.at];
  }

  hover(p) { if (this.from && p.isKey) this.to = p.at; }
  drag(p) { if (this.from) this.to = p.raw; }
  release(p) { if (this.from && !p.isKey) this.end(p.raw); }

  end(to) {
    this.to = to;
    const {from, row, moment} = this, long = apartOf(this.pixels(from), this.pixels(to));
    if (long < 6) return this.cancel();
    if (this.type === "field") {
      const strength = Number((weightOf(this.source.data.bodies[row]) / apartOf(from, to)).toPrecision(3)), [x, y] = from.map((part) => toNearest(part, this.editor.grid.pixel));
      const along = (name, middle) => `=-${strength}*${middle ? `(${name} ${middle < 0 ? "+" : "-"} ${Math.abs(middle)})` : name}`;
      this.from = null;
      return this.add({field: [along("x", x), along("y", y)]});
    }
    const force = this.forceOf(), local = (vector) => evenly(turned(vector, -moment.pose[3 * row + 2]), 3);
    const at = inBody(moment, row, from).map((part) => toNearest(part, this.editor.grid.pixel));
    this.from = null;
    if (this.type === "axial_friction") {
      const way = local(minus(to, from)), size = Math.hypot(...way);
      return this.add({direction: way.map((part) => Number((part / size).toPrecision(3))), friction: 0.8, ...(Math.hypot(...at) > 0 ? {at} : {})});
    }
    const where = Math.hypot(...at) > 0 ? {at} : {};
    if (this.type === "impulse") return this.add({impulse: evenly(force.map((part) => PUSH * part), 3), ...where});
    this.add({force: this.type === "thruster" ? local(force) : force, ...where});
  }

  add(fields) {
    const body = this.source.data.bodies[this.row].name, {tree} = this.editor.desk, taken = {...tree.bodies, ...tree.joints, ...tree.actuators, ...tree.instances};
    let name = this.type, number = 1;
    while (name in taken) name = `${this.type}_${number += 1}`;
    this.editor.edit({edit: "add", section: "actuators", name, value: {type: this.type, ...(this.type === "field" ? {bodies: this.names} : {body}), ...fields}});
  }

  cancel() {
    const was = Boolean(this.from);
    this.from = null;
    return was;
  }

  draw({context}) {
    this.editor.tools.get("select").actuators.draw(context);
    if (this.from) this.editor.marks.arrow(context, this.pixels(this.from), this.pixels(this.to), LOWER);
  }
}
