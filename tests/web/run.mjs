// SPDX-License-Identifier: BSD-3-Clause
// A run of ibdiagnet for tests of the page, and what its files say.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fatwood, folder } from "./harness.mjs";

// Ports of switches of ft(4,2), by their name: what the files say.
export const told = new Map();
export function makeRun() {
  const run = join(folder, "run");
  mkdirSync(run);
  fatwood("convert", "ft(4,2)", "--to", "ibnetdiscover", "-o", join(run, "ibdiagnet2.ibnetdiscover"));
  const line = "-".repeat(87);
  const guid = (s) => `0x002000000000000${s}`;
  let pm = "# File created at : now\n";
  let signals =
    "Ty : # : #IB : GUID : FEC mode : Raw BER : Effective BER : Symbol BER : Symbol Err : Effective Err : Node Desc\n";
  let cables = "";
  for (let s = 0; s < 4; ++s) {
    for (let port = 1; port <= 4; ++port) {
      const one = {
        sent: 1000 * (s + 1) + 7 * port,
        errors: s === 1 && port === 3 ? 12 : 0,
        discards: s === 2 && port === 4 ? 5 : 0,
        raw: s === 3 && port === 1 ? 3e-5 : 1e-8,
        celsius: 30 + s + port,
        fec: s === 0 ? "RS_B" : "RS_A",
      };
      told.set(`S1_${s}[${port}]`, one);
      pm +=
        `${line}\nPort=${port} Lid=0x0001 GUID=${guid(s)} Device=54002 Port Name=x\n${line}\n` +
        `port_xmit_data_extended=0x${one.sent.toString(16)}\nsymbol_error_counter=0x${one.errors.toString(16)}\n` +
        `port_xmit_discards=0x${one.discards.toString(16)}\n`;
      signals += `SW : ${port} : ${port} : ${guid(s)} : ${one.fec} : ${one.raw} : 1e-255 : 0 : 0 : 0 : any\n`;
      cables +=
        `-----\nPort=${port} Lid=0x1 GUID=${guid(s)} Port Name=x\n-----\nVendor: any\n` +
        `Temperature: ${one.celsius}C\n`;
    }
  }
  writeFileSync(join(run, "ibdiagnet2.pm"), `${pm}# File closed at : now\n`);
  writeFileSync(join(run, "ibdiagnet2.net_dump_ext"), signals);
  writeFileSync(join(run, "ibdiagnet2.cables"), cables);
  return run;
}
