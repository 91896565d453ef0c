#include "calibration/geometry_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace backlit {
namespace {

/// Properties of a parameter to search.
struct Range {
  const char *name, *unit;
  double GeometryCorrection::*member;
  double none;      ///< the value that changes nothing
  double step;      ///< step for differences, in `unit`
  double limit;     ///< largest uncertainty with which it counts as determined
  double farthest;  ///< largest plausible distance from `none`
  double span;      ///< half length of the criterion's curve
};

constexpr Range looked[] = {
    {"column_offset", "px", &GeometryCorrection::column_offset, 0, 0.25, 0.5, 1e9, 4},
    {"row_offset", "px", &GeometryCorrection::row_offset, 0, 1, 1.5, 1e9, 12},
    {"in_plane", "deg", &GeometryCorrection::in_plane, 0, 0.05, 0.15, 30, 1},
    {"tilt_u", "deg", &GeometryCorrection::tilt_u, 0, 2, 0.75, 15, 5},
    {"tilt_v", "deg", &GeometryCorrection::tilt_v, 0, 0.5, 0.75, 15, 5},
    {"detector_distance", "", &GeometryCorrection::detector_distance, 1, 0.005, 0.02, 0.3, 0.05},
};
constexpr double unknown = 1e6;
constexpr double share_of_blind = 0.75;  ///< of the worst shift by such an error, in a stated uncertainty
constexpr double common_error = 2.5e-4;  ///< error of a view over its root mean square: pixels, interpolation, scatter

constexpr std::size_t all = looked_count;
static_assert(std::size(looked) == all);

GeometryCorrection correction_of(const std::vector<double>& values, bool reversed) {
  GeometryCorrection c;
  for (std::size_t p = 0; p < all; ++p) c.*looked[p].member = values[p];
  c.reversed = reversed;
  return c;
}

/// Values that change nothing.
std::vector<double> own_geometry() {
  std::vector<double> none;
  for (const Range& range : looked) none.push_back(range.none);
  return none;
}

}  // namespace

GeometrySearch::GeometrySearch(const Scan& scan, Evidence evidence)
    : scan_(scan),
      evidence_(std::move(evidence)),
      values_(all),
      sigma_(all),
      blind_(all),
      distance_error_(evidence_.distance_error),
      active_(all),
      reason_(all, evidence_.others),
      by_other_(all) {
  keep_own_geometry();
  fallback_ = values_;
  for (std::size_t p = 0; p < all; ++p)
    step_.push_back(looked[p].step * (p == column_offset || p == row_offset ? evidence_.binning : 1));
  for (const std::size_t p : evidence_.parameters) active_[p] = true;
  if (evidence_.direction)  // planes
    reason_[tilt_u] = "not determined: the views of an object stretched along the axis differ in brightness only";
}

void GeometrySearch::run(const Watch& watch) {
  watch.begin("calibrate", evidence_.levels + 1, "steps");
  choose_direction(watch);
  refine({column_offset, in_plane});
  refine(evidence_.coarse.empty() ? evidence_.parameters : evidence_.coarse);
  std::vector<double> coarser = values_;
  for (int level = 1; level < evidence_.levels; ++level) {
    watch.advance(1);
    coarser = values_;
    prepare(level);
    refine(evidence_.parameters);
  }
  watch.advance(1);
  drop_undetermined(watch);
  watch.end();
  // The change by the last, finest comparison is a measure of its remaining error.
  for (std::size_t p = 0; p < all; ++p)
    if (active_[p]) sigma_[p] = std::hypot(sigma_[p], 0.25 * (values_[p] - coarser[p]));
}

bool GeometrySearch::add(const Scan& scan, Evidence evidence, const Watch& watch) {
  GeometrySearch other(scan, std::move(evidence));
  other.values_ = other.fallback_ = values_;
  other.reversed_ = reversed_;
  if (active_[detector_distance]) other.earlier_distance_sigma_ = sigma_[detector_distance];
  watch.begin("calibrate", other.evidence_.levels + 1, "steps");
  for (int level = 0; level < other.evidence_.levels; ++level) {
    other.prepare(level);
    other.refine(other.evidence_.parameters);
    watch.advance(1);
  }
  other.drop_undetermined(watch);
  watch.end();
  // The distance from planes has errors that views do not show: rays decide where they are more certain. Beam hardening
  // changes planes but not rays: where both contradict each other, rays are right, too.
  const double of_planes = sigma_[detector_distance], of_rays = other.sigma_[detector_distance];
  const double apart = std::abs(other.values_[detector_distance] - values_[detector_distance]);
  const bool rays_decide =
      of_rays < std::hypot(of_planes, distance_error_) || apart > 3 * std::hypot(of_rays, of_planes);
  const auto better = [&](std::size_t p) {
    return other.active_[p] && (!active_[p] || (p == detector_distance && rays_decide));
  };
  std::vector<std::size_t> rest;
  bool any = false;
  for (std::size_t p = 0; p < all; ++p) {
    if (better(p)) {
      values_[p] = other.values_[p];
      by_other_[p] = true;
      sigma_[p] = other.sigma_[p];
      active_[p] = any = true;
      if (p == detector_distance) distance_error_ = other.distance_error_;
    } else if (active_[p]) {
      rest.push_back(p);
    } else if (std::ranges::count(other.evidence_.parameters, p) > 0) {
      reason_[p] = other.reason_[p];
    }
  }
  for (int level = std::min(1, evidence_.levels - 1); any && level < evidence_.levels; ++level) {
    prepare(level);
    refine(rest);
  }
  if (any) other_ = std::make_shared<GeometrySearch>(std::move(other));
  return any;
}

double GeometrySearch::criterion(const std::vector<double>& values, bool reversed) const {
  return mean_square(residuals(values, reversed)) / 2;
}
double GeometrySearch::before() const { return criterion(own_geometry(), false); }
bool GeometrySearch::improved() const {
  return mean_square(robust(values_, reversed_)) < mean_square(robust(own_geometry(), false));
}
void GeometrySearch::keep_own_geometry() {
  values_ = own_geometry();
  reversed_ = false;
}
GeometryCorrection GeometrySearch::correction() const { return correction_of(values_, reversed_); }

std::vector<CalibratedParameter> GeometrySearch::report(bool with_curves, const Watch& watch) const {
  if (with_curves) watch.begin("curves", static_cast<std::int64_t>(evidence_.parameters.size()), "parameters");
  std::vector<CalibratedParameter> out;
  for (std::size_t p = 0; p < all; ++p) {
    const double sigma = p == detector_distance ? std::hypot(sigma_[p], distance_error_) : sigma_[p];
    CalibratedParameter parameter{looked[p].name,
                                  looked[p].unit,
                                  values_[p],
                                  active_[p] ? sigma : 0,
                                  active_[p],
                                  active_[p] ? "" : reason_[p],
                                  {},
                                  {},
                                  ""};
    const GeometrySearch& by = by_other_[p] ? *other_ : *this;
    if (with_curves && std::ranges::count(by.evidence_.parameters, p) > 0) {
      by.draw_curve(p, values_, reversed_, parameter);
      watch.advance(1);
    }
    out.push_back(std::move(parameter));
  }
  if (with_curves) watch.end();
  return out;
}

std::vector<float> GeometrySearch::residuals(const std::vector<double>& values, bool reversed) const {
  for (std::size_t p = 0; p < all; ++p)  // implausible values: no residual, so that the search turns back
    if (std::abs(values[p] - looked[p].none) > 2 * looked[p].farthest)
      return std::vector<float>(consistency_->residuals(scan_).size(), std::numeric_limits<float>::quiet_NaN());
  return consistency_->residuals(corrected(scan_, correction_of(values, reversed)));
}

/// Residuals with large ones reduced (Cauchy's loss), so that edges that touch a plane and truncated lines do not
/// dominate.
std::vector<float> GeometrySearch::robust(const std::vector<double>& values, bool reversed) const {
  std::vector<float> out = residuals(values, reversed);
  for (float& r : out)
    if (std::isfinite(r)) r = std::copysign(large_ * std::sqrt(std::log1p(r * r / (large_ * large_))), r);
  return out;
}

double GeometrySearch::median(const std::vector<double>& values) const {
  std::vector<float> size = residuals(values, reversed_);
  std::erase_if(size, [](float r) { return !std::isfinite(r); });
  if (size.empty()) return INFINITY;
  for (float& r : size) r = std::abs(r);
  const auto middle = size.begin() + static_cast<std::ptrdiff_t>(size.size() / 2);
  std::ranges::nth_element(size, middle);
  return *middle;
}

/// Prepares the criterion of a level, with weights for the geometry found so far.
void GeometrySearch::prepare(int level) { consistency_ = evidence_.make(corrected(scan_, correction()), level); }

std::vector<double> GeometrySearch::steps_of(const std::vector<std::size_t>& parameters) const {
  std::vector<double> steps(all, 0.0);
  for (const std::size_t p : parameters)
    if (active_[p]) steps[p] = step_[p];
  return steps;
}

void GeometrySearch::refine(const std::vector<std::size_t>& parameters, int iterations) {
  large_ = static_cast<float>(3 * (median(values_) + common_error));
  values_ = minimize([&](const auto& v) { return robust(v, reversed_); }, values_, steps_of(parameters), iterations)
                .parameters;
}

/// Tries values of a parameter up to `far` from the present one; the others stay.
void GeometrySearch::try_values(std::size_t p, double far, const Watch& watch) {
  constexpr int most = 10;  // to each side
  const double middle = values_[p];
  double least = INFINITY, best = middle;
  for (int i = -most; i <= most; ++i) {
    watch.advance(0);  // may throw Cancelled
    std::vector<double> at = values_;
    at[p] = middle + far * i / most;
    if (const double c = criterion(at, reversed_); c < least) least = c, best = at[p];
  }
  values_[p] = best;
}

/// The first search, at the coarsest level, for one direction of rotation. Returns the criterion.
double GeometrySearch::search_coarsely(bool reversed, const Watch& watch) {
  reversed_ = reversed;
  prepare(0);
  if (active_[in_plane]) try_values(in_plane, 10, watch);
  if (active_[row_offset]) try_values(row_offset, 0.3 * static_cast<double>(scan_.detector.rows), watch);
  if (evidence_.direction) refine({column_offset, in_plane});
  watch.advance(0);  // may throw Cancelled
  return criterion(values_, reversed_);
}

/// Chooses the opposite direction only if its criterion is clearly smaller.
void GeometrySearch::choose_direction(const Watch& watch) {
  const std::vector<double> start = values_;
  const double as_stated = search_coarsely(reversed_, watch);
  if (!evidence_.direction) return;
  const std::vector<double> kept = std::exchange(values_, start);
  if (search_coarsely(true, watch) < 0.6 * as_stated) return;
  reversed_ = false;
  values_ = kept;
  prepare(0);
}

/// By view: the sum of J' r over its residuals, half of each for both its views. Residuals of one view are not
/// independent, so they are summed by view (cluster-robust covariance: Cameron and Miller, J. Hum. Resour. 50 (2015)
/// 317).
std::vector<std::vector<double>> GeometrySearch::pulls_by_view(const Linearized& at) const {
  std::vector<std::vector<double>> by_view;
  for (std::size_t i = 0; i < at.residual.size(); ++i) {
    if (!at.has(i)) continue;
    const auto [a, b] = consistency_->views_of(i);
    for (const int view : {a, b}) {
      if (static_cast<std::size_t>(view) >= by_view.size()) by_view.resize(static_cast<std::size_t>(view) + 1);
      auto& sums = by_view[static_cast<std::size_t>(view)];
      sums.resize(all);
      for (std::size_t p = 0; p < all; ++p)
        if (active_[p]) sums[p] += 0.5 * static_cast<double>(at.slope[p][i]) * at.residual[i];
    }
  }
  std::erase_if(by_view, [](const auto& sums) { return sums.empty(); });
  return by_view;
}

/// Error that all views share, relative to the root mean square of a view. It shows in the residuals' means over the
/// views; the part of them that noise explains is subtracted.
double GeometrySearch::shared_error(const std::vector<float>& residual) const {
  const std::int64_t rays = consistency_->rays();
  double squares = 0, compared = 0;
  for (std::int64_t ray = 0; ray < rays; ++ray) {
    double sum = 0, square = 0, n = 0;
    for (auto i = static_cast<std::size_t>(ray); i < residual.size(); i += static_cast<std::size_t>(rays)) {
      if (!std::isfinite(residual[i])) continue;
      sum += static_cast<double>(residual[i]);
      square += static_cast<double>(residual[i]) * static_cast<double>(residual[i]);
      n += 1;
    }
    if (n < 2) continue;
    squares += sum * sum / (n * n) - (square / n - sum * sum / (n * n)) / (n - 1);
    compared += 1;
  }
  return compared > 0 ? std::sqrt(std::max(0.0, squares / compared)) : 0;
}

/// One standard deviation of each active parameter: from the differences between views, and from an error that they may
/// share.
void GeometrySearch::estimate_uncertainty() {
  const Linearized at =
      linearize([&](const auto& v) { return robust(v, reversed_); }, values_, steps_of(evidence_.parameters));
  const std::vector<double> curvature = at.curvature();
  const auto by_view = pulls_by_view(at);
  double count = 0;
  for (std::size_t i = 0; i < at.residual.size(); ++i) count += at.has(i) ? 1 : 0;
  blind_.assign(all, 0);
  shared_ = std::max(common_error, shared_error(at.residual));
  // The initial value, for a singular matrix: that of a single parameter with large residuals.
  for (std::size_t p = 0; p < all; ++p) sigma_[p] = active_[p] ? unknown / std::sqrt(curvature[p * all + p]) : 0;
  std::vector<double> variance(all), moved;
  for (const auto& sums : by_view) {
    if (!solve(curvature, sums, moved)) return;
    // A pair's residual counts half for each of its views, so the variance of sums over independent pairs is half as
    // large.
    for (std::size_t p = 0; p < all; ++p) variance[p] += 2 * moved[p] * moved[p];
  }
  for (std::size_t p = 0; p < all; ++p) {
    if (!active_[p] || curvature[p * all + p] == 0) continue;
    std::vector<double> unit(all);
    unit[p] = 1;
    solve(curvature, unit, moved);
    blind_[p] = shared_ * std::sqrt(count * moved[p]);
    sigma_[p] = std::hypot(std::sqrt(variance[p]), share_of_blind * blind_[p]);
  }
}

/// The larger of two ratios: uncertainty over its limit (or over that of other evidence, if that is larger), and
/// distance from the scan file's value over its limit. Above 1 the parameter is not determined.
double GeometrySearch::excess(std::size_t p) const {
  double limit = looked[p].limit * step_[p] / looked[p].step;
  if (p == detector_distance) limit = std::max(limit, earlier_distance_sigma_);
  return std::max(std::max(sigma_[p], blind_[p]) / limit, std::abs(values_[p] - looked[p].none) / looked[p].farthest);
}

void GeometrySearch::drop(std::size_t p) {
  const double of_exact_views = blind_[p] * common_error / shared_;
  reason_[p] = of_exact_views < looked[p].limit && sigma_[p] < 100 * looked[p].limit
                   ? fmt::format("the views leave it open: {:.3g} +- {:.2g}{}{}", values_[p], sigma_[p],
                                 *looked[p].unit ? " " : "", looked[p].unit)
                   : "the views hardly depend on it";
  active_[p] = false;
  values_[p] = fallback_[p];
}

/// Resets the parameters that the data do not determine, one by one.
void GeometrySearch::drop_undetermined(const Watch& watch) {
  for (;;) {
    watch.advance(0);  // may throw Cancelled
    estimate_uncertainty();
    std::size_t worst = all;
    for (std::size_t p = 0; p < all; ++p)
      if (active_[p] && (worst == all || excess(p) > excess(worst))) worst = p;
    if (worst == all || excess(worst) <= 1) return;
    drop(worst);
    refine(evidence_.parameters);
  }
}

void GeometrySearch::draw_curve(std::size_t p, const std::vector<double>& middle, bool reversed,
                                CalibratedParameter& parameter) const {
  constexpr int points = 8;  // points to each side
  parameter.compared = evidence_.words;
  for (int i = -points; i <= points; ++i) {
    std::vector<double> at = middle;
    at[p] += looked[p].span * i / points;
    parameter.at.push_back(at[p]);
    parameter.criterion.push_back(criterion(at, reversed));
  }
}

}  // namespace backlit
