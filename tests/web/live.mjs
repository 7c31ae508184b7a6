// SPDX-License-Identifier: BSD-3-Clause
// The page as `fatwood serve` serves it, in real Chromium: a change by a click has the numbers of the command
// line; undo; reload; two clients see the same; an address leads to the same state; another engine; a path between
// two hosts; files that are saved. Nothing but the reader reloads the page. Run by ctest with FATWOOD.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fatwood, folder, runTests } from "./harness.mjs";
import { apply, changes, refused, shown, started, tree, visit } from "./served.mjs";


const engineIs = (page, name) =>
  page.waitForFunction(
    (text) =>
      window.fatwood.model.shown.length >= 1 &&
      document.querySelector("#map-engine")?.selectedOptions[0].textContent === text &&
      !document.querySelector("[data-refreshing]"),
    name,
  );
const cell = (page, row, column) => page.locator(`#live-result tr[data-row="${row}"] td`).nth(column).innerText();

await runTests({
  "a change by a click, undo, reload, two clients, an address": async () => {
    const { server, url, base } = await started();
    try {
      const first = await visit(url);
      const second = await visit(base);
      await first.evaluate(() =>
        window.fatwood.update({ pick: { kind: "channel", c: window.fatwood.fabric.slot(0, 1) } }),
      );
      await first.locator('#live-offers [data-change="cut S1_0[1]"]').click();
      await changes(first, "cut S1_0[1]");
      // Nobody else sees it, until it is applied for all.
      assert.match(await first.locator("#live-who").innerText(), /only you see it/);
      assert.deepEqual(await second.evaluate(async () => (await (await fetch("/api/v1/state")).json()).changes), []);
      await changes(second, "");
      const address = await first.evaluate(() => location.href);
      assert.match(address, /changes=cut/);
      // The other end of the same cable is the same change.
      const peer = await second.evaluate(() => {
        const { fabric } = window.fatwood;
        return fabric.portName(fabric.peer[fabric.slot(0, 1)]);
      });
      await first.locator("#live-input").fill(`cut ${peer}`);
      await first.locator("#live-input").press("Enter");
      await changes(first, `cut ${peer}`);
      await first.locator("#live-undo").click();
      await changes(first, "cut S1_0[1]");
      assert.equal((await first.evaluate(() => window.fatwood.map.ghosts)).length, 1, "a ghost of the cable");
      await apply(first);
      await changes(second, "cut S1_0[1]");
      fatwood("route", tree, "--engine", "sftree", "-o", join(folder, "old"));
      fatwood("repair", tree, "--cut", "S1_0[1]", join(folder, "old"), "-o", join(folder, "new"));
      const load = JSON.parse(
        fatwood("load", tree, "--cut", "S1_0[1]", join(folder, "new"), "--traffic", "alltoall", "--json"),
      );
      const gbps = (value) => `${Math.round(value * 10) / 10} Gb/s`;
      assert.equal(await cell(first, "repaired", 1), gbps(load.rates.worst_gbps));
      assert.equal(await cell(first, "repaired", 3), gbps(load.rates.median_gbps));
      assert.equal(await cell(second, "repaired", 1), gbps(load.rates.worst_gbps));
      assert.notEqual(await cell(first, "unrepaired", 0), "0");
      await first.reload();
      await shown(first);
      await changes(first, "cut S1_0[1]");
      await first.locator("#live-reset").click();
      await changes(first, "");
      await apply(first);
      await changes(second, "");
      const third = await visit(address);
      await changes(third, "cut S1_0[1]");
      await changes(first, "");
      await third.locator("#live-input").fill("cut nobody[1]");
      await third.locator("#live-input").press("Enter");
      await third.waitForFunction(() => /nobody/.test(document.getElementById("live-error").textContent));
      await refused(third, 400);
      await changes(third, "cut S1_0[1]"); // what was there stays
      // Repaired or routed again: both can be looked at.
      const before = await third.evaluate(() => [...window.fatwood.view.flows].join());
      await third.locator('[data-view="rerouted"]').click();
      await third.waitForFunction((text) => [...(window.fatwood.view.flows ?? [])].join() !== text, before);
      assert.equal(await third.locator("#map-engine option:checked").innerText(), "routed again");
      assert.match(await third.locator("#live-advice").innerText(), /^(Repair|Route again): /);
      for (const page of [first, second, third]) {
        assert.deepEqual(page.trouble, []);
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
      await page.evaluate(() =>
        window.fatwood.update({ pick: { kind: "channel", c: window.fatwood.fabric.slot(0, 1) } }),
      );
      const speed = page.locator("#live-offers span").filter({ has: page.locator('[data-change="speed S1_0[1]"]') });
      await speed.locator("select").selectOption("1xEDR");
      await speed.locator("button").click();
      await changes(page, "speed S1_0[1] 1xEDR");
      assert.notEqual(await cell(page, "before", 1), await cell(page, "unrepaired", 1));
      await page.evaluate(() => window.fatwood.update({ pick: { kind: "switch", s: 0 } }));
      await page.locator('#live-offers [data-change="add switch@1"]').click();
      await changes(page, "speed S1_0[1] 1xEDR;add switch@1");
      await page.waitForFunction(() => window.fatwood?.fabric.switches === 21);
      await page.locator('#live-changes button[aria-label="Restore: speed S1_0[1] 1xEDR"]').click();
      await changes(page, "add switch@1");
      await page.waitForFunction(
        () => window.fatwood?.fabric.switches === 21 && !document.querySelector("#live-result[aria-busy]"),
      );
      await page.locator("#live-tasks summary").click();
      await page.locator("#task-verb").selectOption("worst");
      await page.locator("#task-run").click();
      await page.waitForFunction(() => /worst: done/.test(document.getElementById("task-said").textContent));
      const told = await page.locator("#task-result").innerText();
      assert.match(told, /ratio\s+3/);
      assert.doesNotMatch(told, /[{}"]/, "tables, no JSON");
      assert.deepEqual(page.trouble, []);
      await page.close();
    } finally {
      server.kill("SIGTERM");
      execFileSync("sleep", ["0.1"]);
    }
  },
  "numbers first, then the map, then the rest; the page is never busy for long": async () => {
    const { server, url } = await started(["like-selene", "sftree"]);
    try {
      const page = await visit(url);
      const asked = [];
      page.on("request", (request) => {
        const found = /preview\/([\w-]+)\?/.exec(request.url());
        if (found) asked.push(found[1]);
      });
      await page.waitForFunction(() => window.fatwood.view.flows?.some((value) => value > 0));
      const tools = await page.context().newCDPSession(page);
      const events = [];
      tools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
      const includedCategories = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];
      await tools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories } });
      // What the worst pair gets, from the flows on the map; and what the figures say.
      const worstPair = () => {
        const { fabric, view, model, state } = window.fatwood;
        let least = Infinity;
        for (let c = 0; c < fabric.slots; ++c)
          if (view.flows[c] > 0) least = Math.min(least, fabric.gigabits(c) / view.flows[c]);
        const told = document.querySelectorAll('#live-result tr[data-row="repaired"] td')[1]?.textContent;
        const gbps = Math.round(10 * least * (model.counted(state.among).length - 1)) / 10;
        return [`${gbps} Gb/s`, told];
      };
      await page.evaluate(`window.worstPair = ${worstPair}`);
      await page.evaluate(() => {
        const { map } = window.fatwood;
        const watch = setInterval(() => {
          const now = window.fatwood.map;
          if (now === map || !now.values) return;
          clearInterval(watch);
          window.firstMap = {
            worst: window.worstPair(),
            waiting: document.querySelectorAll("#main > section[inert]").length,
            figures: document.querySelector('#live-result tr[data-row="repaired"]') !== null,
          };
        }, 5);
      });
      await page.locator("#live-input").fill("cut LEAF03-2[21]");
      await page.locator("#live-input").press("Enter");
      await changes(page, "cut LEAF03-2[21]");
      const ended = new Promise((done) => tools.once("Tracing.tracingComplete", done));
      await tools.send("Tracing.end");
      await ended;
      assert.deepEqual(asked, ["first-figures", "repaired-map", "figures", "repaired"]);
      const { worst, waiting, figures } = await page.evaluate(() => window.firstMap);
      assert.ok(figures && waiting > 2, "the map comes after the numbers, and before the rest");
      assert.equal(await page.locator("#main > section[inert]").count(), 0);
      // What the server counted for the map fits the first figures, and what the page counts the last.
      assert.equal(worst[0], worst[1]);
      await page.evaluate(() => window.fatwood.model.idle());
      const last = await page.evaluate(worstPair);
      assert.equal(last[0], last[1]);
      // The map costs the server a part of what the page does: the same machine, the same minute.
      const [map, whole] = await page.evaluate(() =>
        ["repaired-map", "repaired"].map((view) => {
          const one = performance.getEntriesByType("resource").find(({ name }) => name.includes(`/${view}?`));
          return one.responseEnd - one.requestStart;
        }),
      );
      console.log(`  the map takes ${(map / whole).toFixed(2)} of the time of the page`);
      assert.ok(map < 0.5 * whole, `${map} ms of ${whole} ms`);
      const main = events.filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain");
      const busy = events
        .filter((one) => /RunTask$/.test(one.name) && main.some(({ pid, tid }) => pid === one.pid && tid === one.tid))
        .map(({ tdur = 0 }) => tdur / 1000);
      console.log(`  longest task ${Math.max(...busy).toFixed(0)} ms of CPU`);
      assert.ok(busy.length > 10 && Math.max(...busy) < 100, `${Math.max(...busy)} ms of CPU at once`);
      assert.deepEqual(page.trouble, []);
      await page.close();
    } finally {
      server.kill("SIGKILL");
    }
  },
  "which paths changed; the worst pair, jobs and missing cables over time": async () => {
    const kept = join(folder, "kept");
    const { server, url } = await started([tree, "sftree", "--history", kept]);
    try {
      const page = await visit(url);
      assert.equal(await page.locator("#live-paths").isVisible(), false);
      await page.locator("#live-input").fill("cut S1_0[1]");
      await page.locator("#live-input").press("Enter");
      await changes(page, "cut S1_0[1]");
      await page.locator("#live-paths").click();
      await page.waitForSelector("#diff-paths");
      // Against the tables of the command line: both, entry by entry, and each pair followed.
      fatwood("route", tree, "--engine", "sftree", "-o", join(folder, "old"));
      fatwood("repair", tree, "--cut", "S1_0[1]", join(folder, "old"), "-o", join(folder, "new"));
      const rows = (name) =>
        new Map(
          readFileSync(join(folder, name), "utf8")
            .split(/^(?=Unicast|Switch)/m)
            .filter((part) => /guid/.test(part))
            .map((part) => [
              `0x${BigInt(/guid (0x\w+)/.exec(part)[1]).toString(16)}`,
              new Map([...part.matchAll(/^(0x\w+) (\d+)/gm)].map(([, lid, port]) => [Number(lid), Number(port)])),
            ]),
        );
      const [old, now] = [rows("old"), rows("new")];
      const expected = await page.evaluate(
        ([a, b]) => {
          const { fabric } = window.fatwood;
          const tables = [new Map(a), new Map(b)];
          const way = (table, s, t) => {
            const ports = [];
            for (let at = s; at >= 0 && ports.length < 9; ) {
              const port = new Map(table.get(fabric.guids[fabric.node(at)])).get(t + 1);
              ports.push(`${at}[${port}]`);
              at = port === undefined ? -1 : fabric.nextSwitch[fabric.slot(at, port)];
            }
            return ports.join();
          };
          let pairs = 0;
          for (let t = 0; t < fabric.terminals.length; ++t) {
            for (let from = 0; from < fabric.terminals.length; ++from) {
              if (from !== t && way(tables[0], fabric.leaf[from], t) !== way(tables[1], fabric.leaf[from], t)) ++pairs;
            }
          }
          return pairs;
        },
        [old, now].map((table) => [...table].map(([guid, ports]) => [guid, [...ports]])),
      );
      const facts = await page.locator("#diff-facts").innerText();
      assert.equal(Number(/; ([\d,]+) of/.exec(facts)[1].replaceAll(",", "")), expected, facts);
      assert.ok(expected > 0);
      await page.locator("#diff-paths button").first().click();
      await page.waitForFunction(() => window.fatwood.state.pick?.kind === "pair");
      // Over time: from the state of the server.
      const state = await page.evaluate(async () => (await fetch("/api/v1/state")).json());
      const worst = await page.locator('[data-line="worst"]').innerText();
      assert.ok(worst.includes(`${Math.round(state.fabric.worst_gbps * 10) / 10} Gb/s now`), worst);
      const jobs = await page.locator('[data-line="jobs"]').innerText();
      assert.ok(jobs.includes(`${(100 * state.fabric.jobs.mean).toFixed(1)}% now`), jobs);
      assert.match(await page.locator('[data-line="missing"]').innerText(), /0 now/);
      assert.equal(state.history, true);
      assert.deepEqual(page.trouble, []);
      await page.close();
    } finally {
      server.kill("SIGKILL");
    }
  },
  "the figures of ten losses on three fabrics are those of whatif": async () => {
    for (const words of [["ft(6,3)"], ["pgft(2;6,6;1,6;1,2)"], ["rails(units=2,hosts=4,rails=2,spines=4)"]]) {
      const { server, url } = await started([...words, "sftree"]);
      try {
        const page = await visit(url);
        const cables = await page.evaluate(() => {
          const { fabric } = window.fatwood;
          const all = [];
          for (let c = 0; c < fabric.slots; ++c)
            if (fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] >= 0) all.push(fabric.portName(c));
          return Array.from({ length: 10 }, (_, i) => all[Math.floor((i * all.length) / 10)]);
        });
        for (const cable of cables) {
          await page.locator("#live-input").fill(`cut ${cable}`);
          await page.locator("#live-input").press("Enter");
          await changes(page, `cut ${cable}`);
          const told = JSON.parse(fatwood("whatif", ...words, "sftree", "--lose", cable, "--json"));
          const gbps = (value) => `${(Math.round(value * 10) / 10).toLocaleString("en")} Gb/s`;
          for (const row of ["before", "unrepaired", "repaired"]) {
            const { pairs_lost: lost, worst_gbps: worst, p1_gbps: first, median_gbps: median } = told[row];
            const expected = [lost.toLocaleString("en"), gbps(worst), gbps(first), gbps(median)];
            const shown = await page.locator(`#live-result tr[data-row="${row}"] td`).allInnerTexts();
            assert.deepEqual(shown, expected, `${words} ${cable} ${row}`);
          }
          await page.locator("#live-reset").click();
          await changes(page, "");
        }
        assert.deepEqual(page.trouble, []);
        await page.close();
      } finally {
        server.kill("SIGKILL");
      }
    }
  },
  "another engine: its numbers, an address, a refusal; a path between two hosts; files": async () => {
    const { server, url, base } = await started();
    try {
      const page = await visit(url);
      const loads = () => page.evaluate(() => [...window.fatwood.view.flows].join());
      const before = await loads();
      await page.locator("#live-engine").selectOption("minhop");
      await engineIs(page, "minhop");
      assert.notEqual(await loads(), before, "links have other colours");
      assert.equal(await page.evaluate(() => location.search), "", "a link changes nothing for others");
      await page.locator("#live-input").fill("cut S1_0[1]");
      await page.locator("#live-input").press("Enter");
      await changes(page, "cut S1_0[1]");
      await engineIs(page, "repaired");
      fatwood("route", tree, "--engine", "minhop", "-o", join(folder, "old"));
      fatwood("repair", tree, "--cut", "S1_0[1]", join(folder, "old"), "-o", join(folder, "new"));
      const load = JSON.parse(
        fatwood("load", tree, "--cut", "S1_0[1]", join(folder, "new"), "--traffic", "alltoall", "--json"),
      );
      assert.equal(await cell(page, "repaired", 1), `${Math.round(load.rates.worst_gbps * 10) / 10} Gb/s`);
      // The cable is gone from the map, and nothing was loaded again.
      assert.equal(await page.evaluate(() => window.fatwood.fabric.peer[window.fatwood.fabric.slot(0, 1)]), 0xffffffff);
      assert.equal(await page.evaluate(() => window.loadedOnce), true);
      // A path: two clicks on hosts of the map, the second with Shift; the hops that trace prints.
      const click = async (t, modifiers) => {
        await page.evaluate((host) => window.fatwood.map.showSwitch(window.fatwood.fabric.leaf[host], "ports"), t);
        await page.waitForFunction((host) => window.fatwood.map.hostBoxes?.some((box) => box.what.t === host), t);
        const at = await page.evaluate((host) => {
          const { map } = window.fatwood;
          const box = map.hostBoxes.find((one) => one.what.t === host);
          return { x: box.x + box.width / 2, y: map.hostsY() + 8 };
        }, t);
        await page.locator("#map-canvas").click({ position: at, modifiers });
      };
      await click(0, []);
      await page.waitForFunction(() => window.fatwood.state.pick.kind === "host");
      await click(9, ["Shift"]);
      const hops = page.locator("#picked .hops");
      await hops.waitFor();
      const printed = fatwood("trace", tree, "--cut", "S1_0[1]", join(folder, "new"), "--from", "H0", "--to", "H9")
        .trim()
        .split("\n");
      assert.deepEqual([...(await hops.locator("li").allInnerTexts()), await hops.locator("p").innerText()], printed);
      assert.equal(
        (await page.evaluate(() => window.fatwood.map.picked.path)).length,
        printed.length - 2,
        "drawn on the map, from the first switch",
      );
      // The same by a button, and by names.
      await click(3, []);
      await page.locator("#path-here").click();
      await click(12, []);
      await page.waitForFunction(
        () =>
          window.fatwood.state.pick.kind === "pair" &&
          window.fatwood.state.pick.a === 3 &&
          window.fatwood.state.pick.b === 12,
      );
      await page.locator("#path-from").fill("H5");
      await page.locator("#path-from").press("Enter");
      await page.waitForFunction(() => window.fatwood.state.pick.a === 5 && window.fatwood.state.pick.b === 12);
      await page.locator("#map").scrollIntoViewIfNeeded();
      // What is picked outlasts a change.
      await page.locator("#live-undo").click();
      await changes(page, "");
      assert.deepEqual(await page.evaluate(() => [window.fatwood.state.pick.a, window.fatwood.state.pick.b]), [5, 12]);
      await page.locator("#live-redo").click();
      await changes(page, "cut S1_0[1]");
      await apply(page);
      await page.waitForFunction(() => /All who look/.test(document.getElementById("live-who").textContent));
      // Files: the proof holds for the tables that are saved with it.
      const saved = async (what) => {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.locator(`#live-save a[href$="/${what}"]`).click(),
        ]);
        await download.saveAs(join(folder, what));
      };
      for (const what of ["tables", "proof", "fabric", "page", "faults"]) await saved(what);
      fatwood("verify", join(folder, "fabric"), join(folder, "tables"), "--check", join(folder, "proof"));
      fatwood(
        "verify",
        tree,
        "--faults",
        join(folder, "faults"),
        join(folder, "tables"),
        "--check",
        join(folder, "proof"),
      );
      assert.match(readFileSync(join(folder, "page"), "utf8"), /<title>[^]*ft\(4,3\)/);
      const [picture] = await Promise.all([
        page.waitForEvent("download"),
        page.getByLabel("SVG: save map", { exact: true }).click(),
      ]);
      assert.match(readFileSync(await picture.path(), "utf8"), /^<svg/);
      // What can't route is refused, and the engine stays.
      const other = await visit(base);
      await other.waitForFunction(() => document.getElementById("live-engine").value === "minhop");
      await other.locator("#live-engine").selectOption("apot");
      await other.waitForFunction(() => /by pair/.test(document.getElementById("live-error").textContent));
      await refused(other, 400);
      assert.equal(await other.locator("#live-engine").inputValue(), "minhop");
      assert.equal(await page.evaluate(() => window.loadedOnce), true);
      for (const one of [page, other]) {
        assert.deepEqual(one.trouble, []);
        await one.close();
      }
    } finally {
      server.kill("SIGTERM");
      execFileSync("sleep", ["0.1"]);
    }
  },
  "no tree: routed again instead of repaired; the file changes underneath": async () => {
    const file = join(folder, "ring.json");
    writeFileSync(file, fatwood("convert", "ring(5)", "--to", "json"));
    const { server, url } = await started([file, "nue"]);
    try {
      const page = await visit(url);
      await page.locator("#live-input").fill("cut S0[1]");
      await page.locator("#live-input").press("Enter");
      await changes(page, "cut S0[1]");
      await page.locator("#live-not-repaired").waitFor();
      assert.equal(await cell(page, "rerouted", 0), "0");
      await page.locator("#live-undo").click();
      await changes(page, "");
      const links = await page.evaluate(() => window.fatwood.fabric.peer.filter((c) => c !== 0xffffffff).length / 2);
      writeFileSync(`${file}.new`, fatwood("convert", "ring(5)", "--cut", "S0[1]", "--to", "json"));
      execFileSync("mv", [`${file}.new`, file]);
      await page.waitForFunction(
        (count) => window.fatwood.fabric.peer.filter((c) => c !== 0xffffffff).length / 2 === count - 1,
        links,
      );
      assert.match(await page.locator("#live-events").textContent(), /1 cable lost/);
      assert.equal(await page.evaluate(() => window.loadedOnce), true);
      assert.deepEqual(page.trouble, []);
      await page.close();
    } finally {
      server.kill("SIGTERM");
      execFileSync("sleep", ["0.1"]);
    }
  },
  "the status line: a broken file, its end, a server that is gone, another one in its place": async () => {
    const file = join(folder, "tree.json");
    const good = fatwood("convert", "ft(4,2)", "--to", "json");
    writeFileSync(file, good);
    const token = join(folder, "token");
    writeFileSync(token, `${"0123456789abcdef".repeat(4)}\n`, { mode: 0o600 });
    const replace = (text) => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    };
    const words = [file, "updn+", "--token-file", token];
    let { server, base } = await started(words);
    const status = (page, state) =>
      page.waitForFunction((wanted) => document.getElementById("status")?.dataset.state === wanted, state);
    const text = (page) => page.locator("#status").innerText();
    try {
      const page = await visit(`${base}?token=${readFileSync(token, "utf8").trim()}`);
      await status(page, "connected");
      assert.match(await text(page), /^Connected\. Read at \d\d:\d\d:\d\d\.$/);
      const [, read] = /at (\S+)\.$/.exec(await text(page));
      replace("this is no fabric\n");
      await status(page, "unread");
      assert.ok((await text(page)).startsWith(`Not read since ${read}: `), await text(page));
      assert.match(await text(page), /tree\.json/);
      // The same fabric again: nothing of the error stays.
      replace(good);
      await status(page, "connected");
      assert.deepEqual(page.trouble, []);
      const ended = new Promise((done) => server.on("exit", done));
      server.kill("SIGKILL");
      await ended;
      await status(page, "gone");
      assert.match(
        await text(page),
        /^No answer from the server since .* Trying again… This is the fabric as read at /,
      );
      ({ server } = await started(words, new URL(base).port));
      await status(page, "connected");
      // All that Chromium wrote is about the server that was gone.
      for (const one of page.trouble)
        assert.match(one, /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/);
      assert.equal(await page.evaluate(() => window.loadedOnce), true);
      await page.close();
    } finally {
      server.kill("SIGKILL");
    }
  },
});
