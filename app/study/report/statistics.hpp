// Statistics of a few timed repeats, without an assumption on their distribution.
#pragma once

#include <span>
#include <vector>

#include "study/study_result.hpp"

namespace backlit::report {

/// The median; the mean of the middle two for an even number; 0 without values.
double median_of(std::vector<double> values);

/// Relative half-width of the median's 95 % interval: the distance to the farther end. The interval lies between order
/// statistics x(k) and x(n+1-k), with the largest k for which the binomial distribution gives 95 %. So from 9 values on
/// a single outlier cannot widen it. Fewer than 6 values cannot give 95 %: then it is the whole range, widened as for a
/// normal distribution. 1 for a single value, where it is unknown.
double median_spread(std::vector<double> values);

/// Difference of the medians of the second and the first half of the repeats, relative to the median of all. 0 if the
/// order of the repeats shows no trend (Mann and Kendall's test at 1 %).
double drift_of(std::span<const double> values);

/// Relative half-width of the range of 95 % of single values, for normally distributed logarithms; 0 for fewer than 3.
double scatter_of(const std::vector<double>& values);

/// Medians of the repeats of each pass of a cell; empty for a cell without passes.
std::vector<double> pass_medians(const StudyCell&);

/// Expected difference of two studies (half-width of 95 %), from logarithms of ratios between passes over the same
/// cells. Two studies differ like two passes, and each has its share of that in quadrature. From 20 ratios on no
/// distribution is assumed; fewer are treated as normally distributed around 0. 1 without ratios.
double spread_of_passes(std::vector<double> log_ratios);

/// A ratio of two rates; the spreads of both, which are relative, add in quadrature.
struct Ratio {
  double value = 0, spread = 0;

  /// Whether 1 lies outside the spread; a spread of 1 or more proves nothing.
  bool differs_from_one() const {
    return spread < 1 && (value > 1 ? value * (1 - spread) > 1 : value * (1 + spread) < 1);
  }
};

}  // namespace backlit::report
