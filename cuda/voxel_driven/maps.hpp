// Backprojection onto any detector from any view, curved ones that are tilted or not focused on the source included.
#pragma once

#include "cuda/voxel_driven/backprojector.hpp"

namespace backlit::cuda {

/// What backprojectors share that fetch views from layers of one texture each.
class LayeredBackprojector : public Backprojector {
 public:
  using Backprojector::Backprojector;

 protected:
  Sampling sampling(const LayeredTextures& textures, std::int64_t layer) const {
    return {textures.texture(layer / LayeredTextures::layers_per_array), textures.unit(),
            static_cast<float>(detector_.columns), static_cast<float>(detector_.rows), weighted_};
  }
  void upload(const std::vector<int>& from, DeviceBuffer<int>& to) const {
    BACKLIT_CUDA(
        cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice, backend_.stream()));
  }
};

/// Column and row of every voxel by geometry/view_map.hpp. The slots of the views are not read.
void backproject_maps(Stream&, const Sampling&, const ExactViews&, int first_layer, const VolumeSlab&);

std::unique_ptr<LinearOperator> make_map_backprojector(CudaBackend&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
