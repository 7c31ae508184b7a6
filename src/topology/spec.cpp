#include "topology/spec.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "topology/tree.hpp"

namespace fatwood {

namespace {

struct Item {
  std::string key;  // "" for a plain number
  std::uint64_t value;
};
using Group = std::vector<Item>;

struct Spec {
  std::string text;  // without white space
  std::string family;
  std::vector<Group> groups;
};

class SpecParser {
 public:
  explicit SpecParser(std::string_view text) {
    for (const char c : text) {
      if (c != ' ' && c != '\t') spec_.text += c;
    }
  }

  Spec parse() {
    spec_.family = word();
    if (at_ < spec_.text.size()) {
      expect('(');
      if (peek() == ')') {
        ++at_;
      } else {
        do {
          spec_.groups.push_back(group());
        } while (accept(';'));
        expect(')');
      }
    }
    if (at_ != spec_.text.size()) fail("the end");
    return std::move(spec_);
  }

 private:
  char peek() const { return at_ < spec_.text.size() ? spec_.text[at_] : '\0'; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}'", c));
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError(
        {.file = spec_.text, .line = 1, .column = at_ + 1},
        fmt::format("expected {}{}", expected,
                    at_ < spec_.text.size() ? fmt::format(", found '{}'", spec_.text[at_])
                                            : std::string(", found the end")));
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < spec_.text.size() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 ||
                                       peek() == '_' || peek() == '+')) {
      ++at_;
    }
    return spec_.text.substr(begin, at_ - begin);
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const char* begin = spec_.text.data() + at_;
    const auto [end, error] = std::from_chars(begin, spec_.text.data() + spec_.text.size(), value);
    if (error == std::errc::result_out_of_range || value > 0xffffffffU) fail("a smaller number");
    if (error != std::errc{}) fail("a number");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  Group group() {
    Group items;
    do {
      std::string key;
      if (std::isalpha(static_cast<unsigned char>(peek())) != 0) {
        key = word();
        expect('=');
      }
      items.push_back({std::move(key), number()});
    } while (accept(','));
    return items;
  }

  Spec spec_;
  std::size_t at_ = 0;
};

[[noreturn]] void wrong(const Spec& spec, const std::string& message) {
  throw InputError({.file = spec.text}, message);
}

std::vector<std::uint32_t> numbers(const Spec& spec, const Group& group) {
  std::vector<std::uint32_t> values;
  for (const Item& item : group) {
    if (!item.key.empty()) wrong(spec, fmt::format("{}= is not known here", item.key));
    values.push_back(static_cast<std::uint32_t>(item.value));
  }
  return values;
}

// The numbers of a family that takes one group of exactly `count`.
std::vector<std::uint32_t> arguments(const Spec& spec, std::size_t count, std::string_view usage) {
  if (spec.groups.size() != 1 || spec.groups[0].size() != count) {
    wrong(spec, fmt::format("expected {}", usage));
  }
  return numbers(spec, spec.groups[0]);
}

TreeShape tree_of(const Spec& spec, std::size_t lists, std::string_view usage) {
  if (spec.groups.size() != lists + 1 || spec.groups[0].size() != 1) {
    wrong(spec, fmt::format("expected {}", usage));
  }
  const std::vector<std::uint32_t> height = numbers(spec, spec.groups[0]);
  TreeShape shape{numbers(spec, spec.groups[1]), numbers(spec, spec.groups[2]), {}};
  if (lists == 3) {
    shape.p = numbers(spec, spec.groups[3]);
  } else {
    shape.p.assign(shape.m.size(), 1);
  }
  constexpr std::string_view kNames = "mwp";
  const std::vector<std::uint32_t>* digits[] = {&shape.m, &shape.w, &shape.p};
  for (std::size_t i = 0; i < lists; ++i) {
    if (digits[i]->size() != height[0]) {
      wrong(spec,
            fmt::format("the height is {}, so {} numbers {}1..{}{} are expected, not {}", height[0],
                        height[0], kNames[i], kNames[i], height[0], digits[i]->size()));
    }
  }
  return shape;
}

struct Row {
  Family family;
  Fabric (*make)(const Spec&);
};

const Row kRows[] = {
    {{"ft", "ft(m,n)", "m-port n-tree: 2(m/2)^n terminals on switches of m ports"},
     [](const Spec& s) {
       const auto a = arguments(s, 2, "ft(m,n)");
       return make_tree(m_port_n_tree(a[0], a[1]));
     }},
    {{"kary", "kary(k,n)", "k-ary n-tree: k^n terminals"},
     [](const Spec& s) {
       const auto a = arguments(s, 2, "kary(k,n)");
       return make_tree(k_ary_n_tree(a[0], a[1]));
     }},
    {{"xgft", "xgft(h;m1,..,mh;w1,..,wh)", "extended generalized fat-tree"},
     [](const Spec& s) { return make_tree(tree_of(s, 2, "xgft(h;m1,..,mh;w1,..,wh)")); }},
    {{"pgft", "pgft(h;m1,..,mh;w1,..,wh;p1,..,ph)", "the same with parallel links"},
     [](const Spec& s) { return make_tree(tree_of(s, 3, "pgft(h;m..;w..;p..)")); }},
};

}  // namespace

std::span<const Family> families() {
  static const std::vector<Family> list = [] {
    std::vector<Family> all;
    for (const Row& row : kRows) all.push_back(row.family);
    return all;
  }();
  return list;
}

bool looks_like_spec(std::string_view text) {
  const std::string_view word = text.substr(0, text.find('('));
  for (const Row& row : kRows) {
    if (word == row.family.name) return true;
  }
  return false;
}

Fabric make_fabric(std::string_view text) {
  const Spec spec = SpecParser(text).parse();
  for (const Row& row : kRows) {
    if (spec.family != row.family.name) continue;
    try {
      return row.make(spec);
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (message.starts_with(spec.text)) throw;
      throw InputError({.file = spec.text}, message);
    }
  }
  std::string known;
  for (const Family& family : families()) known += fmt::format(" {}", family.usage);
  throw InputError(fmt::format("no fabric is called \"{}\"; there are:{}", spec.family, known));
}

}  // namespace fatwood
