// SPDX-License-Identifier: BSD-3-Clause
#include "studies/study.hpp"

#include <fmt/format.h>

#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/base/output.hpp"

namespace fatwood {

namespace {

// "ft(16,2) osrm:2" to "ft_16_2__osrm_2.json". Two keys may collide: the file says whose it is.
std::string file_of(const std::string& folder, const std::string& key) {
  std::string name;
  for (const char c : key) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return fmt::format("{}/{}.json", folder, name);
}

std::optional<StudyPoint> kept(const std::string& path, const std::string& key) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return parse_point(text.str(), key);
}

// CPU seconds of all threads: what a point costs on a machine that does other things too.
StudyPoint timed(const PointTask& task) {
  const std::clock_t start = std::clock();
  StudyPoint point = task.measure();
  point.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return point;
}

}  // namespace

std::vector<StudyPoint> measure(const StudyContext& context, std::span<const PointTask> tasks) {
  std::vector<StudyPoint> points;
  if (!context.points.empty()) std::filesystem::create_directories(context.points);
  const auto point_of = [&](const PointTask& task) {
    const std::string path =
        context.points.empty() ? std::string() : file_of(context.points, task.key);
    if (!path.empty()) {
      if (auto old = kept(path, task.key)) return std::move(*old);
    }
    StudyPoint point = timed(task);
    if (!path.empty()) {
      write_output(path, point_json(task.key, point));
    }
    return point;
  };
  if (context.share) {
    const auto results = context.share.each(tasks.size(), 1, [&](std::size_t i, int) {
      return point_json(tasks[i].key, point_of(tasks[i]));
    });
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      points.push_back(parse_point(results[i], tasks[i].key).value());
    }
    return points;
  }
  for (const PointTask& task : tasks) {
    report(context.progress, static_cast<double>(points.size()) / static_cast<double>(tasks.size()),
           task.key);
    points.push_back(point_of(task));
  }
  return points;
}

StudyResult run_study(const Study& study, const StudyContext& context) {
  StudyContext own = context;
  if (!own.points.empty()) own.points = fmt::format("{}/{}", context.points, study.name);
  StudyResult result = study.run(own);
  result.name = study.name;
  result.paper = study.paper;
  result.claim = study.claim;
  result.size = context.quick() ? "quick" : "full";
  result.seconds = 0;
  for (const StudyRow& row : result.rows) result.seconds += row.seconds;
  return result;
}

}  // namespace fatwood
