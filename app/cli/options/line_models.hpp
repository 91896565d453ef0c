// The models that `project` and `bench` offer.
#pragma once

#include <string>
#include <vector>

#include <backlit/projectors/projector.hpp>

namespace backlit::cli {

/// All but voxel_driven, which is no line integral.
inline std::vector<std::string> line_models() {
  std::vector<std::string> names = projector_names();
  std::erase(names, "voxel_driven");
  return names;
}

}  // namespace backlit::cli
