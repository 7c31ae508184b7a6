// SPDX-License-Identifier: BSD-3-Clause
// The worker that counts (counting.js). model.js sends {id, name, args} and gets {id, result} or {id, error}.
// The first call is "open", with the data.
import { Counting } from "./counting.js";
import { readFabric } from "./fabric.js";

/** @type {Promise<Counting> | null} */
let counting = null;

async function answer(name, args) {
  if (name !== "open") return (await counting)[name](...args);
  const [data] = args;
  counting = readFabric(data.fabric, data.populations).then((fabric) => new Counting(fabric, data));
  await counting;
  return null;
}

self.addEventListener("message", async ({ data: { id, name, args } }) => {
  try {
    self.postMessage({ id, result: await answer(name, args) });
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
});
