// The models that `project` and `bench` offer.
#pragma once

#include <string>
#include <vector>

#include <backlit/projectors/projector.hpp>

namespace backlit::cli {

/// All models except voxel_driven, which computes no line integrals.
inline std::vector<std::string> line_models() {
  std::vector<std::string> names = projector_names();
  std::erase(names, "voxel_driven");
  return names;
}

}  // namespace backlit::cli
