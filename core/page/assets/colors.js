// SPDX-License-Identifier: MIT
// Colours: as numbers, mixed, and such that they are read on what is behind them.

const READABLE = 4.5;  // the least contrast of letters and lines, as WCAG 2.2 counts it

const parsed = new Map();
function rgba(text) {
  let color = parsed.get(text);
  if (!color) {
    const part = (i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
    color = [part(0), part(1), part(2), text.length > 7 ? part(3) : 255];
    parsed.set(text, color);
  }
  return color;
}

const css = ([r, g, b, a]) => `rgba(${r},${g},${b},${a / 255})`;

function mixed(first, second, share) {
  const a = rgba(first), b = rgba(second);
  return css([0, 1, 2].map((i) => Math.round(a[i] + (b[i] - a[i]) * share)).concat(a[3]));
}

const faded = (color, opacity) => css(rgba(color).map((part, i) => (i === 3 ? part * opacity : part)));

// How bright a colour is, from 0 to 1.
function luminance(text) {
  const [r, g, b] = rgba(text).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const readables = new Map();

// A colour of the scene, darker or brighter by as much as it takes to be read on another one.
function readable(color, paper) {
  const key = `${color} ${paper}`;
  let found = readables.get(key);
  if (!found) {
    const end = contrast("#000000", paper) > contrast("#ffffff", paper) ? 0 : 255, [r, g, b, a] = rgba(color);
    const at = (share) => "#" + [r, g, b].map((part) => Math.round(part + (end - part) * share)).concat(a < 255 ? a : []).map((part) => part.toString(16).padStart(2, "0")).join("");
    found = color;
    for (let k = 1; k <= 40 && contrast(found, paper) < READABLE; k++) found = at(k / 40);
    readables.set(key, found);
  }
  return found;
}
