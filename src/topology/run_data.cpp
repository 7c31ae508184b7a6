#include "topology/run_data.hpp"

#include <algorithm>

namespace fatwood {

namespace {

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      text += static_cast<char>(c - 'A' + 'a');
    } else if (c != '_') {
      text += c;
    }
  }
  constexpr std::string_view kLong = "extended";
  if (text.ends_with(kLong)) text.resize(text.size() - kLong.size() + 3);
  return text;
}

}  // namespace

std::optional<std::size_t> PortCounters::column(std::string_view name) const {
  const std::string wanted = plain(name);
  const auto found =
      std::ranges::find(names, wanted, [](const auto& known) { return plain(known); });
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace fatwood
