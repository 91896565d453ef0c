// What is fuzzed: sets of files that a reader takes, made by our own writers where there are any.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace backlit::fuzz {

/// Files that belong together. Each of them is damaged in turn, the others stay as they are.
struct Sample {
  std::string name;                                        ///< "volume.mha", "scan.toml.cone512"
  std::string file;                                        ///< the one that is opened: "v.mha"
  std::function<void(const std::filesystem::path&)> make;  ///< writes them into a folder
  /// Opens `file` and reads what it holds, as programs do. It may throw backlit::Error and nothing else.
  std::function<void(const std::filesystem::path&)> read;
  /// Endings of files that are not damaged: they have samples of their own.
  std::vector<std::string> kept{};
};

/// At least one for each format of each table, and for what else is read. Throws std::logic_error naming a format that
/// has neither a writer nor a sample made by hand.
std::vector<Sample> samples();

/// A file of a sample that is to be damaged.
struct Target {
  std::string name;  ///< of the sample, and of the file where there are several
  const Sample* sample;
  std::string file;
  std::string good;  ///< its bytes as made
};

/// All targets. `folder` must exist; it gets a folder a sample, with the sample's files.
std::vector<Target> targets(const std::vector<Sample>&, const std::filesystem::path& folder);

/// Puts `bytes` in the place of the target's file and reads the sample.
void read_damaged(const Target&, const std::filesystem::path& folder, const std::string& bytes);

}  // namespace backlit::fuzz
