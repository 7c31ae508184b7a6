// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <limits>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "cli/help_format.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/closest.hpp"
#include "core/text/parse_number.hpp"

namespace fatwood::cli {

namespace {

// An option with nothing in it is an unset variable of a script, not a request for the default.
std::string empty_value(const std::string& text) {
  return text.empty() ? "expected a value, found nothing (is a variable not set?)" : "";
}

// CLI11 would take -1 for the largest number, and any number of digits.
template <class T>
std::string bad_number(const std::string& text, const std::string& expected) {
  return parse_number<T>(text) ? "" : fmt::format("expected {}, found \"{}\"", expected, text);
}

template <typename T>
std::string expected_of() {
  if constexpr (std::unsigned_integral<T>) {
    return fmt::format("a whole number from 0 to {}", std::numeric_limits<T>::max());
  } else if constexpr (std::integral<T>) {
    return "a whole number";
  } else if constexpr (std::floating_point<T>) {
    return "a number";
  } else {
    return "a value";
  }
}

template <typename T>
struct Element {
  using Type = T;
};
template <typename T>
struct Element<std::vector<T>> {
  using Type = T;
};
template <typename T>
struct Element<std::optional<T>> {
  using Type = T;
};

// "--a", "--a or --b", "--a, --b or --c"
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}
Option* Option::needs(const Option* other) {
  option_->needs(other->option_);
  return this;
}
Option* Option::needs_any(const std::vector<const Option*>& others) {
  any_ = others;
  return this;
}
Option* Option::excludes(const Option* other) {
  option_->excludes(other->option_);
  return this;
}
Option* Option::one_of(const std::vector<std::string>& words) {
  expected_ = joined(words);
  words_ = words;
  const auto check = [words, expected = expected_](const std::string& text) {
    if (std::ranges::find(words, text) != words.end()) return std::string();
    return fmt::format("expected {}, found \"{}\"", expected, text);
  };
  option_->check(CLI::Validator(check, fmt::format("{{{}}}", fmt::join(words, ","))));
  return this;
}
Option* Option::range(double low, double high) {
  expected_ = fmt::format("a number from {} to {}", low, high);
  option_->check([low, high, expected = expected_](const std::string& text) {
    const auto value = parse_number<double>(text);
    if (value && *value >= low && *value <= high) return std::string();
    return fmt::format("expected {}, found \"{}\"", expected, text);
  });
  return this;
}
Option* Option::whole_range(std::int64_t low, std::int64_t high) {
  expected_ = fmt::format("a whole number from {} to {}", low, high);
  const auto check = [low, high, expected = expected_](const std::string& text) {
    const auto value = parse_number<std::int64_t>(text);
    if (value && *value >= low && *value <= high) return std::string();
    return fmt::format("expected {}, found \"{}\"", expected, text);
  };
  option_->check(CLI::Validator(check, fmt::format("{}..{}", low, high)));
  return this;
}
std::string Option::name() const { return option_->get_name(option_->get_positional()); }
bool Option::given() const { return option_->count() > 0; }
Option* Option::separated_by(char separator) {
  option_->delimiter(separator)->allow_extra_args(false);
  return this;
}
Option* Option::one_each() {
  option_->allow_extra_args(false);
  return this;
}
Option* Option::exactly(int words) {
  option_->expected(words);
  return this;
}
Heading::Heading(const Verb& verb, const std::string& text)
    : app_(verb.app_), before_(app_->option_defaults()->get_group()) {
  app_->option_defaults()->group(text);
}

Heading::~Heading() { app_->option_defaults()->group(before_); }

template <typename T>
Option* Verb::add_option(const std::string& names, T& value, const std::string& help) {
  using Value = typename Element<T>::Type;
  CLI::Option* option = app_->add_option(names, value, help);
  Option* made = &options_.emplace_back(*option, expected_of<Value>());
  option->check(empty_value);
  if constexpr (std::is_arithmetic_v<Value>) {
    option->check(
        [made](const std::string& text) { return bad_number<Value>(text, made->expected_); });
  }
  if (value != T{}) option->capture_default_str();
  return made;
}

template Option* Verb::add_option(const std::string&, std::string&, const std::string&);
template Option* Verb::add_option(const std::string&, int&, const std::string&);
template Option* Verb::add_option(const std::string&, unsigned&, const std::string&);
template Option* Verb::add_option(const std::string&, std::int64_t&, const std::string&);
template Option* Verb::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* Verb::add_option(const std::string&, double&, const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<unsigned>&, const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<std::uint64_t>&,
                                  const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option* Verb::add_option(const std::string&, std::vector<std::string>&,
                                  const std::string&);
template Option* Verb::add_option(const std::string&, std::vector<unsigned>&, const std::string&);

Option* Verb::add_flag(const std::string& names, bool& value, const std::string& help) {
  return &options_.emplace_back(*app_->add_flag(names, value, help), "nothing after it");
}

Option* Verb::add_output(const std::string& names, std::string& value, const OutputForm& form,
                         const std::string& help) {
  Option* option = add_option(names, value, help);
  add_outputs([option, &value, &form](Outputs& outputs) {
    if (!value.empty()) outputs.add(option->name(), value, form);
  });
  return option;
}
void Verb::add_outputs(std::function<void(Outputs&)> outputs) {
  if (outputs_.empty()) {
    const Heading under(*this, heading::kCommon);
    add_flag("--force", force_, "overwrite files that do not look like what fatwood writes there");
  }
  outputs_.push_back(std::move(outputs));
}
void Verb::footer(const std::string& text) { app_->footer(text); }
void Verb::callback(Session& session, std::function<void()> run) {
  const Heading under(*this, heading::kCommon);
  add_option("--color", colour_, "colour of text: auto (on a terminal), always or never")
      ->one_of({"auto", "always", "never"});
  app_->callback([this, &session, run = std::move(run)] {
    check_needs();
    check_outputs(session);
    session.colour = chosen_colour(colour_, session);
    run();
    if (session.json || session.rank != 0) return;
    std::fflush(stdout);  // the table comes first
    say_written(outputs().sizes());
  });
}
std::string Verb::name() const { return app_->get_name(); }
std::string Verb::summary() const { return app_->get_description(); }
std::vector<OptionView> Verb::options() const {
  std::vector<OptionView> views;
  for (const CLI::Option* option : app_->get_options()) {
    OptionView view;
    for (const std::string& name : option->get_lnames()) view.names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) view.names.push_back("-" + name);
    if (option->get_positional()) view.argument = option->get_name(true);
    view.help = option->get_description();
    view.values = static_cast<std::size_t>(option->get_items_expected_min());
    view.repeated = option->get_items_expected_max() > 1;
    for (const Option& own : options_) {
      if (own.option_ == option) view.words = own.words_;
    }
    views.push_back(std::move(view));
  }
  return views;
}
void Verb::check_needs() const {
  for (const Option& option : options_) {
    if (!option.given() || option.any_.empty()) continue;
    if (std::ranges::any_of(option.any_, &Option::given)) continue;
    std::vector<std::string> names;
    for (const Option* other : option.any_) names.push_back(other->name());
    throw InputError(fmt::format("{} needs {}", option.name(), joined(names)));
  }
}
Outputs Verb::outputs() const {
  Outputs all;
  for (const auto& add : outputs_) add(all);
  return all;
}
void Verb::check_outputs(Session& session) const {
  const Outputs outputs = this->outputs();
  outputs.check(force_ ? Foreign::kOverwritten : Foreign::kRefused);
  session.stdout_taken = outputs.on_stdout() != nullptr;
  if (session.stdout_taken && session.json) {
    throw InputError(fmt::format("{} and --json both write to standard output: name a file",
                                 *outputs.on_stdout()));
  }
}
bool Verb::given(const std::string& name) const {
  const CLI::Option* option = app_->get_option_no_throw(name);
  return option != nullptr && option->count() != 0;
}
void Verb::check_words(int argc, const char* const* argv) const {
  std::vector<std::string> known;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back(name);
  }
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;
    const bool is_long = word.starts_with("--");
    const bool is_short = word.size() > 1 && word[0] == '-' && std::isalpha(word[1]) != 0;
    if (!is_long && !is_short) continue;
    const std::string name(is_long ? word.substr(2, word.find('=') - 2) : word.substr(1, 1));
    const CLI::Option* option = app_->get_option_no_throw((is_long ? "--" : "-") + name);
    if (option != nullptr) {
      // The words that it needs are its values, whatever they look like (--title -x).
      const bool holds_value = is_long ? name.size() + 2 < word.size() : word.size() > 2;
      if (!holds_value) i += option->get_items_expected_min();
      continue;
    }
    const std::string best = is_long ? closest(name, known) : "";
    throw InputError(fmt::format("unknown option {}{}", is_long ? "--" + name : word,
                                 best.empty() ? "" : fmt::format("; did you mean --{}?", best)));
  }
}
std::string Verb::reworded(const std::string& message) const {
  for (const Option& option : options_) {
    const std::string theirs = option.option_->get_name();
    const std::string name = option.name();
    if (message == theirs + " is required") return name + " is required";
    if (!message.starts_with(theirs + ": ")) continue;
    if (message.ends_with(" missing")) return fmt::format("{} needs {}", name, option.expected_);
    if (message.find("At Most") != std::string::npos) return name + " is given more than once";
    return name + message.substr(theirs.size());
  }
  if (const std::size_t at = message.find(" excludes "); at != std::string::npos) {
    return fmt::format("give either {} or {}", message.substr(0, at), message.substr(at + 10));
  }
  return message;
}

CommandLine::CommandLine(const std::string& name, const std::string& summary,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(summary)) {
  app_->name(name);
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version);
  app_->set_help_flag("-h,--help", "this text");
  app_->set_help_all_flag("--help-all", "the same with all options");
  app_->formatter(help_format());
}
CommandLine::~CommandLine() = default;

Verb* CommandLine::add_verb(const std::string& name, const std::string& summary) {
  return &verbs_.emplace_back(*app_->add_subcommand(name, summary));
}

void CommandLine::run(int argc, const char* const* argv) {
  const Verb* verb = nullptr;
  if (argc > 1 && argv[1][0] != '-') {
    verb = &*std::ranges::find_if(verbs_, [&](const Verb& v) { return v.name() == argv[1]; });
    verb->check_words(argc, argv);
  }
  const auto fail = [&](const std::string& message) {
    throw InputError(fmt::format("{}\n'fatwood help {}' lists the options.", message,
                                 verb == nullptr ? "VERB" : argv[1]));
  };
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> extras = app_->remaining(true);
    for (int i = 1; i < argc; ++i) {
      if (std::ranges::find(extras, argv[i]) != extras.end()) {
        fail(fmt::format("unexpected argument \"{}\"", argv[i]));
      }
    }
    fail("unexpected arguments");
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) fail(verb->reworded(error.what()));
    std::ostringstream help;
    app_->exit(error, help, help);
    fmt::print("{}", help.str());
  }
}

}  // namespace fatwood::cli
