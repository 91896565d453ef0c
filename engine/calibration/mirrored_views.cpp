// Consistency of parallel views: after half a turn, a view is its own mirror image at the projected axis.
#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include "calibration/consistency.hpp"
#include "geometry/make_view_map.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

class MirroredViews final : public Consistency {
 public:
  MirroredViews(const CalibrationViews& views, const std::vector<MirroredView>& pairs, double blur)
      : views_(views), pairs_(pairs) {
    for (const auto& view : views.values) images_.push_back(smoothed(view, views.columns, views.rows, blur));
    double sum = 0;
    for (const auto& image : images_)
      for (const float v : image) sum += static_cast<double>(v) * v;
    const double count = static_cast<double>(images_.size()) * static_cast<double>(views.columns * views.rows);
    if (sum > 0) scale_ = 1 / std::sqrt(sum / count);
    const std::int64_t all = views.rows * views.columns * static_cast<std::int64_t>(pairs_.size());
    row_step_ = std::clamp<std::int64_t>(all / 200000, 1, std::max<std::int64_t>(1, views.rows / 16));
  }

  std::vector<float> residuals(const Scan& scan) const override {
    std::vector<float> out(pairs_.size() * static_cast<std::size_t>(points()), missing);
    parallel_for(static_cast<std::int64_t>(pairs_.size()), [&](std::int64_t p) {
      const MirroredView& pair = pairs_[static_cast<std::size_t>(p)];
      const Mirror mirror(scan, scan.views[static_cast<std::size_t>(pair.view)], views_);
      const auto& mine = images_[place_of(pair.view)];
      for (std::int64_t i = 0; i < points(); ++i) {
        const std::int64_t c = i % views_.columns, r = i / views_.columns * row_step_;
        const auto there = mirror(static_cast<double>(c), static_cast<double>(r));
        if (!inside(there)) continue;
        const auto value = [&](std::int64_t view, bool mirrored) {
          const auto& image = images_[place_of(view)];
          return mirrored ? sample(image, there) : image[static_cast<std::size_t>(r * views_.columns + c)];
        };
        const double between = (1 - pair.share) * value(pair.before, pair.before_mirrored) +
                               pair.share * value(pair.after, pair.after_mirrored);
        out[static_cast<std::size_t>(p * points() + i)] =
            static_cast<float>(scale_ * (mine[static_cast<std::size_t>(r * views_.columns + c)] - between));
      }
    });
    return out;
  }

  std::pair<int, int> views_of(std::size_t residual) const override {
    const MirroredView& pair = pairs_[residual / static_cast<std::size_t>(points())];
    return {static_cast<int>(place_of(pair.view)),
            static_cast<int>(place_of(pair.share < 0.5 ? pair.before : pair.after))};
  }

 private:
  /// Mirrors a place at the line to which the rotation axis projects.
  class Mirror {
   public:
    Mirror(const Scan& scan, const View& view, const CalibrationViews& views)
        : binning_(static_cast<double>(views.binning)) {
      const auto map = make_view_map(scan.detector, view);
      const auto low = project_point(map, 0.0, 0.0, 0.0), high = project_point(map, 0.0, 0.0, 1.0);
      aspect_ = glm::length(view.v) / glm::length(view.u);
      at_ = {low.column, low.row};
      along_ = glm::normalize(glm::dvec2(high.column - low.column, (high.row - low.row) * aspect_));
    }
    std::pair<double, double> operator()(double c, double r) const {
      const glm::dvec2 from(binning_ * (c + 0.5) - 0.5 - at_.x, (binning_ * (r + 0.5) - 0.5 - at_.y) * aspect_);
      const glm::dvec2 to = 2 * glm::dot(from, along_) * along_ - from;
      return {(to.x + at_.x + 0.5) / binning_ - 0.5, (to.y / aspect_ + at_.y + 0.5) / binning_ - 0.5};
    }

   private:
    double binning_, aspect_ = 1;
    glm::dvec2 at_{0}, along_{0};
  };

  std::int64_t points() const { return views_.columns * ((views_.rows - 1) / row_step_ + 1); }
  std::size_t place_of(std::int64_t view) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(views_.index, view) - views_.index.begin());
  }
  bool inside(const std::pair<double, double>& at) const {
    return at.first >= 0 && at.second >= 0 && at.first <= static_cast<double>(views_.columns - 1) &&
           at.second <= static_cast<double>(views_.rows - 1);
  }

  float sample(const std::vector<float>& image, const std::pair<double, double>& at) const {
    const auto [column, row] = at;
    const auto c = std::min(static_cast<std::int64_t>(column), std::max<std::int64_t>(0, views_.columns - 2));
    const auto r = std::min(static_cast<std::int64_t>(row), std::max<std::int64_t>(0, views_.rows - 2));
    const double fc = column - static_cast<double>(c), fr = row - static_cast<double>(r);
    const auto line = [&](std::int64_t y) {
      const float* v = image.data() + y * views_.columns + c;
      return (1 - fc) * v[0] + fc * v[1];
    };
    return static_cast<float>(views_.rows == 1 ? line(0) : (1 - fr) * line(r) + fr * line(r + 1));
  }

  const CalibrationViews& views_;
  std::vector<MirroredView> pairs_;
  std::vector<std::vector<float>> images_;
  std::int64_t row_step_ = 1;
  double scale_ = 1;
};

}  // namespace

std::vector<MirroredView> find_mirrored_views(const Scan& scan, std::int64_t most) {
  struct Entry {
    double angle;
    std::int64_t view;
    bool mirrored;
  };
  std::vector<Entry> circle;
  for (std::int64_t i = 0; i < scan.view_count(); ++i) {
    const double angle = midplane(scan.detector, scan.views[static_cast<std::size_t>(i)]).angle;
    circle.push_back({angle, i, false});
    circle.push_back({wrapped(angle + pi, 2 * pi), i, true});
  }
  std::ranges::sort(circle, {}, &Entry::angle);
  const std::size_t n = circle.size();
  const auto gap = [&](std::size_t i) { return wrapped(circle[(i + 1) % n].angle - circle[i % n].angle, 2 * pi); };
  std::vector<double> gaps;
  for (std::size_t i = 0; i < n; ++i)
    if (gap(i) > 1e-6) gaps.push_back(gap(i));
  if (gaps.size() < 3) return {};
  std::ranges::nth_element(gaps, gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2));
  const double step = gaps[gaps.size() / 2];
  std::vector<MirroredView> all;
  for (std::size_t i = 0; i < n; ++i) {
    const Entry &before = circle[(i + n - 1) % n], &here = circle[i], &after = circle[(i + 1) % n];
    if (here.mirrored || !(before.mirrored || after.mirrored)) continue;
    const double left = gap(i + n - 1), right = gap(i);
    if (left > 1.5 * step || right > 1.5 * step) continue;
    const double share = left + right > 1e-12 ? left / (left + right) : 0.5;
    all.push_back({here.view, before.view, after.view, before.mirrored, after.mirrored, share});
  }
  std::vector<MirroredView> chosen;
  for (const std::int64_t i : spread_views(static_cast<std::int64_t>(all.size()), most))
    chosen.push_back(all[static_cast<std::size_t>(i)]);
  return chosen;
}

std::unique_ptr<Consistency> make_mirrored_views(const CalibrationViews& views, const std::vector<MirroredView>& pairs,
                                                 double blur) {
  return std::make_unique<MirroredViews>(views, pairs, blur);
}

}  // namespace backlit
