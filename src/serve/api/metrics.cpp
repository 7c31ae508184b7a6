// SPDX-License-Identifier: BSD-3-Clause
#include "serve/api/metrics.hpp"

#include <fmt/format.h>

#include "core/version.hpp"

namespace fatwood::serve {

namespace {

constexpr double kBytesOfGigabit = 1e9 / 8;

// Backslash, quote and line end, as the format asks for.
std::string label_value(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

class Lines {
 public:
  void head(std::string_view name, std::string_view type, std::string_view help) {
    text_ += fmt::format("# HELP fatwood_{0} {2}\n# TYPE fatwood_{0} {1}\n", name, type, help);
  }
  void value(std::string_view name, double value, std::string_view labels = "") {
    text_ += fmt::format("fatwood_{}{} {}\n", name, labels, value);
  }
  void gauge(std::string_view name, double number, std::string_view help) {
    head(name, "gauge", help);
    value(name, number);
  }
  void counter(std::string_view name, double number, std::string_view help) {
    head(name, "counter", help);
    value(name, number);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_rates(Lines& lines, const Facts& facts) {
  if (facts.rates) {
    constexpr auto kName = "pair_rate_bytes_per_second";
    lines.head(kName, "gauge",
               "Rate per host of pairs of hosts when all send to all: the worst pair, the 1st and "
               "10th percentile, the median.");
    lines.value(kName, facts.rates->worst * kBytesOfGigabit, "{pairs=\"worst\"}");
    lines.value(kName, facts.rates->p1 * kBytesOfGigabit, "{pairs=\"p1\"}");
    lines.value(kName, facts.rates->p10 * kBytesOfGigabit, "{pairs=\"p10\"}");
    lines.value(kName, facts.rates->median * kBytesOfGigabit, "{pairs=\"median\"}");
    lines.gauge("port_rate_bytes_per_second", facts.rates->port * kBytesOfGigabit,
                "Rate of the fastest host's ports.");
  }
  if (facts.jobs) {
    constexpr std::string_view kJobs = "job_efficiency_ratio";
    lines.head(kJobs, "gauge",
               "What jobs on a part of the compute hosts get of what their own cables allow: mean, "
               "worst, and what the cables of the fabric allow.");
    lines.value(kJobs, facts.jobs->mean, "{jobs=\"mean\"}");
    lines.value(kJobs, facts.jobs->worst, "{jobs=\"worst\"}");
    lines.value(kJobs, facts.jobs->ideal, "{jobs=\"ideal\"}");
  }
  if (facts.evenness_mean) {
    lines.gauge("evenness_mean_ratio", *facts.evenness_mean,
                "Most loaded link of a cut over its fair share, mean over cuts; 1 is best.");
  }
  if (facts.evenness_worst) {
    lines.gauge("evenness_worst_ratio", *facts.evenness_worst,
                "Most loaded link of a cut over its fair share, worst cut; 1 is best.");
  }
  if (facts.hottest.empty()) return;
  lines.head("link_load_flows", "gauge",
             "Flows on the most loaded links when all hosts send to all, per link of usual speed.");
  for (const HotLink& link : facts.hottest) {
    lines.value(
        "link_load_flows", link.load,
        fmt::format("{{from=\"{}\",to=\"{}\"}}", label_value(link.from), label_value(link.to)));
  }
}

void add_facts(Lines& lines, const Facts& facts) {
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  lines.gauge("hosts", number(facts.hosts), "Hosts of the fabric.");
  lines.gauge("adapters", number(facts.adapters), "Adapters that count as senders and receivers.");
  lines.gauge("switches", number(facts.switches), "Switches of the fabric.");
  lines.gauge("links", number(facts.links), "Cables of the fabric.");
  lines.gauge("missing_cables", number(facts.missing_cables),
              "Cables that the shape of the fabric asks for and that are not there.");
  lines.gauge("slow_cables", number(facts.slow_cables), "Cables below the usual speed.");
  lines.gauge("unreachable_pairs", number(facts.unreachable_pairs),
              "Ordered pairs of end ports without a route.");
  lines.gauge("routing_loops", number(facts.loops), "Routes that never arrive.");
  lines.gauge("deadlock_free", facts.deadlock_free ? 1 : 0,
              "1 where packets of hosts can't deadlock, 0 where the routes have a credit loop.");
  lines.gauge(
      "differing_entries", number(facts.differing_entries),
      "Forwarding entries that differ from the first tables of this fabric that were proved.");
  add_rates(lines, facts);
}

}  // namespace

std::string metrics_text(const LiveView& state, std::size_t event_clients,
                         const std::map<std::string, TaskTimes>& tasks) {
  Lines lines;
  lines.head("build_info", "gauge", "Version of Fatwood.");
  lines.value("build_info", 1, fmt::format("{{version=\"{}\"}}", version()));
  lines.gauge("up", state.facts ? 1 : 0, "1 once the fabric was read.");
  lines.gauge("data_age_seconds", state.age_seconds, "Time since the fabric was read last.");
  lines.counter("reads_total", static_cast<double>(state.reads), "Readings of the fabric.");
  lines.counter("failed_reads_total", static_cast<double>(state.failed_reads),
                "Readings of the fabric that failed; the last good one stays.");
  lines.gauge("history_error", state.history_error.empty() ? 0 : 1,
              "1 where the last state could not be written to the history.");
  lines.counter("changes_total", static_cast<double>(state.changes_made),
                "Changes of the what-if state.");
  lines.counter("worker_starts_total", static_cast<double>(state.worker_starts),
                "Starts of the process that computes; more than one: it died.");
  lines.gauge("event_clients", static_cast<double>(event_clients), "Clients of the event stream.");
  if (!tasks.empty()) {
    lines.head("task_duration_seconds", "summary", "Durations of tasks by verb.");
    for (const auto& [verb, times] : tasks) {
      const std::string label = fmt::format("{{verb=\"{}\"}}", label_value(verb));
      lines.value("task_duration_seconds_sum", times.seconds, label);
      lines.value("task_duration_seconds_count", static_cast<double>(times.number), label);
    }
    lines.head("task_failures_total", "counter", "Tasks that failed, by verb.");
    for (const auto& [verb, times] : tasks) {
      lines.value("task_failures_total", static_cast<double>(times.failed),
                  fmt::format("{{verb=\"{}\"}}", label_value(verb)));
    }
  }
  if (state.facts) add_facts(lines, *state.facts);
  return lines.take();
}

}  // namespace fatwood::serve
