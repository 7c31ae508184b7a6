// SPDX-License-Identifier: BSD-3-Clause
// Colours, lines and texts of the drawing of the whole fabric (mapdraw.js).
import { differenceColour, isBeyond, kScaleEnd, loadColour } from "./colours.js";

const kWholeEnd = 5; // letters of a name, at least
const kColours = 41; // numbers 1 to 41: steps of the scale; 42: beyond its end; 0 is idle

export const colourCount = kColours + 2;

// The colour number of a value: 0 is idle.
export function colourOf({ map }, value) {
  if (value === 0) return 0;
  if (map.mode === "difference") return 1 + Math.round(((Math.max(-1, Math.min(1, value)) + 1) / 2) * (kColours - 1));
  return isBeyond(value) ? kColours + 1 : 1 + Math.round((Math.min(value, kScaleEnd) / kScaleEnd) * (kColours - 1));
}

export function paint({ map, theme }, colour) {
  if (colour === 0) return theme["idle-line"];
  const share = (colour - 1) / (kColours - 1);
  return map.mode === "difference" ? differenceColour(2 * share - 1) : loadColour(kScaleEnd * share);
}

export const farthest = ({ values, fabric }, c) =>
  Math.abs(values[c]) >= Math.abs(values[fabric.peer[c]]) ? values[c] : values[fabric.peer[c]];

// Thinner where there are many side by side.
export const widthOf = (cables, most = 7) => Math.min(most, 1 + 0.9 * Math.log2(cables));

export function trace({ pen, lines }, line) {
  pen.moveTo(line.x1, line.y1);
  if (line.flat) pen.quadraticCurveTo((line.x1 + line.x2) / 2, line.y1 + 46, line.x2, line.y2);
  else pen.lineTo(line.x2, line.y2);
  lines.push(line);
}

export function portsOf(scene, s) {
  if (!scene.ports.has(s)) scene.ports.set(s, s >= 0 ? scene.map.portsOf(s) : null);
  return scene.ports.get(s);
}

// A finding: a triangle in the corner, by severity.
export function mark({ pen, theme }, x, y, count, severity) {
  pen.fillStyle = severity === "bad" ? theme.poor : theme.warn;
  pen.beginPath();
  pen.moveTo(x - 10, y);
  pen.lineTo(x, y);
  pen.lineTo(x, y + 10);
  pen.closePath();
  pen.fill();
  if (count > 1) {
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.fillText(String(count), x - 10, y + 7);
  }
}

export function fitted(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${text.slice(0, middle)}\u2026`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? "" : `${text.slice(0, low)}\u2026`;
}

export function haloText({ pen, theme }, text, x, y, colour = theme.muted) {
  pen.strokeStyle = theme.surface;
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

// The end of a name distinguishes neighbours: from a separator on, if that fits.
export function fittedEnd(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  const whole = wholeEnds(text).find((end) => pen.measureText(end).width <= room);
  if (whole) return whole;
  let end = text.slice(1);
  while (end.length > 1 && pen.measureText(`\u2026${end}`).width > room) end = end.slice(1);
  return end.length < 2 ? "" : `\u2026${end}`;
}
// "IBLEAF-01-02", "01-02" of "A09-P1-IBLEAF-01-02"; one number alone is in many names.
const wholeEnds = (text) =>
  [...text.matchAll(/[-_.:/\s]+/g)]
    .map(({ index, 0: separator }) => text.slice(index + separator.length))
    .filter((end) => end.length >= kWholeEnd);
