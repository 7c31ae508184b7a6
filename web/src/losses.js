// SPDX-License-Identifier: BSD-3-Clause
// The cost of losing each cable and switch, as `fatwood whatif` prints it: computed in advance, for the first
// population.
import { data } from "./data.js";
import { el, number } from "./dom.js";
import { inflate32 } from "./inflate.js";
import { populationText } from "./population.js";
import { update } from "./store.js";
import { dataTable, tableRow } from "./tables.js";

const kShown = 12;
const kColumns = ["pairs", "mload", "gigabits", "entries", "blocks"];

let kept = null; // {raw, table}

async function read(fabric) {
  const raw = data.losses;
  if (kept?.raw === raw) return kept.table;
  const [cables, switches, costs] = await Promise.all(
    [raw.cables, raw.switches, raw.costs].map((one) => inflate32(one)),
  );
  /** @type {any[]} */
  const rows = [...[...cables].map((c) => ({ c })), ...[...switches].map((s) => ({ s }))];
  const thousandths = new Set(["mload", "gigabits"]);
  rows.forEach((row, i) =>
    kColumns.forEach((name, k) => (row[name] = costs[k * rows.length + i] / (thousandths.has(name) ? 1000 : 1))),
  );
  const ofChannel = new Map();
  for (const row of rows) {
    if (row.c !== undefined) ofChannel.set(row.c, row).set(fabric.peer[row.c], row);
  }
  const ofSwitch = new Map(rows.filter((row) => row.s !== undefined).map((row) => [row.s, row]));
  kept = { raw, table: { rows, ofChannel, ofSwitch } };
  return kept.table;
}

// Worst first, as whatif ranks them.
const worse = (a, b) => b.pairs - a.pairs || a.gigabits - b.gigabits || b.mload - a.mload || b.entries - a.entries;
export async function rankedLosses(fabric) {
  return data.losses ? [...(await read(fabric)).rows].sort(worse) : [];
}

const nameOf = (fabric, row) => (row.c === undefined ? fabric.switchName(row.s) : fabric.portName(row.c));
const pickOf = (row) => (row.c === undefined ? { kind: "switch", s: row.s } : { kind: "channel", c: row.c });

// The worst switch above the leaves (a leaf takes its hosts along), and the worst cable: [{text, pick, row}]
export async function worstLosses(fabric) {
  const rows = await rankedLosses(fabric);
  const first = (fits) => rows.find(fits);
  return [first((row) => row.s !== undefined && fabric.levels[row.s] > 1), first((row) => row.c !== undefined)]
    .filter(Boolean)
    .map((row) => ({ text: nameOf(fabric, row), pick: pickOf(row), row }));
}

// A line about the cable of channel c, or about switch s where c is undefined; null: nothing is known.
export async function lossLine(fabric, s, c) {
  if (!data.losses) return null;
  const table = await read(fabric);
  const row = c === undefined ? table.ofSwitch.get(s) : table.ofChannel.get(c);
  if (row === undefined) return null;
  const { engine, mload_now: before, gigabits_now: rate } = data.losses;
  const gigabits = row.gigabits > 0 ? `, ${number(row.gigabits)} Gb/s per host (now ${number(rate)})` : "";
  return el(
    "p",
    { class: "facts", id: "loss" },
    el("b", {}, `Without this ${c === undefined ? "switch" : "cable"}: `),
    `${row.pairs ? `${number(row.pairs)} pairs lost` : "no pair lost"}; ` +
      `most loaded link ${number(row.mload)} (now ${number(before)})${gigabits}; ` +
      `${number(row.entries)} entries in ${number(row.blocks)} blocks to write (${engine}, repaired; ` +
      `${populationText(0)})`,
  );
}

// The worst switches and cables to lose.
export function losses(fabric) {
  const { engine, gigabits_now: now } = data.losses;
  const body = el("tbody");
  const known = now > 0;
  const line = (row) =>
    tableRow([
      el("button", { class: "link", onclick: () => update({ pick: pickOf(row) }) }, nameOf(fabric, row)),
      number(row.pairs),
      known ? number(row.gigabits) : number(row.mload),
      number(row.entries),
    ]);
  rankedLosses(fabric).then((rows) => {
    const [switches, cables] = [rows.filter((row) => row.c === undefined), rows.filter((row) => row.c !== undefined)];
    const head = (text) => el("tr", {}, el("th", { scope: "rowgroup", colspan: 4, class: "group" }, text));
    const part = (text, list) =>
      list.length === 0 ? [] : [head(`${text} (${number(list.length)})`), ...list.slice(0, kShown / 2).map(line)];
    body.replaceChildren(...part("Switches", switches), ...part("Cables", cables));
  });
  return el(
    "div",
    { class: "card", id: "losses" },
    el("h3", {}, "What if one dies ", el("small", {}, `${engine}, repaired; ${populationText(0)}`)),
    dataTable(
      ["lost", "pairs lost", known ? `Gb/s per host (now ${number(now)})` : "most loaded link", "entries to write"],
      body,
      { label: "Worst losses" },
    ),
    el(
      "p",
      { class: "note" },
      "Worst first. A click shows it on the map; every switch and cable has its " + "own line there.",
    ),
  );
}
