// Statistics of values of a volume: histogram, percentiles, regions, profiles.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "model/engine/events.hpp"
#include "model/state.hpp"

namespace backlit::viewer {

/// Histogram of the finite ones of `values`, in `bins` equal bins from the smallest to the largest.
Histogram histogram_of(std::span<const float> values, std::size_t bins = 256);

/// Where the values above classes.object lie, and the box about all that is no noise.
void find_object(Histogram&, std::span<const Vec3> points, std::span<const float> values);

struct RegionStatistics {
  std::int64_t samples = 0;
  double mean = 0, deviation = 0, low = 0, high = 0;
};
RegionStatistics statistics_of(std::span<const float> values);

/// The share of the finite values that lie below a threshold; 0 without any.
double share_below(std::span<const float> values, double threshold);

/// The highest peak of a profile over the straight line through its ends, or the deepest dip where that is larger. NaN
/// without one.
struct ProfilePeak {
  double at = NAN, value = NAN;  ///< where it is, in the unit of `distance`
  double fwhm = NAN;             ///< full width at half height
};
ProfilePeak profile_peak(std::span<const double> distance, std::span<const double> values);

/// Length of a profile where its values, taken as straight between samples, lie above a threshold.
double length_above(std::span<const double> distance, std::span<const double> values, double threshold);

/// `count` points in mm on a line, both ends included.
std::vector<Vec3> line_points(const Vec3& from, const Vec3& to, std::int64_t count);
/// At most `most` points that fill the box between two corners evenly; a flat box is filled as a plane.
std::vector<Vec3> box_points(const Vec3& a, const Vec3& b, const VolumeGrid&, std::int64_t most = 1 << 18);

/// Mean time of each stage in `runs` reconstructions that took `seconds` in all, as text in ms: "0.6 plan, ..., 1.2
/// rest". The time of a stage is its increase from `before` to `after`.
std::string stage_times(const StageSeconds& before, const StageSeconds& after, double seconds, std::int64_t runs);

}  // namespace backlit::viewer
