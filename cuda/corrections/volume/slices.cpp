#include "cuda/corrections/volume/slices.hpp"

#include <backlit/recon/volume_tools.hpp>

namespace backlit::cuda {

std::unique_ptr<Reconstruction> reconstruct(CudaViews& views, const CorrectionInput& input, const VolumeGrid& grid,
                                            const Watch& watch) {
  views.stream().wait();
  return reconstruct_there(input.volume.backend->innermost(),
                           std::shared_ptr<ProjectionSource>(std::shared_ptr<void>(), &views), grid, watch);
}

Volume slice_of(CudaViews& views, const CorrectionInput& input, const VolumeGrid& grid, const Watch& watch) {
  return reconstruct(views, input, grid, watch)->download();
}

}  // namespace backlit::cuda
