// SPDX-License-Identifier: BSD-3-Clause
#include "lengths.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace check {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t kNoPath = std::numeric_limits<std::uint64_t>::max();

struct Ratio {
  Wide above, below;
};

Ratio shortened(Ratio ratio) {
  Wide a = ratio.above;
  Wide b = ratio.below;
  while (b != 0) a = std::exchange(b, a % b);
  return a == 0 ? ratio : Ratio{ratio.above / a, ratio.below / a};
}

// Compares integer parts first, then the inverted remainders, so that no number grows.
bool at_least(Ratio a, Ratio b) {
  while (true) {
    const Wide whole_a = a.above / a.below;
    const Wide whole_b = b.above / b.below;
    if (whole_a != whole_b) return whole_a > whole_b;
    const Wide rest_a = a.above % a.below;
    const Wide rest_b = b.above % b.below;
    if (rest_b == 0) return true;
    if (rest_a == 0) return false;
    const Ratio upside_a{b.below, rest_b};
    b = {a.below, rest_a};
    a = upside_a;
  }
}

std::string decimal(Wide value) {
  std::string text;
  for (; value != 0 || text.empty(); value /= 10) {
    text.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
  }
  std::reverse(text.begin(), text.end());
  return text;
}
std::string text_of(Ratio ratio) {
  std::string text = decimal(ratio.above);
  if (ratio.below != 1) text.append(1, '/').append(decimal(ratio.below));
  return text;
}

// A port of a host with a cable, seen from the host.
struct Attachment {
  std::uint32_t at;  // number of the switch
  std::uint64_t out, in;
};

class LengthCheck {
 public:
  LengthCheck(const Fabric& fabric, const Lengths& lengths, Speeds speeds, unsigned lmc)
      : fabric_(fabric), length_(lengths.of), speed_(fabric.channels, 1), addresses_(1U << lmc) {
    find_hosts();
    if (speeds == Speeds::kGiven) find_speeds();
  }

  LengthFinding check(const Lengths& lengths) {
    const Wide travelled = travel();
    Wide room = 0;
    for (std::uint32_t c = 0; c < length_.size(); ++c) room += Wide{length_[c]} * speed_[c];
    if (room == 0) return {lengths.numerator == 0, "0", ""};
    const Ratio proved = shortened({travelled * usual_, room});
    LengthFinding finding;
    finding.bound = text_of(proved);
    finding.holds = at_least(proved, {lengths.numerator, lengths.denominator});
    if (const std::uint32_t speed = speed_of_lengths(); speed > 0) {
      const Chunks chunks = find_chunks();
      if (chunks.step == 0) return finding;
      // The load of the most loaded channel, rounded up to a whole step.
      const Wide below = room * chunks.step;
      const Wide steps = (chunks.travelled * speed + below - 1) / below;
      finding.of_tables =
          text_of(shortened({steps * chunks.step * usual_, Wide{speed} * chunks.units_in_one}));
    }
    return finding;
  }

 private:
  void find_hosts() {
    std::vector<bool> has_hosts(fabric_.switches.size());
    for (const Node& node : fabric_.nodes) {
      if (node.is_switch || node.aggregates) continue;
      std::vector<Attachment> ports;
      for (const Port& port : node.ports) {
        if (port.peer == kNobody || !fabric_.nodes[port.peer].is_switch) continue;
        const Port& back = fabric_.nodes[port.peer].ports[port.peer_port];
        ports.push_back(
            {fabric_.nodes[port.peer].number, length_[port.channel], length_[back.channel]});
        has_hosts[ports.back().at] = true;
      }
      if (!ports.empty()) hosts_.push_back(std::move(ports));
    }
    far_.resize(fabric_.switches.size());
    for (std::uint32_t s = 0; s < far_.size(); ++s) {
      if (has_hosts[s]) far_[s] = distances_from(s);
    }
  }

  std::vector<std::uint64_t> distances_from(std::uint32_t source) const {
    std::vector<std::uint64_t> far(fabric_.switches.size(), kNoPath);
    std::vector<bool> waiting(far.size());
    std::deque<std::uint32_t> again{source};
    far[source] = 0;
    while (!again.empty()) {
      const std::uint32_t s = again.front();
      again.pop_front();
      waiting[s] = false;
      for (const Port& port : fabric_.nodes[fabric_.switches[s]].ports) {
        if (port.peer == kNobody || !fabric_.nodes[port.peer].is_switch) continue;
        const std::uint32_t next = fabric_.nodes[port.peer].number;
        if (far[s] + length_[port.channel] >= far[next]) continue;
        far[next] = far[s] + length_[port.channel];
        if (!waiting[next]) again.push_back(next);
        waiting[next] = true;
      }
    }
    return far;
  }

  void find_speeds() {
    std::map<std::uint32_t, std::size_t> adapters;
    for (const Node& node : fabric_.nodes) {
      for (const Port& port : node.ports) {
        if (port.peer == kNobody) continue;
        const Port& back = fabric_.nodes[port.peer].ports[port.peer_port];
        const std::uint32_t rate = port.megabits > 0 ? port.megabits : back.megabits;
        if (!node.is_switch && rate > 0) ++adapters[rate];
        speed_[port.channel] = rate;
      }
    }
    std::size_t most = 0;
    for (const auto& [rate, count] : adapters) {  // slower ones first
      if (count < most) continue;
      most = count;
      usual_ = rate;
    }
    for (std::uint32_t& speed : speed_) speed = adapters.empty() ? 1 : speed == 0 ? usual_ : speed;
  }

  // From any port to any port; 0 if no cables lead there.
  std::uint64_t distance(const std::vector<Attachment>& from,
                         const std::vector<Attachment>& to) const {
    std::uint64_t least = kNoPath;
    for (const Attachment& a : from) {
      for (const Attachment& b : to) {
        const std::uint64_t between = far_[a.at][b.at];
        if (between != kNoPath) least = std::min(least, a.out + between + b.in);
      }
    }
    return least == kNoPath ? 0 : least;
  }

  Wide travel() const {
    Wide sum = 0;
    for (std::size_t s = 0; s < hosts_.size(); ++s) {
      for (std::size_t d = 0; d < hosts_.size(); ++d) {
        if (s != d) sum += distance(hosts_[s], hosts_[d]);
      }
    }
    return sum;
  }

  // The speed of the channels with a length; 0 if speeds differ, or if a host cable is among them.
  std::uint32_t speed_of_lengths() const {
    for (const std::vector<Attachment>& host : hosts_) {
      for (const Attachment& port : host) {
        if (port.out != 0 || port.in != 0) return 0;
      }
    }
    std::uint32_t one_speed = 0;
    for (std::uint32_t c = 0; c < length_.size(); ++c) {
      if (length_[c] == 0) continue;
      if (one_speed != 0 && speed_[c] != one_speed) return 0;
      one_speed = speed_[c];
    }
    return one_speed;
  }

  // Sums what tables send over the channels with a length.
  struct Chunks {
    std::uint64_t units_in_one = 1;  // of a flow
    std::uint64_t step = 0;          // divides every chunk that travels; 0: none does
    Wide travelled = 0;              // units times distance
  };
  Chunks find_chunks() const {
    Chunks chunks;
    std::set<std::uint64_t> ports;
    for (const auto& host : hosts_) ports.insert(host.size());
    for (const std::uint64_t a : ports) {
      for (const std::uint64_t b : ports) {
        chunks.units_in_one = std::lcm(chunks.units_in_one, a == b ? a : a * b);
      }
    }
    const bool one_switch = from_one_switch();
    for (const auto& host : hosts_) {
      for (std::size_t port = 0; port < host.size(); ++port) {
        const std::vector<std::uint64_t> sent = sent_to(host, port, chunks.units_in_one);
        std::uint64_t together = 0;
        for (std::uint32_t s = 0; s < sent.size(); ++s) {
          if (sent[s] == 0) continue;
          const std::uint64_t far = far_[s][host[port].at];
          if (far == 0 || far == kNoPath) continue;
          chunks.travelled += Wide{sent[s]} * far;
          together += sent[s];
          if (!one_switch) chunks.step = std::gcd(chunks.step, sent[s]);
        }
        if (one_switch) chunks.step = std::gcd(chunks.step, together);
      }
    }
    // All addresses of a port have the same bundles, each a share of the flow.
    chunks.units_in_one *= addresses_;
    chunks.travelled *= addresses_;
    return chunks;
  }

  // By switch: what its ports send to a port, in units.
  std::vector<std::uint64_t> sent_to(const std::vector<Attachment>& host, std::size_t port,
                                     std::uint64_t units_in_one) const {
    std::vector<std::uint64_t> sent(fabric_.switches.size());
    for (const auto& other : hosts_) {
      if (&other == &host) continue;
      const bool alike = other.size() == host.size();
      for (std::size_t i = 0; i < other.size(); ++i) {
        if (alike && i != port) continue;
        sent[other[i].at] += units_in_one / (alike ? host.size() : host.size() * other.size());
      }
    }
    return sent;
  }

  bool from_one_switch() const {
    std::size_t tails = 0;
    for (const Node& node : fabric_.nodes) {
      tails += std::any_of(node.ports.begin(), node.ports.end(), [&](const Port& port) {
        return port.channel != kNobody && length_[port.channel] != 0;
      });
    }
    return tails == 1;
  }

  const Fabric& fabric_;
  const std::vector<std::uint32_t>& length_;
  std::vector<std::uint32_t> speed_;
  std::uint64_t addresses_;  // of a port
  std::uint32_t usual_ = 1;
  std::vector<std::vector<Attachment>> hosts_;
  std::vector<std::vector<std::uint64_t>> far_;  // of switches with hosts
};

}  // namespace

LengthFinding check_lengths(const Fabric& fabric, const Lengths& lengths, Speeds speeds,
                            unsigned lmc) {
  return LengthCheck(fabric, lengths, speeds, lmc).check(lengths);
}

}  // namespace check
