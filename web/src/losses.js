// SPDX-License-Identifier: BSD-3-Clause
// The cost of losing a cable or switch, as `fatwood whatif` prints it: computed in advance.
import { data, inflate32 } from "./data.js";
import { el, number } from "./dom.js";

let table = null;

async function read(fabric) {
  const raw = data.losses;
  const [cables, switches, costs] = await Promise.all([
    inflate32(raw.cables),
    inflate32(raw.switches),
    inflate32(raw.costs),
  ]);
  const ofChannel = new Map();
  cables.forEach((c, i) => {
    ofChannel.set(c, i);
    ofChannel.set(fabric.peer[c], i);
  });
  const ofSwitch = new Map([...switches].map((s, i) => [s, cables.length + i]));
  return { ofChannel, ofSwitch, costs, rows: cables.length + switches.length };
}

// A line about the cable of channel c, or about switch s where c is undefined; null: nothing is known.
export async function lossLine(fabric, s, c) {
  if (!data.losses) return null;
  table ??= await read(fabric);
  const row = c === undefined ? table.ofSwitch.get(s) : table.ofChannel.get(c);
  if (row === undefined) return null;
  // Loads and Gb/s are in thousandths.
  const [pairs, fullest, megabits, entries, blocks] = Array.from(
    { length: 5 },
    (_, column) => table.costs[column * table.rows + row],
  );
  const { engine, mload_now: before, gigabits_now: rate } = data.losses;
  const gigabits = megabits > 0 ? `, ${number(megabits / 1000)} Gb/s per host (now ${number(rate)})` : "";
  return el(
    "p",
    { class: "facts", id: "loss" },
    el("b", {}, `Without this ${c === undefined ? "switch" : "cable"}: `),
    `${pairs ? `${number(pairs)} pairs lost` : "no pair lost"}; most loaded link ${number(fullest / 1000)} (now ${number(before)})${gigabits}; ` +
      `${number(entries)} entries in ${number(blocks)} blocks to write (${engine}, repaired)`,
  );
}
