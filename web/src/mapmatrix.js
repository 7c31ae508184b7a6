// SPDX-License-Identifier: BSD-3-Clause
// The map of a large fabric without levels: a matrix of switches in order of names. A cell is the cable from the
// switch of its row to that of its column, in the colour of its load. What map.js offers to others, this offers.
import { css } from "./colours.js";
import { counted, el, hideTip, showTip } from "./dom.js";
import { hostsBySwitch } from "./fabric.js";
import { severityOf } from "./findings.js";
import { followGestures } from "./gestures.js";
import { railsOf } from "./layout.js";
import { colourOf, fittedEnd, paint } from "./mappaint.js";
import { tipOf } from "./maptips.js";
import { SvgPen } from "./pen.js";

const kLeft = 86;
const kTop = 70;
const kEdge = 10;
const kNames = 10; // pixels a name
const kNear = 9; // pixels a cell that was looked for
const kMostCell = 40;
const kInk = 0.15; // of the picture

export class MatrixMap {
  asked;
  drawn;
  fabric;
  findings;
  ghosts;
  height;
  order;
  pick;
  rails;
  ratio;
  restore;
  side;
  values;
  width;

  constructor(fabric, { shown, pick, describe, findings, order }) {
    Object.assign(this, { fabric, pick, describe, findings, order, rails: railsOf(fabric, shown.rails) });
    Object.assign(this, { values: null, mode: "load", unit: "", ghosts: [], restore: () => {}, missing: [] });
    Object.assign(this, { picked: null, marked: null, over: null, cursor: null, leavesBy: "unit" });
    this.layout = { rows: [{ switches: order, name: "switches" }], groups: [], frames: [], free: true };
    this.transforms = [{ k: 1, x: 0, y: 0 }];
    this.hosts = hostsBySwitch(fabric);
    this.place = new Map(order.map((s, i) => [s, i]));
    this.cells = order.map((s) => cellsOf(fabric, this.place, s));
    this.canvas = el("canvas", {
      class: "map",
      id: "map-canvas",
      tabindex: "0",
      role: "application",
      "aria-describedby": "map-help",
      "aria-label": "The whole fabric: a matrix of switches",
    });
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }
  listen() {
    followGestures(this.canvas, {
      zoom: (factor, point) => this.zoomBy(factor, point),
      move: (dx, _, dy) => this.move(dx, dy),
      click: (point) => this.choose(this.at(point)),
      hover: (event, point) => this.hover(event, this.at(point)),
      leave: () => this.hover(null, null),
      zoomed: () => this.transforms[0].k > 1,
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("blur", () => this.hover(null, null));
  }

  show(values, mode, unit) {
    const worst = (list) => list.reduce((a, b) => (Math.abs(values[b]) > Math.abs(values[a]) ? b : a));
    for (const row of this.cells) for (const cell of row) cell.c = worst(cell.list);
    const scene = { map: { mode } };
    const all = this.cells.flatMap((row, i) => row.map((cell) => ({ i, cell, colour: 0 })));
    for (const one of all) one.colour = colourOf(scene, values[one.cell.c]);
    this.drawn = all.sort((a, b) => a.colour - b.colour); // the most loaded on top
    Object.assign(this, { values, mode, unit });
    this.draw();
  }
  setPicked(what) {
    this.picked = what;
    this.draw();
  }
  setMarked(marked) {
    this.marked = marked;
    this.draw();
  }
  setGhosts(ghosts, restore) {
    Object.assign(this, { ghosts, restore });
    this.draw();
  }
  arrange() {}
  showUnit() {}
  isOpen() {
    return true;
  }

  // Geometry: cell i begins at kLeft + x(i).
  cell() {
    return (this.side / this.order.length) * this.transforms[0].k;
  }
  x(i) {
    return kLeft + this.transforms[0].x + i * this.cell();
  }
  y(i) {
    return kTop + this.transforms[0].y + i * this.cell();
  }
  clamp() {
    const t = this.transforms[0];
    t.k = Math.max(1, Math.min((kMostCell * this.order.length) / this.side, t.k));
    const least = this.side * (1 - t.k);
    t.x = Math.min(0, Math.max(least, t.x));
    t.y = Math.min(0, Math.max(least, t.y));
    this.draw();
  }
  zoomBy(factor, point = { x: kLeft + this.side / 2, y: kTop + this.side / 2 }) {
    const t = this.transforms[0];
    const k = Math.max(1, t.k * factor);
    t.x = point.x - kLeft - (point.x - kLeft - t.x) * (k / t.k);
    t.y = point.y - kTop - (point.y - kTop - t.y) * (k / t.k);
    t.k = k;
    hideTip();
    this.clamp();
  }
  move(dx, dy) {
    this.transforms[0].x += dx;
    this.transforms[0].y += dy;
    this.clamp();
  }
  reset() {
    Object.assign(this.transforms[0], { k: 1, x: 0, y: 0 });
    this.cursor = null;
    this.draw();
  }
  // Row i and column j in the middle, if they are out of sight or too small.
  showCell(i, j) {
    const t = this.transforms[0];
    if (!this.side) return;
    t.k = Math.max(t.k, (kNear * this.order.length) / this.side);
    t.x = this.side / 2 - (j + 0.5) * this.cell();
    t.y = this.side / 2 - (i + 0.5) * this.cell();
    this.clamp();
  }
  showSwitch(s) {
    const i = this.place.get(s);
    if (i !== undefined) this.showCell(i, i);
  }
  showPick(pick) {
    const { fabric } = this;
    if (pick.kind === "switch") this.showSwitch(pick.s);
    else if (pick.kind === "host" && fabric.leaf[pick.t] >= 0) this.showSwitch(fabric.leaf[pick.t]);
    else if (pick.kind === "pair") this.reset();
    else if (pick.kind === "channel") {
      const [i, j] = this.cellOf(pick.c);
      if (i !== undefined && j !== undefined) this.showCell(i, j);
    }
  }
  cellOf(c) {
    return [this.fabric.owner[c] - this.fabric.adapters, this.fabric.nextSwitch[c]].map((s) => this.place.get(s));
  }

  resize() {
    const width = this.canvas.clientWidth;
    const ratio = devicePixelRatio || 1;
    if (width === 0 || (this.width === width && this.ratio === ratio)) return;
    const side = Math.max(120, width - kLeft - kEdge);
    const grown = side / (this.side ?? side);
    Object.assign(this, { width, ratio, side, height: kTop + side + kEdge });
    for (const key of ["x", "y"]) this.transforms[0][key] *= grown;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.height = `${this.height}px`;
    this.drawNow();
  }
  draw() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.drawNow();
    });
  }
  drawNow() {
    if (!this.width || !this.values) return;
    const context = this.canvas.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.paint(context);
  }
  svg() {
    const pen = new SvgPen(this.width, this.height);
    this.paint(pen);
    return pen.document(css("--surface"));
  }

  paint(pen) {
    const names = ["surface", "text", "muted", "faint", "accent", "poor", "warn", "idle", "idle-line"];
    const theme = Object.fromEntries(names.map((name) => [name, css(`--${name}`)]));
    pen.font = "10px system-ui, sans-serif";
    pen.save();
    pen.beginPath();
    pen.rect(kLeft, kTop, this.side, this.side);
    pen.clip();
    pen.fillStyle = theme.idle;
    pen.fillRect(kLeft, kTop, this.side, this.side);
    this.paintCells(pen, theme);
    this.paintMarks(pen, theme);
    pen.restore();
    this.paintNames(pen, theme);
  }
  paintCells(pen, theme) {
    const size = this.cell();
    // Small cells are larger than they should be where they are few.
    const least = Math.max(1.2, Math.min(3, this.side * Math.sqrt(kInk / this.drawn.length)));
    const box = Math.max(least, size > 5 ? size - 1 : size);
    const scene = { map: this, theme };
    let colour = -1;
    for (const one of this.drawn) {
      const [x, y] = [this.x(one.cell.j), this.y(one.i)];
      if (x + size < kLeft || y + size < kTop || x > this.width || y > this.height) continue;
      if (one.colour !== colour) pen.fillStyle = paint(scene, (colour = one.colour));
      pen.fillRect(x, y, box, box);
    }
    pen.fillStyle = theme.faint; // each switch itself: the diagonal
    for (let i = 0; i < this.order.length; ++i)
      pen.fillRect(this.x(i), this.y(i), Math.max(0.6, size), Math.max(0.6, size));
  }
  // What is picked, marked, lost or under the pointer.
  paintMarks(pen, theme) {
    const size = this.cell();
    const frame = (i, j, colour, dash = []) => {
      if (i === undefined || j === undefined) return;
      const wide = Math.max(size, 6);
      pen.strokeStyle = colour;
      pen.lineWidth = 2;
      pen.setLineDash(dash);
      pen.strokeRect(this.x(j) + (size - wide) / 2, this.y(i) + (size - wide) / 2, wide, wide);
      pen.setLineDash([]);
    };
    const cross = (s, colour, alpha) => {
      const i = this.place.get(s);
      if (i === undefined) return;
      pen.globalAlpha = alpha;
      pen.fillStyle = colour;
      pen.fillRect(kLeft, this.y(i), this.side, Math.max(1.5, size));
      pen.fillRect(this.x(i), kTop, Math.max(1.5, size), this.side);
      pen.globalAlpha = 1;
    };
    const { picked, marked, over, ghosts, fabric } = this;
    const s = picked?.kind === "switch" ? picked.s : picked?.kind === "host" ? fabric.leaf[picked.t] : undefined;
    if (s !== undefined) cross(s, theme.accent, 0.28);
    if (over?.s !== undefined) cross(over.s, theme.text, 0.14);
    const both = (c, colour) => [c, fabric.peer[c]].forEach((one) => frame(...this.cellOf(one), colour));
    if (picked?.kind === "channel") both(picked.c, theme.accent);
    for (const c of picked?.path ?? []) frame(...this.cellOf(c), theme.accent);
    for (const c of marked?.channels ?? []) frame(...this.cellOf(c), theme.text);
    for (const { a, b } of ghosts) {
      frame(this.place.get(a), this.place.get(b), theme.text, [3, 3]);
      frame(this.place.get(b), this.place.get(a), theme.text, [3, 3]);
    }
    if (over?.c !== undefined) frame(...this.cellOf(over.c), theme.text);
  }
  // Names at the left and above, as many as there is room for; a finding is a mark next to the row.
  paintNames(pen, theme) {
    const size = this.cell();
    const every = Math.max(1, Math.ceil(kNames / size));
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    this.order.forEach((s, i) => {
      const middle = this.y(i) + size / 2;
      if (middle < kTop || middle > kTop + this.side) return;
      const severity = severityOf(this, [this.fabric.node(s)]);
      if (severity) {
        pen.fillStyle = severity === "bad" ? theme.poor : theme.warn;
        pen.fillRect(kLeft - 6, middle - Math.max(1, size / 2), 5, Math.max(2, size));
      }
      if (i % every !== 0) return;
      pen.fillStyle = theme.muted;
      pen.fillText(fittedEnd(pen, this.fabric.switchName(s), kLeft - 12), kLeft - 9, middle);
    });
    pen.textAlign = "left";
    this.order.forEach((s, i) => {
      const middle = this.x(i) + size / 2;
      if (i % every !== 0 || middle < kLeft || middle > kLeft + this.side) return;
      pen.save();
      pen.translate(middle, kTop - 6);
      pen.rotate(-Math.PI / 2);
      pen.fillStyle = theme.muted;
      pen.fillText(fittedEnd(pen, this.fabric.switchName(s), kTop - 10), 0, 0);
      pen.restore();
    });
  }

  // {s} or {c, list} or {ghost} at a point; null outside.
  at({ x, y }) {
    if (x < kLeft || y < kTop || x > kLeft + this.side || y > kTop + this.side) return null;
    const [j, i] = [(x - this.x(0)) / this.cell(), (y - this.y(0)) / this.cell()];
    const reach = Math.max(0.5, 3 / this.cell()); // a cable within three pixels
    const near = (cell) => Math.max(Math.abs(cell.j + 0.5 - j), Math.abs(cell.i + 0.5 - i));
    const hits = [];
    for (
      let row = Math.max(0, Math.ceil(i - 0.5 - reach));
      row < Math.min(this.order.length, i - 0.5 + reach + 1);
      ++row
    )
      for (const cell of this.cells[row]) {
        const far = near({ j: cell.j, i: row });
        if (far <= reach) hits.push({ far, cell });
      }
    const ghost = this.ghosts.find(({ a, b }) =>
      [
        [a, b],
        [b, a],
      ].some(([from, to]) => near({ i: this.place.get(from), j: this.place.get(to) }) <= reach),
    );
    if (ghost) return { ghost };
    if (hits.length) return hits.reduce((a, b) => (b.far < a.far ? b : a)).cell;
    const s = this.order[Math.floor(i)];
    return s === undefined ? null : { s };
  }
  tip(what) {
    const lines = tipOf(this, what.list ? { c: what.c } : what);
    if (what.s !== undefined && this.hosts[what.s].length) lines.push(counted(this.hosts[what.s].length, "host"));
    return what.list?.length > 1
      ? [lines[0], `the most loaded of ${counted(what.list.length, "cable")}`, ...lines.slice(1)]
      : lines;
  }
  hover(event, what) {
    this.over = what;
    this.canvas.style.cursor = what ? "pointer" : "grab";
    if (what && event) showTip(event, this.tip(what));
    else hideTip();
    this.draw();
  }
  choose(what) {
    if (!what) return;
    if (what.ghost) this.restore(what.ghost.change);
    else if (what.c !== undefined) this.pick({ kind: "channel", c: what.c });
    else this.pick({ kind: "switch", s: what.s });
  }
  // Up and down go from switch to switch, left and right along its cables.
  key(event) {
    const { key } = event;
    if (key === "+" || key === "=") this.zoomBy(1.6);
    else if (key === "-") this.zoomBy(1 / 1.6);
    else if (key === "0" || key === "Escape") this.reset();
    else if (key === "Enter" || key === " ") {
      event.preventDefault();
      if (this.cursor) this.choose(this.underCursor());
    } else if (key.startsWith("Arrow")) {
      event.preventDefault();
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
      if (event.shiftKey) this.move(-90 * dx, -90 * dy);
      else this.stepTo(dx, dy);
    }
  }
  underCursor() {
    const { i, at } = this.cursor;
    return at < 0 ? { s: this.order[i] } : this.cells[i][at];
  }
  stepTo(dx, dy) {
    if (!this.cursor) this.cursor = { i: 0, at: -1 };
    else if (dy) this.cursor = { i: Math.max(0, Math.min(this.order.length - 1, this.cursor.i + dy)), at: -1 };
    else this.cursor.at = Math.max(-1, Math.min(this.cells[this.cursor.i].length - 1, this.cursor.at + dx));
    const what = this.underCursor();
    const { i } = this.cursor;
    this.showCell(i, what.list ? what.j : i);
    const box = this.canvas.getBoundingClientRect();
    const at = { clientX: box.left + this.x(what.list ? what.j : i), clientY: box.top + this.y(i) + this.cell() };
    this.hover({ currentTarget: this.canvas, ...at }, what);
  }
}

// The switches that a switch has cables to, in order: {i, j (places), list (channels), c (the most loaded)}
function cellsOf(fabric, place, s) {
  const found = new Map();
  const node = fabric.node(s);
  for (let c = fabric.first[node] + 1; c < fabric.first[node + 1]; ++c) {
    const next = fabric.nextSwitch[c];
    if (next < 0 || next === s) continue;
    if (!found.has(next)) found.set(next, { i: place.get(s), j: place.get(next), list: [], c });
    found.get(next).list.push(c);
  }
  return [...found.values()].sort((a, b) => a.j - b.j);
}
