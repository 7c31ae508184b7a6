// SPDX-License-Identifier: BSD-3-Clause
// Loads of the chosen engine and traffic: for the drawing of the fabric (map.js) and in the matrix,
// with the card of what was picked.
import { focusOf, picked } from "./cards.js";
import { css, levelHue } from "./colours.js";
import { controls } from "./controls.js";
import { data } from "./data.js";
import { counted, el, number, short } from "./dom.js";
import { kindOf, rowOf } from "./fabric.js";
import { Matrix } from "./matrix.js";
import { axis, plot } from "./plots.js";
import { saveButtons } from "./save.js";
import { onChange, state, turns, update } from "./store.js";

const kArrow = "\u2192";

// map: the drawing, or null
export function loads(fabric, model, view, map) {
  const matrix = new Matrix(fabric, { pick: (c) => update({ pick: { kind: "channel", c } }), describe: view.describe });
  const facts = el("p", { class: "facts", id: "load-facts" });
  const legend = el("div");
  const panel = el("div", {
    class: "card",
    id: "picked",
    role: "region",
    "aria-label": "What was picked",
    "aria-live": "polite",
    tabindex: "-1",
  });

  const [beginLoads, beginPick] = [turns(), turns()];
  const refresh = async () => {
    const current = beginLoads();
    // Of routes without tables there is all to all alone, and it is compared with the same.
    const flowsOnly = [state.engine, state.other].some((i) => i >= 0 && !model.canRoute(i));
    const [traffic, hostsOnly] = flowsOnly ? [{ kind: "all" }, false] : [state.traffic, state.hostsOnly];
    const mine = await model.loads(state.engine, traffic, hostsOnly);
    const other = state.other >= 0 ? await model.loads(state.other, traffic, hostsOnly) : null;
    if (!current()) return;
    setLoads(fabric, view, mine, other);
    for (const drawing of [matrix, map]) drawing?.show(view.shown.values, view.shown.mode, view.shown.most);
    legend.replaceChildren(matrix.legend());
    facts.replaceChildren(...factsOf(fabric, view, mine, model, traffic));
    distribution.redraw();
    drawPick();
    update({ loaded: mine });
    document.documentElement.dataset.loads = `${state.engine} ${JSON.stringify(state.traffic)}`;
  };
  const drawPick = async () => {
    const current = beginPick();
    const [parts, focus] = [await picked(fabric, model, view), await focusOf(fabric, model)];
    if (!current()) return;
    panel.replaceChildren(...parts);
    matrix.setFocus(focus);
    map?.setPicked({ ...state.pick, path: state.pick.kind === "pair" ? focus : [] });
  };
  const distribution = loadPlot(fabric, view);
  onChange(["engine", "other", "traffic", "hostsOnly", "countFlows"], refresh);
  onChange(["pick"], drawPick);
  onChange(["ports"], () => matrix.setOrder(state.ports === "kind"));
  matrix.setOrder(state.ports === "kind");
  matrix.refreshed = refresh();
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
      el("div", { class: "under" }, legend, saveButtons("loads", { svg: () => matrix.svg() })),
      el(
        "p",
        { class: "note screen", id: "matrix-help" },
        "Columns are switches, neighbours side by side; rows are ports, each the channel that leaves it. Hover names the port, a click draws its switch. ",
        "Zoom with the wheel after a click (or with Ctrl), drag to move, 0 to reset. With the keyboard: arrows go from port to port, Enter draws the switch, + and - zoom.",
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
  return {
    section,
    panel,
    matrix,
    redraw: () => {
      matrix.drawNow(); // at once: printing does not wait
      map?.drawNow();
      legend.replaceChildren(matrix.legend());
      drawPick();
    },
  };
}

// flows: as they are; loads: weighed by the speed of channels, unless they are to be counted
export function newView(fabric) {
  const view = { loads: new Float64Array(fabric.slots), flows: null, most: 1, other: null };
  view.describe = (c) => describe(fabric, view, c);
  return view;
}

function setLoads(fabric, view, mine, other) {
  const weighed = (flows) =>
    state.countFlows || !fabric.speedsDiffer ? flows : flows.map((value, c) => value * fabric.weight(c));
  view.flows = mine;
  view.loads = weighed(mine);
  view.other = other && weighed(other);
  view.otherName = data.routes[state.other]?.name;
  view.between = betweenSwitches(fabric, view.loads);
  // Of one switch alone, hosts are all there is to see.
  view.most = Math.max(
    1e-9,
    view.between.all ? view.between.most : view.loads.reduce((most, value) => Math.max(most, value), 0),
  );
  view.shown = { values: view.loads, mode: "load", most: view.most };
  if (!other) return;
  const delta = view.loads.map((value, c) => value - view.other[c]);
  let most = 0;
  for (let c = 0; c < delta.length; ++c)
    if (fabric.owner[c] >= fabric.adapters) most = Math.max(most, Math.abs(delta[c]));
  view.shown = { values: delta, mode: "difference", most };
}

function betweenSwitches(fabric, loads) {
  let [most, at, sum, used, all] = [0, -1, 0, 0, 0];
  for (let c = 0; c < fabric.slots; ++c) {
    if (fabric.owner[c] < fabric.adapters || fabric.nextSwitch[c] < 0) continue;
    ++all;
    sum += loads[c];
    if (loads[c] > 0) ++used;
    if (loads[c] > most) [most, at] = [loads[c], c];
  }
  return { most, at, mean: all ? sum / all : 0, used, all };
}

const unit = (fabric, count = 2) => {
  const flows = count === 1 ? "flow" : "flows";
  return fabric.speedsDiffer && !state.countFlows ? `${flows} at ${number(fabric.usualGigabits)} Gb/s` : flows;
};
// "17.5 Mb/s", "2.5 Gb/s"
const speedText = (gigabits) => (gigabits >= 1 ? `${short(gigabits)} Gb/s` : `${short(gigabits * 1000)} Mb/s`);

// The bottleneck rate of the worst pair of hosts, all to all, host links included (analysis/load/all_to_all.hpp).
function worstRate(fabric, flows, hosts) {
  let least = Infinity;
  for (let c = 0; c < fabric.slots; ++c)
    if (flows[c] > 0 && fabric.gigabits(c) > 0) least = Math.min(least, fabric.gigabits(c) / flows[c]);
  return least * (hosts - 1);
}

// What the most loaded channel between switches leaves to each flow on it and, all to all, what a host gets.
function rateOf(fabric, view, model, traffic) {
  const at = view.between.at;
  const gigabits = at >= 0 ? fabric.gigabits(at) : 0;
  if (!(gigabits > 0)) return null;
  const each = gigabits / view.flows[at];
  const hosts = model.counted(true).length;
  const slow = gigabits < fabric.usualGigabits;
  return el(
    "span",
    { id: "load-rate" },
    `, ${number(gigabits)} Gb/s`,
    slow && el("b", { class: "poor" }, ` (slow: ${number(fabric.usualGigabits)} is usual)`),
    `: ${speedText(each)} a flow`,
    traffic.kind === "all" && hosts > 1 && `, ${speedText(worstRate(fabric, view.flows, hosts))} per host`,
  );
}

function factsOf(fabric, view, loads, model, traffic) {
  const b = view.between;
  if (b.all === 0) return ["No cable joins two switches: each flow meets those of its own hosts alone."];
  const parts = [
    "Most loaded link between switches: ",
    el("b", {}, number(b.most)),
    ` ${unit(fabric, b.most)}`,
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
    rateOf(fabric, view, model, traffic),
    `; mean ${b.mean > 0 && b.mean < 0.01 ? "below 0.01" : short(b.mean)}; ${number(b.used)} of ${number(b.all)} in use.`,
    loads.lost > 0 &&
      el("span", { class: "poor" }, ` ${counted(Math.round(100 * loads.lost) / 100, "flow")} without a route.`),
  ];
  return parts.filter(Boolean);
}

function describe(fabric, view, c) {
  const kind = kindOf(fabric, c);
  const name = fabric.portName(c);
  if (kind === "free") return [name, "no cable"];
  const peer = fabric.peer[c];
  const rate = fabric.rateNames[fabric.rates[c]];
  const words = {
    up: "up",
    down: "down",
    across: "within the level",
    host: "to a host",
    inside: "to the switch's aggregation node",
    from: "from a host",
  };
  const lines = [`${name} ${kArrow} ${fabric.portName(peer)}`, [words[kind], rate].filter(Boolean).join(", ")];
  const flows = view.flows?.[c] ?? 0;
  const times = view.between?.mean ? `, ${short(view.loads[c] / view.between.mean)} x the mean` : "";
  lines.push(
    view.loads[c] === flows
      ? `${number(flows)} ${flows === 1 ? "flow" : "flows"}${times}`
      : `${number(flows)} ${flows === 1 ? "flow" : "flows"}, as ${number(view.loads[c])} at ${number(fabric.usualGigabits)} Gb/s${times}`,
  );
  if (flows > 0 && fabric.gigabits(c) > 0) lines.push(`${speedText(fabric.gigabits(c) / flows)} for each`);
  if (view.sent?.(c)) lines.push(view.sent(c));
  if (view.other) lines.push(`${view.otherName}: ${number(view.other[c])} ${unit(fabric)}`);
  return lines;
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
          axes: [axis("channels of the kind (%)"), axis(unit(fabric), undefined, 62)],
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
