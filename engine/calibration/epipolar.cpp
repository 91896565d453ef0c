// Consistency of cone-beam views: both views give the same integral of a plane through their two sources.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <backlit/core/parallel.hpp>
#include "calibration/consistency.hpp"

namespace backlit {
namespace {

constexpr double truncated = 0.04;                       ///< limit on a line's ends, as a share of the largest value
constexpr double least_angle = 12 * radians_per_degree;  ///< smallest angle between two views of a pair
constexpr double blur = 2;                               ///< planes
constexpr std::int64_t every = 2;                        ///< planes for one residual
constexpr std::size_t most_pairs = 240;
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

std::vector<double> gaussian(double sigma) {
  const int reach = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> kernel;
  double sum = 0;
  for (int k = -reach; k <= reach; ++k) sum += kernel.emplace_back(std::exp(-0.5 * k * k / (sigma * sigma)));
  for (double& k : kernel) k /= sum;
  return kernel;
}

/// Two unit vectors that are orthogonal to `along` and to each other; the first is near to z.
std::pair<Vec3, Vec3> frame_about(const Vec3& along) {
  const Vec3 axis = glm::normalize(along);
  const Vec3 helper = std::abs(axis.z) < 0.9 ? Vec3(0, 0, 1) : Vec3(1, 0, 0);
  const Vec3 first = glm::normalize(helper - glm::dot(helper, axis) * axis);
  return {first, glm::cross(axis, first)};
}

/// Shuffles to an order that is the same on all machines.
void shuffle(std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::minstd_rand random;
  for (std::size_t i = pairs.size(); i > 1; --i) std::swap(pairs[i - 1], pairs[random() % i]);
}

/// A view's values and the position of its detector. Places on the detector are mm from its centre along u and v.
class MeasuredPlane {
 public:
  MeasuredPlane(const CalibrationViews& views, std::size_t place, const Scan& scan, float limit)
      : columns_(views.columns), rows_(views.rows), values_(views.values[place].data()), limit_(limit) {
    const View& view = scan.views[static_cast<std::size_t>(views.index[place])];
    const auto binning = static_cast<double>(views.binning);
    width_ = glm::length(view.u) * binning;
    height_ = glm::length(view.v) * binning;
    u_ = glm::normalize(view.u);
    v_ = glm::normalize(view.v);
    from_source_ = view.center - view.source;
    distance_ = detector_normal(view).distance;
    column0_ = (scan.detector.middle_column() - views.column_of(0)) / binning;
    row0_ = (scan.detector.middle_row() - views.column_of(0)) / binning;
  }

  /// Derivative of the plane's integral by its distance from the origin, up to a factor that all views share. Let h =
  /// (x - source) . normal on the detector, and |m| the length of its gradient there. The result is L / |m|^2 times the
  /// derivative, across the line h = 0, of the integral along this line. NaN where the line is truncated.
  float derivative(const Vec3& normal) const {
    const double along_u = glm::dot(normal, u_), along_v = glm::dot(normal, v_), m = std::hypot(along_u, along_v);
    if (m < 1e-6) return missing;
    const double place = -glm::dot(from_source_, normal) / m, half = 0.5 * width_;
    const float low = integral(along_u / m, along_v / m, place - half),
                high = integral(along_u / m, along_v / m, place + half);
    return static_cast<float>(distance_ / (m * m)) * (high - low) / static_cast<float>(2 * half);
  }

 private:
  /// Integral along the line x cos + y sin = place of values divided by the length of their rays: Grangeat's weight.
  /// Takes one sample a row, interpolated between two columns. A flat line has one sample a column, interpolated
  /// between two rows.
  float integral(double cos, double sin, double place) const {
    const bool by_row = std::abs(cos) * height_ >= std::abs(sin) * width_;
    return by_row ? integral(place, cos, sin, width_, height_, column0_, row0_, columns_, rows_, 1, columns_,
                             glm::dot(from_source_, u_), glm::dot(from_source_, v_))
                  : integral(place, sin, cos, height_, width_, row0_, column0_, rows_, columns_, columns_, 1,
                             glm::dot(from_source_, v_), glm::dot(from_source_, u_));
  }

  /// `across`: the direction of interpolation; `along`: the direction of the steps.
  float integral(double place, double cos, double sin, double across, double along, double across0, double along0,
                 std::int64_t across_count, std::int64_t along_count, std::int64_t across_stride,
                 std::int64_t along_stride, double center_across, double center_along) const {
    // At step i the position across is pixel `start + i slope`.
    const double slope = -sin * along / (cos * across), start = across0 + place / (cos * across) - along0 * slope;
    double first = 0, last = static_cast<double>(along_count - 1);
    if (std::abs(slope) > 1e-12) {
      const double a = -start / slope, b = (static_cast<double>(across_count) - 1.001 - start) / slope;
      first = std::max(first, std::ceil(std::min(a, b)));
      last = std::min(last, std::floor(std::max(a, b)));
    } else if (start < 0 || start > static_cast<double>(across_count) - 1.001) {
      return missing;
    }
    if (last - first < 1) return missing;
    const auto begin = static_cast<std::int64_t>(first), end = static_cast<std::int64_t>(last);
    const auto value = [&](std::int64_t i) {
      const auto at = static_cast<float>(start + static_cast<double>(i) * slope);
      const auto whole = static_cast<std::int64_t>(at);
      const float f = at - static_cast<float>(whole), *v = values_ + whole * across_stride + i * along_stride;
      return (1 - f) * v[0] + f * v[across_stride];
    };
    if (value(begin) > limit_ || value(end) > limit_) return missing;
    // The ray's squared length is a parabola along the line.
    const double x0 = (start - across0) * across, y0 = -along0 * along, dx = slope * across, dy = along;
    const double x = x0 + center_across, y = y0 + center_along;
    const double beside =
        glm::dot(from_source_, from_source_) - center_across * center_across - center_along * center_along;
    const auto a = static_cast<float>(dx * dx + dy * dy), b = static_cast<float>(2 * (x * dx + y * dy)),
               c = static_cast<float>(x * x + y * y + beside);
    float sum = 0;
    for (std::int64_t i = begin; i <= end; ++i) {
      const auto t = static_cast<float>(i);
      sum += value(i) / std::sqrt((a * t + b) * t + c);
    }
    return sum * static_cast<float>(along / std::abs(cos));
  }

  std::int64_t columns_, rows_;
  const float* values_;
  float limit_;
  double width_, height_, column0_, row0_, distance_;
  Vec3 u_, v_, from_source_;
};

/// Two views, and the planes through both sources to compare.
struct SourcePair {
  std::size_t a, b;
  double first, step;   ///< radians about the line that joins the sources
  std::int64_t planes;  ///< first, first + step, ...
  std::size_t begin;    ///< the pair's first residual
  double scale = 1;     ///< one over the root mean square of the pair's derivatives

  std::size_t residuals() const { return static_cast<std::size_t>((planes - 1) / every + 1); }
};

/// Grangeat's relation (in Mathematical Methods in Tomography, 1991, 66) gives the derivative of a plane's integral by
/// the plane's distance from the origin. It needs only the line in which a view's detector meets the plane. Debbeler,
/// Maass, Elter, Dennerlein and Buzug (Fully3D 2013) and Aichert, Berger, Wang, Maass, Doerfler, Hornegger and Maier
/// (IEEE Trans. Med. Imaging 34 (2015) 2205) compare two views by it. Differences are smoothed over neighbouring
/// planes, so that both views are smoothed equally. Smoothing each view on its detector shifts the distance by
/// percents.
class EpipolarConsistency final : public Consistency {
 public:
  EpipolarConsistency(CalibrationViews views, const Scan& scan, double object_radius)
      : views_(std::move(views)), kernel_(gaussian(blur)), limit_(static_cast<float>(truncated * views_.largest())) {
    pair_up(scan, object_radius);
    balance(scan);
  }

  /// One residual for every second plane of each pair of views.
  std::vector<float> residuals(const Scan& scan) const override { return differences(scan, -1); }

  std::pair<int, int> views_of(std::size_t residual) const override {
    const SourcePair& pair = *std::prev(std::ranges::upper_bound(pairs_, residual, {}, &SourcePair::begin));
    return {static_cast<int>(pair.a), static_cast<int>(pair.b)};
  }

 private:
  const View& view_of(const Scan& scan, std::size_t place) const {
    return scan.views[static_cast<std::size_t>(views_.index[place])];
  }
  void pair_up(const Scan&, double object_radius);
  void balance(const Scan&);
  std::vector<float> differences(const Scan&, float sign) const;

  CalibrationViews views_;
  std::vector<SourcePair> pairs_;
  std::vector<double> kernel_;  ///< weights for smoothing over planes
  float limit_;
};

/// Chooses pairs of views and their planes. Planes are one pixel apart at the object and meet the ball of the object's
/// radius.
void EpipolarConsistency::pair_up(const Scan& scan, double object_radius) {
  const View& view = view_of(scan, 0);
  const double pixel = static_cast<double>(views_.binning) * glm::length(view.u) * glm::length(view.source) /
                       detector_normal(view).distance;
  std::vector<std::pair<std::size_t, std::size_t>> apart;
  for (std::size_t a = 0; a < views_.index.size(); ++a)
    for (std::size_t b = a + 1; b < views_.index.size(); ++b)
      if (glm::dot(glm::normalize(view_of(scan, a).source), glm::normalize(view_of(scan, b).source)) <
          std::cos(least_angle))
        apart.emplace_back(a, b);
  shuffle(apart);
  if (apart.size() > most_pairs) apart.resize(most_pairs);
  std::size_t begin = 0;
  for (const auto& [a, b] : apart) {
    const Vec3 from = view_of(scan, a).source, to = view_of(scan, b).source;
    const auto [up, side] = frame_about(to - from);
    const double reach = std::hypot(glm::dot(from, up), glm::dot(from, side));
    const double widest = reach > object_radius ? std::asin(object_radius / reach) : 0.5 * pi;
    const double step = pixel / std::max(reach, object_radius);
    const double middle = reach > 1e-6 * glm::length(from) ? std::atan2(-glm::dot(from, up), glm::dot(from, side)) : 0;
    const auto half = static_cast<std::int64_t>(widest / step);
    pairs_.push_back({a, b, middle - static_cast<double>(half) * step, step, 2 * half + 1, begin});
    begin += pairs_.back().residuals();
  }
}

/// Scales all pairs to equal weight. Otherwise opposite views would dominate: the line between their sources meets the
/// object, where smoothing over planes has little effect.
void EpipolarConsistency::balance(const Scan& scan) {
  const std::vector<float> sums = differences(scan, 1);
  std::vector<double> square(pairs_.size());
  double all = 0;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::size_t end = pairs_[p].begin + pairs_[p].residuals();
    std::int64_t count = 0;
    for (std::size_t i = pairs_[p].begin; i < end; ++i)
      if (std::isfinite(sums[i])) square[p] += static_cast<double>(sums[i]) * sums[i], ++count;
    if (count > 0) square[p] /= 2 * static_cast<double>(count);  // the square of a sum is twice that of one term
    all += square[p] / static_cast<double>(pairs_.size());
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    pairs_[p].scale = 1 / std::sqrt(std::max(square[p], 0.01 * all) + 1e-300);
}

/// The derivatives of the first view plus `sign` times those of the second, smoothed.
std::vector<float> EpipolarConsistency::differences(const Scan& scan, float sign) const {
  if (pairs_.empty()) return {};
  std::vector<MeasuredPlane> planes;
  for (std::size_t i = 0; i < views_.index.size(); ++i) planes.emplace_back(views_, i, scan, limit_);
  std::vector<float> out(pairs_.back().begin + pairs_.back().residuals(), missing);
  parallel_for(static_cast<std::int64_t>(pairs_.size()), [&](std::int64_t n) {
    const SourcePair& pair = pairs_[static_cast<std::size_t>(n)];
    const auto [up, side] = frame_about(view_of(scan, pair.b).source - view_of(scan, pair.a).source);
    std::vector<float> plane(static_cast<std::size_t>(pair.planes));
    for (std::int64_t i = 0; i < pair.planes; ++i) {
      const double turn = pair.first + static_cast<double>(i) * pair.step;
      const Vec3 normal = std::cos(turn) * up + std::sin(turn) * side;
      float& value = plane[static_cast<std::size_t>(i)] = planes[pair.a].derivative(normal);
      if (std::isfinite(value)) value += sign * planes[pair.b].derivative(normal);
    }
    const auto reach = static_cast<std::int64_t>(kernel_.size() / 2);
    for (std::int64_t i = 0; i < pair.planes; i += every) {
      double sum = 0, weight = 0;
      for (std::int64_t k = std::max(-reach, -i); k <= std::min(reach, pair.planes - 1 - i); ++k) {
        const float d = plane[static_cast<std::size_t>(i + k)];
        if (!std::isfinite(d)) continue;
        sum += kernel_[static_cast<std::size_t>(k + reach)] * d;
        weight += kernel_[static_cast<std::size_t>(k + reach)];
      }
      if (weight > 0.9)
        out[pair.begin + static_cast<std::size_t>(i / every)] = static_cast<float>(pair.scale * sum / weight);
    }
  });
  return out;
}

}  // namespace

std::unique_ptr<Consistency> make_epipolar(CalibrationViews views, const Scan& scan, double object_radius) {
  return std::make_unique<EpipolarConsistency>(std::move(views), scan, object_radius);
}

}  // namespace backlit
