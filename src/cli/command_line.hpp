// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The command line as verbs see it: a verb has options, an option writes into a variable. CLI11,
// which takes seconds to compile, stays behind this header, in command_line.cpp.

#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_table.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fatwood::cli {

// An option that was added to a verb. Each call returns the option, to say more about it.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}
  Option* required();
  Option* show_default();
  Option* needs(const Option* other);
  Option* one_of(const std::vector<std::string>& words);
  template <std::integral T>
  Option* range(T low, T high) {
    return whole_range(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
  }
  Option* range(double low, double high);
  Option* separated_by(char separator);       // --x A,B: a list in one word
  Option* one_each();                         // --x A --x B: a list, a word each time
  Option* exactly(int words);                 // --x A B
  Option* group(const std::string& heading);  // of the help text

 private:
  Option* whole_range(std::int64_t low, std::int64_t high);
  CLI::Option* option_;
};

// Names are "--long", "-s,--long", or "NAME" for an argument without dashes. Variables must outlive
// the parse. Counts refuse signs, numbers refuse NaN and infinities, all refuse an empty word.
class Verb {
 public:
  explicit Verb(CLI::App& app) : app_(&app) {}
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  Option* add_option(const std::string& names, std::string& value, const std::string& help);
  Option* add_option(const std::string& names, int& value, const std::string& help);
  Option* add_option(const std::string& names, unsigned& value, const std::string& help);
  Option* add_option(const std::string& names, std::int64_t& value, const std::string& help);
  Option* add_option(const std::string& names, std::uint64_t& value, const std::string& help);
  Option* add_option(const std::string& names, double& value, const std::string& help);
  Option* add_option(const std::string& names, std::optional<std::uint64_t>& value,
                     const std::string& help);
  Option* add_option(const std::string& names, std::optional<unsigned>& value,
                     const std::string& help);
  Option* add_option(const std::string& names, std::optional<double>& value,
                     const std::string& help);
  Option* add_option(const std::string& names, std::vector<std::string>& value,
                     const std::string& help);
  Option* add_option(const std::string& names, std::vector<unsigned>& value,
                     const std::string& help);
  void footer(const std::string& text);
  // What the verb does. `uses` tells first what of it reads options (option_table.hpp).
  void callback(std::function<Uses()> uses, std::function<void()> run);
  // InputError when an option is given that none of these uses reads. A use that was expected and
  // is not made after all: check(~Uses{kPortSets}).
  void check(Uses uses) const;
  // Was the option on the command line?
  bool given(const std::string& name) const;
  // Whether the table of options has it for this verb.
  bool has(std::string_view option) const;

 private:
  template <typename T>
  Option* add(const std::string& names, T& value, const std::string& help);
  CLI::App* app_;
  std::deque<Option> options_;
};

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& summary, const std::string& version);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();
  Verb* add_verb(const std::string& name, const std::string& summary);
  void footer(const std::string& text);
  // Runs the callback of the verb that the words name, or prints what --help and --version ask for.
  // InputError when the words are wrong; what the callback throws goes through.
  void run(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::deque<Verb> verbs_;
};

}  // namespace fatwood::cli
