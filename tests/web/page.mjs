// SPDX-License-Identifier: BSD-3-Clause
// The page of `fatwood report` in real Chromium. Run by ctest with FATWOOD.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { close, fatwood, folder, open, program, runTests } from "./harness.mjs";

const channelNamed = (page, name) =>
  page.evaluate((text) => {
    const { fabric } = window.fatwood;
    for (let c = 0; c < fabric.slots; ++c) if (fabric.portName(c) === text) return c;
    return -1;
  }, name);
async function hover(page, port) {
  const c = await channelNamed(page, port);
  assert.ok(c >= 0, port);
  await page.locator("canvas.matrix").scrollIntoViewIfNeeded();
  const at = await page.evaluate((channel) => window.fatwood.matrix.placeOf(channel), c);
  await page.mouse.move(at.x, at.y);
  return page.locator("#tip").innerText();
}
const use = (page, engine) =>
  page.evaluate(async (name) => {
    const { model, update } = window.fatwood;
    const i = model.shown.find((k) => JSON.parse(document.getElementById("data").textContent).routes[k].name === name);
    update({ engine: i, other: -1, traffic: { kind: "all" } });
    return i;
  }, engine);
const mostBetweenSwitches = (page, engine, traffic) =>
  page.evaluate(
    async ([i, what]) => {
      const { fabric, model } = window.fatwood;
      const { loads } = await model.loads(i, what, 0);
      let most = 0;
      for (let c = 0; c < fabric.slots; ++c)
        if (fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] >= 0) most = Math.max(most, loads[c]);
      return most;
    },
    [engine, traffic],
  );

const degraded = ["pgft(3;4,4,4;1,4,2;1,1,2)", "--cut", "8%", "--fault-seed", "3", "--keep-connected"];
const degradedPage = join(folder, "degraded.html");
fatwood("report", ...degraded, "--engines", "all", "-o", degradedPage);

const tests = {
  async "a fabric of Selene's size renders in under 3 s of CPU, in a file below 10 MB"() {
    const file = join(folder, "selene.html");
    // Without sftree: what each loss would do to it takes most of the time, and is looked at below.
    fatwood("report", "like-selene", "--engines", "minhop,updn+,ftree,ar_updn", "--worst", "none", "-o", file);
    assert.ok(statSync(file).size < 1e7);
    const page = await open(file);
    console.log(`  like Selene: ${page.seconds.toFixed(2)} s`);
    assert.ok(page.seconds < 3, `${page.seconds} s`);
    // Spine 10 of rail 4 in pod 1: its last cable leads to the last core, port 4.
    const tip = await hover(page, "SPINE1-40[28]");
    assert.match(tip, /SPINE1-40\[28\] → CORE-140\[4\]/);
    await page.fill("#search", "SPINE1-40");
    await page.press("#search", "Enter");
    await page.waitForFunction(() => document.querySelector("#picked h3").textContent.startsWith("SPINE1-40"));
    // Labels of neighbours tell them apart, and stay inside the picture.
    for (const name of ["SPINE1-40", "CORE-140", "LEAF01-1"]) {
      await page.fill("#search", name);
      await page.press("#search", "Enter");
      await page.waitForFunction((text) => document.querySelector("#picked h3").textContent.startsWith(text), name);
      const seen = await page.evaluate(() => {
        const frame = document.querySelector("#picked svg").getBoundingClientRect();
        const texts = [...document.querySelectorAll("#picked svg text:not(.caption)")];
        const out = texts.filter((t) => {
          const b = t.getBoundingClientRect();
          return (
            b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1
          );
        });
        return {
          labels: texts.map((t) => t.textContent),
          out: out.map((t) => t.textContent),
          nodes: document.querySelectorAll("#picked svg .node").length,
        };
      });
      assert.equal(new Set(seen.labels).size, seen.labels.length, `${name}: ${seen.labels}`);
      assert.ok(seen.labels.length > seen.nodes / 3, `${name}: ${seen.labels}`);
      assert.deepEqual(seen.out, []);
    }
    // The first and last switches of a level are at the edge of the matrix, without a margin.
    const cores = await page.evaluate(() =>
      window.fatwood.matrix.bands[0].switches.map(window.fatwood.fabric.switchName),
    );
    for (const name of [cores[0], cores.at(-1)]) {
      await page.fill("#search", name);
      await page.press("#search", "Enter");
      const [left, right, width] = await page.evaluate(() => {
        const { transform, width } = window.fatwood.matrix;
        return [transform.applyX(64), transform.applyX(width), width];
      });
      assert.ok(left <= 64.5 && right >= width - 0.5, `${name}: ${left} to ${right} of ${width}`);
    }
    const host = await page.evaluate(() => window.fatwood.fabric.names[1234]);
    await page.fill("#search", host);
    await page.press("#search", "Enter");
    await page.waitForFunction((name) => document.querySelector("#picked h3").textContent.startsWith(name), host);
    await use(page, "minhop");
    await page.waitForSelector("#proof-body line.loop");
    assert.match(await page.locator("#proof-body").innerText(), /credit loop/);
    await close(page);
  },
  async "a click on a cable or switch tells what its loss would do"() {
    const told = JSON.parse(fatwood("whatif", ...degraded, "even", "--json"));
    const page = await open(degradedPage);
    const line = async (pick) => {
      await page.evaluate((next) => window.fatwood.update({ pick: next }), pick);
      await page.waitForSelector("#loss");
      return page.locator("#loss").innerText();
    };
    for (const fault of told.faults.filter((one) => one.cut).slice(0, 3)) {
      const c = await channelNamed(page, fault.cut);
      await page.evaluate(() => document.getElementById("loss")?.remove());
      const text = (await line({ kind: "channel", c })).replaceAll(",", "");
      assert.match(text, /^Without this cable:/);
      assert.ok(text.includes(`most loaded link ${fault.mload_value} (now ${told.now.mload_value})`), text);
      assert.ok(text.includes(`${fault.entries_changed} entries in ${fault.blocks_changed} blocks`), text);
    }
    await page.evaluate(() => document.getElementById("loss")?.remove());
    assert.match(await line({ kind: "switch", s: 0 }), /^Without this switch:/);
    await close(page);
  },
  async "two adapters without a switch between are shown, with nothing routed"() {
    const net = join(folder, "direct.net");
    writeFileSync(net, 'Hca\t1 "a"\t\t# "a"\n[1]\t"b"[1]\n\nHca\t1 "b"\t\t# "b"\n[1]\t"a"[1]\n');
    const file = join(folder, "direct.html");
    fatwood("report", net, "-o", file);
    const page = await open(file);
    assert.match(await page.locator("#fabric").innerText(), /No switches[^]*two adapters without a switch between/);
    assert.equal(await page.locator("#loads").count(), 0);
    await close(page);
  },
  async "findings have the titles of their kinds"() {
    const page = await open(degradedPage);
    const shown = await page.locator(".odd > summary b").allTextContents();
    const titles = await page.evaluate(() => window.fatwood.fabric.odd.map((one) => one.title));
    assert.ok(shown.includes("Missing cables"), shown.join());
    assert.deepEqual(new Set(shown), new Set(titles));
    await close(page);
  },
  async "a level has one colour in all charts"() {
    const page = await open(degradedPage);
    const [strip, plot] = await page.evaluate(() => {
      const canvas = document.querySelector("#proof-body canvas.strip");
      const rows = ["from hosts", "leaf up", "spine up", "core down"];
      const height = canvas.height / 6; // as many kinds
      const pixels = canvas.getContext("2d");
      const of = (row) => {
        const line = pixels.getImageData(125, Math.round((row + 0.5) * height), canvas.width - 125, 1).data;
        let at = 0;
        for (let i = 0; i < line.length; i += 4) if (line[i + 3] > line[at + 3]) at = i;
        return [...line.slice(at, at + 3)].join();
      };
      const colour = {};
      for (const item of document.querySelectorAll("#loads .u-series")) {
        const [, r, g, b] = /rgb\((\d+), (\d+), (\d+)\)/.exec(
          getComputedStyle(item.querySelector(".u-marker")).borderTopColor,
        );
        colour[item.querySelector(".u-label").textContent] = [r, g, b].join();
      }
      return [Object.fromEntries(rows.map((name, i) => [name, of(i)])), colour];
    });
    for (const kind of ["leaf up", "spine up"]) assert.equal(strip[kind], plot[kind], kind);
    assert.equal(plot["spine up"], plot["spine down"]);
    assert.notEqual(plot["spine up"], plot["leaf up"]);
    await close(page);
  },
  async "a tip goes with what it was about"() {
    const page = await open(degradedPage);
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "pod", index: 0 } }));
    await page.locator("#picked svg .node").first().waitFor();
    await page.locator("#picked").scrollIntoViewIfNeeded();
    const shown = () => page.evaluate(() => !document.getElementById("tip").hidden);
    // A scroll that is still under way takes the tip with it, as it should: point again.
    const shows = async (point) => {
      for (let tries = 0; tries < 50 && !(await shown()); ++tries) {
        await page.mouse.move(tries, 0);
        await point();
      }
      assert.ok(await shown());
    };
    const over = () => shows(() => page.locator("#picked svg .node").first().hover());
    await over();
    await page.locator("#picked svg .node").first().click(); // draws another picture under the pointer
    await page.waitForFunction(() => window.fatwood.state.pick.kind === "switch");
    const gone = () => page.waitForFunction(() => document.getElementById("tip").hidden);
    await gone();
    await over();
    await page.mouse.wheel(0, 300);
    await gone();
    await shows(() => hover(page, "S2_0[1]"));
    await page.keyboard.press("Escape");
    await gone();
    await close(page);
  },
  async "the address has what was chosen, and shows it again"() {
    const page = await open(degradedPage);
    assert.equal(await page.evaluate(() => location.hash), "");
    await use(page, "updn+");
    await page.selectOption("#traffic", "shift");
    await page.selectOption("#other", { label: "sftree" });
    await page.selectOption("#ports", "kind");
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "pair", a: 3, b: 60 } }));
    await page.click('nav a[href="#proof"]');
    const chosen = (from) => from.evaluate(() => window.fatwood.state);
    const hash = await page.evaluate(() => location.hash);
    assert.match(
      hash,
      /^#proof\?engine=updn(\+|%2B)&other=sftree&traffic=shift:32&ports=kind&pick=pair:H3\[1\]%3EH60\[1\]$/,
    );
    const again = await open(degradedPage, {}, hash);
    assert.deepEqual(await chosen(again), await chosen(page));
    assert.equal(await again.locator("#picked h3").innerText(), "H3 \u2192 H60");
    assert.equal(await again.locator("#engine option:checked").innerText(), "updn+");
    await again.evaluate(() => (location.hash = "#loads?engine=sftree&pick=channel:S2_0[3]"));
    await again.waitForFunction(() => document.querySelector("#picked h3").textContent.startsWith("S2_0"));
    assert.equal(await again.locator("#engine option:checked").innerText(), "sftree");
    // What makes no sense is as if it were not there.
    await again.evaluate(() => (location.hash = "#loads?engine=%zz&other=no&traffic=shift:-1&pick=pod:999&x"));
    await again.waitForFunction(() => window.fatwood.state.pick === null);
    assert.deepEqual((await chosen(again)).traffic, { kind: "all" });
    await close(again);
    await close(page);
  },
  async "loads counted in the browser are those of compare and load"() {
    const { engines: compared, recommendation } = JSON.parse(fatwood("compare", ...degraded, "--all", "--json"));
    const page = await open(degradedPage);
    assert.equal(await page.textContent("#recommendation"), `Recommended: ${recommendation.reason}`);
    let seen = 0;
    for (const engine of compared) {
      if (engine.refused) continue;
      const i = await use(page, engine.name);
      // Of flows that switches split the page has the whole ones.
      const most = engine.adaptive ? Math.floor(engine.use.largest) : engine.use.largest;
      assert.equal(await mostBetweenSwitches(page, i, { kind: "all" }), most, engine.name);
      ++seen;
    }
    assert.ok(seen >= 8);
    const i = await use(page, "sftree");
    for (const by of [1, 5, 31]) {
      const { mload } = JSON.parse(fatwood("load", ...degraded, "sftree", "--traffic", `shift:${by}`, "--json"));
      const most = await mostBetweenSwitches(page, i, { kind: "shift", by });
      assert.equal(Math.max(1, most), Number(mload), `shift ${by}`);
    }
    await close(page);
  },
  async "what hosts get, and what limits them, is what load tells"() {
    const page = await open(degradedPage);
    await use(page, "sftree");
    const { rates, bottlenecks } = JSON.parse(
      fatwood("load", ...degraded, "sftree", "--traffic", "alltoall", "--json"),
    );
    const shown = (await page.locator("#limits .rates b").allInnerTexts()).map((text) =>
      Number(text.replaceAll(",", "")),
    );
    const told = [rates.worst_gbps, rates.p1_gbps, rates.median_gbps, rates.port_gbps];
    assert.equal(shown.length, told.length);
    shown.forEach((value, i) => assert.ok(Math.abs(value - told[i]) < 0.01 * told[i], `${value} is not ${told[i]}`));
    assert.ok(bottlenecks.length > 0);
    assert.equal(await page.locator("#bottlenecks tbody tr").count(), Math.min(8, bottlenecks.length));
    assert.ok((await page.locator("#bottlenecks tbody tr th").first().innerText()).startsWith(bottlenecks[0].name));
    assert.ok((await page.locator("#put-back tbody tr").count()) > 0);
    await page.locator("#bottlenecks button").first().click();
    await page.waitForFunction(() => window.fatwood.state.marked?.channels.length > 0);
    await close(page);
  },
  async "a host with several ports, and with several addresses, is one sender and receiver"() {
    for (const fabric of [
      ["xgft(2;4,3;2,2)"],
      ["pgft(2;4,4;1,4;2,1)"],
      ["ft(4,3)", "--cut", "5%", "--keep-connected", "--lmc", "1"],
    ]) {
      const file = join(folder, "ports.html");
      fatwood("report", ...fabric, "--engines", "updn+,ar_updn", "--worst", "none", "-o", file);
      const page = await open(file);
      const compared = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).engines);
      for (const name of ["updn+", "ar_updn"]) {
        const i = await use(page, name);
        const most = await mostBetweenSwitches(page, i, { kind: "all" });
        const told = compared.find((engine) => engine.name === name).use.largest;
        assert.ok(
          name === "updn+" ? Math.abs(most - told) < 1e-9 : Math.abs(most - told) <= 0.5,
          `${fabric} ${name}: ${most} for ${told}`,
        );
      }
      if (fabric.includes("--lmc")) {
        await close(page);
        continue;
      }
      for (const name of ["updn+", "ar_updn"]) {
        const i = await use(page, name);
        const { mload_value: told, levels } = JSON.parse(
          fatwood("load", ...fabric, name, "--traffic", "shift:3", "--json"),
        );
        const [most, lost] = await page.evaluate(async (engine) => {
          const { loads, lost } = await window.fatwood.model.loads(engine, { kind: "shift", by: 3 }, 0);
          return [Math.max(...loads), lost];
        }, i);
        assert.ok(Math.abs(most - told) < 1e-9, `${fabric} ${name}: ${most} for ${told}, ${JSON.stringify(levels)}`);
        assert.equal(lost, 0);
      }
      await close(page);
    }
  },
  async "paths are those of trace, and are drawn"() {
    const page = await open(degradedPage);
    await use(page, "sftree");
    for (const [a, b] of [
      [0, 63],
      [17, 18],
      [40, 3],
    ]) {
      const { hops } = JSON.parse(
        fatwood("trace", ...degraded, "sftree", "--from", `H${a}`, "--to", `H${b}`, "--json"),
      );
      await page.evaluate(([x, y]) => window.fatwood.update({ pick: { kind: "pair", a: x, b: y } }), [a, b]);
      await page.waitForFunction(
        ([x, y]) => document.querySelector("#picked h3").textContent === `H${x} → H${y}`,
        [a, b],
      );
      const names = await page.locator("#picked .node text").allTextContents();
      assert.deepEqual(names, [hops[0].from, ...hops.map((hop) => hop.to)]);
    }
    await close(page);
  },
  async "the proof is checked in the browser, and a false one refuted"() {
    const page = await open(degradedPage);
    for (const engine of ["sftree", "dfsssp"]) {
      await use(page, engine);
      await page.waitForFunction(
        (name) => document.querySelector("#proof-body .verdict").textContent.includes(`${name} can't`),
        engine,
      );
      await page.click("#check-proof");
      await page.waitForSelector("#proof-result.good");
    }
    const i = await use(page, "sftree");
    const bad = await page.evaluate(async (engine) => {
      const counting = window.fatwood.model.counting();
      const [place] = await counting.places(engine);
      for (let c = 0; c < place.length; ++c) if (place[c] !== 0xffffffff) place[c] = place.length - place[c];
      return (await counting.check(engine)).bad;
    }, i);
    assert.ok(bad);
    await close(page);
  },
  async "the credit loop is drawn with its hosts"() {
    const page = await open(degradedPage);
    const verdict = JSON.parse(
      spawnSync(program, ["verify", ...degraded, "minhop", "--json"], { encoding: "utf8" }).stdout,
    );
    assert.ok(verdict.cycle.length > 0);
    await use(page, "minhop");
    await page.waitForSelector("#proof-body line.loop");
    assert.equal(await page.locator("#proof-body line.loop").count(), verdict.cycle.length);
    const text = await page.locator("#proof-body .steps").innerText();
    for (const step of verdict.cycle) assert.ok(text.includes(step.channel), step.channel);
    await close(page);
  },
  async "the difference of two tables is that of all pairs walked one by one"() {
    const page = await open(degradedPage);
    const a = await use(page, "updn+");
    const b = await page.evaluate(() =>
      window.fatwood.model.pickable.find(
        (k) => JSON.parse(document.getElementById("data").textContent).routes[k].name === "sftree",
      ),
    );
    const [found, slow] = await page.evaluate(
      async ([x, y]) => {
        const { fabric, model, walk } = window.fatwood;
        const counting = model.counting();
        const [ra, rb] = [await counting.routes(x), await counting.routes(y)];
        let count = 0;
        for (let s = 0; s < fabric.terminals.length; ++s) {
          for (let d = 0; d < fabric.terminals.length; ++d) {
            if (s !== d && walk(fabric, ra, s, d).channels.join() !== walk(fabric, rb, s, d).channels.join()) ++count;
          }
        }
        return [(await model.difference(x, y)).pairs, count];
      },
      [a, b],
    );
    assert.ok(slow > 0);
    assert.equal(found, slow);
    await page.selectOption("#diff-other", String(b));
    await page.waitForSelector("#diff-facts");
    await close(page);
  },
  async "routes without tables have their loads and proof"() {
    const page = await open(degradedPage);
    await page.selectOption("#traffic", "shift");
    await use(page, "apot");
    assert.deepEqual(await page.locator("#traffic option").allInnerTexts(), ["all to all"]);
    assert.match(await page.locator("#proof-body").innerText(), /apot can't deadlock/);
    assert.equal(await page.locator("#check-proof").count(), 0);
    assert.match(await page.locator("#diff-body").innerText(), /no tables of apot/);
    // A host sends to all others and hears from all others, whoever routes.
    const ends = await page.evaluate(async () => {
      const { fabric, model, state } = window.fatwood;
      const { loads } = await model.loads(state.engine, { kind: "all" }, 0);
      return Array.from(fabric.terminals, (c) => [loads[c], loads[fabric.peer[c]], fabric.terminals.length - 1]);
    });
    for (const [out, back, all] of ends) assert.deepEqual([out, back], [all, all]);
    await page.evaluate(() => window.fatwood.update?.({ pick: { kind: "pair", a: 0, b: 9 } }));
    await use(page, "sftree");
    assert.ok((await page.locator("#traffic option").count()) > 3);
    await page.selectOption("#other", { label: "apot" });
    await page.waitForFunction(() => /no tables of apot/.test(document.querySelector("#diff-body").textContent));
    await close(page);
  },
  async "adaptive tables: every way, loads split evenly, a lost cable, luck of the hash"() {
    const page = await open(degradedPage);
    const i = await use(page, "ar_updn");
    for (const traffic of ["shift:9", "shift:31"]) {
      const { mload_value: told } = JSON.parse(fatwood("load", ...degraded, "ar_updn", "--traffic", traffic, "--json"));
      const most = await mostBetweenSwitches(page, i, { kind: "shift", by: Number(traffic.slice(6)) });
      assert.ok(Math.abs(most - told) < 1e-9, `${traffic}: ${most} for ${told}`);
    }
    // Every choice by brute force: each path walked by itself, with its share.
    const [slow, quick, joined] = await page.evaluate(async (engine) => {
      const { fabric, model, everyWay } = window.fatwood;
      const routes = await model.counting().routes(engine);
      const share = {};
      const follow = (s, part) => {
        const ports = routes.ports(routes.target(60), s);
        for (const port of ports) {
          const c = fabric.slot(s, port);
          share[c] = (share[c] ?? 0) + part / ports.length;
          if (fabric.nextSwitch[c] >= 0) follow(fabric.nextSwitch[c], part / ports.length);
        }
      };
      follow(fabric.leaf[0], 1);
      const found = everyWay(fabric, routes, 0, 60);
      const joins = new Set(found.edges.map(({ c }) => `${fabric.owner[c]} ${fabric.owner[fabric.peer[c]]}`));
      return [share, Object.fromEntries(found.edges.map((edge) => [edge.c, edge.share])), joins.size];
    }, i);
    assert.deepEqual(Object.keys(slow), Object.keys(quick));
    for (const c of Object.keys(slow)) assert.ok(Math.abs(slow[c] - quick[c]) < 1e-12, c);
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "pair", a: 0, b: 60 } }));
    await page.waitForSelector("#picked line.choice", { state: "attached" });
    assert.equal(await page.locator("#picked line.choice").count(), joined + 1); // parallel cables are one line
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "switch", s: window.fatwood.fabric.leaf[0] } }));
    await page.waitForSelector("#groups");
    const groups = await page.locator("#groups tbody tr").allInnerTexts();
    assert.match(groups[0], /free\s+1-4\s+44/);
    assert.equal(
      groups.reduce((sum, row) => sum + Number(row.split(/\s+/).at(-1)), 0),
      64,
    );
    const verdict = JSON.parse(fatwood("verify", ...degraded, "ar_updn", "--json")).adaptive.coverage;
    const rows = await page.locator("#coverage tbody tr").allInnerTexts();
    assert.equal(rows.length, verdict.rows.length);
    verdict.rows.forEach((row, k) =>
      assert.match(rows[k], new RegExp(`${row.way}\\s+${row.entries}\\s+${row.one_port}\\s`)),
    );
    assert.ok(
      (await page.locator("#coverage").innerText())
        .replaceAll(",", "")
        .includes(`${verdict.exposed} of ${verdict.pairs} pairs`),
    );
    const hashed = JSON.parse(
      fatwood("load", ...degraded, "ar_updn", "--traffic", "permutation", "--queue-pairs", "1,16", "--json"),
    ).hashed.rows;
    const text = await page.locator("#hashed table.data tbody tr").allInnerTexts();
    for (const [row, k] of [
      [hashed[0], 0],
      [hashed[1], 3],
    ]) {
      const [pairs, median, , worst] = text[k].split(/\s+/).map(Number);
      assert.deepEqual(
        [pairs, median, worst],
        [row.queue_pairs, ...[row.fullest.median, row.fullest.worst].map((x) => Math.round(100 * x) / 100)],
      );
    }
    await use(page, "sftree");
    await page.waitForFunction(() => /one port an entry/.test(document.getElementById("adaptive").textContent));
    await close(page);
  },
  async "loads are weighed by speed and told in Gb/s, and the slow cable is named"() {
    const [net, file] = [join(folder, "slow.net"), join(folder, "slow.html")];
    fatwood("convert", "pgft(2;24,4;1,2;1,6)", "--to", "ibnetdiscover", "-o", net);
    const text = readFileSync(net, "utf8");
    const leaf = text.indexOf('"S1_1" base');
    const cable = text.indexOf('"S2_0" lid 0 4xQDR', leaf);
    writeFileSync(net, text.slice(0, cable) + text.slice(cable).replace("4xQDR", "4xSDR"));
    fatwood("report", net, "--engines", "sftree,ar_updn", "--worst", "none", "-o", file);
    const told = JSON.parse(fatwood("load", net, "sftree", "--traffic", "alltoall", "--json"));
    const page = await open(file);
    const facts = () => page.locator("#load-facts").innerText();
    const [, most] =
      new RegExp(
        "switches: ([\\d,.]+) flows at 32 Gb/s on S1_1\\[\\d+\\] \u2192 S2_0\\[\\d+\\], " +
          "8 Gb/s \\(slow: 32 is usual\\): [\\d.]+ Mb/s a flow, [\\d.]+ [GM]b/s per host",
      ).exec(await facts()) ?? [];
    assert.equal(Number(most?.replaceAll(",", "")), told.mload_value, await facts());
    const shifts = await page.evaluate(() => window.fatwood.model.shifts(window.fatwood.state.engine, 0, true));
    const at = shifts.most.indexOf(Math.max(...shifts.most));
    assert.equal(
      shifts.most[at],
      JSON.parse(fatwood("load", net, "sftree", "--traffic", `shift:${shifts.by[at]}`, "--json")).mload_value,
    );
    await page.check("#count-flows");
    await page.waitForFunction(() => !/at 32 Gb/.test(document.getElementById("load-facts").textContent));
    assert.ok(
      Number(/switches: ([\d,]+) flows on/.exec(await facts())[1].replaceAll(",", "")) < told.mload_value / 3,
      await facts(),
    );
    assert.match(await page.evaluate(() => location.hash), /countFlows=true/);
    await close(page);
  },
  async "counters of a run stand beside the predicted load, largest differences first"() {
    const run = join(folder, "run");
    mkdirSync(run);
    fatwood("convert", "ft(4,2)", "--to", "ibnetdiscover", "-o", join(run, "ibdiagnet2.ibnetdiscover"));
    const line = "-".repeat(87);
    let pm = "# File created at : now\n";
    for (let s = 0; s < 4; ++s) {
      for (const port of [1, 2]) {
        pm +=
          `${line}\nPort=${port} Lid=0x0001 GUID=0x002000000000000${s} Device=54002 Port Name=x\n${line}\n` +
          `port_xmit_data_extended=0x${(s === 2 && port === 2 ? 9000 : 1000).toString(16)}\n` +
          `port_xmit_wait_extended=0x${(s + port).toString(16)}\n`;
      }
    }
    writeFileSync(join(run, "ibdiagnet2.pm"), `${pm}# File closed at : now\n`);
    const file = join(folder, "run.html");
    fatwood("report", run, "--engines", "sftree,ar_updn", "--worst", "none", "-o", file);
    const page = await open(file);
    await page.waitForSelector("#counters-body table");
    const rows = await page.locator("#counters-body tbody tr").allInnerTexts();
    assert.equal(rows.length, 8);
    // 9000 of 16000 words of four bytes, over eight channels: 4.5 times the mean, where 1 is predicted.
    assert.match(rows[0], /S1_2\[2\] \u2192 S2_1\[3\]\s+36 kB\s+4\.50\s+1\.00\s+\+3\.50\s+4/);
    assert.match(await hover(page, "S1_2[2]"), /sent 36 kB, 4\.50 x the mean of the run/);
    assert.match(rows[1], /4 kB\s+0\.50\s+1\.00\s+\u22120\.50/);
    await close(page);
  },
  async "files of tables are shown first, and worst traffic in the matrix"() {
    const tables = join(folder, "lfts.dump");
    fatwood("route", ...degraded, "--engine", "updn+", "-o", tables);
    const file = join(folder, "tables.html");
    fatwood("report", ...degraded, "--tables", tables, "--engines", "updn+", "--worst", "lfts.dump", "-o", file);
    const page = await open(file);
    assert.equal(await page.locator("#engine option:checked").innerText(), "lfts.dump");
    await page.click("#show-worst");
    await page.waitForFunction(() => window.fatwood.state.traffic.kind === "worst");
    await page.selectOption("#diff-other", { label: "updn+" });
    await page.waitForFunction(() => /^0 of/.test(document.querySelector("#diff-facts")?.textContent ?? ""));
    await close(page);
  },
  async "jobs are traffic of the matrix"() {
    const jobs = join(folder, "jobs.txt");
    writeFileSync(jobs, "train H[0-7]\nother H[8-9] sendrecv\n");
    const file = join(folder, "jobs.html");
    fatwood("report", "ft(4,3)", "--engines", "ftree", "--worst", "none", "--jobs", jobs, "-o", file);
    const page = await open(file);
    await page.selectOption("#traffic", { label: "job train: allreduce:ring, 8 hosts" });
    await page.waitForFunction(() => /"kind":"job"/.test(document.documentElement.dataset.loads ?? ""));
    assert.equal(await page.evaluate(() => window.fatwood.state.traffic.of), 0);
    await close(page);
  },
  async "three sizes, light and dark, nothing sticks out; it prints"() {
    for (const [width, colorScheme] of [
      [390, "light"],
      [800, "dark"],
      [1680, "light"],
    ]) {
      const page = await open(degradedPage, { viewport: { width, height: 900 }, colorScheme });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width} px`);
      if (width >= 800) {
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll(".scroll")]
            .filter((e) => e.scrollWidth > e.clientWidth)
            .map((e) => e.innerText),
        );
        assert.deepEqual(cut, [], `columns cut at ${width} px`);
      }
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const before = await background();
      await page.click("#theme");
      assert.notEqual(await background(), before);
      if (width === 1680) assert.ok((await page.pdf()).length > 20000);
      await close(page);
    }
  },
  async "the keyboard reaches everything, and everything has a name"() {
    const page = await open(degradedPage);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, select, input, canvas, a, [role=button]")]
        .filter(
          (e) =>
            !e.closest("[role=figure], [aria-hidden]") &&
            !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length),
        )
        .map((e) => e.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(nameless, []);
    assert.equal(await page.locator(".plot:not([aria-label])").count(), 0);
    assert.equal(
      await page.evaluate(
        () =>
          new Set([...document.querySelectorAll("[id]")].map((e) => e.id)).size ===
          document.querySelectorAll("[id]").length,
      ),
      true,
      "ids are unique",
    );
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.locator('tr[data-engine="updn+"] button').focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#engine option:checked").textContent === "updn+");
    await page.locator("canvas.matrix").focus();
    await page.keyboard.press("ArrowDown");
    for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    assert.match(await page.locator("#tip").innerText(), /^S3_1\[2\] \u2192/);
    for (let i = 0; i < 7; ++i) await page.keyboard.press("ArrowDown"); // eight ports: on to the spines
    assert.match(await page.locator("#tip").innerText(), /^S2_2\[1\] \u2192/);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#picked h3").textContent.startsWith("S2_2"));
    await page.locator("#picked svg [tabindex]").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#picked h3").textContent.startsWith("S3_"));
    await page.fill("#search", "S1_1");
    assert.equal(await page.getAttribute("#search", "aria-expanded"), "true");
    await page.press("#search", "ArrowDown");
    assert.equal(await page.getAttribute("#search", "aria-activedescendant"), "search-1");
    await page.press("#search", "Escape");
    assert.equal(await page.getAttribute("#search", "aria-expanded"), "false");
    await close(page);
  },
  async "names are text, whatever is in them"() {
    const net = join(folder, "names.net");
    const names = [
      "<script>window.hit=1</script>",
      "<img src=x onerror=window.hit=2>",
      "it's & \u00fc\u6f22\u2028 \\u003c",
      "</script><b>",
      "$& %41 [3]>x#?&=",
    ];
    const lines = names.map((name, i) => `[${i + 1}]\t"H-${i}"[1]\t\t# "${name}" lid 0 4xQDR`);
    writeFileSync(
      net,
      `Switch\t8 "S-1"\t\t# "</title><script>window.hit=3</script>" base port 0 lid 0 lmc 0\n${lines.join("\n")}\n` +
        names.map((name, i) => `\nCa\t1 "H-${i}"\t\t# "${name}"\n[1]\t"S-1"[${i + 1}]\t\t# lid 0 4xQDR\n`).join(""),
    );
    const file = join(folder, "names.html");
    const title = "</title><script>window.hit=4</script>";
    fatwood("report", net, "--engines", "updn+,ar_updn", "--title", title, "-o", file);
    const page = await open(file);
    await page.evaluate(() => window.fatwood.update({ pick: { kind: "pair", a: 0, b: 4 } }));
    await page.waitForFunction(() => document.querySelector("#picked h3").textContent.includes("\u2192"));
    await page.fill("#search", "<img");
    await page.press("#search", "Enter");
    const hash = await page.evaluate(() => location.hash);
    for (let t = 0; t < names.length; ++t) {
      await page.evaluate((b) => window.fatwood.update({ pick: { kind: "pair", a: (b + 1) % 5, b } }), t);
      const at = await page.evaluate(() => [location.hash, window.fatwood.state.pick]);
      await page.evaluate((before) => (location.hash = before), hash);
      await page.waitForFunction(() => window.fatwood.state.pick.kind !== "pair");
      await page.evaluate((next) => (location.hash = next), at[0]);
      await page.waitForFunction(() => window.fatwood.state.pick.kind === "pair");
      assert.deepEqual(await page.evaluate(() => window.fatwood.state.pick), at[1]);
    }
    assert.equal(await page.evaluate(() => window.hit), undefined);
    assert.equal(await page.evaluate(() => document.querySelectorAll("main script, main img, main b > b").length), 0);
    await close(page);
  },
  async "tables whose groups hold a bad port: some choice fails, and the page says which"() {
    const far = join(folder, "bad.far");
    fatwood("route", "ft(4,2)", "--engine", "ar_updn", "-o", far);
    // The first leaf may send what is for others to its own first host.
    writeFileSync(far, readFileSync(far, "utf8").replace(/^1 +0 +0 +1,2,$/m, "1       0           0       1,2,3,"));
    const file = join(folder, "bad.html");
    fatwood("report", "ft(4,2)", "--tables", far, "--engines", "updn+", "-o", file);
    const page = await open(file);
    assert.equal(await page.locator("#engine option:checked").innerText(), "bad.far");
    assert.match(
      await page.locator("#masked").innerText(),
      /9 entries lose packets[^]*S1_0 \u2192 H2: port 3 of group 1 leads astray/,
    );
    assert.match(await page.locator("#adaptive").innerText(), /not every choice connects/);
    await page.click("#masked button");
    await page.waitForFunction(() =>
      /Some choice fails: it can end at H0/.test(document.getElementById("picked").textContent),
    );
    await page.selectOption("#traffic", "shift");
    await page.waitForFunction(() => /without a route/.test(document.getElementById("load-facts").textContent));
    assert.match(await page.locator("#worst").innerText(), /choose, so no traffic[^]*Not counted/);
    await close(page);
  },
  async "switches without hosts, and parts that no cable joins"() {
    const net = join(folder, "nohosts.net");
    writeFileSync(
      net,
      ["12", "21"]
        .map(
          ([a, b]) =>
            `Switch\t4 "S-${a}"\t\t# "s${a}" base port 0 lid 0 lmc 0\n[1]\t"S-${b}"[1]\t\t# "s${b}" lid 0 4xQDR\n`,
        )
        .join("\n"),
    );
    for (const fabric of [[net], ["ft(4,2)", "--cut", "S1_0[1]", "--cut", "S1_0[2]"]]) {
      const file = join(folder, "apart.html");
      fatwood("report", ...fabric, "--engines", "minhop,updn+,sftree,ar_updn", "-o", file);
      const page = await open(file);
      for (const i of await page.evaluate(() => window.fatwood.model.shown)) {
        await page.selectOption("#engine", String(i));
        for (const kind of await page
          .locator("#traffic option")
          .evaluateAll((options) => options.map((option) => option.value)))
          await page.selectOption("#traffic", kind);
      }
      assert.equal((await page.locator("#traffic option").count()) > 1, fabric[0] !== net);
      await close(page);
    }
  },
  async "no tree at all, and one switch"() {
    for (const fabric of ["ring(8)", "torus(3,3)", "ft(4,1)", "ft(2,1)"]) {
      const file = join(folder, "odd.html");
      fatwood("report", fabric, "-o", file);
      await close(await open(file));
    }
  },
};

await runTests(tests);
