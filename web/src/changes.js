// SPDX-License-Identifier: BSD-3-Clause
// Lists of changes: lines of a --faults file, as the what-if of the live view has them.

// {verb, subject, value}: of "speed A[1] 2xHDR" they are speed, A[1], 2xHDR.
export function parsed(change) {
  const [, verb, rest] = /^(\S+)\s+([^]*)$/.exec(change.trim()) ?? [null, change, ""];
  const [, subject, value] = verb === "speed" ? (/^([^]*)\s+(\S+)$/.exec(rest) ?? [null, rest, ""]) : [null, rest, ""];
  return { verb, subject: subject.trim(), value };
}
const nodeOf = (name) => name.replace(/\[\d+\]$/, "");

// Without duplicates and contradictions. Of two changes of one cable the last counts, whichever end it names;
// changes of a removed switch go. peerOf(port): the name of a port at the other end of its cable, or undefined.
export function merged(list, peerOf) {
  const cable = (name) => [name, peerOf(name) ?? name].sort()[0];
  const removed = new Set();
  for (const one of list.map(parsed)) if (one.verb === "remove") removed.add(one.subject);
  const gone = (name) => removed.has(nodeOf(name)) || removed.has(nodeOf(peerOf(name) ?? name));
  const last = new Map();
  list.forEach((change, i) => {
    const { verb, subject } = parsed(change);
    if (verb === "add") return last.set(`add ${i}`, change);
    if (verb !== "remove" && gone(subject)) return last;
    const key = verb === "remove" ? `node ${subject}` : `cable ${cable(subject)}`;
    last.delete(key);
    return last.set(key, change);
  });
  return [...last.values()];
}

export const same = (a, b) => a.length === b.length && a.every((change, i) => change === b[i]);
