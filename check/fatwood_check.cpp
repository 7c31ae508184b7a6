// SPDX-License-Identifier: BSD-3-Clause
// fatwood-check FABRIC TABLES PROOF: does the proof of deadlock freedom hold?
// fatwood-check --lengths FABRIC LENGTHS: do lengths prove a load (lengths.hpp)?
//
// Problem: a certificate of `fatwood verify` is an order of the channels of a fabric (one per lane,
// or one of channels in lanes). If every packet takes channels in ascending order, the channels
// have no cycle of dependencies, and nothing can deadlock [Dally87].
// Method: for each LID, walk the packets of every source from switch to switch along the tables,
// and compare positions in the order at each step. If a route meets an earlier one of the same LID
// and lane, the rest is the same and is not walked again. A route that loops cannot ascend.
// Trusted: this program and its readers, a C++ compiler, and that the files are what the switches
// have. The program shares no code with Fatwood and needs only the standard library:
//
//   c++ -std=c++20 -O2 -pthread *.cpp -o fatwood-check
//
// Cost: O(LIDs * (switches + hosts) * lanes), in parallel over LIDs.
// Exit status: 0 the proof holds, 1 it does not, 2 a file or the command line cannot be read.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "choices.hpp"
#include "fingerprint.hpp"
#include "lengths.hpp"
#include "lines.hpp"

namespace check {
namespace {

struct Finding {
  std::string why_not;          // empty: all routes walked so far ascend
  std::uint32_t lid = kNobody;  // of the route that does not
  std::uint64_t routes = 0;
  std::uint64_t lost = 0;     // of them: ended somewhere else
  std::uint64_t unowned = 0;  // LIDs that are nobody's
};

// Walks the packets to one LID after another; each thread has its own.
class Walker {
 public:
  explicit Walker(const Inputs& inputs)
      : in_(inputs),
        fabric_(inputs.fabric),
        hosts_(hosts_on_switches(fabric_)),
        arrives_(fabric_.switches.size()) {
    const std::size_t lanes = inputs.proof.place.size();
    if (inputs.proof.changing) {
      walked_.resize(kLevels * lanes * fabric_.channels, kNobody);
    } else {
      walked_.resize(lanes * fabric_.switches.size(), kNobody);
    }
  }

  // False if a route does not ascend; `finding` then says which.
  bool walk(std::uint32_t lid) {
    lid_ = lid;
    const std::uint32_t end = in_.tables.owner[lid].node;
    if (in_.proof.terminals_only && end != kNobody && fabric_.nodes[end].is_switch) return true;
    if (in_.proof.adaptive) return walk_adaptive();
    row_ = in_.tables.row[lid].data();
    const Owner owner = in_.tables.owner[lid];
    if (owner.node == kNobody) ++finding.unowned;
    find_arrivals(owner);
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      for (const Owner& host : hosts_[s]) {
        if (host.node == owner.node && host.port == owner.port) continue;
        if (!from(s, host)) return false;
      }
      if (!in_.proof.terminals_only && !from(s, {fabric_.switches[s], 0})) return false;
    }
    return true;
  }

  Finding finding;

 private:
  bool walk_adaptive() {
    if (in_.tables.owner[lid_].node == kNobody) ++finding.unowned;
    const ChoiceFinding found = walk_choices(in_, hosts_, lid_);
    finding.routes += found.routes;
    if (found.why_not.empty()) return true;
    finding.lid = lid_;
    finding.why_not = found.why_not;
    return false;
  }

  // The port by which a switch sends; null where the packet ends.
  const Port* out(std::uint32_t s) const {
    const unsigned entry = row_[s];
    const Node& node = fabric_.nodes[fabric_.switches[s]];
    if (entry == 0 || entry >= node.ports.size()) return nullptr;
    return node.ports[entry].peer == kNobody ? nullptr : &node.ports[entry];
  }

  // By switch: whether a packet there reaches the owner of the LID; -1: not yet known.
  void find_arrivals(const Owner& owner) {
    std::fill(arrives_.begin(), arrives_.end(), -1);
    std::vector<std::uint32_t> path;
    for (std::uint32_t start = 0; start < arrives_.size(); ++start) {
      path.clear();
      std::uint32_t s = start;
      int end = -1;
      while (end < 0) {
        if (arrives_[s] >= 0) {
          end = arrives_[s];
          break;
        }
        arrives_[s] = 0;  // a circle comes back here and is lost
        path.push_back(s);
        const Port* next = out(s);
        if (next == nullptr) {
          end = row_[s] == 0 && owner.node == fabric_.switches[s] ? 1 : 0;
        } else if (!fabric_.nodes[next->peer].is_switch) {
          end = owner.node == next->peer && owner.port == next->peer_port ? 1 : 0;
        } else {
          s = fabric_.nodes[next->peer].number;
        }
      }
      for (const std::uint32_t on_path : path) arrives_[on_path] = end;
    }
  }

  bool from(std::uint32_t s, const Owner& source) {
    ++finding.routes;
    if (arrives_[s] == 0) ++finding.lost;
    source_ = source;
    level_ = in_.levels.at(lid_, source.node, s);
    return in_.proof.changing ? changing_from(s) : keeping_from(s);
  }

  // One lane for the whole path, from the host's own cable to the last.
  bool keeping_from(std::uint32_t s) {
    const unsigned lane = in_.lanes.everywhere[level_];
    if (lane >= in_.proof.place.size()) return refuse(0, "its lane has no order");
    const std::vector<Place>& place = in_.proof.place[lane];
    const Port* wanted = out(s);
    if (source_.port != 0 && wanted != nullptr &&
        !step(place, fabric_.nodes[source_.node].ports[source_.port], *wanted)) {
      return false;
    }
    std::uint32_t* walked = walked_.data() + lane * fabric_.switches.size();
    while (wanted != nullptr && walked[s] != lid_) {
      walked[s] = lid_;
      const Node& there = fabric_.nodes[wanted->peer];
      if (!there.is_switch) return true;
      s = there.number;
      const Port* held = wanted;
      wanted = out(s);
      if (wanted != nullptr && !step(place, *held, *wanted)) return false;
    }
    return true;
  }
  bool step(const std::vector<Place>& place, const Port& held, const Port& wanted) {
    const Place& a = place[held.channel];
    const Place& b = place[wanted.channel];
    if (a.at < b.at && b.at != kNobody) return true;
    if (a.at == kNobody) return refuse(0, "channel " + name(held) + " has no place in the order");
    if (b.at == kNobody) return refuse(0, "channel " + name(wanted) + " has no place in the order");
    return refuse(a.line, "channel " + name(held) + " waits for " + name(wanted) +
                              ", which comes earlier, in line " + std::to_string(b.line));
  }

  // Each step in the lane of its ports; cables of hosts are in no cycle.
  bool changing_from(std::uint32_t s) {
    unsigned in_port =
        source_.port == 0 ? 0 : fabric_.nodes[source_.node].ports[source_.port].peer_port;
    const Port* held = nullptr;
    Place held_place;
    for (const Port* wanted = out(s); wanted != nullptr; wanted = out(s)) {
      if (!fabric_.nodes[wanted->peer].is_switch) return true;
      const auto& rows = in_.lanes.rows;
      const auto row =
          rows.empty() ? decltype(rows[s].end()){} : rows[s].find(in_port * 256 + row_[s]);
      if (rows.empty() || row == rows[s].end()) {
        return refuse(0, "no row says what lane it takes to channel " + name(*wanted));
      }
      const unsigned lane = row->second[level_];
      if (lane >= in_.proof.place.size()) return refuse(0, "its lane has no order");
      const Place& place = in_.proof.place[lane][wanted->channel];
      if (place.at == kNobody) {
        return refuse(0,
                      "channel " + name(*wanted) + " has no place in lane " + std::to_string(lane));
      }
      if (held != nullptr && held_place.at >= place.at) {
        return refuse(held_place.line, "channel " + name(*held) + " waits for " + name(*wanted) +
                                           ", which comes earlier, in line " +
                                           std::to_string(place.line));
      }
      std::uint32_t& walked =
          walked_[(level_ * in_.proof.place.size() + lane) * fabric_.channels + wanted->channel];
      if (walked == lid_) return true;
      walked = lid_;
      held = wanted;
      held_place = place;
      in_port = wanted->peer_port;
      s = fabric_.nodes[wanted->peer].number;
    }
    return true;
  }

  bool refuse(std::uint32_t line, const std::string& why) {
    const Node& source = fabric_.nodes[source_.node];
    std::string where = in_.proof_path;
    if (line != 0) where.append(1, ':').append(std::to_string(line));
    finding.lid = lid_;
    finding.why_not = where + ": from " + source.name + "[" + std::to_string(source_.port) +
                      "] to LID " + std::to_string(lid_) + " with SL " + std::to_string(level_) +
                      ": " + why;
    return false;
  }
  // The channel leaves from the other end of its peer.
  std::string name(const Port& port) const {
    const Port& back = fabric_.nodes[port.peer].ports[port.peer_port];
    return fabric_.nodes[back.peer].name + "[" + std::to_string(back.peer_port) + "]";
  }

  const Inputs& in_;
  const Fabric& fabric_;
  std::vector<std::vector<Owner>> hosts_;  // on each switch
  std::vector<int> arrives_;               // by switch
  std::vector<std::uint32_t> walked_;      // last LID, by lane and switch or level, lane, channel
  std::uint32_t lid_ = 0;
  const std::uint8_t* row_ = nullptr;
  Owner source_;
  unsigned level_ = 0;
};

// The finding does not depend on the number of threads: the failure of the lowest LID counts.
Finding walk_all(const Inputs& inputs) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Walker> walkers(threads, Walker(inputs));
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t) {
    running.emplace_back([&inputs, &walker = walkers[t], t, threads] {
      for (std::uint32_t lid = t; lid < inputs.tables.row.size(); lid += threads) {
        if (!inputs.tables.row[lid].empty() && !walker.walk(lid)) return;
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  Finding all;
  for (const Walker& walker : walkers) {
    all.routes += walker.finding.routes;
    all.lost += walker.finding.lost;
    all.unowned += walker.finding.unowned;
    if (walker.finding.lid < all.lid) {
      all.lid = walker.finding.lid;
      all.why_not = walker.finding.why_not;
    }
  }
  return all;
}

constexpr const char* kUsage =
    "fatwood-check FABRIC TABLES PROOF [--sl FILE] [--sl2vl FILE] [--json]\n"
    "fatwood-check --lengths FABRIC LENGTHS [--lmc N] [--count-flows]\n"
    "\n"
    "Checks a proof of deadlock freedom that `fatwood verify --certificate PROOF` wrote, from the\n"
    "files alone; shares no code with fatwood.\n"
    "\n"
    "  FABRIC        ibnetdiscover's text (fatwood convert --to ibnetdiscover)\n"
    "  TABLES        a dump of forwarding tables (fatwood route -o, opensm-lfts.dump, dump_fts),\n"
    "                or adaptive ones (fatwood route --to far, ibdiagnet2.far)\n"
    "  PROOF         the certificate\n"
    "  --sl FILE     service levels of paths (fatwood route --sl)\n"
    "  --sl2vl FILE  OpenSM's dump of the lane of each level (default: the lane of its number)\n"
    "  --json        print the result as JSON\n"
    "\n"
    "With --lengths: checks that lengths of channels, as `fatwood load --traffic alltoall --bound\n"
    "LENGTHS` wrote them, prove the load that they claim, and prints what they prove.\n"
    "\n"
    "  --lmc N       for tables that give each port 2^N addresses (default: the LMC in FABRIC)\n"
    "  --count-flows all cables are equally fast\n"
    "\n"
    "Exit status: 0 the proof holds, 1 it does not, 2 a file can't be read.\n";

int run_lengths(const std::string& fabric_path, const std::string& path, Speeds speeds,
                const std::string& lmc_word) {
  const Fabric fabric = read_fabric(fabric_path);
  if (!lmc_word.empty() && (lmc_word.size() > 1 || lmc_word[0] < '0' || lmc_word[0] > '7')) {
    throw Error("--lmc needs a number from 0 to 7");
  }
  const unsigned lmc = lmc_word.empty() ? fabric.lmc : static_cast<unsigned>(lmc_word[0] - '0');
  const LengthFinding finding = check_lengths(fabric, read_lengths(path, fabric), speeds, lmc);
  std::cout << (finding.holds ? "holds" : "does not hold: " + path)
            << ": all to all loads some channel with " << finding.bound << " or more";
  if (!finding.of_tables.empty()) {
    std::cout << ", with forwarding tables of LMC " << lmc << ' ' << finding.of_tables
              << " or more";
  }
  std::cout << '\n';
  return finding.holds ? 0 : 1;
}

std::string as_text(const Certificate& proof, const Finding& finding) {
  if (!finding.why_not.empty()) return "does not hold: " + finding.why_not;
  const std::size_t lanes = proof.place.size();
  const std::string text = "holds: " + std::to_string(finding.routes) +
                           (proof.terminals_only ? " routes between terminals" : " routes") +
                           " follow the order in " + std::to_string(lanes) +
                           (lanes == 1 ? " lane" : " lanes");
  if (!proof.adaptive) return text + "; " + std::to_string(finding.lost) + " of them do not arrive";
  return text + (proof.some_choice ? ", if waiting packets choose again" : ", whatever is chosen");
}

std::string as_json(const Certificate& proof, const Finding& finding) {
  std::string why = "null";
  if (!finding.why_not.empty()) {
    why = "\"";
    for (const char c : finding.why_not) {
      if (c == '"' || c == '\\') why += '\\';
      why += c;
    }
    why += '"';
  }
  return std::string("{\"holds\":") + (finding.why_not.empty() ? "true" : "false") +
         ",\"routes\":" + std::to_string(finding.routes) +
         ",\"lanes\":" + std::to_string(proof.place.size()) + ",\"sources\":\"" +
         (proof.terminals_only ? "terminals" : "all") +
         "\",\"rechoosing\":" + (proof.some_choice ? "true" : "false") + ",\"why_not\":" + why +
         "}";
}

int run(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  std::string sl;
  std::string sl2vl;
  std::string lmc;
  bool lengths = false;
  bool count_flows = false;
  bool json = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--help" || word == "-h") {
      std::cout << kUsage;
      return 0;
    }
    if (word == "--sl" || word == "--sl2vl" || word == "--lmc") {
      if (++i == arguments.size()) {
        throw Error(word + (word == "--lmc" ? " needs a number from 0 to 7" : " needs a file"));
      }
      (word == "--sl" ? sl : word == "--sl2vl" ? sl2vl : lmc) = arguments[i];
    } else if (word == "--lengths" || word == "--count-flows" || word == "--json") {
      (word == "--lengths" ? lengths : word == "--json" ? json : count_flows) = true;
    } else if (word.size() > 1 && word[0] == '-') {
      throw Error(word + " is no option; fatwood-check --help lists them");
    } else {
      files.push_back(word);
    }
  }
  if (count_flows && !lengths) throw Error("--count-flows needs --lengths");
  if (json && lengths) throw Error("--json is for PROOF");
  if (!lmc.empty() && !lengths) throw Error("--lmc needs --lengths");
  if (lengths) {
    if (files.size() != 2) throw Error("expected --lengths FABRIC LENGTHS");
    if (!sl.empty() || !sl2vl.empty()) throw Error("--sl and --sl2vl are for TABLES");
    return run_lengths(files[0], files[1], count_flows ? Speeds::kEqual : Speeds::kGiven, lmc);
  }
  if (files.size() != 3) throw Error("expected FABRIC TABLES PROOF; see fatwood-check --help");
  if (!sl2vl.empty() && sl.empty()) throw Error("--sl2vl says lanes of levels; give --sl too");
  Inputs inputs;
  inputs.fabric = read_fabric(files[0]);
  inputs.tables =
      is_far(files[1]) ? read_far(files[1], inputs.fabric) : read_tables(files[1], inputs.fabric);
  if (!sl.empty()) inputs.levels = read_levels(sl, inputs.fabric);
  if (!sl2vl.empty()) inputs.lanes = read_lane_map(sl2vl, inputs.fabric);
  inputs.proof = read_certificate(files[2], inputs.fabric);
  inputs.proof_path = files[2];
  Finding finding;
  finding.why_not = first_mismatch(inputs);
  if (finding.why_not.empty()) finding = walk_all(inputs);
  finding.why_not = printable(finding.why_not);
  std::cout << (json ? as_json(inputs.proof, finding) : as_text(inputs.proof, finding)) << '\n';
  return finding.why_not.empty() ? 0 : 1;
}

}  // namespace
}  // namespace check

int main(int argc, char** argv) {
  try {
    return check::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fatwood-check: %s\n", check::printable(error.what()).c_str());
    return 2;
  }
}
