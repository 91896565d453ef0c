// Image quality after NEMA NU 2: contrast of spheres, variability of the background, residual in the lung insert.
#pragma once

#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit {

/// Regions to measure in images of a phantom, all in mm.
struct QualityRegions {
  struct Sphere {
    Vec3 center{0};
    double diameter = 0;  ///< inside
    double activity = 0;  ///< relative to the background; above 1: hot
  };
  std::vector<Sphere> spheres;         ///< from small to large
  std::vector<glm::dvec2> background;  ///< twelve places (x, y) that only background surrounds
  std::vector<double> background_z;    ///< five slices: the spheres' and those 1 and 2 cm to both sides
  double margin = 0;                   ///< width of the background around each largest region
  bool has_lung = false;
  glm::dvec2 lung{0};                      ///< the insert's axis
  double lung_diameter = 0;                ///< diameter of its regions: the smaller of 30 mm and 0.7 of the insert
  double lung_low_z = 0, lung_high_z = 0;  ///< slices between these
};

/// Finds the regions from the phantom's bodies. Spheres are balls; of several with one centre the smallest counts. The
/// background is the value with the largest volume in the spheres' slice. The lung insert is the widest cylinder along
/// z with negative activity. The twelve places are as far apart as possible. They have 15 mm of background around
/// regions as wide as the largest sphere; less where the room does not suffice, but at least 1 mm. Throws InputError
/// when the phantom has no spheres in one slice, or no room for twelve places.
QualityRegions quality_regions(const Phantom&);

struct SphereQuality {
  double diameter = 0;     ///< mm
  double contrast = 0;     ///< percent: hot (C_H / C_B - 1) / (a_H / a_B - 1), cold 1 - C_C / C_B
  double variability = 0;  ///< percent: standard deviation over mean of the 60 background regions of its diameter
};
struct ImageQuality {
  std::vector<SphereQuality> spheres;
  double background = 0;      ///< mean of the largest regions, in the image's unit
  double lung_residual = -1;  ///< percent of the background, mean over slices; -1 without a lung insert
};

/// Mean over a disc in the slice nearest to z. A voxel's weight is its area inside the disc. Throws InputError when the
/// disc leaves the volume.
double disc_mean(const Volume&, const glm::dvec2& center, double z, double diameter);

/// Measures the regions by disc_mean(). Throws InputError when regions leave the volume or the background is not
/// positive.
ImageQuality measure_quality(const Volume&, const QualityRegions&);

}  // namespace backlit
