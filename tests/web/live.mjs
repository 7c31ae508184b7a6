// SPDX-License-Identifier: BSD-3-Clause
// The page as `fatwood serve` serves it, in real Chromium: a change by a click has the numbers of the command
// line; undo; reload; two clients see the same; an address leads to the same state. Run by ctest with FATWOOD.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fatwood, folder, newPage, program, runTests, skip } from "./harness.mjs";

if (!existsSync(join(dirname(program), "fatwood-serve"))) skip("fatwood-serve was not built");
const tree = "ft(4,3)";

async function started() {
  const server = spawn(program, ["serve", tree, "sftree", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((done, failed) => {
    server.stdout.on("data", (text) => done(/http:\S+/.exec(String(text))[0]));
    server.on("exit", () => failed(new Error("the server ended")));
  });
  return { server, url, base: url.replace(/\?.*/, "") };
}

async function visit(url) {
  const page = await newPage();
  page.trouble = [];
  page.on("console", (message) => message.type() === "error" && page.trouble.push(message.text()));
  page.on("pageerror", (error) => page.trouble.push(error.stack));
  await page.goto(url);
  await shown(page);
  return page;
}
const shown = (page) => page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
const changes = async (page, wanted) => {
  await page.waitForFunction((text) => [...document.querySelectorAll("#live-changes li")].map((li) => li.firstChild.textContent).join(";") === text && document.documentElement.dataset.ready &&
    !document.querySelector("#live[data-refreshing], #live-result[data-pending], #live-result[aria-busy]"),
    wanted, { timeout: 60000 });
};
const cell = (page, row, column) => page.locator(`#live-result tr[data-row="${row}"] td`).nth(column).innerText();

await runTests({
  "a change by a click, undo, reload, two clients, an address": async () => {
    const { server, url, base } = await started();
    try {
      const first = await visit(url);
      const second = await visit(base);
      await first.evaluate(() => window.fatwood.update({ pick: { kind: "channel", c: window.fatwood.fabric.slot(0, 1) } }));
      await first.locator('#live-offers [data-change="cut S1_0[1]"]').click();
      await changes(first, "cut S1_0[1]");
      await changes(second, "cut S1_0[1]");
      fatwood("route", tree, "--engine", "sftree", "-o", join(folder, "old"));
      fatwood("repair", tree, "--cut", "S1_0[1]", join(folder, "old"), "-o", join(folder, "new"));
      const load = JSON.parse(fatwood("load", tree, "--cut", "S1_0[1]", join(folder, "new"), "--traffic", "alltoall", "--json"));
      const gbps = (value) => `${Math.round(value * 10) / 10} Gb/s`;
      assert.equal(await cell(first, "repaired", 1), gbps(load.rates.worst_gbps));
      assert.equal(await cell(first, "repaired", 3), gbps(load.rates.median_gbps));
      assert.equal(await cell(second, "repaired", 1), gbps(load.rates.worst_gbps));
      assert.notEqual(await cell(first, "unrepaired", 0), "0");
      const address = await first.evaluate(() => location.href);
      assert.match(address, /changes=cut/);
      await first.reload();
      await shown(first);
      await changes(first, "cut S1_0[1]");
      await first.locator("#live-undo").click();
      await changes(first, "");
      await changes(second, "");
      const third = await visit(address);
      await changes(third, "cut S1_0[1]");
      await changes(first, "cut S1_0[1]");
      await third.locator("#live-input").fill("cut nobody[1]");
      await third.locator("#live-input").press("Enter");
      await third.waitForFunction(() => /nobody/.test(document.getElementById("live-error").textContent));
      if (process.env.FATWOOD_SCREENSHOT) await third.screenshot({ path: process.env.FATWOOD_SCREENSHOT, fullPage: true });
      for (const page of [first, second, third]) {
        assert.deepEqual(page.trouble.filter((text) => !/400|Failed to load/.test(text)), []);
        await page.close();
      }
    } finally {
      server.kill("SIGKILL");
      execFileSync("sleep", ["0.1"]);
    }
  },
  "a speed, a switch more, a task with its result": async () => {
    const { server, url } = await started();
    try {
      const page = await visit(url);
      await page.evaluate(() => window.fatwood.update({ pick: { kind: "channel", c: window.fatwood.fabric.slot(0, 1) } }));
      const speed = page.locator("#live-offers span").filter({ has: page.locator('[data-change="speed S1_0[1]"]') });
      await speed.locator("select").selectOption("1xEDR");
      await speed.locator("button").click();
      await changes(page, "speed S1_0[1] 1xEDR");
      assert.notEqual(await cell(page, "before", 1), await cell(page, "unrepaired", 1));
      await page.evaluate(() => window.fatwood.update({ pick: { kind: "switch", s: 0 } }));
      await page.locator('#live-offers [data-change="add switch@1"]').click();
      await changes(page, "speed S1_0[1] 1xEDR;add switch@1");
      await page.waitForFunction(() => window.fatwood?.fabric.switches === 21, null, { timeout: 60000 });
      await page.locator('#live-changes button[aria-label="Restore: speed S1_0[1] 1xEDR"]').click();
      await changes(page, "add switch@1");
      await page.waitForFunction(() => window.fatwood?.fabric.switches === 21 && !document.querySelector("#live-result[aria-busy]"), null, { timeout: 60000 });
      await page.locator("#live-tasks summary").click();
      await page.locator("#task-verb").selectOption("worst");
      await page.locator("#task-run").click();
      await page.waitForFunction(() => /worst: done/.test(document.getElementById("task-said").textContent), null, { timeout: 60000 });
      assert.match(await page.locator("#task-result").innerText(), /"ratio"/);
      if (process.env.FATWOOD_SCREENSHOT) {
        await page.screenshot({ path: process.env.FATWOOD_SCREENSHOT.replace(".png", "-tasks.png") });
        await page.emulateMedia({ colorScheme: "dark" });
        await page.screenshot({ path: process.env.FATWOOD_SCREENSHOT.replace(".png", "-dark.png") });
      }
      assert.deepEqual(page.trouble.filter((text) => !/Failed to load/.test(text)), []);
      await page.close();
    } finally {
      server.kill("SIGTERM");
      execFileSync("sleep", ["0.1"]);
    }
  },
});
