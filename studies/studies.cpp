// SPDX-License-Identifier: BSD-3-Clause
// The one list of studies.

#include <fmt/format.h>

#include "core/error.hpp"
#include "studies/study.hpp"

namespace fatwood {

std::span<const Study> studies() {
  static constexpr Study kStudies[] = {
      {"000-table1", "[Yuan07], Table 1",
       "The oblivious ratio is 1 for OMRMN, sqrt(m/2) for OSRM2, m/2 for OSRM3, and m/2 and m-1 "
       "for "
       "MLID and WSR on FT(m,2) and FT(m,3).",
       run_exact_ratios_of_yuan07},
      {"000-fig10", "[Yuan07], Fig. 10",
       "Under uniform traffic all single-path routings have ratios very close to 1, slightly more "
       "the sparser the traffic.",
       run_uniform_traffic},
      {"000-fig11", "[Yuan07], Fig. 11",
       "Under clustered traffic on FT(32,2) OSRM2 is better than MLID and WSR, which are equal; in "
       "clusters of 2 these are above 4, and OSRM2 never is.",
       run_clustered_traffic},
      {"001-fig4", "[Mahapatra12], Fig. 4 a-d",
       "Under random permutations shift-1 and disjoint are the same on 2 levels; on 3 levels "
       "disjoint "
       "is better than random and random better than shift-1 for most K; all paths give 1.",
       run_permutations_of_mahapatra12},
      {"001-table1", "[Mahapatra12], Table 1",
       "More paths give more throughput under uniform traffic, and disjoint gives the most at "
       "every "
       "K: 61.3% with 2 paths, 77.0% with 16.",
       run_throughput_of_mahapatra12},
      {"001-fig5", "[Mahapatra12], Fig. 5",
       "At high load more paths have less delay and disjoint less than shift-1 and random; at low "
       "load disjoint(4) is below disjoint(8).",
       run_delay_of_mahapatra12},
      {"002-shift", "[Zahavi10], Theorems 1, 2",
       "On real-life fat-trees d-mod-k routes every shift without a conflict.",
       run_shifts_of_zahavi10},
      {"002-fig3", "[Zahavi10], Fig. 3",
       "With ranks placed at random bandwidth falls with the message size, to about 60% for shift "
       "and "
       "recursive doubling; in order the shift keeps full bandwidth.",
       run_bandwidth_of_zahavi10},
      {"002-ring", "[Zahavi10], section III",
       "An adversarial ring gets 231.5 MB/s a host, 7.1% of what it could.", run_ring_of_zahavi10},
      {"003-fig2", "[Bogdanski12], Fig. 2 and 6",
       "A three-stage tree routed by minhop deadlocks; routed by sFtree it does not.",
       run_deadlock_of_bogdanski12},
      {"003-fig7", "[Bogdanski12], Fig. 7 a/b",
       "Switch traffic in the same lane costs hosts 1% when switches send all they can, and the "
       "highest switch traffic in a lane of its own brings hosts down to 64%.",
       run_switch_traffic_of_bogdanski12},
      {"003-table3", "[Bogdanski12], Table III",
       "Throughput per host is highest with sFtree, then DFSSSP, then minhop and Up*/Down*, and "
       "lowest "
       "by far with LASH.",
       run_engines_of_bogdanski12},
      {"003-table4", "[Bogdanski12], Table IV",
       "Routes between switches add little to ftree's time (38% at most), and LASH takes much "
       "longer "
       "on all but the smallest fabric.",
       run_route_times_of_bogdanski12, false, true},
      {"004-table2", "[Chiu02], Table 2",
       "Paths are 1.057 (Up*/Down*), 1.096 (APOT) and 1.102 (BFOT) times the shortest; computing "
       "takes longer in the order shortest, Up*/Down*, BFOT, APOT, and far longer for APOT.",
       run_lengths_of_chiu02},
      {"004-capacity", "[Chiu02], section 6.5",
       "After optimisation BFOT is more even than Up*/Down* on 35 of 46 topologies, and Up*/Down* "
       "more "
       "fault tolerant on 38.",
       run_capacity_of_chiu02},
      {"exact-ratios", "ours",
       "Of all ways to take K paths tried, osrm:K has the least worst case, at every K.",
       run_limited_multipath},
      {"adaptive", "[Geoffray08]; [Hoefler08]",
       "Static routes get 38% of the bisection of a full tree under random pairs and adaptive ones "
       "77%; static tables of large clusters get 55 to 60%.",
       run_adaptive_tables},
      {"degradation", "ours",
       "Where up to 10% of cables or of spines and cores are gone at random, even keeps all to all "
       "within 2% of what any routing could, and no other engine of one lane comes near; random "
       "permutations do not pay for it, and shifts at most a tenth.",
       run_degradation, false, true},
      {"real-fabrics", "ours",
       "On real fabrics, no safe tables give the worst pair of compute hosts more of its port in "
       "an "
       "all-to-all than even's.",
       run_real_fabrics, true, true},
      {"jobs", "users and papers",
       "What jobs lost on real fabrics is what fair shares of their cables give: two rings on one "
       "up-link get half, random pairs 55 to 60% of a full tree, scattered hosts less than packed "
       "ones.",
       run_jobs},
  };
  return kStudies;
}

const Study& find_study(std::string_view name) {
  std::string known;
  for (const Study& study : studies()) {
    if (study.name == name) return study;
    known += fmt::format(" {}", study.name);
  }
  throw InputError(fmt::format("\"{}\" is not a study; the studies are:{}", name, known));
}

}  // namespace fatwood
