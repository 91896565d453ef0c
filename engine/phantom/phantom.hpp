// Objects whose line integrals are known exactly.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/projections.hpp"
#include "data/volume.hpp"
#include "core/progress.hpp"

namespace backlit {

/// A half space: points x with dot(normal, x - point) <= 0 are kept. World mm.
struct ClipPlane {
  Vec3 point{0};
  Vec3 normal{0};
};

/// One body of constant value. Bodies overlap by addition: the value at a point is the sum over bodies holding it.
struct Body {
  enum class Shape { ellipsoid, cylinder, box, cone };

  Shape shape = Shape::ellipsoid;
  Vec3 center{0};          ///< mm
  Vec3 half{1};            ///< mm, half axes; cylinder and cone: radii along local x and y, half length along local z
  glm::dmat3 axes{1};      ///< columns: the body's local x, y, z in the world, orthonormal
  double value = 0;        ///< added inside, 1/mm (CT) or activity (PET)
  std::vector<ClipPlane> clips;
  double top = 0;          ///< cone: radius at the upper end as a share of that at the lower
};

struct Phantom {
  std::string name;
  std::vector<Body> bodies;
};

/// A file of assets/phantoms/ (see its README for the format), or the name of a shipped one ("forbild-head").
/// Throws InputError naming file and key.
Phantom load_phantom(const std::string& path_or_name);

/// Names of the phantoms that ship.
std::vector<std::string> shipped_phantoms();

/// The sum of bodies at a point.
double value_at(const Phantom&, const Vec3& point);

/// Exact integral along the ray from `origin` in unit `direction`, for parameters in [from, to] mm.
double line_integral(const Phantom&, const Vec3& origin, const Vec3& direction, double from, double to);

/// Views [first, first + count) of the scan, each pixel the mean of `supersampling`^2 exact line integrals from the
/// source (parallel: from minus infinity) to the detector. `out` is overwritten.
void project_phantom(const Phantom&, const Scan&, std::int64_t first, std::int64_t count, int supersampling,
                     std::span<float> out);

/// The mean of `supersampling`^3 samples a voxel.
Volume voxelize(const Phantom&, const VolumeGrid&, int supersampling = 3);

/// Poisson counts of `photons` a pixel and Gaussian read-out noise of `electronic` counts, as line integrals again.
/// The result depends on seed and view index alone, not on threads or batches.
struct NoiseOptions {
  double photons = 0;     ///< counts a pixel without object; 0 leaves the integrals as they are
  double electronic = 0;  ///< counts, standard deviation
  std::uint64_t seed = 1;
};
void add_noise(const NoiseOptions&, std::int64_t view, std::span<float> line_integrals);

}  // namespace backlit
