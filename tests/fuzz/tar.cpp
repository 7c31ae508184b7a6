// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/tar.hpp"

#include "fuzz.hpp"

namespace {

class Bytes : public fatwood::ByteSource {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(std::span<char> buffer) override {
    return bytes_.copy(buffer.data(), take(buffer.size()));
  }

 private:
  std::size_t take(std::size_t most) {
    bytes_.remove_prefix(taken_);
    return taken_ = std::min(most, bytes_.size());
  }
  std::string_view bytes_;
  std::size_t taken_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    fatwood::TarReader tar(std::make_unique<Bytes>(bytes), "fuzz");
    while (const auto member = tar.next()) {
      char buffer[100];
      tar.read(buffer);
    }
  } catch (const fatwood::InputError&) {
    // Refused in good order.
  }
  return 0;
}
