// SPDX-License-Identifier: BSD-3-Clause
// Engines side by side: one table, and how evenly each fills the channels.
import { css } from "./colours.js";
import { data } from "./data.js";
import { el, number, short } from "./dom.js";
import { axis, bars, decades, plot } from "./plots.js";
import { onChange, state, update } from "./store.js";

const total = (lost) => Object.values(lost).reduce((a, b) => a + b, 0);
// Shifts are counted for tables of one port an entry: adaptive ones have none.
const meanShift = (e) => e.shift?.mean_largest ?? 0;

// What pairs of hosts get when all send to all; shares of a port where no speed is known.
// All to all of the population that is chosen.
const figures = (e) => data.routes[data.engines.indexOf(e)].among[state.among];
const rate = (kind) => (e) => figures(e)[`${kind}_gbps`] ?? figures(e)[`${kind}_share`];
const rated = (kind) => ({ of: rate(kind), cell: (e) => short(rate(kind)(e)) });
const largest = (e) => figures(e).largest;
const cuts = (e) => figures(e).pairs?.cuts.mean ?? e.evenness_mean;

const columns = [
  { head: "engine", of: (e) => e.name, cell: name, text: true },
  {
    head: "deadlock",
    of: (e) => (e.deadlock_free ? 0 : 1),
    cell: verdict,
    text: true,
    title: "Free, proved; or a credit loop",
  },
  {
    head: "worst pair",
    ...rated("worst"),
    title: "Gb/s per host when all send to all: what the worst pair gets, and a synchronous all-to-all",
  },
  { head: "1%", ...rated("p1"), title: "The 1st percentile of pairs, Gb/s per host" },
  { head: "median", ...rated("median"), title: "The median of pairs, Gb/s per host" },
  {
    head: "cuts",
    of: cuts,
    cell: (e) => cuts(e).toFixed(3),
    title: "Load of the most loaded link of a cut over the best possible, mean of all cuts; 1 is perfect",
  },
  { head: "lanes", of: (e) => e.lanes, cell: (e) => number(e.lanes), title: "Virtual lanes it takes" },
  {
    head: "lost pairs",
    of: (e) => total(e.unreachable),
    cell: lost,
    title: "Pairs of hosts or switches without a route",
  },
  {
    head: "mean hops",
    of: (e) => e.hops.mean,
    cell: (e) => e.hops.mean.toFixed(3),
    title: "Cables between switches, between hosts",
  },
  {
    head: "most loaded link",
    of: largest,
    cell: (e) => bar(largest(e), largest),
    title: "Most flows on a channel between switches when every host sends to every other",
  },
  {
    head: "shift load",
    of: meanShift,
    cell: (e) => (e.shift ? bar(e.shift.mean_largest, meanShift) : "-"),
    title: "Flows on the most loaded link between switches, in the mean over all shifts",
  },
  {
    head: "seconds",
    of: (e) => e.seconds,
    cell: (e) => (e.seconds === 0 ? "\u2013" : e.seconds < 0.01 ? e.seconds.toFixed(4) : e.seconds.toFixed(2)),
    title: "To route, here",
  },
];

// A button where the row can be shown: the row itself can't be reached by the keyboard.
function name(e, choose) {
  return choose
    ? el(
        "button",
        { class: "link name", "aria-pressed": String(data.routes[state.engine]?.name === e.name), onclick: choose },
        e.name,
      )
    : el("b", {}, e.name);
}
function verdict(e) {
  if (e.deadlock_free) return el("span", { class: "badge good" }, "free");
  return el("span", { class: "badge poor" }, "credit loop");
}
function lost(e) {
  const count = total(e.unreachable);
  return count === 0
    ? "0"
    : el(
        "span",
        {
          class: e.unreachable.terminal_terminal ? "poor" : "",
          title: `${number(e.unreachable.terminal_terminal)} between hosts`,
        },
        number(count),
      );
}
// A bar on a logarithmic scale: engines differ by factors.
function bar(value, of) {
  const values = data.engines
    .filter((e) => !e.refused)
    .map(of)
    .filter((v) => v > 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const width = value <= 0 ? 0 : high === low ? 40 : 8 + 92 * (Math.log(value / low) / Math.log(high / low));
  return el(
    "span",
    { class: "bar" },
    el("i", { style: `width:${width.toFixed(1)}%` }),
    el("span", {}, value < 100 ? short(value) : number(Math.round(value))),
  );
}

export function engines(model) {
  const body = el("tbody");
  let sort = { column: null, down: false };
  const order = () => {
    const rows = data.engines.map((e, i) => ({ e, i })).filter(({ e }) => !e.refused);
    if (sort.column) {
      rows.sort((a, b) => {
        const [x, y] = [sort.column.of(a.e), sort.column.of(b.e)];
        return (x < y ? -1 : x > y ? 1 : 0) * (sort.down ? -1 : 1);
      });
    }
    return rows;
  };
  const render = () => {
    body.replaceChildren(
      ...order().map(({ e, i }) => {
        const live = model.shown.includes(i);
        const choose = () => update({ engine: i, other: i === state.other ? -1 : state.other });
        return el(
          "tr",
          {
            class: `${i === state.engine ? "on" : ""}${live ? " live" : ""}`,
            "data-engine": e.name,
            title: live ? "Show this engine below" : data.routes[i].left_out,
            onclick: () => live && choose(),
          },
          columns.map((column) =>
            el(
              column.text ? "th" : "td",
              column.head === "engine" ? { scope: "row" } : {},
              column.cell(e, live ? choose : null),
            ),
          ),
        );
      }),
    );
  };
  const head = el(
    "tr",
    {},
    columns.map((column) =>
      el(
        "th",
        { scope: "col", title: column.title },
        el(
          "button",
          {
            onclick: () => {
              sort = { column, down: sort.column === column && !sort.down };
              [...head.children].forEach((th, k) =>
                columns[k] === column
                  ? th.setAttribute("aria-sort", sort.down ? "descending" : "ascending")
                  : th.removeAttribute("aria-sort"),
              );
              render();
            },
          },
          column.head,
        ),
      ),
    ),
  );
  render();
  onChange(["engine", "among"], render);
  const refused = data.engines.filter((e) => e.refused);
  return el(
    "section",
    { id: "engines", tabindex: "-1" },
    el("h2", {}, "Engines compared"),
    el(
      "p",
      {},
      "Each engine routed this fabric, and its routes were verified. Choose a row to look at its channels, " +
        "proof and worst traffic below.",
    ),
    el(
      "p",
      { class: "note" },
      "Rates, cuts and the most loaded link are of the hosts that are chosen in the header; lost pairs, " +
        "hops and shifts ",
      "of all.",
    ),
    model.fabric.speedsDiffer &&
      el(
        "p",
        { class: "note" },
        `Cables differ in speed. Loads are weighed by it: a load of 1 is one flow on a channel of ` +
          `${number(model.fabric.usualGigabits)} Gb/s.`,
      ),
    data.recommendation && el("p", { id: "recommendation" }, el("b", {}, "Recommended: "), data.recommendation.reason),
    el(
      "div",
      { class: "card scroll", role: "region", "aria-label": "Engines compared", tabindex: "0" },
      el("table", { class: "data engines" }, el("thead", {}, head), body),
      refused.length > 0 &&
        el(
          "ul",
          { class: "refused" },
          refused.map((e) => el("li", {}, el("b", {}, e.name), ` does not route this fabric: ${e.refused}`)),
        ),
    ),
    el("div", { class: "columns even" }, curves(), hops()),
  );
}

const chosen = () => [state.engine, state.other].filter((i) => i >= 0);

// Channels in falling order of their flows, of every engine; the chosen one stands out.
const curveOf = (routes) => routes.among[state.among].curve;
function curves() {
  const over = el("b", {});
  const shown = data.routes.map((r, i) => ({ ...r, i })).filter((r) => r.among?.[0].curve.length);
  const box = plot(
    () => {
      const points = shown[0]?.among[0].curve.length ?? 0;
      const x = Array.from({ length: points }, (_, k) => (100 * k) / Math.max(1, points - 1));
      const order = [...shown].sort((a, b) => Number(chosen().includes(a.i)) - Number(chosen().includes(b.i)));
      const colour = (i) =>
        i === state.engine ? css("--accent") : i === state.other ? css("--other") : css("--faint");
      return {
        options: {
          scales: { x: { time: false }, y: { distr: 3 } },
          legend: { show: false },
          cursor: { y: false, focus: { prox: 24 } },
          focus: { alpha: 0.35 },
          series: [
            {},
            ...order.map((r) => ({ label: r.name, stroke: colour(r.i), width: chosen().includes(r.i) ? 2.5 : 1.2 })),
          ],
          axes: [axis("channels, most loaded first (%)"), decades(axis("flows, all to all", undefined, 62))],
          hooks: {
            draw: [(u) => nameLines(u, order)],
            setSeries: [(_, i) => (over.textContent = i === null ? "" : ` Here: ${order[i - 1].name}.`)],
          },
        },
        data: [x, ...order.map((r) => curveOf(r).map((v) => Math.max(v, 1)))],
      };
    },
    300,
    "Flows of channels between switches in falling order, a line for each engine",
  );
  onChange(["engine", "other", "among"], () => box.redraw());
  if (shown.length === 0)
    return el(
      "div",
      { class: "card" },
      el("h3", {}, "How evenly channels are filled"),
      el("p", {}, "No cable joins two switches."),
    );
  return el(
    "div",
    { class: "card" },
    el("h3", {}, "How evenly channels are filled"),
    box,
    el(
      "p",
      { class: "note" },
      "Channels between switches when every host sends to every other. A flat line is an even one; the " +
        "scale is logarithmic.",
      over,
    ),
  );
}

// Names at the left ends of the lines, those that have room.
function nameLines(u, order) {
  const context = u.ctx;
  const ratio = devicePixelRatio || 1;
  context.save();
  context.font = `${11 * ratio}px system-ui, sans-serif`;
  context.textAlign = "left";
  context.textBaseline = "bottom";
  const taken = [];
  for (const r of [...order].reverse()) {
    const k = Math.floor(curveOf(r).length * 0.012);
    const y = u.valToPos(Math.max(curveOf(r)[k], 1), "y", true);
    if (taken.some((other) => Math.abs(other - y) < 12 * ratio)) continue;
    taken.push(y);
    context.fillStyle = r.i === state.engine ? css("--accent") : r.i === state.other ? css("--other") : css("--muted");
    // On a line of the background, so that curves don't run through the letters.
    context.strokeStyle = css("--surface");
    context.lineWidth = 4 * ratio;
    context.lineJoin = "round";
    context.strokeText(r.name, u.bbox.left + 10 * ratio, y - 1);
    context.fillText(r.name, u.bbox.left + 10 * ratio, y - 1);
  }
  context.restore();
}

function hops() {
  const box = plot(
    () => {
      const list = chosen().map((i) => data.routes[i]);
      const longest = Math.max(...list.map((r) => r.hops.length));
      const x = Array.from({ length: longest }, (_, h) => h);
      const share = (r) => x.map((h) => (100 * (r.hops[h] ?? 0)) / r.hops.reduce((a, b) => a + b, 0));
      return {
        options: {
          scales: {
            x: { time: false, range: () => [-0.6, longest - 0.4] },
            y: { range: (_, low, high) => [0, Math.max(1, high * 1.1)] },
          },
          legend: { show: list.length > 1 },
          cursor: { y: false },
          series: [
            { label: "hops" },
            ...list.map((r, k) => ({
              label: r.name,
              stroke: css(k ? "--other" : "--accent"),
              fill: k ? "transparent" : css("--accent-soft"),
              width: k ? 2 : 1,
              paths: bars(k ? 0.5 : 0.75),
              points: { show: false },
            })),
          ],
          axes: [
            {
              ...axis("cables between switches on the way", (_, ticks) =>
                ticks.map((v) => (Number.isInteger(v) ? v : "")),
              ),
              incrs: [1, 2, 5],
            },
            axis("pairs of hosts (%)", (_, ticks) => ticks.map(short)),
          ],
        },
        data: [x, ...list.map(share)],
      };
    },
    300,
    "Share of pairs of hosts by hops",
  );
  onChange(["engine", "other"], () => box.redraw());
  if (data.show.hosts < 2)
    return el(
      "div",
      { class: "card" },
      el("h3", {}, "How long the routes are"),
      el("p", {}, "There are no two hosts."),
    );
  return el(
    "div",
    { class: "card" },
    el("h3", {}, "How long the routes are"),
    box,
    el("p", { class: "note" }, "Of the engine chosen above; 0 hops: both hosts on one switch."),
  );
}

export const engineName = (i) => data.routes[i].name;
