// How fast files are read and written, against the limit that the same bytes set: one pass that
// looks for line ends (what wc -l does), in the same run.
//   bench_files [FABRIC]     a spec or a file; ft(24,3) unless told

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>

#include "clock.hpp"
#include "io/ibnetdiscover.hpp"
#include "io/input.hpp"
#include "io/json_fabric.hpp"
#include "io/lfts.hpp"
#include "io/load_fabric.hpp"
#include "io/load_tables.hpp"
#include "routing/engine.hpp"

namespace {

using namespace fatwood;

template <class Work>
double best_of_three(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double start = bench::wall_seconds();
    work();
    best = std::min(best, bench::wall_seconds() - start);
  }
  return best;
}

std::size_t count_lines(const std::string& text) {
  std::size_t lines = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
    at = static_cast<const char*>(found) + 1;
    ++lines;
  }
  return lines;
}

void tell(std::string_view what, const std::string& text, double seconds) {
  std::size_t lines = 0;
  const double limit = best_of_three([&] { lines = count_lines(text); });
  fmt::print("{:28} {:9.2f} MB {:9} lines {:9.2f} ms {:8.0f} MB/s {:7.1f} x the line count\n", what,
             static_cast<double>(text.size()) / 1e6, lines, seconds * 1e3,
             static_cast<double>(text.size()) / 1e6 / seconds, seconds / limit);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "ft(24,3)";
  const Fabric fabric = load_fabric(name).fabric;
  fmt::print("{}: {} switches, {} adapters, {} links\n", name, fabric.num_switches(),
             fabric.num_adapters(), fabric.num_links());
  const auto both = [&](std::string_view format, auto write) {
    std::string text;
    const double writing = best_of_three([&] {
      std::ostringstream out;
      write(out, fabric);
      text = std::move(out).str();
    });
    tell(fmt::format("write {}", format), text, writing);
    tell(fmt::format("read {}", format), text, best_of_three([&] {
           Input input(text, "bench");
           read_fabric(input);
         }));
  };
  both("ibnetdiscover", write_ibnetdiscover);
  both("ibsim", write_ibsim);
  both("json", write_json_fabric);

  const Routing routing = find_engine("minhop").route(Model(fabric), {});
  const Lids lids = assign_lids(fabric, 0);
  std::string text;
  const double writing = best_of_three([&] {
    std::ostringstream out;
    write_lfts(out, fabric, routing.tables, lids);
    text = std::move(out).str();
  });
  tell("write lfts.dump", text, writing);
  tell("read lfts.dump", text, best_of_three([&] {
         Input input(text, "bench");
         read_tables(input, fabric);
       }));
  return 0;
}
