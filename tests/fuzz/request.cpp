// SPDX-License-Identifier: BSD-3-Clause
// Requests to `fatwood serve`: bodies of changes, and parameters of verbs. No value of a parameter
// may name a file.

#include <cstdlib>

#include "fuzz.hpp"
#include "io/ibdiagnet/pm.hpp"
#include "io/lists/fault_file.hpp"
#include "serve/api/task_words.hpp"
#include "serve/state/change_list.hpp"
#include "serve/state/live_counters.hpp"
#include "topology/change/faults.hpp"

namespace {

void make_changes(const std::string& body) {
  std::string lines;
  for (const std::string& line :
       fatwood::serve::with_changes({"cut S1_0[1]", "add switch@2"}, body)) {
    lines += line + '\n';
  }
  fatwood::Input input(std::string_view(lines), "changes");
  const fatwood::Fabric& fabric = fatwood::fuzz::small_fabric();
  fatwood::with_faults(fabric, fatwood::find_faults(fabric, fatwood::read_faults(input)));
}

// What a program prints of counters is a file that can be read.
void read_counters(const std::string& printed) {
  const std::string file = fatwood::serve::counters_file(printed);
  fatwood::Input input(std::string_view(file), "counters");
  (void)fatwood::read_pm(input);
}

void give_parameter(const fatwood::serve::TaskVerb& verb, std::string_view name,
                    const std::string& value) {
  for (const std::string& word : fatwood::serve::task_options(verb, {{std::string(name), value}})) {
    const bool option = word.starts_with("--") && word != value;
    if (!option &&
        (word.find('/') != word.npos || word.starts_with('-') || word.starts_with('@'))) {
      std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 2000));
  const auto refused = [](const auto& call) {
    try {
      call();
    } catch (const fatwood::InputError&) {
      // Refused in good order.
    }
  };
  refused([&] { make_changes(text); });
  refused([&] { read_counters(text); });
  for (const fatwood::serve::TaskVerb& verb : fatwood::serve::task_verbs()) {
    for (const fatwood::serve::TaskParameter& one : verb.parameters) {
      refused([&] { give_parameter(verb, one.name, text); });
    }
  }
  return 0;
}
