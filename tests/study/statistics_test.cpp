#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "study/report/selection.hpp"
#include "study/report/statistics.hpp"
#include "study/study_report.hpp"

using namespace backlit;
using report::median_of;
using report::median_spread;

namespace {

StudyCell timed(std::vector<double> seconds) {
  StudyCell cell;
  cell.seconds = std::move(seconds);
  cell.work = 6;
  summarise(cell);
  return cell;
}

/// Share of `trials` series of n values from `draw` whose interval holds `truth`.
template <typename Draw>
double coverage(std::size_t n, double truth, Draw draw) {
  const int trials = 4000;
  int held = 0;
  for (int t = 0; t < trials; ++t) {
    std::vector<double> values(n);
    for (double& value : values) value = draw();
    const double median = median_of(values);
    held += std::abs(truth - median) <= median_spread(values) * median;
  }
  return static_cast<double>(held) / trials;
}

}  // namespace

TEST_CASE("A cell's median, spread and rate are those of its repeats") {
  const StudyCell odd = timed({3, 1, 2, 5, 4, 7, 6, 9, 8});
  CHECK(odd.median == 5);
  CHECK(odd.rate == Approx(6.0 / 5));
  // 9 values: P(fewer than 2 below the median) = 10/512, so the interval is from the second to the eighth.
  CHECK(odd.spread == Approx(3.0 / 5));
  CHECK(odd.noisy);
  const StudyCell even = timed({1, 4, 2, 3});
  CHECK(even.median == 2.5);
  const StudyCell still = timed({2, 2, 2, 2, 2, 2, 2});
  CHECK(still.spread == 0);
  CHECK_FALSE(still.noisy);
  CHECK(still.note.empty());
}

TEST_CASE("Few repeats say little, one says nothing, none give no speed") {
  CHECK(timed({2}).spread == 1);
  CHECK(timed({2}).noisy);
  CHECK(timed({2}).rate == 3);
  CHECK(timed({}).rate == 0);
  CHECK(timed({}).spread == 0);
  CHECK(timed({0, 0, 0}).rate == 0);
  CHECK(timed({0, 0, 0}).noisy);
  CHECK(median_spread({1.0, 1.01}) > 0.05);  // two values that agree are no proof
  CHECK(median_spread({1.0, 1.01, 1.02}) > 0.0101 * 1.5);
}

TEST_CASE("One outlier neither widens the spread nor is dropped") {
  std::vector<double> seconds{1.00, 1.01, 0.99, 1.00, 1.02, 0.98, 1.01, 1.00, 0.99, 1.00};
  const StudyCell calm = timed(seconds);
  seconds[4] = 30;
  const StudyCell hit = timed(seconds);
  CHECK(hit.spread <= calm.spread + 0.011);
  CHECK_FALSE(hit.noisy);
  CHECK(hit.median == Approx(1.00));
  CHECK(hit.seconds.size() == 10);
  // Two of ten are more than an accident.
  seconds[7] = 20;
  CHECK(timed(seconds).noisy);
}

TEST_CASE("Repeats that fall into two modes are noisy") {
  std::vector<double> seconds;
  for (int n = 0; n < 6; ++n) seconds.insert(seconds.end(), {1.0 + 0.001 * n, 1.3 + 0.001 * n});
  const StudyCell cell = timed(seconds);
  CHECK(cell.noisy);
  CHECK(cell.spread == Approx(0.13).margin(0.01));
  CHECK(cell.median > 1.0);
  CHECK(cell.median < 1.3);
}

TEST_CASE("A drift is told, counts as spread and is not seen where there is none") {
  std::vector<double> seconds;
  for (int n = 0; n < 30; ++n) seconds.push_back(1 + 0.01 * n + 0.003 * (n % 3));
  const StudyCell cell = timed(seconds);
  CHECK(cell.noisy);
  CHECK(cell.spread >= 0.06);
  CHECK(cell.note == "repeats drift by +13 %");
  StudyCell again = cell;
  summarise(again);
  CHECK(again.note == cell.note);

  std::mt19937 random(5);
  std::normal_distribution<double> noise(1, 0.05);
  int told = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> values(12);
    for (double& value : values) value = noise(random);
    told += report::drift_of(values) != 0;
  }
  CHECK(told < 20);  // 1 % by chance
}

TEST_CASE("The interval of the median holds the true median in 95 of 100 runs") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(1, 0.05);
  std::lognormal_distribution<double> skewed(0, 0.5);  // median 1, a long tail of slow runs
  for (const std::size_t n : {2, 3, 4, 5, 6, 7, 9, 12, 15, 25}) {
    INFO(n << " repeats");
    CHECK(coverage(n, 1, [&] { return normal(random); }) > 0.935);
    if (n >= 5) CHECK(coverage(n, 1, [&] { return skewed(random); }) > 0.93);
  }
  // Not far more than was asked for, either: the width must mean something.
  CHECK(coverage(25, 1, [&] { return normal(random); }) < 0.99);
}

TEST_CASE("A wrong result has no speed") {
  StudyCell cell;
  cell.seconds = {1, 1, 1};
  cell.work = 5;
  cell.rmse = 3.0;
  cell.rmse_bound = 1.0;
  cell.error_unit = "HU";
  summarise(cell);
  CHECK(cell.status == StudyCell::Status::failed);
  CHECK(cell.rate == 0);
  CHECK(cell.note == "an error of 3 HU, allowed 1");

  StudyCell lost;
  lost.seconds = {1, 1, 1};
  lost.work = 5;
  lost.rmse = std::numeric_limits<double>::quiet_NaN();
  lost.rmse_bound = 1.0;
  summarise(lost);
  CHECK(lost.status == StudyCell::Status::failed);
}

TEST_CASE("A ratio tells when it is not 1 within its spread") {
  CHECK(report::Ratio{1.2, 0.05}.differs_from_one());
  CHECK_FALSE(report::Ratio{1.04, 0.05}.differs_from_one());
  CHECK(report::Ratio{0.8, 0.05}.differs_from_one());
  CHECK_FALSE(report::Ratio{0.97, 0.05}.differs_from_one());
}

TEST_CASE("A ratio within a study cancels what slows a whole pass, and tells what one cell alone does in a pass") {
  StudyCell a = timed({1.0, 1.0, 1.0, 1.3, 1.3, 1.3}), b = timed({2.0, 2.0, 2.0, 2.6, 2.6, 2.6});
  a.repeat_spread = b.repeat_spread = 0.01;  // as if of longer passes
  a.passes = b.passes = {3, 3};
  CHECK(report::pass_medians(a) == std::vector<double>{1.0, 1.3});
  CHECK(report::speed_ratio(a, b).value == Approx(2));
  CHECK(report::speed_ratio(a, b).spread == Approx(std::hypot(0.01, 0.01)));
  b.seconds = {2.0, 2.0, 2.0, 2.0, 2.0, 2.0};
  b.rate = 6 / 2.0;
  CHECK(report::speed_ratio(a, b).spread > 0.1);
  a.passes = {4, 3};  // more than there are
  CHECK(report::pass_medians(a).empty());
}
