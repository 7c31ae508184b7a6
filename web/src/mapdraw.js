// SPDX-License-Identifier: BSD-3-Clause
// Paints the drawing of the whole fabric (map.js), on a canvas or as SVG (pen.js). Cables of one
// colour are one path, the least loaded first. A cable is drawn when its end in the row that is
// zoomed more is in sight: others only pass through.
import { css } from "./colours.js";
import { number } from "./dom.js";
import { kNone } from "./fabric.js";
import { kBox, kLeft, kOpen } from "./map.js";
import { drawHosts, drawRow } from "./mapboxes.js";
import { colourCount, colourOf, farthest, fittedEnd, haloText, paint, portsOf, trace, widthOf } from "./mappaint.js";

const kFewBundles = 140; // with a number each

export function drawMap(map, pen) {
  const theme = Object.fromEntries(
    [
      "surface",
      "text",
      "muted",
      "faint",
      "line",
      "accent",
      "accent-soft",
      "poor",
      "warn",
      "idle",
      "idle-line",
      "other",
    ].map((name) => [name, css(`--${name}`)]),
  );
  const scene = {
    map,
    pen,
    theme,
    ports: new Map(),
    lines: [],
    open: map.wider(kOpen),
    focus: focusOf(map),
  };
  pen.font = "11px system-ui, sans-serif";
  pen.save();
  pen.beginPath();
  pen.rect(kLeft - 4, 0, map.width - kLeft + 4, map.height);
  pen.clip();
  drawFrames(scene);
  drawBundles(scene);
  drawHosts(scene);
  map.layout.rows.forEach((_, row) => drawRow(scene, row));
  drawNumbers(scene);
  pen.restore();
  drawRowNames(scene);
  map.lines = scene.lines;
}

// Directors: a frame around the rows of each box, with its name.
function drawFrames({ map, pen, theme }) {
  for (const { name, x0, x1, last } of map.layout.frames) {
    const [left, right] = [map.screenX(0, x0) - 2, map.screenX(0, x1) + 2];
    if (right < kLeft || left > map.width) continue;
    const top = map.rowY(0) - 20;
    pen.fillStyle = theme["accent-soft"];
    pen.strokeStyle = theme["idle-line"];
    pen.lineWidth = 1;
    pen.globalAlpha = 0.45;
    pen.beginPath();
    pen.roundRect(left, top, right - left, map.rowY(last) + kBox + 6 - top, 6);
    pen.fill();
    pen.globalAlpha = 1;
    pen.stroke();
    pen.fillStyle = theme.text;
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(name, Math.max(left, kLeft) + 5, top - 3);
  }
}

// What stands out: switches, and channels (with their cables' other direction); null: nothing.
function focusOf({ fabric, picked, marked }) {
  const switches = new Set();
  const channels = new Set();
  const add = (c) => channels.add(c).add(fabric.peer[c]);
  if (picked?.kind === "switch") switches.add(picked.s);
  if (picked?.kind === "channel" && fabric.owner[picked.c] >= fabric.adapters)
    switches.add(fabric.owner[picked.c] - fabric.adapters);
  if (picked?.kind === "host" && fabric.leaf[picked.t] >= 0) switches.add(fabric.leaf[picked.t]);
  if (picked?.kind === "pod")
    for (const key of ["below", "above", "beside"]) fabric.blocks[picked.index][key].forEach((s) => switches.add(s));
  if (picked?.kind === "channel") add(picked.c);
  if (picked?.kind === "host") add(fabric.terminals[picked.t]);
  if (picked?.kind === "switch") {
    const node = fabric.node(picked.s);
    for (let c = fabric.first[node] + 1; c < fabric.first[node + 1]; ++c) if (fabric.peer[c] !== kNone) add(c);
  }
  for (const c of picked?.path ?? []) add(c);
  if (marked) {
    channels.clear();
    marked.channels.forEach(add);
  }
  return {
    switches,
    channels,
    dims: channels.size > 0 || Boolean(marked),
    pairs: new Set((marked?.pairs ?? []).map(([a, b]) => `${a} ${b}`)),
  };
}

// From box a to box b, at these parts of them.
function ends({ map }, a, b, atA = 0.5, atB = 0.5) {
  const { bundles } = map;
  const [ra, rb] = [bundles.row[a], bundles.row[b]];
  const x = (row, box, at) => map.screenX(row, bundles.x0[box] + at * (bundles.x1[box] - bundles.x0[box]));
  if (ra === rb && areNext(bundles, a, b)) {
    const [left, right] = bundles.x0[a] < bundles.x0[b] ? [a, b] : [b, a];
    const y = map.rowY(ra) + kBox / 2;
    return { x1: x(ra, left, 1), y1: y, x2: x(ra, right, 0), y2: y, flat: false };
  }
  return {
    x1: x(ra, a, atA),
    y1: map.rowY(ra) + (ra === rb ? kBox : 0),
    x2: x(rb, b, atB),
    y2: map.rowY(rb) + kBox,
    flat: ra === rb,
  };
}
// Neighbours in a row of a fabric without levels, where boxes stand apart.
function areNext({ layout, x0, x1 }, a, b) {
  const gap = Math.max(x0[a], x0[b]) - Math.min(x1[a], x1[b]);
  return layout.free && gap < 0.5 * (x1[a] - x0[a]);
}
function inSight(map, a, b) {
  const { row, x0, x1 } = map.bundles;
  const box = map.transform(row[b]).k > map.transform(row[a]).k ? b : a;
  return map.screenX(row[box], x1[box]) > kLeft && map.screenX(row[box], x0[box]) < map.width;
}

function drawBundles(scene) {
  const { map } = scene;
  const { bundles, values } = map.current();
  const byColour = Array.from({ length: colourCount }, () => []);
  scene.between = [];
  for (let k = 0; k < bundles.count; ++k) {
    const [a, b] = [bundles.a[k], bundles.b[k]];
    if (!inSight(map, a, b)) continue;
    const line = {
      ...ends(scene, a, b, bundles.atA[k], bundles.atB[k]),
      first: bundles.first[k],
      cables: bundles.first[k + 1] - bundles.first[k],
      list: bundles.list,
      what: { bundle: k, bundles },
    };
    scene.between.push(line);
    for (const one of separate(scene, line, a, b))
      byColour[colourOf(scene, one.c === undefined ? values[k] : farthest(map, one.c))].push(one);
  }
  strokeAll(scene, byColour);
  drawGaps(scene, bundles.gaps);
  drawGhosts(scene);
  drawStrong(scene);
}

// What stands out, from box to box.
function drawStrong(scene) {
  const { map, pen, theme, focus } = scene;
  if (!focus.dims) return;
  const { fabric, bundles } = map;
  scene.between = scene.between.filter((line) => line.missing);
  const height = (one) => -map.layout.rowOf[one];
  const pairs = new Map();
  for (const c of focus.channels) {
    const [s, next] = [fabric.owner[c] - fabric.adapters, fabric.nextSwitch[c]];
    if (s < 0 || next < 0 || height(s) > height(next) || (height(s) === height(next) && c > fabric.peer[c])) continue;
    const [a, b] = [bundles.boxOf(s, scene.open), bundles.boxOf(next, scene.open)];
    if (bundles.row[a] === undefined || bundles.row[b] === undefined) continue; // boxes of another zoom
    const key = a * bundles.boxes + b;
    if (!pairs.has(key)) pairs.set(key, { a, b, list: [] });
    pairs.get(key).list.push(c);
  }
  for (const { a, b, list } of pairs.values()) {
    const line = { ...ends(scene, a, b), first: 0, cables: list.length, list, what: { c: list[0] } };
    scene.between.push(line);
    for (const one of separate(scene, line, a, b)) {
      const value = (one.c === undefined ? list : [one.c])
        .map((c) => farthest(map, c))
        .reduce((x, y) => (Math.abs(y) > Math.abs(x) ? y : x));
      for (const [colour, more] of [
        [theme.text, 2.4],
        [paint(scene, colourOf(scene, value)), 1],
      ]) {
        pen.strokeStyle = colour;
        pen.lineWidth = widthOf(one.cables) + more;
        pen.beginPath();
        trace(scene, one);
        pen.stroke();
      }
    }
  }
}

// One line, or one for each cable where the ports of an end are drawn.
function separate(scene, line, a, b) {
  const { map } = scene;
  const [lower, upper] = [portsOf(scene, map.bundles.switchOf(a)), portsOf(scene, map.bundles.switchOf(b))];
  if (!lower && !upper) return [line];
  const middle = (place) => place.x + place.width / 2;
  return Array.from({ length: line.cables }, (_, i) => {
    const c = line.list[line.first + i];
    const spread = (i - (line.cables - 1) / 2) * 3;
    return {
      ...line,
      cables: 1,
      c,
      x1: lower ? middle(lower.get(c)) : line.x1 + spread,
      x2: upper ? middle(upper.get(map.fabric.peer[c])) : line.x2 + spread,
      what: { c },
    };
  });
}

function strokeAll(scene, byColour) {
  const { map, pen, focus } = scene;
  const drawn = byColour.reduce((sum, list) => sum + list.length, 0);
  const most = Math.max(0.8, Math.min(7, (0.9 * map.width) / drawn));
  pen.globalAlpha = focus.dims ? 0.16 : drawn > 900 ? 0.55 : 0.9;
  // In a difference the middle is least.
  const order = byColour
    .map((_, i) => i)
    .sort((a, b) =>
      map.mode === "difference" ? Math.abs(2 * a - colourCount) - Math.abs(2 * b - colourCount) : a - b,
    );
  for (const colour of order) {
    pen.strokeStyle = paint(scene, colour);
    const byWidth = new Map();
    for (const line of byColour[colour]) {
      const width = Math.round(4 * widthOf(line.cables, most)) / 4;
      if (!byWidth.has(width)) byWidth.set(width, []);
      byWidth.get(width).push(line);
    }
    for (const [width, lines] of byWidth) {
      pen.lineWidth = width;
      pen.beginPath();
      for (const line of lines) trace(scene, line);
      pen.stroke();
    }
  }
  pen.globalAlpha = 1;
}

// Missing cables: dashed.
function drawGaps(scene, gaps) {
  const { map, pen, theme, focus } = scene;
  for (const gap of gaps) {
    if (!inSight(map, gap.a, gap.b)) continue;
    const line = { ...ends(scene, gap.a, gap.b), cables: gap.lacking, what: { gap } };
    const marked = gap.pairs.some(([below, above]) => focus.pairs.has(`${below} ${above}`));
    pen.save();
    pen.globalAlpha = focus.dims && !marked ? 0.3 : 1;
    pen.setLineDash([6, 4]);
    pen.lineWidth = marked ? 4 : 1.8;
    pen.strokeStyle = theme.warn;
    pen.beginPath();
    // Next to the cables that are there.
    line.x1 += 3;
    line.x2 += 3;
    trace(scene, line);
    pen.stroke();
    pen.setLineDash([]);
    pen.restore();
    scene.between.push({ ...line, missing: true });
  }
}

// Cables that a what-if has lost: dotted, next to those that are there.
function drawGhosts(scene) {
  const { map, pen, theme } = scene;
  for (const ghost of map.ghosts) {
    if (ghost.a === undefined) continue; // a switch: at its row
    const [low, high] =
      map.layout.rowOf[ghost.a] >= map.layout.rowOf[ghost.b] ? [ghost.a, ghost.b] : [ghost.b, ghost.a];
    const [a, b] = [map.bundles.boxOf(low, scene.open), map.bundles.boxOf(high, scene.open)];
    if (!inSight(map, a, b)) continue;
    const line = { ...ends(scene, a, b), cables: 1, what: { ghost } };
    line.x1 -= 4;
    line.x2 -= 4;
    pen.save();
    pen.setLineDash([2, 4]);
    pen.lineWidth = 3;
    pen.strokeStyle = theme.text;
    pen.beginPath();
    trace(scene, line);
    pen.stroke();
    pen.restore();
  }
}

// How many cables a bundle has, where there is room.
function drawNumbers(scene) {
  const { pen, map, theme } = scene;
  const several = scene.between.filter((line) => line.cables > 1 || line.missing);
  const taken = [];
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (several.length <= kFewBundles) {
    for (const line of several.sort((a, b) => Number(b.missing ?? false) - Number(a.missing ?? false))) {
      if (line.flat) continue;
      const text = line.missing ? `\u2212${line.cables}` : String(line.cables);
      for (const share of [0.5, 0.36, 0.64, 0.25, 0.75]) {
        const [x, y] = [line.x1 + (line.x2 - line.x1) * share, line.y1 + (line.y2 - line.y1) * share];
        if (
          x < kLeft ||
          x > map.width ||
          taken.some((other) => Math.abs(other.x - x) < 22 && Math.abs(other.y - y) < 13)
        )
          continue;
        taken.push({ x, y });
        haloText(scene, text, x, y, line.missing ? theme.warn : theme.muted);
        break;
      }
    }
  }
}

// Switches that a what-if has removed: dotted, next to their row.
function drawRemoved({ pen, map, theme }, level, y) {
  const gone = map.ghosts.filter((ghost) => ghost.level === level);
  if (gone.length === 0) return;
  const more = gone.length > 1 ? ` +${gone.length - 1}` : "";
  const [name, width] = [`${gone.at(-1).text}${more}`, kLeft - 12];
  pen.save();
  pen.setLineDash([2, 3]);
  pen.strokeStyle = theme.text;
  pen.lineWidth = 1.5;
  pen.strokeRect(3, y - 8, width, 16);
  pen.restore();
  pen.fillStyle = theme.text;
  pen.fillText(fittedEnd(pen, name, width - 6), 6, y);
  map.removed.push({ y, what: { ghost: gone.at(-1) } });
}

function drawRowNames(scene) {
  const { pen, map, theme } = scene;
  map.removed = [];
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  map.layout.rows.forEach((row, i) => {
    const y = map.rowY(i) + kBox / 2;
    pen.fillStyle = theme.text;
    pen.font = "600 12px system-ui, sans-serif";
    pen.fillText(row.name.replace(/ switch$/, ""), 4, y - 7);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = theme.muted;
    pen.fillText(number(row.switches.length), 4, y + 8);
    if (!map.layout.free || i === 0) drawRemoved(scene, row.level, y + 25);
    pen.fillStyle = theme.muted;
    if (map.layout.free) return;
    bundlesText(scene, i).forEach((line, k) => pen.fillText(line, 4, map.rowY(i) + kBox + 34 + 13 * k));
  });
  if (map.layout.free) return;
  const hosts = map.hosts.reduce((sum, list) => sum + list.length, 0);
  pen.fillStyle = theme.text;
  pen.font = "600 12px system-ui, sans-serif";
  pen.fillText("hosts", 4, map.hostsY() + 5);
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = theme.muted;
  pen.fillText(number(hosts), 4, map.hostsY() + 19);
}
// "1,152 bundles", "of 24": of those in sight below a row.
function bundlesText({ map, between }, row) {
  let [count, least, most] = [0, Infinity, 0];
  for (const line of between) {
    if (line.missing || line.flat || Math.abs(line.y2 - map.rowY(row) - kBox) > 1) continue;
    ++count;
    least = Math.min(least, line.cables);
    most = Math.max(most, line.cables);
  }
  if (count === 0) return [];
  if (most === 1) return [number(count), count === 1 ? "cable" : "cables"];
  return [number(count), count === 1 ? "bundle" : "bundles", `of ${least === most ? least : `${least}-${most}`}`];
}
