// SPDX-License-Identifier: BSD-3-Clause
// What hosts get when all send to all, what limits them, and which missing cables would help.
import { data } from "./data.js";
import { counted, el, goTo, number, percent, short } from "./dom.js";
import { populationText } from "./population.js";
import { onChange, state, update } from "./store.js";
import { dataTable } from "./tables.js";

const kShown = 8;

export function limits(fabric) {
  const body = el("div", { class: "card", id: "limits" });
  const render = () => body.replaceChildren(...describe(fabric));
  onChange(["engine", "among"], render);
  render();
  return body;
}

const mark = (text, channels, pairs = []) => {
  update({ marked: { text, channels, pairs } });
  goTo("map");
};
// Gb/s, or the share of a port where no speed is known.
const rate = (gbps, share) => (gbps === null || gbps === undefined ? percent(share, 1) : `${short(gbps)} Gb/s`);

function describe(fabric) {
  const routes = data.routes[state.engine];
  const parts = routes.among?.[state.among].pairs
    ? pairsOf(fabric, routes)
    : [
        el("h3", {}, "Bottlenecks"),
        el(
          "p",
          {},
          `Not known of ${routes.name}: ` +
            `${routes.groups ? "its switches choose among ports" : "it has no tables here, or hosts without a route"}.`,
        ),
      ];
  return [...parts, ...putBack(fabric)].filter(Boolean);
}

function pairsOf(fabric, routes) {
  const { rates, bottlenecks, slots, levels } = routes.among[state.among].pairs;
  const known = rates.port_gbps !== null;
  return [
    el("h3", {}, `What hosts get with ${routes.name} `, el("small", {}, `all to all, ${populationText()}`)),
    known &&
      el(
        "div",
        { class: "rates" },
        [
          ["worst pair", rates.worst_gbps],
          ["1% of pairs", rates.p1_gbps],
          ["median", rates.median_gbps],
          ["port", rates.port_gbps],
        ].map(([name, value]) => el("div", {}, el("b", {}, short(value)), el("span", {}, name))),
      ),
    known &&
      el(
        "p",
        { class: "note" },
        "Gb/s a host: the least capacity over flows on a pair's path, times the other hosts. The worst pair " +
          "is what a synchronous all-to-all gets.",
      ),
    evenness(fabric, levels),
    bottlenecks.length > 0 && el("h4", {}, "Bottlenecks"),
    bottlenecks.length > 0 &&
      table(
        "bottlenecks",
        ["links of", "links", "pairs", known ? "Gb/s" : "", known ? "at best" : ""],
        bottlenecks.slice(0, kShown).map((one, i) => {
          const name = one.name ?? fabric.portName(slots[i][0]);
          const text =
            `${name}${one.crossing ? `, ${one.crossing}` : ""}: ` +
            `${counted(slots[i].length, "link")} that limit ${counted(one.pairs, "pair")}`;
          return [
            el(
              "button",
              { class: "link", onclick: () => mark(text, slots[i]) },
              `${name}${one.crossing ? ` ${one.crossing}` : ""}`,
            ),
            number(slots[i].length),
            number(one.pairs),
            known ? short(one.gbps) : "",
            known && one.best_possible_gbps !== null ? short(one.best_possible_gbps) : "",
          ];
        }),
      ),
    bottlenecks.length > kShown &&
      el(
        "p",
        { class: "note" },
        `and ${number(bottlenecks.length - kShown)} more${bottlenecks.length === 50 ? " or further ones" : ""}.`,
      ),
    bottlenecks.length === 0 && el("p", { class: "note" }, "No link between switches limits any pair: host ports do."),
  ];
}

function evenness(fabric, levels) {
  if (levels.length === 0) return null;
  return el(
    "div",
    {},
    el("h4", {}, "Evenness by level"),
    table(
      "evenness",
      ["links above", "cuts", "mean", "worst", "above 1.02"],
      levels.map((row) => [
        `${fabric.levelNames[row.level - 1] ?? row.level}, ${row.crossing === "out" ? "up" : "down"}`,
        number(row.cuts),
        row.mean.toFixed(3),
        row.worst.toFixed(3),
        number(row.above),
      ]),
    ),
    el(
      "p",
      { class: "note" },
      "The most loaded link of each cut over the least that tables could have there. 1 is the best possible.",
    ),
  );
}

const table = (id, heads, rows) => dataTable(heads, rows, { id });

// {name, now, then, one (of data.put_back)} of each cable whose return would help, the worst cut first.
export function putBackRows(fabric) {
  const port = fabric.usualGigabits || null;
  const end = (ports, s) => (ports.length ? ports.map((c) => fabric.portName(c)).join(", ") : fabric.switchName(s));
  return data.put_back[state.among].map((one) => ({
    one,
    name: `${end(one.ports_below, one.below)} \u2013 ${end(one.ports_above, one.above)}`,
    now: rate(port && one.now * port, one.now),
    then: rate(port && one.then * port, one.then),
  }));
}
export const markMissing = (fabric, one) =>
  mark(`missing: ${fabric.switchName(one.below)} \u2013 ${fabric.switchName(one.above)}`, [], [[one.below, one.above]]);

function putBack(fabric) {
  const rows = putBackRows(fabric);
  const lacking = fabric.missing.reduce((sum, [, , there, usual]) => sum + usual - there, 0);
  if (lacking === 0) return [];
  const gain = rows.reduce((sum, { one }) => sum + one.cables, 0);
  const first = rows.length > kShown ? `The first ${kShown} of ${number(gain)}. ` : "";
  const others = lacking > gain ? `${number(lacking - gain)} more are missing and limit nothing.` : "";
  return [
    el("h4", {}, "Cables worth putting back"),
    rows.length === 0
      ? el(
          "p",
          { class: "note" },
          `Missing: ${counted(lacking, "cable")}. None of them limits what hosts ` + `could get at best.`,
        )
      : table(
          "put-back",
          ["cable", "of cut", "at best now", "with it"],
          rows
            .slice(0, kShown)
            .map(({ one, name, now, then }) => [
              el("button", { class: "link", onclick: () => markMissing(fabric, one) }, name),
              one.cut,
              now,
              then,
            ]),
        ),
    rows.length > 0 &&
      el(
        "p",
        { class: "note" },
        `${first}What pairs that leave the cut can get at best, with any routing; `,
        el("code", {}, "fatwood whatif"),
        ` says what tables make of it. ${others}`,
      ),
  ];
}
