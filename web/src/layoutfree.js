// SPDX-License-Identifier: BSD-3-Clause
// Where the switches of a fabric without levels stand: a torus or mesh as its grid, anything else in layers by
// distance from a switch at the rim. So no such fabric is one row of boxes.
//
// A grid is tried for each way to cut the list of switches, in order of names, into rows of one length: most
// cables must join neighbours (around the edge, too). Layers come from breadth-first search, and a switch
// stands in its layer near the mean place of its neighbours.

const kMost = 2000; // switches
const kRows = 24;
const kOnGrid = 0.9; // of the cables

const collator = new Intl.Collator("en", { numeric: true });

function neighboursOf(fabric) {
  return Array.from({ length: fabric.switches }, (_, s) => {
    const found = new Set();
    const node = fabric.node(s);
    for (let c = fabric.first[node] + 1; c < fabric.first[node + 1]; ++c) {
      if (fabric.nextSwitch[c] >= 0 && fabric.nextSwitch[c] !== s) found.add(fabric.nextSwitch[c]);
    }
    return [...found];
  });
}

// Rows of switches, or null: no way to cut the list fits.
function gridOf(order, next) {
  const place = new Map(order.map((s, i) => [s, i]));
  const cables = next.reduce((sum, list) => sum + list.length, 0);
  let [best, most] = [null, kOnGrid * cables];
  for (let width = 2; width * 2 <= order.length; ++width) {
    if (order.length % width !== 0) continue;
    const height = order.length / width;
    const step = (a, b, size) => Math.min((a - b + size) % size, (b - a + size) % size);
    let joined = 0;
    next.forEach((list, s) => {
      const [x, y] = [place.get(s) % width, Math.floor(place.get(s) / width)];
      for (const t of list) {
        const [u, v] = [place.get(t) % width, Math.floor(place.get(t) / width)];
        if (step(x, u, width) + step(y, v, height) === 1) ++joined;
      }
    });
    if (joined > most) {
      most = joined;
      best = Array.from({ length: height }, (_, y) => order.slice(y * width, (y + 1) * width));
    }
  }
  return best;
}

function distances(from, next, known) {
  known.set(from, 0);
  const list = [from];
  for (let i = 0; i < list.length; ++i) {
    for (const t of next[list[i]]) {
      if (known.has(t)) continue;
      known.set(t, known.get(list[i]) + 1);
      list.push(t);
    }
  }
  return list;
}

function layersOf(order, next) {
  const known = new Map();
  const layers = [];
  for (const s of order) {
    if (known.has(s)) continue;
    // The last switch of a search is at the rim.
    const rim = distances(s, next, new Map()).at(-1);
    for (const t of distances(rim, next, known)) (layers[known.get(t)] ??= []).push(t);
  }
  const at = new Map();
  for (const layer of layers) {
    const mean = (s) => {
      const placed = next[s].filter((t) => at.has(t)).map((t) => at.get(t));
      return placed.length ? placed.reduce((a, b) => a + b, 0) / placed.length : 0.5;
    };
    const wanted = new Map(layer.map((s) => [s, mean(s)]));
    layer.sort((a, b) => wanted.get(a) - wanted.get(b) || a - b);
    layer.forEach((s, i) => at.set(s, (i + 0.5) / layer.length));
  }
  return layers;
}

// Rows of switches of a fabric whose switches are all of one level; null where it has levels, or too many.
export function freeRows(fabric) {
  const all = Array.from({ length: fabric.switches }, (_, s) => s);
  if (fabric.switches < 4 || fabric.switches > kMost) return null;
  if (all.some((s) => fabric.levels[s] !== fabric.levels[0])) return null;
  const next = neighboursOf(fabric);
  const order = all.sort((a, b) => collator.compare(fabric.switchName(a), fabric.switchName(b)) || a - b);
  const rows = gridOf(order, next) ?? layersOf(order, next);
  return rows.length > 1 && rows.length <= kRows ? rows : null;
}
