//===- tests/support/TemporaryFolder.h - files of a test, gone at its end -===//

#ifndef MEMREFLENS_TESTS_SUPPORT_TEMPORARYFOLDER_H
#define MEMREFLENS_TESTS_SUPPORT_TEMPORARYFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace memreflens::test {

class TemporaryFolder : public testing::Test {
protected:
  TemporaryFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "memref-lens-test-XXXXXX")
            .string();
    folder = mkdtemp(name.data());
  }
  ~TemporaryFolder() override { std::filesystem::remove_all(folder); }

  std::string at(const std::string &name) { return (folder / name).string(); }
  std::string contents(const std::string &name) {
    std::ifstream in(at(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void put(const std::string &name, const std::string &text) {
    std::ofstream(at(name), std::ios::binary) << text;
  }

  std::filesystem::path folder;
};

} // namespace memreflens::test

#endif // MEMREFLENS_TESTS_SUPPORT_TEMPORARYFOLDER_H
