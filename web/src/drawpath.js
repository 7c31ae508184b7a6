// SPDX-License-Identifier: BSD-3-Clause
// Pictures of paths, of every way that switches can choose, and of credit loops (SVG).
import { number, svg } from "./dom.js";
import { box, kWidth, live, picture, pictureOf, pickOf, rowLabels, short, tipOf } from "./draw.js";
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

const kLoopWidth = 760;

// Channels that wait for each other, in a ring; at each, the pair whose packet waits.
export function drawLoop(fabric, view, cycle, pick) {
  const steps = cycle.steps;
  const n = steps.length;
  const r = n > 6 ? 185 : 140;
  const size = 2 * r + (n > 6 ? 190 : 120);
  const [cx, cy] = [kLoopWidth / 2, size / 2];
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
          ...live(`Draw the path from ${fabric.endName(step.source)} to ${fabric.endName(step.destination)}`, () =>
            pick({ kind: "pair", a: step.source, b: step.destination }),
          ),
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
  return pictureOf(kLoopWidth, size, "The credit loop", parts);
}
