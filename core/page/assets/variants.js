// SPDX-License-Identifier: MIT
// Variants of a scene beside each other, with one clock: the player has the first one, and the
// others are pictures that show the same time and, where the camera is shared, the same view.

const MOST_COMPARED = 200;  // owners of quantities that are offered with a line for each variant

class Pane {
  constructor(name, film, box, hooks) {
    Object.assign(this, {name, film});
    const canvas = element("canvas", {role: "img", "aria-label": `Picture of ${name}`});
    box.append(element("div", {class: "stage pane"}, canvas, element("div", {class: "zoom", hidden: true}), element("b", {}, name)));
    this.picture = new Picture(canvas, film, {...hooks, pick: (x, y) => hooks.pick(this, x, y), changed: () => hooks.changed(this)});
  }
}

async function showVariants(player) {
  const lead = player.source, {names, columns, shared, others} = lead.data.variants, {picture} = player;
  const stage = find("picture").parentElement, box = element("div", {class: "panes"});
  box.style.setProperty("--columns", String(columns));
  box.style.setProperty("--rows", String(Math.ceil(names.length / columns)));
  box.style.setProperty("--count", String(names.length));
  stage.replaceWith(box);
  stage.classList.add("pane");
  stage.append(element("b", {}, names[0]));
  box.append(stage);
  const films = [lead], panes = [];
  const hooks = {
    // A selection in one picture is shown in all that have it; the values are those of the first.
    pick: (pane, x, y) => {
      const found = pick(pane.film, pane.picture.moment, pane.picture.lastView, pane.picture.shown, x, y);
      player.select(found && counterpart(pane.film, lead, found));
    },
    // A picture that was moved or enlarged takes the others along.
    changed: (pane) => {
      if (pane?.picture?.moment) Object.assign(picture, {free: pane.picture.free, followed: ofSame(pane.film, lead, pane.picture.followed)});
      player.changed();
    },
  };
  for (const [i, data] of others.entries()) {
    const bytes = await inflate(find(`rigid-film-${i + 1}`).textContent);
    films.push(new Film(data, new Arrays(data.arrays, bytes)));
    panes.push(new Pane(names[i + 1], films[i + 1], box, hooks));
  }
  if (films.length > 1) compareQuantities(lead, films, names);
  player.plots.show(lead);
  player.drawn = () => {
    for (const {film, picture: other} of panes) {
      const moment = film.at(player.time), {selection} = picture;
      if (shared) moment.view = picture.moment.view;
      Object.assign(other, {theme: picture.theme, shown: picture.shown, free: picture.free, followed: ofSame(lead, film, picture.followed)});
      other.selection = selection && counterpart(lead, film, selection);
      other.draw(moment);
    }
  };
}

// The row of the body of one film that has the name of a row in another one, or -1.
const ofSame = (from, to, row) => (row < 0 ? -1 : to.data.bodies.findIndex(({name}) => name === from.data.bodies[row].name));

function counterpart(from, to, selection) {
  const list = {body: "bodies", joint: "joints"}[selection.kind];
  if (!list) return null;
  const index = to.data[list].findIndex(({name}) => name === from.data[list][selection.index].name);
  return index < 0 ? null : {kind: selection.kind, index};
}

// Plots with a line for each variant: quantities, and their differences from the first.
function compareQuantities(lead, films, names) {
  const own = lead.quantities(), series = lead.series.bind(lead), both = new Map();
  const known = films.map((film) => new Map(film.quantities().map((each) => [each.owner, each.names])));
  for (const {owner, kind, names: quantities} of own.slice(0, MOST_COMPARED)) {
    for (const quantity of quantities) {
      if (!known.every((each) => each.get(owner)?.includes(quantity))) continue;
      const path = `${owner}.${quantity}`, about = {owner, kind, quantity}, each = (i) => films[i].series(owner, quantity);
      both.set(`all ${path}`, {...about, label: `${path} of all`, names, line: each});
      both.set(`less ${path}`, {...about, label: `${path}, less that of ${names[0]}`, names: names.slice(1), line: (i) => minus(each(i + 1), each(0))});
    }
  }
  lead.compared = both;
  lead.quantities = () => [...[...both].map(([owner, {label, names: each}]) => ({owner, label, kind: "compared", names: each})), ...own];
  lead.series = (owner, name) => {
    const found = both.get(owner);
    return found ? found.line(found.names.indexOf(name)) : series(owner, name);
  };
}

// How far a line is from another one at its times.
function minus({times, values}, first) {
  if (first.times.length === times.length) return {times, values: values.map((value, i) => value - first.values[i])};
  return {times, values: values.map((value, i) => {
    const next = lowest(first.times, 0, first.times.length - 1, times[i]), last = Math.max(next - 1, 0);
    const part = next > last ? clamp((times[i] - first.times[last]) / (first.times[next] - first.times[last]), 0, 1) : 0;
    return value - (first.values[last] + part * (first.values[next] - first.values[last]));
  })};
}

// The charts at the beginning: the place of a body that is farthest apart in two variants.
function addFarthest(player) {
  const {compared} = player.source;
  if (!compared) return;
  let [farthest, chosen] = [-1, null];
  for (const [key, {kind, quantity, names, line}] of compared) {
    if (!key.startsWith("less ") || kind !== "body" || !["x", "y"].includes(quantity)) continue;
    for (const i of names.keys()) {
      const most = line(i).values.reduce((found, value) => (Math.abs(value) > found ? Math.abs(value) : found), 0);
      if (most > farthest) [farthest, chosen] = [most, key];
    }
  }
  if (!chosen) return;
  for (const key of [chosen.replace("less ", "all "), chosen]) player.plots.add(key, compared.get(key).names);
}
