// SPDX-License-Identifier: BSD-3-Clause
// Where the switches of a fabric without levels stand. So no such fabric is one row of boxes.
//
// A torus, mesh or HyperX is a grid, or several planes side by side: the list of switches, in order of names, is cut
// into planes of rows of one length in each way that its number allows, and most cables must lead along one
// coordinate: to the next switch (around the edge, too), else to any (mesh and HyperX). Anything else up to
// kMostInLayers switches stands in layers by distance from a switch at the rim, each switch near the mean place
// of its neighbours. Larger ones are a matrix (mapmatrix.js).

const kMostOnGrid = 4096; // switches
const kMostInLayers = 300;
const kMostInRow = 64; // or rows of a grid
const kDense = 0.5; // of the cables that each could have to all others in line with it
const kRowsOfLayers = 24;
const kOnGrid = 0.9; // of the cables
const kSweeps = 4;
const kAside = 0.2; // of the cables

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

// The ways to cut `size` switches into [planes, height, width], one plane first.
function shapesOf(size) {
  const found = [];
  for (let planes = 1; planes * 4 <= size; ++planes) {
    if (size % planes !== 0) continue;
    const plane = size / planes;
    for (let width = 2; width * 2 <= plane; ++width)
      if (plane % width === 0) found.push([planes, plane / width, width]);
  }
  return found;
}

const stepsApart = (a, b, size) => Math.min((a - b + size) % size, (b - a + size) % size);
const isNext = (a, b, sizes) => a.reduce((sum, at, i) => sum + stepsApart(at, b[i], sizes[i]), 0) === 1;
const isInLine = (a, b) => a.filter((at, i) => at !== b[i]).length === 1;

// The share of the cables whose ends are `joined`; 0 where it is known to be too small.
function shareOnGrid(places, next, cables, sizes, joined) {
  let missed = 0;
  for (let s = 0; s < next.length; ++s) {
    for (const t of next[s]) if (!joined(places[s], places[t], sizes)) ++missed;
    if (missed > (1 - kOnGrid) * cables) return 0;
  }
  return 1 - missed / cables;
}

// Rows of switches, with null between two planes; null: no way to cut the list fits.
function gridOf(order, next) {
  const cables = next.reduce((sum, list) => sum + list.length, 0);
  const shapes = shapesOf(order.length).filter(([, height, width]) => Math.max(height, width) <= kMostInRow);
  const isDense = ([, height, width]) => cables > kDense * order.length * (height + width - 2);
  const kinds = [
    { joined: isNext, fits: ([planes]) => planes === 1 },
    { joined: isNext, fits: ([planes]) => planes > 1 },
    { joined: isInLine, fits: (shape) => shape[0] === 1 && isDense(shape) },
  ];
  for (const { joined, fits } of kinds) {
    let [best, most] = [null, kOnGrid];
    for (const shape of shapes.filter(fits)) {
      const share = shareOnGrid(placesIn(order, shape), next, cables, shape, joined);
      if (share > most) [best, most] = [shape, share];
    }
    if (best) return rowsOf(order, best);
  }
  return null;
}
function placesIn(order, [, height, width]) {
  const places = [];
  order.forEach((s, i) => (places[s] = [Math.floor(i / (width * height)), Math.floor(i / width) % height, i % width]));
  return places;
}
const rowsOf = (order, [planes, height, width]) =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: planes }, (_unused, z) => {
      const from = (z * height + y) * width;
      return [...(z ? [null] : []), ...order.slice(from, from + width)];
    }).flat(),
  );

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
  const sort = (layer) => {
    const mean = (s) => {
      const placed = next[s].filter((t) => at.has(t)).map((t) => at.get(t));
      return placed.length ? placed.reduce((a, b) => a + b, 0) / placed.length : 0.5;
    };
    const wanted = new Map(layer.map((s) => [s, mean(s)]));
    layer.sort((a, b) => wanted.get(a) - wanted.get(b) || a - b);
    layer.forEach((s, i) => at.set(s, (i + 0.5) / layer.length));
  };
  for (let sweep = 0; sweep < kSweeps; ++sweep) (sweep % 2 ? [...layers].reverse() : layers).forEach(sort);
  return layers;
}

// Many short layers (a long ring): several of them side by side, to and fro. A single one (no cables): a square.
function folded(layers) {
  if (layers.length === 1) return cut(layers[0], Math.ceil(Math.sqrt(layers[0].length)));
  if (layers.length <= kRowsOfLayers) return layers;
  const rows = cut(layers, Math.ceil(Math.sqrt(layers.length / 2)));
  return rows.map((row, i) => (i % 2 ? row.reverse() : row).flat());
}
const cut = (list, width) =>
  Array.from({ length: Math.ceil(list.length / width) }, (_, i) => list.slice(i * width, (i + 1) * width));

// The share of the cables that do not lead from a level to the next.
function shareAside({ levels }, next) {
  let [aside, all] = [0, 0];
  next.forEach((list, s) => {
    all += list.length;
    for (const t of list) if (Math.abs(levels[s] - levels[t]) !== 1) ++aside;
  });
  return all ? aside / all : 0;
}

// {rows: [[switch or null]]}, or {order: [switch]} of a matrix; null where the fabric has levels. A large one
// has levels only if most cables keep to them.
export function freeShape(fabric) {
  if (fabric.switches < 4) return null;
  const all = Array.from({ length: fabric.switches }, (_, s) => s);
  const next = neighboursOf(fabric);
  const order = all.sort((a, b) => collator.compare(fabric.switchName(a), fabric.switchName(b)) || a - b);
  if (fabric.levels.some((level) => level !== fabric.levels[0]))
    return fabric.switches > kMostInLayers && shareAside(fabric, next) > kAside ? { order } : null;
  const grid = fabric.switches <= kMostOnGrid ? gridOf(order, next) : null;
  if (grid) return { rows: grid };
  return fabric.switches > kMostInLayers ? { order } : { rows: folded(layersOf(order, next)) };
}
