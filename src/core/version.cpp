// SPDX-License-Identifier: BSD-3-Clause
#include "core/version.hpp"

namespace fatwood {

std::string_view version() { return FATWOOD_VERSION; }

}  // namespace fatwood
