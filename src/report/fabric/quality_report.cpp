// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/quality_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text/parse_bytes.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

FindingKind kind_of(QualitySign sign) {
  switch (sign) {
    case QualitySign::kBitErrors:
      return FindingKind::kBitErrors;
    case QualitySign::kFlaps:
      return FindingKind::kFlaps;
    case QualitySign::kHotModule:
      return FindingKind::kHotModule;
    case QualitySign::kFecDiffers:
      return FindingKind::kFecDiffers;
    case QualitySign::kRawErrors:
      return FindingKind::kRawErrors;
  }
  return {};
}

std::string_view name_of(Suspect suspect) {
  constexpr std::string_view kNames[] = {"cable", "either-end", "module", "device", "setting"};
  return kNames[static_cast<std::size_t>(suspect)];
}

std::string_view name_of(Sureness sure) {
  constexpr std::string_view kNames[] = {"sure", "likely", "unclear"};
  return kNames[static_cast<std::size_t>(sure)];
}

class QualityWords {
 public:
  QualityWords(const Model& model, const RunData& run)
      : fabric_(model.fabric()), labels_(model.labels()), run_(run) {}

  std::string sentence(const BadCable& cable) const {
    std::string text = labels_.cable(cable.port) + ": ";
    std::vector<std::string> parts;
    for (const QualityEvidence& evidence : cable.evidence) parts.push_back(words(evidence));
    text += fmt::format("{}. {}", fmt::join(parts, "; "), suspect(cable));
    const std::string carried = carries(cable);
    return text + (carried.empty() ? "" : ". " + carried) + part(cable);
  }

  std::string sentence(const HotDevice& device, const QualityLimits& limits) const {
    return fmt::format("{}: {:g} C (limit {:g} C)", labels_(device.node), device.celsius,
                       limits.device_celsius);
  }

 private:
  std::string words(const QualityEvidence& evidence) const {
    const std::string port = labels_.port(evidence.port);
    switch (evidence.sign) {
      case QualitySign::kBitErrors:
        return fmt::format("symbol BER {:.2g} at {} (limit {:.2g})", evidence.value, port,
                           evidence.limit);
      case QualitySign::kRawErrors:
        return fmt::format("raw BER {:.2g} at {} (limit {:.2g}; corrected)", evidence.value, port,
                           evidence.limit);
      case QualitySign::kFlaps:
        return fmt::format("down {:.0f} times, counted by {}", evidence.value, port);
      case QualitySign::kHotModule:
        return fmt::format("module at {} {:g} C ({} {:g} C)", port, evidence.value,
                           evidence.bad ? "its limit" : "limit", evidence.limit);
      case QualitySign::kFecDiffers:
        break;
    }
    const Channel peer = fabric_.peer(evidence.port);
    return fmt::format("FEC {} at {}, {} at {}", run_.signals[evidence.port].fec, port,
                       run_.signals[peer].fec, labels_.port(peer));
  }

  std::string suspect(const BadCable& cable) const {
    const bool host = !fabric_.between_switches(cable.port);
    switch (cable.suspect) {
      case Suspect::kCable:
        return "Likely the cable: errors at both ends";
      case Suspect::kModule:
        return fmt::format("{} the module at {}",
                           cable.sure == Sureness::kSure ? "Surely" : "Likely",
                           labels_.port(cable.port));
      case Suspect::kDevice:
        return fmt::format("Likely {}: several such cables end there", labels_(cable.device));
      case Suspect::kSetting:
        return "Set the same error correction at both ends";
      case Suspect::kEitherEnd:
        break;
    }
    if (cable.evidence.front().sign == QualitySign::kFlaps) {
      return host ? "Unclear: the cable, a port, or a restart of the host"
                  : "Unclear: the cable or one of its ports";
    }
    return fmt::format("Unclear: the receiver of {}, the transmitter of {} or the cable",
                       labels_.port(cable.port), labels_.port(fabric_.peer(cable.port)));
  }

  static std::string carries(const BadCable& cable) {
    std::string text;
    if (cable.bytes)
      text = fmt::format("It sent {}", amount_text(static_cast<double>(*cable.bytes)));
    if (cable.share) {
      text += fmt::format("{} {:.2g} times a host's load in all-to-all",
                          text.empty() ? "It carries" : ", carries", cable.hosts);
    }
    return text;
  }

  std::string part(const BadCable& cable) const {
    if (run_.cables.empty() || run_.cables[cable.port].part.empty()) return "";
    const CableFacts& facts = run_.cables[cable.port];
    return fmt::format(" ({}{}{})", facts.part, facts.serial.empty() ? "" : ", serial ",
                       facts.serial);
  }

  const Fabric& fabric_;
  const Labels& labels_;
  const RunData& run_;
};

}  // namespace

std::string quality_text(const Model& model, const RunData& run, const QualityResult& result,
                         std::size_t most) {
  if (!result.known()) return "";
  const QualityWords words(model, run);
  const auto bad =
      static_cast<std::size_t>(std::ranges::count(result.cables, true, &BadCable::bad));
  std::string text =
      fmt::format("quality      {} with bit error rates, {} with a temperature: {} bad, {}\n",
                  counted(result.signals, "port"), counted(result.modules, "module"), bad,
                  counted(result.cables.size() - bad + result.devices.size(), "warning"));
  for (std::size_t i = 0; i < std::min(most, result.cables.size()); ++i) {
    const BadCable& cable = result.cables[i];
    text += fmt::format("  {:<10} {}\n", cable.bad ? "bad" : "warning", words.sentence(cable));
  }
  for (std::size_t i = 0; i < std::min(most, result.devices.size()); ++i) {
    text += fmt::format("  {:<10} {}\n", "hot", words.sentence(result.devices[i], result.limits));
  }
  return text;
}

Json quality_json(const Model& model, const RunData& run, const QualityResult& result,
                  std::size_t most) {
  if (!result.known()) return nullptr;
  const Labels& labels = model.labels();
  const QualityWords words(model, run);
  Json json{{"ports_with_signals", result.signals},
            {"modules", result.modules},
            {"bad", std::ranges::count(result.cables, true, &BadCable::bad)},
            {"cables", Json::array()},
            {"devices", Json::array()}};
  for (std::size_t i = 0; i < std::min(most, result.cables.size()); ++i) {
    const BadCable& cable = result.cables[i];
    Json evidence = Json::array();
    for (const QualityEvidence& one : cable.evidence) {
      evidence.push_back({{"sign", to_string(kind_of(one.sign))},
                          {"port", labels.port(one.port)},
                          {"value", one.value},
                          {"limit", one.limit}});
    }
    json["cables"].push_back(
        {{"link", labels.port(cable.port)},
         {"to", labels.port(model.fabric().peer(cable.port))},
         {"severity", cable.bad ? "bad" : "warn"},
         {"evidence", std::move(evidence)},
         {"suspect", name_of(cable.suspect)},
         {"sure", name_of(cable.sure)},
         {"device", cable.device == kNone<Node> ? Json() : Json(labels(cable.device))},
         {"bytes", cable.bytes},
         {"share", cable.share},
         {"text", words.sentence(cable)}});
  }
  for (const HotDevice& device : result.devices) {
    json["devices"].push_back({{"name", labels(device.node)}, {"celsius", device.celsius}});
  }
  return json;
}

std::vector<ReportedFinding> quality_findings(const Model& model, const RunData& run,
                                              const QualityResult& result) {
  const QualityWords words(model, run);
  std::vector<ReportedFinding> findings;
  for (const BadCable& cable : result.cables) {
    findings.push_back({.kind = kind_of(cable.evidence.front().sign),
                        .sentence = words.sentence(cable),
                        .ports = {cable.port, model.fabric().peer(cable.port)},
                        .nodes = {},
                        .cost = cable.hosts,
                        .severity = cable.bad ? Severity::kBad : Severity::kWarn});
  }
  for (const HotDevice& device : result.devices) {
    findings.push_back({.kind = FindingKind::kHotDevice,
                        .sentence = words.sentence(device, result.limits),
                        .ports = {},
                        .nodes = {device.node}});
  }
  return findings;
}

std::vector<ReportedFinding> quality_findings(const Model& model, const RunData& run,
                                              const Routing& routing, const QualityLimits& limits,
                                              int threads) {
  if (run.counters.empty() && run.signals.empty() && run.cables.empty() && run.celsius.empty()) {
    return {};
  }
  const auto paths = path_source(model, Routing(routing));
  const PathSource* const plain = paths->adaptive() == nullptr ? paths.get() : nullptr;
  return quality_findings(model, run, judge_quality(model, run, {limits, nullptr, plain, threads}));
}

}  // namespace fatwood
