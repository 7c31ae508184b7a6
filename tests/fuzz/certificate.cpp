// SPDX-License-Identifier: BSD-3-Clause
// The reader of fatwood-check, which takes a path.
#include <unistd.h>

#include <fstream>
#include <string>

#include "check/files.hpp"
#include "fuzz.hpp"
#include "io/fabric/ibnetdiscover.hpp"

namespace {

struct TempFile {
  TempFile() { close(mkstemp(path.data())); }
  ~TempFile() { unlink(path.c_str()); }
  std::string path = "/tmp/fuzz-certificate-XXXXXX";
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TempFile file;
  static const check::Fabric fabric = [] {
    std::ofstream out(file.path);
    fatwood::write_ibnetdiscover(out, fatwood::fuzz::small_fabric());
    out.close();
    return check::read_fabric(file.path);
  }();
  std::ofstream(file.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    check::read_certificate(file.path, fabric);
  } catch (const check::Error&) {
    // Refused in good order.
  }
  return 0;
}
