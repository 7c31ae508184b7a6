// SPDX-License-Identifier: BSD-3-Clause
// Cables of the drawing, taken together: all between two boxes are one bundle. A box is a group of
// switches where its row is closed, else a switch.
//
// Boxes are numbered: groups of the layout first, then switches.
import { kNone } from "./fabric.js";

// Of a set of open rows. Only grids have more rows than bits; theirs open together.
export const bitOf = (row) => Math.min(row, 30);

export class Bundles {
  cache;
  fabric;
  layout;

  constructor(fabric, layout) {
    Object.assign(this, { fabric, layout, cache: new Map() });
    const cables = []; // the channel that leaves the lower end; in one row, the lower number
    for (let c = 0; c < fabric.slots; ++c) {
      if (fabric.owner[c] < fabric.adapters || fabric.nextSwitch[c] < 0 || fabric.peer[c] === kNone) continue;
      const [a, b] = [fabric.owner[c] - fabric.adapters, fabric.nextSwitch[c]];
      const up = layout.free ? layout.rowOf[a] - layout.rowOf[b] : fabric.levels[b] - fabric.levels[a];
      if (up > 0 || (up === 0 && c < fabric.peer[c])) cables.push(c);
    }
    this.cables = Uint32Array.from(cables);
    const groups = layout.groups.length;
    this.boxes = groups + fabric.switches;
    this.x0 = new Float64Array(this.boxes);
    this.x1 = new Float64Array(this.boxes);
    this.row = new Int32Array(this.boxes);
    layout.groups.forEach((g, i) => {
      [this.x0[i], this.x1[i], this.row[i]] = [g.x0, g.x1, layout.rows.indexOf(g.row)];
    });
    for (let s = 0; s < fabric.switches; ++s)
      [this.x0[groups + s], this.x1[groups + s], this.row[groups + s]] = [layout.x0[s], layout.x1[s], layout.rowOf[s]];
  }
  // open: a bit for each row
  boxOf(s, open) {
    const { layout } = this;
    return (open >> bitOf(layout.rowOf[s])) & 1 ? layout.groups.length + s : layout.group[s];
  }
  switchOf(box) {
    return box - this.layout.groups.length; // negative: a group
  }
  // {count, a, b (boxes), atA, atB (where it meets them, from 0 to 1), first (where its cables begin in
  // `list`), list (cables), gaps: [{a, b, lacking, pairs}]}
  of(open) {
    if (!this.cache.has(open)) this.cache.set(open, this.collect(open));
    return this.cache.get(open);
  }
  collect(open) {
    const { fabric, cables } = this;
    const number = new Map();
    const of = new Uint32Array(cables.length);
    const [a, b, size] = [[], [], []];
    cables.forEach((c, i) => {
      const [x, y] = [this.boxOf(fabric.owner[c] - fabric.adapters, open), this.boxOf(fabric.nextSwitch[c], open)];
      const key = x * this.boxes + y;
      let k = number.get(key);
      if (k === undefined) {
        k = a.length;
        number.set(key, k);
        a.push(x);
        b.push(y);
        size.push(0);
      }
      of[i] = k;
      ++size[k];
    });
    const first = new Uint32Array(a.length + 1);
    for (let k = 0; k < a.length; ++k) first[k + 1] = first[k] + size[k];
    const at = first.slice();
    const list = new Uint32Array(cables.length);
    cables.forEach((c, i) => (list[at[of[i]]++] = c));
    return {
      count: a.length,
      a: Int32Array.from(a),
      b: Int32Array.from(b),
      atA: this.places(a, b),
      atB: this.places(b, a),
      first,
      list,
      gaps: this.gaps(open),
    };
  }
  // Bundles meet a box in the order of their other ends.
  places(mine, other) {
    const middle = (box) => this.x0[box] + this.x1[box];
    const order = Uint32Array.from(mine, (_, k) => k).sort(
      (i, j) => mine[i] - mine[j] || middle(other[i]) - middle(other[j]),
    );
    const at = new Float32Array(mine.length);
    for (let i = 0; i < order.length;) {
      let end = i;
      while (end < order.length && mine[order[end]] === mine[order[i]]) ++end;
      for (let j = i; j < end; ++j) at[order[j]] = 0.08 + (0.84 * (j - i + 0.5)) / (end - i);
      i = end;
    }
    return at;
  }
  gaps(open) {
    const found = new Map();
    for (const [below, above, there, usual] of this.fabric.missing) {
      const [a, b] = [this.boxOf(below, open), this.boxOf(above, open)];
      const key = a * this.boxes + b;
      if (!found.has(key)) found.set(key, { a, b, lacking: 0, pairs: [] });
      found.get(key).lacking += usual - there;
      found.get(key).pairs.push([below, above, there, usual]);
    }
    return [...found.values()];
  }
  // The value of each bundle: of its cables and directions the one farthest from 0.
  values(bundles, values) {
    const { peer } = this.fabric;
    const found = new Float64Array(bundles.count);
    for (let k = 0; k < bundles.count; ++k) {
      let most = 0;
      for (let i = bundles.first[k]; i < bundles.first[k + 1]; ++i) {
        const c = bundles.list[i];
        const v = Math.abs(values[c]) >= Math.abs(values[peer[c]]) ? values[c] : values[peer[c]];
        if (Math.abs(v) > Math.abs(most)) most = v;
      }
      found[k] = most;
    }
    return found;
  }
}
