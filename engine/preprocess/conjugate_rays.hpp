// Rays that were measured from both sides. They determine the rotation centre and the direction of rotation of a scan.
#pragma once

#include <cstdint>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

inline constexpr const char* center_remedy = "give the column on which the axis projects with `center` PIXELS";

/// The rows in use, of every view, slightly smoothed, in the order of the source's angle.
struct Sinogram {
  std::int64_t columns, rows;
  std::vector<double> angle;               ///< ascending, radians, [0, 2 pi)
  std::vector<std::vector<float>> values;  ///< per view: rows x columns
  double step;                             ///< median gap
  double slope;                            ///< cone: gamma of a column next to the axis; flat: its tangent, signed
  bool parallel, curved;

  std::int64_t views() const { return static_cast<std::int64_t>(angle.size()); }
};

/// Sums of squared differences of rays that should agree, and of their squares.
struct Agreement {
  double difference = 0, square = 0;
  std::int64_t rays = 0;
  void add(double a, double b) {
    difference += (a - b) * (a - b);
    square += a * a + b * b;
    ++rays;
  }
};

/// Reads the rows in use. Parallel: up to eight rows spread over the detector. Cone: the row in the mid-plane and its
/// neighbours. Stage "read". Throws InputError when the scan has too few angles.
Sinogram read_sinogram(ProjectionSource&, const Watch&);

/// Linear between columns.
double sample(const Sinogram&, std::int64_t view, std::int64_t row, double column);
bool inside(const Sinogram&, double column);

/// Fan and cone: compares each ray of every `every`-th view with its conjugate, (angle + pi + 2 gamma, -gamma).
Agreement conjugates(const Sinogram&, double center, std::int64_t every);

}  // namespace backlit
