// SPDX-License-Identifier: BSD-3-Clause
// What a run of ibdiagnet measured at each port (page_ports in report/page/page_json.hpp): counters, errors, and
// the quality of the signal that the port receives.
import { data } from "./data.js";
import { number, short } from "./dom.js";
import { inflate } from "./inflate.js";
import { dataTable } from "./tables.js";

const kNoCount = 0xffffffffffffffffn;
const kWord = 4; // bytes of a word, in which data are counted
const units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];

export function bytesText(bytes) {
  let unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.length; ++unit) bytes /= 1000;
  return `${short(bytes)} ${units[unit]}`;
}
export const read64 = async (packed) => new BigUint64Array((await inflate(packed)).buffer);
const counts = async (packed, times = 1) =>
  packed && Float64Array.from(await read64(packed), (value) => (value === kNoCount ? NaN : Number(value) * times));
const reals = async (packed) => packed && new Float64Array((await inflate(packed)).buffer);

let kept = null; // {raw, found}

// {columns: [{key, title, values (by slot; NaN: not known), text(value)}], errors: [{name, counts}], fec(c),
//  celsius(node)}; null: nothing was measured
export async function measured(fabric) {
  const raw = data.ports;
  if (!raw) return null;
  if (kept?.raw !== raw) kept = { raw, found: await read(fabric, raw) };
  return kept.found;
}

async function read(fabric, raw) {
  const errors = await Promise.all(
    raw.errors.map(async (one) => ({ name: one.name, counts: await counts(one.counts) })),
  );
  const sum = errors.length > 0 && new Float64Array(fabric.slots);
  for (const one of errors) one.counts.forEach((count, c) => (sum[c] += count)); // NaN stays NaN
  const rate = (value) => (value === 0 ? "0" : value.toExponential(1));
  const list = [
    { key: "sent", title: "sent", values: await counts(raw.sent, kWord), text: bytesText },
    { key: "received", title: "received", values: await counts(raw.received, kWord), text: bytesText },
    { key: "waits", title: "ticks waited", values: await counts(raw.waits), text: number },
    { key: "errors", title: "errors", values: sum, text: number },
    { key: "downs", title: "link downs", values: await counts(raw.downs), text: number },
    { key: "raw", title: "raw BER", values: await reals(raw.raw_ber), text: rate },
    { key: "effective", title: "effective BER", values: await reals(raw.effective_ber), text: rate },
    { key: "symbol", title: "symbol BER", values: await reals(raw.symbol_ber), text: rate },
    { key: "celsius", title: "module \u00b0C", values: await reals(raw.celsius), text: short },
  ];
  const columns = list.filter(({ values }) => values && values.some((value) => !Number.isNaN(value)));
  const fecOf = raw.fec ? await inflate(raw.fec) : null;
  const ofNode = await reals(raw.node_celsius);
  return {
    columns,
    errors,
    fec: fecOf && ((c) => raw.fec_names[fecOf[c]]),
    celsius: (node) => (ofNode && !Number.isNaN(ofNode[node]) ? `${short(ofNode[node])} \u00b0C` : ""),
  };
}

export const textOf = (column, c) => (Number.isNaN(column.values[c]) ? "\u2013" : column.text(column.values[c]));

// Of the two ends of a cable; null where nothing is known of them.
export function measuredTable(fabric, found, c) {
  const ends = [c, fabric.peer[c]];
  const rows = found.columns
    .filter(({ values }) => ends.some((end) => !Number.isNaN(values[end])))
    .map((column) => [column.title, ...ends.map((end) => textOf(column, end))]);
  for (const { name, counts: of } of found.errors) {
    if (ends.some((end) => of[end] > 0))
      rows.push([name, ...ends.map((end) => (Number.isNaN(of[end]) ? "\u2013" : number(of[end])))]);
  }
  if (found.fec && ends.some(found.fec)) rows.push(["FEC", ...ends.map((end) => found.fec(end) || "\u2013")]);
  if (rows.length === 0) return null;
  return dataTable(["measured at", ...ends.map((end) => fabric.portName(end))], rows, { id: "measured" });
}
