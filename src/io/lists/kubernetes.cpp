// SPDX-License-Identifier: BSD-3-Clause
// Schedulers of Kubernetes (kubernetes.hpp has the rules). Cost: that of the tree.

#include "io/lists/kubernetes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/text/hostlist.hpp"
#include "io/lists/slurm.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kLongestLabel = 63;

// The tree with a tier for each switch: 0 for leaves, then one more than the highest below.
class Tiers {
 public:
  explicit Tiers(const Model& model) : tree_(named_slurm_tree(model, SlurmHosts::kCompute)) {
    std::map<std::string, std::size_t> number;
    for (std::size_t i = 0; i < tree_.switches.size(); ++i) number[tree_.switches[i].name] = i;
    tier_.resize(tree_.switches.size());
    parent_.resize(tree_.switches.size(), kNoParent);
    for (std::size_t i = 0; i < tree_.switches.size(); ++i) {  // children come first
      for (const std::string& child : tree_.switches[i].switches) {
        tier_[i] = std::max(tier_[i], tier_[number.at(child)] + 1);
        parent_[number.at(child)] = i;
      }
      count_ = std::max(count_, tier_[i] + 1);
    }
  }

  const SlurmTree& tree() const { return tree_; }
  std::size_t count() const { return count_; }
  std::size_t of(std::size_t row) const { return tier_[row]; }
  // Of a leaf, by tier: the highest switch above it that is at most there.
  std::vector<std::string> above(std::size_t leaf) const {
    std::vector<std::string> names;
    for (std::size_t tier = 0, at = leaf; tier < count_; ++tier) {
      while (parent_[at] != kNoParent && tier_[parent_[at]] <= tier) at = parent_[at];
      names.push_back(kubernetes_name(tree_.switches[at].name));
    }
    return names;
  }

 private:
  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
  SlurmTree tree_;
  std::vector<std::size_t> tier_, parent_;
  std::size_t count_ = 0;
};

std::vector<std::string> keys_of(const Tiers& tiers, const std::vector<std::string>& given) {
  std::vector<std::string> keys = given;
  if (keys.empty()) {
    for (std::size_t tier = 0; tier < tiers.count(); ++tier) {
      keys.push_back(fmt::format("fabric.topograph.run/tier-{}", tier));
    }
  }
  if (keys.size() < tiers.count()) {
    throw InputError(
        fmt::format("{}: {} for {} tiers; expected one for each, the nearest "
                    "to the hosts first",
                    param("labels"), keys.size(), tiers.count()));
  }
  keys.resize(tiers.count());
  return keys;
}

void write_head(std::ostream& out, const Tiers& tiers, std::string_view what) {
  out << "# " << what << ", written by fatwood\n";
  for (const auto& [names, why] :
       {std::pair{&tiers.tree().left_out, "without a name that a scheduler could know"},
        {&tiers.tree().service, "because no jobs run there"}}) {
    if (!names->empty()) out << "# left out, " << why << ": " << hostlist(*names) << '\n';
  }
}

void write_topology(std::ostream& out, const Model& model, const std::vector<std::string>& given,
                    std::string_view version, std::string_view scheduler) {
  const Tiers tiers(model);
  const std::vector<std::string> keys = keys_of(tiers, given);
  write_head(out, tiers, fmt::format("Topology for {}", scheduler));
  out << "# The labels of nodes: fatwood convert FABRIC --to topograph\n";
  out << fmt::format(
      "apiVersion: {}\nkind: Topology\nmetadata:\n  name: fabric\nspec:\n  levels:\n", version);
  for (std::size_t tier = keys.size(); tier-- > 0;) {
    out << fmt::format("    - nodeLabel: \"{}\"\n", keys[tier]);
  }
  out << "    - nodeLabel: \"kubernetes.io/hostname\"\n";
}

}  // namespace

std::string kubernetes_name(std::string_view text) {
  const auto good = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); };
  std::string name;
  for (char c : text.substr(0, kLongestLabel)) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    // It begins and ends with a letter or digit, and so does each part between dots.
    const bool part = !name.empty() && name.back() != '.' && name.back() != '-';
    name += good(c) || (part && c == '.') ? c : '-';
  }
  while (!name.empty() && !good(name.back())) name.pop_back();
  const std::size_t first = std::min(name.find_first_not_of("-."), name.size());
  return name.empty() ? "unnamed" : name.substr(first);
}

void write_topograph(std::ostream& out, const Model& model, const std::vector<std::string>& given) {
  const Tiers tiers(model);
  const std::vector<std::string> keys = keys_of(tiers, given);
  out << "#!/bin/sh\n";
  write_head(out, tiers, "Labels of nodes as topograph sets them");
  for (std::size_t i = 0; i < tiers.tree().switches.size(); ++i) {
    const std::vector<std::string>& nodes = tiers.tree().switches[i].nodes;
    if (nodes.empty()) continue;
    std::string labels;
    const std::vector<std::string> above = tiers.above(i);
    for (std::size_t tier = 0; tier < keys.size(); ++tier) {
      labels += fmt::format(" {}={}", keys[tier], above[tier]);
    }
    for (const std::string& node : nodes) {
      out << "kubectl label --overwrite node " << kubernetes_name(node) << labels << '\n';
    }
  }
}

void write_kueue(std::ostream& out, const Model& model, const std::vector<std::string>& keys) {
  write_topology(out, model, keys, "kueue.x-k8s.io/v1beta1", "Kueue");
}

void write_kai(std::ostream& out, const Model& model, const std::vector<std::string>& keys) {
  write_topology(out, model, keys, "kai.scheduler/v1alpha1", "the KAI scheduler");
}

void write_volcano(std::ostream& out, const Model& model, const std::vector<std::string>&) {
  const Tiers tiers(model);
  write_head(out, tiers, "HyperNodes for Volcano");
  for (std::size_t i = 0; i < tiers.tree().switches.size(); ++i) {
    const SlurmSwitch& row = tiers.tree().switches[i];
    out << fmt::format(
        "---\napiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata:\n  name: "
        "{}\nspec:\n  tier: {}\n  members:\n",
        kubernetes_name(row.name), tiers.of(i) + 1);
    const auto member = [&](std::string_view type, const std::string& name) {
      out << fmt::format(
          "    - type: {}\n      selector:\n        exactMatch:\n          name: \"{}\"\n", type,
          kubernetes_name(name));
    };
    for (const std::string& node : row.nodes) member("Node", node);
    for (const std::string& child : row.switches) member("HyperNode", child);
  }
}

}  // namespace fatwood
