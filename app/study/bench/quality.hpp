// How soon methods make a good picture: error against seconds, of a noisy head from few and from many views.
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
  std::shared_ptr<const std::vector<bool>> inside;  ///< voxels whose centres the skull holds
};

/// A problem for each number of views, evenly spaced ones of the case. `photons`: a pixel without object; pixels are
/// means of 4 rays. Throws InputError for a number that does not divide the case's.
std::vector<QualityProblem> quality_problems(const BenchCase&, const std::vector<std::int64_t>& views, double photons);

/// What a volume is worth after some iterations.
struct QualityPoint {
  std::int64_t iteration = 0;  ///< 0: a method without iterations
  double seconds = 0;          ///< since the method was made, without what measuring took
  double rmse_hu = 0;          ///< inside the head; water is 0.02/mm
  double ssim = 0;             ///< of the middle slices, an eighth of all
};

struct QualityRun {
  std::int64_t views = 0;
  std::string method, precision, pair, variant;
  double setup_s = 0;      ///< of the plan, and of what comes before the first iteration
  std::int64_t usual = 0;  ///< iterations that the method does untuned
  std::vector<QualityPoint> points;
  std::vector<std::pair<std::string, double>> chosen;  ///< by the method itself

  /// The first point that is no worse; null where there is none.
  const QualityPoint* reaches(double rmse_hu) const;
  double least_rmse() const;
};

/// Untuned but for precision and pair ("matched", "voxel_driven"), without negative values where the method has a say,
/// for twice the iterations that it would do, or until `seconds` have passed. One iteration goes before, untimed: it
/// compiles what there is to compile. Throws Unsupported where the backend does not offer that.
QualityRun run_quality(Backend&, const QualityProblem&, const std::string& method, const std::string& precision,
                       const std::string& pair, double seconds);

}  // namespace backlit
