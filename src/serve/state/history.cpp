// SPDX-License-Identifier: BSD-3-Clause
#include "serve/state/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/output.hpp"

namespace fatwood::serve {

namespace {

constexpr const char* kFacts = ".json";
constexpr const char* kFabric = ".fabric.json";
constexpr std::uint64_t kMillisecondsOfDay = 86'400'000;

// The number before the ending; nothing for files of others.
std::optional<std::uint64_t> id_of(const std::string& name, std::string_view ending) {
  if (!name.ends_with(ending)) return std::nullopt;
  return parse_number<std::uint64_t>(std::string_view(name).substr(0, name.size() - ending.size()));
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

void History::prepare() const {
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  if (error || !std::filesystem::is_directory(options_.folder)) {
    throw InputError({.file = options_.folder}, "can't make this folder for the history");
  }
  for (const auto& file : std::filesystem::directory_iterator(options_.folder)) {
    const std::string name = file.path().filename().string();
    if (id_of(name, kFabric) || id_of(name, kFacts) || name.find(".partial.") != name.npos) {
      continue;
    }
    throw InputError({.file = file.path().string()},
                     "is not a file of a history: give --history a folder of its own");
  }
}

std::string History::path(std::uint64_t id, const char* ending) const {
  return fmt::format("{}/{}{}", options_.folder, id, ending);
}

std::vector<std::uint64_t> History::ids() const {
  std::vector<std::uint64_t> found;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(options_.folder, error)) {
    const auto id = id_of(file.path().filename().string(), kFabric);
    if (id && std::filesystem::exists(path(*id, kFacts))) found.push_back(*id);
  }
  if (error) {
    throw InputError({.file = options_.folder},
                     fmt::format("can't read the folder of the history: {}", error.message()));
  }
  std::ranges::sort(found);
  return found;
}

void History::drop_old(std::uint64_t now) {
  const std::vector<std::uint64_t> all = ids();
  const std::uint64_t age = static_cast<std::uint64_t>(options_.days) * kMillisecondsOfDay;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {  // the newest stays
    if (all.size() - i <= options_.most && now - std::min(now, all[i]) <= age) break;
    std::error_code ignored;
    std::filesystem::remove(path(all[i], kFacts), ignored);
    std::filesystem::remove(path(all[i], kFabric), ignored);
  }
}

void History::keep(std::uint64_t now, const std::string& facts, const std::string& fabric) {
  const std::vector<std::uint64_t> all = ids();
  if (!all.empty()) now = std::max(now, all.back() + 1);
  PendingOutput first(path(now, kFabric), [&](std::ostream& out) { out << fabric; });
  PendingOutput second(path(now, kFacts), [&](std::ostream& out) { out << facts; });
  first.finish();
  second.finish();
  drop_old(now);
}

std::vector<StoredState> History::list() const {
  std::vector<StoredState> states;
  for (const std::uint64_t id : ids()) states.push_back({id, text_of(path(id, kFacts))});
  return states;
}

std::string History::fabric_file(std::uint64_t id) const { return path(id, kFabric); }

}  // namespace fatwood::serve
