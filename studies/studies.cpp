// The one list of studies.

#include <fmt/format.h>

#include "core/error.hpp"
#include "studies/study.hpp"

namespace fatwood {

std::span<const Study> studies() {
  static constexpr Study kStudies[] = {
      {"000-table1", "000, Table 1",
       "The oblivious ratio is 1 for OMRMN, sqrt(m/2) for OSRM2, m/2 for OSRM3, and m/2 and m-1 "
       "for "
       "MLID and WSR on FT(m,2) and FT(m,3).",
       run_exact_ratios_of_000},
      {"000-fig10", "000, Fig. 10",
       "Under uniform traffic all single-path routings have ratios very close to 1, slightly more "
       "the sparser the traffic.",
       run_uniform_traffic},
      {"000-fig11", "000, Fig. 11",
       "Under clustered traffic on FT(32,2) OSRM2 is better than MLID and WSR, which are equal; in "
       "clusters of 2 these are above 4, and OSRM2 never is.",
       run_clustered_traffic},
  };
  return kStudies;
}

const Study& find_study(std::string_view name) {
  std::string known;
  for (const Study& study : studies()) {
    if (study.name == name) return study;
    known += fmt::format(" {}", study.name);
  }
  throw InputError(fmt::format("\"{}\" is no study; there are:{}", name, known));
}

}  // namespace fatwood
