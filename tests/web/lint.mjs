// SPDX-License-Identifier: BSD-3-Clause
// ESLint and tsc on the page's sources. Ends with 77 (skipped) where npm's packages are absent.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const tool = (name) => join(root, "web/node_modules/.bin", name);
for (const name of ["eslint", "tsc"]) {
  if (existsSync(tool(name))) continue;
  console.log(`skipped: ${name} is not installed: npm ci in web/`);
  process.exit(77);
}
const commands = [
  [tool("eslint"), "--config", "web/eslint.config.mjs", "web/src", "web/build.mjs", "web/fetch.mjs", "tests/web"],
  [tool("tsc"), "--project", "web"],
];
const failed = commands.filter(([program, ...words]) => {
  const { status } = spawnSync(program, words, { cwd: root, stdio: "inherit" });
  return status !== 0;
});
process.exit(failed.length ? 1 : 0);
