// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "io/base/json_bytes.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostNested = 100;

const Tree& nothing() {
  static const Tree none;
  return none;
}

// Builds a tree from the events of the parser.
class TreeMaker : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeMaker(JsonBytes& bytes) : bytes_(bytes) {}

  Tree take() { return std::move(root_); }

  bool null() override { return add_text(""); }
  bool boolean(bool value) override { return add_text(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return add_text(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add_text(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return add_text(text); }
  bool string(string_t& value) override { return add_text(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Tree::Kind::kMap); }
  bool start_array(std::size_t) override { return open(Tree::Kind::kList); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    throw InputError(bytes_.where(), "invalid JSON here; expected the output of a tool as it is");
  }

 private:
  // The place for the next value.
  Tree& place() {
    if (open_.empty()) return root_;
    Tree& parent = *open_.back();
    if (parent.is_map()) parent.keys.push_back(std::move(key_));
    return parent.items.emplace_back();
  }
  bool add_text(std::string text) {
    Tree& made = place();
    made.kind = Tree::Kind::kText;
    made.line = static_cast<std::uint32_t>(bytes_.where().line);
    made.value = std::move(text);
    return true;
  }
  bool open(Tree::Kind kind) {
    if (open_.size() >= kMostNested) {
      throw InputError(bytes_.where(), fmt::format("values are nested more than {} deep; expected "
                                                   "the output of a tool",
                                                   kMostNested));
    }
    Tree& made = place();
    made.kind = kind;
    made.line = static_cast<std::uint32_t>(bytes_.where().line);
    open_.push_back(&made);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  JsonBytes& bytes_;
  Tree root_;
  std::vector<Tree*> open_;  // a parent gets no further items while a child is open
  std::string key_;
};

}  // namespace

const Tree& Tree::operator[](std::string_view key) const {
  if (is_list()) return items.empty() ? nothing() : items.front()[key];
  const auto at = std::ranges::find(keys, key);
  return at == keys.end() ? nothing() : items[static_cast<std::size_t>(at - keys.begin())];
}

std::string_view Tree::text() const {
  if (kind == Kind::kText) return value;
  if (is_list()) return items.empty() ? std::string_view{} : items.front().text();
  for (const std::string_view key : {"value", "data"}) {
    if (const Tree& inner = (*this)[key]; inner.kind == Kind::kText) return inner.value;
  }
  return {};
}

std::vector<const Tree*> Tree::list() const {
  std::vector<const Tree*> all;
  if (is_list()) {
    for (const Tree& item : items) all.push_back(&item);
  } else if (exists()) {
    all.push_back(this);
  }
  return all;
}

const Tree& Tree::find(std::string_view key, unsigned depth) const {
  if (is_map()) {
    if (const Tree& own = (*this)[key]; own.exists()) return own;
  }
  if (depth == 0) return nothing();
  for (const Tree& item : items) {
    if (const Tree& found = item.find(key, depth - 1); found.exists()) return found;
  }
  return nothing();
}

std::vector<Tree> read_json_values(Input& input) {
  std::vector<Tree> values;
  JsonBytes bytes(input);
  const auto skip_blanks = [&] {
    while (!bytes.ended() &&
           std::string_view(" \t\r\n,").find(bytes.current()) != std::string_view::npos) {
      bytes.advance();
    }
  };
  for (skip_blanks(); !bytes.ended(); skip_blanks()) {
    TreeMaker maker(bytes);
    nlohmann::json::sax_parse(JsonIterator(&bytes), JsonIterator(nullptr), &maker,
                              nlohmann::json::input_format_t::json, false);
    values.push_back(maker.take());
  }
  return values;
}

}  // namespace fatwood
