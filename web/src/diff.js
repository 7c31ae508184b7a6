// SPDX-License-Identifier: BSD-3-Clause
// The difference of two tables.
import { data } from "./data.js";
import { el, goTo, number, percent } from "./dom.js";
import { onChange, state, turns, update } from "./store.js";
import { barCell, dataTable } from "./tables.js";

const kShown = 10;

export function diff(fabric, model) {
  const body = el("div", { class: "card", id: "diff-body" });
  const begin = turns();
  const render = async () => {
    const current = begin();
    const parts = await describe(fabric, model, state.engine, state.other);
    if (current()) body.replaceChildren(...parts);
  };
  onChange(["engine", "other"], render);
  render();
  return el("section", { id: "difference", tabindex: "-1" }, el("h2", {}, "Difference of two tables"), body);
}

async function describe(fabric, model, mine, than) {
  const others = model.pickable.filter((i) => i !== mine);
  const name = data.routes[mine].name;
  const select = el(
    "select",
    {
      id: "diff-other",
      "aria-label": "The other tables",
      onchange: (event) => update({ other: Number(event.target.value) }),
    },
    el("option", { value: -1, selected: than < 0 }, "choose\u2026"),
    others.map((i) => el("option", { value: i, selected: i === than }, data.routes[i].name)),
  );
  const head = el("p", {}, el("b", {}, name), " against ", select);
  const without = [mine, than].find((i) => i >= 0 && !model.hasTables(i));
  if (without !== undefined)
    return [
      head,
      el(
        "p",
        { class: "note" },
        `There are no tables of ${data.routes[without].name} to compare: ` +
          `${data.routes[without].left_out ?? "its switches choose from groups of ports"}.`,
      ),
    ];
  if (than < 0)
    return [
      head,
      el(
        "p",
        { class: "note" },
        "Choose tables to see where they differ: the matrix above then shows the difference of their loads, " +
          "and a drawn path both ways.",
      ),
    ];
  const found = await model.difference(mine, than);
  const other = data.routes[than].name;
  const levels = fabric.levelNames
    .map((level, i) => {
      let [entries, switches, all] = [0, 0, 0];
      for (let s = 0; s < fabric.switches; ++s) {
        if (fabric.levels[s] !== i + 1) continue;
        ++all;
        entries += found.bySwitch[s];
        if (found.bySwitch[s]) ++switches;
      }
      return { level, entries, switches, all };
    })
    .reverse();
  const top = Array.from(found.bySwitch, (entries, s) => ({ entries, s }))
    .filter((x) => x.entries)
    .sort((a, b) => b.entries - a.entries || a.s - b.s)
    .slice(0, kShown);
  const targets = found.allEntries / fabric.switches;
  const paths = Array.from(found.pairsTo, (pairs, t) => ({ pairs, t, from: found.from[t] }))
    .filter((x) => x.pairs && x.from >= 0)
    .sort((a, b) => b.pairs - a.pairs || a.t - b.t)
    .slice(0, kShown);
  return [
    head,
    el(
      "p",
      { class: "facts", id: "diff-facts" },
      el("b", {}, number(found.entries)),
      ` of ${number(found.allEntries)} entries differ (${percent(found.entries, found.allEntries)}); `,
      el("b", {}, number(found.pairs)),
      ` of ${number(found.allPairs)} pairs of terminals take another route (${percent(found.pairs, found.allPairs)}).`,
    ),
    el(
      "div",
      { class: "columns even" },
      dataTable(
        ["level", "switches that differ", "entries", "share"],
        levels.map((l) => [
          l.level,
          `${number(l.switches)} of ${number(l.all)}`,
          number(l.entries),
          barCell(l.entries, l.all * targets),
        ]),
      ),
      el(
        "div",
        {},
        top.length === 0
          ? el("p", {}, `${name} and ${other} are the same tables.`)
          : [
              el("h4", {}, "Most changed switches"),
              el(
                "ul",
                { class: "flows" },
                top.map(({ s, entries }) =>
                  el(
                    "li",
                    {},
                    el(
                      "button",
                      { class: "link", onclick: () => update({ pick: { kind: "switch", s } }) },
                      fabric.switchName(s),
                    ),
                    ` ${number(entries)}`,
                  ),
                ),
              ),
            ],
      ),
    ),
    ...changedPaths(fabric, paths),
    el("p", { class: "screen" }, el("button", { onclick: () => update({ other: -1 }) }, "Clear")),
  ];
}

// Destinations to which paths changed, with one of these to draw: both ways are drawn then.
function changedPaths(fabric, paths) {
  if (paths.length === 0) return [];
  const source = ({ t, from }) => fabric.leaf.findIndex((s, other) => s === from && other !== t);
  const draw = (a, b) => {
    update({ pick: { kind: "pair", a, b } });
    goTo("map");
  };
  const rows = paths.map((one) => {
    const a = source(one);
    const text = `${fabric.endName(a)} \u2192 ${fabric.endName(one.t)}`;
    const button = el("button", { class: "link", onclick: () => draw(a, one.t) }, text);
    return [fabric.endName(one.t), number(one.pairs), button];
  });
  const table = dataTable(["to", "from terminals", "draw one"], rows, { id: "diff-paths" });
  return [el("h4", {}, "Paths that changed"), table];
}
