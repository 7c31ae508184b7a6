// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/invariant.hpp"
#include "core/text/printable.hpp"
#include "core/version.hpp"

namespace fatwood {

namespace {

void write_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    const char c = text[0];
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (is_unsafe(code)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

// The shortest text that reads back as the same number, and as no integer.
void write_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  const std::string digits = fmt::format("{}", value);
  out += digits;
  if (digits.find_first_of(".e") == std::string::npos) out += ".0";
}

}  // namespace

bool Json::is_pair() const {
  const Array* array = std::get_if<Array>(&value_);
  return array != nullptr && array->size() == 2 &&
         std::holds_alternative<std::string>(array->front().value_);
}

Json::Json(std::initializer_list<Json> elements) {
  if (!std::ranges::all_of(elements, &Json::is_pair)) {
    value_ = Array(elements);
    return;
  }
  Object object;
  for (const Json& element : elements) {
    const Array& pair = std::get<Array>(element.value_);
    object.emplace_back(std::get<std::string>(pair[0].value_), pair[1]);
  }
  value_ = std::move(object);
}

Json Json::array(std::initializer_list<Json> elements) {
  Json json;
  json.value_ = Array(elements);
  return json;
}
Json Json::object() {
  Json json;
  json.value_ = Object{};
  return json;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object{};
  Object* object = std::get_if<Object>(&value_);
  invariant(object != nullptr, "a key is asked of JSON that is not an object");
  for (auto& [name, value] : *object) {
    if (name == key) return value;
  }
  return object->emplace_back(key, Json()).second;
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array{};
  Array* array = std::get_if<Array>(&value_);
  invariant(array != nullptr, "an element is added to JSON that is not an array");
  array->push_back(std::move(element));
}

const Json* Json::find(std::string_view key) const {
  const Object* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto at = std::ranges::find(*object, key, &Object::value_type::first);
  return at == object->end() ? nullptr : &at->second;
}

void Json::write(std::string& out) const {
  if (is_null()) {
    out += "null";
  } else if (const bool* flag = std::get_if<bool>(&value_)) {
    out += *flag ? "true" : "false";
  } else if (const std::int64_t* number = std::get_if<std::int64_t>(&value_)) {
    fmt::format_to(std::back_inserter(out), "{}", *number);
  } else if (const std::uint64_t* count = std::get_if<std::uint64_t>(&value_)) {
    fmt::format_to(std::back_inserter(out), "{}", *count);
  } else if (const double* real = std::get_if<double>(&value_)) {
    write_number(out, *real);
  } else if (const std::string* written = string()) {
    write_string(out, *written);
  } else if (const Array* array = std::get_if<Array>(&value_)) {
    out += '[';
    for (const Json& element : *array) {
      if (&element != &array->front()) out += ',';
      element.write(out);
    }
    out += ']';
  } else if (const Object* object = std::get_if<Object>(&value_)) {
    out += '{';
    for (const auto& member : *object) {
      if (&member != &object->front()) out += ',';
      write_string(out, member.first);
      out += ':';
      member.second.write(out);
    }
    out += '}';
  }
}

std::string Json::text() const {
  std::string out;
  write(out);
  return out;
}

std::string fraction_text(const Fraction& value) {
  return value.den() == 1 ? value.to_string()
                          : fmt::format("{} ({:.4f})", value.to_string(), value.value());
}

void add_fraction(Json& json, std::string_view key, const Fraction& value) {
  json[key] = value.den() == 1 ? Json(value.num()) : Json(value.to_string());
  json[fmt::format("{}_value", key)] = value.value();
}

std::string document(Json json) {
  auto* members = std::get_if<Json::Object>(&json.value_);
  invariant(members != nullptr, "a verb prints JSON that is not an object");
  members->emplace(members->begin(), "fatwood", Json(version()));
  return json.text() + "\n";
}

}  // namespace fatwood
