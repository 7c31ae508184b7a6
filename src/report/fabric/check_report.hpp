// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood check`: cabling, safety, speed, and the commands to run next. The man
// page explains the keys.
//
// Findings are sorted by severity, then by cost. "of_port" is the rate of the worst pair relative
// to the speed of a host port, "of_possible" relative to the best that any routing could give here.

#include <string>
#include <vector>

#include "report/colour.hpp"
#include "report/fabric/show_report.hpp"
#include "report/json.hpp"
#include "tasks/check.hpp"

namespace fatwood {

struct CheckReport {
  const Fabric& fabric;
  std::string name;     // as typed, quoted for a shell, with the options of its faults
  std::string routing;  // as typed; "" if the suggested engine is used
  std::string summary;  // of the fabric
  CheckResult result;
  std::vector<ReportedFinding> findings;  // sorted by report_check()

  Health cabling() const;
  // Every pair has a route without deadlock; pairs of intended components (planes) have none.
  bool safe() const;
  bool bad() const;  // something is red: exit code 1
};

// Sorts the findings of a fabric.
CheckReport report_check(const Fabric& fabric, const ShowReport& shown, CheckResult result,
                         std::string name, std::string routing);

std::string check_text(const CheckReport& report, Colour colour);
Json check_object(const CheckReport& report);

}  // namespace fatwood
