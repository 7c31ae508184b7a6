// SPDX-License-Identifier: BSD-3-Clause
// Plots with uPlot in the colours of the theme. Made again when the theme or the width changes.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { css } from "./colours.js";
import { el, short } from "./dom.js";

const live = new Set();

// make() -> {options, data}; the element that holds the plot, called `label` by screen readers
export function plot(make, height, label) {
  const box = el("div", { class: "plot", role: "figure", "aria-label": label });
  const state = { box, make, height, width: 0, chart: null };
  live.add(state);
  new ResizeObserver(() => {
    if (box.clientWidth !== state.width) render(state);
  }).observe(box);
  box.redraw = () => render(state);
  return box;
}

export const redrawPlots = () => live.forEach(render);
export function forgetPlots() {
  live.forEach((state) => state.chart?.destroy());
  live.clear();
}

// An x axis needs less room than a y axis of long numbers.
const flat = (x, ...rest) => [{ ...x, size: 30, labelSize: 20 }, ...rest];

function render(state) {
  const { box } = state;
  if (box.clientWidth === 0) return;
  state.width = box.clientWidth;
  state.chart?.destroy();
  const { options, data } = state.make();
  state.chart = new uPlot(
    { width: state.width, height: state.height, ...options, axes: flat(...options.axes) },
    data,
    box,
  );
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function axis(
  label,
  values = (_, ticks) => ticks.map((v) => (v === null ? "" : Math.abs(v) >= 10000 ? compact.format(v) : short(v))),
  size = 56,
) {
  return {
    label,
    values,
    size,
    labelSize: 22,
    labelFont: "12px system-ui, sans-serif",
    font: "11px system-ui, sans-serif",
    stroke: css("--muted"),
    grid: { stroke: css("--line"), width: 1 },
    ticks: { stroke: css("--line"), width: 1 },
  };
}

// Of a logarithmic axis: lines at powers of ten alone.
export function decades(from) {
  const filter = (_, splits) =>
    splits.map((v) => (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? v : null));
  return { ...from, filter, grid: { ...from.grid, filter }, ticks: { ...from.ticks, filter } };
}

export const bars = (size = 0.8) => uPlot.paths.bars({ size: [size, 60] });
export const steps = () => uPlot.paths.stepped({ align: 1 });
