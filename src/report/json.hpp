// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// JSON as reports write it: a value that keeps its keys in the given order. It cannot parse; io/
// does that. (A template header for both would cost seconds per compiled file.)
//
//   Json json{{"switches", 12}, {"names", names}};     pairs that start with a text are an object
//   json["levels"] = Json::array();
//   json["levels"].push_back({{"level", 1}});
//   add_fraction(json, "ratio", ratio);                "ratio": "4/3", "ratio_value": 1.333
//   return document(json);                             {"fatwood": "1.0.0", "switches": ...}
//
// NaN and infinities become null, because JSON has none; bytes that are not UTF-8 become U+FFFD.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/fraction.hpp"

namespace fatwood {

class Json {
 public:
  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  template <std::signed_integral T>
  Json(T value) : value_(std::int64_t{value}) {}
  template <std::unsigned_integral T>
  Json(T value) : value_(std::uint64_t{value}) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  template <std::ranges::input_range Range>
    requires(!std::convertible_to<Range, std::string_view> &&
             std::constructible_from<Json, std::ranges::range_reference_t<Range>>)
  Json(const Range& range) : value_(Array{}) {
    for (const auto& element : range) push_back(Json(element));
  }
  template <typename T>
  Json(const std::map<std::string, T>& members) : value_(Object{}) {
    for (const auto& [key, value] : members) (*this)[key] = Json(value);
  }
  // null if there is no value.
  template <typename T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
  // Pairs whose first is a text make an object, all else an array.
  Json(std::initializer_list<Json> elements);
  static Json array(std::initializer_list<Json> elements = {});
  // The array of make(element) for each element.
  template <std::ranges::input_range Range, class Make>
  static Json list(const Range& range, const Make& make) {
    Json json = array();
    for (const auto& element : range) json.push_back(make(element));
    return json;
  }
  static Json object();

  // For an object, or for null, which becomes one. A new key is added as null.
  Json& operator[](std::string_view key);
  // For an array, or for null, which becomes one.
  void push_back(Json element);
  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  // nullptr if there is no such key, or if this is not an object.
  const Json* find(std::string_view key) const;
  const std::string* string() const { return std::get_if<std::string>(&value_); }

  std::string text() const;  // in one line

 private:
  friend std::string document(Json json);
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;
  bool is_pair() const;
  void write(std::string& out) const;
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      value_;
};

// null for "".
inline Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// For people: "4/3 (1.3333)".
std::string fraction_text(const Fraction& value);

// The fraction as a text (or an integer if it is one), and as a number under key_value.
void add_fraction(Json& json, std::string_view key, const Fraction& value);

// The output of a verb with --json: the object, with the version of Fatwood that wrote it as its
// first key, and a newline.
std::string document(Json json);

}  // namespace fatwood
