// SPDX-License-Identifier: BSD-3-Clause
// Drawings of one thing: a switch with its neighbours, a pod (SVG); drawpath.js has paths.
import { loadColour } from "./colours.js";
import { counted, hideTip, showTip, svg } from "./dom.js";
import { kNone } from "./fabric.js";

export const kWidth = 480; // as wide as the card, nearly: letters can be read there
const kBeside = kWidth / 2 - 90;
export const tipOf = (lines) => ({ onmousemove: (event) => showTip(event, lines), onmouseleave: hideTip });
const colourOf = (view) => {
  return (c) => (view.share && view.loads[c] > 0 ? loadColour(view.share(c)) : "var(--idle-line)");
};
// Ends of names tell more than beginnings.
export const short = (name, most = 14) => (name.length > most ? `\u2026${name.slice(1 - most)}` : name);

export const picture = (height, label, ...children) => pictureOf(kWidth, height, label, ...children);
export const pictureOf = (width, height, label, ...children) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "picture", role: "group", "aria-label": label }, ...children);

const kSmall = 5.4; // widths of a letter
const kLarge = 6.4;
const kMostLetters = 22; // of a name that stands upright

// Labels of boxes side by side at distance `pitch`, that distinguish them: whole names where they
// fit; else what follows the beginning that all share, lying or upright. Where several would still
// look alike they are left out, and the tip has the name.
export function rowLabels(names, pitch) {
  const letter = pitch < 63 ? kSmall : kLarge;
  const fit = Math.floor((pitch - 7) / letter);
  const longest = (list) => list.reduce((most, name) => Math.max(most, name.length), 0);
  if (longest(names) <= fit) return { labels: names, upright: false, room: 0, shared: "" };
  const shared = names.length > 1 ? sharedBeginning(names) : "";
  const rest = names.map((name) => name.slice(shared.length));
  if (longest(rest) <= fit) return { labels: rest, upright: false, room: 0, shared };
  if (names.length === 1) return { labels: [short(names[0], Math.max(3, fit))], upright: false, room: 0, shared: "" };
  const ends = rest.map((name) => short(name, fit));
  if (fit >= 9 && new Set(ends).size === ends.length) return { labels: ends, upright: false, room: 0, shared };
  const step = Math.max(1, Math.ceil(10 / pitch));
  const cut = rest.map((name) => short(name, kMostLetters));
  const alike = new Map();
  for (const label of cut) alike.set(label, (alike.get(label) ?? 0) + 1);
  const labels = cut.map((label, i) => (i % step === 0 && alike.get(label) === 1 ? label : ""));
  return { labels, upright: true, room: longest(labels) * kSmall + 8, shared };
}

// Not into a number: S1_10 and S1_11 are 10 and 11 of S1_.
function sharedBeginning(names) {
  let shared = names[0];
  for (const name of names) while (!name.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.replace(/\d+$/, "");
}

const said = (row) => (row.shared ? `; names without ${row.shared}` : "");

// Something that can be clicked can be reached by the keyboard too.
export const live = (name, onclick) =>
  onclick
    ? {
        onclick,
        tabindex: 0,
        role: "button",
        "aria-label": name,
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          onclick();
        },
      }
    : {};

// `label`: what stands in it; in two lines where the box is too narrow for one.
export function box(x, y, w, h, name, kind, onclick, label = name) {
  const letter = w < 60 ? kSmall : kLarge;
  const fit = Math.floor((w - 4) / letter);
  const lines = label.length <= fit || h < 22 ? [label.length > fit ? short(label, fit) : label] : twoLines(label, fit);
  const text = (line, dy) =>
    svg(
      "text",
      {
        x: x + w / 2,
        y: y + h / 2 + dy,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        class: w < 60 || lines.length > 1 ? "small" : "",
      },
      line,
    );
  return svg(
    "g",
    { class: `node ${kind}${onclick ? " live" : ""}`, ...live(name, onclick), ...tipOf([name]) },
    svg("rect", { x, y, width: w, height: h, rx: Math.min(4, w / 4) }),
    label && fit > 0 && lines.map((line, i) => text(line, lines.length > 1 ? (i - 0.5) * 10 : 0)),
  );
}

// Broken after the separator nearest to the middle, a blank if there is one.
function twoLines(label, fit) {
  const all = label.length > 2 * fit ? short(label, 2 * fit) : label;
  const far = (at) => Math.abs(at - all.length / 2);
  for (const separator of [/ /, /[-_./:]/, /[^]/]) {
    let best = 0;
    for (let at = Math.max(1, all.length - fit); at <= fit; ++at)
      if (separator.test(all[at - 1]) && (best === 0 || far(at) < far(best))) best = at;
    if (best) return [all.slice(0, best).trim(), all.slice(best)];
  }
  return [all.slice(0, fit), all.slice(fit)];
}

// A row of boxes with their labels inside, or upright above (`up`) or below it. `nodes` have name,
// kind and onclick; returns the middle of each box.
function boxRow(nodes, labels, { y, height, pitch, start, up }) {
  const parts = [];
  const at = nodes.map((node, i) => {
    const x = start + i * pitch;
    const gap = Math.min(3, pitch / 4);
    parts.push(
      box(
        x + gap / 2,
        y,
        pitch - gap,
        height,
        node.name,
        node.kind,
        node.onclick,
        labels.upright ? "" : labels.labels[i],
      ),
    );
    if (labels.upright && labels.labels[i]) {
      const [tx, ty] = [x + pitch / 2, up ? y - 4 : y + height + 4];
      parts.push(
        svg(
          "text",
          {
            x: tx,
            y: ty,
            class: "small upright",
            transform: `rotate(-90 ${tx} ${ty})`,
            "text-anchor": up ? "start" : "end",
            "dominant-baseline": "central",
          },
          labels.labels[i],
        ),
      );
    }
    return x + pitch / 2;
  });
  return { parts, at };
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
  const upper = { row: above.length ? above : beside, width: kWidth, up: true };
  const lower = { row: below, width: kWidth, up: false };
  const side = { row: above.length ? beside : [], width: kBeside, up: true };
  for (const one of [upper, lower, side]) {
    one.pitch = Math.min(110, one.width / Math.max(1, one.row.length));
    one.labels = rowLabels(
      one.row.map((n) => fabric.names[n.node]),
      one.pitch,
    );
  }
  const middle = upper.row.length || side.row.length ? Math.max(150, upper.labels.room + 126) : 30;
  const height = middle + (lower.row.length ? 150 + lower.labels.room : 40);
  Object.assign(upper, { y: 30 + upper.labels.room, start: (kWidth - upper.pitch * upper.row.length) / 2 });
  Object.assign(lower, { y: middle + 104, start: (kWidth - lower.pitch * lower.row.length) / 2 });
  Object.assign(side, { y: middle - 9, start: 10 });
  const lines = [];
  const boxes = [];
  for (const { row, labels, pitch, start, y, up } of [upper, lower, side]) {
    const nodes = row.map((n) => ({
      name: fabric.names[n.node],
      kind: n.node < fabric.adapters ? "host" : "switch",
      onclick: () => pick(pickOf(fabric, n.node)),
    }));
    const drawn = boxRow(nodes, labels, { y, height: 18, pitch, start, up });
    boxes.push(...drawn.parts);
    row.forEach((n, i) =>
      n.channels.forEach((c, k) => {
        const bend = (k - (n.channels.length - 1) / 2) * Math.min(6, (pitch - 6) / n.channels.length);
        const from = kWidth / 2 + bend + ((i - row.length / 2) * 90) / Math.max(1, row.length);
        const at = {
          x1: from,
          y1: y < middle ? middle - 16 : middle + 16,
          x2: drawn.at[i] + bend,
          y2: y < middle ? y + 18 : y,
        };
        lines.push(
          svg("line", {
            ...at,
            class: "cable",
            stroke: colour(c),
            "data-channel": c,
            ...tipOf(view.describe(c)),
            onclick: () => pick({ kind: "channel", c }),
          }),
        );
      }),
    );
  }
  const centre = box(kWidth / 2 - 80, middle - 16, 160, 32, fabric.switchName(s), "chosen");
  const caption = (text, y) => svg("text", { x: 4, y, class: "caption" }, text);
  return picture(
    height,
    `${fabric.switchName(s)} and its neighbours`,
    lines,
    boxes,
    centre,
    above.length > 0 &&
      caption(`up: ${counted(above.length, "switch")}, ${counted(sum(above), "cable")}${said(upper.labels)}`, 12),
    beside.length > 0 &&
      caption(
        `across: ${counted(beside.length, "switch")}, ` +
          `${counted(sum(beside), "cable")}${said((above.length ? side : upper).labels)}`,
        above.length ? middle - 16 - side.labels.room : 12,
      ),
    below.length > 0 &&
      caption(
        `down: ${counted(below.length, "neighbour")}, ${counted(sum(below), "cable")}${said(lower.labels)}`,
        height - 6,
      ),
  );
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
  const lower = [...block.below, ...block.beside];
  const place = new Map();
  const nodeOf = (s) => ({
    name: fabric.switchName(s),
    kind: block.beside.includes(s) ? "aside" : "switch",
    onclick: () => pick({ kind: "switch", s }),
  });
  const rows = [block.above, lower].map((row) => {
    const pitch = Math.min(100, kWidth / Math.max(1, row.length));
    return {
      row,
      pitch,
      start: (kWidth - pitch * row.length) / 2,
      labels: rowLabels(row.map(fabric.switchName), pitch),
    };
  });
  const [top, bottom] = [24 + rows[0].labels.room, 294 + rows[0].labels.room];
  const height = bottom + 46 + rows[1].labels.room;
  const boxes = [];
  rows.forEach(({ row, pitch, start, labels }, k) => {
    const y = k === 0 ? top : bottom;
    const drawn = boxRow(row.map(nodeOf), labels, { y, height: 20, pitch, start, up: k === 0 });
    boxes.push(...drawn.parts);
    row.forEach((s, i) => place.set(s, { x: drawn.at[i], y: k === 0 ? y + 20 : y }));
  });
  const lines = [];
  for (const s of lower) {
    for (const n of neighbours(fabric, s)) {
      const to = n.node - fabric.adapters;
      if (to < 0 || !block.above.includes(to)) continue;
      const c = n.channels.reduce((a, b) => (view.loads[a] >= view.loads[b] ? a : b));
      const [a, b] = [place.get(s), place.get(to)];
      lines.push({
        load: view.loads[c],
        line: svg("line", {
          x1: a.x,
          y1: a.y,
          x2: b.x,
          y2: b.y,
          class: "cable thin",
          stroke: colour(c),
          "data-ends": `${s} ${to}`,
          "stroke-width": 0.7 + 0.5 * n.channels.length,
          ...tipOf(view.describe(c)),
          onclick: () => pick({ kind: "channel", c }),
        }),
      });
    }
  }
  lines.sort((a, b) => a.load - b.load);
  const gaps = fabric.missing
    .filter(([below, above]) => place.has(below) && block.above.includes(above))
    .map(([below, above, there, usual]) =>
      svg("line", {
        x1: place.get(below).x,
        y1: place.get(below).y,
        x2: place.get(above).x,
        y2: place.get(above).y,
        class: "gap",
        ...tipOf([
          `${fabric.switchName(below)} - ${fabric.switchName(above)}`,
          `${there} of ${usual} cables: ${usual - there} missing`,
        ]),
      }),
    );
  const shown = svg(
    "g",
    { class: "cables", opacity: Math.max(0.25, Math.min(1, 90 / lines.length)).toFixed(2) },
    lines.map((l) => l.line),
  );
  // Over a switch, only its cables.
  boxes
    .filter((part) => part.classList.contains("node"))
    .forEach((node, i) => {
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
  return picture(
    height,
    "A pod",
    shown,
    gaps,
    boxes,
    svg(
      "text",
      { x: 4, y: 12, class: "caption" },
      `${block.above.length} ${fabric.levelNames[block.level] ?? "upper"} switches above${said(rows[0].labels)}`,
    ),
    svg(
      "text",
      { x: 4, y: height - 8, class: "caption" },
      `${lower.length} ${fabric.levelNames[block.level - 1]} switches ` +
        `below${gaps.length ? `; dashed: ${counted(gaps.length, "gap")}` : ""}${said(rows[1].labels)}`,
    ),
  );
}
