// SPDX-License-Identifier: BSD-3-Clause
// What the reader has chosen, and who wants to know.
//
// engine, other: numbers of engines with tables (other: -1, no difference)
// traffic: {kind, by, seed, host}; among: number of the population; ports: their order, "number" or "kind"
// pick: what is drawn; focus: its channels
const listeners = new Set();
export const state = {};
export function update(changes) {
  const changed = Object.keys(changes).filter((key) => state[key] !== changes[key]);
  Object.assign(state, changes);
  if (changed.length) listeners.forEach((listener) => listener(new Set(changed)));
}
export const onChange = (keys, listener) =>
  listeners.add((changed) => {
    if (keys.some((key) => changed.has(key))) listener(changed);
  });
// Before the page is made again from other data.
export const forgetListeners = () => listeners.clear();

// For work that waits: begin() starts a turn, and its result says whether it is still the last.
export function turns() {
  let last = 0;
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}
