// SPDX-License-Identifier: BSD-3-Clause
// Drawings of one thing: a switch with its neighbours, a pod, a path, a credit loop.
import { loadColour } from "./colours.js";
import { counted, hideTip, number, showTip, svg } from "./dom.js";
import { kNone } from "./fabric.js";

const kWidth = 760;
const tipOf = (lines) => ({ onmousemove: (event) => showTip(event, lines), onmouseleave: hideTip });
const colourOf = (view) => {
  return (c) => (view.share && view.loads[c] > 0 ? loadColour(view.share(c)) : "var(--idle-line)");
};
// Ends of names tell more than beginnings.
const short = (name, most = 14) => (name.length > most ? `\u2026${name.slice(1 - most)}` : name);

function picture(height, label, ...children) {
  return svg(
    "svg",
    { viewBox: `0 0 ${kWidth} ${height}`, class: "picture", role: "group", "aria-label": label },
    ...children,
  );
}

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
const live = (name, onclick) =>
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
function box(x, y, w, h, name, kind, onclick, label = name) {
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
  const side = { row: above.length ? beside : [], width: 250, up: true };
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
        `across: ${counted(beside.length, "switch")}, ${counted(sum(beside), "cable")}${said((above.length ? side : upper).labels)}`,
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
      `${lower.length} ${fabric.levelNames[block.level - 1]} switches below${gaps.length ? `; dashed: ${counted(gaps.length, "gap")}` : ""}${said(rows[1].labels)}`,
    ),
  );
}

// Ways from one end to another, one line for each of `walks` {title, channels, failure, places}.
export function drawPath(fabric, view, walks, pick) {
  const top = fabric.height;
  const rowHeight = top > 4 ? 58 : 78;
  const blocks = walks.map((one, k) => {
    const nodes =
      one.channels.length === 0
        ? []
        : [fabric.owner[one.channels[0]], ...one.channels.map((c) => fabric.owner[fabric.peer[c]])];
    return { ...one, k, nodes };
  });
  const parts = [];
  let y0 = 10;
  for (const one of blocks) {
    const pitch = kWidth / Math.max(2, one.nodes.length);
    const level = (node) => (node < fabric.adapters ? 0 : fabric.levels[node - fabric.adapters]);
    const at = (i) => ({ x: (i + 0.5) * pitch, y: y0 + 34 + (top - level(one.nodes[i])) * rowHeight });
    parts.push(svg("text", { x: 4, y: y0 + 6, class: `caption way${one.k}` }, one.title));
    one.channels.forEach((c, i) => {
      const [a, b] = [at(i), at(i + 1)];
      parts.push(
        svg("line", {
          x1: a.x,
          y1: a.y,
          x2: b.x,
          y2: b.y,
          class: `hop way${one.k}`,
          ...tipOf(view.describe(c)),
          onclick: () => pick({ kind: "channel", c }),
        }),
      );
      const flat = Math.abs(a.y - b.y) < 4;
      const label = `${fabric.port(c)} \u2192 ${fabric.port(fabric.peer[c])}`;
      const x = (a.x + b.x) / 2 + (flat ? 0 : 12);
      const y = (a.y + b.y) / 2 + (flat ? 16 : b.y < a.y ? 8 : -12);
      parts.push(
        svg(
          "text",
          { x, y, class: "port" },
          label,
          one.places ? svg("tspan", { x, dy: 13, class: "place" }, `place ${number(one.places[i] + 1)}`) : null,
        ),
      );
    });
    one.nodes.forEach((node, i) => {
      const { x, y } = at(i);
      const w = Math.min(pitch - 8, 126);
      parts.push(
        box(x - w / 2, y - 13, w, 26, fabric.names[node], node < fabric.adapters ? "host" : "switch", () =>
          pick(pickOf(fabric, node)),
        ),
      );
    });
    y0 += 62 + top * rowHeight;
    if (one.failure) parts.push(svg("text", { x: 4, y: y0 - 14, class: "bad" }, `No route: ${one.failure}.`));
  }
  return picture(y0, "The path through the tables", parts);
}

const kInColumn = 14;

// Every way of a pair through groups of ports, from left to right; a column for each hop. Where a
// column has more switches than fit, the rest is one box.
export function drawChoices(fabric, { a, b }, found, pick) {
  const longest = found.nodes.reduce((most, node) => Math.max(most, node.depth), 0);
  const columns = Array.from({ length: longest + 1 }, () => []);
  for (const node of [...found.nodes].sort((x, y) => x.s - y.s)) columns[node.depth].push(node);
  const hosts = { before: a >= 0 ? 1 : 0, after: b >= 0 ? 1 : 0 };
  const pitch = kWidth / (columns.length + hosts.before + hosts.after);
  const rows = Math.min(
    kInColumn + 1,
    columns.reduce((most, column) => Math.max(most, column.length), 1),
  );
  const height = 24 + Math.max(60, rows * 26) + (found.failure ? 22 : 0);
  const middle = 12 + Math.max(60, rows * 26) / 2;
  const w = Math.min(pitch * 0.7, 112);
  const place = new Map();
  const boxes = [];
  columns.forEach((column, k) => {
    const x = (k + hosts.before + 0.5) * pitch;
    const many = column.length > kInColumn + 1;
    const own = many ? column.slice(0, kInColumn) : column;
    const top = middle - ((own.length + (many ? 1 : 0) - 1) * 26) / 2;
    const names = own.map((node) => fabric.switchName(node.s));
    const labels = rowLabels(names, w + 3);
    own.forEach((node, i) => {
      const y = top + i * 26;
      place.set(node.s, { x, y });
      boxes.push(
        box(
          x - w / 2,
          y - 10,
          w,
          20,
          names[i],
          "switch",
          () => pick({ kind: "switch", s: node.s }),
          labels.upright ? names[i] : labels.labels[i],
        ),
      );
    });
    if (!many) return;
    const y = top + kInColumn * 26;
    for (const node of column.slice(kInColumn)) place.set(node.s, { x, y });
    boxes.push(box(x - w / 2, y - 10, w, 20, `and ${column.length - kInColumn} more`, "aside"));
  });
  const lines = new Map(); // those of a collapsed box are one
  const add = (from, to, share, words, c) => {
    const key = `${from.x} ${from.y} ${to.x} ${to.y}`;
    const line = lines.get(key) ?? { from, to, share: 0, channels: [], words };
    line.share += share;
    line.channels.push(c);
    lines.set(key, line);
  };
  const end = (t, x) => {
    boxes.push(box(x - w / 2, middle - 13, w, 26, fabric.endName(t), "host", () => pick({ kind: "host", t })));
    return { x, y: middle };
  };
  const last = hosts.after ? end(b, kWidth - pitch / 2) : null;
  if (hosts.before && place.has(found.start))
    add(end(a, pitch / 2), place.get(found.start), 1, [], fabric.terminals[a]);
  for (const edge of found.edges) {
    const to = fabric.nextSwitch[edge.c] >= 0 ? place.get(fabric.nextSwitch[edge.c]) : last;
    const chosen =
      edge.kind && edge.several > 1
        ? `one of ${edge.several} ports${edge.kind.group === null ? "" : ` of group ${edge.kind.group}`}`
        : "the only port";
    if (to) add(place.get(edge.s), to, edge.share, [chosen], edge.c);
  }
  const drawn = [...lines.values()].map(({ from, to, share, channels, words }) =>
    svg("line", {
      x1: from.x + w / 2,
      y1: from.y,
      x2: to.x - w / 2,
      y2: to.y,
      class: "choice",
      "stroke-width": (0.8 + 5 * share).toFixed(2),
      onclick: () => pick({ kind: "channel", c: channels[0] }),
      ...tipOf([
        channels.length > 1
          ? `${channels.length} channels`
          : `${fabric.portName(channels[0])} \u2192 ${fabric.portName(fabric.peer[channels[0]])}`,
        ...words,
        `${number(Math.round(1000 * share) / 10)}% of the packets`,
      ]),
    }),
  );
  return picture(
    height,
    `Every way from ${fabric.endName(a)} to ${fabric.endName(b)}`,
    drawn,
    boxes,
    found.failure && svg("text", { x: 4, y: height - 8, class: "bad" }, `Some choice fails: ${found.failure}.`),
  );
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
  const parts = [
    svg(
      "defs",
      {},
      svg(
        "marker",
        { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
        svg("path", { d: "M0,0 L8,4 L0,8 z", class: "arrow" }),
      ),
    ),
  ];
  steps.forEach((step, i) => {
    const [a, b] = [at(i), at(i + 1)];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const cut = 30 / Math.hypot(dx, dy);
    parts.push(
      svg("line", {
        x1: a.x + dx * cut,
        y1: a.y + dy * cut,
        x2: b.x - dx * cut,
        y2: b.y - dy * cut,
        class: "loop",
        "marker-end": "url(#arrow)",
        ...tipOf(view.describe(step.channel)),
        onclick: () => pick({ kind: "channel", c: step.channel }),
      }),
    );
    const mid = at(i + 0.5, r * Math.cos(Math.PI / n) - 24);
    parts.push(
      svg(
        "text",
        { x: mid.x, y: mid.y, class: "port", "text-anchor": "middle", "dominant-baseline": "central" },
        `${fabric.port(step.channel)} \u2192 ${fabric.port(fabric.peer[step.channel])}`,
      ),
    );
    const out = at(i + 0.5, r + (n > 9 ? 62 : 58));
    const anchor = Math.abs(out.x - cx) < 40 ? "middle" : out.x > cx ? "start" : "end";
    parts.push(
      svg(
        "g",
        {
          class: "pair live",
          onclick: () => pick({ kind: "pair", a: step.source, b: step.destination }),
          ...tipOf([
            `${fabric.endName(step.source)} \u2192 ${fabric.endName(step.destination)}`,
            "holds this channel and wants the next",
            "click to draw its path",
          ]),
        },
        svg("text", { x: out.x, y: out.y - 7, "text-anchor": anchor }, short(fabric.endName(step.source), 24)),
        svg(
          "text",
          { x: out.x, y: out.y + 9, "text-anchor": anchor },
          `\u2192 ${short(fabric.endName(step.destination), 22)}`,
        ),
      ),
    );
  });
  steps.forEach((step, i) => {
    const { x, y } = at(i);
    const node = fabric.owner[step.channel];
    parts.push(box(x - 56, y - 13, 112, 26, fabric.names[node], "chosen", () => pick(pickOf(fabric, node))));
  });
  return picture(size, "The credit loop", parts);
}
