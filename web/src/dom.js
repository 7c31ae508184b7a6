// SPDX-License-Identifier: BSD-3-Clause
// Small helpers for elements.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes, children);
  return node;
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

export const number = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : short(value));
export const short = (value) =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
export const percent = (part, whole) =>
  whole === 0
    ? "-"
    : `${((100 * part) / whole).toLocaleString("en", { maximumFractionDigits: part / whole < 0.1 ? 1 : 0 })}%`;
export const counted = (count, noun) =>
  `${number(count)} ${noun}${count === 1 ? "" : /(ch|s|x)$/.test(noun) ? "es" : "s"}`;

const tip = () => document.getElementById("tip");
let tipOwner = null; // what the tip is about
export function showTip(event, lines) {
  const box = tip();
  tipOwner = event.currentTarget;
  box.replaceChildren(...lines.map((line, i) => el(i === 0 ? "b" : "span", {}, line)));
  box.hidden = false;
  const x = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
  const below = event.clientY + 18;
  const y = below + box.offsetHeight > innerHeight ? event.clientY - box.offsetHeight - 12 : below;
  box.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
}
export function hideTip() {
  tip().hidden = true;
  tipOwner = null;
}
// A drawing that is made again under the pointer says nothing of its end: a tip goes when the
// pointer is elsewhere, and when the page moves under it.
document.addEventListener(
  "mousemove",
  (event) => {
    if (tipOwner && !(tipOwner.isConnected && tipOwner.contains(event.target))) hideTip();
  },
  true,
);
for (const kind of ["scroll", "wheel", "blur", "resize"])
  addEventListener(kind, hideTip, { capture: true, passive: true });
addEventListener("keydown", (event) => event.key === "Escape" && hideTip());

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const kSettles = 1500; // milliseconds in which what is above the target may still grow
let following = null;
// Scrolls to an element. What is above it may be made on the way (sections.js): it stays in sight, until the reader
// scrolls.
/** @param {string} id @param {ScrollLogicalPosition} block */
export function goTo(id, block = "start") {
  /** @param {ScrollBehavior} behavior */
  const scroll = (behavior) => document.getElementById(id)?.scrollIntoView({ behavior, block });
  following?.abort();
  following = new AbortController();
  const { signal } = following;
  let first = true; // a new observer reports at once
  const grown = new ResizeObserver(() => {
    if (!first) scroll("instant");
    first = false;
  });
  signal.addEventListener("abort", () => grown.disconnect());
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(kind, () => following.abort(), { signal, passive: true });
  scroll(calm.matches ? "instant" : "smooth");
  grown.observe(document.getElementById("main"));
  setTimeout(() => grown.disconnect(), kSettles);
}
