// SPDX-License-Identifier: BSD-3-Clause
#include "verify/losses/loss_proof.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/parallel.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

using PortChange = BgpSearch::Change;

// What a loss changes in one row.
struct LossChange {
  std::uint32_t row;
  std::vector<PortChange> at;
};

bool is_free(const DependencyGraph& graph) {
  return topological_order(graph).size() == graph.size();
}

class LossProver {
 public:
  LossProver(const Fabric& fabric, const Routing& routing, const std::vector<Loss>& losses,
             const LossProofOptions& options)
      : fabric_(fabric),
        losses_(losses),
        options_(options),
        as_(options.as != nullptr ? *options.as : own_as_numbers(fabric)),
        rows_(fabric, routing, options.sources, options.threads),
        changes_(losses.size()),
        new_ports_(losses.size()),
        locks_(kLocks) {}

  LossProof run() {
    LossProof proof;
    proof.rows = rows_.rows().size();
    proof.verdicts.resize(losses_.size());
    for (std::size_t r = 0; r < proof.rows; ++r) {
      lost_now_.push_back(rows_.lost_pairs(r, rows_.groups(r), kNone<Switch>));
      proof.lost_before += lost_now_.back();
    }
    for (const Switch s : ids<Switch>(fabric_.num_switches())) hosts_ += rows_.hosts(s);
    const DependencyGraph before = graph_of(nullptr);
    proof.free_before = is_free(before);
    find_changes(proof);
    prove(proof, before);
    return proof;
  }

 private:
  static constexpr std::size_t kLocks = 256;

  // --- what losses change ---
  struct Worker {
    BgpSearch search;
    std::vector<std::uint8_t> dead;
    std::vector<PortMask> groups;
  };
  void find_changes(LossProof& proof) {
    for (const Loss& loss : losses_) ends_.push_back(rows_.ends(loss));
    const std::vector<std::uint8_t> none(fabric_.num_channels());
    std::atomic<std::size_t> done = 0;
    parallel_with(Worker{BgpSearch(fabric_, as_), none, {}}, rows_.rows().size(), options_.threads,
                  [&](std::size_t r, Worker& worker) {
                    if (options_.protocol == AfterLoss::kNone) {
                      worker.search.take(rows_.groups(r));
                    } else {
                      worker.search.run(rows_.rows()[r].home);
                    }
                    for (std::size_t i = 0; i < losses_.size(); ++i) {
                      rows_.mark(losses_[i], 1, worker.dead);
                      change_row(r, i, worker, proof);
                      rows_.mark(losses_[i], 0, worker.dead);
                    }
                    tell(done, rows_.rows().size(), "routes after each loss");
                  });
  }

  void change_row(std::size_t r, std::size_t loss, Worker& worker, LossProof& proof) {
    const std::vector<Switch>& ends = ends_[loss];
    const Switch removed = losses_[loss].removed;
    const bool gone = rows_.rows()[r].home == removed;
    const bool emptied = !gone && rows_.empties(r, worker.dead, ends);
    const std::uint64_t silent = removed == kNone<Switch> ? 0 : rows_.hosts(removed);
    if (!gone && !emptied && silent == 0) return;
    LossChange change{static_cast<std::uint32_t>(r), {}};
    std::uint64_t lost = 0;
    bool new_ports = false;
    if (!emptied && lost_now_[r] == 0) {
      const std::uint64_t to = rows_.rows()[r].destinations;
      lost = gone ? (hosts_ - 1) * to : silent * to;
    } else {
      worker.groups.assign(rows_.groups(r).begin(), rows_.groups(r).end());
      for (const PortChange& one : changes_at(worker, loss, emptied)) {
        new_ports = new_ports || (one.rerouted && count_ports(one.ports) > 0);
        worker.groups[index(one.at)] = one.ports;
        change.at.push_back(one);
      }
      lost = rows_.lost_pairs(r, worker.groups, removed) - lost_now_[r];
    }
    const std::lock_guard lock(locks_[loss % kLocks]);
    proof.verdicts[loss].pairs_lost += lost;
    proof.verdicts[loss].changes += change.at.size();
    if (new_ports) new_ports_[loss] = 1;
    const bool needed = new_ports || !proof.free_before;
    if (needed && !change.at.empty()) changes_[loss].push_back(std::move(change));
  }
  // Those that count in this state.
  std::vector<PortChange> changes_at(Worker& worker, std::size_t loss, bool emptied) const {
    std::vector<PortChange> changes;
    if (!emptied) return changes;
    for (const PortChange& one : worker.search.lose(worker.dead, ends_[loss])) {
      const bool now =
          options_.state == LossState::kSettled || std::ranges::binary_search(ends_[loss], one.at);
      if (now && one.at != losses_[loss].removed) changes.push_back(one);
    }
    return changes;
  }

  void tell(std::atomic<std::size_t>& done, std::size_t all, const char* what) {
    const std::lock_guard lock(locks_.front());
    const std::size_t now = ++done;
    report(options_.progress, static_cast<double>(now) / static_cast<double>(all), what);
  }

  // --- what packets wait for ---
  // Calls visit(row, groups) for each row after the loss; before it for nullptr.
  template <class Visit>
  void each_row(const std::size_t* loss, const Visit& visit) const {
    std::vector<std::uint8_t> dead(fabric_.num_channels());
    std::vector<Switch> ends;
    std::span<const LossChange> changes;
    if (loss != nullptr) {
      rows_.mark(losses_[*loss], 1, dead);
      ends = ends_[*loss];
      changes = changes_[*loss];
    }
    std::vector<PortMask> groups;
    std::size_t next = 0;
    for (std::size_t r = 0; r < rows_.rows().size(); ++r) {
      const bool gone = loss != nullptr && rows_.rows()[r].home == losses_[*loss].removed;
      groups.assign(rows_.groups(r).begin(), rows_.groups(r).end());
      for (const Switch s : ends) {
        for (const SwitchLink& link : fabric_.links(s)) {
          if (dead[index(link.channel)] != 0) drop(groups[index(s)], link.port);
        }
      }
      if (next < changes.size() && changes[next].row == r) {
        for (const PortChange& one : changes[next].at) groups[index(one.at)] = one.ports;
        ++next;
      }
      if (!gone) visit(r, groups);
    }
  }
  Switch removed_by(const std::size_t* loss) const {
    return loss == nullptr ? kNone<Switch> : losses_[*loss].removed;
  }
  DependencyGraph graph_of(const std::size_t* loss) const {
    DependencyGraph graph(fabric_);
    each_row(loss, [&](std::size_t r, std::span<const PortMask> groups) {
      rows_.lay(r, groups, removed_by(loss), graph);
    });
    return graph;
  }

  void prove(LossProof& proof, const DependencyGraph& before) {
    // Rows are found in any order.
    for (std::vector<LossChange>& some : changes_) std::ranges::sort(some, {}, &LossChange::row);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      if (!proof.free_before || new_ports_[i] != 0) open.push_back(i);
    }
    if (open.empty() || (proof.free_before && free_together(before, open))) return;
    std::vector<std::uint8_t> cyclic(open.size());
    std::atomic<std::size_t> done = 0;
    parallel_for(open.size(), options_.threads, [&](std::size_t k, int) {
      cyclic[k] = is_free(graph_of(&open[k])) ? 0 : 1;
      tell(done, open.size(), "losses that add routes");
    });
    std::vector<std::size_t> shown;
    for (std::size_t k = 0; k < open.size(); ++k) {
      proof.verdicts[open[k]].free = cyclic[k] == 0;
      if (cyclic[k] != 0 && shown.size() < options_.cycles) shown.push_back(open[k]);
    }
    parallel_for(shown.size(), options_.threads, [&](std::size_t k, int) {
      proof.verdicts[shown[k]].cycle = cycle_after(shown[k]);
    });
  }

  // Whether no cycle comes with all the new rows.
  bool free_together(const DependencyGraph& before, const std::vector<std::size_t>& open) const {
    DependencyGraph all = before;
    for (const std::size_t loss : open) {
      for (const LossChange& change : changes_[loss]) {
        const std::span<const PortMask> old = rows_.groups(change.row);
        std::vector<PortMask> groups(old.begin(), old.end());
        for (const PortChange& one : change.at) groups[index(one.at)] = one.ports;
        rows_.lay(change.row, groups, losses_[loss].removed, all);
      }
    }
    return is_free(all);
  }

  std::vector<LossStep> cycle_after(std::size_t loss) const {
    std::vector<LossStep> cycle;
    const DependencyGraph graph = graph_of(&loss);
    const std::vector<std::uint32_t> vertices = shortest_cycle(graph);
    for (const std::uint32_t v : vertices) cycle.push_back({graph.channel(v)});
    const DependencyGraph empty(fabric_);
    std::size_t open = cycle.size();
    each_row(&loss, [&](std::size_t r, std::span<const PortMask> groups) {
      if (open == 0) return;
      DependencyGraph own = empty;
      rows_.lay(r, groups, losses_[loss].removed, own);
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const std::uint32_t next = vertices[(i + 1) % cycle.size()];
        if (cycle[i].destination != kNone<Destination> || !own.depends(vertices[i], next)) continue;
        cycle[i].destination = rows_.rows()[r].first;
        --open;
      }
    });
    return cycle;
  }

  const Fabric& fabric_;
  const std::vector<Loss>& losses_;
  const LossProofOptions& options_;
  Table<Switch, std::uint32_t> as_;
  LossRows rows_;
  std::uint64_t hosts_ = 0;                       // that send
  std::vector<std::uint64_t> lost_now_;           // by row
  std::vector<std::vector<Switch>> ends_;         // by loss
  std::vector<std::vector<LossChange>> changes_;  // by loss
  std::vector<std::uint8_t> new_ports_;           // by loss: some switch takes other ports
  std::vector<std::mutex> locks_;
};

}  // namespace

LossProof prove_losses(const Fabric& fabric, const Routing& routing,
                       const std::vector<Loss>& losses, const LossProofOptions& options) {
  return LossProver(fabric, routing, losses, options).run();
}

bool gives_routes(const Fabric& fabric, const Routing& routing,
                  const Table<Switch, std::uint32_t>& as, int threads) {
  const LossRows rows(fabric, routing, Sources::kTerminals, threads);
  std::atomic<bool> same = true;
  parallel_with(BgpSearch(fabric, as), rows.rows().size(), threads,
                [&](std::size_t r, BgpSearch& search) {
                  if (!same) return;
                  const std::vector<PortMask>& ports = search.run(rows.rows()[r].home);
                  for (const Switch s : ids<Switch>(fabric.num_switches())) {
                    if (routing.unknown.at(rows.rows()[r].first, s)) continue;
                    if (ports[index(s)] != rows.groups(r)[index(s)]) same = false;
                  }
                });
  return same;
}

}  // namespace fatwood
