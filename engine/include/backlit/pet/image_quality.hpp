// Image quality after NEMA NU 2: contrast of spheres, variability of the background, residual in the lung insert.
#pragma once

#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit {

/// Where to look in images of a phantom, all mm.
struct QualityRegions {
  struct Sphere {
    Vec3 center{0};
    double diameter = 0;  ///< inside
    double activity = 0;  ///< over that of the background; above 1: hot
  };
  std::vector<Sphere> spheres;         ///< from small to large
  std::vector<glm::dvec2> background;  ///< twelve places (x, y) with nothing but background around
  std::vector<double> background_z;    ///< five slices: that of the spheres, 1 and 2 cm to both sides
  double margin = 0;                   ///< of background around each largest region of these
  bool has_lung = false;
  glm::dvec2 lung{0};                      ///< the insert's axis
  double lung_diameter = 0;                ///< of its regions: 30 mm, or 0.7 of its own where that is less
  double lung_low_z = 0, lung_high_z = 0;  ///< slices between these
};

/// From the phantom's bodies: spheres are balls (of several with one centre the smallest); the background is the value
/// with the largest volume in the spheres' slice; the lung insert is the widest cylinder along z that takes activity
/// away. The twelve places are as far from each other as they can be, with 15 mm of background around regions as wide
/// as the largest sphere, less where that leaves no room for twelve apart (but at least 1 mm). Throws InputError when
/// it has no spheres in one slice, or no such room.
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

/// Mean over a disc in the slice nearest to z, voxels weighted by the area they share. Throws InputError when it leaves
/// the volume.
double disc_mean(const Volume&, const glm::dvec2& center, double z, double diameter);

/// Means over discs in the nearest slice, voxels weighted by the area they share. Throws InputError when regions leave
/// the volume or the background is not positive.
ImageQuality measure_quality(const Volume&, const QualityRegions&);

}  // namespace backlit
