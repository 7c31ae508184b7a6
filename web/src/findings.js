// SPDX-License-Identifier: BSD-3-Clause
// Findings by node, as the map and the cards show them. A note is about how a fabric is built, not about
// something wrong: the map does not mark it.
import { data } from "./data.js";

// [{text, severity: "bad" | "warn" | "note"}] by node
export function findingsByNode(fabric) {
  const of = new Map();
  data.show.oddities.forEach((one, i) => {
    const at = fabric.odd[i];
    for (const node of new Set([...at.nodes, ...at.ports.map((c) => fabric.owner[c])])) {
      if (!of.has(node)) of.set(node, []);
      of.get(node).push({ text: one.text, severity: one.severity });
    }
  });
  return of;
}

// The worst of the findings of some nodes; null: none but notes.
export function severityOf({ findings }, nodes) {
  const all = new Set(nodes.flatMap((node) => findings.get(node) ?? []).map(({ severity }) => severity));
  return all.has("bad") ? "bad" : all.has("warn") ? "warn" : null;
}
