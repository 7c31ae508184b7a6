// SPDX-License-Identifier: BSD-3-Clause
#include "report/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "report/cells.hpp"
#include "report/page/page_json.hpp"
#include "report/page/page_template.hpp"
#include "report/route/compare_report.hpp"
#include "routing/tables/fingerprint.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kPolicy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:\">\n";

using Populations = std::vector<std::unique_ptr<const Measured>>;

// Those that the content names, and all hosts.
Populations populations_of(const Model& model, const Participants& who) {
  Populations found;
  found.push_back(std::make_unique<const Measured>(model, who));
  Participants all = all_participants(model);
  if (all.adapters.size() > who.adapters.size()) {
    found.push_back(std::make_unique<const Measured>(model, std::move(all)));
  }
  return found;
}

Json all_routes(const Model& model, const PageContent& content, const Populations& populations) {
  Json all = Json::array();
  std::vector<const ForwardingTables*> earlier;  // null: the page has none of its own
  std::size_t left = content.most_table_bytes;
  for (const EvaluatedEngine& engine : content.engines) {
    Json routes = page_routes(model, engine, earlier, left);
    const Json* tables = routes.find("tables");
    if (engine.routing) {
      const bool has_tables = tables != nullptr && !tables->is_null();
      routes["among"] = Json::list(populations, [&](const auto& measured) {
        return page_figures(*measured, engine, has_tables);
      });
      tables = routes.find("tables");
    }
    const bool own = tables != nullptr && tables->string() != nullptr;
    const Json* groups = routes.find("groups");
    left -= std::min(left, (own ? tables->string()->size() : 0) +
                               (groups == nullptr ? 0 : groups->text().size()));
    earlier.push_back(own ? &engine.routing->tables : nullptr);
    all.push_back(std::move(routes));
  }
  return all;
}

// {"name", "what", "hosts", "traffic": [[terminal, terminal, amount], ...]}
Json page_job(const Model& model, const PageJob& job) {
  Json traffic = Json::array();
  for (const PageJob::Flow& flow : job.flows) {
    traffic.push_back(
        Json::array({index(model.adapters().terminals(flow.from).front()),
                     index(model.adapters().terminals(flow.to).front()), flow.amount}));
  }
  Json json;
  json["name"] = job.name;
  json["what"] = job.what;
  json["hosts"] = job.hosts;
  json["traffic"] = std::move(traffic);
  return json;
}

// The keys of a page and of a map (PageContent, PageMap).
Json common_data(const Model& model, const auto& content, const Populations& populations) {
  const Fabric& fabric = model.fabric();
  Json json;
  json["title"] = content.title;
  json["version"] = content.version;
  json["fingerprint"] = fmt::format("{:#018x}", fingerprint(fabric));
  json["show"] = show_object(fabric, content.show);
  json["fabric"] = page_fabric(model, content.show);
  json["populations"] = Json::list(
      populations, [&](const auto& measured) { return page_population(model, *measured); });
  json["put_back"] = Json::list(populations, [&](const auto& measured) {
    return page_put_back(*measured, content.show.known);
  });
  return json;
}

Json page_object(const Model& model, const PageContent& content) {
  const Populations populations = populations_of(model, content.who);
  Json json = common_data(model, content, populations);
  json["command"] = content.command;
  json["check"] = page_check(content.check);
  json["routes"] = all_routes(model, content, populations);
  std::vector<EngineRow> rows;
  for (const EvaluatedEngine& engine : content.engines) rows.push_back(engine.row);
  Json engines = compare_object(model, compared(content.who, std::move(rows)));
  for (const char* key : {"among", "engines", "recommendation"}) json[key] = engines[key];
  json["worst"] = Json::array();
  for (const WorstReport& worst : content.worst) {
    json["worst"].push_back(page_worst(model, worst));
  }
  json["losses"] = page_losses(content.losses);
  json["adaptive"] = Json::array();
  for (const PageAdaptive& adaptive : content.adaptive) {
    const auto engine = std::ranges::find(content.engines, adaptive.engine,
                                          [](const EvaluatedEngine& one) { return one.row.name; });
    json["adaptive"].push_back(page_adaptive(adaptive, *engine->routing));
  }
  json["counters"] = content.run == nullptr ? Json() : page_counters(content.run->counters);
  json["ports"] = page_ports(content.run);
  json["jobs"] = Json::array();
  for (const PageJob& job : content.jobs) json["jobs"].push_back(page_job(model, job));
  return json;
}

// Safe inside an HTML script element.
std::string script_text(const Json& json) {
  std::string text;
  for (const char c : json.text()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

// Puts parts in the place of their marks, "<!-- name -->", in the order of the page.
std::string page_with(std::initializer_list<std::pair<std::string_view, std::string_view>> parts) {
  std::string_view left = page_template().html;
  std::string html;
  for (const auto& [name, part] : parts) {
    const std::string mark = fmt::format("<!-- {} -->", name);
    const std::size_t at = left.find(mark);
    html.append(left.substr(0, at)).append(part);
    left.remove_prefix(at + mark.size());
  }
  return html.append(left);
}

}  // namespace

std::string map_json(const Model& model, const PageMap& map) {
  const Populations populations = populations_of(model, map.who);
  Json json = common_data(model, map, populations);
  Json routes{{"name", map.name}, {"given", false}, {"tables", nullptr}};
  routes["among"] = Json::list(
      populations, [&](const auto& measured) { return page_flows(*measured, map.routing); });
  json["routes"] = Json::array({std::move(routes)});
  return json.text();
}

bool has_page() { return !page_template().html.empty(); }

std::string page_data(const Model& model, const PageContent& content) {
  return script_text(page_object(model, content));
}

std::string page_html(const Model& model, const PageContent& content) {
  const auto [html, style, script] = page_template();
  return page_with({{"title", escaped(content.title)},
                    {"head", fmt::format("{}<style>{}</style>", kPolicy, style)},
                    {"data", page_data(model, content)},
                    {"script", fmt::format("<script>{}</script>", script)}});
}

std::string served_page(std::string_view data, std::uint64_t version) {
  return page_with({{"title", "live"},
                    {"head", fmt::format("<meta name=\"fatwood-served\" content=\"{}\">\n"
                                         "<link rel=\"stylesheet\" href=\"/page.css\">",
                                         version)},
                    {"data", data},
                    {"script", "<script src=\"/page.js\"></script>"}});
}

}  // namespace fatwood
