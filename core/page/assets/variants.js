// SPDX-License-Identifier: MIT
// Variants of a scene, with one clock: the player has the first one. Beside each other the others
// are pictures that show the same time and, where the camera is shared, the same view; over each
// other they are drawn in the same picture.

const MOST_COMPARED = 200;  // owners of quantities that are offered with a line for each variant
const ONCE = ["grid", "names", "time", "probes"];  // what is shown of the first alone where variants are over each other

class Pane {
  constructor(name, film, box, hooks) {
    Object.assign(this, {name, film});
    const canvas = element("canvas", {role: "img", "aria-label": `Picture of ${name}`});
    box.append(element("div", {class: "stage pane"}, canvas, element("div", {class: "zoom", hidden: true}), element("b", {}, name)));
    this.picture = new Picture(canvas, film, {...hooks, pick: (x, y) => hooks.pick(this, x, y), changed: () => hooks.changed(this)});
  }
}

async function showVariants(player) {
  const lead = player.source, {names, tints, others} = lead.data.variants, films = [lead];
  for (const [i, data] of others.entries()) {
    const bytes = await inflate(find(`rigid-film-${i + 1}`).textContent);
    films.push(new Film(data, new Arrays(data.arrays, bytes)));
  }
  if (films.length > 1) compareQuantities(lead, films, names);
  if (tints.length) layOver(player, films);
  else layBeside(player, films);
  player.plots.show(lead);
}

function layOver(player, [lead, ...films]) {
  const {names, tints} = lead.data.variants, overlays = films.map((film) => new Overlays(film)), {hooks} = player.picture;
  const dots = tints.map(() => element("i", {}));
  dots.forEach(({style}, i) => { style.background = tints[i]; });
  player.picture.canvas.parentElement.before(element("p", {class: "legend"}, ...names.map((name, i) => element("b", {}, dots[i], name))));
  player.others = (scene) => films.forEach((film, i) => {
    const moment = film.at(player.time), {context, view, theme, size, ratio} = scene;
    const own = {...scene, moment, colors: film.data.themes[theme], shown: new Set([...scene.shown].filter((each) => !ONCE.includes(each)))};
    overlays[i].drawBelow(own);
    film.sketch.draw(context, moment, view, theme, size, ratio);
    moment.notes = [];
    overlays[i].drawAbove(own);
  });
  // A body of another variant stands for that of the first.
  const pickFirst = hooks.pick;
  hooks.pick = (x, y) => {
    const {moment, lastView, shown} = player.picture, times = films.map((film) => [film, film.at(player.time)]);
    const hits = pick(lead, moment, lastView, shown, x, y) ? [] : times.map(([film, at]) => [film, pick(film, at, lastView, shown, x, y)]);
    const [film, found] = hits.find((hit) => hit[1]) ?? [];
    if (found) player.select(counterpart(film, lead, found)); else pickFirst(x, y);
  };
}

function layBeside(player, [lead, ...films]) {
  const {names, columns, shared} = lead.data.variants, {picture} = player;
  const stage = find("picture").parentElement, box = element("div", {class: "panes"});
  box.style.setProperty("--columns", String(columns));
  box.style.setProperty("--rows", String(Math.ceil(names.length / columns)));
  box.style.setProperty("--count", String(names.length));
  stage.replaceWith(box);
  stage.classList.add("pane");
  stage.append(element("b", {}, names[0]));
  box.append(stage);
  const panes = [];
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
  for (const [i, film] of films.entries()) panes.push(new Pane(names[i + 1], film, box, hooks));
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
  const own = lead.quantities(), series = lead.series.bind(lead), both = new Map(), {tints} = lead.data.variants;
  const colors = tints.length ? tints : LINES;
  const known = films.map((film) => new Map(film.quantities().map((each) => [each.owner, each.names])));
  for (const {owner, kind, names: quantities} of own.slice(0, MOST_COMPARED)) {
    for (const quantity of quantities) {
      if (!known.every((each) => each.get(owner)?.includes(quantity))) continue;
      const path = `${owner}.${quantity}`, about = {owner, kind, quantity}, each = (i) => films[i].series(owner, quantity);
      both.set(`all ${path}`, {...about, label: `${path} of all`, names, colors, line: each});
      both.set(`less ${path}`, {...about, label: `${path}, less that of ${names[0]}`, names: names.slice(1), colors: colors.slice(1), line: (i) => lessFirst(each(i + 1), each(0))});
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
function lessFirst({times, values}, first) {
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
