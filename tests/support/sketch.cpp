// SPDX-License-Identifier: BSD-3-Clause
#include "support/sketch.hpp"

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "topology/builder.hpp"

namespace fatwood::test {
namespace {

class Sketch {
 public:
  explicit Sketch(std::uint32_t radix) : radix_(radix) {}

  void add(const std::string& word) {
    const std::size_t star = word.find('*');
    const unsigned count =
        star == std::string::npos ? 1 : static_cast<unsigned>(std::stoul(word.substr(star + 1)));
    const std::string what = word.substr(0, star);
    if (const std::size_t dash = what.find('-'); dash != std::string::npos) {
      for (unsigned i = 0; i < count; ++i) join(what.substr(0, dash), what.substr(dash + 1));
    } else if (const std::size_t colon = what.find(':'); colon != std::string::npos) {
      hang(what.substr(0, colon), static_cast<unsigned>(std::stoul(what.substr(colon + 1))));
    } else {
      box(what);
    }
  }
  Fabric build() const { return builder_.build(); }

 private:
  struct Box {
    FabricBuilder::Handle handle;
    std::uint32_t used;
  };
  Box& box(const std::string& id) {
    const auto found = boxes_.find(id);
    if (found != boxes_.end()) return found->second;
    return boxes_.emplace(id, Box{builder_.add_switch(id, radix_), 0}).first->second;
  }
  void join(const std::string& a, const std::string& b) {
    Box& from = box(a);
    Box& to = box(b);
    builder_.connect(from.handle, static_cast<Port>(++from.used), to.handle,
                     static_cast<Port>(++to.used));
  }
  void hang(const std::string& id, unsigned hosts) {
    Box& on = box(id);
    for (unsigned i = 0; i < hosts; ++i) {
      const auto host = builder_.add_adapter(id + "." + std::to_string(i), 1);
      builder_.connect(on.handle, static_cast<Port>(++on.used), host, Port{1});
    }
  }

  std::uint32_t radix_;
  FabricBuilder builder_;
  std::map<std::string, Box> boxes_;
};

}  // namespace

Fabric sketch(std::string_view text, std::uint32_t radix) {
  Sketch result(radix);
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) result.add(word);
  return result.build();
}

Switch switch_named(const Fabric& fabric, std::string_view id) {
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (fabric.id(fabric.node(s)) == id) return s;
  }
  throw std::invalid_argument("no such switch: " + std::string(id));
}

}  // namespace fatwood::test
