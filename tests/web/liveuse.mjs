// SPDX-License-Identifier: BSD-3-Clause
// The live view in use, in real Chromium: by keyboard alone, with a thumb at 420 pixels, by axe-core, Back, print,
// results of tasks. Run by ctest with FATWOOD.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fatwood, folder, runTests } from "./harness.mjs";
import { makeRun, told } from "./run.mjs";
import { axe, changes, started, tree, visit } from "./served.mjs";

async function served(words, test) {
  const { server, url } = await started(words);
  try {
    const page = await visit(url);
    await test(page);
    assert.deepEqual(page.trouble, []);
    await page.close();
  } finally {
    server.kill("SIGKILL");
  }
}
async function tried(page, change) {
  await page.locator("#live-input").fill(change);
  await page.locator("#live-input").press("Enter");
  await changes(page, change);
}
const finished = (page, verb) =>
  page.waitForFunction((name) => document.getElementById("task-said").textContent.startsWith(`${name}: done`), verb);

await runTests({
  "by keyboard alone: a cable is found, cut, looked at both ways, restored, and the change applied for all": () =>
    served([tree, "sftree"], async (page) => {
      // From the top by Tab: everything that is used below is reached.
      const reached = new Set();
      const tab = async (id) => {
        for (let i = 0; i < 400; ++i) {
          const now = await page.evaluate(() => document.activeElement?.id ?? "");
          reached.add(now);
          if (now === id) return;
          await page.keyboard.press("Tab");
        }
        assert.fail(`no way to ${id}: ${[...reached]}`);
      };
      await tab("search");
      await page.keyboard.type("S1_0[1]");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => window.fatwood.state.pick?.kind === "channel");
      const press = async (wanted, key = "Enter") => {
        for (let i = 0; i < 400; ++i) {
          if (await page.evaluate((selector) => document.activeElement?.matches(selector), wanted)) break;
          await page.keyboard.press("Tab");
        }
        assert.ok(await page.evaluate((selector) => document.activeElement?.matches(selector), wanted), wanted);
        await page.keyboard.press(key);
      };
      await press('[data-change="cut S1_0[1]"]');
      await changes(page, "cut S1_0[1]");
      await press('[data-view="rerouted"]');
      await page.waitForFunction(
        () => document.querySelector("#map-engine")?.selectedOptions[0].textContent === "routed again",
      );
      await changes(page, "cut S1_0[1]");
      await press('[data-view="repaired"]', " ");
      await changes(page, "cut S1_0[1]");
      await press('#live-changes button[aria-label="Restore: cut S1_0[1]"]');
      await changes(page, "");
      await press("#live-undo");
      await changes(page, "cut S1_0[1]");
      await press("#live-apply");
      await page.waitForFunction(() => /All who look/.test(document.getElementById("live-who").textContent));
      // On the map: from the first switch down to a leaf, along its cables.
      await press("#map-canvas", "ArrowDown");
      for (const key of ["ArrowDown", "ArrowDown", ".", ".", "Enter"]) await page.keyboard.press(key);
      await page.waitForFunction(() => window.fatwood.state.pick?.kind === "channel");
      assert.equal(await page.locator("#live-offers button").count(), 2);
    }),
  "what a preview has lost stays on the map, dotted, and comes back at a click": () =>
    served([tree, "sftree"], async (page) => {
      await tried(page, "remove S3_0");
      await page.waitForFunction(() => window.fatwood.map.removed?.length === 1);
      await page.locator("#map-canvas").scrollIntoViewIfNeeded();
      const at = await page.evaluate(() => {
        const { map } = window.fatwood;
        const box = map.canvas.getBoundingClientRect();
        return { x: box.left + 20, y: box.top + map.removed[0].y };
      });
      await page.mouse.move(at.x, at.y);
      assert.match(await page.locator("#tip").innerText(), /^S3_0\s+lost in this what-if/);
      await page.mouse.click(at.x, at.y);
      await changes(page, "");
      await page.waitForFunction(
        () => window.fatwood.map.removed.length === 0 && window.fatwood.fabric.switches === 20,
      );
      // All cables of a switch.
      await tried(page, "cut S2_0");
      assert.equal(await page.evaluate(() => window.fatwood.map.ghosts.length), 4);
    }),
  "results of tasks are sentences, bars and tables with units": () =>
    served([tree, "sftree"], async (page) => {
      await page.locator("#which-engine button").click();
      await finished(page, "compare");
      const result = page.locator("#task-result");
      const told = JSON.parse(fatwood("compare", tree, "--json"));
      assert.ok((await result.innerText()).includes(told.recommendation.reason));
      const bars = await page.evaluate(() =>
        [...document.querySelectorAll("#task-result .hbars")].map((one) => ({
          label: one.getAttribute("aria-label"),
          rows: [...one.querySelectorAll("div")].map((row) => [
            row.children[0].textContent,
            row.children[2].textContent,
          ]),
        })),
      );
      assert.match(bars[0].label, /Gb\/s per host/);
      const rates = new Map(told.engines.map((one) => [one.name, one.worst_gbps]));
      for (const [name, value] of bars[0].rows)
        assert.ok(Math.abs(Number(value) - rates.get(name)) < 0.01 * rates.get(name), name);
      assert.ok(bars[0].rows.length > 4);
      for (const verb of ["whatif", "load", "job", "verify", "permutations"]) {
        await page.locator("#task-verb").selectOption(verb);
        if (verb === "permutations") await page.locator('#live-tasks input[name="samples"]').fill("50");
        await page.locator("#task-run").click();
        await finished(page, verb);
        const text = await result.innerText();
        assert.doesNotMatch(text, /[{}"]|\[object|undefined|NaN/, verb);
        assert.ok((await result.locator("table").count()) > 0, verb);
        if (verb === "whatif" || verb === "load") assert.ok((await result.locator(".hbars").count()) > 0, verb);
      }
    }),
  "no rule of accessibility is broken: a preview and everything open, light and dark, wide and narrow": () =>
    served([tree, "sftree"], async (page) => {
      await tried(page, "cut S1_0[1]");
      const tools = await page.context().newCDPSession(page);
      await tools.send("Runtime.evaluate", { expression: axe }); // the page's policy lets no script in
      for (const [width, colorScheme] of [
        [1400, "light"],
        [1400, "dark"],
        [420, "light"],
        [420, "dark"],
      ]) {
        await page.setViewportSize({ width: Number(width), height: 900 });
        await page.emulateMedia({ colorScheme: /** @type {"light" | "dark"} */ (colorScheme) });
        await page.evaluate(async () => {
          document.querySelectorAll("details").forEach((one) => (one.open = true));
          window.fatwood.makeSections();
          await window.fatwood.model.idle();
        });
        const found = await page.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
          return violations.map((one) => `${one.id}: ${one.nodes.map(({ target }) => target).join("; ")}`);
        });
        assert.deepEqual(found, [], `${width} ${colorScheme}`);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, String(width));
      }
      assert.match(await page.locator("#live-counters").innerText(), /two readings/);
      assert.match(await page.locator("#live-history").innerText(), /--history/);
    }),
  "of a run: its counters, errors and link quality in the table of ports and on cards": () =>
    served([makeRun(), "updn+"], async (page) => {
      await page.evaluate(() => window.fatwood.makeSections());
      await page.locator('[data-sort="errors"]').click();
      const port = "S1_1[3]"; // the most errors
      await page.waitForFunction((name) => document.querySelector("#ports-table tbody th")?.textContent === name, port);
      const heads = await page.locator("#ports-table thead th").allInnerTexts();
      const cells = await page.locator("#ports-table tbody tr").first().locator("th, td").allInnerTexts();
      const cell = (name) => cells[heads.findIndex((head) => head.startsWith(name))];
      assert.equal(Number(cell("raw BER")), told.get(port).raw);
      assert.equal(Number(cell("errors")), told.get(port).errors);
      assert.equal(cell("FEC"), told.get(port).fec);
      await page.locator("#ports-table tbody button").first().click();
      assert.match(await page.locator("#measured").innerText(), /SymbolErrorCounter\s+12/);
    }),
  "with a thumb at 420 pixels: the verdict, the findings and the what-if": () =>
    served([tree, "sftree"], async (page) => {
      await page.setViewportSize({ width: 420, height: 900 });
      await tried(page, "remove S3_0");
      await page.evaluate(() => document.querySelectorAll("#live details").forEach((one) => (one.open = true)));
      const small = await page.evaluate(() =>
        ["#verdict", "#live", "#fabric", "#top", "#server"]
          .flatMap((id) => [...document.querySelectorAll(`${id} :is(button, select, input, summary, a)`)])
          .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 32)
          .map((one) => one.outerHTML.slice(0, 90)),
      );
      assert.deepEqual(small, []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 420);
      // In this order: what is wrong, where, what if.
      const tops = await page.evaluate(() =>
        ["verdict", "map-canvas", "live"].map((id) => document.getElementById(id).getBoundingClientRect().top),
      );
      assert.deepEqual(
        tops,
        [...tops].sort((a, b) => a - b),
      );
    }),
  "Back, the theme and print, with a preview": () =>
    served([tree, "sftree"], async (page) => {
      await tried(page, "cut S1_0[1]");
      await page.evaluate(() => window.fatwood.update({ pick: { kind: "switch", s: 3 } }));
      await page.evaluate(() => window.fatwood.update({ pick: { kind: "host", t: 5 } }));
      await page.goBack();
      await page.waitForFunction(
        () => window.fatwood.state.pick?.kind === "switch" && window.fatwood.state.pick.s === 3,
      );
      await changes(page, "cut S1_0[1]");
      assert.equal(await page.evaluate(() => window.loadedOnce), true);
      const legend = () =>
        page.evaluate(() => [
          document.querySelector("#map .ramp").getAttribute("style"),
          document.querySelector("#map .legend").textContent,
        ]);
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [before, light] = [await legend(), await ground()];
      await page.locator("#theme").click();
      assert.deepEqual(await legend(), before);
      assert.notEqual(await ground(), light);
      assert.ok((await page.pdf()).length > 20000);
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("#top nav").isVisible(), false);
      assert.equal(await page.locator("#verdict").isVisible(), true);
      await page.emulateMedia({ media: null });
      assert.deepEqual(await legend(), before);
    }),
  "a file that is broken while a preview is open: the preview stays, and so does the reason until it is mended":
    async () => {
      const file = join(folder, "mended.json");
      const good = fatwood("convert", "ft(4,2)", "--to", "json");
      writeFileSync(file, good);
      await served([file, "updn+"], async (page) => {
        await tried(page, "cut S1_0[1]");
        const state = (wanted) =>
          page.waitForFunction((text) => document.getElementById("status").dataset.state === text, wanted);
        writeFileSync(file, good.slice(0, 200));
        await state("unread");
        assert.match(await page.locator("#status").innerText(), /^Not read since .*mended\.json/);
        await changes(page, "cut S1_0[1]");
        writeFileSync(file, good);
        await state("connected");
        await changes(page, "cut S1_0[1]");
      });
    },
});
