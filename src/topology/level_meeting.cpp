#include "topology/level_meeting.hpp"

#include <algorithm>

namespace fatwood {
namespace {

// Marks with `mark` what can be reached from a leaf by going up and then down.
class Walker {
 public:
  Walker(const SwitchNet& net, const Table<Switch, Level>& level)
      : net_(net), level_(level), mark_(net.size()) {}

  const Table<Switch, std::uint32_t>& from(Switch leaf) {
    ++walk_;
    reached_.assign(1, leaf);
    mark_[leaf] = walk_;
    extend(1);
    extend(-1);
    return mark_;
  }
  std::uint32_t walk() const { return walk_; }

 private:
  void extend(int direction) {
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const int at = level_[reached_[i]];
      for (const auto& edge : net_.edges(reached_[i])) {
        if ((static_cast<int>(level_[edge.to]) - at) * direction <= 0) continue;
        if (mark_[edge.to] == walk_) continue;
        mark_[edge.to] = walk_;
        reached_.push_back(edge.to);
      }
    }
  }

  const SwitchNet& net_;
  const Table<Switch, Level>& level_;
  Table<Switch, std::uint32_t> mark_;
  std::uint32_t walk_ = 0;
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

}  // namespace

std::vector<Meeting> leaf_meetings(const SwitchNet& net, const Parts& parts,
                                   const Table<Switch, std::uint32_t>& hosts,
                                   const Table<Switch, Level>& level) {
  std::vector<Meeting> meetings(parts.count);
  std::vector<std::vector<Switch>> leaves(parts.count);
  std::size_t total = 0;
  for (const Switch s : ids<Switch>(net.size())) {
    for (const auto& edge : net.edges(s)) {
      if (level[edge.to] == level[s]) meetings[parts.part[s]].sideways = true;
    }
    if (level[s] != 1 && hosts[s] == 0) continue;
    leaves[parts.part[s]].push_back(s);
    ++total;
  }
  const std::size_t stride = std::max<std::size_t>(1, total / kSampledLeaves);
  Walker walker(net, level);
  for (std::uint32_t part = 0; part < parts.count; ++part) {
    Meeting& meeting = meetings[part];
    for (std::size_t i = 0; i < leaves[part].size(); i += stride) {
      const Switch a = leaves[part][i];
      const auto& mark = walker.from(a);
      const Switch sister = twin(net, level, a);
      for (const Switch b : leaves[part]) {
        if (b == a) continue;
        ++meeting.seen;
        const bool pair = b == sister && twin(net, level, b) == a;
        if (mark[b] == walker.walk() || pair) continue;
        ++meeting.apart;
        if (meeting.a == kNone<Switch>) meeting.a = a, meeting.b = b;
      }
    }
  }
  return meetings;
}

}  // namespace fatwood
