// SPDX-License-Identifier: MIT
// The pictures on the buttons of the tools, in a square of 20.

const ICONS = {
  select: '<path d="M5 3l10 6.5-4.6 1L8 15z"/>',
  box: '<rect x="3.5" y="5" width="13" height="10" rx="1"/>',
  circle: '<circle cx="10" cy="10" r="6.5"/>',
  capsule: '<rect x="2.5" y="6.5" width="15" height="7" rx="3.5"/>',
  bar: '<path d="M4.300 12.600l8.300-8.300 3.100 3.100-8.300 8.300z"/><circle cx="6.900" cy="13.100" r=".8"/><circle cx="13.100" cy="6.900" r=".8"/>',
  polygon: '<path d="M10 3l7 5.2-2.7 8.3H5.7L3 8.2z"/>',
  chain: '<path d="M2.5 13.5l4-6 4 4 3-5.5 4 4"/>',
  vertices: '<path d="M4.5 15.5L7 5l9 4z"/><path class="solid" d="M5.5 3.5h3v3h-3zM14.5 7.5h3v3h-3zM3 14h3v3H3z"/>',
  join: '<circle cx="5" cy="10" r="2.2"/><circle cx="15" cy="10" r="2.2"/><path d="M7.2 10h5.6"/>',
  forces: '<path d="M3.5 16.5l12-12M9.5 4.5h6v6"/>',
  texture: '<rect x="3" y="4" width="14" height="12" rx="1"/><path d="M3 13.5l4-4 3.5 3.5 2-2 4.5 4"/><circle cx="13" cy="7.5" r="1.2"/>',
  measure: '<path d="M2.5 13l10.500-10.500 4.500 4.500L7 17.500zM6 9.500l1.700 1.700M9 6.500l1.700 1.700M12 3.500l1.700 1.700" transform="translate(0 -.3)"/>',
  undo: '<path d="M7.500 4.500L4 8l3.500 3.500M4 8h7.500a4 4 0 0 1 0 8H8"/>',
  redo: '<path d="M12.500 4.500L16 8l-3.500 3.500M16 8H8.500a4 4 0 0 0 0 8H12"/>',
  grid: '<path d="M3 7.300h14M3 12.600h14M7.300 3v14M12.600 3v14"/>',
  hide: '<path d="M2.5 10s3-5 7.5-5 7.500 5 7.500 5-3 5-7.500 5-7.500-5-7.500-5zM3.500 16.500l13-13"/>',
  lock: '<rect x="4.500" y="9" width="11" height="7.500" rx="1.500"/><path d="M7 9V6.500a3 3 0 0 1 6 0V9"/>',
  pose: '<path d="M4 16h12M6 16v-5h8v5M8 11V6h4v5"/>',
};

const icon = (name) => {
  const svg = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" aria-hidden="true">${ICONS[name]}</svg>`, "image/svg+xml").documentElement;
  return document.importNode(svg, true);
};
