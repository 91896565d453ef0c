// Runs the real programs, as a user would.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace backlit::test {

struct ProgramResult {
  int code = -1;  ///< exit status; 128 + signal if a signal ended it
  std::string out, err;
};

/// Runs build/backlit with these arguments in `folder` and waits. If `interrupt_after_ms` > 0, sends SIGINT that
/// long after the program has begun to catch it, however slow the machine.
ProgramResult run_backlit(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                          int interrupt_after_ms = 0);

/// Like run_backlit(), with another program of the build folder.
ProgramResult run_program(const std::string& name, const std::filesystem::path& folder,
                          const std::vector<std::string>& arguments, int interrupt_after_ms = 0);

/// A new empty folder, removed with its contents at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// Sorted names of all files in it, including hidden ones.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

}  // namespace backlit::test
