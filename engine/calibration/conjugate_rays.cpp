// Consistency of fan beams: the ray at fan angle gamma of view phi equals the ray at -gamma of view phi + pi + 2 gamma.
#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include "calibration/consistency.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

class ConjugateRays final : public Consistency {
 public:
  ConjugateRays(const CalibrationViews& views, const Scan& scan, double blur, bool in_plane_of_sources)
      : views_(views), in_plane_of_sources_(in_plane_of_sources) {
    double sum = 0;
    for (const auto& view : views.values) {
      rows_.push_back(smoothed(view, views.columns, 1, blur));
      for (const float v : rows_.back()) sum += static_cast<double>(v) * v;
    }
    if (sum > 0)
      scale_ = 1 / std::sqrt(sum / static_cast<double>(views.index.size() * static_cast<std::size_t>(views.columns)));
    std::vector<double> gaps;
    const auto order = sorted(scan);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) gaps.push_back(order[i + 1].first - order[i].first);
    std::ranges::nth_element(gaps, gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2));
    step_ = gaps[gaps.size() / 2];
    every_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(views.index.size()) * views.columns / 150000);
  }

  std::vector<float> residuals(const Scan& scan) const override {
    const auto order = sorted(scan);
    const std::int64_t compared = (static_cast<std::int64_t>(rows_.size()) - 1) / every_ + 1;
    std::vector<float> out(static_cast<std::size_t>(compared * views_.columns), missing);
    const std::vector<double> gamma = offsets(scan);
    const bool rising = gamma.back() > gamma.front();
    parallel_for(compared, [&](std::int64_t n) {
      const auto view = static_cast<std::size_t>(n * every_);
      const double angle = midplane(scan.detector, view_of(scan, view)).angle;
      for (std::int64_t c = 0; c < views_.columns; ++c) {
        const double g = gamma[static_cast<std::size_t>(c)];
        const auto next =
            rising ? std::ranges::lower_bound(gamma, -g) : std::ranges::lower_bound(gamma, -g, std::greater<>());
        if (next == gamma.begin() || next == gamma.end()) continue;
        const auto c0 = static_cast<std::size_t>(next - gamma.begin() - 1);
        const double f = (-g - gamma[c0]) / (gamma[c0 + 1] - gamma[c0]);
        const double wanted = wrapped(angle + pi + 2 * g, 2 * pi);
        const auto after = std::ranges::upper_bound(order, std::pair(wanted, order.size()));
        const auto b = after == order.end() ? order.begin() : after;
        const auto a = after == order.begin() ? order.end() - 1 : after - 1;
        const double gap = wrapped(b->first - a->first, 2 * pi), into = wrapped(wanted - a->first, 2 * pi);
        if (gap > 1.6 * step_) continue;
        const double share = gap > 0 ? into / gap : 0;
        const auto value = [&](std::size_t v) { return (1 - f) * rows_[v][c0] + f * rows_[v][c0 + 1]; };
        out[static_cast<std::size_t>(n * views_.columns + c)] =
            static_cast<float>(scale_ * (rows_[view][static_cast<std::size_t>(c)] - (1 - share) * value(a->second) -
                                         share * value(b->second)));
      }
    });
    return out;
  }

  std::pair<int, int> views_of(std::size_t residual) const override {
    const auto view = static_cast<int>(static_cast<std::int64_t>(residual) / views_.columns * every_);
    return {view, view};
  }

  std::int64_t rays() const override { return views_.columns; }

 private:
  const View& view_of(const Scan& scan, std::size_t place) const {
    return scan.views[static_cast<std::size_t>(views_.index[place])];
  }
  /// Angles of the views with their indices, ascending.
  std::vector<std::pair<double, std::size_t>> sorted(const Scan& scan) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < views_.index.size(); ++i)
      order.emplace_back(midplane(scan.detector, view_of(scan, i)).angle, i);
    std::ranges::sort(order);
    return order;
  }
  /// The fan angle of each coarser column, the same in every view.
  std::vector<double> offsets(const Scan& scan) const {
    const View& view = view_of(scan, 0);
    MidplaneView middle = midplane(scan.detector, view);
    std::vector<double> out;
    for (std::int64_t c = 0; c < views_.columns; ++c) {
      const double column = views_.column_of(static_cast<double>(c));
      if (in_plane_of_sources_) middle.row = horizontal_row(scan.detector, view, column);
      out.push_back(ray_offset(scan.detector, view, middle, column));
    }
    return out;
  }

  const CalibrationViews& views_;
  bool in_plane_of_sources_;
  std::vector<std::vector<float>> rows_;
  std::int64_t every_ = 1;
  double step_ = 0, scale_ = 1;
};

}  // namespace

std::unique_ptr<Consistency> make_conjugate_rays(const CalibrationViews& views, const Scan& scan, double blur,
                                                 bool in_plane_of_sources) {
  return std::make_unique<ConjugateRays>(views, scan, blur, in_plane_of_sources);
}

}  // namespace backlit
