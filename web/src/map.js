// SPDX-License-Identifier: BSD-3-Clause
// The drawing of the whole fabric, on a canvas: levels as rows, groups as boxes, bundles of cables
// between them (layout.js, bundles.js). Each row zooms along x by itself: what a pod has in one row
// may have its cables to all of another. What is opened or picked brings its neighbours into sight.
// A row is closed (groups) until its switches are wide enough to be drawn, and shows ports when
// these are.
import { css } from "./colours.js";
import { bitOf, Bundles } from "./bundles.js";
import { el, hideTip } from "./dom.js";
import { hostsBySwitch } from "./fabric.js";
import { layout, railsOf } from "./layout.js";
import { drawMap } from "./mapdraw.js";
import { MapInput } from "./mapinput.js";
import { SvgPen } from "./pen.js";

export const kLeft = 74;
const kRight = 8;
const kTop = 14;
export const kBox = 40; // height of a box
export const kHosts = 24;
const kRowStep = 128;
const kFreeSteps = [54, 84]; // where there are no levels
const kFreeHeight = 1000; // where steps can be that small
export const kOpen = 12; // pixels a switch, to be drawn by itself with its own cables: else its group is one box
const kPort = 9; // pixels a port
const kMostZoom = 40000;
const kFarApart = 0.6; // of the width

export class FabricMap {
  input;
  fabric;
  findings;
  height;
  hostBoxes;
  lines;
  pick;
  ratio;
  removed;
  restore;
  values;
  width;

  // pick(what), describe(channel) -> lines of a tip, findings: by node (findings.js), missing: data.put_back
  constructor(fabric, { shown, pick, describe, findings, missing }) {
    Object.assign(this, {
      fabric,
      pick,
      describe,
      findings,
      values: null,
      mode: "load",
      unit: "",
      ghosts: [],
      restore: () => {},
      missing,
      picked: null,
      marked: null,
      over: null,
      cursor: null,
    });
    this.rails = railsOf(fabric, shown.rails);
    this.canvas = el("canvas", {
      class: "map",
      id: "map-canvas",
      tabindex: "0",
      role: "application",
      "aria-describedby": "map-help",
      "aria-label": "The whole fabric: a row for each level",
    });
    this.hosts = hostsBySwitch(fabric);
    this.arrange("unit");
    this.input = new MapInput(this);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }
  arrange(leavesBy) {
    this.leavesBy = leavesBy;
    this.layout = layout(this.fabric, this.rails, leavesBy);
    this.bundles = new Bundles(this.fabric, this.layout);
    const together = { k: 1, x: 0 };
    // Rows of boxes zoom together.
    const framed = this.layout.frames[0]?.last ?? -1;
    this.transforms = this.layout.rows.map((_, i) => (this.layout.free || i <= framed ? together : { k: 1, x: 0 }));
    this.active = this.layout.rows.length - 1; // the row that keys and buttons zoom
    this.cursor = null;
    this.kept = null;
    this.draw();
  }

  // What is drawn.
  show(values, mode, unit) {
    Object.assign(this, { values, mode, unit, kept: null });
    this.draw();
  }
  setPicked(what) {
    this.picked = what;
    this.draw();
  }
  // What a what-if has lost; restore(change) at a click. Cables: [{a, b (switches), text, change}], switches: [{level,
  // text, change}]
  setGhosts(ghosts, restore) {
    Object.assign(this, { ghosts, restore });
    this.draw();
  }
  setMarked(marked) {
    this.marked = marked;
    this.draw();
  }

  // Geometry.
  transform(row) {
    return this.transforms[row];
  }
  inner() {
    return this.width - kLeft - kRight;
  }
  screenX(row, x) {
    const t = this.transform(row);
    return kLeft + t.x + x * t.k * this.inner();
  }
  worldX(row, x) {
    const t = this.transform(row);
    return (x - kLeft - t.x) / (t.k * this.inner());
  }
  rowY(row) {
    return kTop + (this.layout.frames.length ? 28 : 14) + row * this.rowStep();
  }
  rowStep() {
    const [least, most] = kFreeSteps;
    return this.layout.free
      ? Math.max(least, Math.min(most, Math.round(kFreeHeight / this.layout.rows.length)))
      : kRowStep;
  }
  // Hosts stand below the last row; where there are no levels, their number is in the boxes.
  hostsY() {
    if (this.layout.free) return this.rowY(this.layout.rows.length - 1) + kBox;
    return this.rowY(this.layout.rows.length - 1) + kBox + 40;
  }
  // Pixels of a switch in a row.
  step(row) {
    const { layout } = this;
    const groups = layout.rows[row].groups;
    const g = groups[groups.length >> 1];
    return ((g.x1 - g.x0) / g.switches.length) * this.transform(row).k * this.inner();
  }
  // A bit for each row whose switches are that wide.
  wider(pixels) {
    let bits = 0;
    this.layout.rows.forEach((_, row) => {
      if (this.step(row) >= pixels) bits |= 1 << bitOf(row);
    });
    return bits;
  }
  isOpen(row) {
    return this.step(row) >= kOpen;
  }
  // Channels of a switch at the upper and lower edge of its box, if there is room for them.
  portsOf(s) {
    const { fabric, layout } = this;
    const row = layout.rowOf[s];
    const width = (layout.x1[s] - layout.x0[s]) * this.transform(row).k * this.inner();
    const all = fabric.ports[fabric.node(s)];
    if (width < (layout.free ? 1.5 * all : all / 2) * kPort) return null;
    const [up, down] = [[], []];
    for (let port = 1; port <= all; ++port) {
      const c = fabric.slot(s, port);
      const next = fabric.nextSwitch[c];
      const above = next >= 0 && (layout.free ? layout.rowOf[next] < row : fabric.levels[next] > fabric.levels[s]);
      (above ? up : down).push(c);
    }
    if (width < Math.max(up.length, down.length) * kPort) return null;
    const left = this.screenX(row, layout.x0[s]);
    const place = new Map();
    [up, down].forEach((list, side) => {
      const cell = (width - 6) / list.length;
      list.forEach((c, i) => place.set(c, { side, x: left + 3 + i * cell, width: cell }));
    });
    return place;
  }

  resize() {
    const width = this.canvas.clientWidth;
    if (width === 0 || this.layout.rows.length === 0) return;
    const height = this.hostsY() + kHosts + 16;
    const ratio = devicePixelRatio || 1;
    if (this.width === width && this.height === height && this.ratio === ratio) return;
    const before = this.width;
    Object.assign(this, { width, height, ratio });
    if (before) for (const t of new Set(this.transforms)) t.x *= width / before;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
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
    drawMap(this, context);
  }
  svg() {
    const pen = new SvgPen(this.width, this.height);
    drawMap(this, pen);
    this.drawNow();
    return pen.document(css("--surface"));
  }
  // Bundles as they are drawn now, with their values; made again when rows open or loads change.
  current() {
    const open = this.wider(kOpen);
    if (this.kept?.open !== open) {
      const bundles = this.bundles.of(open);
      this.kept = { open, bundles, values: this.bundles.values(bundles, this.values) };
    }
    return this.kept;
  }

  // Zoom.
  rowAt(y) {
    const last = this.layout.rows.length - 1;
    return Math.max(0, Math.min(last, Math.floor((y - this.rowY(0) + (this.rowStep() - kBox) / 2) / this.rowStep())));
  }
  clamp(t) {
    t.k = Math.max(1, Math.min(kMostZoom, t.k));
    t.x = Math.min(0, Math.max(-(t.k - 1) * this.inner(), t.x));
  }
  zoomBy(factor, point) {
    const row = point ? this.rowAt(point.y) : this.active;
    this.active = row;
    const x = point ? point.x : kLeft + this.inner() / 2;
    const t = this.transform(row);
    const k = Math.max(1, Math.min(kMostZoom, t.k * factor));
    t.x = x - kLeft - (x - kLeft - t.x) * (k / t.k);
    t.k = k;
    this.clamp(t);
    hideTip();
    this.draw();
  }
  move(dx, point) {
    const t = this.transform(this.rowAt(point.y));
    t.x += dx;
    this.clamp(t);
    this.draw();
  }
  reset() {
    for (const t of this.transforms) Object.assign(t, { k: 1, x: 0 });
    this.cursor = null;
    this.draw();
  }
  // Makes x0 to x1 of a row fill `share` of the width.
  fit(row, x0, x1, share) {
    const t = this.transform(row);
    t.k = share / Math.max(1e-9, x1 - x0);
    this.clamp(t);
    t.x = this.inner() / 2 - ((x0 + x1) / 2) * t.k * this.inner();
    this.clamp(t);
    this.draw();
  }
  showGroup(group) {
    const row = this.layout.rows.indexOf(group.row);
    const enough = ((kOpen + 1) * group.switches.length) / this.inner();
    this.fit(row, group.x0, group.x1, Math.max(0.6, enough));
    this.follow(row, group.switches);
  }
  // how: "near", with its neighbours in the row; "ports", as wide as its ports need
  showSwitch(s, how = "near") {
    const { layout } = this;
    const row = layout.rowOf[s];
    if (row < 0 || !this.width) return;
    const width = layout.x1[s] - layout.x0[s];
    const wanted = how === "ports" ? this.fabric.ports[this.fabric.node(s)] * (kPort + 4) : 44;
    if (how === "near" && width * this.transform(row).k * this.inner() >= wanted) this.fitInside(row, s);
    else this.fit(row, layout.x0[s], layout.x1[s], Math.min(0.9, wanted / this.inner()));
    this.follow(row, [s]);
  }
  // What was picked elsewhere comes into sight.
  showPick(pick, channels) {
    const { fabric } = this;
    if (!this.width) return;
    if (pick.kind === "switch") this.showSwitch(pick.s);
    else if (pick.kind === "host" && fabric.leaf[pick.t] >= 0) this.showSwitch(fabric.leaf[pick.t], "ports");
    else if (pick.kind === "channel") {
      const s = fabric.owner[pick.c] - fabric.adapters;
      this.showSwitch(s >= 0 ? s : fabric.nextSwitch[pick.c]);
    } else if (pick.kind === "pair") this.showPath(channels);
  }
  // Each row shows the switches that a path has there.
  showPath(channels) {
    const { fabric, layout } = this;
    const on = new Set(channels.flatMap((c) => [fabric.owner[c] - fabric.adapters, fabric.nextSwitch[c]]));
    layout.rows.forEach((_, row) => {
      const here = [...on].filter((s) => s >= 0 && layout.rowOf[s] === row);
      if (here.length === 0) return;
      const [x0, x1] = [Math.min(...here.map((s) => layout.x0[s])), Math.max(...here.map((s) => layout.x1[s]))];
      this.fit(row, x0, x1, Math.min(0.6, (here.length * 60) / this.inner()));
    });
  }
  showUnit({ by, index }) {
    if (this.leavesBy !== by) this.arrange(by);
    const of = by === "unit" ? this.rails.unit : this.rails.rail;
    const group = this.layout.groups.find((g) =>
      g.switches.every((s) => of[s] === index && this.fabric.levels[s] === 1),
    );
    if (group) this.showGroup(group);
  }
  // Other rows show what these switches have cables to, and that in turn: all of it if it is far apart.
  follow(row, switches) {
    const { layout, transforms } = this;
    this.active = row;
    if (layout.free) return;
    for (const way of [-1, 1]) {
      let reached = switches;
      for (let next = row + way; next >= 0 && next < transforms.length; next += way) {
        reached = this.neighboursIn(next, reached);
        if (reached.length === 0 || transforms[next] === transforms[row]) continue;
        const x0 = Math.min(...reached.map((s) => layout.x0[s]));
        const x1 = Math.max(...reached.map((s) => layout.x1[s]));
        if (x1 - x0 > kFarApart) Object.assign(transforms[next], { k: 1, x: 0 });
        else this.fit(next, x0, x1, 0.92);
      }
    }
  }
  neighboursIn(row, switches) {
    const { fabric, layout } = this;
    const found = new Set();
    for (const s of switches) {
      for (let c = fabric.first[fabric.node(s)] + 1; c < fabric.first[fabric.node(s) + 1]; ++c) {
        if (fabric.nextSwitch[c] >= 0 && layout.rowOf[fabric.nextSwitch[c]] === row) found.add(fabric.nextSwitch[c]);
      }
    }
    return [...found];
  }
  fitInside(row, s) {
    const t = this.transform(row);
    const at = this.screenX(row, (this.layout.x0[s] + this.layout.x1[s]) / 2);
    if (at < kLeft + 20 || at > this.width - 20) t.x += kLeft + this.inner() / 2 - at;
    this.clamp(t);
    this.draw();
  }

  // What is at a point: {row, box: "group", group} | {row, s} | {row, s, c} | {t} | {bundle} | {gap} | null
  at({ x, y }) {
    if (!this.width || x < kLeft) return this.removed?.find((one) => Math.abs(one.y - y) < 9)?.what ?? null;
    const { layout } = this;
    for (let row = 0; row < layout.rows.length; ++row) {
      const top = this.rowY(row);
      if (y < top || y > top + kBox) continue;
      const world = this.worldX(row, x);
      const group = layout.rows[row].groups.find((g) => world >= g.x0 && world < g.x1);
      if (!group) return null;
      if (!this.isOpen(row)) return { row, group };
      const s = group.switches.find((one) => world >= layout.x0[one] && world < layout.x1[one]);
      return s === undefined ? null : this.portAt(row, s, x, y);
    }
    const host = this.hostAt(x, y);
    return host ?? this.lineAt(x, y);
  }
  portAt(row, s, x, y) {
    const ports = this.portsOf(s);
    const side = y < this.rowY(row) + 12 ? 0 : y > this.rowY(row) + kBox - 12 ? 1 : -1;
    for (const [c, place] of ports ?? [])
      if (place.side === side && x >= place.x && x < place.x + place.width) return { row, s, c };
    return { row, s };
  }
  hostAt(x, y) {
    const top = this.hostsY();
    if (y < top || y > top + kHosts) return null;
    const box = this.hostBoxes?.find((one) => x >= one.x && x < one.x + one.width);
    return box ? { row: this.layout.rows.length, ...box.what } : null;
  }
  lineAt(x, y) {
    let [best, least] = [null, 5];
    for (const line of this.lines ?? []) {
      const { x1, y1, x2, y2 } = line;
      if (y < Math.min(y1, y2) - 4 || y > Math.max(y1, y2) + 4) continue;
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const far = Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
      if (far < least && x > Math.min(x1, x2) - 5 && x < Math.max(x1, x2) + 5) [best, least] = [line.what, far];
    }
    return best;
  }

  boxesOf(row) {
    const { rows } = this.layout;
    return this.isOpen(row)
      ? rows[row].switches.map((s) => ({ row, s }))
      : rows[row].groups.map((group) => ({ row, group }));
  }
  middle({ row, s, group }) {
    const { x0, x1 } = this.layout;
    return this.screenX(row, s === undefined ? (group.x0 + group.x1) / 2 : (x0[s] + x1[s]) / 2);
  }
}
