// SPDX-License-Identifier: BSD-3-Clause
// Colours of the theme, as CSS has them, and those of loads, which are the same in light, dark, print and
// saved pictures.
//
// A load is shown as a multiple of what scale.js says is good (1). Up to 1 it is a calm blue; above, amber,
// orange and red, ever darker, so that it can be told without red and green; beyond 2 it is purple.
import { scaleLinear } from "d3-scale";

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const kScaleEnd = 2;
export const kLoadStops = [
  [0, "#a9b8c6"],
  [0.5, "#84a3c0"],
  [1, "#5f92c4"],
  [1.1, "#8f9a8c"],
  [1.25, "#c99428"],
  [1.5, "#d4660f"],
  [2, "#b3261a"],
];
export const kBeyond = "#7b1f6a";
export const kDifferenceStops = [
  [-1, "#2f6fc0"],
  [-0.25, "#86a9d4"],
  [0, "#a4a9af"],
  [0.25, "#dba468"],
  [1, "#c9590a"],
];

// A level has one colour in every chart; what leads down is dashed or paler, hosts are grey.
const kHues = ["--accent", "--third", "--other", "--fourth", "--fifth"];
export const levelHue = (level) => (level < 1 ? "--muted" : kHues[(level - 1) % kHues.length]);

const kSteps = 240;
function table(stops) {
  const [low, high] = [stops[0][0], stops.at(-1)[0]];
  const scale = scaleLinear(
    stops.map(([at]) => at),
    stops.map(([, colour]) => colour),
  );
  const colours = Array.from({ length: kSteps + 1 }, (_, i) => String(scale(low + ((high - low) * i) / kSteps)));
  return (value) => colours[Math.max(0, Math.min(kSteps, Math.round(((value - low) / (high - low)) * kSteps)))];
}
const [loadOf, differenceOf] = [table(kLoadStops), table(kDifferenceStops)];

export const isBeyond = (load) => load > kScaleEnd * 1.01;
export const loadColour = (load) => (isBeyond(load) ? kBeyond : loadOf(load));
export const differenceColour = (difference) => differenceOf(difference);
