// SPDX-License-Identifier: BSD-3-Clause
// The page, its parts, and the files that can be saved, all for the present state.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/page/page.hpp"
#include "report/page/page_template.hpp"
#include "routing/engine.hpp"
#include "serve/api/answers.hpp"
#include "serve/api/api.hpp"

namespace fatwood::serve {

namespace {

constexpr std::string_view kPlain = "text/plain; charset=utf-8";
constexpr std::string_view kHtml = "text/html; charset=utf-8";

struct SavedFile {
  std::string_view what, name, type;
  WorkerOp op;
};
constexpr std::array<SavedFile, 4> kSaved{{
    {"tables", "tables.lft", kPlain, WorkerOp::kTables},
    {"fabric", "fabric.json", "application/json", WorkerOp::kFabric},
    {"proof", "proof.txt", kPlain, WorkerOp::kProof},
    {"page", "page.html", kHtml, WorkerOp::kPage},
}};

}  // namespace

HttpResponse Api::page(const HttpRequest& request, const std::string&) {
  if (const auto token = request.query.find("token"); token != request.query.end()) {
    if (!guard_.is_token(token->second)) return refusal(401, "that is not the token");
    return {.status = 303,
            .type = std::string(kPlain),
            .headers = {{"Location", "/"},
                        {"Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/",
                                                   kTokenCookie, token->second)}}};
  }
  const std::uint64_t version = live_.view().version;  // an older one makes the page ask again
  if (!has_page()) return refusal(501, "this fatwood was built without the page (npm)");
  // Data is no script: the policy lets it pass, and the browser does not run it.
  const HttpResponse data = page_data(request, "");
  if (data.status != 200) return data;
  return {.type = std::string(kHtml), .body = served_page(data.body, version)};
}

HttpResponse Api::script(const HttpRequest&, const std::string&) {
  return {.type = "text/javascript; charset=utf-8", .body = std::string(page_template().script)};
}

HttpResponse Api::style(const HttpRequest&, const std::string&) {
  return {.type = "text/css; charset=utf-8", .body = std::string(page_template().style)};
}

// The command that makes the like of the page from what can be saved.
std::string Api::page_command() {
  const LiveView state = live_.view();
  const Facts facts = state.facts.value_or(Facts{});
  const bool changed = !state.changes.empty();
  const bool tables = changed || !is_engine(facts.routing);
  return fmt::format(
      "fatwood report {}{} {}", facts.title, changed ? " --faults faults" : "",
      tables ? fmt::format("--tables {} --engines none", changed ? "tables.lft" : facts.routing)
             : "--engines " + facts.routing);
}

std::string Api::written(WorkerOp op) {
  return written([&](const std::string& path) {
    live_.write(op, path, op == WorkerOp::kPage || op == WorkerOp::kPageData ? page_command() : "");
  });
}

std::string Api::written(const std::function<void(const std::string& path)>& write) {
  const std::lock_guard lock(files_mutex_);
  const std::string path = folder_ + "/download";
  write(path);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  std::filesystem::remove(path);
  return std::move(text).str();
}

HttpResponse Api::save(const HttpRequest&, const std::string& what) {
  if (what == "faults") return {.type = std::string(kPlain), .body = live_.view().changes};
  const auto* const file = std::ranges::find(kSaved, what, &SavedFile::what);
  if (file == kSaved.end()) {
    return refusal(404, "expected tables, proof, page, fabric or faults");
  }
  return {
      .type = std::string(file->type),
      .body = written(file->op),
      .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", file->name)}}};
}

HttpResponse Api::preview(const HttpRequest& request, const std::string& view) {
  const auto asked = request.query.find("changes");
  const std::string changes = asked == request.query.end() ? "" : asked->second;
  if (view == "figures") return json_line(live_.preview(changes, ""));
  if (view == "first-figures") return json_line(live_.preview(changes, "first"));
  constexpr std::string_view kMap = "-map";
  const bool map = view.ends_with(kMap);
  const std::string tables = view.substr(0, view.size() - (map ? kMap.size() : 0));
  if (tables != "repaired" && tables != "rerouted") {
    return refusal(
        404, "expected figures, first-figures, repaired, rerouted, repaired-map or rerouted-map");
  }
  const WorkerOp op = map ? WorkerOp::kPreviewMap : WorkerOp::kPreviewData;
  std::string data =
      written([&](const std::string& path) { live_.write_preview(op, changes, tables, path); });
  return {.type = "application/json", .body = std::move(data)};
}

HttpResponse Api::page_data(const HttpRequest&, const std::string&) {
  // Once for each state: all clients ask after a change, and wait for the first of them.
  const std::lock_guard lock(page_mutex_);
  const std::string asked = state_name("page");
  if (auto known = known_answer(asked)) return *known;
  std::string data = written(WorkerOp::kPageData);
  if (state_name("page") == asked) return keep_answer(asked, std::move(data));
  return {.type = "application/json", .body = std::move(data)};
}

}  // namespace fatwood::serve
