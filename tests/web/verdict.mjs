// SPDX-License-Identifier: BSD-3-Clause
// The numbers on the page are those of the command line: the verdict, what losses cost, whose figures they are.
// Colours that can be told apart, and stay the same; Back; sections that wait. Run by ctest with FATWOOD.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { merged } from "../../web/src/changes.js";
import { kBeyond, kLoadStops, loadColour } from "../../web/src/colours.js";
import { close, everything, fatwood, folder, open, program, runTests } from "./harness.mjs";

const degraded = ["pgft(3;4,4,4;1,4,2;1,1,2)", "--cut", "8%", "--fault-seed", "3", "--keep-connected"];
const fabrics = [degraded, ["ft(6,3)", "--cut", "3%"], ["like-selene"]];
const made = new Map();
function pageOf(words, ...options) {
  const key = words.join(" ");
  if (!made.has(key)) {
    made.set(key, join(folder, `verdict-${made.size}.html`));
    fatwood("report", ...words, "--engines", "updn+", "--worst", "none", ...options, "-o", made.get(key));
  }
  return made.get(key);
}
const checked = (words) => spawnSync(program, ["check", ...words], { encoding: "utf8" }).stdout; // exit code 1: bad
const plain = (text) => text.replace(/\s+/g, " ").trim();

// As somebody without green cones sees it (Vienot, Brettel and Mollon, 1999), then CIE Lab.
function seen(hex) {
  const linear = [1, 3, 5].map((at) => {
    const v = parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = linear;
  const mix = 0.29275 * r + 0.70725 * g;
  const rgb = [mix, mix, -0.02234 * r + 0.02234 * g + b];
  const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x, y, z] = [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ].map((row, i) => f(row.reduce((sum, k, j) => sum + k * rgb[j], 0) / [0.9505, 1, 1.089][i]));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a, b) => Math.hypot(...seen(a).map((value, i) => value - seen(b)[i]));

await runTests({
  async "the verdict has the lines of check, the first cables and the next command"() {
    for (const words of fabrics) {
      const text = checked([...words, "updn+"]);
      const page = await open(pageOf(words));
      const shown = await page.evaluate(() => {
        document.querySelectorAll("#verdict details").forEach((one) => (one.open = true));
        const texts = (line) => [...line.querySelectorAll("h2, .badge, .says > p, li")].map((one) => one.innerText);
        return [...document.querySelectorAll("#verdict .line")].map((line) => texts(line).join(" "));
      });
      assert.ok(shown.length >= 3);
      // Each heading with all of its rows, in order.
      const blocks = text.split("\n\n")[1].split(/\n(?=\S)/);
      assert.equal(shown.length, blocks.length);
      blocks.forEach((block, i) => {
        assert.equal(plain(shown[i]), plain(block));
      });
      const [next] = text.split("\nnext\n")[1].trim().split("\n");
      assert.equal(await page.locator("#verdict .next .says > code").innerText(), next.trim());
      const putBack = await page.locator("#put-back tbody tr th").allInnerTexts();
      assert.deepEqual(await page.locator(".put-back-first button").allInnerTexts(), putBack.slice(0, 3));
      await close(page);
    }
  },
  async "ten losses on three fabrics are those of whatif"() {
    for (const words of [degraded, ["ft(6,3)", "--cut", "3%"], ["pgft(2;6,6;1,6;1,2)", "--cut", "4"]]) {
      const told = JSON.parse(fatwood("whatif", ...words, "updn+", "--permutations", "0", "--json"));
      const file = join(folder, "losses.html");
      fatwood("route", ...words, "--engine", "updn+", "-o", join(folder, "updn.lft"));
      fatwood(
        "report",
        ...words,
        "--tables",
        join(folder, "updn.lft"),
        "--engines",
        "none",
        "--worst",
        "none",
        "-o",
        file,
      );
      const page = await open(file);
      const rows = await page.evaluate(async () => {
        const { fabric, rankedLosses } = window.fatwood;
        const ranked = await rankedLosses(fabric);
        return ranked.map((row) => ({
          ...row,
          name: row.c === undefined ? fabric.switchName(row.s) : fabric.portName(row.c),
        }));
      });
      const ten = told.faults.filter((fault) => fault.cut || fault.remove).slice(0, 10);
      assert.equal(ten.length, 10);
      for (const fault of ten) {
        const row = rows.find((one) => one.name === (fault.cut ?? fault.remove));
        assert.ok(row, JSON.stringify(fault));
        assert.equal(row.pairs, fault.pairs_lost, row.name);
        assert.ok(
          Math.abs(row.gigabits - fault.gigabits_per_second) < 0.001,
          `${row.name}: ${row.gigabits} ` + `for ${fault.gigabits_per_second}`,
        );
        assert.ok(Math.abs(row.mload - fault.mload_value) < 0.001, row.name);
        assert.equal(row.entries, fault.entries_changed, row.name);
      }
      await close(page);
    }
  },
  async "one population for every number, named, and chosen in the header"() {
    const words = ["like-selene"];
    const page = await open(pageOf(words));
    const rates = async () =>
      (await page.locator("#limits .rates b").allInnerTexts()).map((text) => Number(text.replaceAll(",", "")));
    const names = await page.locator("#among option").allInnerTexts();
    assert.match(names[0], /^compute hosts/);
    assert.match(names[1], /^all hosts/);
    for (const [i, among] of [
      [0, "compute"],
      [1, "all"],
    ]) {
      await page.selectOption("#among", String(i));
      await page.waitForFunction((n) => document.documentElement.dataset.loads.endsWith(` ${n}`), i);
      const load = JSON.parse(fatwood("load", ...words, "updn+", "--traffic", "alltoall", "--among", among, "--json"));
      const [worst, , median] = await rates();
      assert.ok(
        Math.abs(worst - load.rates.worst_gbps) < 0.01 * worst,
        `${among}: ${worst} for ` + `${load.rates.worst_gbps}`,
      );
      assert.ok(Math.abs(median - load.rates.median_gbps) < 0.01 * median);
      const cells = await page.locator('.engines tr[data-engine="updn+"] td').allInnerTexts();
      assert.equal(Number(cells[0]), worst);
      const facts = await page.locator("#load-facts").innerText();
      assert.ok(facts.includes(among === "all" ? "all" : "compute"), facts);
      const most = await page.evaluate(() => window.fatwood.view.loads.reduce((a, b) => Math.max(a, b), 0));
      assert.ok(Math.abs(most - load.mload_value) < 1e-6 * most, `${among}: ${most} for ${load.mload_value}`);
    }
    assert.match(await page.evaluate(() => location.hash), /among=all/);
    await close(page);
  },
  async "a healthy fabric is calm; colours of loads can be told apart, also without green cones"() {
    const file = join(folder, "healthy.html");
    fatwood("report", "ft(4,3)", "--engines", "even", "--worst", "none", "-o", file);
    const page = await open(file);
    const [most, unit] = await page.evaluate(() => [
      Math.max(...window.fatwood.view.shown.values),
      window.fatwood.map.unit,
    ]);
    assert.match(unit, /best possible/);
    assert.ok(most < 1.05, String(most));
    await close(page);
    const steps = [0.5, 1, 1.25, 1.5, 2, 3]
      .map((load) => loadColour(load))
      .map((c) =>
        c.startsWith("#")
          ? c
          : `#${c
              .match(/\d+/g)
              .slice(0, 3)
              .map((v) => Number(v).toString(16).padStart(2, "0"))
              .join("")}`,
      );
    for (let i = 1; i < steps.length; ++i) {
      assert.ok(
        distance(steps[i - 1], steps[i]) > 8,
        `${steps[i - 1]} ${steps[i]}: ` + `${distance(steps[i - 1], steps[i])}`,
      );
    }
    assert.ok(kLoadStops.length > 4 && kBeyond.startsWith("#"));
  },
  async "the scale is the same in light, dark and print"() {
    const page = await open(pageOf(degraded));
    const scale = () =>
      page.evaluate(() => [
        document.querySelector("#map .ramp").style.background,
        document.querySelector("#map .legend").innerText,
        [...window.fatwood.matrix.canvas.getContext("2d").getImageData(70, 40, 200, 1).data]
          .filter((_, i) => i % 4 !== 3)
          .join(),
      ]);
    const [light, words] = await scale();
    await page.click("#theme");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    const [dark, same] = await scale();
    assert.deepEqual([dark, same], [light, words]);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    assert.deepEqual((await scale()).slice(0, 2), [light, words]);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await close(page);
  },
  async "the verdict names the engine and the worst losses; findings are told by severity, the worst first"() {
    const words = ["ft(6,3)", "--cut", "3%"];
    const file = join(folder, "engines.html");
    fatwood("report", ...words, "--worst", "none", "-o", file);
    const page = await open(file);
    const { recommendation } = JSON.parse(fatwood("compare", ...words, "--json"));
    assert.ok((await page.locator("#which-engine").innerText()).includes(recommendation.reason));
    const whatif = fatwood("whatif", ...words, recommendation.engine, "--permutations", "0", "--json");
    const { faults } = JSON.parse(whatif);
    await page.waitForSelector("#worst-loss button");
    const [worstSwitch, worstCable] = await page.locator("#worst-loss button").allInnerTexts();
    const cables = faults.filter((one) => one.cut);
    const rank = (one) => [one.pairs_lost, -one.gigabits_per_second];
    const found = cables.find((one) => one.cut === worstCable);
    assert.deepEqual(rank(found), rank(cables[0]));
    assert.ok(
      faults.some((one) => one.remove === worstSwitch),
      worstSwitch,
    );
    await page.locator("#worst-loss button").first().click();
    await page.waitForSelector("#picked #loss");
    const { oddities } = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).show);
    const order = ["bad", "warn", "note"];
    const badges = await page.locator(".odd > summary .badge").allInnerTexts();
    const severities = { bad: "bad", warning: "warn", note: "note" };
    const ranks = badges.map((text) => order.indexOf(severities[text]));
    assert.deepEqual(ranks, [...ranks].sort());
    assert.equal(badges.length, new Set(oddities.map((one) => one.kind)).size);
    await close(page);
  },
  async "Back goes to what was chosen before"() {
    const page = await open(pageOf(degraded));
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "switch", s: 3 } }));
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "host", t: 5 } }));
    await page.goBack();
    await page.waitForFunction(() => window.fatwood.state.pick?.kind === "switch" && window.fatwood.state.pick.s === 3);
    await page.goBack();
    await page.waitForFunction(() => window.fatwood.state.pick === null);
    await page.goForward();
    await page.waitForFunction(() => window.fatwood.state.pick?.kind === "switch");
    await close(page);
  },
  async "sections at the bottom wait until somebody comes near"() {
    const page = await open(pageOf(["like-selene"]), { lazy: true });
    const waiting = () => page.evaluate(() => [...document.querySelectorAll("section.lazy")].map((one) => one.id));
    assert.ok((await waiting()).includes("worst"), String(await waiting()));
    assert.equal(await page.evaluate(() => [...window.fatwood.model.cache.keys()].includes("shifts")), false);
    await page.locator("#worst").scrollIntoViewIfNeeded();
    await page.waitForSelector("#worst-body");
    await page.waitForFunction(() => window.fatwood.model.cache.has("shifts"));
    // What the worker counts is what this thread counts.
    const [there, here] = await page.evaluate(async () => {
      const { model, state } = window.fatwood;
      const args = [state.engine, { kind: "shift", by: 7 }, 0];
      return [await model.loads(...args), await model.counting().loads(...args)].map(({ loads, lost }) => [
        [...loads].join(),
        lost,
      ]);
    });
    assert.deepEqual(there, here);
    await everything(page);
    await close(page);
  },
  async "search: switches first, units and rails by name, separators do not matter"() {
    const page = await open(pageOf(["like-selene"]));
    const first = async (text) => {
      await page.fill("#search", text);
      return page.locator("#search-list li").first().innerText();
    };
    assert.match(await first("leaf03 2"), /^LEAF03-2\b/);
    assert.match(await first("unit 7"), /^LEAF07\s+unit 7/);
    assert.match(await first("rail 3"), /^rail 3/);
    assert.match(await first("LEAF07"), /^LEAF07\s+unit 7/);
    await page.press("#search", "Enter");
    await page.waitForFunction(() => window.fatwood.map.isOpen(window.fatwood.map.layout.rows.length - 1));
    await close(page);
  },
  async "at 420 pixels nothing sticks out, and a thumb can use it"() {
    const page = await open(pageOf(degraded), { viewport: { width: 420, height: 900 }, hasTouch: true });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 420);
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          "#top button, #top select, #verdict button, #map button, #map select, " + "#limits button",
        ),
      ]
        .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 30)
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(small, []);
    await close(page);
  },
  async "changes are merged: the other end of a cable, a switch that is gone"() {
    const peers = { "A[1]": "B[3]", "B[3]": "A[1]", "A[2]": "C[1]", "C[1]": "A[2]" };
    const peer = (name) => peers[name];
    assert.deepEqual(merged(["cut A[1]", "cut B[3]"], peer), ["cut B[3]"]);
    assert.deepEqual(merged(["speed A[1] 2xHDR", "cut B[3]"], peer), ["cut B[3]"]);
    assert.deepEqual(merged(["cut A[1]", "remove B"], peer), ["remove B"]);
    assert.deepEqual(merged(["remove B", "remove B", "cut A[2]"], peer), ["remove B", "cut A[2]"]);
    assert.deepEqual(merged(["add switch@2", "add switch@2"], peer), ["add switch@2", "add switch@2"]);
    assert.deepEqual(merged(["cut C", "cut A[2]"], peer), ["cut C", "cut A[2]"]);
  },
});
