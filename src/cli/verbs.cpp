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
void add_show(CommandLine& app, Session& session);
void add_study(CommandLine& app, Session& session);
void add_trace(CommandLine& app, Session& session);
void add_transition(CommandLine& app, Session& session);
void add_verify(CommandLine& app, Session& session);
void add_whatif(CommandLine& app, Session& session);
void add_worst(CommandLine& app, Session& session);

std::span<const AddVerb> verbs() {
  static constexpr AddVerb kVerbs[] = {add_check_certificate,
                                       add_compare,
                                       add_convert,
                                       add_diff,
                                       add_job,
                                       add_load,
                                       add_optimise,
                                       add_order,
                                       add_permutations,
                                       add_repair,
                                       add_report,
                                       add_route,
                                       add_sim,
                                       add_show,
                                       add_study,
                                       add_trace,
                                       add_transition,
                                       add_verify,
                                       add_whatif,
                                       add_worst};
  return kVerbs;
}

}  // namespace fatwood::cli
