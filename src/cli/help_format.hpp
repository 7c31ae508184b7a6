// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The text of --help of one verb: the few options that matter; --help-all shows the rest.

#include <memory>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace fatwood::cli {

std::shared_ptr<CLI::FormatterBase> help_format();

}  // namespace fatwood::cli
