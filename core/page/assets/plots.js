// SPDX-License-Identifier: MIT
// Plots of quantities under the picture, by uPlot. The line in them is the time of the picture; a
// click in one goes to the time that is there.

const LINES = ["#4f86b8", "#e9a24b", "#57a893", "#d8707c", "#8675b3", "#a8714d"];
const MOST_POINTS = 4000;

class Plots {
  // box: where they go; hooks: {seek(time)}
  constructor(box, source, hooks) {
    Object.assign(this, {box, source, hooks, charts: []});
    this.owner = element("select", {"aria-label": "Whose quantity to plot", change: () => this.fillNames()});
    this.name = element("select", {"aria-label": "Which quantity to plot"});
    const add = element("button", {type: "button", class: "plain", click: () => this.add(this.owner.value, [this.name.value])}, "Plot");
    this.list = element("div", {class: "charts"});
    box.append(element("div", {class: "plot-bar"}, this.owner, this.name, add), this.list);
    new ResizeObserver(() => this.resize()).observe(this.list);
    this.show(source);
  }

  show(source) {
    this.source = source;
    this.known = new Map(source.quantities().map((each) => [each.owner, each]));
    this.owner.replaceChildren(...[...this.known.values()].slice(0, 2000).map(
      ({owner, label}) => element("option", {value: owner}, label ?? owner)));
    this.fillNames();
    const wanted = this.charts.map(({owner, names}) => [owner, names]);
    this.clear();
    for (const [owner, names] of wanted) if (this.known.has(owner)) this.add(owner, names);
  }

  fillNames() {
    const names = this.known.get(this.owner.value)?.names ?? [];
    this.name.replaceChildren(...names.map((name) => element("option", {value: name}, name)));
  }

  clear() {
    for (const chart of this.charts) chart.plot.destroy();
    this.charts = [];
    this.list.replaceChildren();
  }

  // One chart with the quantities `names` of an owner.
  add(owner, names, kept = true) {
    const title = names.length > 1 ? `${this.known.get(owner)?.label ?? owner}: ${names.join(", ")}` : `${owner}.${names[0]}`;
    if (this.charts.some((chart) => chart.title === title)) return;
    const holder = element("div", {class: "chart"}), chart = {owner, names, title, holder, kept};
    const remove = element("button", {type: "button", class: "close", "aria-label": `Remove the plot of ${title}`,
      click: () => this.remove(chart)}, "×");
    const canvas = element("div", {class: "chart-canvas", role: "img", "aria-label": `Plot of ${title}${this.unitOf(owner, names[0])} over time in seconds`});
    holder.append(element("div", {class: "chart-title"}, element("span", {}, title), element("i", {}, this.unitOf(owner, names[0])), remove), canvas);
    this.list.append(holder);
    chart.plot = this.make(chart, canvas);
    this.charts.push(chart);
    this.move(this.time ?? this.source.begin);
    return chart;
  }

  // " in m", or nothing where it has no unit.
  unitOf(owner, name) {
    const {units, channels, channelUnits} = this.source.data, recorded = channels.indexOf(`${owner.replace(/^recorded /, "")}.${name}`);
    const unit = owner.startsWith("recorded ") ? channelUnits[recorded] : units.of[name];
    return unit ? ` in ${unit}` : "";
  }

  remove(chart) {
    chart.plot.destroy();
    chart.holder.remove();
    this.charts = this.charts.filter((each) => each !== chart);
  }

  make(chart, box) {
    const colors = getComputedStyle(this.box), ink = colors.getPropertyValue("--quiet"), line = colors.getPropertyValue("--line");
    const axis = {stroke: ink, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1}, font: `11px ${FONT}`};
    const series = chart.names.map((name, i) => ({
      label: name, stroke: LINES[i % LINES.length], width: 1.6, points: {show: false}, spanGaps: false,
    }));
    const plot = new uPlot({
      width: Math.max(this.list.clientWidth, 120), height: 132,
      scales: {x: {time: false, range: () => this.range()}},
      axes: [{...axis, size: 28, values: (_, ticks) => ticks.map((tick, i) => written(tick) + (i === ticks.length - 1 ? " s" : ""))}, {...axis, size: 56, values: (_, ticks) => ticks.map(written)}],
      legend: {show: chart.names.length > 1, live: false},
      cursor: {drag: {x: false, y: false}, y: false, points: {size: 6}},
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

  // Times in seconds and values. Of more than a plot can show, the least and the greatest of each group.
  values({owner, names}) {
    const found = names.map((name) => this.source.series(owner, name)), {times} = found[0];
    const second = this.source.data.units.second, every = 2 * Math.ceil(times.length / MOST_POINTS);
    const known = (list) => Array.from(list, (value) => (Number.isFinite(value) ? value : null));
    const seconds = Array.from(times, (time) => time / second);
    if (times.length <= MOST_POINTS) return [seconds, ...found.map(({values}) => known(values))];
    const starts = Array.from({length: Math.ceil(times.length / every)}, (_, k) => k * every);
    return [starts.flatMap((i) => [seconds[i], seconds[Math.min(i + every, times.length) - 1]]),
      ...found.map(({values}) => starts.flatMap((i) => extremes(values, i, Math.min(i + every, times.length))))];
  }

  // A live source has more: draw it.
  refresh() {
    for (const chart of this.charts) chart.plot.setData(this.values(chart));
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

// The least and the greatest of values in the order in which they come; null where there are none.
function extremes(values, from, to) {
  let [low, high] = [-1, -1];
  for (let i = from; i < to; i++) {
    if (!Number.isFinite(values[i])) continue;
    if (low < 0 || values[i] < values[low]) low = i;
    if (high < 0 || values[i] > values[high]) high = i;
  }
  return [Math.min(low, high), Math.max(low, high)].map((i) => (i < 0 ? null : values[i]));
}
