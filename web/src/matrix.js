// SPDX-License-Identifier: BSD-3-Clause
// The matrix of channel loads: a band for each level, the top first; a column for each switch, a
// row for each of its ports. On a canvas; wheel and drag zoom along the switches (all ports stay in
// sight), hover names the port.
import { css, differenceColour, loadColour } from "./colours.js";
import { el, hideTip, showTip } from "./dom.js";
import { bands, kindOf } from "./fabric.js";
import { followGestures } from "./gestures.js";
import { SvgPen } from "./pen.js";

const kLeft = 64;
const kTop = 4;
const kBandGap = 26;
const kBottom = 4;
const kMostHeight = 560;
const kMostZoom = 60;
const transformOf = (k, x) => ({ k, x, applyX: (at) => at * k + x, invertX: (at) => (at - x) / k });
const kKinds = ["host", "down", "across", "up", "inside", "free", "from"];

export class Matrix {
  height;
  mode;
  ratio;
  values;
  width;

  // pick(channel), describe(channel) -> lines of the tip
  constructor(fabric, { pick, describe }) {
    this.fabric = fabric;
    this.pick = pick;
    this.describe = describe;
    this.bands = bands(fabric);
    this.byKind = false;
    this.transform = transformOf(1, 0);
    this.canvas = el("canvas", {
      class: "matrix",
      tabindex: "0",
      role: "application",
      "aria-describedby": "matrix-help",
      "aria-label": "Load of every channel: columns are switches, rows their ports",
    });
    this.focus = [];
    this.placePorts();
    followGestures(this.canvas, {
      zoom: (factor, point) => this.zoomBy(factor, point.x),
      move: (dx) => this.place(this.transform.k, this.transform.x + dx),
      click: (point, event) => {
        const c = this.channelAt(event);
        if (c !== undefined) this.pick(c);
      },
      hover: (event) => this.hover(event),
      leave: () => {
        hideTip();
        this.over = undefined;
        this.draw();
      },
      zoomed: () => this.transform.k > 1,
    });
    this.canvas.addEventListener("keydown", (event) => {
      if (event.key === "+" || event.key === "=") this.zoomBy(1.6);
      else if (event.key === "-") this.zoomBy(1 / 1.6);
      else if (event.key === "0" || event.key === "Escape") this.reset();
      else if (event.key === "Enter" && this.over !== undefined) this.pick(this.over);
      else if (event.key.startsWith("Arrow")) this.step(event);
    });
    this.canvas.addEventListener("blur", () => {
      this.over = undefined;
      this.draw();
    });
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  // From port to port by the arrow keys; up and down go on in the next band.
  step(event) {
    event.preventDefault();
    const { fabric, bands } = this;
    if (bands.length === 0) return;
    const s = this.over === undefined ? -1 : fabric.owner[this.over] - fabric.adapters;
    let k = bands.findIndex((band) => band.switches.includes(s));
    let [column, row] = k < 0 ? [0, -1] : [bands[k].switches.indexOf(s), this.slots.get(s).indexOf(this.over)];
    if (k < 0) [k, row] = [0, 0];
    else if (event.key === "ArrowRight") column = Math.min(column + 1, bands[k].switches.length - 1);
    else if (event.key === "ArrowLeft") column = Math.max(column - 1, 0);
    else row += event.key === "ArrowDown" ? 1 : -1;
    const size = () => this.slots.get(bands[k].switches[column]).length;
    if (row < 0 && k > 0) {
      column = Math.floor((column * bands[k - 1].switches.length) / bands[k].switches.length);
      --k;
      row = size() - 1;
    } else if (row >= size() && event.key === "ArrowDown" && k + 1 < bands.length) {
      column = Math.floor((column * bands[k + 1].switches.length) / bands[k].switches.length);
      ++k;
      row = 0;
    }
    this.over = this.slots.get(bands[k].switches[column])[Math.max(0, Math.min(row, size() - 1))];
    const at = this.placeOf(this.over);
    showTip({ currentTarget: this.canvas, clientX: at.x, clientY: at.y }, this.describe(this.over));
    this.draw();
  }

  // Screen x is k times the place at rest, moved by x; nothing is shown next to the bands.
  place(k, x) {
    const scale = Math.max(1, Math.min(kMostZoom, k));
    const [left, right] = [kLeft, this.width];
    this.transform = transformOf(scale, Math.min(left - scale * left, Math.max(right - scale * right, x)));
    this.draw();
  }
  zoomBy(factor, at = (kLeft + this.width) / 2) {
    const { k, x } = this.transform;
    const scale = Math.max(1, Math.min(kMostZoom, k * factor));
    this.place(scale, at - ((at - x) * scale) / k);
  }
  reset() {
    this.place(1, 0);
  }
  // Makes one switch's column wide enough to read.
  showSwitch(s) {
    const band = this.bands.find((b) => b.switches.includes(s));
    if (!band) return;
    const k = Math.max(1, Math.min(kMostZoom, (24 * band.switches.length) / (this.width - kLeft)));
    const column = (this.width - kLeft) / band.switches.length;
    const x = kLeft + (band.switches.indexOf(s) + 0.5) * column;
    this.place(k, (this.width + kLeft) / 2 - k * x);
  }

  // Which slot each row of a switch's column is.
  placePorts() {
    const { fabric } = this;
    this.slots = new Map();
    for (const band of this.bands) {
      for (const s of band.switches) {
        const node = fabric.node(s);
        const slots = Array.from({ length: fabric.ports[node] }, (_, i) => fabric.first[node] + i + 1);
        if (this.byKind) {
          const rank = (c) => kKinds.indexOf(kindOf(fabric, c));
          slots.sort((a, b) => rank(a) - rank(b) || fabric.nextSwitch[a] - fabric.nextSwitch[b] || a - b);
        }
        this.slots.set(s, slots);
      }
    }
  }
  setOrder(byKind) {
    this.byKind = byKind;
    this.placePorts();
    this.draw();
  }

  // mode "load": values >= 0; "difference": values around 0; both on the scale of scale.js
  show(values, mode, unit) {
    Object.assign(this, { values, mode, unit });
    this.draw();
  }
  setFocus(channels) {
    this.focus = channels;
    this.draw();
  }

  resize() {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const rows = this.bands.reduce((sum, band) => sum + band.ports, 0);
    const room = kMostHeight - this.bands.length * kBandGap;
    const cell = Math.max(1.5, Math.min(18, room / rows));
    let y = kTop;
    for (const band of this.bands) {
      band.y = y + kBandGap - 6;
      band.height = cell * band.ports;
      y = band.y + band.height + 6;
    }
    const height = Math.ceil(y + kBottom);
    const ratio = devicePixelRatio || 1;
    if (this.width === width && this.height === height && this.ratio === ratio) return;
    Object.assign(this, { width, height, ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
    this.draw();
  }

  // Drawn at most once a frame.
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
  paint(context) {
    context.font = "11px system-ui, sans-serif";
    this.ramp = this.mode === "difference" ? differenceColour : loadColour;
    this.idle = css("--idle");
    this.free = css("--surface");
    for (const band of this.bands) this.drawBand(context, band);
  }

  drawBand(context, band) {
    const t = this.transform;
    const top = band.y;
    const cellY = band.height / band.ports;
    const cellX = ((this.width - kLeft) / band.switches.length) * t.k;
    const left = t.applyX(kLeft);
    context.save();
    context.beginPath();
    context.rect(kLeft, 0, this.width - kLeft, this.height);
    context.clip();
    const from = Math.max(0, Math.floor((kLeft - left) / cellX));
    const to = Math.min(band.switches.length, Math.ceil((this.width - left) / cellX));
    const gapX = cellX > 5 ? 1 : cellX > 2.5 ? 0.4 : 0;
    const gapY = cellY > 5 ? 1 : 0;
    for (let i = from; i < to; ++i) this.drawColumn(context, band, i, left + i * cellX, top, cellX, cellY, gapX, gapY);
    this.drawPods(context, band, left, top, cellX, cellY * band.ports, from, to);
    this.drawFocus(context, band, left, top, cellX, cellY);
    this.drawNames(context, band, left, top, cellX, from, to);
    context.restore();
    this.drawAxis(context, band, top, cellY);
  }

  drawColumn(context, band, i, x, top, cellX, cellY, gapX, gapY) {
    const { fabric, values } = this;
    const slots = this.slots.get(band.switches[i]);
    for (let row = 0; row < slots.length; ++row) {
      const y = top + row * cellY;
      const c = slots[row];
      if (fabric.peer[c] === 0xffffffff) context.fillStyle = this.free;
      else if (values[c] === 0) context.fillStyle = this.idle;
      else context.fillStyle = this.ramp(values[c]);
      context.fillRect(x, y, Math.max(0.6, cellX - gapX), Math.max(0.6, cellY - gapY));
    }
  }

  // Frames around what is picked and what the pointer is over, on top of all cells.
  drawFocus(context, band, left, top, cellX, cellY) {
    const marked = this.over === undefined ? this.focus : [...this.focus, this.over];
    for (const c of marked) {
      const i = band.switches.indexOf(this.fabric.owner[c] - this.fabric.adapters);
      if (i < 0) continue;
      const row = this.slots.get(band.switches[i]).indexOf(c);
      context.strokeStyle = css(c === this.over ? "--text" : "--accent");
      context.lineWidth = 2;
      const [w, h] = [Math.max(cellX, 5), Math.max(cellY, 5)];
      context.strokeRect(left + (i + 0.5) * cellX - w / 2, top + (row + 0.5) * cellY - h / 2, w, h);
    }
  }

  // A line where the neighbours' block changes.
  drawPods(context, band, left, top, cellX, height, from, to) {
    context.fillStyle = css("--muted");
    for (let i = Math.max(1, from); i < to; ++i) {
      if (band.pod(band.switches[i]) !== band.pod(band.switches[i - 1])) {
        context.globalAlpha = 0.55;
        context.fillRect(left + i * cellX - 0.5, top - 3, 1, height + 5);
        context.globalAlpha = 1;
      }
    }
  }

  // Names above the band, as many as there is room for.
  drawNames(context, band, left, top, cellX, from, to) {
    context.fillStyle = css("--muted");
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    let free = -1e9;
    for (let i = from; i < to; ++i) {
      const starts = i === 0 || band.pod(band.switches[i]) !== band.pod(band.switches[i - 1]);
      if (!starts && cellX < 40) continue;
      const x = Math.max(left + i * cellX, kLeft);
      if (x < free) continue;
      const name = this.fabric.switchName(band.switches[i]);
      context.fillText(name, x, top - 6);
      free = x + context.measureText(name).width + 10;
    }
  }

  drawAxis(context, band, top, cellY) {
    const height = cellY * band.ports;
    context.save();
    context.beginPath();
    context.rect(0, 0, kLeft - 4, this.height);
    context.clip();
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.fillStyle = css("--muted");
    if (!this.byKind) {
      const step = [1, 2, 4, 5, 10, 20, 40].find((n) => n * cellY >= 12) ?? 40;
      for (let port = 1; port <= band.ports; ++port) {
        if (port === 1 || port % step === 0) {
          if (port !== 1 && port < step && step > 1) continue;
          if (port > 1 && (port - 1) * cellY < 11) continue;
          context.fillText(String(port), kLeft - 8, top + (port - 0.5) * cellY);
        }
      }
    }
    context.restore();
    context.save();
    context.translate(12, top + height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = css("--text");
    context.font = "600 12px system-ui, sans-serif";
    context.fillText(`${band.name} ports`, 0, 0);
    context.restore();
  }

  // The centre of a channel's cell on the screen, for tests and tips.
  placeOf(c) {
    const { fabric, transform: t } = this;
    const s = fabric.owner[c] - fabric.adapters;
    const band = this.bands.find((b) => b.switches.includes(s));
    const row = this.slots.get(s).indexOf(c);
    const column = (this.width - kLeft) / band.switches.length;
    const box = this.canvas.getBoundingClientRect();
    return {
      x: box.left + t.applyX(kLeft + (band.switches.indexOf(s) + 0.5) * column),
      y: box.top + band.y + ((row + 0.5) * band.height) / band.ports,
    };
  }

  channelAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const screenX = event.clientX - box.left;
    if (screenX < kLeft) return undefined;
    const x = this.transform.invertX(screenX);
    const y = event.clientY - box.top;
    for (const band of this.bands) {
      if (y < band.y || y >= band.y + band.height) continue;
      const i = Math.floor(((x - kLeft) / (this.width - kLeft)) * band.switches.length);
      const slots = this.slots.get(band.switches[i]);
      return slots?.[Math.floor(((y - band.y) / band.height) * band.ports)];
    }
    return undefined;
  }

  hover(event) {
    const c = this.channelAt(event);
    if (c !== this.over) {
      this.over = c;
      this.draw();
    }
    if (c === undefined) hideTip();
    else showTip(event, this.describe(c));
  }
}
