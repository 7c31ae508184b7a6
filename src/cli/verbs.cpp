#include "cli/verb.hpp"

namespace fatwood::cli {

void add_check_certificate(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_convert(CLI::App& app, Session& session);
void add_load(CLI::App& app, Session& session);
void add_optimise(CLI::App& app, Session& session);
void add_order(CLI::App& app, Session& session);
void add_permutations(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);
void add_route(CLI::App& app, Session& session);
void add_sim(CLI::App& app, Session& session);
void add_show(CLI::App& app, Session& session);
void add_study(CLI::App& app, Session& session);
void add_trace(CLI::App& app, Session& session);
void add_verify(CLI::App& app, Session& session);
void add_worst(CLI::App& app, Session& session);

std::span<const AddVerb> verbs() {
  static constexpr AddVerb kVerbs[] = {add_check_certificate,
                                       add_compare,
                                       add_convert,
                                       add_load,
                                       add_optimise,
                                       add_order,
                                       add_permutations,
                                       add_report,
                                       add_route,
                                       add_sim,
                                       add_show,
                                       add_study,
                                       add_trace,
                                       add_verify,
                                       add_worst};
  return kVerbs;
}

}  // namespace fatwood::cli
