// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A value of JSON or YAML with the line where it begins. Numbers and truth values are texts.
//
// A map keeps the order of its keys, and keys that come twice: lldpd lists two neighbours of one
// port as two members of the same name. What is not there reads as an empty value, so a reader can
// say tree["chassis"]["name"].text().

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"

namespace fatwood {

class Tree {
 public:
  enum class Kind : std::uint8_t { kNone, kText, kList, kMap };

  Kind kind = Kind::kNone;
  std::uint32_t line = 0;
  std::string value;              // of a text
  std::vector<std::string> keys;  // of a map, in step with `items`
  std::vector<Tree> items;        // of a list or a map

  bool exists() const { return kind != Kind::kNone; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kList; }
  // The first member of this name; of a list, that of its first item.
  const Tree& operator[](std::string_view key) const;
  bool has(std::string_view key) const { return (*this)[key].exists(); }
  // The text; of a list, that of its first item; of a map, that of its member "value" or "data".
  std::string_view text() const;
  std::string_view text(std::string_view key) const { return (*this)[key].text(); }
  // The items of a list; any other value is the only item of a list.
  std::vector<const Tree*> list() const;
  // The nearest member of this name here or below, at most `depth` levels down.
  const Tree& find(std::string_view key, unsigned depth) const;
};

// All values of a file, one after another. InputError with line and column at the first mistake, or
// if values are nested more than 100 deep.
std::vector<Tree> read_json_values(Input& input);

// YAML as people write it for containerlab: maps and lists by indentation or in brackets, texts
// with and without quotes, comments. Anchors, tags and folded texts are read as plain text.
Tree read_yaml(Input& input, Warnings& warnings);

}  // namespace fatwood
