// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "plan/model/plan_fabric.hpp"
#include "plan/sizing/design.hpp"
#include "topology/generate/cable_list.hpp"
#include "topology/generate/clos.hpp"
#include "topology/generate/lifelike.hpp"
#include "topology/generate/multi_core.hpp"
#include "topology/generate/rail_fabric.hpp"
#include "topology/generate/random_graph.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {

namespace {

struct Item {
  std::string key;  // "" for a plain number
  std::uint32_t value;
  std::size_t column;
};
using Items = std::vector<Item>;

struct Spec {
  std::string text;  // without white space
  std::string family;
  std::vector<Items> groups;
};

std::string without_space(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\t') result += c;
  }
  return result;
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '+' || c == '-';
}

class SpecParser {
 public:
  explicit SpecParser(std::string_view text) { spec_.text = without_space(text); }

  Spec parse() {
    spec_.family = word();
    if (spec_.family.empty()) fail("a fabric's name");
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
    while (at_ < spec_.text.size() && in_word(peek())) ++at_;
    return spec_.text.substr(begin, at_ - begin);
  }
  std::uint32_t number() {
    std::uint32_t value = 0;
    const char* begin = spec_.text.data() + at_;
    const auto [end, error] = std::from_chars(begin, spec_.text.data() + spec_.text.size(), value);
    if (error == std::errc::result_out_of_range) fail("a number below 2^32");
    if (error != std::errc{}) fail("a number");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  Items group() {
    Items items;
    do {
      std::string key;
      const std::size_t column = at_ + 1;
      if (std::isalpha(static_cast<unsigned char>(peek())) != 0) {
        key = word();
        if (!accept('=')) {
          at_ = column - 1;
          fail("a number");
        }
      }
      items.push_back({std::move(key), number(), column});
    } while (accept(','));
    return items;
  }

  Spec spec_;
  std::size_t at_ = 0;
};

[[noreturn]] void wrong(const Spec& spec, const std::string& message, std::size_t column = 0) {
  const std::size_t line = column == 0 ? 0 : 1;
  throw InputError({.file = spec.text, .line = line, .column = column}, message);
}

std::vector<std::uint32_t> numbers(const Spec& spec, const Items& group) {
  std::vector<std::uint32_t> values;
  for (const Item& item : group) {
    if (!item.key.empty()) {
      wrong(spec, fmt::format("{}= is not known here", item.key), item.column);
    }
    values.push_back(item.value);
  }
  return values;
}

// The arguments of a family with one group: `least` to `most` numbers first, then options.
struct Arguments {
  std::vector<std::uint32_t> numbers;
  Items options;

  std::uint32_t operator[](std::size_t i) const { return numbers[i]; }
  std::uint32_t option(std::string_view key, std::uint32_t otherwise) const {
    const auto at = std::ranges::find(options, key, &Item::key);
    return at == options.end() ? otherwise : at->value;
  }
};

Arguments arguments(const Spec& spec, std::string_view usage, std::size_t least, std::size_t most,
                    const std::vector<std::string_view>& known = {}) {
  const Items group = spec.groups.empty() ? Items{} : spec.groups[0];
  Arguments result;
  for (const Item& item : group) {
    if (item.key.empty()) {
      if (!result.options.empty()) {
        wrong(spec, fmt::format("numbers must come before options: {}", usage), item.column);
      }
      result.numbers.push_back(item.value);
      continue;
    }
    if (std::ranges::find(known, item.key) == known.end()) {
      wrong(spec, fmt::format("{}= is not known: {}", item.key, usage), item.column);
    }
    if (std::ranges::find(result.options, item.key, &Item::key) != result.options.end()) {
      wrong(spec, fmt::format("{}= is given twice", item.key), item.column);
    }
    result.options.push_back(item);
  }
  if (spec.groups.size() > 1 || result.numbers.size() < least || result.numbers.size() > most) {
    wrong(spec, fmt::format("expected {}", usage));
  }
  return result;
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

// Not larger than a switch can be by default, so that random(16,32) is what [Chiu02] draws.
Fabric random_fabric(const Spec& spec, std::string_view usage) {
  const Arguments a = arguments(spec, usage, 2, 2, {"min", "max", "dup", "terminals", "seed"});
  const std::uint32_t mean = a[0] == 0 ? 0 : static_cast<std::uint32_t>(2ULL * a[1] / a[0]);
  const RandomGraph wanted{.switches = a[0],
                           .links = a[1],
                           .min_degree = a.option("min", 1),
                           .max_degree = a.option("max", std::clamp(2 * mean, 8U, kMaxPorts)),
                           .duplicates = a.option("dup", 0),
                           .seed = a.option("seed", 1)};
  return with_terminals(make_random(wanted), a.option("terminals", a[0]));
}

Fabric torus_fabric(const Spec& spec, std::string_view usage) {
  const Arguments a = arguments(spec, usage, 2, 3, {"wrap", "terminals"});
  const CableList list =
      make_torus(a.numbers, a.option("wrap", static_cast<std::uint32_t>(a.numbers.size())));
  return with_terminals(list, a.option("terminals", list.switches));
}

// The options given stand in for what the value has.
template <class Value, class Keys>
Value with_options(const Spec& spec, std::string_view usage, const Keys& keys, Value value) {
  std::vector<std::string_view> known;
  for (const auto& key : keys) known.push_back(key.name);
  const Arguments a = arguments(spec, usage, 0, 0, known);
  for (const auto& key : keys) value.*key.value = a.option(key.name, value.*key.value);
  return value;
}

Fabric rails_fabric(const Spec& spec, std::string_view usage, const RailFabric& rails) {
  return make_rail_fabric(with_options(spec, usage, rails_keys(), rails));
}

Fabric design_fabric(const Spec& spec, std::string_view usage) {
  return planned_fabric(make_plan(with_options(spec, usage, design_keys(), Design{}))).fabric;
}

Fabric clos_fabric(const Spec& spec, std::string_view usage) {
  return make_clos(with_options(spec, usage, clos_keys(), ClosFabric{}));
}

// A family without arguments.
template <auto make>
Fabric fixed(const Spec& spec, std::string_view usage) {
  arguments(spec, usage, 0, 0);
  return make();
}

struct Row {
  Family family;
  Fabric (*make)(const Spec&, std::string_view usage);
};

const Row kRows[] = {
    {{"ft", "ft(m,n)", "m-port n-tree: 2(m/2)^n terminals on switches of m ports"},
     [](const Spec& s, std::string_view usage) {
       const auto a = arguments(s, usage, 2, 2);
       return make_tree(m_port_n_tree(a[0], a[1]));
     }},
    {{"kary", "kary(k,n)", "k-ary n-tree: k^n terminals"},
     [](const Spec& s, std::string_view usage) {
       const auto a = arguments(s, usage, 2, 2);
       return make_tree(k_ary_n_tree(a[0], a[1]));
     }},
    {{"xgft", "xgft(h;m1,..,mh;w1,..,wh)", "extended generalized fat-tree"},
     [](const Spec& s, std::string_view usage) { return make_tree(tree_of(s, 2, usage)); }},
    {{"pgft", "pgft(h;m1,..,mh;w1,..,wh;p1,..,ph)", "the same with parallel links"},
     [](const Spec& s, std::string_view usage) { return make_tree(tree_of(s, 3, usage)); }},
    {{"rlft", "rlft(K,h[,top])",
      "real-life fat-tree of 2K-port switches, h levels, `top` sub-trees (2K unless given)"},
     [](const Spec& s, std::string_view usage) {
       const auto a = arguments(s, usage, 2, 3);
       return make_tree(real_life_tree(a[0], a[1], a.numbers.size() == 3 ? a[2] : 2 * a[0]));
     }},
    {{"switch648", "switch648", "648-port switch: 54 parts of 36 ports"},
     fixed<[] { return make_tree(switch648_shape()); }>},
    {{"switch3456", "switch3456", "3456-port switch: 720 parts of 24 ports"},
     fixed<[] { return make_tree(switch3456_shape()); }>},
    {{"switch648+racks", "switch648+racks", "over 54 rack switches in joined pairs"},
     fixed<make_switch648_with_racks>},
    {{"switch3456+racks", "switch3456+racks", "over 288 rack switches in joined pairs"},
     fixed<make_switch3456_with_racks>},
    {{"juropa", "juropa", "eight 648-port switches over 432 leaves in joined pairs"},
     fixed<make_juropa>},
    {{"ranger", "ranger", "two 3456-port switches over 576 leaves"}, fixed<make_ranger>},
    {{"directors", "directors(leaves,hosts[,up=][,boxes=][,seed=])",
      "648-port switches over leaves, cabled by hand: bundles of 1 to 6 cables anywhere"},
     [](const Spec& s, std::string_view usage) {
       const auto a = arguments(s, usage, 2, 2, {"up", "boxes", "seed"});
       return make_directors({.leaves = a[0],
                              .hosts = a[1],
                              .up_links = a.option("up", a[1]),
                              .boxes = a.option("boxes", 1),
                              .seed = a.option("seed", 1)});
     }},
    {{"rails", "rails(units=,hosts=,rails=,spines=,cables=,cores=,...)",
      "units of hosts with a leaf per rail, spines, cores, and the faults of real fabrics"},
     [](const Spec& s, std::string_view usage) { return rails_fabric(s, usage, {}); }},
    {{"plan", "plan(hosts=,rails=,unit=,radix=,up=,spines=,...)",
      "as fatwood plan prints it: units of hosts, leaves, spines, cores, pods, planes"},
     design_fabric},
    {{"clos", "clos(leaves=,spines=,hosts=,cables=,pods=,cores=,planes=,homes=,speed=,up=)",
      "Ethernet: leaves and spines, pods under cores, planes, hosts on one leaf or two"},
     clos_fabric},
    {{"like-selene", "like-selene[(seed=,...)]", "8 rails, 4 pods, 3 levels, HDR: 666 switches"},
     [](const Spec& s, std::string_view usage) { return rails_fabric(s, usage, like_selene()); }},
    {{"like-dgx-ndr", "like-dgx-ndr[(seed=,...)]", "4 rails, 2 levels, NDR: 40 switches"},
     [](const Spec& s, std::string_view usage) { return rails_fabric(s, usage, like_dgx_ndr()); }},
    {{"like-x5", "like-x5", "uneven leaves under four spines, QDR and DDR: 11 switches"},
     fixed<make_like_x5>},
    {{"like-stage", "like-stage", "hosts on a spine, QDR under FDR10: 8 switches"},
     fixed<make_like_stage>},
    {{"ring", "ring(n[,terminals=])", "n switches in a ring"},
     [](const Spec& s, std::string_view usage) {
       const auto a = arguments(s, usage, 1, 1, {"terminals"});
       return with_terminals(make_ring(a[0]), a.option("terminals", a[0]));
     }},
    {{"torus", "torus(a,b[,c][,wrap=][,terminals=])",
      "2-D or 3-D torus, `wrap` of its dimensions closed"},
     torus_fabric},
    {{"hypercube", "hypercube(d[,terminals=])", "2^d switches"},
     [](const Spec& s, std::string_view usage) {
       const auto a = arguments(s, usage, 1, 1, {"terminals"});
       const CableList list = make_hypercube(a[0]);
       return with_terminals(list, a.option("terminals", list.switches));
     }},
    {{"random", "random(switches,links[,min=][,max=][,dup=][,terminals=][,seed=])",
      "connected random graph, `dup` of its links parallel to another one"},
     random_fabric},
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
  const std::string spec = without_space(text);
  const auto end = std::ranges::find_if_not(spec, in_word);
  if (end != spec.begin() && end != spec.end() && *end == '(') return true;
  if (spec == "plan") return false;  // says nothing without numbers, and files are called so
  return std::ranges::any_of(kRows, [&](const Row& row) { return spec == row.family.name; });
}

Fabric make_fabric(std::string_view text) {
  const Spec spec = SpecParser(text).parse();
  for (const Row& row : kRows) {
    if (spec.family != row.family.name) continue;
    try {
      return row.make(spec, row.family.usage);
    } catch (const InputError& error) {
      if (error.where().file == spec.text) throw;
      throw error.at({.file = spec.text});
    }
  }
  std::string known;
  for (const Family& family : families()) known += fmt::format("\n  {}", family.usage);
  throw InputError(
      {.file = spec.text, .line = 1, .column = 1},
      fmt::format("there is no fabric \"{}\"; the families are:{}", spec.family, known));
}

}  // namespace fatwood
