#include <backlit/preprocess/fdk_filter.hpp>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/geometry/types.hpp>
#include "geometry/make_view_map.hpp"
#include "preprocess/filter/position_weight.hpp"
#include "preprocess/filter/row_filter.hpp"

namespace backlit {
namespace {

/// The geometric weights of one row.
void weigh_row(const Detector& d, const View& view, std::int64_t row, std::span<double> out) {
  if (d.shape == Detector::Shape::flat || view.beam == Beam::parallel) {
    const RowWeight<double> weight = weight_of_row(position_weight(d, view), static_cast<double>(row));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = weight_at(weight, static_cast<double>(i));
    return;
  }
  const Vec3 axis(-view.source.x, -view.source.y, 0);
  const double radius = axis_distance(view);
  const double scale = detector_normal(view).distance / (radius * radius * std::hypot(view.u.x, view.u.y));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = scale * glm::dot(axis, ray_direction(d, view, static_cast<double>(i), static_cast<double>(row)));
}

}  // namespace

struct FdkFilter::Plan {
  Scan scan;
  IndexRange rows;  ///< that a view has here
  FdkWeights weights;
  std::unique_ptr<RowConvolution> filter;  // none for views that are filtered already

  void weigh(std::int64_t view, std::int64_t row, std::span<float> values, std::vector<double>& weight) const {
    const auto i = static_cast<std::size_t>(view);
    if (!filter) {
      for (float& value : values) value = static_cast<float>(value * weights.gap[i]);
      return;
    }
    weigh_row(scan.detector, scan.views[i], row, weight);
    const auto& ray = weights.ray[weights.ray.size() > 1 ? i : 0];
    for (std::size_t c = 0; c < values.size(); ++c)
      values[c] = static_cast<float>(values[c] * weight[c] * weights.gap[i] * static_cast<double>(ray[c]));
  }
};

FdkFilter::FdkFilter(const Scan& scan, const FilterOptions& o) : FdkFilter(scan, o, {0, scan.detector.rows}) {}

FdkFilter::FdkFilter(const Scan& scan, const FilterOptions& o, const IndexRange& rows) {
  if (rows.first % 2 != 0) throw Failure("filter", "a part of a view begins with an odd row");
  plan_.reset(new Plan{scan, rows, fdk_weights(scan, o), make_row_filter(scan, o)});
}

FdkFilter::~FdkFilter() = default;

const FdkWeights& FdkFilter::weights() const { return plan_->weights; }

// Two rows share a transform, and how they share it shows in the last bits: pairs never span two views, so that a view
// comes out the same in whatever batch it arrives.
void FdkFilter::run(std::int64_t first, std::span<float> views) const {
  const std::int64_t rows = plan_->rows.count, columns = plan_->scan.detector.columns;
  const std::int64_t count = static_cast<std::int64_t>(views.size()) / (rows * columns), pairs = (rows + 1) / 2;
  parallel_chunks(
      count * pairs,
      [&](std::int64_t begin, std::int64_t end) {
        const auto scratch = plan_->filter ? plan_->filter->scratch() : RowConvolution::Scratch(nullptr, [](auto*) {});
        std::vector<double> weight(static_cast<std::size_t>(columns));
        const auto weighed = [&](std::int64_t view, std::int64_t row) -> std::span<float> {
          if (row == rows) return {};
          const auto values =
              views.subspan(static_cast<std::size_t>((view * rows + row) * columns), static_cast<std::size_t>(columns));
          plan_->weigh(first + view, plan_->rows.first + row, values, weight);
          return values;
        };
        for (std::int64_t k = begin; k < end; ++k) {
          const std::int64_t view = k / pairs, row = 2 * (k % pairs);
          const auto one = weighed(view, row), other = weighed(view, row + 1);
          if (plan_->filter) plan_->filter->run(one, other, scratch);
        }
      },
      32);
}

}  // namespace backlit
