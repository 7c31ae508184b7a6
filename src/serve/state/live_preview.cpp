// SPDX-License-Identifier: BSD-3-Clause
// What-ifs that one client looks at: they change nothing of the shared state.

#include "serve/children/worker.hpp"
#include "serve/state/change_list.hpp"
#include "serve/state/live.hpp"

namespace fatwood::serve {

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

}  // namespace

std::string Live::preview(const std::string& text, const std::string& stage) {
  const std::string lines = joined(change_lines(text));
  const std::lock_guard changing(changing_);
  return call({WorkerOp::kPreview, {}, stage, lines, {}}).text;
}

void Live::write_preview(WorkerOp op, const std::string& text, const std::string& view,
                         const std::string& path) {
  const std::string lines = joined(change_lines(text));
  const std::lock_guard changing(changing_);
  (void)call({op, {}, view, lines, path});
}

}  // namespace fatwood::serve
