// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The command line as verbs see it: a verb has options, an option writes to a variable. Only
// command_line.cpp and help_format.cpp include CLI11, which takes seconds to compile.

#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/output.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fatwood::cli {

struct Session;

// An option of a verb. Each method returns the option, so calls can be chained.
//
// An option is an error if it asks for something that will not happen. needs(), needs_any() and
// excludes() express this if it follows from the words alone. An option that merely makes no
// difference is accepted.
class Option {
 public:
  Option(CLI::Option& option, std::string expected)
      : option_(&option), expected_(std::move(expected)) {}
  Option* required();
  Option* needs(const Option* other);
  Option* needs_any(const std::vector<const Option*>& others);
  Option* excludes(const Option* other);
  Option* one_of(const std::vector<std::string>& words);
  template <std::integral T>
  Option* range(T low, T high) {
    return whole_range(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
  }
  Option* range(double low, double high);
  Option* separated_by(char separator);  // --x A,B: a list in one word
  Option* one_each();                    // --x A --x B: a list, one word each
  Option* exactly(int words);            // --x A B

 private:
  friend class Verb;
  Option* whole_range(std::int64_t low, std::int64_t high);
  std::string name() const;  // "--lanes", or "ROUTING" for an argument with other spellings
  bool given() const;
  CLI::Option* option_;
  std::string expected_;            // "a number from 1 to 15", for messages
  std::vector<std::string> words_;  // of one_of()
  std::vector<const Option*> any_;
};

// Headings of options that --help leaves out and --help-all shows.
namespace heading {
inline constexpr const char* kFaults = "Faults";
inline constexpr const char* kHints = "Hints";
inline constexpr const char* kEngines = "Options of engines";
inline constexpr const char* kCommon = "Common options";
}  // namespace heading

// An option as completion sees it.
struct OptionView {
  std::vector<std::string> names;  // "--lanes", "-o"
  std::string argument;            // "FABRIC"; "" for options that need a name
  std::string help;
  std::size_t values = 0;          // words after the name
  bool repeated = false;           // an argument that takes any number of words
  std::vector<std::string> words;  // possible values, if there are few
};

// Names are "--long", "-s,--long", or "NAME" for an argument without dashes; "NAME,--long" can be
// given either way. Variables must outlive the parse. Counts reject signs, numbers reject NaN and
// infinities, all reject an empty word.
class Verb {
 public:
  explicit Verb(CLI::App& app) : app_(&app) {}
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  // Texts, numbers, optional numbers and lists: the types that command_line.cpp lists. The help
  // text shows a default that is neither empty nor 0.
  template <typename T>
  Option* add_option(const std::string& names, T& value, const std::string& help);
  // An option that names a file to write, or - for standard output. Before the verb runs, all of
  // its outputs are checked together (io/base/output.hpp); the first one adds --force.
  Option* add_output(const std::string& names, std::string& value, const OutputForm& form,
                     const std::string& help);
  // More files that the verb writes, such as those in a folder.
  void add_outputs(std::function<void(Outputs&)> outputs);
  void footer(const std::string& text);
  // Runs the verb after the checks. Session::stdout_taken is already set.
  void callback(Session& session, std::function<void()> run);
  // Was the option on the command line?
  bool given(const std::string& name) const;
  std::string name() const;
  std::string summary() const;
  std::vector<OptionView> options() const;

 private:
  template <typename T>
  Option* add(const std::string& names, T& value, const std::string& help);
  friend class CommandLine;
  friend class Heading;
  void check_needs() const;
  Outputs outputs() const;
  void check_outputs(Session& session) const;
  // InputError for the first word that looks like an option but is none.
  void check_words(int argc, const char* const* argv) const;
  // The error message of CLI11 in plain words.
  std::string reworded(const std::string& message) const;
  CLI::App* app_;
  std::deque<Option> options_;
  std::vector<std::function<void(Outputs&)>> outputs_;
  bool force_ = false;
  std::string colour_ = "auto";
};

// Options that are added during its life are under this heading of the help text.
class Heading {
 public:
  Heading(const Verb& verb, const std::string& text);
  Heading(const Heading&) = delete;
  Heading& operator=(const Heading&) = delete;
  ~Heading();

 private:
  CLI::App* app_;
  std::string before_;
};

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& summary, const std::string& version);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();
  Verb* add_verb(const std::string& name, const std::string& summary);
  const std::deque<Verb>& verbs() const { return verbs_; }
  // Runs the callback of the verb in the words, or prints the text of --help or --version.
  // InputError if the words are wrong; exceptions of the callback pass through.
  void run(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::deque<Verb> verbs_;
};

}  // namespace fatwood::cli
