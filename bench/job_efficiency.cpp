// SPDX-License-Identifier: BSD-3-Clause
// bench_job_efficiency [FABRIC [ENGINE]]...: seconds of the whole measure of job efficiency (wall,
// and CPU of all threads), and its figures. The peer is one all-to-all load of the same tables
// (find_channel_use), which visits every entry once. Limits: Selene 0.5 s, ft(48,3) 5 s on two
// cores.

#include "analysis/jobs/job_efficiency.hpp"

#include <fmt/format.h>

#include "analysis/load/channel_use.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"
#include "spent.hpp"

namespace fatwood {
namespace {

void measure(const std::string& fabric, const std::string& engine) {
  const Model model(load_fabric(fabric).fabric);
  const Routing routing = route(find_engine(engine), model, {});
  const HostOrder order = natural_host_order(model);
  bench::print(fabric + ", one load",
               bench::seconds([&] { static_cast<void>(find_channel_use(model, routing)); }));
  std::optional<JobEfficiency> jobs;
  const bench::Spent spent = bench::seconds([&] { jobs = job_efficiency(model, order, routing); });
  const JobSummary& found = jobs->at_once();
  bench::print(fabric + ", jobs", spent,
               fmt::format("{}: mean {:.3f}, worst {:.3f}, cables {:.3f}", engine, found.mean,
                           found.worst, found.ideal_mean));
}

}  // namespace
}  // namespace fatwood

int main(int argc, char** argv) {
  if (argc < 2) {
    fatwood::measure("like-selene", "sftree");
    fatwood::measure("ft(48,3)", "sftree");
  }
  for (int i = 1; i < argc; i += 2)
    fatwood::measure(argv[i], i + 1 < argc ? argv[i + 1] : "sftree");
}
