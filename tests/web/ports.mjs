// SPDX-License-Identifier: BSD-3-Clause
// What a run of ibdiagnet measured, on the page: the table of ports, its order and filter, and the cards of ports.
// The expected values are those that the files of the run were written from. Run by ctest with FATWOOD.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { close, fatwood, folder, open, program, runTests } from "./harness.mjs";
import { makeRun, told } from "./run.mjs";

const run = makeRun();
const file = join(folder, "run.html");
fatwood("report", run, "--engines", "sftree", "--worst", "none", "-o", file);

const rows = async (page) =>
  (await page.locator("#ports-table tbody tr").all()).length === 0
    ? []
    : page.evaluate(() => {
        const heads = [...document.querySelectorAll("#ports-table thead th")].map((th) => th.innerText);
        return [...document.querySelectorAll("#ports-table tbody tr")].map((tr) =>
          Object.fromEntries(
            [...tr.children].map((cell, i) => [heads[i].replace(/ [\u2191\u2193]$/, ""), cell.innerText]),
          ),
        );
      });
const sortBy = (page, key) => page.locator(`[data-sort="${key}"]`).click();

await runTests({
  async "every measured port is in the table, with what the files say"() {
    const page = await open(file);
    await page.waitForSelector("#ports-table table");
    const found = (await rows(page)).filter((row) => told.has(row.port));
    assert.equal(found.length, told.size);
    for (const row of found) {
      const one = told.get(row.port);
      const value = (4 * one.sent) / 1000;
      assert.equal(row.sent, `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 1 })} kB`);
      assert.equal(Number(row.errors), one.errors + one.discards);
      assert.equal(Number(row["raw BER"]), one.raw);
      assert.equal(Number(row["module \u00b0C"]), one.celsius);
      assert.equal(row.FEC, one.fec);
    }
    await close(page);
  },
  async "the table is sorted by a click or a key, and filtered by names and kinds"() {
    const page = await open(file);
    await sortBy(page, "errors");
    let found = await rows(page);
    const first = found.slice(0, 2).flatMap(({ port, errors }) => [port, errors]);
    assert.deepEqual(first, ["S1_1[3]", "12", "S1_2[4]", "5"]);
    assert.equal(await page.locator('th[aria-sort="descending"]').innerText(), "errors \u2193");
    await sortBy(page, "celsius");
    await page.keyboard.press("Enter"); // the heading keeps the focus
    found = await rows(page);
    assert.equal(found[0].port, "S1_0[1]");
    assert.equal(await page.locator('th[aria-sort="ascending"]').innerText(), "module \u00b0C \u2191");
    await page.fill("#ports-filter", "s1_2");
    await page.selectOption("#ports-kind", { label: "to hosts" });
    await page.waitForFunction(() => document.querySelectorAll("#ports-table tbody tr").length === 2);
    assert.ok((await rows(page)).every(({ port }) => /^S1_2/.test(port)));
    await page.selectOption("#ports-kind", { label: "between switches" });
    await page.fill("#ports-filter", "S1_2[1]");
    await page.waitForFunction(() => document.querySelectorAll("#ports-table tbody tr").length === 1);
    await page.fill("#ports-filter", "nobody");
    await page.waitForFunction(() => document.querySelectorAll("#ports-table tbody tr").length === 0);
    assert.match(await page.locator("#ports-said").innerText(), /^0 of 0 ports/);
    await close(page);
  },
  async "the card of a port has what both ends measured"() {
    const page = await open(file);
    await page.fill("#ports-filter", "S1_1[3]");
    await page.locator("#ports-table tbody button").first().click();
    await page.waitForSelector("#measured");
    const text = await page.locator("#measured").innerText();
    assert.match(text, /S1_1\[3\]/);
    assert.match(text, /SymbolErrorCounter\s+12/);
    assert.match(text, /raw BER\s+1\.0e-8/);
    assert.match(text, /FEC\s+RS_A/);
    await close(page);
  },
  async "the verdict counts bad cables, as check does"() {
    const printed = spawnSync(program, ["check", run, "sftree"], { encoding: "utf8" }).stdout;
    const page = await open(file);
    const cabling = await page.locator("#verdict .line").first().innerText();
    assert.match(printed, /raw-errors/);
    assert.match(cabling, /raw-errors/);
    await close(page);
  },
  async "fabrics without a run have ports, too: a large one is sorted at once"() {
    const large = join(folder, "large.html");
    fatwood("report", "ft(24,3)", "--engines", "sftree", "--worst", "none", "-o", large);
    const page = await open(large);
    await sortBy(page, "port");
    await page.waitForFunction(() => document.querySelectorAll("#ports-table tbody tr").length === 25);
    assert.equal((await rows(page))[0].port, "S1_0[1]");
    await page.click("#ports-more");
    await page.waitForFunction(() => document.querySelectorAll("#ports-table tbody tr").length === 125);
    await sortBy(page, "load");
    const values = (await rows(page)).map((row) => Number(Object.entries(row).find(([key]) => /^load/.test(key))[1]));
    assert.deepEqual(values, [...values].sort((a, b) => b - a));
    await close(page);
  },
});
