// SPDX-License-Identifier: BSD-3-Clause
// Drawings of one thing: a switch with its neighbours, a pod, a path, a credit loop.
import { loadRamp } from "./colours.js";
import { counted, hideTip, number, showTip, svg } from "./dom.js";
import { kNone } from "./fabric.js";
import { shade } from "./matrix.js";

const kWidth = 760;
const tipOf = (lines) => ({ onmousemove: (event) => showTip(event, lines), onmouseleave: hideTip });
const colourOf = (view) => {
  const ramp = loadRamp();
  return (c) => (view.loads[c] > 0 ? ramp(shade(view.loads[c] / view.most)) : "var(--idle-line)");
};
// Ends of names tell more than beginnings.
const short = (name, most = 14) => (name.length > most ? `\u2026${name.slice(1 - most)}` : name);

function picture(height, label, ...children) {
  return svg("svg", { viewBox: `0 0 ${kWidth} ${height}`, class: "picture", role: "img", "aria-label": label }, ...children);
}

function box(x, y, w, h, name, kind, onclick) {
  return svg("g", { class: `node ${kind}${onclick ? " live" : ""}`, onclick, ...tipOf([name]) },
    svg("rect", { x, y, width: w, height: h, rx: Math.min(4, w / 4) }),
    w >= 18 && svg("text", { x: x + w / 2, y: y + h / 2, "text-anchor": "middle", "dominant-baseline": "central", class: w < 60 ? "small" : "" },
      short(name, Math.floor((w - 4) / (w < 60 ? 5.4 : 6.4)))));
}

// Neighbours of a switch, each once, with the channels to it.
export function neighbours(fabric, s) {
  const node = fabric.node(s);
  const of = new Map();
  for (let c = fabric.first[node] + 1; c < fabric.first[node + 1]; ++c) {
    if (fabric.peer[c] === kNone) continue;
    const other = fabric.owner[fabric.peer[c]];
    if (!of.has(other)) of.set(other, { node: other, channels: [] });
    of.get(other).channels.push(c);
  }
  return [...of.values()];
}

export function drawSwitch(fabric, view, s, pick) {
  const colour = colourOf(view);
  const all = neighbours(fabric, s);
  const level = (node) => (node < fabric.adapters ? 0 : fabric.levels[node - fabric.adapters]);
  const own = fabric.levels[s];
  const above = all.filter((n) => level(n.node) > own);
  const beside = all.filter((n) => level(n.node) === own);
  const below = all.filter((n) => level(n.node) < own);
  const height = 300;
  const rows = [[above.length ? above : beside, 30], [below, height - 46]];
  if (beside.length && above.length) rows.push([beside, height / 2 - 9]);
  const lines = [];
  const boxes = [];
  for (const [row, y] of rows) {
    const side = row === beside && above.length > 0;
    const pitch = Math.min(110, (side ? 200 : kWidth) / Math.max(1, row.length));
    const start = side ? 10 : (kWidth - pitch * row.length) / 2;
    row.forEach((n, i) => {
      const x = start + i * pitch;
      const name = fabric.names[n.node];
      n.channels.forEach((c, k) => {
        const bend = (k - (n.channels.length - 1) / 2) * Math.min(6, (pitch - 6) / n.channels.length);
        const from = kWidth / 2 + bend + ((i - row.length / 2) * 90) / Math.max(1, row.length);
        const at = { x1: from, y1: y < height / 2 ? height / 2 - 16 : height / 2 + 16, x2: x + pitch / 2 + bend, y2: y < height / 2 ? y + 18 : y };
        lines.push(svg("line", { ...at, class: "cable", stroke: colour(c), ...tipOf(view.describe(c)),
          onclick: () => pick({ kind: "channel", c }) }));
      });
      boxes.push(box(x + 1.5, y, Math.max(5, pitch - 3), 18, name, n.node < fabric.adapters ? "host" : "switch",
        () => pick(pickOf(fabric, n.node))));
    });
  }
  const centre = box(kWidth / 2 - 80, height / 2 - 16, 160, 32, fabric.switchName(s), "chosen");
  const caption = (text, y) => svg("text", { x: 4, y, class: "caption" }, text);
  return picture(height, `${fabric.switchName(s)} and its neighbours`, lines, boxes, centre,
    above.length > 0 && caption(`up: ${counted(above.length, "switch")}, ${counted(sum(above), "cable")}`, 18),
    beside.length > 0 && caption(`across: ${counted(beside.length, "switch")}, ${counted(sum(beside), "cable")}`, above.length ? height / 2 - 16 : 18),
    below.length > 0 && caption(`down: ${counted(below.length, "neighbour")}, ${counted(sum(below), "cable")}`, height - 10));
}

const sum = (row) => row.reduce((total, n) => total + n.channels.length, 0);

export function pickOf(fabric, node) {
  if (node >= fabric.adapters) return { kind: "switch", s: node - fabric.adapters };
  for (let c = fabric.first[node]; c < fabric.first[node + 1]; ++c) {
    if (fabric.terminalAt[c] >= 0) return { kind: "host", t: fabric.terminalAt[c] };
  }
  return { kind: "adapter", node };
}

// A block of two levels: every lower and upper switch, the cables between them, and the gaps.
export function drawPod(fabric, view, index, pick) {
  const block = fabric.blocks[index];
  const colour = colourOf(view);
  const height = 340;
  const lower = [...block.below, ...block.beside];
  const place = new Map();
  const boxes = [];
  for (const [row, y] of [[block.above, 24], [lower, height - 46]]) {
    const pitch = Math.min(100, kWidth / row.length);
    const start = (kWidth - pitch * row.length) / 2;
    row.forEach((s, i) => {
      place.set(s, { x: start + (i + 0.5) * pitch, y: y === 24 ? y + 20 : y });
      boxes.push(box(start + i * pitch + 1, y, Math.max(3, pitch - 2), 20, fabric.switchName(s),
        block.beside.includes(s) ? "aside" : "switch", () => pick({ kind: "switch", s })));
    });
  }
  const lines = [];
  for (const s of lower) {
    for (const n of neighbours(fabric, s)) {
      const to = n.node - fabric.adapters;
      if (to < 0 || !block.above.includes(to)) continue;
      const c = n.channels.reduce((a, b) => (view.loads[a] >= view.loads[b] ? a : b));
      const [a, b] = [place.get(s), place.get(to)];
      lines.push({ load: view.loads[c], line: svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "cable thin", stroke: colour(c),
        "data-ends": `${s} ${to}`, "stroke-width": 0.7 + 0.5 * n.channels.length, ...tipOf(view.describe(c)), onclick: () => pick({ kind: "channel", c }) }) });
    }
  }
  lines.sort((a, b) => a.load - b.load);
  const gaps = fabric.missing.filter(([below, above]) => place.has(below) && block.above.includes(above))
    .map(([below, above, there, usual]) => svg("line", { x1: place.get(below).x, y1: place.get(below).y, x2: place.get(above).x,
      y2: place.get(above).y, class: "gap",
      ...tipOf([`${fabric.switchName(below)} - ${fabric.switchName(above)}`, `${there} of ${usual} cables: ${usual - there} missing`]) }));
  const shown = svg("g", { class: "cables", opacity: Math.max(0.25, Math.min(1, 90 / lines.length)).toFixed(2) }, lines.map((l) => l.line));
  // Over a switch, only its cables.
  boxes.forEach((node, i) => {
    const s = String([...block.above, ...lower][i]);
    node.addEventListener("mouseenter", () => {
      shown.setAttribute("data-opacity", shown.getAttribute("opacity"));
      shown.setAttribute("opacity", 1);
      for (const { line } of lines) line.style.visibility = line.dataset.ends.split(" ").includes(s) ? "" : "hidden";
    });
    node.addEventListener("mouseleave", () => {
      shown.setAttribute("opacity", shown.getAttribute("data-opacity"));
      for (const { line } of lines) line.style.visibility = "";
    });
  });
  return picture(height, "A pod", shown, gaps, boxes,
    svg("text", { x: 4, y: 14, class: "caption" }, `${block.above.length} ${fabric.levelNames[block.level] ?? "upper"} switches above`),
    svg("text", { x: 4, y: height - 8, class: "caption" },
      `${lower.length} ${fabric.levelNames[block.level - 1]} switches below${gaps.length ? `; dashed: ${gaps.length} gaps` : ""}`));
}

// Ways from one end to another, one line for each of `walks` {name, channels, failure, places}.
export function drawPath(fabric, view, walks, pick) {
  const top = fabric.height;
  const rowHeight = top > 4 ? 58 : 78;
  const blocks = walks.map((one, k) => {
    const nodes = one.channels.length === 0 ? [] : [fabric.owner[one.channels[0]], ...one.channels.map((c) => fabric.owner[fabric.peer[c]])];
    return { ...one, k, nodes };
  });
  const parts = [];
  let y0 = 10;
  for (const one of blocks) {
    const pitch = kWidth / Math.max(2, one.nodes.length);
    const level = (node) => (node < fabric.adapters ? 0 : fabric.levels[node - fabric.adapters]);
    const at = (i) => ({ x: (i + 0.5) * pitch, y: y0 + 34 + (top - level(one.nodes[i])) * rowHeight });
    parts.push(svg("text", { x: 4, y: y0 + 6, class: `caption way${one.k}` }, one.name));
    one.channels.forEach((c, i) => {
      const [a, b] = [at(i), at(i + 1)];
      parts.push(svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: `hop way${one.k}`, ...tipOf(view.describe(c)),
        onclick: () => pick({ kind: "channel", c }) }));
      const flat = Math.abs(a.y - b.y) < 4;
      const label = `${fabric.port(c)} \u2192 ${fabric.port(fabric.peer[c])}`;
      const x = (a.x + b.x) / 2 + (flat ? 0 : 12);
      const y = (a.y + b.y) / 2 + (flat ? 16 : b.y < a.y ? 8 : -12);
      parts.push(svg("text", { x, y, class: "port" }, label,
        one.places ? svg("tspan", { x, dy: 13, class: "place" }, `place ${number(one.places[i] + 1)}`) : null));
    });
    one.nodes.forEach((node, i) => {
      const { x, y } = at(i);
      const w = Math.min(pitch - 8, 118);
      parts.push(box(x - w / 2, y - 11, w, 22, fabric.names[node], node < fabric.adapters ? "host" : "switch",
        () => pick(pickOf(fabric, node))));
    });
    y0 += 62 + top * rowHeight;
    if (one.failure) parts.push(svg("text", { x: 4, y: y0 - 14, class: "bad" }, `No route: ${one.failure}.`));
  }
  return picture(y0, "The path through the tables", parts);
}

// Channels that wait for each other, in a ring; at each, the pair whose packet waits.
export function drawLoop(fabric, view, cycle, pick) {
  const steps = cycle.steps;
  const n = steps.length;
  const r = n > 6 ? 185 : 140;
  const size = 2 * r + (n > 6 ? 190 : 120);
  const [cx, cy] = [kWidth / 2, size / 2];
  const at = (i, radius = r) => {
    const angle = (2 * Math.PI * i) / n - Math.PI / 2;
    return { x: cx + radius * Math.cos(angle) * 1.25, y: cy + radius * Math.sin(angle) };
  };
  const parts = [svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    svg("path", { d: "M0,0 L8,4 L0,8 z", class: "arrow" })))];
  steps.forEach((step, i) => {
    const [a, b] = [at(i), at(i + 1)];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const cut = 30 / Math.hypot(dx, dy);
    parts.push(svg("line", { x1: a.x + dx * cut, y1: a.y + dy * cut, x2: b.x - dx * cut, y2: b.y - dy * cut, class: "loop",
      "marker-end": "url(#arrow)", ...tipOf(view.describe(step.channel)), onclick: () => pick({ kind: "channel", c: step.channel }) }));
    const mid = at(i + 0.5, r * Math.cos(Math.PI / n) - 24);
    parts.push(svg("text", { x: mid.x, y: mid.y, class: "port", "text-anchor": "middle", "dominant-baseline": "central" },
      `${fabric.port(step.channel)} \u2192 ${fabric.port(fabric.peer[step.channel])}`));
    const out = at(i + 0.5, r + (n > 9 ? 62 : 58));
    const anchor = Math.abs(out.x - cx) < 40 ? "middle" : out.x > cx ? "start" : "end";
    parts.push(svg("g", { class: "pair live", onclick: () => pick({ kind: "pair", a: step.source, b: step.destination }),
      ...tipOf([`${fabric.endName(step.source)} \u2192 ${fabric.endName(step.destination)}`, "holds this channel and wants the next", "click to draw its path"]) },
      svg("text", { x: out.x, y: out.y - 7, "text-anchor": anchor }, short(fabric.endName(step.source), 24)),
      svg("text", { x: out.x, y: out.y + 9, "text-anchor": anchor }, `\u2192 ${short(fabric.endName(step.destination), 22)}`)));
  });
  steps.forEach((step, i) => {
    const { x, y } = at(i);
    const node = fabric.owner[step.channel];
    parts.push(box(x - 52, y - 12, 104, 24, fabric.names[node], "chosen", () => pick(pickOf(fabric, node))));
  });
  return picture(size, "The credit loop", parts);
}
