// SPDX-License-Identifier: BSD-3-Clause
// Sections that are made when they come near the window: what is at the bottom of a page costs nothing until
// somebody looks.
import { el } from "./dom.js";

const kNear = "400px";
const made = new Map(); // by id: makes the section if it is not there yet

const watcher = new IntersectionObserver(
  (entries) => entries.forEach((entry) => entry.isIntersecting && made.get(entry.target.id)?.()),
  { rootMargin: kNear },
);

// Before the page is made from other data.
export function forgetSections() {
  watcher.disconnect();
  made.clear();
}

// make() -> the section, which has the same id
export function lazySection(id, title, make) {
  const place = el("section", { id, tabindex: "-1", class: "lazy" }, el("h2", {}, title));
  made.set(id, () => {
    made.delete(id);
    watcher.unobserve(place);
    place.replaceWith(make());
  });
  watcher.observe(place);
  return place;
}

export const waitingSections = () => [...made.keys()];
export const makeSections = (ids = waitingSections()) => ids.forEach((id) => made.get(id)?.());
