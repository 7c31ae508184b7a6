// SPDX-License-Identifier: BSD-3-Clause
// What build.mjs provides, for tsc.
declare const WORKER: string; // the text of worker.js, bundled
declare module "*.css";
interface Window {
  fatwood: any; // for tests, and the curious
}
