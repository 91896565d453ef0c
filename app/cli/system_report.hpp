// Findings about this build and this machine, for `backlit doctor` and `backlit --version --verbose`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace backlit::cli {

struct Finding {
  enum class State {
    ok,
    note,    ///< works, but slower or with fewer features than possible
    problem  ///< does not work
  };
  State state = State::ok;
  std::string subject;   ///< "OpenGL", "memory"
  std::string text;      ///< the finding
  std::string remedy{};  ///< remedy for a note or a problem
};

/// Version, compiler, and the optional parts that were built in.
std::vector<Finding> examine_build();

/// Operating system, processor, memory, shipped files, and every device that a backend can start on.
std::vector<Finding> examine_machine();

/// Measures the free space of `folder` and the speed of writing a file of 256 MiB there, then removes the file. Throws
/// InputError when the folder does not exist.
Finding examine_disk(const std::filesystem::path& folder);

}  // namespace backlit::cli
