// SPDX-License-Identifier: BSD-3-Clause
// Servers of the live view for tests, and what each of their pages does.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { newPage, program, skip } from "./harness.mjs";

if (!existsSync(join(dirname(program), "fatwood-serve"))) skip("fatwood-serve was not built");
export const tree = "ft(4,3)";
export let axe;
try {
  const web = join(dirname(fileURLToPath(import.meta.url)), "../../web/package.json");
  axe = readFileSync(createRequire(web).resolve("axe-core/axe.min.js"), "utf8");
} catch {
  skip("axe-core is not installed: npm ci in web/");
}

export async function started(words = [tree, "sftree"], port = "0") {
  const server = spawn(program, ["serve", ...words, "--port", port], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((done, failed) => {
    server.stdout.on("data", (text) => done(/http:\S+/.exec(String(text))[0]));
    server.on("exit", () => failed(new Error("the server ended")));
  });
  return { server, url, base: url.replace(/\?.*/, "") };
}

export async function visit(url) {
  const page = await newPage();
  page.trouble = [];
  page.on("console", (message) => message.type() === "error" && page.trouble.push(message.text()));
  page.on("pageerror", (error) => page.trouble.push(error.stack));
  await page.goto(url);
  await shown(page);
  await page.evaluate(() => (window.loadedOnce = true)); // gone after a reload
  return page;
}
export const shown = (page) => page.waitForFunction(() => document.documentElement.dataset.ready);
// Takes the one console error that Chromium writes when a server refuses a request.
export const refused = async (page, status) => {
  const [text] = page.trouble.splice(
    page.trouble.findIndex((one) => one.includes(`status of ${status}`)),
    1,
  );
  assert.match(text ?? "", new RegExp(`status of ${status}`));
};
export const apply = (page) => page.locator("#live-apply").click();
export const changes = async (page, wanted) => {
  await page.waitForFunction(
    (text) =>
      [...document.querySelectorAll("#live-changes li")].map((li) => li.firstChild.textContent).join(";") === text &&
      document.documentElement.dataset.ready &&
      !document.querySelector("[data-refreshing], #live-result[data-pending]"),
    wanted,
  );
};
