// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
/* Options of the plug-in in opensm.conf: words of event_plugin_options, set off by blanks.
 *
 *   fatwood_fresh            route from scratch at every heavy sweep (the default)
 *   fatwood_repair           keep of what is in the switches all that can stay
 *   fatwood_spare_blocks=N   with fatwood_repair: even out loads within blocks that are sent anyway
 *                            and N more in each sweep
 *   fatwood_drift=X          with fatwood_repair: route from scratch when the most loaded link would
 *                            carry more than X times what it would then
 *   fatwood_cold             with fatwood_repair: what another run of OpenSM left in the switches is
 *                            not read; all is written when OpenSM starts
 *   fatwood_seconds=N        the most time of an engine in one sweep (default 60): when it takes
 *                            longer, or refuses, the switches keep the tables that it wrote before
 *
 * Words that do not start with fatwood_ are another plug-in's.
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

/* 0, or -1 with an error and the defaults. NULL: no words. */
int read_options(const char* words, struct plugin_options* options, fatwood_error* error);

#ifdef __cplusplus
}
#endif

#endif
