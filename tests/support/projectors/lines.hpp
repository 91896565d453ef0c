// Lists of lines for tests of list mode.
#pragma once

#include <random>
#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>

namespace backlit::test {

/// Lines that own the data of a LineList.
struct Lines {
  std::vector<glm::vec3> points;
  std::vector<std::uint32_t> first, second;
  std::vector<float> tof_mm;
  std::vector<std::uint8_t> kernel;

  void add(const glm::vec3& p, const glm::vec3& q) {
    first.push_back(static_cast<std::uint32_t>(points.size()));
    second.push_back(static_cast<std::uint32_t>(points.size() + 1));
    points.push_back(p);
    points.push_back(q);
  }
  LineList list() const { return {points, first, second, tof_mm, kernel}; }
};

/// Lines between random points of a sphere; some are far from the middle.
inline Lines random_lines(int count, double radius, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> gauss;
  const auto point = [&] {
    const glm::vec3 p(gauss(engine), gauss(engine), gauss(engine));
    return p * (static_cast<float>(radius) / glm::length(p));
  };
  Lines lines;
  for (int i = 0; i < count; ++i) {
    const glm::vec3 p = point();
    lines.add(p, point());
  }
  return lines;
}

/// Offsets of time of flight within +-`most` mm.
inline void add_tof(Lines& lines, double most, unsigned seed = 2) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> offset(static_cast<float>(-most), static_cast<float>(most));
  lines.tof_mm.clear();
  for (std::size_t i = 0; i < lines.first.size(); ++i) lines.tof_mm.push_back(offset(engine));
}

inline std::vector<float> random_values(std::int64_t count, unsigned seed, float low = 0) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> value(low, 1);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values) v = value(engine);
  return values;
}

inline LineOptions thin_lines() { return {.line = LineOptions::Line::joseph}; }
inline LineOptions tubes(TubeKernel kernel) { return {.kernels = {std::move(kernel)}}; }

/// A x for all lines.
inline std::vector<float> project(Backend& backend, LinearOperator& a, std::span<const float> image) {
  const ArrayPtr x = a.make_domain(), y = a.make_range(a.range().n2);
  backend.upload(image, *x);
  a.forward(*x, *y, a.all(), Write::overwrite);
  std::vector<float> values(static_cast<std::size_t>(y->count()));
  backend.download(*y, values);
  return values;
}

inline std::vector<float> project(Backend& backend, const VolumeGrid& grid, const Lines& lines,
                                  const LineOptions& options, std::span<const float> image) {
  return project(backend, *backend.make_listmode(grid, lines.list(), options), image);
}

/// A' y for all lines.
inline std::vector<float> backproject(Backend& backend, LinearOperator& a, std::span<const float> values) {
  const ArrayPtr x = a.make_domain(), y = a.make_range(a.range().n2);
  std::vector<float> padded(values.begin(), values.end());
  padded.resize(static_cast<std::size_t>(y->count()));  // devices may pad rows
  backend.upload(padded, *y);
  a.back(*y, *x, a.all(), Write::overwrite);
  std::vector<float> image(static_cast<std::size_t>(x->count()));
  backend.download(*x, image);
  return image;
}

}  // namespace backlit::test
