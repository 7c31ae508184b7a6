// SPDX-License-Identifier: BSD-3-Clause
// What the drawing of the whole fabric says of what is under the pointer (map.js).
import { counted, number } from "./dom.js";
import { kNone, levelOf } from "./fabric.js";
import { rangeName, unitName } from "./layout.js";

// The most loaded channel of a bundle.
export function busiest({ fabric, values }, { bundle, bundles }) {
  let best = bundles.list[bundles.first[bundle]];
  for (let i = bundles.first[bundle]; i < bundles.first[bundle + 1]; ++i) {
    for (const c of [bundles.list[i], fabric.peer[bundles.list[i]]]) if (values[c] > values[best]) best = c;
  }
  return best;
}

function boxName(map, box) {
  const s = map.bundles.switchOf(box);
  return s >= 0 ? map.fabric.switchName(s) : map.layout.groups[box].label;
}

export function tipOf(map, what) {
  const { fabric } = map;
  if (what.group) return [what.group.label, ...describeGroup(map, what.group)];
  if (what.c !== undefined) return map.describe(what.c);
  if (what.t !== undefined)
    return [fabric.endName(what.t), `host on ${fabric.portName(fabric.peer[fabric.terminals[what.t]])}`];
  if (what.s !== undefined)
    return [
      fabric.switchName(what.s),
      ...describeSwitch(map, what.s),
      ...(what.hosts ? [counted(what.hosts, "host")] : []),
    ];
  if (what.gap) return gapTip(map, what.gap);
  if (what.ghost) return [`${what.ghost.text}`, "lost in this what-if; click: restore it"];
  const { bundles, bundle } = what;
  const cables = bundles.first[bundle + 1] - bundles.first[bundle];
  const most = map.describe(busiest(map, what));
  if (cables === 1) return most;
  return [
    `${boxName(map, bundles.a[bundle])} \u2013 ${boxName(map, bundles.b[bundle])}`,
    counted(cables, "cable"),
    `busiest: ${most[0]}`,
    ...most.slice(1),
  ];
}

// Missing cables with both ports, where they are known.
function gapTip(map, gap) {
  const { fabric } = map;
  const names = map.missing
    .filter(({ below, above }) => gap.pairs.some(([a, b]) => a === below && b === above))
    .flatMap(({ ports_below: low, ports_above: high }) =>
      low.map((c, i) => `${fabric.portName(c)} \u2013 ${high[i] === undefined ? "?" : fabric.portName(high[i])}`),
    );
  const title = `${boxName(map, gap.a)} \u2013 ${boxName(map, gap.b)}`;
  return [title, `${counted(gap.lacking, "cable")} missing`, ...names.slice(0, 6)];
}

const findingsOf = (map, nodes) => nodes.reduce((sum, node) => sum + (map.findings.get(node)?.length ?? 0), 0);

function describeGroup(map, group) {
  const { fabric } = map;
  const hosts = group.switches.reduce((sum, s) => sum + map.hosts[s].length, 0);
  const odd = findingsOf(map, group.switches.map(fabric.node));
  return [
    `${counted(group.switches.length, `${group.row.name} switch`)}: ${rangeName(fabric, group.switches)}`,
    hosts > 0 && counted(hosts, "host port"),
    odd > 0 && counted(odd, "finding"),
    "click: open",
  ].filter(Boolean);
}

export function describeSwitch(map, s) {
  const { fabric, rails } = map;
  const node = fabric.node(s);
  let free = 0;
  for (let port = 1; port <= fabric.ports[node]; ++port) if (fabric.peer[fabric.slot(s, port)] === kNone) ++free;
  const place = [
    rails.unit[s] >= 0 && `unit ${unitName(rails, rails.unit[s])}`,
    rails.rail[s] >= 0 && `rail ${rails.rail[s] + 1}`,
  ]
    .filter(Boolean)
    .join(", ");
  return [
    [levelOf(fabric, s), place].filter(Boolean).join(", "),
    `${number(fabric.ports[node])} ports, ${number(free)} free`,
    ...(map.findings.get(node) ?? []).map(({ text }) => text),
  ];
}
