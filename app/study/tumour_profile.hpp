// The usual profile for judging pictures of GPU reconstructions: a row of voxels through the three small tumours of
// Shepp and Logan's head.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "study/bench/cases.hpp"
#include "study/study_result.hpp"

namespace backlit {

class TumourProfile {
 public:
  explicit TumourProfile(const BenchCase&);

  const std::vector<std::int64_t>& voxels() const { return voxels_; }
  /// The profile of a whole volume, or of values at voxels().
  StudyProfile of(const std::string& architecture, std::span<const float> volume) const;
  StudyProfile of_values(const std::string& architecture, std::vector<double> values) const;

 private:
  std::string title_;
  std::vector<std::int64_t> voxels_;
  std::vector<double> position_mm_, truth_;
};

}  // namespace backlit
