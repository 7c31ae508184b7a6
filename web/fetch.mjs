// SPDX-License-Identifier: BSD-3-Clause
// What the page is bundled from, into node_modules, where there is no npm: Debian's is 400 packages,
// which take longer to install than all else that the demo needs. Versions and checksums are those
// of package-lock.json; what only the tests need is left out.
//   node fetch.mjs
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const registry = (process.env.npm_config_registry ?? "https://registry.npmjs.org").replace(/\/$/, "");
const folder = "node_modules/";
// What only tests need is a "dev" package, and so is the bundler.
const isNeeded = (path, { dev }) => !dev || path.includes("esbuild");

async function install(path, { version, integrity }) {
  const name = path.slice(folder.length);
  const url = `${registry}/${name}/-/${basename(name)}-${version}.tgz`;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const sum = "sha512-" + createHash("sha512").update(bytes).digest("base64");
  if (sum !== integrity) throw new Error(`${url}: not what package-lock.json names`);
  mkdirSync(path, { recursive: true });
  execFileSync("tar", ["-xz", "--strip-components=1", "-C", path], { input: bytes });
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const here = ({ os, cpu }) =>
  (os ?? [process.platform]).includes(process.platform) && (cpu ?? [process.arch]).includes(process.arch);
const needed = Object.entries(packages).filter(([path, of]) => path && isNeeded(path, of) && here(of));
await Promise.all(needed.map(([path, of]) => install(path, of)));
writeFileSync(folder + ".fetched", "");
