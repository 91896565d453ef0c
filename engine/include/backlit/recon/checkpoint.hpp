// The state of an iterative reconstruction in a file, so that it can go on later as if it had never stopped.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <backlit/device/backend.hpp>

namespace backlit {

/// The state that a checkpoint saves. A method lists its own arrays and numbers, always in the same order; restoring
/// writes through the pointers.
struct RunState {
  std::int64_t block_views = 0;  ///< how many views are worked on at once: sums depend on it in their last bits
  std::vector<double> residuals;
  std::vector<std::pair<std::string, double*>> numbers;
  std::vector<std::pair<std::string, DeviceArray*>> arrays;
};

/// Identity of a run: names and values that must be equal for one run to continue another.
using RunFacts = std::vector<std::pair<std::string, std::string>>;

/// Appears complete or not at all. The file: a line "backlit checkpoint 1", the size of what follows as a number and a
/// line's end, a JSON object (facts, residuals, numbers, names and bytes of the arrays), the arrays' bytes as
/// Backend::store() gives them, and a CRC-32 of all that, 4 bytes, least first. Throws InputError or Failure naming
/// the file.
void save_checkpoint(const std::filesystem::path&, const RunFacts&, Backend&, const RunState&);

/// An opened checkpoint. Its size and its check sum have been verified.
class Checkpoint {
 public:
  /// Throws InputError naming the file when it cannot be read, is no checkpoint, or is damaged.
  explicit Checkpoint(std::filesystem::path);
  ~Checkpoint();

  std::int64_t iterations() const;
  std::int64_t block_views() const;
  /// Throws InputError naming the first fact in which this run differs from the one that wrote the file.
  void require(const RunFacts&) const;
  /// Throws InputError when the file holds other arrays or numbers than `state` asks for. Values that another kind of
  /// backend stored are converted.
  void restore(Backend&, RunState& state) const;

 private:
  struct Contents;
  std::filesystem::path path_;
  std::unique_ptr<Contents> contents_;
};

}  // namespace backlit
