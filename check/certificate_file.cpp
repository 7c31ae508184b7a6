// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"
#include "lines.hpp"

namespace check {
namespace {

// "fatwood certificate 1", and the rest as the manual has it.
class CertificateReader {
 public:
  CertificateReader(const std::string& path, const Fabric& fabric)
      : lines_(path), fabric_(fabric) {}

  Certificate read() {
    next("\"fatwood certificate 1\"");
    lines_.expect("fatwood certificate 1");
    end_of_line();
    certificate_.fabric = fingerprint("fabric ");
    certificate_.tables = fingerprint("tables ");
    next("\"sources\"");
    if (lines_.accept("sets 0x")) {
      certificate_.adaptive = true;
      certificate_.sets = lines_.guid("a fingerprint");
      end_of_line();
      next("\"choice\"");
      lines_.expect("choice ");
      certificate_.some_choice = lines_.accept("some");
      if (!certificate_.some_choice) lines_.expect("every");
      end_of_line();
      next("\"sources\"");
    }
    if (lines_.accept("lane-map 0x")) {
      certificate_.changing = true;
      certificate_.lane_map = lines_.guid("a fingerprint");
      if (certificate_.some_choice) lines_.fail("expected \"choice every\" before a lane map");
      end_of_line();
      next("\"sources\"");
    }
    lines_.expect("sources ");
    certificate_.terminals_only = lines_.accept("terminals");
    if (!certificate_.terminals_only) lines_.expect("all");
    end_of_line();
    next("\"lanes\"");
    lines_.expect("lanes ");
    const auto lanes = static_cast<unsigned>(lines_.decimal(256, "a number of lanes"));
    if (lanes == 0) lines_.fail("expected one lane or more");
    end_of_line();
    certificate_.place.assign(lanes, std::vector<Place>(fabric_.channels));
    if (certificate_.changing) {
      next("\"order\"");
      lines_.expect("order ");
      read_order(0);
    } else {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        next("\"lane\"");
        lines_.expect("lane " + std::to_string(lane) + " ");
        read_order(lane);
      }
    }
    next("\"end\"");
    lines_.expect("end");
    end_of_line();
    if (lines_.next()) lines_.fail("nothing is expected after \"end\"");
    return std::move(certificate_);
  }

 private:
  void next(const std::string& expected) {
    if (!lines_.next()) lines_.ends_early(expected);
  }
  void end_of_line() {
    if (!lines_.at_end()) lines_.fail("expected the end of the line");
  }
  std::uint64_t fingerprint(const std::string& head) {
    next("\"" + head + "\"");
    lines_.expect(head + "0x");
    const std::uint64_t value = lines_.guid("a fingerprint");
    end_of_line();
    return value;
  }

  void read_order(unsigned lane) {
    const std::uint64_t count = lines_.decimal(kNobody - 1, "a number of channels");
    end_of_line();
    for (std::uint32_t i = 0; i < count; ++i) {
      next("a channel: node GUID and port");
      lines_.expect("0x");
      const auto node = fabric_.by_guid.find(lines_.guid("a GUID"));
      if (node == fabric_.by_guid.end()) lines_.fail("the fabric has no node with this GUID");
      lines_.expect(" ");
      const std::vector<Port>& ports = fabric_.nodes[node->second].ports;
      const std::uint64_t port = lines_.decimal(kMaxPorts, "a port");
      if (port == 0 || port >= ports.size()) lines_.fail("the node has no such port");
      if (ports[port].channel == kNobody) lines_.fail("no cable leaves this port");
      if (certificate_.changing) {
        lines_.expect(" ");
        lane = static_cast<unsigned>(lines_.decimal(255, "a lane"));
        if (lane >= certificate_.place.size()) lines_.fail("there is no such lane");
      }
      end_of_line();
      Place& place = certificate_.place[lane][ports[port].channel];
      if (place.at != kNobody) lines_.fail("this channel has a place already");
      place = {i, static_cast<std::uint32_t>(lines_.line())};
    }
  }

  Lines lines_;
  const Fabric& fabric_;
  Certificate certificate_;
};

}  // namespace

Certificate read_certificate(const std::string& path, const Fabric& fabric) {
  return CertificateReader(path, fabric).read();
}

}  // namespace check
