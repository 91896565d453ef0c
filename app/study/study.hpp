// `backlit study` without a command line: one workload, every architecture.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/device/backend.hpp>
#include "study/study_result.hpp"

namespace backlit {

struct StudyOptions {
  bool full = false;                     ///< for GPUs; otherwise small enough for two cores and no GPU in two minutes
  std::vector<std::string> only{};       ///< operations of study_operations(); empty: all
  std::vector<std::string> workloads{};  ///< those whose names begin so; empty: all
  /// Gets the result so far after every group, and what the group was in words.
  std::function<void(const StudyResult&, const std::string& group)> keep{};
};

/// Measures group after group, each of which compares all backends, its repeats interleaved (study_group.hpp); then all
/// again, so that minutes lie between the passes. Ceilings are measured before, between and after them. A stop that
/// `cancel` asks for ends it early: the result then holds the cells that were finished, and its extent says "stopped".
/// Throws InputError for unknown operations and workloads.
StudyResult run_study(std::span<Backend* const>, const StudyOptions&, Progress&, const CancelToken& cancel);

}  // namespace backlit
