// SPDX-License-Identifier: BSD-3-Clause
// Reads the JSON of json_fabric.hpp with a streaming (SAX) parser and a small state machine.
// Cost: linear.

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "io/base/json_bytes.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/raw_fabric.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

using Json = nlohmann::json;

class Handler : public nlohmann::json_sax<Json> {
 public:
  Handler(Input& input, JsonBytes& bytes) : bytes_(bytes), raw_(input.name()) {
    raw_.both_ends = false;
  }

  LoadedFabric result() {
    if (!right_format_) {
      throw InputError({.file = raw_.file}, "expected \"format\": \"fatwood-fabric\"");
    }
    return assemble(std::move(raw_), "json");
  }

  bool null() override {
    refuse_value("null");
    return true;
  }
  bool boolean(bool value) override {
    if (place_ == Place::kNode && key_ == "enhanced") {
      node_.address.enhanced = value;
    } else {
      refuse_value("a truth value");
    }
    return true;
  }
  bool number_integer(number_integer_t) override {
    refuse_value("a negative number");
    return true;
  }
  bool number_float(number_float_t, const string_t&) override {
    refuse_value("a fraction");
    return true;
  }
  bool binary(binary_t&) override { return false; }

  bool number_unsigned(number_unsigned_t value) override {
    switch (place_) {
      case Place::kTop:
        if (key_ == "version" && value != 1) fail("expected version 1");
        break;
      case Place::kNode:
        if (key_ == "ports") {
          node_.ports = static_cast<std::uint32_t>(limited(value, kMaxPorts, "ports"));
          has_ports_ = true;
        } else if (key_ == "vendor") {
          node_.hardware.vendor = static_cast<std::uint32_t>(limited(value, 0xffffffff, "vendor"));
        } else if (key_ == "device") {
          node_.hardware.device = static_cast<std::uint32_t>(limited(value, 0xffffffff, "device"));
        } else {
          refuse_value("a number");
        }
        break;
      case Place::kAddress:
        address_number(value);
        break;
      case Place::kLink:
        link_number(value);
        break;
      default:
        refuse_value("a number");
    }
    return true;
  }

  bool string(string_t& value) override {
    switch (place_) {
      case Place::kTop:
        if (key_ == "format") {
          if (value != "fatwood-fabric") fail("expected \"fatwood-fabric\"");
          right_format_ = true;
        }
        break;
      case Place::kNode:
        node_text(value);
        break;
      case Place::kAddress:
        if (item_++ != 1) fail("expected [port, GUID, LID, LMC]");
        address_.guid = guid(value);
        break;
      case Place::kLink:
        link_text(value);
        break;
      default:
        refuse_value("a text");
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (skip_ > 0 || place_ == Place::kTop || place_ == Place::kNode) {
      ++skip_;
    } else if (place_ == Place::kStart) {
      place_ = Place::kTop;
    } else if (place_ == Place::kNodes) {
      place_ = Place::kNode;
      node_ = {};
      addresses_.clear();
      has_kind_ = has_ports_ = false;
      node_.line = bytes_.where().line;
      node_.column = bytes_.where().column;
    } else {
      fail("an object is out of place here");
    }
    return true;
  }

  bool end_object() override {
    if (skip_ > 0) {
      --skip_;
    } else if (place_ == Place::kNode) {
      finish_node();
      place_ = Place::kNodes;
    } else {
      place_ = Place::kStart;
    }
    return true;
  }

  bool start_array(std::size_t) override {
    item_ = 0;
    if (skip_ > 0) {
      ++skip_;
      return true;
    }
    if (place_ == Place::kTop && key_ == "nodes") {
      place_ = Place::kNodes;
    } else if (place_ == Place::kTop && key_ == "links") {
      place_ = Place::kLinks;
    } else if (place_ == Place::kNode && key_ == "addresses") {
      place_ = Place::kAddresses;
    } else if (place_ == Place::kAddresses) {
      place_ = Place::kAddress;
      address_ = {};
    } else if (place_ == Place::kLinks) {
      place_ = Place::kLink;
      link_ = {};
    } else if (place_ == Place::kTop || place_ == Place::kNode) {
      ++skip_;
    } else {
      fail("a list is out of place here");
    }
    return true;
  }

  bool end_array() override {
    if (skip_ > 0) {
      --skip_;
      return true;
    }
    switch (place_) {
      case Place::kAddress:
        if (item_ != 4) fail("expected [port, GUID, LID, LMC]");
        addresses_.push_back({0, address_port_, address_, bytes_.where().line});
        place_ = Place::kAddresses;
        break;
      case Place::kAddresses:
        place_ = Place::kNode;
        break;
      case Place::kLink:
        if (item_ != 5) fail("expected [name, port, name, port, rate]");
        link_.line = bytes_.where().line;
        raw_.links.push_back(link_);
        place_ = Place::kLinks;
        break;
      default:
        place_ = Place::kTop;
    }
    return true;
  }

  bool key(string_t& value) override {
    if (skip_ == 0) key_ = value;
    return true;
  }

  bool parse_error(std::size_t, const std::string& token, const Json::exception& error) override {
    const std::string what = error.what();
    const std::size_t at = what.find("syntax error");
    const std::string message =
        one_printable_line((at == std::string::npos ? "is no JSON" : what.substr(at)) +
                           (token.empty() ? "" : "; expected a JSON value"));
    if (bytes_.ended()) throw cut_short(bytes_.where(), message);
    fail(message);
  }

 private:
  enum class Place { kStart, kTop, kNodes, kNode, kAddresses, kAddress, kLinks, kLink };

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(bytes_.where(), one_printable_line(message));
  }
  static std::string one_printable_line(std::string text) {
    constexpr std::size_t kShown = 300;
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20) c = '?';
    }
    return text.substr(0, kShown);
  }

  // Values of keys that we don't know are skipped; anywhere else they are wrong.
  void refuse_value(const std::string& what) const {
    if (skip_ > 0 || place_ == Place::kTop) return;
    static constexpr std::string_view kKnown[] = {
        "id",     "kind",        "ports",    "guid",      "vendor",
        "device", "system_guid", "enhanced", "addresses", "description"};
    if (place_ == Place::kNode &&
        std::find(std::begin(kKnown), std::end(kKnown), key_) == std::end(kKnown)) {
      return;
    }
    if (place_ == Place::kNode) fail(what + " is not a value for \"" + key_ + "\"");
    fail(place_ == Place::kStart ? "expected an object" : what + " is out of place here");
  }

  std::uint64_t limited(std::uint64_t value, std::uint64_t max, const std::string& what) const {
    if (value > max) {
      fail(what + ": " + std::to_string(value) + " is too large; expected " + std::to_string(max) +
           " at most");
    }
    return value;
  }

  std::uint64_t guid(const std::string& text) const {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    if (text.starts_with("0x")) {
      const auto [at, error] = std::from_chars(text.data() + 2, end, value, 16);
      if (error == std::errc{} && at == end) return value;
    }
    fail("expected a GUID like \"0x0008f10500200b50\"");
  }

  void node_text(const std::string& value) {
    if (key_ == "id") {
      if (value.empty()) fail("expected a name");
      node_.id = value;
    } else if (key_ == "description") {
      node_.description = value;
    } else if (key_ == "guid") {
      node_.guid = guid(value);
    } else if (key_ == "system_guid") {
      node_.hardware.system_guid = guid(value);
    } else if (key_ == "kind") {
      if (value != "switch" && value != "adapter" && value != "router") {
        fail("expected \"switch\", \"adapter\" or \"router\"");
      }
      node_.kind = value == "switch"   ? NodeKind::kSwitch
                   : value == "router" ? NodeKind::kRouter
                                       : NodeKind::kAdapter;
      has_kind_ = true;
    } else {
      refuse_value("a text");
    }
  }

  void finish_node() {
    if (node_.id.empty() || !has_kind_ || !has_ports_) {
      fail("expected \"id\", \"kind\" and \"ports\" in each node");
    }
    const std::uint32_t n = raw_.intern(node_.id, node_.line, node_.column);
    if (raw_.nodes[n].declared) fail("a node named " + node_.id + " is here already");
    for (RawAddress& address : addresses_) {
      address.node = n;
      if (node_.kind == NodeKind::kSwitch && address.port == 0) {
        const bool enhanced = node_.address.enhanced;
        node_.address = address.address;
        node_.address.enhanced = enhanced;
      } else if (address.port < 1 || address.port > node_.ports) {
        fail("an address of port " + std::to_string(address.port) + "; expected 1 to " +
             std::to_string(node_.ports));
      } else {
        raw_.addresses.push_back(address);
      }
    }
    raw_.nodes[n] = node_;
    raw_.declare(n);
  }

  void address_number(std::uint64_t value) {
    const std::size_t item = item_++;
    if (item == 0) {
      address_port_ = static_cast<std::uint32_t>(limited(value, kMaxPorts, "port"));
    } else if (item == 2) {
      address_.lid = static_cast<Lid>(limited(value, index(kMaxLid), "LID"));
    } else if (item == 3) {
      address_.lmc = static_cast<std::uint8_t>(limited(value, 7, "LMC"));
    } else {
      fail("expected [port, GUID, LID, LMC]");
    }
  }

  void link_number(std::uint64_t value) {
    const std::size_t item = item_++;
    if (item != 1 && item != 3) fail("expected [name, port, name, port, rate]");
    (item == 1 ? link_.port : link_.other_port) =
        static_cast<std::uint32_t>(limited(value, kMaxPorts, "port"));
  }

  void link_text(const std::string& value) {
    const std::size_t item = item_++;
    if (item == 4) {
      const auto rate = parse_rate(value);
      if (!rate && !value.empty()) fail("expected a rate like \"4xHDR\"");
      link_.rate = rate.value_or(Rate{});
    } else if (item == 0 || item == 2) {
      const Location at = bytes_.where();
      (item == 0 ? link_.node : link_.other) = raw_.intern(value, at.line, at.column);
    } else {
      fail("expected [name, port, name, port, rate]");
    }
  }

  JsonBytes& bytes_;
  RawFabric raw_;
  Place place_ = Place::kStart;
  std::size_t skip_ = 0;  // depth below a key that we don't know
  std::size_t item_ = 0;  // within an address or a link
  std::string key_;
  RawNode node_;
  bool has_kind_ = false, has_ports_ = false;
  bool right_format_ = false;
  std::uint32_t address_port_ = 0;
  Address address_;
  std::vector<RawAddress> addresses_;
  RawLink link_;
};

}  // namespace

bool looks_like_json(std::string_view head) {
  const std::size_t at = head.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && head[at] == '{' &&
         head.find("fatwood-fabric") != std::string_view::npos;
}

LoadedFabric read_json_fabric(Input& input) {
  JsonBytes bytes(input);
  Handler handler(input, bytes);
  Json::sax_parse(JsonIterator(&bytes), JsonIterator(nullptr), &handler);
  return handler.result();
}

}  // namespace fatwood
