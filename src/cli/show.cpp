// fatwood show FABRIC: what it is.

#include <fmt/format.h>

#include <memory>

#include "cli/verb.hpp"

namespace fatwood::cli {

void add_show(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("show", "tell what a fabric is and what is odd about it");
  auto argument = std::make_shared<FabricArgument>();
  add_fabric(*verb, *argument);
  add_json(*verb, session);
  verb->footer("Example: fatwood show 'xgft(3;4,4,8;1,4,4)'");
  verb->callback([argument] {
    const Fabric fabric = load(*argument);
    fmt::print("{} switches, {} adapters, {} terminals, {} links\n", fabric.num_switches(),
               fabric.num_adapters(), fabric.num_terminals(), fabric.num_links());
  });
}

}  // namespace fatwood::cli
