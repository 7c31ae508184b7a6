// SPDX-License-Identifier: BSD-3-Clause
// Loads of the chosen engine and traffic: the matrix of all channels, and their distribution.
import { css, levelHue } from "./colours.js";
import { controls } from "./controls.js";
import { counted, el, number, short } from "./dom.js";
import { kindOf, rowOf } from "./fabric.js";
import { Matrix } from "./matrix.js";
import { axis, plot } from "./plots.js";
import { populationText } from "./population.js";
import { saveButtons } from "./save.js";
import { legend } from "./scale.js";
import { onChange, state, update } from "./store.js";
import { speedText, unitOf } from "./view.js";

const kArrow = "\u2192";

export function loads(fabric, model, view) {
  const matrix = new Matrix(fabric, { pick: (c) => update({ pick: { kind: "channel", c } }), describe: view.describe });
  const facts = el("p", { class: "facts", id: "load-facts" });
  const scale = el("div");
  const distribution = loadPlot(fabric, view);
  const render = () => {
    if (!view.shown) return;
    matrix.show(view.shown.values, view.shown.mode, view.shown.unit);
    scale.replaceChildren(legend(matrix));
    facts.replaceChildren(...factsOf(fabric, view, model));
    distribution.redraw();
  };
  onChange(["loaded"], render);
  onChange(["focus"], () => matrix.setFocus(state.focus));
  onChange(["ports"], () => matrix.setOrder(state.ports === "kind"));
  matrix.setOrder(state.ports === "kind");
  matrix.setFocus(state.focus ?? []);
  render();
  const section = el(
    "section",
    { id: "loads", tabindex: "-1" },
    el("h2", {}, "Channel loads"),
    controls(fabric, model, { zooms: matrix, ports: true }),
    el(
      "div",
      { class: "card" },
      facts,
      matrix.canvas,
      el("div", { class: "under" }, scale, saveButtons("loads", { svg: () => matrix.svg(), picture: matrix, view })),
      el(
        "p",
        { class: "note screen", id: "matrix-help" },
        "Columns are switches, neighbours side by side; rows are ports, each the channel that leaves it. ",
        "Hover names the port, a click draws its switch. Zoom with the wheel after a click (or with Ctrl), drag to ",
        "move, 0 to reset. With the keyboard: arrows go from port to port, Enter draws the switch, + and - zoom.",
      ),
    ),
    el(
      "div",
      { class: "card below" },
      el("h3", {}, "Loads by level"),
      distribution,
      el("p", { class: "note" }, "Channels of each kind in falling order of load."),
    ),
  );
  return { section, matrix, redraw: () => matrix.drawNow() }; // at once: printing does not wait
}

// The bottleneck rate of the worst pair of hosts, all to all, host links included (analysis/load/all_to_all.hpp).
function worstRate(fabric, flows, hosts) {
  let least = Infinity;
  for (let c = 0; c < fabric.slots; ++c)
    if (flows[c] > 0 && fabric.gigabits(c) > 0) least = Math.min(least, fabric.gigabits(c) / flows[c]);
  return least * (hosts - 1);
}

// What the most loaded channel between switches leaves to each flow on it and, all to all, what a host gets.
function rateOf(fabric, view, model) {
  const at = view.between.at;
  const gigabits = at >= 0 ? fabric.gigabits(at) : 0;
  if (!(gigabits > 0)) return null;
  const each = gigabits / view.flows[at];
  const hosts = model.counted(state.among).length;
  const slow = gigabits < fabric.usualGigabits;
  return el(
    "span",
    { id: "load-rate" },
    `, ${number(gigabits)} Gb/s`,
    slow && el("b", { class: "poor" }, ` (slow: ${number(fabric.usualGigabits)} is usual)`),
    `: ${speedText(each)} a flow`,
    view.traffic.kind === "all" && hosts > 1 && `, ${speedText(worstRate(fabric, view.flows, hosts))} per host`,
  );
}

function factsOf(fabric, view, model) {
  const b = view.between;
  if (b.all === 0) return ["No cable joins two switches: each flow meets those of its own hosts alone."];
  const parts = [
    "Most loaded link between switches: ",
    el("b", {}, number(b.most)),
    ` ${unitOf(fabric, b.most)}`,
    b.at >= 0 &&
      el(
        "span",
        {},
        " on ",
        el(
          "button",
          { class: "link", onclick: () => update({ pick: { kind: "channel", c: b.at } }) },
          `${fabric.portName(b.at)} ${kArrow} ${fabric.portName(fabric.peer[b.at])}`,
        ),
      ),
    rateOf(fabric, view, model),
    `; mean ${b.mean > 0 && b.mean < 0.01 ? "below 0.01" : short(b.mean)}; ${number(b.used)} of ` +
      `${number(b.all)} in use; ` +
      `${populationText()}.`,
    view.lost > 0 &&
      el("span", { class: "poor" }, ` ${counted(Math.round(100 * view.lost) / 100, "flow")} without a route.`),
  ];
  return parts.filter(Boolean);
}

// Sorted loads of each kind of channel. A level has its colour; a dashed line leads down.
function loadPlot(fabric, view) {
  const groups = new Map();
  for (let c = 0; c < fabric.slots; ++c) {
    const kind = kindOf(fabric, c);
    if (kind === "free" || kind === "from" || kind === "inside") continue;
    const row = rowOf(fabric, c);
    if (!groups.has(row.name)) groups.set(row.name, { ...row, channels: [] });
    groups.get(row.name).channels.push(c);
  }
  const dash = { up: undefined, down: [7, 4], across: [2, 3] };
  const list = [...groups.values()].sort((a, b) => a.rank - b.rank).slice(0, 12);
  const kPoints = 161;
  return plot(
    () => {
      const x = Array.from({ length: kPoints }, (_, k) => (100 * k) / (kPoints - 1));
      return {
        options: {
          scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(1, high * 1.05)] } },
          cursor: { y: false },
          legend: { markers: { width: 2, dash: (_, i) => (list[i - 1]?.way === "up" ? "solid" : "dashed") } },
          series: [
            { label: "channels", value: (_, v) => (v === null ? "" : `${short(v)}%`) },
            ...list.map((row) => ({
              label: row.name,
              stroke: css(levelHue(row.level)),
              width: 2,
              dash: dash[row.way],
              value: (_, v) => (v === null ? "" : number(v)),
            })),
          ],
          axes: [axis("channels of the kind (%)"), axis(unitOf(fabric), undefined, 62)],
        },
        data: [
          x,
          ...list.map(({ channels }) => {
            const sorted = Float64Array.from(channels, (c) => view.loads[c])
              .sort()
              .reverse();
            return x.map((_, k) => sorted[Math.round((k * (sorted.length - 1)) / (kPoints - 1))]);
          }),
        ],
      };
    },
    300,
    "Loads of channels of each kind in falling order",
  );
}
