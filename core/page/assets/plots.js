// SPDX-License-Identifier: MIT
// Plots of quantities under the picture, by uPlot. The line in them is the time of the picture; a
// click in one goes to the time that is there.

const LINES = ["#4f86b8", "#e9a24b", "#57a893", "#d8707c", "#8675b3", "#a8714d"];
const MOST_POINTS = 4000;

// The ends of the axis upwards: with a tenth beyond the values, and 0 where it is near.
function upwardsSpan(low, high) {
  if (low === null || high === null) return [null, null];
  return uPlot.rangeNum(...(low < high ? movedApart(low, high) : [low, high]), {
    min: {pad: 0.1, soft: 0, mode: 3}, max: {pad: 0.1, soft: 0, mode: 3}});
}

class Plots {
  // box: where they go; hooks: {seek(time), changed()}, which is called when there is another chart or one less
  constructor(box, source, hooks) {
    Object.assign(this, {box, source, hooks, charts: []});
    this.owner = element("select", {"aria-label": "Whose quantity to plot", change: () => this.fillNames()});
    this.name = element("select", {"aria-label": "Which quantity to plot"});
    const add = element("button", {type: "button", class: "plain", click: () => this.addChosen()}, "Plot");
    this.list = element("div", {class: "charts"});
    box.append(element("div", {class: "plot-bar"}, this.owner, this.name, add), this.list);
    new ResizeObserver(() => this.resize()).observe(this.list);
    this.show(source);
  }

  // Fills the lists of all that can be plotted.
  offer() {
    const {owner, name} = this, [chosen, quantity] = [owner.value, name.value];
    this.known = new Map(this.source.quantities().map((each) => [each.owner, each]));
    owner.replaceChildren(...[...this.known.values()].slice(0, 2000).map(
      ({owner: value, label}) => element("option", {value}, label ?? value)));
    if (this.known.has(chosen)) owner.value = chosen;
    this.fillNames();
    if (this.known.get(owner.value)?.names.includes(quantity)) name.value = quantity;
  }

  show(source) {
    this.source = source;
    this.offer();
    const wanted = this.charts.map(({owner, names}) => [owner, names]);
    this.clear();
    for (const [owner, names] of wanted) if (this.known.has(owner)) this.add(owner, names);
  }

  fillNames() {
    const {kind, names: known} = this.known.get(this.owner.value) ?? {names: []};
    const names = kind === "compared" ? ["each variant"] : known;
    this.name.replaceChildren(...names.map((name) => element("option", {value: name}, name)));
  }

  // A quantity of variants is plotted with a line for each.
  addChosen() {
    const {kind, names} = this.known.get(this.owner.value);
    this.add(this.owner.value, kind === "compared" ? names : [this.name.value]);
  }

  clear() {
    for (const chart of this.charts) chart.plot.destroy();
    this.charts = [];
    this.list.replaceChildren();
  }

  // One chart with the quantities `names` of an owner.
  add(owner, names, kept = true) {
    const {kind, label} = this.known.get(owner) ?? {};
    const title = kind === "compared" ? label : names.length > 1 ? `${this.known.get(owner)?.label ?? owner}: ${names.join(", ")}` : `${owner}.${names[0]}`;
    if (this.charts.some((chart) => chart.title === title)) return;
    const holder = element("div", {class: "chart"}), chart = {owner, names, title, holder, kept};
    const remove = element("button", {type: "button", class: "close", "aria-label": `Remove the plot of ${title}`,
      click: () => this.remove(chart)}, "×");
    const canvas = element("div", {class: "chart-canvas", role: "img", "aria-label": `Plot of ${title}${this.unitOf(owner, names[0])} over time in seconds`});
    chart.reading = element("output", {class: "reading"});
    holder.append(element("div", {class: "chart-title"}, element("span", {}, title), element("i", {}, this.unitOf(owner, names[0])), chart.reading, remove), canvas);
    this.list.append(holder);
    chart.plot = this.make(chart, canvas);
    this.charts.push(chart);
    this.move(this.time ?? this.source.begin);
    this.read(chart);
    this.hooks.changed?.();
    return chart;
  }

  // " in m", or nothing where it has no unit.
  unitOf(owner, name) {
    name = this.source.compared?.get(owner)?.quantity ?? name;
    const {units, channels, channelUnits} = this.source.data, recorded = channels.indexOf(`${owner.replace(/^recorded /, "")}.${name}`);
    const unit = owner.startsWith("recorded ") ? channelUnits[recorded] : units.of[name];
    return unit ? ` in ${unit}` : "";
  }

  remove(chart) {
    chart.plot.destroy();
    chart.holder.remove();
    this.charts = this.charts.filter((each) => each !== chart);
    this.hooks.changed?.();
  }

  make(chart, box) {
    const colors = getComputedStyle(this.box), ink = colors.getPropertyValue("--quiet"), line = colors.getPropertyValue("--line");
    const card = colors.getPropertyValue("--card").trim();
    const axis = {stroke: ink, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1}, font: `11px ${FONT}`};
    const lines = this.source.compared?.get(chart.owner)?.colors ?? LINES;
    const series = chart.names.map((name, i) => ({
      label: name, stroke: readable(lines[i % lines.length], card), width: 1.6, points: {show: false}, spanGaps: false, pxAlign: 0,
    }));
    const plot = new uPlot({
      width: Math.max(this.list.clientWidth, 120), height: 132,
      scales: {x: {time: false, range: () => this.range()}, y: {range: (_, low, high) => upwardsSpan(low, high)}},
      axes: [{...axis, size: 28, values: (_, ticks) => ticks.map((tick, i) => written(tick) + (i === ticks.length - 1 ? " s" : ""))}, {...axis, size: (_, shown) => Math.max(56, 16 + 7 * Math.max(...(shown ?? [""]).map(({length}) => length))), values: (_, ticks) => ticks.map(written)}],
      legend: {show: chart.names.length > 1, live: false},
      cursor: {drag: {x: false, y: false}, y: false, points: {size: 6}},
      hooks: {setCursor: [() => this.read(chart)]},
      series: [{}, ...series],
    }, this.values(chart), box);
    chart.line = element("div", {class: "now"});
    plot.over.append(chart.line);
    plot.over.addEventListener("click", (event) => {
      const left = event.clientX - plot.over.getBoundingClientRect().left;
      this.hooks.seek(plot.posToVal(left, "x") * this.source.data.units.second);
    });
    return plot;
  }

  range() {
    const {begin, end, data} = this.source, second = data.units.second;
    return [begin / second, Math.max(end, begin + 1e-9) / second];
  }

  // Times in seconds and values; the least and the largest are kept where there are more than a plot can show.
  values(chart) {
    const found = chart.names.map((name) => this.source.series(chart.owner, name)), {times} = found[0];
    const second = this.source.data.units.second, lists = found.map(({values}) => values);
    chart.ends = lists.map((values) => endsOf(values).map((i) => (i < 0 ? null : {time: times[i] / second, value: values[i]})));
    const rows = rowsToShow(lists), number = (value) => (Number.isFinite(value) ? value : null);
    return [rows.map((i) => times[i] / second), ...lists.map((values) => rows.map((i) => number(values[i])))];
  }

  // A live source has more: draw it.
  refresh() {
    for (const chart of this.charts) {
      chart.plot.setData(this.values(chart));
      this.read(chart);
    }
  }

  // The value under the cursor, and the least and the largest of all with their times.
  read(chart) {
    if (!chart.plot) return;
    const at = (text, {time}) => `${text} at ${time.toFixed(2)} s`, {idx} = chart.plot.cursor, [times, ...lists] = chart.plot.data;
    const under = Number.isInteger(idx) && idx < times.length ? [at(lists.map((list) => (list[idx] === null ? "–" : written(list[idx]))).join(", "), {time: times[idx]})] : [];
    const ends = chart.ends.length === 1 && chart.ends[0][0] ? ["least", "largest"].map((word, k) => at(`${word} ${written(chart.ends[0][k].value)}`, chart.ends[0][k])) : [];
    const said = [...under, ...ends].join(" · ");
    if (chart.reading.textContent !== said) chart.reading.textContent = said;
  }

  // Colours have changed.
  restyle() { this.show(this.source); }

  // The picture shows another time.
  move(time) {
    this.time = time;
    for (const {plot, line} of this.charts) {
      const left = plot.valToPos(time / this.source.data.units.second, "x");
      line.style.transform = `translateX(${left}px)`;
    }
  }

  resize() {
    const width = this.list.clientWidth;
    if (!(width > 0)) return;
    for (const {plot} of this.charts) plot.setSize({width, height: 132});
    if (this.time !== undefined) this.move(this.time);
  }
}

// The places of the least and the largest value of a list; -1 where there is none.
function endsOf(values, first = 0, end = values.length) {
  let [least, largest] = [-1, -1];
  for (let i = first; i < end; i++) {
    if (!Number.isFinite(values[i])) continue;
    if (least < 0 || values[i] < values[least]) least = i;
    if (largest < 0 || values[i] > values[largest]) largest = i;
  }
  return [least, largest];
}

// Rows of lists that are as long as each other: all, or the first of each of as many pieces as a plot can show, with its least and largest.
function rowsToShow(lists) {
  const {length} = lists[0], every = Math.max(1, Math.ceil(length / MOST_POINTS)), rows = [];
  for (let first = 0; first < length; first += every) {
    const piece = new Set([first]);
    if (every > 1) for (const list of lists) for (const i of endsOf(list, first, Math.min(first + every, length))) if (i >= 0) piece.add(i);
    rows.push(...[...piece].sort((a, b) => a - b));
  }
  return rows;
}
