// The cells of a study: the variants of each backend, and sizes for scaling.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "study/study_group.hpp"

namespace backlit {

/// Names of operations to which a study can be limited.
const std::vector<std::string>& study_operations();

struct StudySize {
  bool full = false;

  std::int64_t cube() const { return full ? 256 : 64; }  ///< side of the volume for the comparison of variants
  std::int64_t views() const { return 64; }
  /// Size of the volume of the comparison, used to measure the ceilings of memory.
  std::int64_t copied_bytes() const { return 4 * cube() * cube() * cube(); }
};

struct PlannedGroup {
  std::string operation;
  StudyGroup candidates;
  std::function<std::vector<StudyProfile>()> profiles{};  ///< available after the measurement; empty: none
  std::function<void()> release{};  ///< frees the group's shared data on devices; empty: nothing to free
};

/// All groups for the requested operations (all operations if `only` is empty).
std::vector<PlannedGroup> plan_study(std::span<Backend* const>, const StudySize&, std::span<const std::string> only);

}  // namespace backlit
