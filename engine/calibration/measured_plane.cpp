#include "calibration/measured_plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace backlit {
namespace {

constexpr int together = 16;           ///< samples of a line in one call: their loops become vectors
constexpr int beyond = 1024;           ///< pixels; `together` samples move by less across the line
constexpr float least_height = 0.05f;  ///< smallest distance from a line of sources, as a share of that to the detector

using Samples = std::array<float, together>;

/// A view along a line: between pixels a quadratic B-spline across the line.
struct ReadValues {
  const float* values;
  std::int64_t across_stride, along_stride;
  double start, slope;  ///< at most one pixel a sample

  /// Samples i, ..., i + count - 1. A Count that is a constant makes faster loops.
  template <class Count>
  void read(std::int64_t i, Count count, Samples& to) const {
    const double at = start + static_cast<double>(i) * slope;
    const auto pixel = static_cast<std::int64_t>(at);
    const auto first = static_cast<float>(at - static_cast<double>(pixel)), step = static_cast<float>(slope);
    const float* const row = values + pixel * across_stride + i * along_stride;
    std::array<int, together> nearest;
    Samples past, before, on, after;
#pragma omp simd
    for (int n = 0; n < count; ++n) {
      const float place = first + static_cast<float>(n) * step;
      nearest[n] = static_cast<int>(place + (beyond + 0.5f)) - beyond;  // the sum is positive: the cast rounds down
      past[n] = place - static_cast<float>(nearest[n]);
    }
    for (int n = 0; n < count; ++n) {
      const float* const v = row + nearest[n] * across_stride + n * along_stride;
      before[n] = v[-across_stride], on[n] = v[0], after[n] = v[across_stride];
    }
#pragma omp simd
    for (int n = 0; n < count; ++n) {
      const float f = past[n], b = 0.5f - f, a = 0.5f + f;
      to[n] = 0.5f * b * b * before[n] + (0.75f - f * f) * on[n] + 0.5f * a * a * after[n];
    }
  }
  float read(std::int64_t i) const {
    Samples one;
    read(i, 1, one);
    return one[0];
  }
};

/// 1 / (length of the ray to a sample) / (its part across a line of sources). The squared length is a parabola of the
/// samples a line has, that part is linear.
struct RayWeights {
  float a, b, c;                  ///< squared length: a t^2 + b t + c
  float height0, height1, least;  ///< part: height0 + height1 t, but no less than `least`

  template <class Count>
  void read(std::int64_t i, Count count, Samples& to) const {
    const auto start = static_cast<float>(i);
#pragma omp simd
    for (int n = 0; n < count; ++n) {
      const float t = start + static_cast<float>(n), height = height0 + height1 * t;
      to[n] = 1 / (std::sqrt((a * t + b) * t + c) * (height > least ? height : least));
    }
  }
};

}  // namespace

/// Samples i = begin, ..., end at pixel `start + i slope` across and `i` along.
struct MeasuredPlane::Line {
  bool steep = true;  ///< steps along rows of the image
  double start = 0, slope = 0;
  std::int64_t begin = 0, end = -1;
  double step = 0;  ///< mm of the line in one sample
};

MeasuredPlane::MeasuredPlane(const CalibrationViews& views, std::size_t place, const Scan& scan, float limit)
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

float MeasuredPlane::derivative(const Vec3& normal) const {
  const double along_u = glm::dot(normal, u_), along_v = glm::dot(normal, v_), m = std::hypot(along_u, along_v);
  if (m < 1e-6) return missing;
  const double place = -glm::dot(from_source_, normal) / m, half = 0.5 * width_;
  const float low = sum(line(along_u / m, along_v / m, place - half), Vec3(0)).value,
              high = sum(line(along_u / m, along_v / m, place + half), Vec3(0)).value;
  return static_cast<float>(distance_ / (m * m)) * (high - low) / static_cast<float>(2 * half);
}

MeasuredPlane::Integral MeasuredPlane::integral(const Vec3& normal, const Vec3& away) const {
  const double along_u = glm::dot(normal, u_), along_v = glm::dot(normal, v_), m = std::hypot(along_u, along_v);
  if (m < 1e-6) return {missing, missing};
  Integral out = sum(line(along_u / m, along_v / m, -glm::dot(from_source_, normal) / m), away);
  // The angle of a ray in the plane changes by (distance of the line from the source) / length^2 a mm of the line.
  const auto from_line = static_cast<float>(distance_ / m);
  return {out.value * from_line, out.noise * from_line};
}

MeasuredPlane::Line MeasuredPlane::line(double cos, double sin, double place) const {
  Line out;
  out.steep = std::abs(cos) * width_ >= std::abs(sin) * height_;
  const double across = out.steep ? width_ : height_, along = out.steep ? height_ : width_;
  const double across0 = out.steep ? column0_ : row0_, along0 = out.steep ? row0_ : column0_;
  const std::int64_t across_count = out.steep ? columns_ : rows_, along_count = out.steep ? rows_ : columns_;
  if (!out.steep) std::swap(cos, sin);
  out.slope = -sin * along / (cos * across);
  out.start = across0 + place / (cos * across) - along0 * out.slope;
  out.step = along / std::abs(cos);
  double first = 0, last = static_cast<double>(along_count - 1);
  const double least = 0.5, most = static_cast<double>(across_count) - 1.501;
  if (std::abs(out.slope) > 1e-12) {
    const double a = (least - out.start) / out.slope, b = (most - out.start) / out.slope;
    first = std::max(first, std::ceil(std::min(a, b)));
    last = std::min(last, std::floor(std::max(a, b)));
  } else if (out.start < least || out.start > most) {
    return out;
  }
  if (last - first < 1) return out;
  out.begin = static_cast<std::int64_t>(first);
  out.end = static_cast<std::int64_t>(last);
  return out;
}

MeasuredPlane::Integral MeasuredPlane::sum(const Line& line, const Vec3& away) const {
  if (line.end <= line.begin) return {missing, missing};
  const ReadValues view{values_, line.steep ? 1 : columns_, line.steep ? columns_ : 1, line.start, line.slope};
  if (view.read(line.begin) > limit_ || view.read(line.end) > limit_) return {missing, missing};
  // From the source to sample i: `from` + i `by`.
  const Vec3 across = line.steep ? width_ * u_ : height_ * v_, along = line.steep ? height_ * v_ : width_ * u_;
  const double across0 = line.steep ? column0_ : row0_, along0 = line.steep ? row0_ : column0_;
  const Vec3 from = from_source_ + (line.start - across0) * across - along0 * along, by = line.slope * across + along;
  RayWeights rays{static_cast<float>(glm::dot(by, by)),
                  static_cast<float>(2 * glm::dot(from, by)),
                  static_cast<float>(glm::dot(from, from)),
                  1,
                  0,
                  1};
  if (away != Vec3(0)) {
    rays.height0 = static_cast<float>(glm::dot(from, away));
    rays.height1 = static_cast<float>(glm::dot(by, away));
    rays.least = least_height * static_cast<float>(distance_);
  }
  Samples totals{}, squares{}, values, weights;
  const auto add = [&](std::int64_t i, auto count) {
    view.read(i, count, values);
    rays.read(i, count, weights);
#pragma omp simd
    for (int n = 0; n < count; ++n) {
      totals[n] += values[n] * weights[n];
      squares[n] += weights[n] * weights[n];
    }
  };
  std::int64_t i = line.begin;
  for (; i + together <= line.end + 1; i += together) add(i, std::integral_constant<int, together>());
  if (i <= line.end) add(i, static_cast<int>(line.end + 1 - i));
  const float total = std::reduce(totals.begin(), totals.end()), square = std::reduce(squares.begin(), squares.end());
  const auto step = static_cast<float>(line.step);
  return {total * step, std::sqrt(square) * step};
}

}  // namespace backlit
