// Saves the state of an iterative reconstruction to a file, so that another run can continue it.
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
  std::int64_t block_views = 0;  ///< views per call of the operator; the last bits of sums depend on it
  std::vector<double> residuals;
  std::vector<std::pair<std::string, double*>> numbers;
  std::vector<std::pair<std::string, DeviceArray*>> arrays;
};

/// Properties of a run, as names and values. They must be equal for one run to continue another.
using RunFacts = std::vector<std::pair<std::string, std::string>>;

/// Writes a checkpoint file, complete or not at all. The file holds a line "backlit checkpoint 1", a line with the
/// length of the JSON text, and a JSON object (facts, residuals, numbers, names and sizes of the arrays). Then come the
/// arrays' bytes as Backend::store() gives them, and a CRC-32 of all before it (4 bytes, little-endian). Throws
/// InputError or Failure naming the file.
void save_checkpoint(const std::filesystem::path&, const RunFacts&, Backend&, const RunState&);

/// An opened checkpoint. Opening it verifies its size and its check sum.
class Checkpoint {
 public:
  /// Throws InputError naming the file when it cannot be read, is no checkpoint, or is damaged.
  explicit Checkpoint(std::filesystem::path);
  ~Checkpoint();

  std::int64_t iterations() const;
  std::int64_t block_views() const;
  /// Throws InputError naming the first fact in which this run differs from the one that wrote the file.
  void require(const RunFacts&) const;
  /// Writes the saved values to the arrays and numbers of `state`. Values that another kind of backend stored are
  /// converted. Throws InputError when the file holds other arrays or numbers than `state` names.
  void restore(Backend&, RunState& state) const;

 private:
  struct Contents;
  std::filesystem::path path_;
  std::unique_ptr<Contents> contents_;
};

}  // namespace backlit
