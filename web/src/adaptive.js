// SPDX-License-Identifier: BSD-3-Clause
// Adaptive tables: what the loss of one cable does before the subnet manager acts, and what luck of
// the hash does to the most loaded link. Computed in advance, as `verify` and `load` print it.
import { css } from "./colours.js";
import { data } from "./data.js";
import { counted, el, number, percent, short } from "./dom.js";
import { axis, plot } from "./plots.js";
import { onChange, state, update } from "./store.js";
import { barCell, dataTable } from "./tables.js";

const kWays = ["up", "down", "across"];

export function adaptive(fabric, model) {
  const body = el("div", { id: "adaptive-body" });
  const render = () => body.replaceChildren(...describe(fabric, model));
  onChange(["engine"], render);
  render();
  return el("section", { id: "adaptive", tabindex: "-1" }, el("h2", {}, "Adaptive tables"), body);
}

function describe(fabric, model) {
  const name = data.routes[state.engine].name;
  const found = data.adaptive.find((one) => one.engine === name);
  if (!found) {
    const choices = data.adaptive
      .map((one) => data.routes.findIndex((routes) => routes.name === one.engine))
      .filter((i) => model.shown.includes(i));
    return [
      el(
        "div",
        { class: "card" },
        el(
          "p",
          {},
          `${name} has one port an entry: its switches choose nothing. Look at `,
          choices.map((i, k) => [
            k ? ", " : "",
            el(
              "button",
              { class: "link", onclick: () => update({ engine: i, other: i === state.other ? -1 : state.other }) },
              data.routes[i].name,
            ),
          ]),
          ", whose switches do.",
        ),
      ),
    ];
  }
  return [el("div", { class: "columns even" }, coverage(fabric, found), hashed(found))];
}

function coverage(fabric, found) {
  const level = (row) =>
    row.level === 0 ? "all" : `${fabric.levelNames[row.level - 1] ?? row.level} ${kWays[row.way]}`;
  const pick = (a, b) => {
    update({ pick: { kind: "pair", a, b } });
  };
  const first = found.first;
  return el(
    "div",
    { class: "card", id: "coverage" },
    el("h3", {}, "When a cable is lost"),
    el(
      "p",
      {},
      "Before the subnet manager acts, a switch takes another port of the group. An entry with one port has " +
        "none: its packets are lost.",
    ),
    dataTable(
      ["entries that lead", "entries", "with one port", "share"],
      found.rows.map((row) => [
        level(row),
        number(row.entries),
        number(row.one_port),
        barCell(row.one_port, row.entries),
      ]),
    ),
    el(
      "p",
      { class: "facts" },
      el("b", {}, number(found.exposed)),
      ` of ${number(found.pairs)} pairs of terminals (${percent(found.exposed, found.pairs)}) can lose ` +
        `packets by one cable if switches tell nobody; `,
      el("b", {}, number(found.exposed_notified)),
      ` (${percent(found.exposed_notified, found.pairs)}) if they tell each other.`,
    ),
    first &&
      el(
        "p",
        {},
        "The first: ",
        el(
          "button",
          { class: "link", onclick: () => pick(first.source, first.destination) },
          `${fabric.endName(first.source)} \u2192 ${fabric.endName(first.destination)}`,
        ),
        " when ",
        el(
          "button",
          { class: "link", onclick: () => update({ pick: { kind: "channel", c: first.cable } }) },
          `${fabric.portName(first.cable)} \u2013 ${fabric.portName(fabric.peer[first.cable])}`,
        ),
        " fails.",
      ),
    masked(fabric, found, pick),
  );
}

function masked(fabric, found, pick) {
  const { first_risky: risky, risky: entries } = found;
  if (!risky)
    return el(
      "p",
      { class: "note", id: "masked" },
      "Masked ports: every part of a group that is left is as safe as the whole.",
    );
  return el(
    "p",
    { class: "poor", id: "masked" },
    `${number(entries)} ${entries === 1 ? "entry loses" : "entries lose"} packets when their good ports are ` +
      `masked. The first is of `,
    el(
      "button",
      { class: "link", onclick: () => pick(-1 - risky.switch, risky.destination) },
      `${fabric.switchName(risky.switch)} \u2192 ${fabric.endName(risky.destination)}`,
    ),
    `: port ${risky.port}${risky.group === null ? "" : ` of group ${risky.group}`} leads astray.`,
  );
}

function hashed(found) {
  const title = el("h3", {}, "When ports are chosen by hash");
  if (found.hashed.length === 0)
    return el("div", { class: "card" }, title, el("p", {}, `Not found: ${found.why_no_hashed}.`));
  const rows = found.hashed;
  const colours = ["--accent", "--other", "--poor"];
  const kinds = ["median", "p99", "worst"];
  const chart = plot(
    () => ({
      options: {
        scales: { x: { time: false, distr: 3, log: 2 }, y: { range: (_, low, high) => [0, Math.ceil(high * 1.1)] } },
        cursor: { y: false },
        series: [
          { label: "queue pairs", value: (_, v) => (v === null ? "" : number(v)) },
          ...kinds.map((kind, k) => ({
            label: kind,
            stroke: css(colours[k]),
            width: 2,
            points: { show: true, size: 6 },
            dash: k === 0 ? undefined : k === 1 ? [7, 4] : [2, 3],
            value: (_, v) => (v === null ? "" : short(v)),
          })),
        ],
        axes: [
          {
            ...axis("queue pairs a connection", (_, ticks) => ticks.map((v) => (v === null ? "" : number(v)))),
            splits: () => rows.map((row) => row.queue_pairs),
          },
          axis("load of the most loaded link", (_, ticks) => ticks.map(short)),
        ],
        legend: { markers: { width: 2, dash: (_, i) => (i > 1 ? "dashed" : "solid") } },
      },
      data: [rows.map((row) => row.queue_pairs), ...kinds.map((kind) => rows.map((row) => row.fullest[kind]))],
    }),
    240,
    "Load of the most loaded link by queue pairs: median, p99 and worst",
  );
  return el(
    "div",
    { class: "card", id: "hashed" },
    title,
    chart,
    dataTable(
      [
        "queue pairs",
        "most loaded link, median",
        "p99",
        "worst",
        "slowest flow gets, median",
        "p99",
        "worst",
        "channels used",
      ],
      rows.map((row) => [
        number(row.queue_pairs),
        ...kinds.map((kind) => short(row.fullest[kind])),
        ...kinds.map((kind) => percent(row.slowest[kind], 1)),
        percent(row.used, 1),
      ]),
    ),
    el(
      "p",
      { class: "note" },
      `A random permutation of the hosts. Each queue pair takes a port of each group by itself; over ` +
        `${counted(found.seeds, "seed")} of the hash. `,
      "1: the most loaded link carries one flow.",
      found.seeds < 100 && " With fewer than 100 seeds the p99 is the worst.",
    ),
  );
}
