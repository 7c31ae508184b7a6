// SPDX-License-Identifier: BSD-3-Clause
// Chooses the reader of a file by its first bytes.

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/ethernet/read_ethernet.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/ports_report.hpp"
#include "io/fabric/subnet_lst.hpp"
#include "io/ibdiagnet/db_csv.hpp"
#include "io/ibdiagnet/net_dump.hpp"
#include "plan/formats/plan_formats.hpp"

namespace fatwood {

namespace {

// A file format, recognised by its first bytes. A row with stricter marks comes first.
struct FabricFormat {
  std::string_view name;  // as fatwood(1) lists it
  bool (*matches)(std::string_view head);
  LoadedFabric (*read)(Input& input, const LoadOptions& options);
};

constexpr std::array kFabricFormats = {
    FabricFormat{"a plan as JSON", looks_like_plan_json,
                 [](Input& input, const LoadOptions& options) {
                   return read_plan_json(input, options.strictness);
                 }},
    FabricFormat{"fatwood's JSON", looks_like_json,
                 [](Input& input, const LoadOptions&) { return read_json_fabric(input); }},
    FabricFormat{"db_csv of ibdiagnet2", looks_like_db_csv,
                 [](Input& input, const LoadOptions&) { return read_db_csv(input); }},
    FabricFormat{"net_dump of ibdiagnet2", looks_like_net_dump,
                 [](Input& input, const LoadOptions&) { return read_net_dump(input); }},
    FabricFormat{"lst of ibdiagnet2 or OpenSM (opensm-subnet.lst)", looks_like_subnet_lst,
                 [](Input& input, const LoadOptions&) { return read_subnet_lst(input); }},
    FabricFormat{"output of ibnetdiscover -p", looks_like_ports_report,
                 [](Input& input, const LoadOptions&) { return read_ports_report(input); }},
    FabricFormat{"output of ibnetdiscover, a net file of ibsim", looks_like_ibnetdiscover,
                 [](Input& input, const LoadOptions&) { return read_ibnetdiscover(input); }},
    FabricFormat{"a plan as CSV", looks_like_plan_csv,
                 [](Input& input, const LoadOptions& options) {
                   return read_plan_csv(input, options.strictness, options.rate);
                 }},
    FabricFormat{"a plan as .topo", looks_like_topo, read_topo},
    FabricFormat{
        "an Ethernet fabric (LLDP, SONiC, NetQ, DOT, containerlab)", looks_like_ethernet,
        [](Input& input, const LoadOptions& options) { return read_ethernet(input, options); }}};

// Nothing when the beginning is of no known format.
std::optional<LoadedFabric> read_by_format(Input& input, const LoadOptions& options) {
  const std::string_view head = input.peek();
  for (const FabricFormat& format : kFabricFormats) {
    if (format.matches(head)) return format.read(input, options);
  }
  return std::nullopt;
}

// Whether the error is about the file's end: the line after the last, or the last one where no line
// end follows it.
bool is_at_end(const Input& input, const Location& where) {
  const std::size_t last = input.line_number();
  return last > 0 && where.file == input.name() &&
         ((input.unended() && where.line == last) || where.line == last + 1);
}

std::optional<LoadedFabric> read_whole(Input& input, const LoadOptions& options) {
  try {
    return read_by_format(input, options);
  } catch (const InputError& error) {
    if (error.kind() == ErrorKind::kCutShort || !is_at_end(input, error.where())) throw;
    throw cut_short(error.where(), error.message());
  }
}

}  // namespace

LoadedFabric read_fabric(Input& input, const LoadOptions& options) {
  if (auto loaded = read_whole(input, options)) return std::move(*loaded);
  // Perhaps after more noise than peek() shows.
  Warnings noise(input.name());
  input.skip_noise(noise);
  if (auto loaded = read_whole(input, options)) {
    const std::vector<std::string> texts = noise.texts();
    loaded->warnings.insert(loaded->warnings.begin(), texts.begin(), texts.end());
    return std::move(*loaded);
  }
  std::vector<std::string_view> names;
  for (const FabricFormat& format : kFabricFormats) names.push_back(format.name);
  throw InputError({input.name(), 1, 1},
                   fmt::format("expected a fabric: {}; a plain list of edges as edges:FILE",
                               fmt::join(names, "; ")));
}

}  // namespace fatwood
