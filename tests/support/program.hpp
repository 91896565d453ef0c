// Runs the real programs, as a user would.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace backlit::test {

struct ProgramResult {
  int code = -1;  ///< exit status; 128 + signal when a signal ended it
  std::string out, err;
};

/// Runs build/backlit with these arguments in `folder` and waits. With `interrupt_after_ms` > 0 it is sent SIGINT then.
ProgramResult run_backlit(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                          int interrupt_after_ms = 0);

/// The same with another program of the build folder.
ProgramResult run_program(const std::string& name, const std::filesystem::path& folder,
                          const std::vector<std::string>& arguments, int interrupt_after_ms = 0);

/// An empty folder of its own, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// Names of all files in it, hidden ones too, sorted.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

}  // namespace backlit::test
