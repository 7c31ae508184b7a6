// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fatwood {

namespace {

// 1, 2 and 5 times the powers of ten around [low, high]; of wide ranges the powers alone, of very
// wide ones every other, third, ..
std::vector<double> log_ticks(double low, double high) {
  const double first = std::floor(std::log10(low) + 1e-9);
  const double last = std::ceil(std::log10(high) - 1e-9);
  std::vector<double> ticks;
  if (last - first > 3) {
    const double step = std::ceil((last - first) / 8);
    for (double e = first; e < last + step - 1e-9; e += step) ticks.push_back(std::pow(10, e));
    return ticks;
  }
  for (double e = first - 1; e <= last; ++e) {
    for (const double factor : {1.0, 2.0, 5.0}) ticks.push_back(factor * std::pow(10, e));
  }
  const auto begin = std::upper_bound(ticks.begin(), ticks.end(), low * (1 + 1e-9)) - 1;
  auto end = std::lower_bound(ticks.begin(), ticks.end(), high * (1 - 1e-9));
  if (end == begin) ++end;
  return {begin, end + 1};
}

std::vector<double> log2_ticks(double low, double high) {
  const double first = std::floor(std::log2(low) + 1e-9);
  const double last = std::max(first + 1, std::ceil(std::log2(high) - 1e-9));
  const double step = std::ceil((last - first) / 8);
  std::vector<double> ticks;
  for (double e = first; e < last + step - 1e-9; e += step) ticks.push_back(std::exp2(e));
  return ticks;
}

}  // namespace

void PlotRange::add(double value) {
  low = any ? std::min(low, value) : value;
  high = any ? std::max(high, value) : value;
  any = true;
}

PlotAxis::PlotAxis(Scale scale, PlotRange range, double start, double from, double to)
    : scale_(scale), from_(from), to_(to) {
  const bool linear = scale == Scale::kLinear;
  if (!range.any) range = {linear ? start : 1.0, linear ? start + 1 : 10.0, true};
  if (linear) range.low = std::min(range.low, start);
  if (range.high <= range.low) range.high = linear ? range.low + 1 : range.low * 2;
  ticks_ = linear                  ? round_ticks(range.low, range.high, 6)
           : scale == Scale::kLog2 ? log2_ticks(range.low, range.high)
                                   : log_ticks(range.low, range.high);
  low_ = linear ? ticks_.front() : std::log(ticks_.front());
  high_ = linear ? ticks_.back() : std::log(ticks_.back());
}

double PlotAxis::at(double value) const {
  const double v = scale_ == Scale::kLinear ? value : std::log(value);
  return from_ + (v - low_) / (high_ - low_) * (to_ - from_);
}

bool has_place(Scale scale, double value) {
  return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:g}k", value / 1e3);
  return fmt::format("{:.4g}", size < 1e-12 ? 0.0 : value);
}

std::vector<double> round_ticks(double low, double high, int count) {
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = power * factor;
    if (step >= rough * 0.999) break;
  }
  const auto first = static_cast<long>(std::floor(low / step + 1e-9));
  const auto last = static_cast<long>(std::ceil(high / step - 1e-9));
  std::vector<double> ticks;
  for (long i = first; i <= std::max(last, first + 1); ++i) {
    ticks.push_back(static_cast<double>(i) * step);
  }
  return ticks;
}

}  // namespace fatwood
