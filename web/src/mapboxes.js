// SPDX-License-Identifier: BSD-3-Clause
// The boxes of the drawing of the whole fabric: groups, switches with their ports, hosts (mapdraw.js).
import { counted, number } from "./dom.js";
import { kNone } from "./fabric.js";
import { severityOf } from "./findings.js";
import { kBox, kHosts, kLeft } from "./map.js";
import { colourOf, farthest, fitted, fittedEnd, haloText, mark, paint, portsOf, trace, widthOf } from "./mappaint.js";

export function drawRow(scene, row) {
  const { map, theme, focus } = scene;
  const { layout, fabric } = map;
  const y = map.rowY(row);
  const open = map.isOpen(row);
  for (const group of layout.rows[row].groups) {
    const [x0, x1] = [map.screenX(row, group.x0), map.screenX(row, group.x1)];
    if (x1 < kLeft || x0 > map.width) continue;
    if (!open) {
      const on = group.switches.filter((s) => focus.switches.has(s)).length;
      const odd = group.switches.map(fabric.node).filter((node) => severityOf(map, [node]));
      const over = map.over?.group === group;
      // A pod is in the groups that it has all of.
      drawBox(scene, {
        x: x0,
        y,
        w: x1 - x0,
        on: on > 0 && (map.picked.kind !== "pod" || on === group.switches.length),
        over,
        odd,
        label: group.label,
        brief: group.brief,
        second: number(group.switches.length),
      });
      continue;
    }
    for (const s of group.switches) drawSwitch(scene, row, s, y);
    if (x1 - x0 > 60 && !layout.free) {
      scene.pen.fillStyle = theme.muted;
      scene.pen.textAlign = "left";
      scene.pen.textBaseline = "alphabetic";
      const label = fitted(scene.pen, group.label, x1 - Math.max(x0, kLeft));
      if (row > 0 || label === group.label) haloText(scene, label, Math.max(x0, kLeft) + 1, y - 4);
    }
  }
}

function drawSwitch(scene, row, s, y) {
  const { map } = scene;
  const { layout, fabric } = map;
  const [x0, x1] = [map.screenX(row, layout.x0[s]), map.screenX(row, layout.x1[s])];
  if (x1 < kLeft || x0 > map.width) return;
  const gap = Math.min(3, (x1 - x0) / 5);
  const over = map.over?.s === s && map.over.c === undefined;
  drawBox(scene, {
    x: x0 + gap / 2,
    y,
    w: x1 - x0 - gap,
    on: scene.focus.switches.has(s),
    over,
    odd: severityOf(map, [fabric.node(s)]) ? [fabric.node(s)] : [],
    label: fabric.switchName(s),
    ports: portsOf(scene, s),
    second: layout.free && map.hosts[s].length ? counted(map.hosts[s].length, "host") : "",
  });
}

function drawBox(scene, { x, y, w, on, over, odd, label, brief = "", second = "", ports = null }) {
  const { pen, theme, map } = scene;
  pen.fillStyle = on ? theme["accent-soft"] : theme.surface;
  pen.strokeStyle = on || over ? theme.accent : theme["idle-line"];
  pen.lineWidth = on ? 2.5 : over ? 2 : 1;
  pen.beginPath();
  pen.roundRect(x, y, Math.max(1, w), kBox, 4);
  pen.fill();
  pen.stroke();
  if (ports) drawPorts(scene, ports, y);
  // A long box keeps its name in sight.
  const left = Math.max(x, kLeft);
  const right = Math.min(x + w, map.width);
  pen.fillStyle = theme.text;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const room = right - left - 3;
  const name =
    [label, brief || label].find((text) => pen.measureText(text).width <= room) ??
    (brief && brief !== label ? fitted(pen, label, room) : fittedEnd(pen, label, room));
  const lines = second && !ports && pen.measureText(second).width <= room ? [name, second] : [name];
  if (!ports && (name === "" || (name.includes("\u2026") && name !== label && name.length < 5)))
    drawUpright(scene, (left + right) / 2, y, w, brief || label);
  else
    lines.forEach((line, i) => {
      if (i > 0) pen.fillStyle = theme.muted;
      pen.fillText(line, (left + right) / 2, y + kBox / 2 + (lines.length > 1 ? (i - 0.5) * 14 : 0));
    });
  if (odd.length > 0) mark(scene, Math.min(x + w, map.width), y, w > 90 ? odd.length : 1, severityOf(map, odd));
}

function drawUpright(scene, x, y, w, label) {
  const { pen } = scene;
  if (w < 9) return;
  pen.save();
  pen.translate(x, y + kBox / 2);
  pen.rotate(-Math.PI / 2);
  // Smaller letters for longer names; of one that is too long still, the end distinguishes neighbours.
  const room = kBox - 4;
  pen.font = "9px system-ui, sans-serif";
  const size = Math.max(6.5, Math.min(9, (9 * room) / pen.measureText(label).width));
  pen.font = `${size}px system-ui, sans-serif`;
  let text = label;
  if (pen.measureText(label).width > room + 1) {
    pen.font = "9px system-ui, sans-serif";
    text = fittedEnd(pen, label, room + 1);
  }
  pen.fillText(text, 0, 0);
  pen.restore();
}

function drawPorts(scene, ports, y) {
  const { map, pen, theme } = scene;
  pen.save();
  pen.font = "9px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (const [c, { side, x, width }] of ports) {
    if (x + width < kLeft || x > map.width) continue;
    const free = map.fabric.peer[c] === kNone;
    const top = side === 0 ? y + 1 : y + kBox - 12;
    pen.fillStyle = free ? theme.surface : paint(scene, colourOf(scene, map.values[c]));
    pen.fillRect(x + 0.5, top, width - 1, 11);
    pen.strokeStyle =
      map.over?.c === c || (map.picked?.kind === "channel" && map.picked.c === c) ? theme.accent : theme.faint;
    pen.lineWidth = pen.strokeStyle === theme.accent ? 2 : 0.7;
    if (free) pen.setLineDash([2, 2]);
    pen.strokeRect(x + 0.5, top, width - 1, 11);
    pen.setLineDash([]);
    const digits = String(map.fabric.port(c));
    if (pen.measureText(digits).width <= width) haloText({ pen, theme }, digits, x + width / 2, top + 5.5, theme.text);
  }
  pen.restore();
}

// Hosts under their leaves: a box with a number, or each by itself where there is room.
export function drawHosts(scene) {
  const { map, theme } = scene;
  const { layout, hosts } = map;
  const last = layout.rows.length - 1;
  map.hostBoxes = [];
  if (last < 0 || layout.free) return;
  const open = map.isOpen(last);
  for (const group of layout.rows[last].groups) {
    const [x0, x1] = [map.screenX(last, group.x0), map.screenX(last, group.x1)];
    if (x1 < kLeft || x0 > map.width) continue;
    if (!open)
      hostBox(
        scene,
        x0,
        x1,
        group.switches.flatMap((s) => hosts[s]),
        { group },
      );
    else
      for (const s of group.switches) {
        const [a, b] = [map.screenX(last, layout.x0[s]), map.screenX(last, layout.x1[s])];
        if (b < kLeft || a > map.width || hosts[s].length === 0) continue;
        if (b - a >= hosts[s].length * 8) eachHost(scene, s, a, b, theme);
        else hostBox(scene, a + 1, b - 1, hosts[s], { s, hosts: hosts[s].length });
      }
  }
}

function hostBox(scene, x0, x1, list, what) {
  if (list.length === 0) return;
  const { map, pen, theme } = scene;
  const y = map.hostsY();
  let most = 0;
  for (const t of list) most = Math.max(most, Math.abs(farthest(map, map.fabric.terminals[t])));
  pen.strokeStyle = paint(scene, map.mode === "difference" ? 0 : colourOf(scene, most));
  pen.globalAlpha = scene.focus.dims ? 0.25 : 1;
  pen.lineWidth = Math.min(widthOf(list.length), Math.max(1, (x1 - x0) / 2));
  pen.beginPath();
  pen.moveTo((x0 + x1) / 2, map.rowY(map.layout.rows.length - 1) + kBox);
  pen.lineTo((x0 + x1) / 2, y);
  pen.stroke();
  pen.globalAlpha = 1;
  pen.fillStyle = theme.idle;
  pen.beginPath();
  pen.roundRect(x0, y, Math.max(1, x1 - x0), kHosts, 3);
  pen.fill();
  pen.fillStyle = theme.muted;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const [left, right] = [Math.max(x0, kLeft), Math.min(x1, map.width)];
  const label = [counted(list.length, "host"), number(list.length)].find(
    (text) => pen.measureText(text).width < right - left - 3,
  );
  if (label) pen.fillText(label, (left + right) / 2, y + kHosts / 2);
  map.hostBoxes.push({ x: x0, width: x1 - x0, what });
}

function eachHost(scene, s, a, b, theme) {
  const { map, pen } = scene;
  const { fabric } = map;
  const list = map.hosts[s];
  const y = map.hostsY();
  const cell = (b - a - 4) / list.length;
  const ports = portsOf(scene, s);
  list.forEach((t, i) => {
    const x = a + 2 + i * cell;
    if (x + cell < kLeft || x > map.width) return;
    const c = fabric.peer[fabric.terminals[t]];
    const place = ports?.get(c);
    const chosen = map.picked?.kind === "host" && map.picked.t === t;
    const line = {
      x1: place ? place.x + place.width / 2 : x + cell / 2,
      y1: map.rowY(map.layout.rows.length - 1) + kBox,
      x2: x + cell / 2,
      y2: y,
      cables: 1,
      what: { c },
    };
    pen.strokeStyle = paint(scene, colourOf(scene, farthest(map, c)));
    pen.globalAlpha = scene.focus.dims && !scene.focus.channels.has(c) ? 0.25 : 1;
    pen.lineWidth = scene.focus.channels.has(c) ? 3 : 1.5;
    pen.beginPath();
    trace(scene, line);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.fillStyle = chosen ? theme["accent-soft"] : theme.idle;
    pen.strokeStyle = chosen || map.over?.t === t ? theme.accent : theme["idle-line"];
    pen.lineWidth = chosen ? 2 : 1;
    pen.beginPath();
    pen.roundRect(x, y, Math.max(1, cell - 1), kHosts, 3);
    pen.fill();
    pen.stroke();
    pen.fillStyle = theme.text;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const whole = fabric.endName(t);
    const name = fittedEnd(pen, whole, cell - 3);
    if (name === whole || name.length > 3) pen.fillText(name, x + cell / 2, y + kHosts / 2);
    const severity = severityOf(map, [fabric.owner[fabric.terminals[t]]]);
    if (severity) mark(scene, x + cell - 1, y + 1, 1, severity);
    map.hostBoxes.push({ x, width: cell, what: { t } });
  });
}
