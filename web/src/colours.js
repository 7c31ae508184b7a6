// SPDX-License-Identifier: BSD-3-Clause
// Colours of the theme, as CSS has them, and the ramps of loads.
import { scaleLinear } from "d3-scale";

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const kLight = ["#fdeec4", "#fac27c", "#f08556", "#d14b62", "#8f2b78", "#43186a"];
const kDark = ["#33205c", "#6d2480", "#b13a73", "#e8624f", "#f8a44c", "#fcf0b0"];
export const isDark = () => css("--is-dark") === "1";

// A level has one colour in every chart; what leads down is dashed or paler, hosts are grey.
const kHues = ["--accent", "--third", "--other", "--fourth", "--fifth"];
export const levelHue = (level) => (level < 1 ? "--muted" : kHues[(level - 1) % kHues.length]);

const kSteps = 256;
function table(stops) {
  const scale = scaleLinear()
    .domain(stops.map((_, i) => i / (stops.length - 1)))
    .range(stops);
  return Array.from({ length: kSteps }, (_, i) => scale(i / (kSteps - 1)));
}

// share in [0, 1] -> colour
export function loadRamp() {
  const colours = table(isDark() ? kDark : kLight);
  return (share) => colours[Math.max(0, Math.min(kSteps - 1, Math.round(share * (kSteps - 1))))];
}
// share in [-1, 1]
export function differenceRamp() {
  const colours = table(
    isDark()
      ? ["#4aa3ff", "#274b73", "#22262c", "#7a4a22", "#ff9d3d"]
      : ["#1f6fc4", "#9cc4ee", "#f1f2f4", "#f6bd84", "#d65f00"],
  );
  return (share) => colours[Math.max(0, Math.min(kSteps - 1, Math.round(((share + 1) / 2) * (kSteps - 1))))];
}
