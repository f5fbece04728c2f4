// SPDX-License-Identifier: MIT
"use strict";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const cards = [...document.querySelectorAll("main .card")];

function play(media, on) {
  const video = media.querySelector("video"), image = media.querySelector("img");
  if (video) {
    if (on) video.play().catch(() => {}); else video.pause();
  } else if (image) {
    const wanted = on ? image.dataset.movie : image.dataset.poster;
    if (image.getAttribute("src") !== wanted) image.src = wanted;
  }
}

// Only what is on the screen moves, and nothing for those who asked for stillness until they point at it.
const watcher = new IntersectionObserver((seen) => {
  for (const one of seen) play(one.target, one.isIntersecting && !still.matches);
}, { rootMargin: "80px" });
for (const media of document.querySelectorAll("main .media")) {
  watcher.observe(media);
  media.addEventListener("pointerenter", () => play(media, true));
  media.addEventListener("pointerleave", () => { if (still.matches) play(media, false); });
}

const viewer = document.getElementById("viewer"), stage = viewer.querySelector(".stage");
function show(card) {
  const copy = card.cloneNode(true);
  copy.querySelector("details").open = true;
  const media = copy.querySelector(".media");
  for (const name of ["tabindex", "role", "aria-label"]) media.removeAttribute(name);
  stage.replaceChildren(copy);
  viewer.showModal();
  play(media, true);
}
function shut() { viewer.close(); }
viewer.addEventListener("close", () => stage.replaceChildren());
viewer.addEventListener("click", (event) => { if (event.target === viewer) shut(); });
viewer.querySelector(".close").addEventListener("click", shut);

document.addEventListener("click", async (event) => {
  const media = event.target.closest("main .media");
  if (media) show(media.closest(".card"));
  const button = event.target.closest(".copy");
  if (!button) return;
  const code = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent + "\n");
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});
document.addEventListener("keydown", (event) => {
  const media = event.target.closest && event.target.closest("main .media");
  if (media && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    show(media.closest(".card"));
  }
});
for (const button of document.querySelectorAll(".copy")) button.hidden = false;

const filters = document.querySelector(".filters"), search = filters.querySelector("input");
const chips = [...filters.querySelectorAll(".chip")];
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const tags = chips.filter((chip) => chip.getAttribute("aria-pressed") === "true")
    .map((chip) => chip.dataset.tag);
  for (const card of cards) {
    const own = card.dataset.tags.split("|");
    card.hidden = !words.every((word) => card.dataset.words.includes(word)) ||
      !tags.every((tag) => own.includes(tag));
  }
  for (const section of document.querySelectorAll("main section")) {
    section.hidden = !section.querySelector(".card:not([hidden])");
  }
  document.querySelector(".none").hidden = cards.some((card) => !card.hidden);
}
search.addEventListener("input", filter);
for (const chip of chips) {
  chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
  });
}
filters.hidden = cards.length < 2;
