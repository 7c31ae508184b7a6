// SPDX-License-Identifier: BSD-3-Clause
// The role of a host by its name: the last resort of roles.hpp.

#include <algorithm>
#include <array>
#include <cctype>

#include "topology/hosts/roles.hpp"

namespace fatwood {
namespace {

constexpr std::array<std::string_view, 11> kComputeWords{
    "booster", "cn", "compute", "cpu", "dgx", "gpu", "hgx", "knl", "nid", "node", "worker"};
constexpr std::array<std::string_view, 29> kStorageWords{
    "archive", "backup", "beegfs", "cache", "ceph",    "ddn",   "ess",  "fs",   "gpfs", "hsm",
    "io",      "lnet",   "lustre", "mds",   "mdt",     "mgs",   "nas",  "nfs",  "nsd",  "oss",
    "ost",     "san",    "stor",   "store", "storage", "swift", "tape", "vast", "weka"};
constexpr std::array<std::string_view, 29> kServiceWords{
    "adm",     "admin", "bastion",  "boot",   "build",     "bright", "frontend", "gateway",
    "gw",      "head",  "headnode", "login",  "manager",   "master", "mgmt",     "mgr",
    "mgt",     "mon",   "monitor",  "opensm", "provision", "router", "rtr",      "scheduler",
    "service", "slurm", "sm",       "svc",    "ufm"};

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::optional<Role> role_of_word(std::string_view word) {
  const auto in = [&](const auto& words) { return std::ranges::find(words, word) != words.end(); };
  if (in(kComputeWords)) return Role::kCompute;
  if (in(kStorageWords)) return Role::kStorage;
  if (in(kServiceWords)) return Role::kService;
  return std::nullopt;
}

}  // namespace

std::optional<Role> role_in_name(std::string_view name) {
  std::optional<Role> role;
  std::string word;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    if (i < name.size() && letter(name[i])) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
      continue;
    }
    if (word.empty()) continue;
    const auto here = role_of_word(word);
    if (here && (!role || here != Role::kCompute)) role = here;
    word.clear();
  }
  return role;
}

std::string name_stem(std::string_view name) {
  std::string stem;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      stem += c;
    } else if (stem.empty() || stem.back() != '#') {
      stem += '#';
    }
  }
  return stem;
}

}  // namespace fatwood
