// SPDX-License-Identifier: BSD-3-Clause
#include "report/proof/flow_report.hpp"

#include <fmt/format.h>

#include "report/json.hpp"
#include "report/proof/ethernet_verdict.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

Channel channel_of(const Fabric& fabric, Switch s, Port port) {
  return fabric.channel(fabric.node(s), port);
}

// Where a port leads.
std::string far_end(const Fabric& fabric, const Names& labels, Channel c) {
  return fabric.connected(c) ? interface_text(fabric, labels, fabric.peer(c)) : "";
}

}  // namespace

std::string choices_text(const Fabric& fabric, const Names& labels, const FlowPaths& paths) {
  std::string text;
  for (const FlowStep& step : paths.steps) {
    text += fmt::format("{} {} by {}\n", step.hops, unique_name(fabric, step.at),
                        step.ports.empty() ? "no port" : counted(step.ports.size(), "port"));
    for (const Port port : step.ports) {
      const Channel c = channel_of(fabric, step.at, port);
      const std::string there = far_end(fabric, labels, c);
      text += fmt::format("    {}{}\n", interface_text(fabric, labels, c),
                          there.empty() ? "" : " -> " + there);
    }
  }
  return text + (paths.failure.empty() ? "reached by every choice\n"
                                       : fmt::format("not reached: {}\n", paths.failure));
}

std::string choices_json(const Fabric& fabric, const Names& labels, const FlowPaths& paths) {
  Json json{{"reached", paths.failure.empty()}, {"failure", paths.failure}};
  json["steps"] = Json::list(paths.steps, [&](const FlowStep& step) {
    return Json{{"switch", unique_name(fabric, step.at)},
                {"hops", step.hops},
                {"ports", Json::list(step.ports, [&](Port port) {
                   const Channel c = channel_of(fabric, step.at, port);
                   return Json{{"out", interface_text(fabric, labels, c)},
                               {"to", text_or_null(far_end(fabric, labels, c))}};
                 })}};
  });
  return document(std::move(json));
}

std::string pause_text(const Model& model, const Names& labels, const PauseSpread& spread,
                       std::size_t top) {
  const Fabric& fabric = model.fabric();
  std::string text = fmt::format(
      "{} pauses its cable for ever: {} between switches can stop, and {} out of hosts.\n",
      port_name(fabric, fabric.terminal_channel(spread.host)),
      counted(spread.between_switches, "channel"), spread.out_of_hosts);
  std::size_t shown = 0;
  for (const Channel c : spread.stopped) {
    if (!fabric.is_switch(fabric.owner(c)) || shown == top) continue;
    ++shown;
    text += fmt::format("  {} -> {}\n", interface_text(fabric, labels, c),
                        interface_text(fabric, labels, fabric.peer(c)));
  }
  if (spread.between_switches > shown) {
    text += fmt::format("  and {} more (--top, --json)\n", spread.between_switches - shown);
  }
  for (const PausedJob& job : spread.jobs) {
    text += fmt::format(
        "{:<8} job {}: {} of {} ports can stop sending, {} of them because they "
        "send to the host\n",
        job.stops ? "STOPS" : "runs", job.name, job.senders, job.hosts.size(), job.direct);
  }
  return text;
}

std::string pause_json(const Model& model, const Names& labels, const PauseSpread& spread) {
  const Fabric& fabric = model.fabric();
  Json json{{"paused", port_name(fabric, fabric.terminal_channel(spread.host))},
            {"channels_between_switches", spread.between_switches},
            {"channels_out_of_hosts", spread.out_of_hosts}};
  json["stopped"] = Json::list(spread.stopped,
                               [&](Channel c) { return Json(interface_text(fabric, labels, c)); });
  json["jobs"] = Json::list(spread.jobs, [&](const PausedJob& job) {
    return Json{{"name", job.name},
                {"stops", job.stops},
                {"ports", job.hosts.size()},
                {"stopped", job.senders},
                {"direct", job.direct}};
  });
  return document(std::move(json));
}

}  // namespace fatwood
