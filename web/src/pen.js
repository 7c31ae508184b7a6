// SPDX-License-Identifier: BSD-3-Clause
// What of a canvas context our drawings use, written as SVG instead of painted.

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const round = (value) => Math.round(value * 100) / 100;

export class SvgPen {
  clips;
  fillStyle;
  font;
  globalAlpha;
  groups;
  height;
  lineWidth;
  parts;
  stack;
  strokeStyle;
  textAlign;
  textBaseline;
  width;

  constructor(width, height) {
    Object.assign(this, { width, height, parts: [], path: "", stack: [], clips: 0, groups: 0 });
    Object.assign(this, {
      fillStyle: "#000",
      strokeStyle: "#000",
      lineWidth: 1,
      globalAlpha: 1,
      font: "10px sans-serif",
      textAlign: "left",
      textBaseline: "alphabetic",
      dash: [],
    });
    this.ruler = document.createElement("canvas").getContext("2d");
  }
  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash, groups } = this;
    this.stack.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash, groups });
  }
  restore() {
    const before = this.stack.pop();
    for (; this.groups > before.groups; --this.groups) this.parts.push("</g>");
    Object.assign(this, before);
  }
  open(attributes) {
    this.parts.push(`<g ${attributes}>`);
    ++this.groups;
  }
  setTransform() {}
  clearRect() {}
  translate(x, y) {
    this.open(`transform="translate(${round(x)} ${round(y)})"`);
  }
  rotate(angle) {
    this.open(`transform="rotate(${round((angle * 180) / Math.PI)})"`);
  }
  clip() {
    const id = `clip${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.open(`clip-path="url(#${id})"`);
  }
  beginPath() {
    this.path = "";
  }
  moveTo(x, y) {
    this.path += `M${round(x)} ${round(y)}`;
  }
  lineTo(x, y) {
    this.path += `L${round(x)} ${round(y)}`;
  }
  quadraticCurveTo(a, b, x, y) {
    this.path += `Q${round(a)} ${round(b)} ${round(x)} ${round(y)}`;
  }
  closePath() {
    this.path += "Z";
  }
  rect(x, y, w, h) {
    this.path += `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}Z`;
  }
  roundRect(x, y, w, h, radius) {
    const r = Math.min(radius, w / 2, h / 2);
    this.path +=
      `M${round(x + r)} ${round(y)}h${round(w - 2 * r)}a${r} ${r} 0 0 1 ${r} ` +
      `${r}v${round(h - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${r}h${round(2 * r - w)}a${r} ${r} 0 0 1 ${-r} ` +
      `${-r}v${round(2 * r - h)}a${r} ${r} 0 0 1 ${r} ${-r}Z`;
  }
  setLineDash(dash) {
    this.dash = dash;
  }
  alpha() {
    return this.globalAlpha === 1 ? "" : ` opacity="${round(this.globalAlpha)}"`;
  }
  lineAttributes() {
    return (
      `stroke="${escaped(this.strokeStyle)}" ` +
      `stroke-width="${round(this.lineWidth)}"${this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : ""}`
    );
  }
  stroke() {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="none" ${this.lineAttributes()}${this.alpha()}/>`);
  }
  fill() {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="${escaped(this.fillStyle)}"${this.alpha()}/>`);
  }
  fillRect(x, y, w, h) {
    this.parts.push(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" ` +
        `fill="${escaped(this.fillStyle)}"${this.alpha()}/>`,
    );
  }
  strokeRect(x, y, w, h) {
    this.parts.push(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" fill="none" ` +
        `${this.lineAttributes()}${this.alpha()}/>`,
    );
  }
  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }
  text(text, x, y, paint) {
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign] ?? "start";
    const base = { middle: "central", top: "hanging", bottom: "text-after-edge" }[this.textBaseline] ?? "auto";
    this.parts.push(
      `<text x="${round(x)}" y="${round(y)}" style="font:${escaped(this.font)}" text-anchor="${anchor}" ` +
        `dominant-baseline="${base}" ${paint}${this.alpha()}>${escaped(text)}</text>`,
    );
  }
  fillText(text, x, y) {
    this.text(text, x, y, `fill="${escaped(this.fillStyle)}"`);
  }
  strokeText(text, x, y) {
    this.text(text, x, y, `fill="none" stroke-linejoin="round" ${this.lineAttributes()}`);
  }
  // The whole picture; `background` a colour
  document(background) {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ` +
      `${this.width} ${this.height}">` +
      `<rect width="100%" height="100%" ` +
      `fill="${escaped(background)}"/>${this.parts.join("")}${"</g>".repeat(this.groups)}</svg>`
    );
  }
}
