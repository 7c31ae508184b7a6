// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/edge_list.hpp"

#include "fuzz.hpp"

// The bytes before a line "%" are the edges, those after it the hosts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [&](fatwood::Input& input) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t cut = text.find("\n%\n");
    if (cut == std::string_view::npos) {
      fatwood::read_edge_list(input, nullptr);
      return;
    }
    fatwood::Input edges(text.substr(0, cut), "edges");
    fatwood::Input hosts(text.substr(cut + 3), "hosts");
    fatwood::read_edge_list(edges, &hosts);
  });
}
