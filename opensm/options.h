// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
/* Options of the plug-in in opensm.conf: words of event_plugin_options, separated by blanks.
 *
 *   fatwood_fresh            route from scratch at every heavy sweep (default)
 *   fatwood_repair           keep all entries in the switches that can stay
 *   fatwood_spare_blocks=N   with fatwood_repair: balance loads within blocks that are sent anyway
 *                            and N more in each sweep
 *   fatwood_drift=X          X below 1, with fatwood_repair: if jobs or the slowest pair would get
 *                            less than 1 - X times what fresh tables give them, send more blocks (N
 *                            of fatwood_spare_blocks, or 7 times those that must be sent); if that
 *                            does not help, route from scratch
 *                            X of at least 1: route from scratch if the most loaded link would carry
 *                            more than X times its load in fresh tables
 *   fatwood_cold             with fatwood_repair: do not read tables that an earlier run of OpenSM
 *                            left in the switches; write all when OpenSM starts
 *   fatwood_seconds=N        time limit of an engine in one sweep (default 60): if it takes longer,
 *                            or refuses, the switches keep the tables that it wrote before
 *
 * Words that do not start with fatwood_ belong to other plug-ins.
 */
// clang-format on
#ifndef FATWOOD_OPENSM_OPTIONS_H
#define FATWOOD_OPENSM_OPTIONS_H

#include <fatwood/c.h>

#ifdef __cplusplus
extern "C" {
#endif

struct plugin_options {
  int repair, cold;
  double seconds;
  struct fatwood_keep_options keep;
};

/* Returns 0, or -1 with an error and the defaults. words == NULL: no options. */
int read_options(const char* words, struct plugin_options* options, fatwood_error* error);

#ifdef __cplusplus
}
#endif

#endif
