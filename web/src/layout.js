// SPDX-License-Identifier: BSD-3-Clause
// Where the switches stand in the drawing of the whole fabric.
//
// A row for each level, the top first, and one for hosts. What hangs together below a level is a
// column of the rows below: a pod. Regular blocks (recognise/tree_blocks.hpp) stand for the cables, so
// that a wrong cable neither parts nor joins pods; leaves of one unit (rails) are in one pod. A
// column is as wide as its longest row. Within a column a row is cut into groups: leaves by unit or
// rail, else by block; other switches by the block below. Neighbours are in order of names.
//
// Coordinates: x from 0 to 1, the same for all rows.
import { boxesOf } from "./layoutboxes.js";
import { freeShape } from "./layoutfree.js";

const collator = new Intl.Collator("en", { numeric: true });
const kMostInGroup = 36;
const kWidest = 6; // a switch of a short row, in those of the longest
const kGap = 0.5; // between groups, in switches
const kColumnGap = 1.2; // between columns, in switches

// Units, rails and pods of leaves, by switch; -1: none. Upper switches have a rail if all leaves
// below have the same one.
// A unit is called as its leaves begin ("LG25"), if that tells units apart; else by number.
function unitNames(units) {
  const common = (names) =>
    names.reduce((a, b) => {
      let i = 0;
      while (i < a.length && a[i] === b[i]) ++i;
      return a.slice(0, i);
    });
  const names = units.map(({ leaves }) => {
    const known = leaves.filter((name) => name !== null);
    if (known.length < 2) return "";
    const begin = common(known);
    // Not in the middle of a number: "LG25-0" of LG25-01, LG25-02.
    const whole = known.some((name) => /\d/.test(name[begin.length] ?? "")) ? begin.replace(/\d+$/, "") : begin;
    return whole.replace(/[\W_]+$/, "");
  });
  const own = names.every((name) => name) && new Set(names).size === names.length;
  return own ? names : units.map((_, i) => `unit ${i + 1}`);
}

// "LG25", or "25" where units have no name of their own.
export const unitName = (rails, unit) => rails.names[unit].replace(/^unit /, "");

export function railsOf(fabric, shown) {
  const unit = new Int32Array(fabric.switches).fill(-1);
  const rail = new Int32Array(fabric.switches).fill(-1);
  const pod = new Int32Array(fabric.switches).fill(-1);
  if (!shown?.units?.length) return { any: false, unit, rail, pod, units: 0, count: 0, names: [] };
  const byName = new Map();
  for (let s = 0; s < fabric.switches; ++s) byName.set(fabric.switchName(s), s);
  shown.units.forEach((one, u) =>
    one.leaves.forEach((name, r) => {
      const s = name === null ? undefined : byName.get(name);
      if (s !== undefined) [unit[s], rail[s], pod[s]] = [u, r, one.pod];
    }),
  );
  const kMixed = -2;
  for (let s = 0; s < fabric.switches; ++s) {
    if (fabric.levels[s] !== 2) continue;
    let found = -1;
    for (let c = fabric.first[fabric.node(s)] + 1; c < fabric.first[fabric.node(s) + 1]; ++c) {
      const below = fabric.nextSwitch[c];
      if (below < 0 || fabric.levels[below] !== 1 || rail[below] < 0) continue;
      found = found === -1 || found === rail[below] ? rail[below] : kMixed;
    }
    rail[s] = Math.max(-1, found);
  }
  return {
    any: true,
    unit,
    rail,
    pod,
    units: shown.units.length,
    count: shown.rails.length,
    names: unitNames(shown.units),
  };
}

class Union {
  constructor(size) {
    this.parent = Int32Array.from({ length: size }, (_, i) => i);
  }
  find(i) {
    while (this.parent[i] !== i) i = this.parent[i] = this.parent[this.parent[i]];
    return i;
  }
  join(a, b) {
    this.parent[this.find(a)] = this.find(b);
  }
}

// What hangs together by blocks whose upper switches are below `level`.
function partsBelow(fabric, rails, level) {
  const union = new Union(fabric.switches);
  for (const block of fabric.blocks) {
    if (block.level + 1 >= level) continue;
    const all = [...block.below, ...block.above, ...block.beside];
    for (const s of all) union.join(s, all[0]);
  }
  if (rails.any && level > 2) {
    const first = new Map();
    for (let s = 0; s < fabric.switches; ++s) {
      if (rails.unit[s] < 0) continue;
      if (first.has(rails.unit[s])) union.join(s, first.get(rails.unit[s]));
      else first.set(rails.unit[s], s);
    }
  }
  return union;
}

// In switches.
const widthOf = (groups) => groups.reduce((sum, g) => sum + g.switches.length + kGap, 0);

const groupBy = (list, key) => {
  const groups = new Map();
  for (const one of list) {
    const k = key(one);
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(one);
  }
  return groups;
};

// {rows: [{level, name, switches, groups}], x0, x1 (by switch), group (number by switch), groups:
// [{row, label, switches, x0, x1}], rowOf (by switch)}; leaves by "unit" or "rail".
export function layout(fabric, rails, leavesBy) {
  const rows = freeShape(fabric)?.rows;
  return rows ? inRows(fabric, rails, rows) : inLevels(fabric, rails, leavesBy);
}

// The same for rows of layoutfree.js, which zoom together; `free` is true.
function inRows(fabric, rails, lists) {
  const widest = Math.max(...lists.map((list) => list.length));
  const [x0, x1] = [new Float64Array(fabric.switches), new Float64Array(fabric.switches)];
  const rowOf = new Int32Array(fabric.switches);
  const rows = lists.map((switches, i) => {
    const step = Math.min(1 / switches.length, kWidest / widest);
    const from = (1 - switches.length * step) / 2;
    switches.forEach((s, k) => {
      if (s !== null) [x0[s], x1[s], rowOf[s]] = [from + k * step, from + (k + 0.8) * step, i];
    });
    return { level: fabric.levels[switches[0]], name: i === 0 ? "switches" : "", switches, groups: [] };
  });
  const groups = [];
  const groupOf = new Int32Array(fabric.switches);
  for (const row of rows) {
    for (const switches of piecesOf(row.switches)) {
      for (const s of switches) groupOf[s] = groups.length;
      const [a, b] = [x0[switches[0]], x1[switches.at(-1)]];
      const label = rangeName(fabric, switches);
      const group = { label, brief: "", switches, row, number: groups.length, x0: a, x1: b };
      row.groups.push(group);
      groups.push(group);
    }
    row.switches = row.switches.filter((s) => s !== null);
  }
  return { rows, x0, x1, group: groupOf, groups, rowOf, rails, free: true, frames: [] };
}

// Runs of a row between gaps (null), none of them long.
function piecesOf(row) {
  const runs = [[]];
  for (const s of row) {
    if (s === null) runs.push([]);
    else runs.at(-1).push(s);
  }
  return runs.flatMap((run) => {
    const pieces = Math.ceil(run.length / kMostInGroup);
    const ends = Array.from({ length: pieces + 1 }, (_, k) => Math.ceil((k * run.length) / pieces));
    return ends.slice(1).map((end, k) => run.slice(ends[k], end));
  });
}

function inLevels(fabric, rails, leavesBy) {
  const rows = [];
  for (let level = fabric.height; level >= 1; --level)
    rows.push({ level, name: fabric.levelNames[level - 1], switches: [], groups: [] });
  const found = {
    rows,
    x0: new Float64Array(fabric.switches),
    x1: new Float64Array(fabric.switches),
    group: new Int32Array(fabric.switches).fill(-1),
    groups: [],
    rowOf: new Int32Array(fabric.switches).fill(-1),
    rails,
    free: false,
    frames: [], // of directors: {name, x0, x1, last (row)}
  };
  const name = (s) => fabric.switchName(s);
  const sorted = (list) => [...list].sort((a, b) => collator.compare(name(a), name(b)) || a - b);
  const everything = sorted(
    Array.from({ length: fabric.switches }, (_, s) => s).filter(
      (s) => fabric.levels[s] >= 1 && fabric.levels[s] <= fabric.height,
    ),
  );
  const unions = new Map();
  const partOf = (level) => {
    if (!unions.has(level)) unions.set(level, partsBelow(fabric, rails, level));
    return (s) => unions.get(level).find(s);
  };

  // Groups of one row of a column, each {label, switches}.
  const cut = (list, level, title) => {
    const leaf = level === 1 && rails.any;
    const key = leaf
      ? (s) => (leavesBy === "rail" ? rails.rail : rails.unit)[s]
      : (s) => (fabric.downBlock[s] >= 0 && level > 1 ? fabric.downBlock[s] : level === 1 ? fabric.upBlock[s] : -1);
    const found = [...groupBy(list, key)];
    // Leaves that have nothing in common are groups by their names.
    const parts = !leaf && found.length > Math.max(kMostInGroup, list.length / 4) ? [[-1, list]] : found;
    if (leaf) parts.sort(([a], [b]) => (a >>> 0) - (b >>> 0));
    return parts.flatMap(([k, switches]) => {
      const label =
        leaf && k >= 0
          ? leavesBy === "rail"
            ? `rail ${k + 1}`
            : rails.names[k]
          : level === 2 && rails.any && rails.rail[switches[0]] >= 0
            ? `rail ${rails.rail[switches[0]] + 1}`
            : parts.length === 1 && title
              ? title
              : "";
      const pieces = Math.ceil(switches.length / kMostInGroup);
      return Array.from({ length: pieces }, (_, i) => {
        const piece = switches.slice(
          Math.ceil((i * switches.length) / pieces),
          Math.ceil(((i + 1) * switches.length) / pieces),
        );
        return label && pieces === 1
          ? { label, brief: label.replace(/^(.)\D* /, "$1"), switches: piece }
          : { label: rangeName(fabric, piece), brief: tail(fabric, piece[0]), switches: piece };
      });
    });
  };

  // A column: what is below `level`. {width (in switches), rows: [[groups]], columns}
  const column = (list, level, title) => {
    const top = level - 1;
    const own = cut(
      list.filter((s) => fabric.levels[s] === top),
      top,
      title,
    );
    const below = list.filter((s) => fabric.levels[s] < top);
    const rowsHere = [{ level: top, groups: own }];
    let columns = [];
    if (top === 2) rowsHere.push({ level: 1, groups: cut(below, 1, title) });
    else if (below.length) columns = columnsOf(below, top);
    const width = Math.max(
      1,
      ...rowsHere.map((row) => widthOf(row.groups)),
      columns.reduce((sum, c) => sum + c.width + kColumnGap, 0),
    );
    return { width, rows: rowsHere, columns };
  };
  const columnsOf = (list, level) => {
    const parts = [...groupBy(list, partOf(level)).values()];
    const pods = parts.filter((part) => part.length > 1);
    const rest = parts.filter((part) => part.length === 1).flat();
    const columns = pods.map((part, i) => column(part, level, pods.length > 1 ? `pod ${i + 1}` : ""));
    // Leaves that hang on the top level alone, and the like.
    if (rest.length) columns.push(column(rest, level, "others"));
    return columns;
  };
  const place = ({ rows: own, columns }, from, to) => {
    for (const { level, groups } of own) {
      const row = rows.find((r) => r.level === level);
      const total = groups.reduce((sum, g) => sum + g.switches.length + kGap, 0);
      const step = (to - from) / total;
      let x = from + (kGap * step) / 2;
      for (const g of groups) {
        const number = found.groups.length;
        const entry = { ...g, row, number, x0: x, x1: x + g.switches.length * step };
        found.groups.push(entry);
        row.groups.push(entry);
        for (const s of g.switches) {
          [found.x0[s], found.x1[s], found.group[s], found.rowOf[s]] = [x, x + step, number, rows.indexOf(row)];
          row.switches.push(s);
          x += step;
        }
        x += kGap * step;
      }
    }
    const total = columns.reduce((sum, c) => sum + c.width + kColumnGap, 0);
    let x = from;
    for (const c of columns) {
      const width = ((to - from) * (c.width + kColumnGap)) / total;
      const gap = (width * kColumnGap) / (c.width + kColumnGap) / 2;
      place(c, x + gap, x + width - gap);
      x += width;
    }
  };
  // Leaves in one row; above them a column for each box, which has a frame.
  const boxes = boxesOf(fabric);
  const inBoxes = () => {
    const leaves = cut(
      everything.filter((s) => fabric.levels[s] === 1),
      1,
      "",
    );
    const columns = boxes.map((box) => {
      const levels = rows.filter(({ level }) => level > 1);
      const own = levels.map(({ level }) => ({
        level,
        groups: cut(sorted(box.switches.filter((s) => fabric.levels[s] === level)), 0, ""),
      }));
      return { width: Math.max(...own.map(({ groups }) => widthOf(groups))), rows: own, columns: [] };
    });
    return { width: 1, rows: [{ level: 1, groups: leaves }], columns };
  };
  if (everything.length) place(boxes ? inBoxes() : column(everything, fabric.height + 1, ""), 0, 1);
  for (const { name: title, switches } of boxes ?? []) {
    const [x0, x1] = [Math.min(...switches.map((s) => found.x0[s])), Math.max(...switches.map((s) => found.x1[s]))];
    found.frames.push({ name: title, x0, x1, last: rows.length - 2, switches: switches.length });
  }
  found.rows = rows.filter((row) => row.switches.length > 0);
  for (const row of found.rows) for (const s of row.switches) found.rowOf[s] = found.rows.indexOf(row);
  return found;
}

// The part of a name that distinguishes a switch from its neighbours: "014" of CORE-014.
const tail = (fabric, s) => /[^-_.:\s]*$/.exec(fabric.switchName(s))[0];

// "S1_0 … S1_23", or one name.
export function rangeName(fabric, switches) {
  const [a, b] = [fabric.switchName(switches[0]), fabric.switchName(switches.at(-1))];
  if (switches.length === 1) return a;
  let same = 0;
  while (same < a.length && a[same] === b[same]) ++same;
  while (same > 0 && /\d/.test(a[same - 1])) --same;
  return `${a} \u2026 ${same > 1 ? b.slice(same) : b}`;
}
