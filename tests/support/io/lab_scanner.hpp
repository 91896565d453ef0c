// A scanner as in its manual, independent of the engine's geometry code: source and detector stand still in the
// laboratory, and a table turns the object. Its images test the readers of scanners' files.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/io/io_samples.hpp"

namespace backlit::test {

/// Coordinates as seen from the source: x to the right, y along the beam, z up; the source is at the origin, mm.
struct LabScanner {
  std::int64_t columns = 0, rows = 0;
  double pixel = 1;
  double to_axis = 0, to_detector = 0;    ///< of the source; parallel beams where to_axis is 0
  double axis_x = 0;                      ///< x of the axis
  double detector_x = 0, detector_z = 0;  ///< position of the detector's middle
  bool first_column_right = true, first_row_top = true;

  Vec3 pixel_at(std::int64_t column, std::int64_t row) const {
    const double c = (static_cast<double>(column) - 0.5 * static_cast<double>(columns - 1)) * pixel;
    const double r = (static_cast<double>(row) - 0.5 * static_cast<double>(rows - 1)) * pixel;
    return {detector_x + (first_column_right ? -c : c), to_detector, detector_z + (first_row_top ? -r : r)};
  }

  /// Line integrals through `object` after the table has turned by `clockwise_deg`, as seen from above. `object` is in
  /// the frame of the table: z up, origin on the axis, x towards the source at the start.
  std::vector<float> image(const Phantom& object, double clockwise_deg) const {
    const double a = clockwise_deg * radians_per_degree;
    const Vec3 x(-std::sin(a), -std::cos(a), 0), y(std::cos(a), -std::sin(a), 0);  // the table, in the laboratory
    const auto on_table = [&](const Vec3& p) { return Vec3(glm::dot(p, x), glm::dot(p, y), p.z); };
    const Vec3 axis(axis_x, to_axis, 0);
    std::vector<float> values;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        const Vec3 pixel_place = pixel_at(c, r);
        const Vec3 from = to_axis > 0 ? Vec3(0) : pixel_place - Vec3(0, 1000, 0);
        const Vec3 source = on_table(from - axis), to = on_table(pixel_place - axis) - source;
        values.push_back(static_cast<float>(
            line_integral(object, source, glm::normalize(to), 0, std::numeric_limits<double>::infinity())));
      }
    return values;
  }
};

inline LabScanner small_lab_scanner() {
  LabScanner s;
  s.columns = 47;
  s.rows = 39;
  s.pixel = 0.5;
  s.to_axis = 60;
  s.to_detector = 100;
  return s;
}

/// The same with parallel beams, and pixels as large as the other's are at its axis.
inline LabScanner small_parallel_scanner() {
  LabScanner s = small_lab_scanner();
  s.pixel = 0.3;
  s.to_axis = s.to_detector = 0;
  return s;
}

/// Bodies that look different from every side and in every mirror image.
inline Phantom lopsided_phantom(double size) {
  Phantom phantom{"lopsided", {}};
  const auto add = [&](Vec3 center, Vec3 half, double value) {
    Body body;
    body.center = size * center;
    body.half = size * half;
    body.value = value;
    phantom.bodies.push_back(body);
  };
  add({0, 0, 0}, {0.9, 0.7, 0.8}, 0.02);
  add({0.4, 0.15, 0.3}, {0.2, 0.2, 0.2}, 0.05);
  add({-0.3, 0.3, -0.2}, {0.25, 0.15, 0.15}, 0.03);
  add({0.1, -0.4, 0.1}, {0.15, 0.1, 0.3}, -0.015);
  return phantom;
}

/// Counts for line integrals; `white` is the open beam.
inline std::vector<std::uint16_t> counts_of(const std::vector<float>& integrals, double white) {
  std::vector<std::uint16_t> counts;
  for (const float p : integrals) counts.push_back(static_cast<std::uint16_t>(std::lround(white * std::exp(-p))));
  return counts;
}

/// A TIFF image of 16-bit counts, written without the code under test.
inline std::string tiff_bytes(std::int64_t columns, std::int64_t rows, const std::vector<std::uint16_t>& values) {
  std::string bytes("II*\0\x08\0\0\0", 8);
  const auto put = [&](std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  };
  const std::vector<std::array<std::uint64_t, 3>> entries{{256, 4, static_cast<std::uint64_t>(columns)},
                                                          {257, 4, static_cast<std::uint64_t>(rows)},
                                                          {258, 3, 16},
                                                          {259, 3, 1},
                                                          {262, 3, 1},
                                                          {273, 4, 8 + 2 + 9 * 12 + 4},
                                                          {277, 3, 1},
                                                          {278, 4, static_cast<std::uint64_t>(rows)},
                                                          {279, 4, 2 * values.size()}};
  put(entries.size(), 2);
  for (const auto& [tag, type, value] : entries) {
    put(tag, 2);
    put(type, 2);
    put(1, 4);
    put(value, 4);
  }
  put(0, 4);
  for (const std::uint16_t value : values) put(value, 2);
  return bytes;
}

}  // namespace backlit::test
