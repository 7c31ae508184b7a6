// fatwood show FABRIC: what it is.

#include <fmt/format.h>

#include <memory>

#include "cli/verb.hpp"

namespace fatwood::cli {

void add_show(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("show", "tell what a fabric is and what is odd about it");
  auto name = std::make_shared<std::string>();
  verb->add_option("FABRIC", *name, "a spec or a file")->required();
  add_json(*verb, session);
  verb->footer("Example: fatwood show 'xgft(3;4,4,8;1,4,4)'");
  verb->callback([name] {
    const Fabric fabric = load(*name);
    fmt::print("{} switches, {} adapters, {} terminals, {} links\n", fabric.num_switches(),
               fabric.num_adapters(), fabric.num_terminals(), fabric.num_links());
  });
}

}  // namespace fatwood::cli
