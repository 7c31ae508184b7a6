#include "report/worst_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/link_load.hpp"
#include "analysis/oload.hpp"
#include "core/error.hpp"
#include "topology/whole_tree.hpp"

namespace fatwood {

namespace {

std::string value(const Fraction& fraction) {
  return fraction.den() == 1 ? fraction.to_string()
                             : fmt::format("{} ({:.4f})", fraction.to_string(), fraction.value());
}

std::string channel_name(const Fabric& fabric, Channel c) {
  if (c == kNone<Channel>) return "none";
  return fmt::format("{} -> {}", port_name(fabric, c), port_name(fabric, fabric.peer(c)));
}

std::string terminal_name(const Fabric& fabric, Terminal t) {
  return std::string(display_name(fabric, fabric.adapter(t)));
}

std::string traffic_text(const Fabric& fabric, const Traffic& traffic) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < traffic.flows.size() && i < kShown; ++i) {
    const Flow& flow = traffic.flows[i];
    text += fmt::format("  {} -> {}  {}\n", terminal_name(fabric, flow.source),
                        terminal_name(fabric, flow.destination), traffic.amount(flow).to_string());
  }
  if (traffic.flows.size() > kShown) {
    text +=
        fmt::format("  and {} more (--json or -o FILE has all)\n", traffic.flows.size() - kShown);
  }
  return text;
}

// The exact worst case, loaded again by other code.
void find_exactly(const Fabric& fabric, const WholeTree& tree, const PathSource& paths,
                  const WorstOptions& options, WorstReport& report) {
  const ObliviousRouting* closed = paths.oblivious();
  const CableUse use = closed != nullptr ? cable_use(*closed) : cable_use(fabric, tree, paths);
  report.exact = worst_case(use, options);
  report.exact->channel = tree.channel_at(report.exact->channel);
  Traffic by_place{.terminals = fabric.num_terminals()};
  report.traffic.terminals = fabric.num_terminals();
  for (const Demand& demand : report.exact->traffic) {
    by_place.flows.push_back({static_cast<Terminal>(demand.source),
                              static_cast<Terminal>(demand.destination), demand.amount});
    report.traffic.flows.push_back(
        {tree.terminal_at(demand.source), tree.terminal_at(demand.destination), demand.amount});
  }
  report.mload = max_load(link_loads(fabric, paths, report.traffic, options.threads));
  report.oload = tree_oload(tree.shape, by_place);
  report.bound_squared = single_path_bound_squared(tree.shape);
}

}  // namespace

WorstReport find_worst(const Model& model, const PathSource& paths, const std::string& routing,
                       const WorstOptions& options, std::size_t most_terminals) {
  WorstReport report;
  report.routing = routing;
  report.traffic_class = options.traffic;
  const Fabric& fabric = model.fabric();
  const std::optional<WholeTree>& tree = model.whole_tree();
  if (!tree) {
    report.why_bounds = "the fabric is no whole tree";
  } else if (tree->shape.up_ports(0) != 1) {
    report.why_bounds = "hosts have several ports";
  } else if (fabric.num_terminals() > most_terminals) {
    report.why_bounds = "the exact ratio of so large a tree takes long";
  } else {
    try {
      find_exactly(fabric, *tree, paths, options, report);
      return report;
    } catch (const PromiseError& error) {
      report.why_bounds = error.what();
      report.exact.reset();
    }
  }
  report.bounds = worst_bounds(fabric, paths, options);
  if (report.bounds->flows_solved >= options.most_solved) {
    report.why_bounds += fmt::format("; of its channels the {} with the most ends were looked at",
                                     options.most_solved);
  }
  report.traffic = report.bounds->traffic;
  return report;
}

std::string worst_text(const Fabric& fabric, const WorstReport& report) {
  const bool any = report.traffic_class == TrafficClass::kAny;
  std::string text = fmt::format("routing          {}\n", report.routing);
  if (report.exact) {
    text +=
        any ? fmt::format("oblivious ratio  {}\n", value(report.exact->load))
            : fmt::format("worst permutation loads a channel with {}\n", value(report.exact->load));
    text += fmt::format("channel          {}, {} between levels {} and {}\n",
                        channel_name(fabric, report.exact->channel),
                        report.exact->direction == Direction::kUp ? "up" : "down",
                        report.exact->level, report.exact->level + 1);
    text += fmt::format("loaded again     MLOAD {}, OLOAD {}, PERF {}\n", value(report.mload),
                        value(report.oload), value(report.mload / report.oload));
    if (any && report.bound_squared != 0) {
      text += fmt::format("lower bound      {:.4f} for any single-path routing of this tree\n",
                          std::sqrt(static_cast<double>(report.bound_squared)));
    }
    text += fmt::format("flows            {} solved for {} channels\n", report.exact->flows_solved,
                        report.exact->channels);
  } else {
    text += fmt::format("only bounds      {}\n", report.why_bounds);
    text +=
        any ? fmt::format("oblivious ratio  at most {}, at least {:.4f}\n",
                          value(report.bounds->at_most), report.bounds->ratio_at_least)
            : fmt::format("worst permutation loads a channel with {}{}\n",
                          report.bounds->exact ? "" : "at most ", value(report.bounds->at_most));
    text += fmt::format("channel          {}\n", channel_name(fabric, report.bounds->channel));
    text +=
        fmt::format("its load         {} under the traffic below, whose OLOAD is at most {:.4f}\n",
                    value(report.bounds->load), report.bounds->oload_at_most);
    text += fmt::format("flows            {} solved\n", report.bounds->flows_solved);
  }
  return text + "traffic\n" + traffic_text(fabric, report.traffic);
}

std::string worst_json(const Fabric& fabric, const WorstReport& report) {
  nlohmann::ordered_json json;
  const char* key = report.traffic_class == TrafficClass::kAny ? "ratio" : "load";
  json["routing"] = report.routing;
  Channel channel = kNone<Channel>;
  if (report.exact) {
    channel = report.exact->channel;
    json[key] = report.exact->load.to_string();
    json["level"] = report.exact->level;
    json["direction"] = report.exact->direction == Direction::kUp ? "up" : "down";
    json["mload"] = report.mload.to_string();
    json["oload"] = report.oload.to_string();
    json["flows_solved"] = report.exact->flows_solved;
    if (report.bound_squared != 0) {
      json["single_path_bound"] = std::sqrt(static_cast<double>(report.bound_squared));
    }
  } else {
    channel = report.bounds->channel;
    json[key] = report.bounds->exact ? nlohmann::ordered_json(report.bounds->at_most.to_string())
                                     : nlohmann::ordered_json(nullptr);
    json[std::string(key) + "_at_most"] = report.bounds->at_most.to_string();
    if (report.traffic_class == TrafficClass::kAny) {
      json["ratio_at_least"] = report.bounds->ratio_at_least;
      json["oload_at_most"] = report.bounds->oload_at_most;
    }
    json["why_bounds"] = report.why_bounds;
    json["flows_solved"] = report.bounds->flows_solved;
  }
  json["channel"] = channel == kNone<Channel>
                        ? nlohmann::ordered_json(nullptr)
                        : nlohmann::ordered_json(channel_name(fabric, channel));
  json["traffic"] = nlohmann::ordered_json::array();
  for (const Flow& flow : report.traffic.flows) {
    json["traffic"].push_back({terminal_name(fabric, flow.source),
                               terminal_name(fabric, flow.destination),
                               report.traffic.amount(flow).to_string()});
  }
  return json.dump() + "\n";
}

}  // namespace fatwood
