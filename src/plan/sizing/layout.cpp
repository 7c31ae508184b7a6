// SPDX-License-Identifier: BSD-3-Clause
#include "plan/sizing/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <string_view>
#include <unordered_map>

#include "core/text/natural_order.hpp"
#include "core/text/parse_number.hpp"
#include "core/union_find.hpp"

namespace fatwood {

namespace {

constexpr double kUnitMetres = 0.04445;

// A way from tray to tray: along two rows, and over a cross tray if they differ.
struct TrayRun {
  std::size_t row_a = 0, row_b = 0;
  std::uint32_t from = 1, to = 1;  // positions
  std::uint32_t cross = 0;         // position of the cross tray; only if rows differ
};

class Runs {
 public:
  Runs(Plan& plan, const LayoutRules& rules, const CableTable& table, Layout& layout)
      : plan_(plan), rules_(rules), table_(table), layout_(layout) {
    std::unordered_map<std::string_view, std::size_t> number;  // of a row
    for (const Rack& rack : layout.racks) {
      if (number.emplace(rack.row, 0).second) rows_.push_back(rack.row);
      last_ = std::max(last_, rack.position);
    }
    std::ranges::sort(rows_, [](const auto& a, const auto& b) { return natural_less(a, b); });
    for (std::size_t r = 0; r < rows_.size(); ++r) number[rows_[r]] = r;
    for (const Rack& rack : layout.racks) row_of_.push_back(number[rack.row]);
    along_.resize(rows_.size());
    cross_ =
        rules.cross.empty() ? std::vector<std::uint32_t>{1, (last_ + 1) / 2, last_} : rules.cross;
  }

  void measure_all() {
    for (const PlanCable& cable : plan_.cables) layout_.run_m.push_back(length_of(cable));
    const std::vector<double> longest = common_lengths();
    for (std::uint32_t i = 0; i < plan_.cables.size(); ++i) measure(i, longest[i]);
  }
  void make_lists() {
    for (PlanCable& cable : plan_.cables) {
      if (cable.label.empty()) cable.label = cable_label(plan_, cable.a, cable.b);
    }
    make_bundles();
    make_trays();
  }

 private:
  const Rack& rack(const PlanEnd& end) const { return layout_.racks[layout_.rack_of[end.device]]; }
  std::size_t row(const PlanEnd& end) const { return row_of_[layout_.rack_of[end.device]]; }
  // From the middle of the device to the tray over its rack.
  double up_to_tray(const PlanEnd& end) const {
    const double middle = plan_.device(end).unit - 1 + layout_.height[end.device] / 2.0;
    return (rack(end).units - middle) * kUnitMetres + rules_.tray_above_m;
  }
  static double distance(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

  TrayRun tray_run(const PlanCable& cable) const {
    TrayRun run{row(cable.a), row(cable.b), rack(cable.a).position, rack(cable.b).position, 0};
    if (run.row_a == run.row_b) return run;
    run.cross = *std::ranges::min_element(cross_, {}, [&](std::uint32_t at) {
      return distance(run.from, at) + distance(run.to, at);
    });
    return run;
  }

  double length_of(const PlanCable& cable) const {
    const Rack& a = rack(cable.a);
    const Rack& b = rack(cable.b);
    if (!rules_.by_distance.empty()) {
      const std::uint32_t ra = layout_.rack_of[cable.a.device];
      const std::uint32_t rb = layout_.rack_of[cable.b.device];
      for (const auto& [most, metres] : rules_.by_distance) {
        if (distance(ra, rb) <= most) return metres;
      }
    }
    if (&a == &b) {
      const double units = std::abs(static_cast<double>(plan_.device(cable.a).unit) -
                                    static_cast<double>(plan_.device(cable.b).unit));
      return units * kUnitMetres + 2 * rules_.slack_m;
    }
    const TrayRun run = tray_run(cable);
    double along = distance(run.from, run.to) * rules_.rack_width_m;
    if (run.row_a != run.row_b) {
      along = (distance(run.from, run.cross) + distance(run.to, run.cross)) * rules_.rack_width_m +
              std::abs(static_cast<double>(run.row_a) - static_cast<double>(run.row_b)) *
                  rules_.row_pitch_m;
    }
    return up_to_tray(cable.a) + along + up_to_tray(cable.b) + 2 * rules_.slack_m;
  }

  // Cables that share cages, directly or over others, have one type: that of the longest.
  // Separate fibres have lengths of their own.
  std::vector<double> common_lengths() const {
    UnionFind groups(plan_.cables.size());
    for (const std::vector<std::uint32_t>& cage : cages_of(plan_)) {
      for (const std::uint32_t k : cage) groups.join(k, cage.front());
    }
    std::vector<double> longest(plan_.cables.size());
    for (std::uint32_t k = 0; k < plan_.cables.size(); ++k) {
      double& most = longest[groups.find(k)];
      most = std::max(most, layout_.run_m[k]);
    }
    for (std::uint32_t k = 0; k < plan_.cables.size(); ++k) longest[k] = longest[groups.find(k)];
    return longest;
  }

  void measure(std::uint32_t i, double longest) {
    PlanCable& cable = plan_.cables[i];
    const double needed = layout_.run_m[i];
    const auto shape = plan_.to_host(cable) && rules_.host_splitters ? CableShape::kSplitter
                                                                     : CableShape::kStraight;
    if (cable.type.empty()) {
      const auto speed = static_cast<std::uint32_t>(sold_speed(cable.rate));
      auto chosen = choose_cable(table_, speed, shape, longest);
      if (!chosen) chosen = choose_cable(table_, speed, shape, needed);
      if (chosen) {
        cable.type = chosen->kind->type;
        const double sold =
            is_fibre(cable.type) ? sold_length(*chosen->kind, needed) : chosen->length_m;
        if (cable.length_m == 0) cable.length_m = sold;
      } else {
        layout_.unreached.push_back(i);
      }
    }
    if (cable.length_m == 0) cable.length_m = std::ceil(needed);
  }

  void make_bundles() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Bundle> by_racks;
    for (std::uint32_t i = 0; i < plan_.cables.size(); ++i) {
      const PlanCable& cable = plan_.cables[i];
      const auto [a, b] =
          std::minmax(layout_.rack_of[cable.a.device], layout_.rack_of[cable.b.device]);
      by_racks.try_emplace({a, b}, Bundle{a, b, {}}).first->second.cables.push_back(i);
    }
    for (auto& [racks, bundle] : by_racks) {
      std::ranges::stable_sort(bundle.cables, [&](std::uint32_t x, std::uint32_t y) {
        return natural_less(plan_.cables[x].label, plan_.cables[y].label);
      });
      layout_.bundles.push_back(std::move(bundle));
    }
  }

  // By place along a tray: cables of a kind that begin there less those that end there.
  using Steps = std::map<const CableKind*, std::map<std::size_t, std::int64_t>>;

  static void add(Steps& tray, std::size_t from, std::size_t to, const CableKind* kind) {
    if (from == to) return;
    ++tray[kind][std::min(from, to)];
    --tray[kind][std::max(from, to)];
  }

  void make_trays() {
    for (const PlanCable& cable : plan_.cables) {
      if (&rack(cable.a) == &rack(cable.b)) continue;
      const CableKind* kind = kind_of(table_, cable);
      const TrayRun run = tray_run(cable);
      if (run.row_a == run.row_b) {
        add(along_[run.row_a], run.from, run.to, kind);
        continue;
      }
      add(along_[run.row_a], run.from, run.cross, kind);
      add(along_[run.row_b], run.to, run.cross, kind);
      add(across_[run.cross], run.row_a, run.row_b, kind);
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (auto& [p, section] : sections_of(along_[r])) {
        section.name = fmt::format("row {}, position {} to {}", rows_[r], p, p + 1);
        section.row = static_cast<std::uint32_t>(r);
        section.position = static_cast<std::uint32_t>(p);
        layout_.trays.push_back(section);
      }
    }
    for (const auto& [p, steps] : across_) {
      for (auto& [r, section] : sections_of(steps)) {
        section.name =
            fmt::format("cross tray at position {}, row {} to {}", p, rows_[r], rows_[r + 1]);
        section.across = true;
        section.row = static_cast<std::uint32_t>(r);
        section.position = p;
        layout_.trays.push_back(section);
      }
    }
    std::ranges::stable_sort(layout_.trays, std::greater{}, &TraySection::fill);
  }

  // The sections of a tray that have cables, by place.
  std::map<std::size_t, TraySection> sections_of(const Steps& tray) const {
    const double whole = rules_.tray_width_m * rules_.tray_depth_m * 1e6;
    std::map<std::size_t, TraySection> sections;
    for (const auto& [kind, steps] : tray) {
      const double mm = kind == nullptr ? 3.0 : kind->diameter_mm;
      const double kg_per_m = kind == nullptr ? 0.009 : kind->kg_per_m;
      std::int64_t cables = 0;
      for (auto at = steps.begin(); std::next(at) != steps.end(); ++at) {
        cables += at->second;
        for (std::size_t place = at->first; cables > 0 && place < std::next(at)->first; ++place) {
          TraySection& section = sections[place];
          section.cables += static_cast<std::size_t>(cables);
          section.area_mm2 += static_cast<double>(cables) * std::numbers::pi / 4 * mm * mm;
          section.kg_per_m += static_cast<double>(cables) * kg_per_m;
          section.fill = section.area_mm2 / whole;
        }
      }
    }
    return sections;
  }

  Plan& plan_;
  const LayoutRules& rules_;
  const CableTable& table_;
  Layout& layout_;
  std::vector<std::string> rows_;
  std::vector<std::size_t> row_of_;  // by rack
  std::uint32_t last_ = 1;           // position
  std::vector<std::uint32_t> cross_;
  std::vector<Steps> along_;               // by row
  std::map<std::uint32_t, Steps> across_;  // by position of the cross tray
};

// "33" for "Port 33", "1.3.2" for "1/3/2", "1" for mlx5_0 of a host: slashes part the two ends.
std::string label_port(const Plan& plan, const PlanEnd& end) {
  if (plan.device(end).is_host()) {
    const std::uint32_t ports = plan.device(end).chips[end.chip].ports;
    return ports > 1 ? fmt::format("{}.{}", end.chip + 1, end.port)
                     : fmt::format("{}", end.chip + 1);
  }
  std::string text = end.text.starts_with("Port ") ? end.text.substr(5) : end.text;
  if (text.empty()) text = fmt::format("{}", end.port);
  std::ranges::replace(text, '/', '.');
  std::ranges::replace(text, ' ', '_');
  const bool number = std::ranges::all_of(text, is_digit);
  return number && text.size() == 1 ? "0" + text : text;
}

std::string label_end(const Plan& plan, const PlanEnd& end) {
  const PlanDevice& device = plan.device(end);
  return fmt::format("{}-{:02}:{}", device.rack, device.unit, label_port(plan, end));
}

}  // namespace

std::string cable_label(const Plan& plan, const PlanEnd& near, const PlanEnd& far) {
  return label_end(plan, near) + '/' + label_end(plan, far);
}

Layout lay_out(Plan& plan, const LayoutRules& rules, const CableTable& table) {
  Layout layout;
  place_devices(plan, rules, layout);
  Runs runs(plan, rules, table, layout);
  runs.measure_all();
  runs.make_lists();
  return layout;
}

Layout lay_out_lengths(Plan& plan, const LayoutRules& rules, const CableTable& table) {
  Layout layout;
  place_devices(plan, rules, layout);
  Runs(plan, rules, table, layout).measure_all();
  return layout;
}

}  // namespace fatwood
