// Which cells a study has: what each backend names, and how that scales.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "study/study_group.hpp"

namespace backlit {

/// What a study can be limited to.
const std::vector<std::string>& study_operations();

struct StudySize {
  bool full = false;

  std::int64_t cube() const { return full ? 256 : 64; }  ///< side of the volume on which variants are compared
  std::int64_t views() const { return 64; }
  /// What the ceilings of memory are measured with: the volume compared on.
  std::int64_t copied_bytes() const { return 4 * cube() * cube() * cube(); }
};

struct PlannedGroup {
  std::string operation;
  StudyGroup candidates;
  std::function<std::vector<StudyProfile>()> profiles{};  ///< once measured; empty: none
  std::function<void()> release{};  ///< gives back what the group shares on devices; empty: nothing
};

/// All groups for the operations asked for (all when empty).
std::vector<PlannedGroup> plan_study(std::span<Backend* const>, const StudySize&, std::span<const std::string> only);

}  // namespace backlit
