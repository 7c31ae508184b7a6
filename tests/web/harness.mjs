// SPDX-License-Identifier: BSD-3-Clause
// Chromium for the tests of the page: opens pages of `fatwood report`, and runs tests by name. Ends with
// 77 (skipped), saying why, where chromium, npm's packages or the page are absent.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const program = process.env.FATWOOD;
const chromiumPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

if (!existsSync(chromiumPath)) skip(`no ${chromiumPath}`);
let playwright;
try {
  playwright = createRequire(join(here, "../../web/package.json"))("playwright-core");
} catch {
  skip("playwright-core is not installed: npm ci in web/");
}

export const folder = mkdtempSync(join(tmpdir(), "fatwood-page-"));
export const fatwood = (...args) =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
const probe = spawnSync(program, ["report", "ft(4,2)", "--engines", "updn+", "-o", join(folder, "probe.html")], {
  encoding: "utf8",
});
if (/without the page/.test(probe.stderr)) skip("fatwood was built without the page");
assert.equal(probe.status, 0, probe.stderr);

const browser = await playwright.chromium.launch({
  timeout: 0,
  executablePath: chromiumPath,
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

// How long to wait for what is expected: only a broken test waits that long.
const kLimitMs = Number(process.env.FATWOOD_PAGE_LIMIT ?? 600000);

// A page of a browser that keeps cookies.
let context = null;
export async function newPage() {
  context ??= await browser.newContext({ viewport: { width: 1400, height: 900 } });
  context.setDefaultTimeout(kLimitMs);
  return context.newPage();
}

// Opens a page with all its sections (`lazy`: only those in sight); errors and anything fetched from elsewhere
// fail the test that opened it.
export async function open(file, options = {}, hash = "") {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  page.setDefaultTimeout(kLimitMs);
  page.trouble = [];
  page.on("console", (message) => message.type() === "error" && page.trouble.push(message.text()));
  page.on("pageerror", (error) => page.trouble.push(error.message));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || page.trouble.push(request.url()));
  // Seconds of CPU on the page's own thread: a busy machine does not make them more.
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  page.seconds = (await tools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  if (!options.lazy) await everything(page);
  return page;
}
// Sections that are made when they come near, and all that they count.
export const everything = (page) =>
  page.evaluate(async () => {
    window.fatwood?.makeSections();
    await window.fatwood?.model.idle();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
export async function close(page) {
  assert.deepEqual(page.trouble, []);
  assert.doesNotMatch(await page.locator("main").innerText(), /\[object |\bNaN\b|\bundefined\b|Infinity/);
  await page.close();
}

// Those whose name contains the first argument, or all.
export async function runTests(tests) {
  let failed = 0;
  const only = process.argv[2];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    try {
      await test();
      console.log(`ok - ${name}`);
    } catch (error) {
      ++failed;
      console.log(`not ok - ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  rmSync(folder, { recursive: true });
  process.exit(failed ? 1 : 0);
}
