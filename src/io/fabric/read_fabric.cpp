// SPDX-License-Identifier: BSD-3-Clause
// Chooses the reader of a file by its first bytes.

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/ports_report.hpp"
#include "io/fabric/subnet_lst.hpp"
#include "io/ibdiagnet/db_csv.hpp"
#include "io/ibdiagnet/net_dump.hpp"
#include "io/plan/plan_formats.hpp"

namespace fatwood {

namespace {

// Nothing when the beginning is of no known kind.
std::optional<LoadedFabric> read_by_kind(Input& input, const LoadOptions& options) {
  const std::string_view head = input.peek();
  if (looks_like_plan_json(head)) return read_plan_json(input, options.strictness);
  if (looks_like_json(head)) return read_json_fabric(input);
  if (looks_like_db_csv(head)) return read_db_csv(input);
  if (looks_like_net_dump(head)) return read_net_dump(input);
  if (looks_like_subnet_lst(head)) return read_subnet_lst(input);
  if (looks_like_ports_report(head)) return read_ports_report(input);
  if (looks_like_ibnetdiscover(head)) return read_ibnetdiscover(input);
  if (looks_like_plan_csv(head)) return read_plan_csv(input, options.strictness);
  if (looks_like_topo(head)) return read_topo(input, options);
  return std::nullopt;
}

// Whether the message is about the file's end: the line after the last, or the last one where no
// line end follows it.
bool is_at_end(const Input& input, std::string_view message) {
  const std::size_t last = input.line_number();
  const auto at = [&](std::size_t line) {
    return message.starts_with(fmt::format("{}:{}:", input.name(), line));
  };
  return last > 0 && ((input.unended() && at(last)) || at(last + 1)) &&
         message.find("cut short") == message.npos;
}

std::optional<LoadedFabric> read_whole(Input& input, const LoadOptions& options) {
  try {
    return read_by_kind(input, options);
  } catch (const InputError& error) {
    if (!is_at_end(input, error.what())) throw;
    throw InputError(fmt::format("{} (the file may be cut short)", error.what()));
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
  throw InputError({input.name(), 1, 1},
                   "expected a fabric: the output of ibnetdiscover (-p too), an ibsim net file, "
                   "opensm-subnet.lst, ibdiagnet2's db_csv, lst, net_dump or ibnetdiscover, a "
                   "plan (a CSV of cables or a .topo file), or fatwood's JSON");
}

}  // namespace fatwood
