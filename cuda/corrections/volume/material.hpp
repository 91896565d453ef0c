// What a volume on the device consists of, as the host finds it.
#pragma once

#include "cuda/device/launch.hpp"
#include "preprocess/corrections/main_material.hpp"
#include "preprocess/corrections/metal.hpp"

namespace backlit::cuda {

struct Materials {
  MetalVoxels metal;        ///< voxels above a threshold
  MaterialValues material;  ///< of those below it
};
Materials find_materials(Stream&, const float* volume, const Size3&, double metal_threshold);

}  // namespace backlit::cuda
