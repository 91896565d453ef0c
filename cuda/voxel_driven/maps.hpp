// Backprojection onto any detector from any view, including curved detectors that are tilted or not focused on the
// source.
#pragma once

#include "cuda/voxel_driven/backprojector.hpp"

namespace backlit::cuda {

/// Common base of backprojectors that fetch views from layers of one texture each.
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

/// Computes column and row of every voxel by geometry/view_map.hpp. The slots of the views are not used.
void backproject_maps(Stream&, const Sampling&, const ExactViews&, int first_layer, const VolumeSlab&);

std::unique_ptr<LinearOperator> make_map_backprojector(CudaBackend&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
