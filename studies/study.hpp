// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A study reruns one table or figure of a paper. It is one file and one row of studies.cpp:
// command line, tests and docs/reference/studies.md walk that table.
//
// A study is a list of points, each measured by itself and stored in a file at once, so that a run
// that was stopped goes on where it was; and a function that puts the points next to the published
// values. Whether the claim is seen is computed from the points.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.hpp"
#include "core/work_share.hpp"
#include "report/study/study_report.hpp"

namespace fatwood {

enum class StudySize {
  kQuick,  // all studies together in five minutes: fewer samples, smaller trees
  kFull,   // as the paper did it
};

struct StudyContext {
  StudySize size = StudySize::kQuick;
  std::uint64_t seed = 1;
  int threads = 0;
  std::string points = "";                // folder where points are kept; "": nowhere
  std::vector<std::string> fabrics = {};  // for studies of given fabrics
  std::string opensm = "";                // a table of bench/opensm/side_by_side, or ""
  Progress progress = {};
  WorkShare share = {};  // the points

  bool quick() const { return size == StudySize::kQuick; }
};

struct PointTask {
  std::string key;  // all that the point depends on
  std::function<StudyPoint()> measure;
};
// In order; points that are kept are not measured again, others are kept at once.
std::vector<StudyPoint> measure(const StudyContext& context, std::span<const PointTask> tasks);

struct Study {
  std::string_view name;   // "000-table1"
  std::string_view paper;  // "[Yuan07], Table 1"
  std::string_view claim;  // what the paper says, in a sentence
  // Fills seen, finding, rows and panels.
  StudyResult (*run)(const StudyContext&);
  bool fabrics = false;  // looks at StudyContext::fabrics
  bool opensm = false;   // looks at StudyContext::opensm
};

std::span<const Study> studies();
// InputError listing the names when there is none such.
const Study& find_study(std::string_view name);
StudyResult run_study(const Study& study, const StudyContext& context);

// The runs behind the rows.
StudyResult run_exact_ratios_of_yuan07(const StudyContext& context);
StudyResult run_uniform_traffic(const StudyContext& context);
StudyResult run_clustered_traffic(const StudyContext& context);
StudyResult run_permutations_of_mahapatra12(const StudyContext& context);
StudyResult run_throughput_of_mahapatra12(const StudyContext& context);
StudyResult run_delay_of_mahapatra12(const StudyContext& context);
StudyResult run_shifts_of_zahavi10(const StudyContext& context);
StudyResult run_bandwidth_of_zahavi10(const StudyContext& context);
StudyResult run_ring_of_zahavi10(const StudyContext& context);
StudyResult run_deadlock_of_bogdanski12(const StudyContext& context);
StudyResult run_switch_traffic_of_bogdanski12(const StudyContext& context);
StudyResult run_engines_of_bogdanski12(const StudyContext& context);
StudyResult run_route_times_of_bogdanski12(const StudyContext& context);
StudyResult run_lengths_of_chiu02(const StudyContext& context);
StudyResult run_capacity_of_chiu02(const StudyContext& context);
StudyResult run_limited_multipath(const StudyContext& context);
StudyResult run_adaptive_tables(const StudyContext& context);
StudyResult run_degradation(const StudyContext& context);
StudyResult run_real_fabrics(const StudyContext& context);
StudyResult run_jobs(const StudyContext& context);

}  // namespace fatwood
