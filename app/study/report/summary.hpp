// Conclusions of a study in sentences: the benefit of the graphics pipeline, and its conditions.
#pragma once

#include <string>
#include <vector>

#include "study/study_result.hpp"

namespace backlit::report {

/// Sentences on one workload.
struct Answer {
  std::string title;
  std::vector<std::string> sentences;
};

/// For every operation that was compared: the fastest, and the distance of the graphics pipeline to the fastest kernel.
/// Also the gains by the vertex shader and the rasteriser, views per pass, packing and early kill. Omits what was not
/// measured.
std::vector<Answer> summary(const StudyResult&);

/// Limits that configurations exceeded, and by how much: these were measured too low. Empty if there are none.
std::string exceeded_limits(const StudyResult&);

}  // namespace backlit::report
