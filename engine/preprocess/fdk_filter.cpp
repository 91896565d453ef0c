#include "preprocess/fdk_filter.hpp"

#include <cmath>

#include "core/parallel.hpp"
#include "preprocess/ramp_filter.hpp"
#include "projector/make_view_map.hpp"

namespace backlit {
namespace {

/// The geometric weight of a pixel, everything but gap and redundancy. Along a row of a flat detector it is
/// (a0 + a1 c) / sqrt(q0 + q1 c + q2 c^2).
///
/// Cone: cos(gamma) = -(S . ray) in the plane, R gamma being the angle off the direction to the axis, whatever way the
/// detector faces; and 1 / pitch of the row carried to the axis, pitch = |u| R / L. Where the detector leans (L then
/// differs from row to row), L is taken per row and the factor (R / depth)^2 that the backprojector applies is undone.
class ViewWeight {
 public:
  ViewWeight(const Detector& d, const View& view) : d_(d), view_(view) {
    if (view.beam == Beam::parallel) {
      const double level = std::hypot(view.direction.x, view.direction.y);
      // mm from the axis per column: u across the rays, seen from above.
      parallel_ = level * level / std::abs(view.u.x * view.direction.y - view.u.y * view.direction.x);
      return;
    }
    radius_ = axis_distance(view);
    distance_ = detector_normal(view).distance;
    width_ = std::hypot(view.u.x, view.u.y);
    level_normal_ = Vec3(view.u.y, -view.u.x, 0) / width_;
    if (glm::dot(level_normal_, view.source) > 0) level_normal_ = -level_normal_;
  }

  void row(std::int64_t row, std::span<double> out) const {
    if (parallel_ > 0) return std::fill(out.begin(), out.end(), parallel_);
    if (d_.shape == Detector::Shape::curved) return curved_row(row, out);
    const Vec3 first = detector_point(d_, view_, 0, static_cast<double>(row)) - view_.source;
    const Vec3 axis(-view_.source.x, -view_.source.y, 0);
    const double scale = distance_ * distance_ / (radius_ * radius_ * glm::dot(level_normal_, first) * width_);
    const double a0 = scale * glm::dot(axis, first), a1 = scale * glm::dot(axis, view_.u);
    const double q0 = glm::dot(first, first), q1 = 2 * glm::dot(first, view_.u), q2 = glm::dot(view_.u, view_.u);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto c = static_cast<double>(i);
      out[i] = (a0 + a1 * c) / std::sqrt(q0 + c * (q1 + q2 * c));
    }
  }

 private:
  void curved_row(std::int64_t row, std::span<double> out) const {
    const Vec3 axis(-view_.source.x, -view_.source.y, 0);
    const double scale = distance_ / (radius_ * radius_ * width_);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = scale * glm::dot(axis, ray_direction(d_, view_, static_cast<double>(i), static_cast<double>(row)));
  }

  const Detector& d_;
  const View& view_;
  double parallel_ = 0, radius_ = 0, distance_ = 0, width_ = 0;
  Vec3 level_normal_{0};
};

double angular_pitch(const Scan& scan) {
  const View& view = scan.views.front();
  return scan.detector.shape == Detector::Shape::curved ? glm::length(view.u) / detector_normal(view).distance : 0;
}

}  // namespace

struct FdkFilter::Plan {
  Scan scan;
  FdkWeights weights;
  RampFilter ramp;

  void weigh(std::int64_t view, std::int64_t row, std::span<float> values, std::vector<double>& weight) const {
    const auto i = static_cast<std::size_t>(view);
    ViewWeight(scan.detector, scan.views[i]).row(row, weight);
    const auto& ray = weights.ray[weights.ray.size() > 1 ? i : 0];
    for (std::size_t c = 0; c < values.size(); ++c)
      values[c] = static_cast<float>(values[c] * weight[c] * weights.gap[i] * static_cast<double>(ray[c]));
  }
};

FdkFilter::FdkFilter(const Scan& scan, const FilterOptions& o) {
  const Window window = window_from(o.window);
  FdkWeights weights = fdk_weights(scan, o);
  plan_.reset(new Plan{scan, std::move(weights), {scan.detector.columns, window, o.cutoff, angular_pitch(scan)}});
}

FdkFilter::~FdkFilter() = default;

const FdkWeights& FdkFilter::weights() const { return plan_->weights; }

void FdkFilter::run(std::int64_t first, std::span<float> views) const {
  const std::int64_t rows = plan_->scan.detector.rows, columns = plan_->scan.detector.columns;
  const std::int64_t total = static_cast<std::int64_t>(views.size()) / columns;
  parallel_chunks(
      total,
      [&](std::int64_t begin, std::int64_t end) {
        const auto scratch = plan_->ramp.scratch();
        std::vector<double> weight(static_cast<std::size_t>(columns));
        const auto row_of = [&](std::int64_t k) {
          const auto values = views.subspan(static_cast<std::size_t>(k * columns), static_cast<std::size_t>(columns));
          plan_->weigh(first + k / rows, k % rows, values, weight);
          return values;
        };
        for (std::int64_t k = begin; k < end; k += 2)
          plan_->ramp.run(row_of(k), k + 1 < end ? row_of(k + 1) : std::span<float>{}, scratch);
      },
      64);
}

}  // namespace backlit
