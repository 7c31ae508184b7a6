// SPDX-License-Identifier: BSD-3-Clause
// fatwood serve FABRIC [ROUTING]: the page, live. Checks the words and becomes fatwood-serve, which
// stands next to this program (src/serve/main.cpp).

#include "app/serve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "cli/options/add_options.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"

namespace fatwood::cli {

namespace {

void become_server(const ServeQuestion& question) {
  const std::string program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fatwood-serve").string();
  (void)time_between_reads(question);  // an error is told here
  std::vector<std::string> words = words_of(question);
  std::vector<char*> arguments{const_cast<char*>("fatwood-serve")};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw InputError(fmt::format(
      "can't start {}: {}. Install the package fatwood-serve, or build with libboost-dev", program,
      strerror(errno)));
}

}  // namespace

void add_serve(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("serve", "show a fabric live in the browser, with what-if and metrics");
  auto arguments = std::make_shared<ServeQuestion>();
  verb->add_option("FABRIC", arguments->fabric, "a spec, a file, the folder of a run, or live")
      ->required();
  verb->add_option("ROUTING", arguments->routing,
                   "an engine or a file of forwarding tables (default: even)");
  AddOptions options(*verb);
  describe(options, *arguments);
  verb->footer("Example: fatwood serve 'ft(8,3)' sftree");
  verb->callback(session, [arguments] { become_server(*arguments); });
}

}  // namespace fatwood::cli
