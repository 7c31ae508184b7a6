// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parameters of a request (app/parameter.hpp) as keyword arguments: fault_seed=3.
//
//   FromKeywords set(keywords);
//   describe(set, request.faults);
//   set.finish();  // InputError for keywords that no parameter has

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/parameter.hpp"
#include "core/error.hpp"
#include "core/text/closest.hpp"
#include "core/text/split.hpp"

namespace fatwood::python {

namespace py = pybind11;

class FromKeywords {
 public:
  explicit FromKeywords(const py::dict& given) : given_(given) {}

  void operator()(bool& value, const Parameter& p) {
    if (const auto word = find(p)) value = word->cast<bool>();
  }
  void operator()(std::string& value, const Parameter& p) {
    const auto word = find(p);
    if (!word) return;
    value = text_of(*word, p);
    if (!p.words.empty() && std::ranges::count(p.words, value) == 0) {
      throw InputError(
          fmt::format("{}=\"{}\": expected one of {}", p.name, value, fmt::join(p.words, ", ")));
    }
  }
  void operator()(std::vector<std::string>& value, const Parameter& p) {
    const auto word = find(p);
    if (!word) return;
    if (is_text(*word)) {
      value = {text_of(*word, p)};
      if (p.commas) value = split(value.front());
      return;
    }
    value.clear();
    if (!py::isinstance<py::iterable>(*word)) wrong(*word, p, "a text or a list of texts");
    for (const py::handle one : *word) value.push_back(text_of(one, p));
  }
  void operator()(NodeChoice& value, const Parameter& p) { (*this)(value.names, p); }
  template <std::integral T>
  void operator()(T& value, const Parameter& p) {
    if (const auto word = find(p)) value = number_of<T>(*word, p);
  }
  template <std::integral T>
  void operator()(std::optional<T>& value, const Parameter& p) {
    const auto word = find(p);
    if (word && !word->is_none()) value = number_of<T>(*word, p);
  }

  template <std::floating_point T>
  void operator()(T& value, const Parameter& p) {
    if (const auto word = find(p)) value = real_of(*word, p);
  }
  template <std::floating_point T>
  void operator()(std::optional<T>& value, const Parameter& p) {
    const auto word = find(p);
    if (word && !word->is_none()) value = real_of(*word, p);
  }

  void finish() const {
    for (const auto& [name, needs] : needs_) {
      if (std::ranges::any_of(needs, [&](const std::string& other) { return is_given(other); })) {
        continue;
      }
      throw InputError(fmt::format("{} needs {}", name, fmt::join(needs, " or ")));
    }
    for (const auto& [name, value] : given_) {
      const auto text = name.cast<std::string>();
      if (std::ranges::count(names_, text) > 0) continue;
      throw py::type_error(fmt::format("unknown argument {}{}; there are {}", text,
                                       did_you_mean(text, names_), fmt::join(names_, ", ")));
    }
  }

 private:
  std::optional<py::handle> find(const Parameter& p) {
    names_.emplace_back(p.name);
    if (!given_.contains(p.name)) return std::nullopt;
    if (!p.needs.empty() && is_given(p.name)) needs_.emplace_back(p.name, p.needs);
    for (const std::string& other : p.excludes) {
      if (!is_given(p.name) || !is_given(other)) continue;
      throw InputError(fmt::format("give either {} or {}", other, p.name));
    }
    return py::handle(given_[p.name]);
  }
  bool is_given(const std::string& name) const {
    return given_.contains(name) && PyObject_IsTrue(py::object(given_[name.c_str()]).ptr()) == 1;
  }
  [[noreturn]] static void wrong(py::handle word, const Parameter& p, const std::string& expected) {
    throw InputError(
        fmt::format("{}={}: expected {}", p.name, py::repr(word).cast<std::string>(), expected));
  }
  static bool is_text(py::handle word) {
    return py::isinstance<py::str>(word) || py::isinstance<py::int_>(word);
  }
  // A text, a number such as cut=3, or a path.
  static std::string text_of(py::handle word, const Parameter& p) {
    if (is_text(word) || py::hasattr(word, "__fspath__")) return py::str(word).cast<std::string>();
    wrong(word, p, "a text");
  }
  template <class T>
  static T number_of(py::handle word, const Parameter& p) {
    std::string range = "a whole number";
    if (p.least && p.most) range = fmt::format("a number from {} to {}", *p.least, *p.most);
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(word.ptr()));
    const long long number = whole ? PyLong_AsLongLong(whole.ptr()) : -1;
    if (PyErr_Occurred() != nullptr) {  // not a whole number, or too large for any
      PyErr_Clear();
      wrong(word, p, range);
    }
    if ((p.least && number < *p.least) || (p.most && number > *p.most) ||
        !std::in_range<T>(number)) {
      wrong(word, p, range);
    }
    return static_cast<T>(number);
  }

  static std::vector<std::string> split(const std::string& text) {
    const auto parts = split_at(text, ',');
    return {parts.begin(), parts.end()};
  }
  static double real_of(py::handle word, const Parameter& p) {
    const double number = PyFloat_AsDouble(word.ptr());
    const bool is_number = PyErr_Occurred() == nullptr;
    PyErr_Clear();
    if (is_number && number >= p.low.value_or(number) && number <= p.high.value_or(number)) {
      return number;
    }
    wrong(word, p,
          p.low && p.high ? fmt::format("a number from {} to {}", *p.low, *p.high) : "a number");
  }

  const py::dict& given_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, std::vector<std::string>>> needs_;
};

}  // namespace fatwood::python
