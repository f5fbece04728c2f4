// SPDX-License-Identifier: MIT
"use strict";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const cards = all("main .card"), medias = all("main .media, .cover .media");
const viewer = document.getElementById("viewer"), stage = viewer.querySelector(".stage");

// ---------------------------------------------------------------- pictures and movies

for (const media of medias) { // without this program, the link leads to the movie
  media.dataset.movie = media.getAttribute("href");
  media.href = `#${new URLSearchParams({ scene: media.parentElement.dataset.scene })}`;
}
function draw(media) {
  const image = media.querySelector("img");
  if (!image.hasAttribute("src")) image.src = image.dataset.poster;
}
function play(media, on) {
  const image = media.querySelector("img"), movie = media.dataset.movie;
  if (!movie.endsWith(".mp4")) {
    const wanted = on ? movie : image.dataset.poster;
    if ((on || image.hasAttribute("src")) && image.getAttribute("src") !== wanted) image.src = wanted;
    return;
  }
  let video = media.querySelector("video");
  if (on && !video) {
    video = document.createElement("video");
    Object.assign(video, { src: movie, muted: true, loop: true, playsInline: true });
    media.append(video);
    video.play().catch(() => {});
  } else if (!on && video) {
    video.removeAttribute("src");
    video.remove();
  }
}

// Before one scrolls, posters are loaded in sight only and the cover alone moves; afterwards all that
// is in sight moves. For those who asked for stillness, movies play when pointed at.
let scrolled = false;
const seen = new Set();
const moves = (media) => !still.matches && (scrolled || media.closest(".cover"));
function watch(margin, told) {
  const watcher = new IntersectionObserver((found) => found.forEach(told), { rootMargin: margin });
  for (const media of medias) watcher.observe(media);
  return watcher;
}
const near = ({ target, isIntersecting }) => {
  if (isIntersecting && (still.matches || !target.closest(".cover"))) draw(target);
};
const first = watch("0px", near);
watch("80px", ({ target, isIntersecting }) => {
  if (isIntersecting) seen.add(target); else seen.delete(target);
  play(target, isIntersecting && moves(target));
});
addEventListener("scroll", () => {
  scrolled = true;
  first.disconnect();
  watch("800px", near);
  for (const media of seen) play(media, moves(media));
}, { once: true, passive: true });
for (const media of medias) {
  media.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") play(media, true); });
  media.addEventListener("pointerleave", () => { if (!moves(media)) play(media, false); });
}

// ---------------------------------------------------------------- search

const filters = document.querySelector(".filters"), search = filters.querySelector("input");
const chips = all(".chip", filters), drawer = filters.querySelector(".drawer");
const found = document.querySelector(".found");
const plain = (text) => text.normalize("NFD").replace(/\p{M}|['’`]/gu, "").toLowerCase().replace(/[\s_/-]+/g, " ");
const about = new Map(cards.map((card) => {
  const theme = card.closest("section").querySelector("h2"), parts = all("h3, .text > p:not(.more, .facts)", card);
  const tags = all(".tags li", card).map((tag) => tag.textContent);
  const words = [...parts.map((part) => part.textContent), ...tags, card.dataset.scene, theme ? theme.textContent : ""];
  return [card, { tags, words: plain(words.join(" ")) }];
}));
const pressed = () => chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset.tag);
const visible = () => cards.filter((card) => !card.hidden);
function filter() {
  const words = plain(search.value).split(" ").filter(Boolean), tags = pressed();
  for (const card of cards) {
    const own = about.get(card);
    card.hidden = !words.every((word) => own.words.includes(word)) || !tags.every((tag) => own.tags.includes(tag));
  }
  const left = visible(), narrowed = left.length < cards.length;
  const possible = new Set(left.flatMap((card) => about.get(card).tags));
  for (const chip of chips) chip.disabled = !possible.has(chip.dataset.tag) && !tags.includes(chip.dataset.tag);
  for (const section of all("main section")) section.hidden = !section.querySelector(".card:not([hidden])");
  for (const part of all(".cover, .contents")) part.hidden = narrowed;
  document.body.classList.toggle("narrowed", narrowed);
  found.hidden = !narrowed;
  found.textContent = left.length ? `${left.length} of ${cards.length} scenes` : "Nothing matches.";
}
search.addEventListener("input", () => { filter(); tell(); });
for (const chip of chips) {
  chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
    tell();
  });
}
filters.hidden = cards.length < 2;

// ---------------------------------------------------------------- one scene

let shown = null, opener = null;
function show(card) {
  const copy = card.cloneNode(true), media = copy.querySelector(".media"), yaml = copy.querySelector(".yaml");
  for (const video of all("video", copy)) video.remove();
  copy.hidden = false;
  media.removeAttribute("href");
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: yaml.getAttribute("href"), title: "YAML", className: "code" });
  copy.append(frame);
  yaml.target = "_blank";
  stage.replaceChildren(copy);
  shown = card;
  if (!viewer.open) {
    opener = document.activeElement;
    viewer.showModal();
  }
  viewer.scrollTop = 0;
  viewer.setAttribute("aria-label", copy.querySelector("h3").textContent);
  draw(media);
  play(media, true);
  const row = visible(), at = row.indexOf(card);
  for (const button of all("[data-step]", viewer)) button.disabled = !row[at + Number(button.dataset.step)];
  tell();
}
function step(by) {
  const row = visible(), next = row[row.indexOf(shown) + by];
  if (next) show(next);
}
viewer.addEventListener("close", () => {
  const card = shown;
  shown = null;
  stage.replaceChildren();
  tell();
  if (!card) return;
  const link = card.querySelector(".media"); // the focus goes to the card that was last seen
  if (opener && opener.closest(".cover")) opener.focus(); else if (!card.hidden) link.focus();
});
addEventListener("message", (event) => {
  const frame = stage.querySelector("iframe");
  if (frame && event.source === frame.contentWindow && event.data === "close") viewer.close();
});
viewer.addEventListener("click", (event) => { if (event.target === viewer) viewer.close(); });
viewer.querySelector(".close").addEventListener("click", () => viewer.close());
for (const button of all("[data-step]", viewer)) button.addEventListener("click", () => step(Number(button.dataset.step)));

// ---------------------------------------------------------------- addresses

// The part after # is the search, its tags, and the scene that is open; other ones are of sections.
function tell() {
  const parts = new URLSearchParams();
  if (search.value.trim()) parts.set("q", search.value.trim());
  for (const tag of pressed()) parts.append("tag", tag);
  if (shown) parts.set("scene", shown.dataset.scene);
  const wanted = parts.size ? `#${parts}` : "";
  if (location.hash === wanted || (!wanted && document.getElementById(location.hash.slice(1)))) return;
  try {
    history.replaceState(null, "", wanted || location.href.replace(/#.*/, ""));
  } catch { /* a frame without an address */ }
}
function follow() {
  const text = location.hash.slice(1), parts = new URLSearchParams(text), scene = parts.get("scene");
  if (text && document.getElementById(text)) return;
  const card = cards.find((each) => each.dataset.scene === scene);
  if (!text.startsWith("scene=") || parts.size > 1 || !card) { // a link to a scene keeps the search
    search.value = parts.get("q") || "";
    const tags = parts.getAll("tag");
    for (const chip of chips) chip.setAttribute("aria-pressed", String(tags.includes(chip.dataset.tag)));
    if (drawer && tags.length) drawer.open = true;
    filter();
  }
  if (card) show(card); else if (viewer.open) viewer.close();
}
addEventListener("hashchange", follow);

// ---------------------------------------------------------------- keys

function move(media, key) {
  const row = visible().map((card) => card.querySelector(".media")), at = row.indexOf(media);
  if (key === "ArrowLeft" || key === "ArrowRight") return row[at + (key === "ArrowLeft" ? -1 : 1)];
  const own = media.getBoundingClientRect(), sign = key === "ArrowUp" ? -1 : 1;
  const places = row.map((each) => [each, each.getBoundingClientRect()])
    .filter(([, place]) => sign * (place.top - own.top) > own.height / 2);
  const nearest = Math.min(...places.map(([, place]) => Math.abs(place.top - own.top)));
  return places.filter(([, place]) => Math.abs(place.top - own.top) < nearest + 4)
    .sort(([, a], [, b]) => Math.abs(a.left - own.left) - Math.abs(b.left - own.left)).map(([each]) => each)[0];
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === search) return;
  const media = event.target.closest && event.target.closest("main .media");
  if (viewer.open) {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      step(event.key === "ArrowLeft" ? -1 : 1);
    }
  } else if (event.key === "/") {
    event.preventDefault();
    search.focus();
  } else if (media && event.key.startsWith("Arrow")) {
    const next = move(media, event.key);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  } else if (event.target === document.body && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    const first = visible().map((card) => card.querySelector(".media")).find((each) => each.getBoundingClientRect().bottom > 0);
    if (first) {
      event.preventDefault();
      first.focus();
    }
  }
});
filter();
follow();
