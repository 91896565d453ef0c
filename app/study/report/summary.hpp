// What a study says, in sentences: what the graphics pipeline buys, and when.
#pragma once

#include <string>
#include <vector>

#include "study/study_result.hpp"

namespace backlit::report {

/// One workload's sentences.
struct Answer {
  std::string title;
  std::vector<std::string> sentences;
};

/// Of every operation that was compared: the fastest, how far the graphics pipeline is from the fastest kernel, what
/// the vertex shader and the rasteriser, views per pass, packing and early kill buy. Nothing of what was not measured.
std::vector<Answer> summary(const StudyResult&);

/// Limits that configurations exceeded, and by how much: they were measured too low. Empty where there is none.
std::string exceeded_limits(const StudyResult&);

}  // namespace backlit::report
