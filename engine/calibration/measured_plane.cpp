#include "calibration/measured_plane.hpp"

#include <algorithm>
#include <cmath>

namespace backlit {
namespace {

constexpr float least_height = 0.05f;  ///< smallest distance from a line of sources, as a share of that to the detector

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
  out.steep = std::abs(cos) * height_ >= std::abs(sin) * width_;
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
  const std::int64_t across_stride = line.steep ? 1 : columns_, along_stride = line.steep ? columns_ : 1;
  const auto value = [&](std::int64_t i) {
    const auto at = static_cast<float>(line.start + static_cast<double>(i) * line.slope);
    const auto nearest = static_cast<std::int64_t>(at + 0.5f);
    const float f = at - static_cast<float>(nearest), *v = values_ + nearest * across_stride + i * along_stride;
    const float before = 0.5f - f, after = 0.5f + f;
    return 0.5f * before * before * v[-across_stride] + (0.75f - f * f) * v[0] +
           0.5f * after * after * v[across_stride];
  };
  if (value(line.begin) > limit_ || value(line.end) > limit_) return {missing, missing};
  // From the source to sample i: `from` + i `by`. Its squared length is a parabola, its part along `away` is linear.
  const Vec3 across = line.steep ? width_ * u_ : height_ * v_, along = line.steep ? height_ * v_ : width_ * u_;
  const double across0 = line.steep ? column0_ : row0_, along0 = line.steep ? row0_ : column0_;
  const Vec3 from = from_source_ + (line.start - across0) * across - along0 * along, by = line.slope * across + along;
  const auto a = static_cast<float>(glm::dot(by, by)), b = static_cast<float>(2 * glm::dot(from, by)),
             c = static_cast<float>(glm::dot(from, from));
  const bool divides = away != Vec3(0);
  const auto height0 = divides ? static_cast<float>(glm::dot(from, away)) : 1.0f,
             height1 = divides ? static_cast<float>(glm::dot(by, away)) : 0.0f;
  const float least = divides ? least_height * static_cast<float>(distance_) : 1.0f;
  float total = 0, squares = 0;
  for (std::int64_t i = line.begin; i <= line.end; ++i) {
    const auto t = static_cast<float>(i);
    const float weight = 1 / (std::sqrt((a * t + b) * t + c) * std::max(least, height0 + height1 * t));
    total += value(i) * weight;
    squares += weight * weight;
  }
  const auto step = static_cast<float>(line.step);
  return {total * step, std::sqrt(squares) * step};
}

}  // namespace backlit
