// SPDX-License-Identifier: BSD-3-Clause
// The page's data: one JSON object; arrays are packed (inflate.js).
// Nothing else knows where it comes from.

export const data = JSON.parse(document.getElementById("data").textContent);
// Other data in its place, as `fatwood serve` sends it after a change.
export function replaceData(other) {
  for (const key of Object.keys(data)) delete data[key];
  Object.assign(data, other);
}
