// SPDX-License-Identifier: BSD-3-Clause
#include "cli/verb.hpp"

namespace fatwood::cli {

void add_check_certificate(CommandLine& app, Session& session);
void add_compare(CommandLine& app, Session& session);
void add_convert(CommandLine& app, Session& session);
void add_diff(CommandLine& app, Session& session);
void add_job(CommandLine& app, Session& session);
void add_load(CommandLine& app, Session& session);
void add_optimise(CommandLine& app, Session& session);
void add_order(CommandLine& app, Session& session);
void add_permutations(CommandLine& app, Session& session);
void add_repair(CommandLine& app, Session& session);
void add_report(CommandLine& app, Session& session);
void add_route(CommandLine& app, Session& session);
void add_sim(CommandLine& app, Session& session);
void add_serve(CommandLine& app, Session& session);
void add_show(CommandLine& app, Session& session);
void add_study(CommandLine& app, Session& session);
void add_trace(CommandLine& app, Session& session);
void add_transition(CommandLine& app, Session& session);
void add_verify(CommandLine& app, Session& session);
void add_whatif(CommandLine& app, Session& session);
void add_worst(CommandLine& app, Session& session);

std::span<const VerbRow> verbs() {
  static constexpr VerbRow kVerbs[] = {
      {"check-certificate", add_check_certificate},
      {"compare", add_compare},
      {"convert", add_convert},
      {"diff", add_diff},
      {"job", add_job},
      {"load", add_load},
      {"optimise", add_optimise},
      {"order", add_order},
      {"permutations", add_permutations},
      {"repair", add_repair},
      {"report", add_report},
      {"route", add_route},
      {"sim", add_sim},
      {"serve", add_serve},
      {"show", add_show},
      {"study", add_study},
      {"trace", add_trace},
      {"transition", add_transition},
      {"verify", add_verify},
      {"whatif", add_whatif},
      {"worst", add_worst},
  };
  return kVerbs;
}

}  // namespace fatwood::cli
