// SPDX-License-Identifier: BSD-3-Clause
// The ports of the fabric as a table that can be sorted and filtered: load, and what a run measured.
import { el, number, short } from "./dom.js";
import { kindOf } from "./fabric.js";
import { measured, textOf } from "./measured.js";
import { onChange, turns, update } from "./store.js";
import { dataTable } from "./tables.js";

const kShown = 25;
const kFurther = 100;
const kFewToSort = 4000;

/** @type {[string, (fabric: any, c: number) => boolean][]} */
const kinds = [
  ["ports of switches", (fabric, c) => fabric.owner[c] >= fabric.adapters],
  ["between switches", (fabric, c) => fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] >= 0],
  ["to hosts", (fabric, c) => fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] < 0],
  ["of hosts", (fabric, c) => fabric.owner[c] < fabric.adapters],
];

const kMany = 60000; // ports

export function ports(fabric, view) {
  const chosen = { kind: 0, text: "", key: "load", down: true, shown: kShown };
  const begin = turns();
  const table = el("div", { id: "ports-table" });
  const said = el("p", { class: "note", id: "ports-said", role: "status" });
  const more = el("button", { id: "ports-more", type: "button" }, "Show more");
  const render = async () => {
    if (!view.shown) return; // loads are still being counted
    const current = begin();
    const found = await measured(fabric);
    // Each step of it is long for many ports: the page can do something else between two.
    const breath = () => fabric.slots > kMany && new Promise((done) => setTimeout(done));
    await breath();
    if (!current()) return;
    const columns = columnsOf(fabric, view, found);
    const column = columns.find(({ key }) => key === chosen.key) ?? columns[0];
    await breath();
    if (!current()) return;
    const all = candidates(fabric, chosen);
    await breath();
    if (!current()) return;
    const rows = best(all, column.key === "port" ? null : column.values, chosen.down, chosen.shown);
    const focused = document.activeElement?.closest?.("[data-sort]")?.getAttribute("data-sort");
    table.replaceChildren(
      dataTable(
        columns.map((one) => heading(one, chosen, render)),
        rows.map((c) => columns.map((one) => one.cell(c))),
        { label: "Ports" },
      ),
    );
    table.querySelector(`[data-sort="${focused}"]`)?.focus({ preventScroll: true });
    said.textContent = `${number(rows.length)} of ${number(all.length)} ports.`;
    more.hidden = rows.length === all.length;
  };
  const choose = (changes) => {
    Object.assign(chosen, { shown: kShown }, changes);
    render();
  };
  more.addEventListener("click", () => choose({ shown: chosen.shown + kFurther }));
  const filter = el("input", {
    id: "ports-filter",
    type: "search",
    placeholder: "name of a switch, host or port",
    "aria-label": "Filter ports by name",
    oninput: () => choose({ text: filter.value.trim().toLowerCase() }),
  });
  const kind = el(
    "select",
    { id: "ports-kind", "aria-label": "Which ports", onchange: () => choose({ kind: Number(kind.value) }) },
    kinds.map(([name], i) => el("option", { value: i }, name)),
  );
  onChange(["loaded"], render);
  render();
  return el(
    "section",
    { id: "all-ports", tabindex: "-1" },
    el("h2", {}, "Ports"),
    el("div", { class: "card" }, el("p", { class: "buttons" }, filter, kind), said, table, more),
  );
}

function heading(column, chosen, render) {
  const on = chosen.key === column.key;
  const sort = () => {
    const again = chosen.key === column.key;
    Object.assign(chosen, { key: column.key, down: again ? !chosen.down : column.key !== "port", shown: kShown });
    render();
  };
  return el(
    "th",
    { scope: "col", "aria-sort": on ? (chosen.down ? "descending" : "ascending") : "none" },
    el("button", { type: "button", class: "link", "data-sort": column.key, onclick: sort }, column.title),
    on ? (chosen.down ? " \u2193" : " \u2191") : "",
  );
}

// [{key, title, values (by slot), cell(c)}]
function columnsOf(fabric, view, found) {
  const pick = (c) => {
    const s = fabric.owner[c] - fabric.adapters;
    update({ pick: s < 0 ? { kind: "host", t: fabric.terminalAt[c] } : { kind: "channel", c } });
  };
  const port = (c) => el("button", { class: "link", onclick: () => pick(c) }, fabric.portName(c));
  const share = view.shown.mode === "load" ? view.shown.values : view.loads;
  const unit = view.shown.mode === "load" ? view.shown.unit.replace(/^load, /, "") : "flows";
  const gigabits = new Float64Array(fabric.slots);
  for (let c = 0; c < fabric.slots; ++c) gigabits[c] = fabric.gigabits(c);
  return [
    { key: "port", title: "port", cell: port },
    { key: "peer", title: "peer", values: fabric.peer, cell: (c) => fabric.portName(fabric.peer[c]) },
    { key: "speed", title: "speed", values: gigabits, cell: (c) => fabric.rateNames[fabric.rates[c]] || "\u2013" },
    {
      key: "load",
      title: `load, ${unit}`,
      values: share,
      cell: (c) => (kindOf(fabric, c) === "inside" ? "\u2013" : short(share[c])),
    },
    ...(found?.columns ?? []).map((one) => ({ ...one, cell: (c) => textOf(one, c) })),
    ...(found?.fec ? [fecColumn(fabric, found)] : []),
  ];
}
const fecColumn = (fabric, { fec }) => ({
  key: "fec",
  title: "FEC",
  values: fecOrder(fabric, { fec }),
  cell: (c) => fec(c) || "\u2013",
});
const fecOrder = (fabric, found) => {
  const names = [...new Set(Array.from({ length: fabric.slots }, (_, c) => found.fec(c)))].sort();
  return Float64Array.from({ length: fabric.slots }, (_, c) => names.indexOf(found.fec(c)));
};

// Slots with a cable that the reader wants: "leaf 3[5]" is port 5 of names with "leaf" and "3".
function candidates(fabric, { kind, text }) {
  const [, name, port] = /^(.*?)(?:\[(\d*)\]?)?$/.exec(text);
  const words = name.split(/\s+/).filter(Boolean);
  const fits = fabric.names.map((one) => {
    if (words.length === 0) return true;
    const lower = one.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
  const takes = kinds[kind][1];
  const found = [];
  for (let c = 0; c < fabric.slots; ++c) {
    const peer = fabric.peer[c];
    if (peer === 0xffffffff || !takes(fabric, c)) continue;
    const [here, there] = [fits[fabric.owner[c]], fits[fabric.owner[peer]]];
    if (port ? here && String(fabric.port(c)) === port : here || there) found.push(c);
  }
  return found;
}

// The first `count` by values, those that are not known last; by number where values are null. Of very many only
// those are sorted that are better than the value at the end.
function best(list, values, down, count) {
  if (!values) return (down ? [...list].reverse() : list).slice(0, count);
  const least = down ? -Infinity : Infinity;
  const value = (c) => (Number.isNaN(values[c]) ? least : values[c]);
  let few = list;
  if (list.length > kFewToSort) {
    const all = new Float64Array(list.length);
    list.forEach((c, i) => (all[i] = value(c)));
    all.sort();
    const end = all[down ? Math.max(0, all.length - count) : Math.min(all.length - 1, count - 1)];
    const better = list.filter((c) => (down ? value(c) > end : value(c) < end));
    const equal = list.filter((c) => value(c) === end).slice(0, count);
    few = [...better, ...equal];
  }
  const sign = down ? -1 : 1;
  const order = (a, b) => (value(a) === value(b) ? a - b : value(a) < value(b) ? -sign : sign);
  return [...few].sort(order).slice(0, count);
}
