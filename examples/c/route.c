/* SPDX-License-Identifier: BSD-3-Clause
 * route ENGINE: two switches, four cables between them, a host on each; prints both tables. */
#include <fatwood/c.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  enum { kSwitches = 2, kHosts = 2, kPorts = 8, kCables = 4, kLids = 64 };
  const char* engine = argc > 1 ? argv[1] : "minhop";
  fatwood_error error = {"out of memory"};
  fatwood_fabric* fabric = fatwood_fabric_new();
  int failed = fabric == NULL;
  for (uint32_t n = 0; n < kSwitches + kHosts && !failed; ++n) {
    const int is_switch = n < kSwitches;
    const struct fatwood_node node = {
        is_switch ? FATWOOD_SWITCH : FATWOOD_ADAPTER, is_switch ? kPorts : 1, 16 + n, 0, 0, 0, ""};
    failed =
        fatwood_add_node(fabric, &node, &error) ||
        fatwood_set_address(fabric, n, is_switch ? 0 : 1, 32 + n, (uint16_t)(n + 1), 0, &error);
  }
  for (uint8_t port = 1; port <= kCables && !failed; ++port) {
    failed = fatwood_connect(fabric, 0, port, 1, port, &error);
  }
  for (uint32_t h = 0; h < kHosts && !failed; ++h) {
    failed = fatwood_connect(fabric, h, kPorts, kSwitches + h, 1, &error);
  }
  fatwood_routes* routes = failed ? NULL : fatwood_route(fabric, engine, NULL, &error);
  uint8_t tables[kSwitches][kLids];
  uint8_t* rows[kSwitches] = {tables[0], tables[1]};
  memset(tables, 255, sizeof tables);
  failed = routes == NULL || fatwood_write_tables(routes, rows, kLids, &error);
  if (failed) fprintf(stderr, "%s\n", error.text);
  for (int s = 0; s < kSwitches && !failed; ++s) {
    for (int lid = 1; lid <= kSwitches + kHosts; ++lid) {
      printf("switch %d: LID %d by port %d\n", s, lid, tables[s][lid]);
    }
  }
  fatwood_routes_free(routes);
  fatwood_fabric_free(fabric);
  return failed ? 2 : 0;
}
