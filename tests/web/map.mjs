// SPDX-License-Identifier: BSD-3-Clause
// The drawing of the whole fabric, its cards and lists, in real Chromium; accessibility by axe-core.
// Run by ctest with FATWOOD.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { close, fatwood, folder, open, runTests, skip } from "./harness.mjs";

const here = dirname(fileURLToPath(import.meta.url));
let axe;
try {
  axe = readFileSync(createRequire(join(here, "../../web/package.json")).resolve("axe-core/axe.min.js"), "utf8");
} catch {
  skip("axe-core is not installed: npm ci in web/");
}

const make = (name, ...args) => {
  const file = join(folder, `${name}.html`);
  fatwood("report", ...args, "-o", file);
  return file;
};
const degraded = ["pgft(3;4,4,4;1,4,2;1,1,2)", "--cut", "8%", "--fault-seed", "3", "--keep-connected"];
const degradedPage = make("degraded", ...degraded);
let selene = "";
const selenePage = () => (selene ||= make("selene", "like-selene", "--engines", "updn+,ftree", "--worst", "none"));
// A node of the drawing by name: {group | s} with the middle of its box on the screen.
const boxAt = (page, name) =>
  page.evaluate((wanted) => {
    const { map, fabric } = window.fatwood;
    const box = map.canvas.getBoundingClientRect();
    for (let row = 0; row < map.layout.rows.length; ++row) {
      const one = map.boxesOf(row).find((b) => (b.group ? b.group.label : fabric.switchName(b.s)) === wanted);
      if (one) return { x: box.left + map.middle(one), y: box.top + map.rowY(row) + 20 };
    }
    return null;
  }, name);
const pressed = async (page, name, times = 1) => {
  await page.locator("#map-canvas").scrollIntoViewIfNeeded();
  const at = await boxAt(page, name);
  assert.ok(at, name);
  await page.mouse.click(at.x, at.y, { clickCount: times });
};

const tests = {
  async "every switch has a place in its row, in order of names, and every cable is in one bundle"() {
    for (const args of [degraded, ["like-selene"], ["ring(8)"], ["ft(4,1)"], ["pgft(4;2,2,2,2;1,2,2,2;1,1,1,1)"]]) {
      const page = await open(
        args === degraded ? degradedPage : make("rows", ...args, "--engines", "updn+", "--worst", "none"),
      );
      const found = await page.evaluate(() => {
        const { map, fabric } = window.fatwood;
        const { layout, bundles } = map;
        const collator = new Intl.Collator("en", { numeric: true });
        let [misplaced, disordered, overlaps] = [0, 0, 0];
        for (let s = 0; s < fabric.switches; ++s)
          if (layout.rows[layout.rowOf[s]]?.level !== fabric.levels[s]) ++misplaced;
        for (const g of layout.free ? [] : layout.groups)
          for (let i = 1; i < g.switches.length; ++i)
            if (collator.compare(fabric.switchName(g.switches[i - 1]), fabric.switchName(g.switches[i])) > 0)
              ++disordered;
        for (const row of layout.rows) {
          const spans = row.switches.map((s) => [layout.x0[s], layout.x1[s]]).sort((a, b) => a[0] - b[0]);
          for (let i = 0; i < spans.length; ++i)
            if (spans[i][0] < -1e-9 || spans[i][1] > 1 + 1e-9 || (i && spans[i][0] < spans[i - 1][1] - 1e-9))
              ++overlaps;
        }
        let between = 0;
        for (let c = 0; c < fabric.slots; ++c)
          if (fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] >= 0) ++between;
        const drawn = [];
        for (let open = 0; open < 1 << layout.rows.length; ++open) {
          const of = bundles.of(open);
          drawn.push(new Set(of.list).size);
          for (let k = 0; k < of.count; ++k) {
            for (let i = of.first[k]; i < of.first[k + 1]; ++i)
              if (
                bundles.boxOf(fabric.owner[of.list[i]] - fabric.adapters, open) !== of.a[k] ||
                bundles.boxOf(fabric.nextSwitch[of.list[i]], open) !== of.b[k]
              )
                ++misplaced;
          }
          drawn.push(
            of.gaps.reduce((sum, gap) => sum + gap.lacking, 0) -
              fabric.missing.reduce((sum, [, , there, usual]) => sum + usual - there, 0),
          );
        }
        return { misplaced, disordered, overlaps, wrong: drawn.filter((n, i) => n !== (i % 2 ? 0 : between / 2)) };
      });
      assert.deepEqual(found, { misplaced: 0, disordered: 0, overlaps: 0, wrong: [] }, args[0]);
      await close(page);
    }
  },
  async "without levels: a torus is a grid, a ring has layers, and no such fabric is one row"() {
    const rowsOf = async (spec) => {
      const page = await open(make("free", spec, "--engines", "updn+", "--worst", "none"));
      const found = await page.evaluate(() => {
        const { map, fabric } = window.fatwood;
        const { rows, rowOf, x0 } = map.layout;
        // Cables whose ends are neighbours in a row or a column; the others go around the edge.
        let near = 0;
        let all = 0;
        for (let c = 0; c < fabric.slots; ++c) {
          const [a, b] = [fabric.owner[c] - fabric.adapters, fabric.nextSwitch[c]];
          if (a < 0 || b < 0) continue;
          ++all;
          const [dx, dy] = [Math.abs(x0[a] - x0[b]) * rows[0].switches.length, Math.abs(rowOf[a] - rowOf[b])];
          if (Math.abs(dx + dy - 1) < 1e-9) ++near;
        }
        return { sizes: rows.map((row) => row.switches.length), near: near / all };
      });
      await close(page);
      return found;
    };
    const torus = await rowsOf("torus(5,4)");
    assert.ok(String(torus.sizes) === "4,4,4,4,4" || String(torus.sizes) === "5,5,5,5", String(torus.sizes));
    assert.ok(torus.near > 0.7, String(torus.near));
    assert.deepEqual((await rowsOf("ring(8)")).sizes, [1, 2, 2, 2, 1]);
  },
  async "pods, units and rails of like-selene are groups"() {
    const page = await open(selenePage());
    console.log(`  like Selene: ${page.seconds.toFixed(2)} s of CPU until it is drawn`);
    assert.ok(page.seconds < 2.5, `${page.seconds} s`);
    const labels = () =>
      page.evaluate(() => window.fatwood.map.layout.rows.map((row) => row.groups.map((g) => g.label)));
    const [cores, spines, leaves] = await labels();
    assert.deepEqual(cores.slice(0, 2), ["CORE-001 \u2026 014", "CORE-015 \u2026 028"]);
    assert.deepEqual(
      spines.slice(0, 9),
      [1, 2, 3, 4, 5, 6, 7, 8, 1].map((r) => `rail ${r}`),
    );
    assert.deepEqual(
      leaves.filter((label) => /^LEAF\d+$/.test(label)),
      Array.from({ length: 25 }, (_, u) => `LEAF${String(u + 1).padStart(2, "0")}`),
    );
    await page.selectOption("#map-leaves", "rail");
    assert.deepEqual(
      (await labels())[2].slice(0, 8),
      [1, 2, 3, 4, 5, 6, 7, 8].map((r) => `rail ${r}`),
    );
    // 29 cables are missing.
    assert.equal(
      await page.evaluate(() => window.fatwood.map.current().bundles.gaps.reduce((sum, gap) => sum + gap.lacking, 0)),
      29,
    );
    await close(page);
  },
  async "from the whole fabric to a unit to a port, by mouse and by keys"() {
    const page = await open(selenePage());
    const isOpen = (row) => page.evaluate((r) => window.fatwood.map.isOpen(r), row);
    assert.equal(await isOpen(2), false);
    await pressed(page, "LEAF04");
    assert.equal(await isOpen(2), true);
    await pressed(page, "LEAF04-3");
    await page.waitForFunction(() => document.querySelector("#picked h3").textContent.startsWith("LEAF04-3"));
    assert.equal(await page.evaluate(() => window.fatwood.map.picked.kind), "switch");
    await pressed(page, "LEAF04-3", 2);
    const port = await page.evaluate(() => {
      const { map, fabric, state } = window.fatwood;
      const place = map.portsOf(state.pick.s).get(fabric.slot(state.pick.s, 21));
      const box = map.canvas.getBoundingClientRect();
      return { x: box.left + place.x + place.width / 2, y: box.top + map.rowY(2) + 6 };
    });
    await page.mouse.click(port.x, port.y);
    await page.waitForFunction(() => window.fatwood.state.pick.kind === "channel");
    assert.match(await page.locator("#picked h3").innerText(), /^LEAF04-3\[21\]/);
    await page.locator("#map-canvas").focus();
    await page.keyboard.press("0");
    assert.equal(await isOpen(2), false);
    await page.keyboard.press("ArrowDown");
    assert.match(await page.locator("#tip").innerText(), /^CORE-001/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    assert.equal(await isOpen(0), true);
    assert.match(await page.locator("#tip").innerText(), /^CORE-015/);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#picked h3").textContent.startsWith("CORE-015"));
    const k = () => page.evaluate(() => window.fatwood.map.transforms[0].k);
    const before = await k();
    await page.keyboard.press("+");
    assert.ok((await k()) > before);
    const zoomed = await k();
    await page.locator("#map-canvas").hover({ position: { x: 400, y: 40 } });
    await page.mouse.wheel(0, 200);
    await page.waitForFunction((zoom) => window.fatwood.map.transforms[0].k < zoom, zoomed);
    await close(page);
  },
  async "search shows what was found: in the drawing, and its card in sight"() {
    const page = await open(selenePage());
    for (const [text, title] of [
      ["LEAF13-7", "LEAF13-7"],
      ["CORE-077[3]", "CORE-077[3]"],
    ]) {
      await page.fill("#search", text);
      await page.press("#search", "Enter");
      await page.waitForFunction((start) => document.querySelector("#picked h3").textContent.startsWith(start), title);
      await page.waitForFunction(
        () => document.getElementById("picked").getBoundingClientRect().top < innerHeight - 60,
      );
      const seen = await page.evaluate(() => {
        const { map, state, fabric } = window.fatwood;
        const s = state.pick.kind === "switch" ? state.pick.s : fabric.owner[state.pick.c] - fabric.adapters;
        const row = map.layout.rowOf[s];
        const x = map.middle({ row, s });
        return map.isOpen(row) && x > 60 && x < map.width;
      });
      assert.ok(seen, text);
    }
    await close(page);
  },
  async "a picture can be saved as SVG and PNG"() {
    const page = await open(degradedPage);
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "pod", index: 0 } }));
    for (const [button, start] of [
      ["SVG: save map", "<svg"],
      ["PNG: save map", "\x89PNG"],
      ["SVG: save loads", "<svg"],
      ["SVG: save pod", "<svg"],
      ["PNG: save pod", "\x89PNG"],
    ]) {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByLabel(button, { exact: true }).click(),
      ]);
      const bytes = readFileSync(await file.path());
      assert.ok(bytes.subarray(0, 4).toString("latin1") === start && bytes.length > 3000, button);
      if (button === "SVG: save map") {
        const text = bytes.toString("utf8");
        assert.equal(text.split("<g ").length, text.split("</g>").length);
        assert.match(text, />core</);
        // What it shows: engine, traffic, whose figures, a date, and the scale with its unit.
        assert.match(text, /even, all to all, all 64 hosts/);
        assert.match(text, /fatwood [\w.+-]+, \d{4}-\d\d-\d\d/);
        assert.match(text, /load, × the best possible/);
      }
    }
    await close(page);
  },
  async "2,880 switches and 83,000 cables are drawn within a tenth of a second"() {
    const page = await open(make("ft48", "ft(48,3)", "--engines", "updn+", "--worst", "none"));
    const times = await page.evaluate(() => {
      const { map } = window.fatwood;
      const frames = [];
      const frame = (change) => {
        change();
        const start = performance.now();
        map.drawNow();
        map.canvas.getContext("2d").getImageData(0, 0, 1, 1); // painted, not only asked for
        frames.push(performance.now() - start);
      };
      for (let i = 0; i < 60; ++i) frame(() => map.zoomBy(1.09, { x: 500, y: map.rowY(i % 3) + 5 }));
      for (let i = 0; i < 60; ++i) frame(() => map.move(i % 2 ? -90 : 40, { x: 500, y: map.rowY(i % 3) + 5 }));
      return frames.sort((a, b) => a - b);
    });
    const median = times[times.length >> 1];
    console.log(
      `  ft(48,3): ${median.toFixed(1)} ms a frame, 95% within ${times[Math.floor(times.length * 0.95)].toFixed(1)} ms`,
    );
    assert.ok(median < 100, `${median} ms`);
    await close(page);
  },
  async "the keyboard goes down to hosts, and draws a path between two of them"() {
    const page = await open(make("keys", "ft(4,2)", "--engines", "updn+", "--worst", "none"));
    await page.locator("#map-canvas").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    const tip = () => page.locator("#tip").innerText();
    assert.match(await tip(), /^H/);
    const first = (await tip()).split(/\s/)[0];
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.fatwood.state.pick?.kind === "host");
    await page.locator("#map-canvas").focus();
    for (let i = 0; i < 3; ++i) await page.keyboard.press("ArrowRight");
    assert.notEqual((await tip()).split(/\s/)[0], first);
    await page.keyboard.press("Shift+Enter");
    await page.waitForFunction(() => window.fatwood.state.pick?.kind === "pair");
    await page.keyboard.press("ArrowUp");
    assert.match(await tip(), /^S1_/);
    await close(page);
  },
  async "directors are drawn box by box, in frames that zoom with their rows"() {
    const page = await open(make("directors", "directors(24,18,boxes=2)", "--engines", "updn+", "--worst", "none"));
    const found = await page.evaluate(() => {
      const { map, fabric } = window.fatwood;
      const inside = (frame, s) => map.layout.x0[s] >= frame.x0 && map.layout.x1[s] <= frame.x1;
      return map.layout.frames.map((frame) => {
        const here = [];
        for (let s = 0; s < fabric.switches; ++s) if (fabric.levels[s] > 1 && inside(frame, s)) here.push(s);
        const together = map.transforms[0] === map.transforms[1];
        return { name: frame.name, names: here.map(fabric.switchName), together };
      });
    });
    assert.deepEqual(
      found.map(({ name }) => name),
      ["B0", "B1"],
    );
    for (const { name, names, together } of found) {
      assert.equal(names.length, 54); // 36 line cards, 18 spines
      assert.ok(names.every((one) => one.startsWith(`${name}S`)));
      assert.ok(together);
    }
    await pressed(page, "L3");
    await page.waitForFunction(() => document.querySelector("#picked h3")?.textContent.startsWith("L3 "));
    await page.evaluate(() => window.fatwood.map.showSwitch(40));
    await close(page);
    // Trees whose planes have no name of their own stay as they were.
    const tree = await open(make("noboxes", "ft(4,3)", "--engines", "updn+", "--worst", "none"));
    assert.equal(await tree.evaluate(() => window.fatwood.map.layout.frames.length), 0);
    await close(tree);
  },
  async "no shape is one row of boxes: grids, planes side by side, layers, a matrix"() {
    const shapes = {
      "torus(8,8,6)": { rows: 8, switches: 384 },
      "torus(4,4,4)": { rows: 4, switches: 64 },
      "hypercube(6)": { rows: 7, switches: 64 },
      "ring(48)": { rows: null, switches: 48 },
      "ring(201)": { rows: null, switches: 201 },
    };
    for (const [spec, expected] of Object.entries(shapes)) {
      const page = await open(make("shape", spec, "--engines", "minhop", "--worst", "none"));
      const found = await page.evaluate(() => {
        const { map, fabric } = window.fatwood;
        const { layout } = map;
        const inGroups = layout.groups.flatMap((group) => group.switches);
        // Cables between neighbours in a row, in a column, or at the same place of two planes.
        let [along, all] = [0, 0];
        const place = (s) => layout.rows[layout.rowOf[s]].switches.indexOf(s);
        for (let c = 0; c < fabric.slots; ++c) {
          const [a, b] = [fabric.owner[c] - fabric.adapters, fabric.nextSwitch[c]];
          if (a < 0 || b < 0) continue;
          ++all;
          if (layout.rowOf[a] === layout.rowOf[b] || place(a) === place(b)) ++along;
        }
        return {
          rows: layout.rows.length,
          switches: new Set(inGroups).size,
          all: inGroups.length,
          along: along / all,
        };
      });
      assert.ok(found.rows > 1 && found.rows <= 24, `${spec}: ${found.rows}`);
      if (expected.rows) assert.equal(found.rows, expected.rows, spec);
      if (spec.startsWith("torus")) assert.equal(found.along, 1, spec);
      assert.deepEqual([found.switches, found.all], [expected.switches, expected.switches], spec);
      await close(page);
    }
  },
  async "more than 300 switches without levels are a matrix: a cell for each cable, by mouse and by keys"() {
    const page = await open(make("matrix", "random(400,1200,seed=1)", "--engines", "minhop", "--worst", "none"));
    const found = await page.evaluate(() => {
      const { map, fabric } = window.fatwood;
      const between = [];
      for (let c = 0; c < fabric.slots; ++c)
        if (fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] >= 0) between.push(c);
      const drawn = map.drawn.flatMap(({ cell }) => cell.list);
      const wrong = map.drawn.filter(({ i, cell }) =>
        cell.list.some(
          (c) => map.order[i] !== fabric.owner[c] - fabric.adapters || map.order[cell.j] !== fabric.nextSwitch[c],
        ),
      );
      return [new Set(map.order).size, String(drawn.sort((a, b) => a - b)) === String(between), wrong.length];
    });
    assert.deepEqual(found, [400, true, 0]);
    const at = await page.evaluate(() => {
      const { map } = window.fatwood;
      const cell = map.cells[7][1];
      map.showCell(7, cell.j);
      const box = map.canvas.getBoundingClientRect();
      const half = map.cell() / 2;
      return { x: box.left + map.x(cell.j) + half, y: box.top + map.y(7) + half, c: cell.c };
    });
    await page.locator("#map-canvas").scrollIntoViewIfNeeded();
    const moved = await page.evaluate(() => {
      const { map } = window.fatwood;
      return map.canvas.getBoundingClientRect().top + map.y(7) + map.cell() / 2;
    });
    await page.mouse.click(at.x, moved);
    await page.waitForFunction((c) => window.fatwood.state.pick?.c === c, at.c);
    // Down to the second switch, along its cables, and pick one.
    await page.locator("#map-canvas").focus();
    await page.keyboard.press("0");
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    assert.match(await page.locator("#tip").innerText(), /^S1\n/);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.fatwood.state.pick?.kind === "switch" && window.fatwood.state.pick.s === 1);
    await page.locator("#map-canvas").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#tip").innerText(), /^S1\[\d+\] \u2192/);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.fatwood.state.pick?.kind === "channel");
    await page.locator("#map-canvas").focus();
    await page.keyboard.press("0");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByLabel("SVG: save map", { exact: true }).click(),
    ]);
    assert.match(readFileSync(await file.path(), "utf8"), /^<svg[^]*>S0</);
    await close(page);
  },
  async "the keyboard goes from cable to cable of a switch, and picks one"() {
    const page = await open(make("keys", "ft(4,2)", "--engines", "updn+", "--worst", "none"));
    await page.locator("#map-canvas").focus();
    for (const key of ["ArrowDown", "ArrowDown", "."]) await page.keyboard.press(key);
    const tip = () => page.locator("#tip").innerText();
    const first = await tip();
    assert.match(first, /^S1_\d\[1\] \u2192/);
    await page.keyboard.press(".");
    assert.match(await tip(), /^S1_\d\[2\] \u2192/);
    await page.keyboard.press(",");
    assert.equal(await tip(), first);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.fatwood.state.pick?.kind === "channel");
    assert.ok(first.startsWith(await page.evaluate(() => window.fatwood.fabric.portName(window.fatwood.state.pick.c))));
    await close(page);
  },
  async "a link to a section ends there, though sections above it are made on the way"() {
    const page = await open(make("links", ...degraded, "--engines", "updn+", "--worst", "none"), { lazy: true });
    await page.click('nav a[href="#difference"]');
    await page.waitForFunction(() => document.getElementById("diff-body"));
    const off = () =>
      page.evaluate(() => {
        const { top, bottom } = document.getElementById("difference").getBoundingClientRect();
        const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
        return end ? bottom > 0 && top < innerHeight : Math.abs(top - 64) < 30;
      });
    for (let i = 0; i < 40 && !(await off()); ++i) await page.waitForTimeout(100);
    assert.ok(await off());
    await close(page);
  },
  async "no rule of accessibility is broken, light and dark, wide and narrow"() {
    for (const [width, colorScheme] of [
      [1400, "light"],
      [1400, "dark"],
      [420, "light"],
      [420, "dark"],
    ]) {
      const page = await open(degradedPage, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      await page.addScriptTag({ content: axe });
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(
        violations.map(
          (v) =>
            `${v.id}: ${v.nodes
              .slice(0, 3)
              .map((n) => `${n.target} ${n.failureSummary}`)
              .join("; ")}`,
        ),
        [],
        `${width} ${colorScheme}`,
      );
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await close(page);
    }
  },
};
await runTests(tests);
