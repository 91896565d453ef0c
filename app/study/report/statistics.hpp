// What a handful of timed repeats says, without assuming how they are distributed.
#pragma once

#include <span>
#include <vector>

#include "study/study_result.hpp"

namespace backlit::report {

/// The median of an even number is the mean of the middle two; 0 of nothing.
double median_of(std::vector<double> values);

/// How far the median's 95 % interval reaches from it, relative to it: the farther of both ends. The interval lies
/// between order statistics x(k) and x(n+1-k), with the largest k for which the binomial distribution gives it 95 %,
/// so from 9 values on a single outlier cannot widen it. Fewer than 6 values cannot give 95 %: there it is their whole
/// range, widened as values with a normal distribution need it. 1 for a single value: nothing is known.
double median_spread(std::vector<double> values);

/// How much longer the second half of the repeats took than the first (medians), relative to the median of all; 0 where
/// the order of the repeats is no evidence of a trend (Mann and Kendall's test at 1 %).
double drift_of(std::span<const double> values);

/// How far 95 % of single values are from their middle, relative, were their logarithms normal; 0 of fewer than 3.
double scatter_of(const std::vector<double>& values);

/// Medians of the repeats of each pass of a cell; of a cell without passes: nothing.
std::vector<double> pass_medians(const StudyCell&);

/// How far a study may be from another (half-width of 95 %), from logarithms of ratios between passes over the same
/// cells: two studies are as far apart as two passes, and each has its share of that in quadrature. From 20 ratios on
/// nothing is assumed of how they are distributed; fewer are taken for normal ones about 0. 1 for none.
double spread_of_passes(std::vector<double> log_ratios);

/// A ratio of two rates, with the spread that their spreads give it: relative, in quadrature.
struct Ratio {
  double value = 0, spread = 0;

  /// It is not 1 within its spread; one of a whole or more says nothing.
  bool differs_from_one() const {
    return spread < 1 && (value > 1 ? value * (1 - spread) > 1 : value * (1 + spread) < 1);
  }
};

}  // namespace backlit::report
