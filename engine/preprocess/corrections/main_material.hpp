// The material that most of an object consists of.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <backlit/core/hd.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

/// Two of an object's values.
struct MaterialValues {
  double threshold = 0;  ///< between air and material (Otsu 1979)
  double median = 0;     ///< of the material
};

inline constexpr int material_bins = 256;
inline constexpr std::int64_t least_material = 16;     ///< voxels below which there is no object
inline constexpr std::int64_t least_homogeneous = 64;  ///< voxels well inside a material, to fit something by

/// The bin of a value in a histogram of values from `low` to `high`.
BACKLIT_HD inline int material_bin(float value, float low, float high) {
  const double width = (static_cast<double>(high) - static_cast<double>(low)) / material_bins;
  const auto bin = static_cast<int>((static_cast<double>(value) - static_cast<double>(low)) / width);
  return bin < 0 ? 0 : bin < material_bins ? bin : material_bins - 1;
}
/// The threshold that parts such a histogram into two classes whose means differ most.
double material_threshold(const std::array<std::int64_t, material_bins>& count, float low, float high);

/// Of the voxels below `most` that are not exactly 0, which no view saw. Both are 0 where there are too few.
MaterialValues material_values(const Volume&, double most);

struct MainMaterial : MaterialValues {
  std::vector<char> inside;   ///< one mark a voxel: well inside it, two voxels from anything else
  std::vector<char> outside;  ///< well outside the object; not where the volume is exactly 0
};

/// Values above 1.5 times the median are another material.
MainMaterial main_material(const Volume&);

}  // namespace backlit
