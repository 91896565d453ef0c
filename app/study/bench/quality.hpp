// Error of methods against seconds, for a noisy head from few and from many views.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <backlit/recon/reconstruction.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

/// Views of the FORBILD head without ears with Poisson noise, and the head itself.
struct QualityProblem {
  std::int64_t views = 0;
  std::shared_ptr<ProjectionSource> source;
  VolumeGrid grid;
  std::shared_ptr<const Volume> truth;              ///< voxels are means of 27 samples
  std::shared_ptr<const std::vector<bool>> inside;  ///< voxels whose centres lie in the skull
};

/// A problem for each number of views, which are evenly spaced views of the case. `photons`: counts for a pixel without
/// object; pixels are means of 4 rays. Throws InputError for a number that does not divide the case's.
std::vector<QualityProblem> quality_problems(const BenchCase&, const std::vector<std::int64_t>& views, double photons);

/// Quality of a volume after some iterations.
struct QualityPoint {
  std::int64_t iteration = 0;  ///< 0: a method without iterations
  double seconds = 0;          ///< since the method was made, without the time of measuring
  double rmse_hu = 0;          ///< inside the head; water is 0.02/mm
  double ssim = 0;             ///< over an eighth of all slices, in the middle
};

struct QualityRun {
  std::int64_t views = 0;
  std::string method, precision, pair, variant;
  double setup_s = 0;      ///< planning, and the work before the first iteration
  std::int64_t usual = 0;  ///< default number of iterations of the method
  std::vector<QualityPoint> points;
  std::vector<std::pair<std::string, double>> chosen;  ///< values that the method chose itself

  /// The first point that is at least as good; null if there is none.
  const QualityPoint* reaches(double rmse_hu) const;
  double least_rmse() const;
};

/// Runs a method with default options except precision and pair ("matched", "voxel_driven"). Negative values are set to
/// zero if the method has that option. Runs twice the default iterations, or until `seconds` have passed. One untimed
/// iteration precedes, so that kernels are compiled. Throws Unsupported if the backend does not offer the combination.
QualityRun run_quality(Backend&, const QualityProblem&, const std::string& method, const std::string& precision,
                       const std::string& pair, double seconds);

}  // namespace backlit
