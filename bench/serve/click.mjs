#!/usr/bin/env node
// SPDX-License-Identifier: BSD-3-Clause
// How soon a click on the live view shows something, in Chromium:
//
//     bench/serve/click.mjs FABRIC ENGINE CHANGE...      such as: selene.txt even 'cut LG05-08[31]'
//
// For each change, from the click on: milliseconds until the first figures are on the page, the map is of the
// repaired tables, all figures are there, and the rest of the page. Then the bytes that came, and the longest time
// that the page's own thread was busy, in milliseconds of its CPU (a busy machine makes no difference to it).
// FATWOOD names the program; default build/release/src/cli/fatwood.
import { spawn } from "node:child_process";

process.env.FATWOOD ??= "build/release/src/cli/fatwood";
const [fabric, engine, ...changes] = process.argv.slice(2);
if (changes.length === 0) {
  console.error("usage: bench/serve/click.mjs FABRIC ENGINE CHANGE...");
  process.exit(2);
}
process.argv.length = 2;
const { newPage } = await import("../../tests/web/harness.mjs");
const server = spawn(process.env.FATWOOD, ["serve", fabric, engine, "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise((done) => server.stdout.on("data", (text) => done(/http:\S+/.exec(String(text))[0])));
process.on("exit", () => server.kill("SIGKILL"));

const page = await newPage();
const tools = await page.context().newCDPSession(page);
const ready = () => page.waitForFunction(() => document.documentElement.dataset.ready);
const [began] = [performance.now()];
await page.goto(url);
await ready();
console.log(`opened: ${Math.round(performance.now() - began)} ms`);
await page.waitForTimeout(2000);

for (const change of changes) {
  const events = [];
  const take = ({ value }) => events.push(...value);
  tools.on("Tracing.dataCollected", take);
  await tools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] },
  });
  const found = await page.evaluate(async (text) => {
    const { fatwood } = window;
    const seen = {};
    const start = performance.now();
    const marks = {
      "first figures": () => document.querySelector('#live-result tr[data-row="repaired"]'),
      map: () => fatwood.map !== map && fatwood.map.width,
      "all figures": () =>
        document.querySelector('#live-result tr[data-row="rerouted"], #live-not-repaired') &&
        !document.querySelector("#live-result[data-pending]"),
      "whole page": () => fatwood !== window.fatwood && !document.querySelector("[data-refreshing]"),
    };
    const { map } = fatwood;
    const bytes = () => performance.getEntriesByType("resource").reduce((sum, one) => sum + one.encodedBodySize, 0);
    const before = bytes();
    const input = /** @type {HTMLInputElement} */ (document.getElementById("live-input"));
    input.value = text;
    input.form.requestSubmit();
    while (Object.keys(seen).length < 4) {
      await new Promise((done) => setTimeout(done, 5));
      for (const [name, reached] of Object.entries(marks))
        if (!(name in seen) && reached()) seen[name] = Math.round(performance.now() - start);
    }
    return { seen, bytes: bytes() - before };
  }, change);
  const ended = new Promise((done) => tools.once("Tracing.tracingComplete", done));
  await tools.send("Tracing.end");
  await ended;
  tools.off("Tracing.dataCollected", take);
  const threads = events.filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain");
  const tasks = events.filter(
    (one) => /RunTask$/.test(one.name) && threads.some(({ pid, tid }) => pid === one.pid && tid === one.tid),
  );
  const longest = tasks.map(({ tdur = 0 }) => tdur / 1000).sort((a, b) => b - a);
  const times = Object.entries(found.seen).map(([name, ms]) => `${name} ${ms} ms`);
  console.log(
    `${change}: ${times.join(", ")}; ${found.bytes} bytes; longest tasks ` +
      `${longest.slice(0, 4).map((ms) => ms.toFixed(0)).join(", ")} ms of CPU`,
  );
  await page.locator("#live-reset").click();
  await page.waitForFunction(() => !document.querySelector("[data-refreshing], #live-result[data-pending]"));
  await page.waitForTimeout(1000);
}
process.exit(0);
