// SPDX-License-Identifier: BSD-3-Clause
#include "cli/help_format.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "cli/command_line.hpp"

namespace fatwood::cli {

namespace {

class VerbHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
           options_text(app, mode) + "\n" + make_footer(app);
  }

 private:
  std::string options_text(const CLI::App* app, CLI::AppFormatMode mode) const {
    std::string text;
    std::string left_out;
    for (const std::string& group : app->get_groups()) {
      const auto options = app->get_options([&](const CLI::Option* option) {
        return option->get_group() == group && !option->get_positional();
      });
      if (group.empty() || options.empty()) continue;
      if (mode != CLI::AppFormatMode::All && is_for_all(*app, group)) {
        left_out += (left_out.empty() ? "" : ", ") + group;
        continue;
      }
      text += make_group(group, false, {options.begin(), options.end()});
    }
    if (!left_out.empty()) text += "\nWith --help-all also: " + left_out + "\n";
    return text;
  }

  // Of Option::one_each(): a value each time, and any number of times.
  static bool is_one_each(const CLI::Option& option) {
    return !option.get_allow_extra_args() && option.get_expected_max() > 1;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    if (is_one_each(*option)) text.erase(std::min(text.find(" ..."), text.size()), 4);
    return text;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_desc(option);
    return is_one_each(*option) ? text + "; may be repeated" : text;
  }

  // The options of engines are what route is about.
  static bool is_for_all(const CLI::App& app, std::string_view group) {
    if (group == heading::kEngines) return app.get_name() != "route";
    constexpr std::array<std::string_view, 3> kRest = {heading::kFaults, heading::kHints,
                                                       heading::kCommon};
    return std::ranges::find(kRest, group) != kRest.end();
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() {
  auto format = std::make_shared<VerbHelp>();
  format->column_width(26);
  return format;
}

}  // namespace fatwood::cli
