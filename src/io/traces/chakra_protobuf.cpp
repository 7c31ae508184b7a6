// SPDX-License-Identifier: BSD-3-Clause
// Chakra's protobuf stream, read by hand (chakra.hpp has the fields in use).

#include <fmt/format.h>

#include "io/traces/chakra_rank.hpp"

namespace fatwood {
namespace {

struct Field {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  // of a varint
  std::string_view bytes;   // of a length-delimited one
};

// Walks the fields of one message.
class Message {
 public:
  Message(std::string_view bytes, const std::string& file, std::size_t offset)
      : bytes_(bytes), file_(file), offset_(offset) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t offset() const { return offset_ + at_; }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_end()) fail("the file ends inside a number");
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    fail("a number of more than 64 bits");
  }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail("the file ends inside a message");
    const std::string_view part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }

  Field next() {
    const std::uint64_t key = varint();
    Field field;
    field.number = static_cast<std::uint32_t>(key >> 3);
    switch (key & 7) {
      case 0:
        field.value = varint();
        break;
      case 1:
        take(8);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        take(4);
        break;
      default:
        fail("expected a protobuf field");
    }
    return field;
  }
  Message inside(std::string_view part) const {
    return {part, file_, offset_ + static_cast<std::size_t>(part.data() - bytes_.data())};
  }
  Location where() const { return {file_, 0, 0}; }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where(), fmt::format("byte {}: {}", offset(), what));
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
  std::size_t offset_;
  std::size_t at_ = 0;
};

void read_attribute(Message message, ChakraNode& node) {
  std::string_view name;
  std::uint64_t number = 0;
  std::string_view text;
  while (!message.at_end()) {
    const Field field = message.next();
    if (field.number == 1) name = field.bytes;
    if (field.number == 29) text = field.bytes;
    if (field.number >= 7 && field.number <= 27) number = field.value;
  }
  if (name == "comm_size") node.size = number;
  if (name == "comm_type") node.collective = number;
  if (name == "comm_src") node.source = static_cast<std::int64_t>(number);
  if (name == "comm_dst") node.destination = static_cast<std::int64_t>(number);
  if (name == "comm_tag") node.tag = static_cast<std::int64_t>(number);
  if (name == "is_cpu_op") node.on_cpu = number != 0;
  if (name == "pg_name") node.group = text;
}

ChakraNode read_node(Message message) {
  ChakraNode node;
  while (!message.at_end()) {
    const Field field = message.next();
    switch (field.number) {
      case 1:
        node.id = field.value;
        break;
      case 3:
        node.type = field.value;
        break;
      case 5:
        if (field.bytes.data() == nullptr) {
          node.data_deps.push_back(field.value);
        } else {
          for (Message list = message.inside(field.bytes); !list.at_end();) {
            node.data_deps.push_back(list.varint());
          }
        }
        break;
      case 7:
        node.micros = static_cast<double>(field.value);
        break;
      case 10:
        read_attribute(message.inside(field.bytes), node);
        break;
      default:
        break;
    }
  }
  return node;
}

}  // namespace

void read_chakra_protobuf(Input& input, ChakraRank& rank) {
  const std::string bytes = input.all_bytes();
  Message stream(bytes, input.name(), 0);
  if (stream.at_end()) stream.fail("expected a Chakra trace; the file is empty");
  stream.take(stream.varint());  // GlobalMetadata
  while (!stream.at_end()) {
    const Message node = stream.inside(stream.take(stream.varint()));
    rank.add(read_node(node), node.where());
  }
}

}  // namespace fatwood
