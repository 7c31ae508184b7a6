// SPDX-License-Identifier: BSD-3-Clause
// Output files: whole or not at all, and never in place of a pipe, a device or a link.

#include "io/base/output.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/error.hpp"

namespace fatwood {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  Output()
      : folder_(fs::path(testing::TempDir()) / ("fatwood_output_" + std::to_string(getpid()))) {
    fs::create_directory(folder_);
  }
  ~Output() override { fs::remove_all(folder_); }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  fs::path folder_;
};

void hello(std::ostream& out) { out << "hello"; }
void give_up(std::ostream& out) {
  out << "half";
  throw InputError("no");
}

TEST_F(Output, WholeOrNotAtAll) {
  const fs::path path = folder_ / "a";
  write_output(path, hello);
  EXPECT_EQ(text_of(path), "hello");
  EXPECT_THROW(write_output(path, give_up), InputError);
  EXPECT_EQ(text_of(path), "hello");
  EXPECT_EQ(entries(), 1U);
  EXPECT_THROW(write_output(folder_, hello), InputError);
  EXPECT_THROW(write_output(folder_ / "no" / "a", hello), InputError);
}

TEST_F(Output, LinksAreFollowed) {
  write_output(folder_ / "a", [](std::ostream& out) { out << "old"; });
  fs::create_symlink("a", folder_ / "b");
  write_output(folder_ / "b", hello);
  EXPECT_TRUE(fs::is_symlink(folder_ / "b"));
  EXPECT_EQ(text_of(folder_ / "a"), "hello");
}

TEST_F(Output, APendingFileNeedsNoFolderYet) {
  const fs::path path = folder_ / "new" / "a";
  {
    PendingOutput pending(path, hello);
    const PendingOutput dropped(folder_ / "b", hello);
    EXPECT_FALSE(fs::exists(folder_ / "new"));
    fs::create_directory(folder_ / "new");
    pending.finish();
  }
  EXPECT_EQ(text_of(path), "hello");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Output, PipesStayPipes) {
  const fs::path path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = text_of(path); });
  write_output(path, hello);
  reader.join();
  EXPECT_EQ(got, "hello");
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(Output, FilesOfAFolderAppearTogether) {
  OutputFolder files((folder_ / "new").string());
  files.write("a", "hello");
  files.write("below/b", hello);
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  EXPECT_EQ(files.finish().size(), 2U);
  EXPECT_EQ(text_of(folder_ / "new/a"), "hello");
  EXPECT_EQ(text_of(folder_ / "new/below/b"), "hello");
  {
    OutputFolder broken((folder_ / "other").string());
    broken.write("a", "hello");
    EXPECT_THROW(broken.write("b", give_up), InputError);
  }
  EXPECT_EQ(entries(), 1U);
}

}  // namespace
}  // namespace fatwood
