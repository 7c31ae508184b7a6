#include "topology/level_meeting.hpp"

#include <algorithm>

namespace fatwood {
namespace {

// Marks the leaves that can be reached from a leaf by going up and then down.
class Walker {
 public:
  Walker(const SwitchNet& net, const Table<Switch, Level>& level)
      : net_(net), level_(level), mark_(net.size()), is_leaf_(net.size()), climbs_(net.size()) {}

  void add_leaf(Switch s) { is_leaf_[s] = 1; }
  void add_climber(Switch s) { climbs_[s] = 1; }  // has a switch above it

  // Stops as soon as all leaves of its part are marked; from the highest switch down, so that in
  // a whole tree the first one does.
  const Table<Switch, std::uint32_t>& from(Switch leaf, std::size_t leaves) {
    ++walk_;
    missing_ = leaves;
    reached_.clear();
    mark(leaf);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (climbs_[reached_[i]] != 0) extend(reached_[i], 1);
    }
    for (std::size_t up = reached_.size(); up-- > 0 && missing_ > 0;) {
      const std::size_t before = reached_.size();
      extend(reached_[up], -1);
      for (std::size_t i = before; i < reached_.size(); ++i) extend(reached_[i], -1);
    }
    return mark_;
  }
  std::uint32_t walk() const { return walk_; }

 private:
  void mark(Switch s) {
    mark_[s] = walk_;
    reached_.push_back(s);
    missing_ -= is_leaf_[s];
  }
  void extend(Switch s, int direction) {
    const int at = level_[s];
    for (const auto& edge : net_.edges(s)) {
      if ((static_cast<int>(level_[edge.to]) - at) * direction <= 0) continue;
      if (mark_[edge.to] != walk_) mark(edge.to);
    }
  }

  const SwitchNet& net_;
  const Table<Switch, Level>& level_;
  Table<Switch, std::uint32_t> mark_;
  Table<Switch, std::uint8_t> is_leaf_, climbs_;
  std::uint32_t walk_ = 0;
  std::size_t missing_ = 0;  // leaves not yet marked
  std::vector<Switch> reached_;
};

// The one switch of its level that a leaf is cabled to, if it is one.
Switch twin(const SwitchNet& net, const Table<Switch, Level>& level, Switch s) {
  Switch found = kNone<Switch>;
  for (const auto& edge : net.edges(s)) {
    if (level[edge.to] != level[s]) continue;
    if (found != kNone<Switch>) return kNone<Switch>;
    found = edge.to;
  }
  return found;
}

// Two leaves joined to each other, and to no others of their level.
bool twins(const SwitchNet& net, const Table<Switch, Level>& level, Switch a, Switch b) {
  return level[a] == 1 && level[b] == 1 && twin(net, level, a) == b && twin(net, level, b) == a;
}

}  // namespace

std::vector<Meeting> leaf_meetings(const SwitchNet& net, const Parts& parts,
                                   const Table<Switch, std::uint32_t>& hosts,
                                   const Table<Switch, Level>& level) {
  std::vector<Meeting> meetings(parts.count);
  std::vector<std::vector<Switch>> leaves(parts.count);
  std::size_t total = 0;
  Walker walker(net, level);
  for (const Switch s : ids<Switch>(net.size())) {
    if (hosts[s] > 0) meetings[parts.part[s]].hosts = true;
  }
  for (const Switch s : ids<Switch>(net.size())) {
    for (const auto& edge : net.edges(s)) {
      if (level[edge.to] == level[s] && !twins(net, level, s, edge.to)) {
        meetings[parts.part[s]].sideways = true;
      }
      if (level[edge.to] > level[s]) walker.add_climber(s);
    }
    if (meetings[parts.part[s]].hosts ? hosts[s] == 0 : level[s] != 1) continue;
    leaves[parts.part[s]].push_back(s);
    walker.add_leaf(s);
    ++total;
  }
  const std::size_t stride = std::max<std::size_t>(1, total / kSampledLeaves);
  for (std::uint32_t part = 0; part < parts.count; ++part) {
    Meeting& meeting = meetings[part];
    for (std::size_t i = 0; i < leaves[part].size(); i += stride) {
      const Switch a = leaves[part][i];
      const auto& mark = walker.from(a, leaves[part].size());
      for (const Switch b : leaves[part]) {
        if (b == a) continue;
        ++meeting.seen;
        if (mark[b] == walker.walk() || twins(net, level, a, b)) continue;
        ++meeting.apart;
        if (meeting.a == kNone<Switch>) meeting.a = a, meeting.b = b;
      }
    }
  }
  return meetings;
}

}  // namespace fatwood
