// Objects whose line integrals are known exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

/// A half space: points x with dot(normal, x - point) <= 0 are kept. World mm.
struct ClipPlane {
  Vec3 point{0};
  Vec3 normal{0};
};

/// One convex body of constant value. The value at a point is the sum over all bodies that contain the point.
struct Body {
  /// gaussian: value * exp(-r^2 / 2), r in units of `half` (one sigma an axis); for tests that need a smooth object.
  enum class Shape { ellipsoid, cylinder, box, cone, gaussian };

  Shape shape = Shape::ellipsoid;
  Vec3 center{0};      ///< mm
  Vec3 half{1};        ///< mm, half axes; cylinder and cone: radii along local x and y, half length along local z
  glm::dmat3 axes{1};  ///< columns: the body's local x, y, z in the world, orthonormal
  double value = 0;    ///< added inside, 1/mm (CT) or activity (PET)
  std::vector<ClipPlane> clips;  ///< not for gaussian
  double top = 0;                ///< cone: radius at the upper end (local +z) as a share of the radius at the lower end
  std::vector<Body> within;  ///< the body is cut to the inside of these; their values do not count; not for gaussian
};

struct Phantom {
  std::string name;
  std::vector<Body> bodies;
};

/// A file of assets/phantoms/ (see its README for the format), or the name of a shipped one ("forbild-head").
/// Throws InputError naming file, body and key.
Phantom load_phantom(const std::string& path_or_name);

/// Names of the phantoms that ship, sorted.
std::vector<std::string> shipped_phantoms();

/// All lengths times `length`, all values times `value`.
Phantom scaled(Phantom phantom, double length, double value = 1);

/// The sum of bodies at a point.
double value_at(const Phantom&, const Vec3& point);

/// Exact integral along the ray from `origin` in unit `direction`, for parameters in [from, to] mm (may be infinite).
double line_integral(const Phantom&, const Vec3& origin, const Vec3& direction, double from, double to);

/// Projects views [first, first + count) of the scan. A pixel is the mean of `supersampling`^2 exact line integrals
/// along the ray from the source (parallel: along the whole line). Bodies behind the detector count too, so that
/// virtual detectors inside the object work (parallel views have them at the origin). `out` holds count x rows x
/// columns values and is overwritten.
void project_phantom(const Phantom&, const Scan&, std::int64_t first, std::int64_t count, int supersampling,
                     std::span<float> out);

/// Each voxel is the mean of `supersampling`^3 evenly spaced samples of value_at(). Stage "voxelize"; throws Cancelled
/// between two slices.
Volume voxelize(const Phantom&, const VolumeGrid&, int supersampling = 3, const Watch& = {});

/// Poisson noise of `photons` counts a pixel and Gaussian read-out noise of `electronic` counts, converted back to line
/// integrals. Counts below one half become one half. The result depends on seed, view and pixel alone, not on threads
/// or batches.
struct NoiseOptions {
  double photons = 0;     ///< counts a pixel without object; 0 leaves the integrals as they are
  double electronic = 0;  ///< counts, standard deviation
  std::uint64_t seed = 1;
};
void add_noise(const NoiseOptions&, std::int64_t view, std::span<float> line_integrals);

}  // namespace backlit
