// What this Backlit was built with and what it finds on the machine: `backlit doctor`, `backlit --version --verbose`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace backlit::cli {

struct Finding {
  enum class State {
    ok,
    note,    ///< works, but slower or with less than there could be
    problem  ///< something will not work
  };
  State state = State::ok;
  std::string subject;   ///< "OpenGL", "memory"
  std::string text;      ///< what was found
  std::string remedy{};  ///< what to do about a note or a problem
};

/// Version, compiler, and the optional parts that were built in.
std::vector<Finding> examine_build();

/// Operating system, processor, memory, shipped files, and every device that a backend can start on.
std::vector<Finding> examine_machine();

/// Free space of `folder`, and how fast a file of 256 MB is written there; the file is removed. Throws InputError when
/// the folder does not exist.
Finding examine_disk(const std::filesystem::path& folder);

}  // namespace backlit::cli
