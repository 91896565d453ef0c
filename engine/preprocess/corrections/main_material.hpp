// The material that most of an object consists of.
#pragma once

#include <vector>

#include <backlit/data/volume.hpp>

namespace backlit {

struct MainMaterial {
  double threshold = 0;       ///< between air and material (Otsu 1979)
  double value = 0;           ///< median of the material
  std::vector<char> inside;   ///< one mark a voxel: well inside it, two voxels from anything else
  std::vector<char> outside;  ///< well outside the object; not where the volume is exactly 0, which no view saw
};

/// Of the voxels below `most`. Values above 1.5 times the median are another material.
MainMaterial main_material(const Volume&, double most);

}  // namespace backlit
