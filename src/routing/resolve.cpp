// SPDX-License-Identifier: BSD-3-Clause
#include "routing/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "core/error.hpp"
#include "core/text/closest.hpp"

namespace fatwood {
namespace {

// An algebraic routing uses the levels of the formula that the tree is made from.
void refuse_hints(const Model& model, std::string_view algebraic) {
  const ModelHints& hints = model.hints();
  if (!model.fabric().tree()) return;  // a recognised tree has the levels that the hints make
  if (hints.roots.empty() && hints.compute.empty()) return;
  throw InputError(fmt::format("{} uses the levels of the tree's formula; remove {}", algebraic,
                               param(hints.roots.empty() ? "compute" : "roots")));
}

}  // namespace

ResolvedRouting resolve_routing(const Model& model, std::string_view text,
                                const RouteOptions& options, Prefer prefer,
                                std::span<const Engine> list) {
  const auto engine = std::ranges::find(list, text, &Engine::name);
  const bool is_engine = engine != list.end();
  const bool is_algebraic = find_algebraic(text) != nullptr;
  if (is_algebraic) refuse_hints(model, text);
  if (is_algebraic && !(is_engine && prefer == Prefer::kTables)) {
    if (const std::optional<CompleteTree>& tree = model.complete_tree()) {
      MadeAlgebraic made = make_algebraic(text, tree->shape, options.seed);
      return {std::move(made.routing), {}, std::move(made.note)};
    }
    if (!is_engine) {
      throw InputError(
          fmt::format("{} is an algebraic routing for complete trees, and this fabric is not one "
                      "(fatwood show says why)",
                      text));
    }
  }
  if (is_engine) return {nullptr, route(*engine, model, options), {}};
  std::string known;
  for (const AlgebraicKind& kind : algebraic_kinds()) known += fmt::format(" {}", kind.usage);
  for (const Engine& one : list) {
    if (find_algebraic(one.name) == nullptr) known += fmt::format(" {}", one.name);
  }
  throw InputError(fmt::format("there is no routing \"{}\"{}; the routings are:{}", text,
                               did_you_mean(text, list | std::views::transform(&Engine::name)),
                               known));
}

std::unique_ptr<PathSource> paths_of(const Model& model, ResolvedRouting routing) {
  if (routing.algebraic) return path_source(model, std::move(routing.algebraic));
  return path_source(model, std::move(routing.routing), std::move(routing.choice));
}

std::unique_ptr<PathSource> resolve_paths(const Model& model, std::string_view text,
                                          const RouteOptions& options,
                                          std::span<const Engine> list) {
  return paths_of(model, resolve_routing(model, text, options, Prefer::kClosedForm, list));
}

}  // namespace fatwood
