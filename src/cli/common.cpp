// SPDX-License-Identifier: BSD-3-Clause
// Shared by verbs: common options, loading a fabric.

#include <fmt/format.h>

#include <sstream>

#include "cli/options/add_options.hpp"
#include "cli/outcome.hpp"
#include "cli/verb.hpp"
#include "core/bytes.hpp"
#include "core/text/printable.hpp"
#include "io/base/input.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/spec.hpp"

namespace fatwood::cli {

void add_json(Verb& verb, Session& session) {
  verb.add_flag("--json", session.json, "print one JSON object instead of the table");
}

void add_threads(Verb& verb, Session& session) {
  const Heading under(verb, heading::kCommon);
  verb.add_option("--threads", session.threads, "threads to use (0: all cores)")->range(0, 1024);
}

void add_seed(Verb& verb, Session& session) {
  const Heading under(verb, heading::kCommon);
  verb.add_option("--seed", session.seed, "seed of all random choices");
}

void add_common(Verb& verb, Session& session) {
  add_threads(verb, session);
  add_seed(verb, session);
  add_json(verb, session);
}

void add_fabric(Verb& verb, FabricRequest& fabric, Hints hints) {
  verb.add_option("FABRIC", fabric.name,
                  "a formula, a file, the folder or archive of a run, -, or live")
      ->required();
  AddOptions options(verb);
  {
    const Heading under(verb, heading::kCommon);
    describe(options, fabric.read);
  }
  {
    const Heading under(verb, heading::kFaults);
    describe(options, fabric.faults);
  }
  const Heading under(verb, heading::kHints);
  if (hints == Hints::kNone) return;
  describe(options, fabric.levels);
  if (hints == Hints::kLevels) return;
  describe(options, fabric.balance);
  if (hints == Hints::kBalance) return;
  describe(options, fabric.speeds);
}

namespace {

// The length of a colour (report/colour.hpp) at the start of a text; 0: there is none.
std::size_t colour_length(std::string_view text) {
  for (const std::string_view code : {"0", "1", "2", "31", "32", "33"}) {
    const std::string colour = fmt::format("\033[{}m", code);
    if (text.starts_with(colour)) return colour.size();
  }
  return 0;
}

// Colours, and nothing else that a terminal obeys.
std::string safe_for_terminal(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find('\033'), text.size());
    out += printable_text(text.substr(0, at));
    text.remove_prefix(at);
    const std::size_t length = colour_length(text);
    out += length > 0 ? std::string(text.substr(0, length)) : printable_text(text.substr(0, 1));
    text.remove_prefix(std::min(std::max<std::size_t>(length, 1), text.size()));
  }
  return out;
}

}  // namespace

void print(const Session& session, std::string_view text) {
  fmt::print(session.stdout_taken ? stderr : stdout, "{}", safe_for_terminal(text));
}

void print_note(std::string_view note) {
  if (!note.empty())
    say(fmt::format("fatwood: note: {}\n", printable_text(spelled(note, as_option))));
}
void print_warnings(std::span<const std::string> warnings) {
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < warnings.size() && i < kShown; ++i) {
    say(fmt::format("fatwood: warning: {}\n", printable_text(warnings[i])));
  }
  if (warnings.size() > kShown) {
    say(fmt::format("fatwood: warning: and {} more\n", warnings.size() - kShown));
  }
}

namespace {

std::string sent(const FabricData& read) {
  std::ostringstream fabric;
  write_json_fabric(fabric, read.fabric);
  BytesOut out;
  const ModelHints& hints = read.hints;
  out(fabric.str(), read.name, read.format, hints.roots, hints.compute, hints.uncounted,
      hints.aggregation);
  return out.take();
}

FabricData received(const std::string& bytes) {
  std::string fabric, name, format;
  ModelHints hints;
  BytesIn in(bytes);
  in(fabric, name, format, hints.roots, hints.compute, hints.uncounted, hints.aggregation);
  Input input(std::string_view(fabric), "the fabric of rank 0");
  return {.fabric = read_json_fabric(input).fabric,
          .hints = std::move(hints),
          .name = std::move(name),
          .format = std::move(format)};
}

}  // namespace

OpenFabric load_with_warnings(const FabricRequest& request) {
  OpenFabric open = open_fabric(request);
  print_note(open.note);
  return open;
}

OpenFabric load(const FabricRequest& request) {
  OpenFabric open = load_with_warnings(request);
  print_warnings(open.warnings);
  return open;
}

OpenFabric load(const FabricRequest& request, const Session& session) {
  if (!session.share || looks_like_spec(request.name)) return load(request);
  return open_fabric(received(session.share.once([&] {
    const FabricData read = read_fabric_data(request);
    print_note(read.note);
    print_warnings(read.warnings);
    return sent(read);
  })));
}

}  // namespace fatwood::cli
