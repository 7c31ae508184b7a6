// SPDX-License-Identifier: BSD-3-Clause
// Traffic of ports as counted by the run, compared with what the tables predict for the traffic
// that is shown: both as multiples of their mean over channels between switches, largest
// differences first.
import { data } from "./data.js";
import { el, number } from "./dom.js";
import { bytesText, read64 } from "./measured.js";
import { onChange, state, update } from "./store.js";
import { dataTable, more } from "./tables.js";

const kShown = 20;
const kNoCount = 0xffffffffffffffffn;
// loads: what is predicted. [{c, sent, wait, measured, predicted}] of channels that have a count.
export function compareCounts(fabric, loads, counts) {
  const rows = [];
  let [sent, flows] = [0, 0];
  for (let c = 0; c < fabric.slots; ++c) {
    if (fabric.owner[c] < fabric.adapters || fabric.nextSwitch[c] < 0 || counts.sent[c] === kNoCount) continue;
    const row = {
      c,
      sent: Number(counts.sent[c]),
      flows: loads[c],
      wait: counts.waits && counts.waits[c] !== kNoCount ? Number(counts.waits[c]) : null,
    };
    sent += row.sent;
    flows += row.flows;
    rows.push(row);
  }
  for (const row of rows) {
    row.measured = sent ? (row.sent * rows.length) / sent : 0;
    row.predicted = flows ? (row.flows * rows.length) / flows : 0;
  }
  rows.sort((a, b) => Math.abs(b.measured - b.predicted) - Math.abs(a.measured - a.predicted) || a.c - b.c);
  return rows;
}

const signed = (value) => `${value >= 0 ? "+" : "\u2212"}${Math.abs(value).toFixed(2)}`;

export function counters(fabric, view) {
  const raw = data.counters;
  const body = el("div", { class: "card", id: "counters-body" });
  let counts = null;
  const render = async () => {
    counts ??= { sent: await read64(raw.sent), waits: raw.waits ? await read64(raw.waits) : null };
    const rows = compareCounts(fabric, view.flows, counts);
    const sent = new Map(
      rows.map((row) => [
        row.c,
        `sent ${bytesText(row.sent * raw.unit_bytes)}, ${row.measured.toFixed(2)} x the mean of the run`,
      ]),
    );
    view.sent = (c) => sent.get(c);
    if (rows.length === 0)
      return body.replaceChildren(el("p", {}, "The run has no counters of cables between switches."));
    const stuck = raw.most ? rows.filter((row) => row.sent >= raw.most).length : 0;
    return body.replaceChildren(
      ...[
        el(
          "p",
          {},
          `What each port has sent (${raw.name}) next to what ${data.routes[state.engine].name} would send ` +
            `there, both as multiples of their mean over ${number(rows.length)} channels between switches. ` +
            `Largest differences first.`,
        ),
        stuck > 0 &&
          el(
            "p",
            { class: "poor" },
            `${number(stuck)} counters of 32 bits have stuck at their end: reset them, or read the extended ones.`,
          ),
        dataTable(
          [
            "channel",
            "sent",
            "measured, x mean",
            "predicted, x mean",
            "difference",
            ...(counts.waits ? ["ticks waited"] : []),
          ],
          rows
            .slice(0, kShown)
            .map((row) => [
              el(
                "button",
                { class: "link", onclick: () => update({ pick: { kind: "channel", c: row.c } }) },
                `${fabric.portName(row.c)} \u2192 ${fabric.portName(fabric.peer[row.c])}`,
              ),
              bytesText(row.sent * raw.unit_bytes),
              row.measured.toFixed(2),
              row.predicted.toFixed(2),
              signed(row.measured - row.predicted),
              ...(counts.waits ? [row.wait === null ? "-" : number(row.wait)] : []),
            ]),
        ),
        more(rows.length, kShown),
        el(
          "p",
          { class: "note" },
          "Predicted for the traffic that is chosen above. Counters tell what jobs have sent since they " +
            "were reset: a large difference is a question, not a fault.",
        ),
      ].filter(Boolean),
    );
  };
  onChange(["loaded"], render);
  if (view.flows) render();
  return el("section", { id: "counters", tabindex: "-1" }, el("h2", {}, "Counters of the run"), body);
}
