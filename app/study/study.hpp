// `backlit study` without a command line: compares all architectures.
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
  bool full = false;                ///< for GPUs; otherwise small enough for two minutes on two cores without a GPU
  std::vector<std::string> only{};  ///< operations of study_operations(); empty: all
  std::vector<std::string> workloads{};  ///< beginnings of names; empty: all
  /// Receives the result so far after every group, and a description of the group.
  std::function<void(const StudyResult&, const std::string& group)> keep{};
};

/// Measures group after group. Each group compares all backends with interleaved repeats (study_group.hpp). Then
/// repeats everything, so that minutes lie between the passes. Ceilings are measured before, between and after them. A
/// request of `cancel` ends the study early: the result then holds the finished cells, and its extent has "stopped".
/// Throws InputError for unknown operations and workloads.
StudyResult run_study(std::span<Backend* const>, const StudyOptions&, Progress&, const CancelToken& cancel);

}  // namespace backlit
