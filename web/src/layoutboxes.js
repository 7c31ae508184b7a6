// SPDX-License-Identifier: BSD-3-Clause
// Directors: switches of several levels in one box, such as line cards and the spines behind them. A box is what
// hangs together above the leaves and has a name of its own: the beginning of the names of its switches, which has
// a number and begins no other name ("B0" of B0S1_3 and B0S2_0).

const kFew = 3; // switches of a box, at least

function parts(fabric) {
  const part = new Int32Array(fabric.switches).fill(-1);
  const found = [];
  for (let first = 0; first < fabric.switches; ++first) {
    if (part[first] >= 0 || fabric.levels[first] < 2 || fabric.levels[first] > fabric.height) continue;
    const list = [first];
    part[first] = found.length;
    for (let i = 0; i < list.length; ++i) {
      const node = fabric.node(list[i]);
      for (let c = fabric.first[node] + 1; c < fabric.first[node + 1]; ++c) {
        const next = fabric.nextSwitch[c];
        if (next < 0 || fabric.levels[next] < 2 || part[next] >= 0) continue;
        part[next] = found.length;
        list.push(next);
      }
    }
    found.push(list);
  }
  return found;
}

function commonName(names) {
  let text = names[0];
  for (const name of names) {
    let same = 0;
    while (same < text.length && text[same] === name[same]) ++same;
    text = text.slice(0, same);
  }
  // Not in the middle of a number.
  if (names.some((name) => /\d/.test(name[text.length] ?? ""))) text = text.replace(/\d+$/, "");
  return text;
}

// [{name, switches}], or null: there are none, or other switches above the leaves as well.
export function boxesOf(fabric) {
  if (fabric.height < 3) return null;
  const boxes = parts(fabric).map((switches) => ({ name: commonName(switches.map(fabric.switchName)), switches }));
  const isBox = ({ name, switches }) =>
    switches.length >= kFew && /\d/.test(name) && new Set(switches.map((s) => fabric.levels[s])).size > 1;
  if (boxes.length === 0 || !boxes.every(isBox)) return null;
  const own = boxes.every(({ name, switches }) => {
    let count = 0;
    for (let s = 0; s < fabric.switches; ++s) if (fabric.switchName(s).startsWith(name)) ++count;
    return count === switches.length;
  });
  // "B0" of "B0S", "core1" of "core1/"
  const brief = (name) => name.replace(/(\d)[\W_]*[A-Za-z]?[\W_]*$/, "$1");
  return own ? boxes.map(({ name, switches }) => ({ name: brief(name), switches })) : null;
}
