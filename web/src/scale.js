// SPDX-License-Identifier: BSD-3-Clause
// The scale of loads: what is 1.
//
// All to all in a tree: the least that the most loaded link of the channel's cut can carry (the table
// bound of topology/levels/tree_cuts.hpp). 1 is then the best that any tables could do, and a healthy fabric is
// near 1 everywhere. Where no cut is known: the mean of the channels between switches. Any other traffic:
// what one host port sends.
import { kBeyond, kDifferenceStops, kLoadStops, kScaleEnd } from "./colours.js";
import { el, number } from "./dom.js";

// {base(c), unit}; loads: weighed by speed unless counted
export function scaleOf(fabric, { kind, among, counted, mean, loads }) {
  if (kind !== "all") return { base: () => 1, unit: counted ? "flows" : "\u00d7 what a host port sends" };
  const least = fabric.least[among];
  const known = !counted && least.some((value) => value > 0);
  const between = (c) => fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] >= 0;
  // A host sends and gets the same from all routings.
  const base = (c) => (!between(c) ? loads[c] : known && least[c] > 0 ? least[c] : mean) || 1;
  return { base, unit: known ? "\u00d7 the best possible" : "\u00d7 the mean" };
}

// Loads as multiples of their base; a difference stays one.
export const scaled = (values, base) => Float64Array.from(values, (value, c) => (value === 0 ? 0 : value / base(c)));

/** @param {any[][]} stops */
const gradient = (stops) => `linear-gradient(to right, ${stops.map(([at, c]) => `${c} ${100 * at}%`).join(", ")})`;

// picture: {mode, unit}
export const legendTexts = ({ mode, unit }) =>
  mode === "difference"
    ? { ticks: ["\u22121", "\u22120.5", "0", "+0.5", "+1"], unit: `difference, ${unit}` }
    : { ticks: ["0", "0.5", "1", "1.5", number(kScaleEnd)], unit: `load, ${unit}` };
/** @returns {any[][]} */
export const legendStops = ({ mode }) =>
  mode === "difference"
    ? kDifferenceStops.map(([at, colour]) => [(Number(at) + 1) / 2, colour])
    : kLoadStops.map(([at, colour]) => [Number(at) / kScaleEnd, colour]);

export function legend(picture) {
  const { ticks, unit } = legendTexts(picture);
  const stops = legendStops(picture);
  const beyond = picture.mode !== "difference";
  return el(
    "div",
    { class: "legend" },
    el("span", { class: "swatch idle" }),
    el("span", {}, beyond ? "idle" : "alike"),
    el("span", { class: "swatch none" }),
    el("span", {}, "no cable"),
    el(
      "div",
      { class: "scale" },
      el("div", { class: "ramp", style: `background:${gradient(stops)}` }),
      el(
        "div",
        { class: "ticks" },
        ticks.map((text) => el("span", {}, text)),
      ),
    ),
    beyond && el("span", { class: "swatch", style: `background:${kBeyond}` }),
    beyond && el("span", {}, `above ${kScaleEnd}`),
    el("span", { class: "unit" }, unit),
  );
}
